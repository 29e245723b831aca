"""What was: set again as it was then, told when it is asked for, by time of day, person and place; in three homes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.model.outcome import Status
from tests.memory.playing import Played, playing


@pytest.fixture(params=["farmhouse", "house", "mill"])
def played(request: pytest.FixtureRequest) -> Iterator[Played]:
    with playing(request.param) as found:
        yield found


def test_what_was_changed_while_somebody_was_away_is_told(played: Played) -> None:
    played.say("turn on the {light}")
    played.say("I'm leaving now")
    played.at("16:10")
    played.say("set the {lamp} to 70", "Kim")
    played.at("17:30")
    played.say("I'm home")
    played.say("turn off the {light}")
    played.say("set the {lamp} to 20")
    told = played.say("what did you change while I was away?")
    assert told.status is Status.ANSWERED
    assert "brightness 70 at 16:10" in told.reply
    assert "brightness 20" not in told.reply, "that was when they were back"
    assert "Kim" not in told.reply, "what others ask for is theirs"
    assert played.say("did anything change while I was out?").reply[-30:] == told.reply[-30:]
    assert "brightness 20" in played.say("what have you changed since I came home?").reply


def test_where_nobody_said_when_it_was_this_is_said(played: Played) -> None:
    played.say("set the {lamp} to 70", "Kim")
    assert "I do not know when that was" in played.say("what did you change while I was away?").reply
    before = played.home.state.snapshot()
    assert played.say("put the {lamp} as it was before the guests came").status is Status.CLARIFY
    assert played.home.state.snapshot() == before


def test_nothing_is_told_where_nothing_was_changed(played: Played) -> None:
    played.say("I'm leaving now")
    played.at("16:00")
    played.say("turn on the {light}", "Kim")
    told = played.say("what have you changed in the {lamp_room} while I was out?")
    assert "I changed nothing" in told.reply
    assert told.answer is not None
    assert told.answer.value == []


def test_what_changed_in_a_place_or_at_a_time_is_told_of_it_alone(played: Played) -> None:
    played.say("turn on the {light}")
    played.say("set the {lamp} to 35")
    here = played.say("what changed in the {lamp_room} today?").reply
    assert "brightness 35" in here
    assert played.place.light.casefold() not in here.casefold()
    played.at("+1 09:00")
    played.say("set the {lamp} to 55")
    assert "brightness 35" in played.say("what did you do yesterday?").reply
    today = played.say("what did you do this morning?").reply
    assert "brightness 55" in today
    assert "brightness 35" not in today


def test_it_is_set_as_it_was_before_the_guests_came(played: Played) -> None:
    played.say("set the {lamp} to 35")
    played.say("turn off the {light}")
    played.at("18:00")
    played.say("the guests are here", "Kim")
    played.say("set the {lamp} to 90")
    played.say("turn on the {light}")
    played.at("23:00")
    played.say("set the {lamp} back to how it was before the guests came")
    assert played.value("{lamp_key}", "Brightness") == 35
    assert played.is_on("{light_key}"), "only what was named"
    played.say("put everything back to how it was before the guests came")
    assert not played.is_on("{light_key}")


def test_it_is_set_as_somebody_had_it_at_a_time_of_day(played: Played) -> None:
    played.at("Tue 08:00")
    played.say("set the {lamp} to 35")
    played.say("set the {lamp} to 80", "Kim")
    played.at("13:00")
    played.say("set the {lamp} to 60")
    played.say("set the {lamp} how I had it this morning")
    assert played.value("{lamp_key}", "Brightness") == 35, "as they had it, not as it was"
    played.at("+1 10:00")
    played.say("set the {lamp} to 10")
    played.say("the {lamp} as it was yesterday afternoon please")
    assert played.value("{lamp_key}", "Brightness") == 35
    assert "35" in played.say("how did I have the {lamp} yesterday afternoon?").reply


def test_who_did_it_is_told_without_naming_others(played: Played) -> None:
    played.say("turn off the {light}", "Kim")
    played.say("turn on the {light}")
    assert "You did, at 15:00" in played.say("who turned on the {light}?").reply
    other = played.say("who switched on the {light}?", "Kim").reply
    assert "Somebody else" in other
    assert "Robin" not in other


def test_the_rooms_that_somebody_uses_are_counted_and_meant(played: Played) -> None:
    lit = "turn off the lights in the rooms I usually use"
    before = played.home.state.snapshot()
    assert played.say(lit).status is Status.CLARIFY, "nobody knows yet"
    assert played.home.state.snapshot() == before
    for day in range(4):
        played.at(f"+1 {8 + day}:00")
        played.say("set the {lamp} to " + str(25 + 10 * day))
        played.say("turn on the {light}", "Kim")
        played.say("turn off the {light}", "Kim")
    played.say("turn on the {light}", "Kim")
    told = played.say("which rooms do I usually use?").reply
    assert f"{played.place.lamp_room} (on 4 days)" in told
    assert played.place.light_room not in told
    assert played.say(lit).status is Status.DONE
    assert not played.is_on("{lamp_key}")
    assert played.is_on("{light_key}"), "that is where Kim is"


def test_it_is_told_what_was_so_at_a_time_of_the_clock(played: Played) -> None:
    played.say("turn off the {light}")
    played.at("Mon 20:10")
    played.say("set the {lamp} to 40")
    played.at("20:30")
    played.say("turn on the {light}")
    played.at("21:40")
    played.say("set the {lamp} to 70")
    played.at("22:30")
    played.say("turn off the {light}")
    played.at("+1 11:00")

    def answer(text: str) -> object:
        told = played.say(text)
        assert told.status is Status.ANSWERED, text
        return told.answer.value if told.answer is not None else None

    for when in ("at half past nine last night", "at 9 pm yesterday", "yesterday at 21:30", "at ten last night"):
        assert answer(f"was the {{light}} on {when}?") is True, when
    for when in ("at eight last night", "at eleven yesterday evening", "yesterday at 19:00", "at three last night"):
        assert answer(f"was the {{light}} on {when}?") is False, when
    light, lamp = played.place.light.casefold(), played.place.lamp.casefold()
    lit = played.say("which lights were on between eight and nine yesterday evening?").reply.casefold()
    assert light in lit
    assert "from 20:30" in lit
    assert light not in played.say("what was on at four in the morning?").reply.casefold()
    assert answer("what was the brightness of the {lamp} at nine yesterday evening?") == 40
    assert answer("how bright was the {lamp} yesterday at 22:15?") == 70
    early = played.say("what changed between eight and nine yesterday evening?").reply.casefold()
    assert light in early
    assert "21:40" not in early
    later = played.say("what did I do from nine to eleven last night?").reply.casefold()
    assert f"{lamp} (" in later or lamp in later
    assert "20:30" not in later


def test_who_turned_it_on_is_not_who_turned_it_off(played: Played) -> None:
    played.say("turn off the {light}")
    played.say("turn on the {light}")
    played.at("15:30")
    played.say("turn off the {light}", "Kim")
    assert "You did, at 15:00" in played.say("who turned on the {light}?").reply
    assert "Somebody else" in played.say("who turned off the {light}?").reply
