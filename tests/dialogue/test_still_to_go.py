"""How far something is from what it is set to: in three homes that have a heater which measures its water, and in one
that has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status
from tests.dialogue.talks import BEGAN
from tests.homes import a_home

HERE = Path(__file__).resolve().parents[1] / "acceptance"
HEATERS = {
    "boiler": HERE / "parts/two/homes/linden.json",
    "hot water": HERE / "parts/three/homes/fern.json",
    "water heater": HERE / "homes/ferry.json",
}
ASKED = [
    "How many degrees has the {} still to go?",
    "how far is the {} from its target?",
    "How many degrees is the {} short of its target?",
    "how much does the {} still have to heat up?",
]


def property_of(engine: Hearthgraph, name: str) -> str:
    """The property of a home's heater that ends so."""
    return next(iri for iri in engine.registry.properties if iri.endswith(name))


def asked(heater: str, text: str, left: float) -> Outcome:
    """What is answered in a home whose water is so many degrees colder than wanted."""
    with a_home(HEATERS[heater], now=BEGAN) as engine:
        wanted = engine.state[property_of(engine, "target_water_temperature")]
        assert isinstance(wanted, int | float)
        engine.state.write({property_of(engine, "current_water_temperature"): wanted - left})
        return engine.ask(text.format(heater))


@pytest.mark.parametrize("heater", sorted(HEATERS))
@pytest.mark.parametrize("text", ASKED)
@pytest.mark.parametrize("left", [7, 0])
def test_the_degrees_that_are_missing_are_told(heater: str, text: str, left: int) -> None:
    outcome = asked(heater, text, left)
    assert outcome.status is Status.ANSWERED, outcome.reply
    assert outcome.answer is not None
    assert outcome.answer.value == left, outcome.reply


@pytest.mark.parametrize("heater", sorted(HEATERS))
def test_water_that_is_hotter_than_wanted_has_nothing_to_go(heater: str) -> None:
    outcome = asked(heater, ASKED[0], -3)
    assert outcome.answer is not None
    assert outcome.answer.value == 0, outcome.reply


def test_a_target_in_another_unit_tells_no_distance() -> None:
    """The purifier's fan is set in steps, and its dust measured in micrograms."""
    with a_home(now=BEGAN) as engine:
        outcome = engine.ask("how far is the air purifier from its target?")
        assert outcome.status is not Status.DONE
        assert outcome.answer is None or not isinstance(outcome.answer.value, int | float), outcome.reply
