"""How far two rooms lie apart, whichever way it is asked; and a time of day that nobody said."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import Talk

ASKED = [
    "what's the difference in temperature between {} and {}?",
    "{} and {}, what's the difference in temperature between them?",
    "{} against {}, what is the difference in temperature?",
]


def _rooms(talk: Talk) -> list[str]:
    """The names of two rooms with a thermometer."""
    registry, found = talk.engine.registry, []
    for iri, prop in registry.properties.items():
        thing = registry.thing_of[iri]
        if thing.place and any(kind.endswith("#Temperature") for kind in prop.kinds):
            found.append(registry.places[thing.place].name)
    return sorted(set(found))[:2]


@pytest.mark.parametrize("text", ASKED)
def test_a_difference_is_told_as_one_number(house: Talk, text: str) -> None:
    outcome = house.ask(text.format(*_rooms(house)))
    assert outcome.answer is not None
    assert "against" in outcome.answer.text


def test_a_gap_is_a_difference(lab: Talk) -> None:
    outcome = lab.ask("what's the gap in temperature between the lab and the corridor?")
    assert outcome.answer is not None
    assert "against" in outcome.answer.text


@pytest.mark.parametrize("text", ASKED)
def test_in_another_home_too(home: Talk, text: str) -> None:
    outcome = home.ask(text.format(*_rooms(home)))
    assert outcome.answer is not None
    assert "against" in outcome.answer.text


@pytest.mark.parametrize(
    "text",
    [
        "hallway light brightness to one eighty, sorry no, two ten",
        "Let that sunrise in here: open the dining room blind.",
        "I need darkness to fall asleep.",
    ],
)
def test_a_number_or_a_noun_is_no_time_of_day(house: Talk, text: str) -> None:
    assert house.ask(text).status is not Status.SCHEDULED


@pytest.mark.parametrize("text", ["open the dining room blind at sunrise", "turn on the landing light at two ten"])
def test_a_time_of_day_that_is_introduced_is_one(house: Talk, text: str) -> None:
    assert house.ask(text).status is Status.SCHEDULED
