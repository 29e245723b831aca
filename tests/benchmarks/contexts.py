"""How long it takes to check the contexts of many signifiers against the state of a home."""

from __future__ import annotations

from datetime import datetime

from engine.experience.context import Checker
from engine.experience.memory import Memory
from engine.experience.recall import implicit
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.model.intent import Category, Intent
from engine.model.selection import Quantity, Select
from engine.model.signifier import Signifier, StateCondition, Wanted
from engine.resources import folder
from tests.benchmarks.figures import Figure, samples

TITLE = "Signifiers whose contexts hold, found among many"
BOUNDS = {"1000 signifiers": 10.0, "10000 signifiers": 40.0}  # milliseconds
CASES = tuple(BOUNDS)
LAB = "http://localhost:8080/workspaces/lab308/artifacts/"
VARIABLE = expand("hg:Illuminance")
DARK = {
    "light308#properties/on_off": "off",
    "light308#properties/brightness": 0,
    "blinds308#properties/closedPercentage": 100,
    "lightSensor308#properties/luminosity": 80,
}


def measure(case: str) -> list[Figure]:
    """The best of five in milliseconds, in the lab of the paper, which is dark."""
    memory = Memory(EmbeddedStore.open(None))
    for one in _signifiers(int(case.split()[0])):
        memory._index(one)
    memory._read = True
    wanted = Intent(
        "urn:i",
        "it is dark",
        Category.IMPLICIT,
        variable=VARIABLE,
        direction=1,
        selection=Select(quantity=Quantity.ALL),
    )
    with Hearthgraph.open(None, now=datetime.fromisoformat("2026-03-02T10:00:00+00:00")) as home:
        home.load([folder("data") / "lab308.ttl"])
        home.state.write({LAB + name: value for name, value in DARK.items()})

        def found() -> object:
            return implicit(wanted, None, memory, home.registry, Checker(home.state, {}), "")

        assert found()
        return [Figure("found", min(samples(found, 5)), "ms", BOUNDS[case])]


def _signifiers(number: int) -> list[Signifier]:
    wanted = Wanted(variable=VARIABLE, direction=1, quantity="all")
    return [
        Signifier(
            iri=f"urn:uuid:{n}",
            text="it is dark",
            affordance=f"{LAB}light308#actions/turn_on",
            implicit=True,
            run=f"urn:run:{n}",
            wanted=wanted,
            conditions=(
                StateCondition("", f"{LAB}light308#properties/on_off", "equals", "off"),
                StateCondition("", f"{LAB}lightSensor308#properties/luminosity", "lessThan", 100 + n % 50),
                StateCondition("", f"{LAB}blinds308#properties/closedPercentage", "greaterThan", n % 101),
            ),
        )
        for n in range(number)
    ]
