"""People tell their habits in many constructions, ask what was, and have a home set as then; in three kinds of home."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.dialogue.people.profile import people
from engine.memory.kept import facts
from engine.model.outcome import Status
from tests.memory.playing import PLACES, Played, playing

SETTINGS = (
    "the {lamp} wants to be at thirty for me, that's how I've always had it",
    "for future reference, my preferred brightness for the {lamp} is thirty percent",
    "from now on I prefer thirty percent for the {lamp} rather than sixty",
    "btw I usually have the {lamp} at 30 percent",
    "I usually have the {lamp} at 30 percent, mind.",
    "the {lamp} has to be at 30 for me",
    "In the afternoons I am having the {lamp} at 30 percent, it is most comfortable so.",
)
ROUTINES = (
    "Come my nap, the {lamp} at 30 and the {light} off, always",
    "when I'm napping it's always the {lamp} at 30",
    "when I take a nap, I would like the {lamp} to be at thirty percent",
    "the {lamp} ought to be at 30 when I have a nap",
)
FREE = (
    "Can't abide the washing machine rattling",
    "Spare keys are hanging behind the old clock, mind",
    "by the way, I tend to get up with the lark",
    "my fave colour's purple fyi",
    "I'm a tea person",
    "The wood for the oven lies behind the shed",
    "Aw you know what, I just can't sleep if there is any light",
)
OF_NOW = ("I'm a bit cold", "I'm a little warm", "I'm on the phone", "Oh dear, my ears are bleeding")
ORDERS = ("the {lamp} should be at 30", "set the {lamp} to 30 for me", "btw, set the {lamp} to 30")


@pytest.fixture(params=["farmhouse", "house", "mill"])
def played(request: pytest.FixtureRequest) -> Iterator[Played]:
    with playing(request.param) as found:
        yield found


def told(played: Played, text: str) -> None:
    before, known = played.home.state.snapshot(), len(facts.everyone(played.home.store))
    outcome = played.say(text)
    assert (outcome.status, len(facts.everyone(played.home.store))) == (Status.DONE, known + 1), outcome.reply
    assert played.home.state.snapshot() == before


@pytest.mark.parametrize("text", SETTINGS)
def test_how_somebody_has_something_is_kept_in_any_construction_and_used(played: Played, text: str) -> None:
    told(played, text)
    assert played.say("the {lamp} as I like it").status is Status.DONE
    assert played.value("{lamp_key}", "Brightness") == 30


@pytest.mark.parametrize("text", ROUTINES)
@pytest.mark.parametrize("home", PLACES)
def test_what_is_so_on_an_occasion_is_kept_in_any_construction_and_used(home: str, text: str) -> None:
    with playing(home) as played:
        told(played, text)
        assert played.say("I'm off for my nap now").status is Status.DONE
        assert played.value("{lamp_key}" if home != "gull" else "device:2203", "Brightness") == 30


@pytest.mark.parametrize("text", FREE)
def test_what_no_device_has_is_kept_in_the_words_that_were_said(played: Played, text: str) -> None:
    told(played, text)


@pytest.mark.parametrize("text", OF_NOW)
def test_how_somebody_feels_now_is_not_kept(played: Played, text: str) -> None:
    played.say(text)
    assert not facts.everyone(played.home.store)


@pytest.mark.parametrize("text", ORDERS)
def test_what_is_to_be_so_now_is_done_and_not_kept(played: Played, text: str) -> None:
    assert played.say(text).status is Status.DONE
    assert played.value("{lamp_key}", "Brightness") == 30
    assert not facts.everyone(played.home.store)


def test_a_wish_of_now_that_is_for_me_is_no_habit(played: Played) -> None:
    played.say("the {lamp} needs to be brighter for me")
    assert not facts.everyone(played.home.store)


def test_a_statement_is_no_answer_to_the_question_that_is_open() -> None:
    with playing("house") as played:
        assert played.say("set the brightness to 40").status is Status.CLARIFY
        told(played, "Can't abide the floor lamp flickering away")
        assert played.say("set the brightness to 40").status is Status.CLARIFY
        told(played, "Our Ida sleeps better with the guest room lamp at ten")
        played.say("guest room lamp the way Ida likes it")
        assert played.value("guest-lamp", "Brightness") == 10


def test_what_was_so_is_told_however_it_is_asked_for(played: Played) -> None:
    played.say("set the {lamp} to 55")
    played.say("set the {lamp} to 5", "Kim")
    played.at("+1 09:00")
    before = played.home.state.snapshot()
    for text in ("at what level was the {lamp} yesterday?", "what had I the {lamp} at yesterday afternoon?"):
        assert "55" in played.say(text).reply, text
    assert "Somebody else" in played.say("who altered the {lamp}?").reply
    assert "5" in played.say("anything been fiddled with yesterday?").reply
    assert played.home.state.snapshot() == before


def test_the_same_as_in_an_evening_is_what_was_set_at_any_hour_of_it(played: Played) -> None:
    played.at("21:30")
    played.say("set the {lamp} to 30")
    played.at("+1 10:00")
    played.say("set the {lamp} to 95", "Kim")
    played.at("21:00")
    played.say("the {lamp} same as yesterday evening")
    assert played.value("{lamp_key}", "Brightness") == 30


def test_it_is_set_as_it_was_left(played: Played) -> None:
    played.say("set the {lamp} to 20")
    played.say("I'm leaving now")
    played.at("17:00")
    played.say("set the {lamp} to 88", "Kim")
    played.say("I'm back")
    played.say("the {lamp} back how I left it")
    assert played.value("{lamp_key}", "Brightness") == 20


def test_what_was_told_is_shown_and_forgotten_in_long_words(played: Played) -> None:
    told(played, "For future reference, my preferred brightness for the {lamp} is 35 percent")
    shown = played.say("Would you be so kind as to tell me which preferences of mine you have on file?")
    assert "35 percent" in shown.reply
    assert "35 percent" in played.say("remind me what I said about preferred brightness").reply
    gone = played.say("I should like you to erase what I told you about my preferred brightness")
    assert "forgotten" in gone.reply
    assert not facts.everyone(played.home.store)
    told(played, "The wood for the oven lies behind the shed")
    assert "behind the shed" in played.say("where does the wood lie?").reply
    assert "forgotten" in played.say("I've changed my mind, forget the wood thing").reply
    assert not facts.everyone(played.home.store)


def test_who_tells_and_acts_is_one_person_in_the_list_of_people(played: Played) -> None:
    told(played, "I usually have the {lamp} at 30 percent")
    played.say("the {lamp} as I like it")
    assert people(played.home.store) == ("Robin",)


def test_several_things_that_are_named_are_not_one_name() -> None:
    with playing("house") as played:
        played.say("Call the kitchen light and the pantry light my cooking pair, will you?")
        played.say("turn off the kitchen light")
        played.say("turn off the pantry light")
        played.say("turn my cooking pair on")
        assert (played.is_on("kitchen-light"), played.is_on("pantry-light")) == (True, True)
