"""A whole house to talk to, and the lab of the paper: loaded once, and put back to their beginning for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.hearthgraph import Hearthgraph
from engine.resources import folder
from tests.dialogue.talks import BEGAN, Talk


@pytest.fixture(scope="session")
def _house() -> Iterator[Talk]:
    with Hearthgraph.open(None, now=BEGAN) as engine:
        engine.load([folder("data") / "house.ttl"])
        yield Talk(engine, "http://house.example/things/")


@pytest.fixture
def house(_house: Talk) -> Talk:
    _house.begin()
    return _house


@pytest.fixture
def new_house() -> Iterator[Talk]:
    """A house of its own, for tests that load, restore or look at all that was journalled."""
    with Hearthgraph.open(None, now=BEGAN) as engine:
        engine.load([folder("data") / "house.ttl"])
        yield Talk(engine, "http://house.example/things/")


@pytest.fixture
def lab() -> Iterator[Talk]:
    with Hearthgraph.open(None, now=BEGAN) as engine:
        engine.load([folder("data") / "lab308.ttl"])
        yield Talk(engine, "http://localhost:8080/workspaces/lab308/artifacts/")
