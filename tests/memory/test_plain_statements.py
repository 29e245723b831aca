"""What people tell of themselves and of the home that no device has: kept, never acted upon, found again, forgotten."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.memory.playing import PLACES, playing

KEPT = "I will keep that in mind"
TOLD = (
    ("my birthday is the 4th of July", "when is my birthday?", "July"),
    ("the sideboard stands next to the window in the {lamp_room}", "where is the sideboard?", "window"),
    ("I have breakfast at eight", "when do I have breakfast?", "eight"),
    ("I love science fiction", "do I like science fiction?", "love science fiction"),
    ("we can't stand the smell of cabbage", "what smell can't we stand?", "cabbage"),
    ("my sister is called Ida", "what's my sister's name?", "Ida"),
    ("I usually get up at 6:30 on weekdays", "when do I get up?", "6:30"),
    ("remember that the bins go out on Thursdays", "when do the bins go out?", "Thursdays"),
    ("note that I am allergic to cats", "what am I allergic to?", "cats"),
)
STATED = (
    "I prefer natural light to artificial one",
    "I feel comfortable at 25 degrees and with a low fan",
    "I always want the {lamp} at 20",
    "I don't like the {lamp} on high",
    "at bedtime: the {lamp} at 10 and the {light} off",
)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_told_is_kept_and_told_again(place: str) -> None:
    with playing(place) as home:
        for text, _, _ in TOLD:
            told = home.say(text, "Ada")
            assert told.reply.startswith(KEPT), (text, told.reply)
            assert not told.changes
        for _, question, answer in TOLD:
            assert answer in home.say(question, "Ada").reply, question
            assert answer not in home.say(question, "Bo").reply or "sideboard" in question or "bins" in question


@pytest.mark.parametrize("place", PLACES)
def test_a_statement_is_no_order(place: str) -> None:
    with playing(place) as home:
        for text in STATED:
            told = home.say(text, "Ada")
            assert told.reply.startswith(KEPT), (text, told.reply)
            assert not told.changes


@pytest.mark.parametrize("place", ["house", "mill"])
def test_a_routine_that_is_told_before_a_colon_is_carried_out_at_its_time(place: str) -> None:
    with playing(place) as home:
        home.say("at bedtime: the {lamp} at 10 percent", "Ada")
        home.at("22:00")
        home.say("I'm going to bed", "Ada")
        assert home.value("{lamp_key}", "Brightness") == 10


@pytest.mark.parametrize("text", ["I like it brighter in here", "my room is too dark", "I'd like the {lamp} at 30"])
def test_a_wish_is_no_statement(text: str) -> None:
    with playing("house") as home:
        assert not home.say(text, "Ada", "study").reply.startswith(KEPT)


@pytest.mark.parametrize("place", ["house", "mill", "farmhouse"])
def test_several_things_get_a_name(place: str) -> None:
    with playing(place) as home:
        told = home.say("we call the {lamp} and the {light} the cosy pair", "Ada")
        assert told.reply.startswith(KEPT), told.reply
        home.say("turn on the cosy pair", "Bo")
        assert home.is_on("{lamp_key}")
        assert home.is_on("{light_key}")
        assert "cosy pair" in home.say("turn off the cosy pair", "Cy").reply
        assert not home.is_on("{lamp_key}")
        assert not home.is_on("{light_key}")
        assert home.say("forget what I said about the cosy pair", "Ada").reply.startswith("I have forgotten")
        assert home.say("turn on the cosy pair", "Bo").status is not Status.DONE


@pytest.mark.parametrize(
    "text",
    [
        "please delete everything you know about me",
        "forget everything I told you",
        "erase all my data",
        "forget me",
        "can you forget all that you remember about me?",
    ],
)
def test_all_is_forgotten_in_many_words(text: str) -> None:
    with playing("house") as home:
        home.say("I love science fiction", "Ada")
        assert home.say(text, "Ada").reply.startswith("I have forgotten all that I knew of you"), text
        assert home.say("what do you know about me?", "Ada").reply == "I know nothing of you."


@pytest.mark.parametrize(
    "text",
    [
        "forget what I said about science fiction",
        "forget that I love science fiction",
        "forget that I said I love science fiction",
        "please delete what you know about science fiction",
    ],
)
def test_one_fact_is_forgotten_in_many_words(text: str) -> None:
    with playing("house") as home:
        home.say("I love science fiction", "Ada")
        home.say("my birthday is the 4th of July", "Ada")
        assert home.say(text, "Ada").reply.startswith("I have forgotten “I love science fiction”"), text
        left = home.say("what do you know about me?", "Ada").reply
        assert "birthday" in left
        assert "fiction" not in left


def test_who_says_that_a_thing_is_to_be_forgotten_has_it_left_alone() -> None:
    with playing("house") as home:
        before = dict(home.home.state.snapshot())
        assert home.say("forget the floor lamp", "Ada").reply == "All right."
        assert dict(home.home.state.snapshot()) == before


@pytest.mark.parametrize(
    "text", ["what have you learned about me?", "show me everything you remember about me", "what do you know of me?"]
)
def test_a_profile_is_asked_for_in_many_words(text: str) -> None:
    with playing("house") as home:
        home.say("I love science fiction", "Ada")
        assert "science fiction" in home.say(text, "Ada").reply
        assert "science fiction" not in home.say(text, "Bo").reply


def test_who_is_asked_about_another_tells_only_what_the_speaker_told() -> None:
    with playing("house") as home:
        home.say("my birthday is the 4th of July", "Ada")
        nothing = home.say("what do you know about Ada?", "Bo").reply
        assert "July" not in nothing
        assert nothing == home.say("what do you know about Cy?", "Bo").reply.replace("Cy", "Ada")
        home.say("Ada hates the radio", "Bo")
        assert "radio" in home.say("what do you know about Ada?", "Bo").reply
        assert home.say("what do you know about me?", "Ada").reply.count("I was told “Ada hates the radio”") == 1


def test_what_was_said_is_handed_over_apart_from_what_was_done() -> None:
    with playing("house") as home:
        home.say("I have lunch at noon every day", "Ada")
        home.say("turn on the pantry light", "Ada")
        assert "lunch" in home.say("what I said was Bo, not me", "Ada").reply
        assert "noon" in home.say("when do I have lunch?", "Bo").reply
        assert "noon" not in home.say("when do I have lunch?", "Ada").reply
        assert "done last" in home.say("that wasn't me, that was Bo", "Ada").reply
        assert "pantry" in home.say("what do you know about me?", "Bo").reply
