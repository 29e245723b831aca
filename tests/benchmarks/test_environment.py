"""How long retrieval, effects and state take, at the sizes that the design names (make bench)."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median
from typing import Any

import pytest

from engine.environment.clock import SimulatedClock
from engine.environment.effects import assign, payload_for
from engine.environment.retrieval import candidates
from engine.environment.state import State
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import NamedNode
from engine.model.intent import Amount, Intent, Measure
from engine.model.request_rdf import intent_quads
from engine.model.selection import Select
from engine.things.registry import Registry
from tests.benchmarks.homes import HOME, synthetic_home
from tests.environment.examples import BRIGHTNESS, PERCENT, hg

LIMIT = 0.001  # seconds at the median, for 10,000 devices where a room is given (DESIGN, Numbers to design for)
BUSY = 3  # times as long as on an idle machine
NOON = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def big() -> Registry:
    """10,000 devices in a store."""
    registry = Registry(EmbeddedStore.open(None))
    registry.put(*synthetic_home(10_000))
    return registry


def an_intent(registry: Registry, name: str, *, command: str | None = None, kind: str | None = None) -> NamedNode:
    select = Select(classes=(hg("Light"),), places=(f"{HOME}places/room500",))
    intent = Intent(
        f"urn:intent:{name}", "", selection=select, command=command and hg(command), property=kind and hg(kind)
    )
    registry.store.write(insert=intent_quads(intent))
    return NamedNode(intent.iri)


def test_retrieval_in_a_room_of_a_home_of_ten_thousand_devices(benchmark: Any, big: Registry) -> None:
    intent = an_intent(big, "command", command="TurnOn")
    assert len(benchmark(lambda: candidates(big.store, intent))) == 2
    assert typical(lambda: candidates(big.store, intent)) <= BUSY * LIMIT


def test_retrieval_by_effect_takes_little_longer(benchmark: Any, big: Registry) -> None:
    intent = an_intent(big, "kind", kind="Brightness")
    assert len(benchmark(lambda: candidates(big.store, intent))) == 1
    assert typical(lambda: candidates(big.store, intent)) <= BUSY * 2 * LIMIT


def test_a_value_is_written_without_regard_to_how_many_there_are(benchmark: Any, big: Registry) -> None:
    state = State(big.store, big, SimulatedClock(NOON))
    values = iter(range(10**9))
    prop = next(one for one in big.properties.values() if one.schema.type == "number")
    benchmark(lambda: state.write({prop.iri: next(values)}))


def test_a_payload_and_its_effects(benchmark: Any) -> None:
    registry = Registry(EmbeddedStore.open(None))
    registry.put(*synthetic_home(1))
    (thing,) = registry.things.values()
    action = next(one for one in thing.actions if one.name == "set_brightness")
    goal = {BRIGHTNESS: Amount(Measure.NUMBER, 40, PERCENT)}

    def both() -> object:
        payload = payload_for(action, thing, goal, {}, registry.vocabulary)
        return assign(action, payload, thing, {}, registry.vocabulary)

    after = benchmark(both)
    assert list(after.values()) in (["on", 40], [40, "on"])


def typical(call: Callable[[], object], times: int = 50) -> float:
    """The median of so many calls, in seconds."""

    def once() -> float:
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    return median(once() for _ in range(times))
