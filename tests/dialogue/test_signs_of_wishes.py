"""Which way a wish goes: complained of, wanted, denied, or one of several left open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import BEGAN, Talk
from tests.homes import a_home

WARMER, COOLER = 1, -1


@pytest.fixture(scope="module")
def _home() -> Iterator[Talk]:
    with a_home(now=BEGAN) as engine:
        yield Talk(engine, "http://house.example/things/")


@pytest.fixture
def home(_home: Talk) -> Talk:
    _home.begin()
    return _home


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("it's so cold in the study", WARMER),
        ("make it not so cold in the study", WARMER),
        ("it's not warm in the study", WARMER),
        ("make it not too warm in the study", COOLER),
        ("it's too warm in the study", COOLER),
    ],
)
def test_a_wish_goes_the_way_that_it_is_said(home: Talk, text: str, way: int) -> None:
    home["study-heater#state"], home["study-heater#target_temperature"] = "on", 20
    home.ask(text)
    assert (home["study-heater#target_temperature"] - 20) * way > 0


@pytest.mark.parametrize(
    "text", ["it's not cold in the study", "it is not dark in the study", "it's not so dark in the study"]
)
def test_what_nobody_misses_is_not_done(home: Talk, text: str) -> None:
    assert home.ask(text).status is Status.REFUSED
    assert home.changed() == {}


@pytest.mark.parametrize(
    "text",
    [
        "not so bright in the living room please",
        "make the living room not so bright",
        "get the living room as dark as a cave",
        "I want the living room black as night",
    ],
)
def test_what_shall_be_darker_is_never_made_brighter(home: Talk, text: str) -> None:
    before = home["living-room-light-sensor#illuminance"]
    home.ask(text)
    assert home["living-room-light-sensor#illuminance"] <= before


@pytest.mark.parametrize(
    "text", ["turn on one of the lights in the master bedroom", "close one of the blinds", "switch off one of our fans"]
)
def test_one_of_several_is_never_all(home: Talk, text: str) -> None:
    home.ask(text)
    assert len({path.partition("#")[0] for path in home.changed()}) <= 1


def test_a_value_of_one_property_is_none_of_another(home: Talk) -> None:
    home.ask("every lamp and strip we own, on, at its full brightness")
    assert 0 not in [value for path, value in home.changed().items() if path.endswith("brightness")]
