"""A house with rules made straight from the model: short ways to say what a rule means, and to look at what it did."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from engine import settings
from engine.dialogue.requests.request import Request
from engine.environment.clock import SimulatedClock
from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph, new_iri
from engine.model.intent import Amount, Category, Intent, Measure, Operation
from engine.model.outcome import Outcome
from engine.model.rule import Becomes, Fact, Holds, Rule, Trigger
from engine.model.selection import Comparison, Condition, Quantity, Select, Test
from engine.resources import folder
from engine.rules.book import Firing

THINGS, PLACES = "http://house.example/things/", "http://house.example/"
BEGAN = datetime.fromisoformat("2026-03-02T06:00:00+01:00")  # a Monday


_KEPT: list[tuple[Hearthgraph, int, dict[str, Any]]] = []


def house(store: GraphStore | None = None, now: datetime = BEGAN) -> Hearthgraph:
    """The house of `data/` as in its file, with no rules. Loaded once, and again where a test changed what is in it."""
    if store is not None:
        return _loaded(store, now)
    if _KEPT and _KEPT[0][0].store.generation != _KEPT[0][1]:
        _KEPT.clear()
    if not _KEPT:
        engine = _loaded(EmbeddedStore.open(None), now)
        _KEPT.append((engine, engine.store.generation, engine.state.snapshot()))
    engine, _, initial = _KEPT[0]
    engine.state.refresh()
    engine.rules.reopen()
    engine.rules.clear()
    assert isinstance(engine.clock, SimulatedClock)
    engine.clock.set(now)
    engine.state.write({iri: initial.get(iri) for iri in {*engine.state, *initial}})
    engine.rules.clear()
    return engine


def _loaded(store: GraphStore, now: datetime) -> Hearthgraph:
    engine = Hearthgraph(store, SimulatedClock(now), settings.load())
    if not engine.registry.things:
        engine.load([folder("data") / "house.ttl"])
    return engine


def turn(thing: str, on: bool = True) -> Intent:
    """Turn a thing on, or off."""
    return Intent(
        "urn:x",
        f"turn {thing} {'on' if on else 'off'}",
        Category.EXPLICIT,
        Operation.SET,
        Select(things=(THINGS + thing,), quantity=Quantity.ALL),
        expand("hg:TurnOn" if on else "hg:TurnOff"),
    )


def truth(kind: str, value: bool = True) -> Test:
    """That a property of a kind is true."""
    return Test((Condition(expand(kind), Comparison.IS, Amount(Measure.TRUTH, value)),))


def above(kind: str, number: float) -> Test:
    """That a property of a kind is more than a number."""
    return Test((Condition(expand(kind), Comparison.ABOVE, Amount(Measure.NUMBER, number)),))


def is_on(thing: str, seconds: float = 0.0, holds: Holds = Holds.ANY) -> Fact:
    """That a thing is on, for so long."""
    return Fact(Select(things=(THINGS + thing,)), (truth("hg:Power"),), holds, seconds)


def when(*facts: Fact) -> Becomes:
    """The facts turn true together."""
    return Becomes(facts)


def make(engine: Hearthgraph, trigger: Trigger, *actions: Intent, **more: Any) -> Outcome:
    """What came of making a rule."""
    text = more.pop("text", "a rule")
    rule = Rule(text, (trigger,), actions or (turn("desk-lamp"),), **more)
    iri = new_iri()
    intent = Intent(f"{iri}/intent-1", text, Category.RULE, Operation.MAKE, rule=rule)
    outcome = engine.assistant.intend(Request(text, iri), [intent])
    engine.rules.attend()
    return outcome


def put(engine: Hearthgraph, path: str, value: Any) -> None:
    """`desk-lamp#state` gets a value, and the rules hear of it."""
    thing, _, name = path.partition("#")
    engine.state.write({f"{THINGS}{thing}#properties/{name}": value})
    engine.rules.attend()


def value(engine: Hearthgraph, path: str) -> Any:
    """The value of `desk-lamp#state`."""
    thing, _, name = path.partition("#")
    return engine.state.get(f"{THINGS}{thing}#properties/{name}")


def firings(engine: Hearthgraph) -> list[Firing]:
    """What fired, in the order of time."""
    return sorted(engine.rules.book.firings.values(), key=lambda one: one.due)
