"""Whether a condition of an influence holds: it is daylight, the air conditioner is cooling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import cast

from engine.environment.effects import constant
from engine.environment.values.inputs import of_kind
from engine.environment.values.quantities import realise_on, same, truth
from engine.environment.values.scales import scale_of
from engine.errors import ValueFault
from engine.graph.shacl.compile import Check, compile_shape
from engine.graph.shacl.parse import parse
from engine.graph.store import GraphStore
from engine.graph.terms import Json, Literal, NamedNode, Term, expand, node, python
from engine.model.thing import Property
from engine.model.vocabulary import Vocabulary

TIME_OF_DAY = expand("hg:timeOfDay")


@dataclass(frozen=True, slots=True)
class Condition:
    """A time of day (`start` to `end`, over midnight if it ends before it starts), states by kind, and a shape on
    properties of the moment (`hg:timeOfDay`): all must hold."""

    iri: str
    start: time | None = None
    end: time | None = None
    states: tuple[tuple[str, Json], ...] = ()
    shape: Check | None = None


class Conditions:
    """The conditions that a store knows, read again when its knowledge has changed."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store

    def get(self, iri: str) -> Condition | None:
        """The condition of that IRI, or None where nothing is known of it."""
        return self._known.get(iri)

    def general(self) -> tuple[str, ...]:
        """The conditions that are no part's own, such as a time of day."""
        return tuple(iri for iri, condition in self._known.items() if not condition.states)

    @property
    def _known(self) -> dict[str, Condition]:
        return self._store.derived("environment/conditions", self._read)

    def _read(self) -> dict[str, Condition]:
        known = _read(self._store.select("environment/conditions"))
        return known | _shaped(known, self._store)

    def holds(
        self,
        iri: str,
        part: tuple[Property, ...],
        told: Iterable[Property],
        state: Mapping[str, Json],
        now: datetime,
        vocabulary: Vocabulary,
    ) -> bool:
        """Whether a condition holds for the part that has the properties `part`; one that nobody knows does not.

        `told` are properties of the condition's own class, wherever they are: they tell it better than the time of day.
        """
        known = [truth(state.get(prop.iri), prop, vocabulary) for prop in told]
        if any(one is not None for one in known):
            return any(known)
        found = self.get(iri)
        if found is None:
            return False
        if found.shape is not None and found.shape(found.iri, _Moment(now)):
            return False
        return _in_time(found, now) and all(_is(kind, value, part, state, vocabulary) for kind, value in found.states)


class _Moment:
    """The properties of a moment, as data for shapes."""

    def __init__(self, now: datetime) -> None:
        self._time = Literal(now.time().isoformat(timespec="seconds"), datatype=node("xsd:time"))

    def values(self, node: str, path: str) -> tuple[Term, ...]:  # noqa: ARG002
        """The time of day."""
        return (self._time,) if path == TIME_OF_DAY else ()


def _shaped(known: Mapping[str, Condition], store: GraphStore) -> dict[str, Condition]:
    """The conditions that are SHACL shapes, with these compiled."""
    triples = store.construct("environment/condition_shapes")
    roots = {one.subject.value for one in triples if isinstance(one.subject, NamedNode)} & known.keys()
    shapes = parse(triples, sorted(roots))
    return {iri: replace(known[iri], shape=compile_shape(shapes, iri)) for iri in roots}


def _read(rows: list[tuple[Term | None, ...]]) -> dict[str, Condition]:
    found: dict[str, Condition] = {}
    for condition, start, end, kind, value in rows:
        iri = cast(Term, condition).value
        states = found[iri].states if iri in found else ()
        if kind is not None and value is not None:
            states = (*states, (kind.value, cast(Json, python(value))))
        found[iri] = Condition(iri, _time(start), _time(end), states)
    return found


def _time(term: Term | None) -> time | None:
    return None if term is None else time.fromisoformat(term.value)


def _in_time(condition: Condition, now: datetime) -> bool:
    start, end, at = condition.start, condition.end, now.time()
    if start is None or end is None:
        return True
    return start <= at < end if start <= end else at >= start or at < end


def _is(
    kind: str, wanted: Json, props: tuple[Property, ...], state: Mapping[str, Json], vocabulary: Vocabulary
) -> bool:
    for prop in props:
        if of_kind(prop.kinds, kind, vocabulary) and prop.iri in state:
            scale = scale_of(prop, vocabulary)
            try:
                return same(state[prop.iri], realise_on(scale, constant(wanted, scale, False)), prop, vocabulary)
            except ValueFault:
                return False
    return False
