"""Occasions that are told in other words than those in which they were spoken of, in three homes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.model.outcome import Status
from tests.memory.playing import Played, playing

NEAR = [
    ("When the baby is put down, I have the {lamp} at 30 percent", "The little one is going down, so do it our way."),
    ("When I do pottery I have the {lamp} at 30 percent", "I'm at my potter's wheel, you know how I like it."),
    ("Whenever my sister Ida calls, I want the {lamp} at 30 percent", "Ida's on the line."),
    ("On snooker nights I have the {lamp} at 30 percent", "Snooker night, chaps!"),
]
FAR = [
    ("When I do pottery I have the {lamp} at 30 percent", "We're out for a walk."),
    ("Whenever my sister Ida calls, I want the {lamp} at 30 percent", "Did Ida call?"),
    ("Whenever my sister Ida calls, I want the {lamp} at 30 percent", "Ida isn't calling today."),
    ("On snooker nights I have the {lamp} at 30 percent", "Nora lost at snooker last night."),
    ("When the baby is put down, I have the {lamp} at 30 percent", "turn on the {light}"),
]


@pytest.fixture(params=["farmhouse", "house", "mill"])
def played(request: pytest.FixtureRequest) -> Iterator[Played]:
    with playing(request.param) as found:
        yield found


@pytest.mark.parametrize(("told", "said"), NEAR)
def test_an_occasion_is_known_by_its_meaning(played: Played, told: str, said: str) -> None:
    assert played.say(told).status is Status.DONE
    outcome = played.say(said)
    assert outcome.status is Status.DONE, outcome.reply
    assert "That is what I was told" in outcome.reply
    assert played.value("{lamp_key}", "Brightness") == 30


@pytest.mark.parametrize(("told", "said"), FAR)
def test_what_is_far_from_it_is_no_such_occasion(played: Played, told: str, said: str) -> None:
    played.say(told)
    before = played.value("{lamp_key}", "Brightness")
    played.say(said)
    assert played.value("{lamp_key}", "Brightness") == before


def test_somebody_else_s_occasion_moves_nothing(played: Played) -> None:
    played.say("When the baby is put down, I have the {lamp} at 30 percent", user="Ada")
    before = played.value("{lamp_key}", "Brightness")
    played.say("The little one is going down, so do it my way.", user="Robin")
    assert played.value("{lamp_key}", "Brightness") == before


def test_of_two_occasions_that_are_as_near_none_is_taken(played: Played) -> None:
    played.say("When the baby is put down, I have the {lamp} at 30 percent")
    played.say("When the baby is laid down, I have the {lamp} at 70 percent")
    before = played.value("{lamp_key}", "Brightness")
    played.say("The little one is going to rest, so do it my way.")
    assert played.value("{lamp_key}", "Brightness") == before
