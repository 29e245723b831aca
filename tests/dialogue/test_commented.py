"""What is said of those that are told by how they are is a comment, and they are meant by the order behind it: "lights
above 80 percent are a waste, so take them down to 50". Each in four homes."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps
from tests.dialogue.test_words_not_lost import among, rooms


@pytest.mark.parametrize(
    "text",
    [
        "Lights above 60 percent are a waste, so take them down to 50.",
        "The lights that are above 60 percent hurt my eyes. Take them down to 50.",
        "Any lights above 60 percent are a nuisance; bring them down to 50.",
    ],
)
def test_those_that_are_commented_on_are_meant(lamps: Lamps, text: str) -> None:
    before = lamps.begin()
    outcome = lamps.ask(text)
    assert outcome.status is Status.DONE, outcome.reply
    assert lamps.levels() == {lamp: min(level, 50) if level > 60 else level for lamp, level in before.items()}


@pytest.mark.parametrize(
    "text", ["The lights above 60 percent are fine.", "Lights above 60 percent are a waste, my father says."]
)
def test_a_comment_alone_orders_nothing(lamps: Lamps, text: str) -> None:
    before = lamps.begin()
    lamps.ask(text)
    assert lamps.levels() == before
    assert lamps.on() == set(lamps.of)


def test_an_order_in_the_place_of_a_comment_is_none(lamps: Lamps) -> None:
    """ "Should be at 30" is what is wanted, and nothing that is only told."""
    before = lamps.begin()
    lamps.ask("The lights above 60 percent should be at 30.")
    assert lamps.levels() in (before, {lamp: 30 if level > 60 else level for lamp, level in before.items()})


@pytest.mark.parametrize("text", ["I prefer to read.", "I like to sleep in the cold.", "I prefer over you."])
def test_a_liking_of_nothing_that_is_known_breaks_nothing(lamps: Lamps, text: str) -> None:
    lamps.begin()
    assert lamps.ask(text).reply
    assert lamps.on() == set(lamps.of)


def test_the_one_that_is_more_so_is_the_first_of_a_ranking(lamps: Lamps) -> None:
    before = lamps.begin()
    outcome = lamps.ask("Set the lamp that is brighter to 10 percent.")
    assert outcome.status is Status.DONE, outcome.reply
    brightest = max(before, key=lambda lamp: before[lamp])
    assert lamps.levels() == {**before, brightest: 10}


def test_rooms_that_are_compared_with_one_are_not_that_one(lamps: Lamps) -> None:
    for room in rooms(lamps)[:3]:
        lamps.begin()
        outcome = lamps.talk.engine.ask(f"Turn off the lights in rooms that are warmer than the {room}.", consent=True)
        assert outcome.status is not Status.DONE, outcome.reply
        assert among(lamps, room) <= lamps.on()
