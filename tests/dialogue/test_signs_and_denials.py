"""Which way something goes, and what is not to be done: shares from the closed end, words of an end, what is denied or
left alone, rankings by a named property, another value that nobody named, the words and spellings of many Englishes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.language.words.lexicon import Entry, Lexicon, Role
from engine.model.outcome import Status
from tests.dialogue.talks import BEGAN, Talk
from tests.homes import several

TESTS = Path(__file__).parents[1]
PARTS = TESTS / "acceptance" / "parts"
HOMES = {
    "house": TESTS.parent / "data" / "house.ttl",
    "flat": TESTS / "acceptance" / "homes" / "flat.ttl",
    "cape": PARTS / "eight" / "homes" / "plattekloof.json",
    "castle": PARTS / "eight" / "homes" / "kilbracken.json",
    "farm": PARTS / "five" / "homes" / "iowa.json",
    "fjord": PARTS / "two" / "homes" / "fjord.json",
    "boat": PARTS / "three" / "homes" / "canal.json",
}


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Talk]]:
    with several(HOMES, now=BEGAN) as engines:
        yield {name: Talk(engine, "") for name, engine in engines.items()}


def asked(homes: dict[str, Talk], home: str, text: str) -> tuple[Any, dict[str, Any]]:
    """What comes of a text, and the last parts of what it changed, with their values."""
    talk = homes[home]
    talk.begin()
    outcome = talk.ask(text)
    return outcome, {str(name).rpartition("#")[2].rpartition("/")[2]: value for name, value in talk.changed().items()}


@pytest.mark.parametrize(
    ("home", "text", "property_", "value"),
    [
        ("cape", "sheers 75 percent closed", "position", 25),
        ("cape", "sheers three quarters closed", "position", 25),
        ("cape", "set the sheers to 75 percent closed", "position", 25),
        ("cape", "close the sheers 30 percent", "position", 70),
        ("cape", "close the sheers to 30 percent", "position", 30),
        ("cape", "open the sheers a quarter", "position", 25),
        ("cape", "close the sheers full", "position", 0),
        ("flat", "close the drapes by three quarters", "position", 25),
        ("house", "dining room blind three quarters closed", "closed_percentage", 75),
        ("house", "close the dining room blind to 20 percent", "closed_percentage", 80),
        ("flat", "blinds up, curtains shut", "position", 0),
        ("cape", "beam light up", "brightness", 90),
    ],
)
def test_how_far_something_opens_is_counted_from_the_end_that_is_said(
    homes: dict[str, Talk], home: str, text: str, property_: str, value: float
) -> None:
    outcome, changed = asked(homes, home, text)
    assert outcome.status is Status.DONE, outcome.reply
    assert changed[property_] == pytest.approx(value)


def test_blinds_that_go_up_are_open_and_a_bit_is_a_step(homes: dict[str, Talk]) -> None:
    talk = homes["flat"]
    talk.begin()
    talk.engine.ask("blinds up, curtains shut", consent=True)
    changed = {str(name): value for name, value in talk.changed().items()}
    assert next(value for name, value in changed.items() if "roller-blinds" in name) == 100
    talk.begin()
    talk.engine.ask("blinds up a bit", consent=True)
    assert next(value for name, value in talk.changed().items() if "roller-blinds" in str(name)) == 20


@pytest.mark.parametrize(
    ("home", "text", "unwanted"),
    [
        ("fjord", "pillar fan on top speed, and without swinging", {"oscillation_enabled": True}),
        ("fjord", "start the pillar fan, not swinging", {"oscillation_enabled": True}),
        ("fjord", "get the pillar fan going without it swinging", {"oscillation_enabled": True}),
        ("house", "start the washing machine without spinning", {"work_state": "spinning"}),
    ],
)
def test_what_is_denied_is_never_done(
    homes: dict[str, Talk], home: str, text: str, unwanted: dict[str, object]
) -> None:
    _, changed = asked(homes, home, text)
    assert not set(unwanted.items()) & {(name, value) for name, value in changed.items() if value.__hash__}


@pytest.mark.parametrize(
    ("home", "text", "spared"),
    [
        ("house", "All lights off, please, apart from the kitchen", "kitchen-light"),
        ("house", "turn off all lights other than the hallway", "hallway-light"),
        ("house", "All lights off, bar the kitchen one", "kitchen-light"),
    ],
)
def test_what_is_left_alone_stays_as_it_is(homes: dict[str, Talk], home: str, text: str, spared: str) -> None:
    talk = homes[home]
    talk.begin()
    outcome = talk.engine.ask(text, consent=True)
    if outcome.reason == "not_sure" and outcome.plan is not None:
        talk.engine.assistant.consent(outcome.plan.iri)
    assert not any(spared in str(name) for name in talk.changed())


@pytest.mark.parametrize(
    ("home", "text", "named"),
    [
        ("farm", "Which lock has the weakest battery?", "shed lock"),
        ("farm", "Which lock has the lowest battery?", "shed lock"),
        ("farm", "which lock has the strongest battery?", "bunkhouse lock"),
        ("castle", "How many doors are unlocked?", "2"),
        ("castle", "Which water boilers have been left off?", "Rose boiler"),
    ],
)
def test_a_ranking_heeds_its_direction_and_a_door_may_be_its_lock(
    homes: dict[str, Talk], home: str, text: str, named: str
) -> None:
    outcome, _ = asked(homes, home, text)
    assert outcome.status is Status.ANSWERED
    assert named in outcome.reply


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("boat", "Another colour for the LED tape, I'm bored with this one."),
        ("fjord", "I want a different wind mode on the blue room fan."),
        ("cape", "Thandi's orb in another colour, please"),
    ],
)
def test_another_value_that_nobody_named_is_asked_for(homes: dict[str, Talk], home: str, text: str) -> None:
    outcome, changed = asked(homes, home, text)
    assert (outcome.status, changed) == (Status.CLARIFY, {})


@pytest.mark.parametrize(
    ("home", "text", "property_", "value"),
    [
        ("house", "put oot the hallway licht, pal", "state", "off"),
        ("house", "turn aff the hallway light pls", "state", "off"),
        ("house", "set the hallway light to twenny", "brightness", 20),
        ("cape", "yo thandis orb blu pls fam", "color", "blue"),
        ("boat", "cooling unit twenny three an a half degrees ok go", "target_temperature", 23.5),
    ],
)
def test_the_spellings_of_many_englishes_are_read(
    homes: dict[str, Talk], home: str, text: str, property_: str, value: object
) -> None:
    _, changed = asked(homes, home, text)
    assert changed.get(property_) == value


def test_a_word_that_is_part_of_a_name_is_never_respelt() -> None:
    known = Lexicon()
    known.add("Wee Lamp Oan", Entry(Role.THING, "urn:x"))
    known.respell("oan", "on")
    known.respell("aff", "off")
    assert known.written == {"aff": ("off",)}
