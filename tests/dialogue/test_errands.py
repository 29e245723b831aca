"""What a machine is to work on is named, and how, and no order is given to the machine: it asks for how long. In four
homes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.dialogue.assistant import Consent
from engine.graph.terms import expand
from engine.model.outcome import Status
from tests.dialogue.talks import Talk
from tests.homes import a_home

HERE = Path(__file__).resolve().parents[2]
HOMES = {
    "house": HERE / "data/house.ttl",
    "fern": HERE / "tests/acceptance/parts/three/homes/fern.json",
    "kilbracken": HERE / "tests/acceptance/parts/eight/homes/kilbracken.json",
    "glasgow": HERE / "tests/acceptance/parts/five/homes/glasgow.json",
}
OVEN, COOKING, MODE, TEMPERATURE, TIME = (
    expand(f"hg:{name}") for name in ("Oven", "CookingState", "OvenMode", "OvenTemperature", "CookingTime")
)


@pytest.fixture(scope="module", params=HOMES)
def kitchen(request: pytest.FixtureRequest) -> Iterator[Talk]:
    with a_home(HOMES[request.param]) as engine:
        yield Talk(engine, "")


def _oven(talk: Talk) -> dict[str, object]:
    """What the one oven is set to, by kind."""
    registry = talk.engine.registry
    ovens = [t for t in registry.things.values() if any(OVEN in part.every_class for part in t.parts)]
    kinds = (COOKING, MODE, TEMPERATURE, TIME)
    return {k: talk.engine.state.get(p.iri) for p in ovens[0].properties for k in p.kinds if k in kinds}


@pytest.mark.parametrize(
    "text",
    [
        "I've got potatoes here for the oven, baking, 200",
        "got a pizza, oven at 200, bake it",
        "these rolls want baking, and the oven at 200 would do",
        "could the oven bake the bread at 200?",
        "The dumplings are for the oven; baking, 200.",
        "I promised everyone a cake, so it wants baking in the oven, at two hundred.",
    ],
)
def test_it_asks_for_how_long(kitchen: Talk, text: str) -> None:
    kitchen.begin()
    before = dict(kitchen.engine.state)
    outcome = kitchen.ask(text, conversation=f"urn:test:{text}")
    assert outcome.status is Status.CLARIFY, outcome.reply
    assert outcome.reply == "For how long?"
    assert dict(kitchen.engine.state) == before
    outcome = kitchen.ask("forty minutes", conversation=f"urn:test:{text}", consent=Consent.ALL)
    assert outcome.status is Status.DONE, outcome.reply
    oven = _oven(kitchen)
    assert oven[COOKING] == "cooking"
    assert (oven[MODE], oven[TEMPERATURE], oven[TIME]) == ("bake", 200, 2400)


@pytest.mark.parametrize(
    "text",
    ["bake a cake in the oven at 180 for half an hour", "bake at 180 for 30 minutes in the oven"],
)
def test_a_time_that_is_said_is_an_input(kitchen: Talk, text: str) -> None:
    kitchen.begin()
    outcome = kitchen.ask(text, consent=Consent.ALL)
    assert outcome.status is Status.DONE, outcome.reply
    oven = _oven(kitchen)
    assert (oven[COOKING], oven[TEMPERATURE], oven[TIME]) == ("cooking", 180, 1800)


@pytest.mark.parametrize(
    ("text", "level"),
    [("turn the oven down to 150, the cake is burning", 150), ("set the oven to 180 for the cake", 180)],
)
def test_food_beside_an_order_changes_nothing(kitchen: Talk, text: str, level: int) -> None:
    kitchen.begin()
    outcome = kitchen.ask(text, consent=Consent.ALL)
    assert outcome.status is Status.DONE, outcome.reply
    oven = _oven(kitchen)
    assert oven[TEMPERATURE] == level
    assert oven[COOKING] != "cooking"


@pytest.mark.parametrize(
    "text",
    [
        "is the oven baking the potatoes?",
        "the chicken is done, turn the oven off",
        "we're having pizza tonight, make it cosy",
    ],
)
def test_nothing_is_cooked_unasked(kitchen: Talk, text: str) -> None:
    kitchen.begin()
    kitchen.ask(text, consent=Consent.ALL)
    assert _oven(kitchen)[COOKING] != "cooking"
