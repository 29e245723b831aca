"""A change is no level, a share counts from its end, a part is of its whole, a mode says which: in several homes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.language.words.dictionary import Dictionary, build
from engine.language.words.lexicon import Role
from engine.language.words.tokens import tokenize
from engine.model.outcome import Status
from tests.dialogue.talks import BEGAN, Talk
from tests.dialogue.test_left_out_by_state import HOMES, Lamps
from tests.homes import a_home


@pytest.mark.parametrize("home", sorted(HOMES))
@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("all lights plus five", 5),
        ("every light another five percent brighter", 5),
        ("I want every light five points lower", -5),
        ("five points less on all the lights", -5),
    ],
)
def test_a_change_is_no_level(homes: dict[str, Lamps], home: str, text: str, by: int) -> None:
    lamps = homes[home]
    before = lamps.begin()
    lamps.talk.ask(text)
    assert {lamp: level for lamp, level in lamps.levels().items() if level != before[lamp] + by} in ({}, before)


@pytest.mark.parametrize("home", sorted(HOMES))
def test_of_is_no_word_for_off(homes: dict[str, Lamps], home: str) -> None:
    lamps = homes[home]
    before = lamps.begin()
    for lamp in before:
        name = lamps.talk.engine.registry.thing_of[lamp].title
        lamps.talk.ask(f"turn up the brightness of the {name} a bit")
    assert all(level >= before[lamp] for lamp, level in lamps.levels().items())


@pytest.mark.parametrize("home", sorted(HOMES))
@pytest.mark.parametrize(
    "text",
    [
        "Whichever lights are off at the moment, be so good as to put them on.",
        "Nobody needs the lights any longer; have them all turned off.",
    ],
)
def test_what_is_meant_now_makes_no_rule(homes: dict[str, Lamps], home: str, text: str) -> None:
    lamps = homes[home]
    lamps.begin()
    assert lamps.ask(text).status is not Status.SCHEDULED


@pytest.mark.parametrize("home", sorted(HOMES))
def test_of_several_classes_all_are_counted(homes: dict[str, Lamps], home: str) -> None:
    talk: Talk = homes[home].talk
    talk.begin()
    asked = [talk.ask(f"how many {kind} are there?") for kind in ("lights", "blinds", "lights and blinds")]
    if all(one.status is Status.ANSWERED and one.answer is not None for one in asked):
        lights, blinds, both = (one.answer.value for one in asked if one.answer is not None)
        assert both == lights + blinds


@pytest.fixture(scope="module")
def words() -> Iterator[Dictionary]:
    with a_home(HOMES["house"], now=BEGAN) as engine:
        yield build(engine.store, engine.registry)


def test_floors_are_called_by_their_numbers(words: Dictionary) -> None:
    with a_home(HOMES["house"], now=BEGAN) as engine:
        floors = {p.floor for p in engine.registry.places.values() if p.floor is not None}
    found = [words.lexicon.at(tokenize(f"level {n}"), 0) for n in floors]
    assert floors
    assert any(e.role is Role.PLACE for matches in found for m in matches for e in m.entries)
