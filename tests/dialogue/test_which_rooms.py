"""Which rooms have something that is as is said: the answer is rooms, and of how it is nothing is left out."""

from __future__ import annotations

import pytest

from tests.dialogue.talks import Talk

FORMS = [
    "which rooms have {} on?",
    "which rooms have {} that is on?",
    "in which rooms is there {} on?",
    "how many rooms have {} on?",
]


def _rooms(talk: Talk) -> set[str]:
    """The names of the rooms in which a light is on, as the lists of lights tell them."""
    registry = talk.engine.registry
    lit = talk.ask("which lights are on?")
    titles = set(lit.answer.value)
    return {
        registry.places[thing.place].name
        for thing in registry.things.values()
        if thing.place and any(title.startswith(thing.title) for title in titles)
    }


@pytest.mark.parametrize("form", FORMS)
def test_rooms_are_told(house: Talk, form: str) -> None:
    house.ask("turn on the landing light")
    _tells_rooms(house, form.format("a light"))


@pytest.mark.parametrize("form", FORMS)
def test_rooms_of_another_home_are_told(home: Talk, form: str) -> None:
    home["desk-lamp#state"], home["kitchen-light#state"] = "on", "off"
    _tells_rooms(home, form.format("a lamp"))


def _tells_rooms(talk: Talk, text: str) -> None:
    expected = _rooms(talk)
    assert expected
    answer = talk.ask(text).answer
    assert answer is not None
    value = answer.value
    assert (value == len(expected)) if isinstance(value, int) else set(value) == expected, (answer.text, expected)
