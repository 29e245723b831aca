"""Facts compiled for one home: which properties can change whether they are so, and a closure that says whether.

A selection by classes, things and places is looked up once; its tests become comparisons of single properties. What
selects by rooms, order or comparison of two places is asked of the store whenever a property of its kinds changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from engine.environment.comparisons import comparisons
from engine.environment.scopes import scopes_of
from engine.environment.selection import Selector
from engine.environment.values.schemas import equal, is_number
from engine.graph.store import GraphStore
from engine.graph.terms import Json, expand
from engine.model.rule import Fact, Holds
from engine.model.selection import Condition, Select, Test
from engine.things.registry import Registry

SENSOR = expand("hg:Sensor")
Values = Mapping[str, Json]
_COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "above": float.__gt__,
    "at_least": float.__ge__,
    "below": float.__lt__,
    "at_most": float.__le__,
}
OPPOSITE = {"above": "at_most", "at_least": "below", "below": "at_least", "at_most": "above"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """That one property compares so: `slot` is above, at_least, below, at_most, equal, value or known."""

    property: str
    slot: str
    bound: Json

    def holds(self, values: Values) -> bool | None:
        """Whether it is so; None where the value is not known."""
        value = values.get(self.property)
        if value is None:
            return None
        if self.slot in _COMPARED:
            return is_number(value) and _COMPARED[self.slot](float(value), float(self.bound))  # type: ignore[arg-type]
        return self.slot == "known" or equal(value, self.bound)


@dataclass(frozen=True, slots=True)
class PartTest:
    """Any of the comparisons holds of a part; `negated`: none does, and something is known."""

    any: tuple[Comparison, ...]
    negated: bool = False

    def holds(self, values: Values) -> bool | None:
        """Whether it is so; None where nothing is known."""
        found = [one.holds(values) for one in self.any]
        if any(found):
            return not self.negated
        return None if all(one is None for one in found) else self.negated


@dataclass(frozen=True, slots=True)
class Watch:
    """A fact compiled: the properties it depends on, and for each part that is meant the tests of it. `slow` is asked
    instead where there is no such list."""

    fact: Fact
    properties: frozenset[str]
    parts: tuple[tuple[PartTest, ...], ...] = ()
    slow: Callable[[], bool | None] | None = None

    def holds(self, values: Values) -> bool | None:
        """Whether the fact is so, however long; None where nobody can tell."""
        if self.slow is not None:
            return self.slow()
        told = [one for part in self.parts if (one := _all(part, values)) is not None]
        if not told:
            return None
        if self.fact.holds is Holds.EVERY:
            return all(told)
        return any(told) is not (self.fact.holds is Holds.NONE)


def _all(tests: Iterable[PartTest], values: Values) -> bool | None:
    found = [test.holds(values) for test in tests]
    if any(one is False for one in found):
        return False
    return None if any(one is None for one in found) else True


def compiled(fact: Fact, store: GraphStore, registry: Registry) -> Watch:
    """The watch of a fact on the home as it is now. It watches nothing where nothing here could be so."""
    select = fact.selection
    plain = not (select.rooms or select.minus or select.order or select.limit or select.share)
    of_parts = any(c.of for test in (*select.tests, *fact.tests) for c in test.conditions)
    if fact.versus is not None or not plain or of_parts or (select.tests and fact.holds is Holds.EVERY):
        return _slow(fact, store, registry)
    tests = (*select.tests, *fact.tests)
    scope = _scope(select, tests, store, registry)
    parts = tuple(found for part in scope if (found := tuple(_tests(part, tests, store, registry))))
    parts = tuple(part for part in parts if len(part) == len(tests) and all(test.any for test in part))
    properties = frozenset(one.property for part in parts for test in part for one in test.any)
    return Watch(fact, properties, tuple(dict.fromkeys(parts)))


def _scope(select: Select, tests: Iterable[Test], store: GraphStore, registry: Registry) -> tuple[str, ...]:
    """The parts that are meant; of what is measured in a place the sensors directly there, as far as there are any."""
    found = Selector(store, registry).select(Select(select.classes, select.things, select.places))
    if select.classes or select.things:
        return found
    kinds = [c.kind for test in tests for c in test.conditions]
    having = [part for part in found if any(_properties(part, kind, store, registry) for kind in kinds)]
    direct = [part for part in having if registry.thing_of[part].place in select.places]
    nearest = direct or having
    return tuple([p for p in nearest if _is_sensor(p, registry)] or nearest)


def _is_sensor(part: str, registry: Registry) -> bool:
    found = registry.parts.get(part)
    classes = found.every_class if found is not None else ()
    return any(registry.vocabulary.is_a(one, SENSOR) for one in classes)


def _properties(part: str, kind: str, store: GraphStore, registry: Registry) -> list[str]:
    scope = frozenset((part,))
    return [prop for scale in scopes_of(store).scales(kind, registry) for prop in scale.within(scope)]


def _tests(part: str, tests: Iterable[Test], store: GraphStore, registry: Registry) -> Iterator[PartTest]:
    for test in tests:
        found = [one for condition in test.conditions for one in _compared(part, condition, store, registry)]
        yield PartTest(tuple(dict.fromkeys(found)), test.negated)


def _compared(part: str, condition: Condition, store: GraphStore, registry: Registry) -> Iterator[Comparison]:
    scope = frozenset((part,))
    for scale in scopes_of(store).scales(condition.kind, registry):
        for prop in scale.within(scope):
            for slot, bound in comparisons(condition, scale.example, registry):
                yield Comparison(prop, slot, bound)


def _slow(fact: Fact, store: GraphStore, registry: Registry) -> Watch:
    kinds = set(_kinds(fact.selection)) | {c.kind for test in fact.tests for c in test.conditions}
    kinds |= {fact.kind} if fact.kind else set()
    watched = {prop for kind in kinds for scale in scopes_of(store).scales(kind, registry) for prop in scale.members}
    return Watch(fact, frozenset(watched), slow=lambda: asked(fact, store, registry))


def _kinds(select: Select) -> Iterator[str]:
    yield from (c.kind for test in select.tests for c in test.conditions)
    if select.order:
        yield select.order
    for rooms in select.rooms:
        yield from _kinds(rooms.has)
        yield from [rooms.order] if rooms.order else []
    for minus in select.minus:
        yield from _kinds(minus)


def asked(fact: Fact, store: GraphStore, registry: Registry) -> bool | None:
    """Whether a fact is so, as the store has it; None where nobody can tell."""
    selector = Selector(store, registry)
    if fact.versus is not None:
        return _more(fact, selector)
    scope = selector.select(fact.selection)
    if not fact.tests:
        found = scope
    else:
        known = Test(tuple(c.known for test in fact.tests for c in test.conditions))
        scope = selector.select(replace(fact.selection, tests=(*fact.selection.tests, known)))
        found = selector.select(replace(fact.selection, tests=(*fact.selection.tests, *fact.tests)))
        if not scope:
            return None
    if fact.holds is Holds.EVERY:
        return bool(scope) and len(found) == len(scope)
    return bool(found) is not (fact.holds is Holds.NONE)


def _more(fact: Fact, selector: Selector) -> bool | None:
    assert fact.versus is not None
    levels = []
    for select in (fact.selection, fact.versus):
        found = [level for _, _, level in selector.levels(select, fact.kind or "")]
        if not found:
            return None
        levels.append(sum(found) / len(found))
    return (levels[0] - levels[1]) * fact.direction > 0
