"""Two people in a room whose wishes differ: who asks decides, and hears that the other has a wish, never which."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.memory.playing import Played, playing

OWN = "the {lamp} how I like it"


@pytest.fixture(params=["farmhouse", "house", "mill"])
def played(request: pytest.FixtureRequest) -> Iterator[Played]:
    with playing(request.param) as found:
        found.say("I usually have the {lamp} at 35 percent", "Robin")
        found.say("I usually have the {lamp} at 75 percent", "Kim")
        found.say("I usually have the {light} on", "Ida")
        yield found


def here(played: Played) -> str:
    return played.place.lamp_room


def test_who_asks_decides_and_is_told_who_else_has_a_wish(played: Played) -> None:
    played.say("is the {lamp} on?", "Kim", here(played))
    played.say("is the {lamp} on?", "Ida", here(played))
    outcome = played.say(OWN, "Robin", here(played))
    assert played.value("{lamp_key}", "Brightness") == 35
    assert "Kim is here, too, and has told how it is liked: who asks decides." in outcome.reply
    assert "75" not in outcome.reply, "what the other told stays theirs"
    assert "Ida" not in outcome.reply, "her wish is of something else"
    again = played.say(OWN, "Kim", here(played))
    assert played.value("{lamp_key}", "Brightness") == 75
    assert "Robin is here, too" in again.reply


@pytest.mark.parametrize("gone", ["I'm leaving now", "elsewhere", "later"])
def test_who_is_not_there_any_more_does_not_count(gone: str, played: Played) -> None:
    played.say("is the {lamp} on?", "Kim", here(played))
    if gone == "later":
        played.at("19:00")
    else:
        at = played.place.light_room if gone == "elsewhere" else here(played)
        played.say("is the {light} on?" if gone == "elsewhere" else gone, "Kim", at)
    assert "Kim" not in played.say(OWN, "Robin", here(played)).reply


def test_what_is_said_in_so_many_words_is_done_without_ado(played: Played) -> None:
    played.say("is the {lamp} on?", "Kim", here(played))
    assert "Kim" not in played.say("set the {lamp} to 50", "Robin", here(played)).reply
    assert "Kim" not in played.say(OWN, "Robin").reply, "nobody knows where they are"


def test_whether_it_differs_is_not_told(played: Played) -> None:
    played.say("is the {lamp} on?", "Kim", here(played))
    differing = played.say(OWN, "Robin", here(played)).reply
    played.say("I usually have the {lamp} at 75 percent", "Robin")
    same = played.say(OWN, "Robin", here(played)).reply
    assert ("Kim is here" in differing, "Kim is here" in same) == (True, True)


def test_a_request_that_was_somebody_elses_is_theirs(played: Played) -> None:
    played.say("set the {lamp} to 55", "Robin")
    assert "Ada" in played.say("that was Ada, not me", "Robin").reply
    assert "Somebody else" in played.say("who set the {lamp}?", "Robin").reply
    assert "You had" not in played.say("what do you know about me?", "Robin").reply
    assert "35 percent" in played.say("what do you know about me?", "Robin").reply, "what was told before stays"
