"""The context of a signifier: which of the state mattered when it was learnt, and whether that holds now.

Of the whole state a few properties are chosen by the variable that was to change, and kept as SHACL shapes on them;
they are checked compiled, each distinct condition once (the verdict is pyshacl's: a test compares them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from engine.environment.values.inputs import of_kind
from engine.environment.values.quantities import position
from engine.graph.shacl.compile import Check, compile_shape
from engine.graph.shacl.parse import parse
from engine.graph.terms import Json, NamedNode, Quad, Term, expand, literal
from engine.model.signifier import StateCondition
from engine.model.signifier_rdf import shape_triples
from engine.model.thing import Property
from engine.model.vocabulary import Vocabulary
from engine.things.registry import Registry

VALUE = expand("hg:value")
_SHAPE = NamedNode("urn:hearthgraph:condition")
_GRAPH = NamedNode("urn:hearthgraph:conditions")
Comfort = Callable[[str], tuple[float, float]]


class StateData:
    """The state as data for shapes: the values of properties, and of derived conditions (daylight), by IRI."""

    def __init__(self, state: Mapping[str, Json], derived: Mapping[str, Json]) -> None:
        self._state, self._derived = state, derived
        self._terms: dict[str, tuple[Term, ...]] = {}

    def values(self, node: str, path: str) -> tuple[Term, ...]:
        """The value of a property affordance."""
        if path != VALUE:
            return ()
        if node not in self._terms:
            value = self._derived.get(node, self._state.get(node))
            self._terms[node] = () if value is None else (literal(value),)
        return self._terms[node]


_PLAIN = frozenset({str, int, float, bool})


class Checker:
    """Whether conditions hold at one moment; each distinct one is checked once."""

    def __init__(self, state: Mapping[str, Json], derived: Mapping[str, Json]) -> None:
        self._data = StateData(state, derived)
        self._known: dict[tuple[object, ...], bool] = {}

    def holds(self, conditions: Iterable[StateCondition]) -> bool:
        """Whether all of them hold."""
        for condition in conditions:  # a loop, for this is done ten thousand times
            value = condition.value
            kind = value.__class__
            plain = value if kind in _PLAIN else repr(value)
            key = (condition.property, condition.operator, kind, plain)
            known = self._known.get(key)
            if known is None:
                known = not compiled(condition.operator, kind, plain, value)(condition.property, self._data)
                self._known[key] = known
            if not known:
                return False
        return True


class _Unhashed:
    """A value that does not count in a cache's key, where its type and spelling stand already."""

    __slots__ = ("value",)

    def __init__(self, value: Json) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unhashed)

    def __hash__(self) -> int:
        return 0


def compiled(operator: str, kind: type, spelt: object, value: Json) -> Check:
    """The shape of a condition as a closure that takes the property as its focus; compiled once."""
    return _compiled(operator, kind, spelt, _Unhashed(value))


@lru_cache(maxsize=50_000)
def _compiled(operator: str, _: type, __: object, value: _Unhashed) -> Check:
    told = StateCondition("", "urn:hearthgraph:any", operator, value.value)
    quads = [Quad(s, p, o, _GRAPH) for s, p, o in shape_triples(told, _SHAPE)]
    return compile_shape(parse(quads, [_SHAPE.value]), _SHAPE.value)


def chosen(
    acted: Sequence[Property],
    sensors: Sequence[Property],
    before: Mapping[str, Json],
    derived: Mapping[str, Json],
    comfort: Comfort,
    registry: Registry,
) -> tuple[StateCondition, ...]:
    """The conditions of a signifier from the state before: comfort, by the sensors of the variable; the values of the
    properties acted on; and derived and counted values (`derived`), such as that it was bright outside."""
    found = [c for sensor in sensors for c in _comfortable(sensor, before.get(sensor.iri), comfort, registry)]
    found += [c for prop in acted for c in _stood(prop, before.get(prop.iri), registry)]
    found += [StateCondition("", iri, "equals", value) for iri, value in derived.items()]
    return tuple(dict.fromkeys(found))


def _comfortable(sensor: Property, value: Json, comfort: Comfort, registry: Registry) -> Iterator[StateCondition]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    kinds = registry.vocabulary.kinds
    variable = next((kinds[k].measures for k in sorted(sensor.kinds) if k in kinds and kinds[k].measures), None)
    low, high = comfort(variable or "")
    thing = registry.thing_of[sensor.iri].iri
    if value < low:
        yield StateCondition(thing, sensor.iri, "lessThan", low)
    elif value > high:
        yield StateCondition(thing, sensor.iri, "greaterThan", high)
    else:
        yield StateCondition(thing, sensor.iri, "greaterOrEqual", low)
        yield StateCondition(thing, sensor.iri, "lessOrEqual", high)


def _stood(prop: Property, value: Json, registry: Registry) -> Iterator[StateCondition]:
    """A state or an option must be the same; a number on the same side of the middle of its range."""
    if value is None:
        return
    thing = registry.thing_of[prop.iri].iri
    number = isinstance(value, int | float) and not isinstance(value, bool)
    middle = _middle(prop, value, registry.vocabulary) if number else None
    if middle is None:
        if not number and not isinstance(value, list | dict):
            yield StateCondition(thing, prop.iri, "equals", value)
        return
    assert isinstance(value, int | float)
    yield StateCondition(thing, prop.iri, "lessOrEqual" if value <= middle else "greaterThan", middle)


def _middle(prop: Property, value: Json, vocabulary: Vocabulary) -> float | None:
    low, high = prop.schema.minimum, prop.schema.maximum
    if low is None or high is None or position(value, prop, vocabulary) is None:
        return None
    return (low + high) / 2


def is_switch(prop: Property, vocabulary: Vocabulary) -> bool:
    """Whether a property says if something is at work."""
    return of_kind(prop.kinds, expand("hg:Power"), vocabulary)
