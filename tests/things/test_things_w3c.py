"""What we write of things passes W3C's own shapes."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import parse

from engine.graph.shacl.door import Door
from engine.graph.terms import Quad
from engine.model.thing_rdf import describe
from engine.resources import folder
from engine.things import door
from tests.benchmarks.homes import synthetic_home
from tests.things.descriptions import open_registry


@pytest.fixture(scope="module")
def w3c(request: pytest.FixtureRequest) -> Door:
    shapes = Path(__file__).resolve().parents[3] / "shared" / "w3c" / "td-validation.ttl"
    if not shapes.is_file():
        pytest.skip("no folder ../shared beside the checkout, which holds W3C's shapes")
    return Door(quad.triple for quad in parse(path=str(shapes)))


def faults(w3c: Door, quads: list[Quad]) -> list[str]:
    return [f"{v.node} {v.path} {v.message}" for v in w3c.check(quads)]


@pytest.mark.parametrize("home", ["lab308", "home17"])
def test_what_a_home_becomes_in_the_store_passes_the_shapes_of_w3c(w3c: Door, home: str) -> None:
    registry = open_registry()
    door.load(registry.store, [folder("data") / f"{home}.ttl"], registry=registry)
    for thing in registry.things.values():
        assert faults(w3c, describe(thing)) == []


def test_a_thing_that_was_made_by_the_engine_passes_the_shapes_of_w3c(w3c: Door) -> None:
    things, _ = synthetic_home(9)
    assert faults(w3c, [quad for thing in things for quad in describe(thing)]) == []
