"""A whole house to talk to, and the lab of the paper: loaded once, and put back to their beginning for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine import settings
from engine.environment.clock import SimulatedClock
from engine.graph.remote.store import RemoteStore
from engine.graph.store import GraphStore
from engine.hearthgraph import Hearthgraph
from engine.resources import folder
from tests.dialogue.talks import BEGAN, Talk
from tests.dialogue.test_left_out_by_state import HOMES, Lamps
from tests.homes import a_home, several
from tests.stores import Servers, parametrize


def home_on(store: GraphStore, home: str) -> Hearthgraph:
    """A home of `data/` in a store of the session's, or in memory where that is none on a server."""
    return engine_on(store, home) if isinstance(store, RemoteStore) else a_home(home, now=BEGAN)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A module that talks to one house all through, on several stores, names them in HOUSES."""
    parametrize(metafunc, "_house", "HOUSES")


def engine_on(store: GraphStore, home: str) -> Hearthgraph:
    """A home of `data/` in a store."""
    engine = Hearthgraph(store, SimulatedClock(BEGAN), settings.load())
    engine.load([folder("data") / home])
    return engine


@pytest.fixture(scope="session")
def _house(request: pytest.FixtureRequest, servers: Servers) -> Iterator[Talk]:
    store = servers.fresh(getattr(request, "param", "memory"))
    yield Talk(home_on(store, "house.ttl"), "http://house.example/things/")
    if not isinstance(store, RemoteStore):
        store.close()


@pytest.fixture
def house(_house: Talk) -> Talk:
    _house.begin()
    return _house


@pytest.fixture(scope="module")
def _home() -> Iterator[Talk]:
    with a_home(now=BEGAN) as engine:
        yield Talk(engine, "http://house.example/things/")


@pytest.fixture
def home(_home: Talk) -> Talk:
    _home.begin()
    return _home


@pytest.fixture
def new_house(fresh_store: GraphStore) -> Talk:
    """A house of its own, for tests that load, restore or look at all that was journalled."""
    return Talk(home_on(fresh_store, "house.ttl"), "http://house.example/things/")


@pytest.fixture
def lab(fresh_store: GraphStore) -> Talk:
    return Talk(home_on(fresh_store, "lab308.ttl"), "http://localhost:8080/workspaces/lab308/artifacts/")


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Lamps]]:
    with several(HOMES, now=BEGAN) as engines:
        yield {name: Lamps(engine) for name, engine in engines.items()}


@pytest.fixture(params=HOMES)
def lamps(request: pytest.FixtureRequest, homes: dict[str, Lamps]) -> Lamps:
    return homes[request.param]
