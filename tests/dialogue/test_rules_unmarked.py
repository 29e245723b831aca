"""Conditions that no "if" marks, and clauses that are none: what is told of now is no rule, what may come about acts at
no time but then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dialogue.talks import BEGAN, Talk
from tests.homes import a_home

MILL = "https://mill.example/things/"
HOMES = Path(__file__).parents[1] / "acceptance" / "homes"


@pytest.fixture(scope="module")
def _mill() -> Iterator[Talk]:
    with a_home(HOMES / "mill.ttl", now=BEGAN) as engine:
        yield Talk(engine, MILL)


@pytest.fixture
def mill(_mill: Talk) -> Talk:
    _mill.begin()
    return _mill


@pytest.mark.parametrize(
    "text",
    [
        "Somebody is in the study, turn on the desk lamp.",
        "The hallway light is on, turn it off.",
        "It's dark in the study, turn on the desk lamp.",
        "Turn off the desk lamp, and open the study blinds.",
        "Desk lamp on, study blinds to 30.",
        "I like the desk lamp at 40 percent.",
        "Is anybody in the study? Turn on the desk lamp.",
    ],
)
def test_what_is_so_now_makes_no_rule(house: Talk, text: str) -> None:
    house.ask(text)
    assert house.engine.rules.rules() == ()


@pytest.mark.parametrize(
    "text",
    [
        "Anyone enters the shed, desk lamp on.",
        "On arrival of the mail, desk lamp on.",
        "No movement in the treehouse for ten minutes, turn off the kitchen light.",
        "Nobody in the zeppelin, turn the hallway light off.",
    ],
)
def test_what_nobody_can_tell_is_not_done_now_either(house: Talk, text: str) -> None:
    house.engine.ask(text)
    assert house.changed() == {}


@pytest.mark.parametrize(
    ("text", "sets"),
    [
        ("Tumble dryer finishes, utility room light off.", {"utility-light"}),
        ("No sign of life in the guest suite for an hour: guest lamp off", {"guest-lamp"}),
        ("Opening of the kitchen window should stop the kitchen speaker.", {"kitchen-speaker"}),
        ("Kitchen over 24 degrees and someone in it, open the blind", {"kitchen-blind"}),
        ("Upon anyone's entering the library, the writing lamp goes on.", {"writing-lamp"}),
        ("At 8 tonight, kitchen and dining room blinds closed", {"kitchen-blind", "dining-room-blind"}),
        ("I never hear the dryer, so once it has finished turn on the utility room light", {"utility-light"}),
        ("When the sitting room is empty for an hour the fan light goes off. Light and fan, both.", {"sitting-fan"}),
    ],
)
def test_another_home_understands_as_much(mill: Talk, text: str, sets: set[str]) -> None:
    mill.ask(text)
    [entry] = mill.engine.rules.rules()
    assert {iri.removeprefix(MILL).partition("#")[0] for iri, _ in entry.does} == sets
    assert mill.changed() == {}


@pytest.mark.parametrize(
    ("text", "sets"),
    [
        ("If anybody trips the landing motion sensor turn on the landing light.", {"landing-light"}),
        ("Should anyone open the kitchen window the kitchen speaker stops.", {"kitchen-speaker"}),
        ("Check the back door at ten every night. Still unlocked, lock it.", {"back-door"}),
        ("Threshold for the library: temperature below 18. Response: library heater on.", {"library-heater"}),
        ("If the brightness of the hall light goes over 50 percent turn off the nook lamp", {"nook-lamp"}),
    ],
)
def test_sensors_that_see_and_things_that_are_opened_are_told_apart(mill: Talk, text: str, sets: set[str]) -> None:
    mill.ask(text)
    [entry] = mill.engine.rules.rules()
    assert {iri.removeprefix(MILL).partition("#")[0] for iri, _ in entry.does} == sets
    assert mill.changed() == {}
