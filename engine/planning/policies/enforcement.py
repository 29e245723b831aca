"""Prohibitions that hold for everyone: SHACL shapes in hg:graph/policies, checked against the predicted state.

A shape is about devices (`sh:targetClass hg:Oven`) or one device or property (`sh:targetNode`). Its paths are the kinds
of the device's properties (`hg:Power` is true or false, `hg:Volume` a number), `hg:value` of a property, the IRI of any
one property of the home, whatever the shape is about ("not this while that"), and derived values: `hg:timeOfDay`,
`hg:occupied`, `hg:lasting` (for how many seconds a property has had its value), and the conditions of the ontology
(`hg:DaylightOutside`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.environment import effects
from engine.environment.simulation.influences import Influences
from engine.environment.values.inputs import of_kind
from engine.environment.values.quantities import truth
from engine.errors import ValueFault
from engine.graph.shacl.compile import Check, compile_targets
from engine.graph.shacl.parse import TYPE, Path, Shape, Shapes, parse
from engine.graph.shacl.report import Violation
from engine.graph.store import GraphStore
from engine.graph.terms import POLICIES, Json, Literal, NamedNode, Quad, Term, expand, literal, node
from engine.model.plan import Step
from engine.model.thing import Part, Property, Thing
from engine.model.vocabulary import Vocabulary
from engine.planning.site import Site
from engine.planning.wishes.vague import influences_of
from engine.things.registry import Registry

VALUE, TIME, OCCUPIED = expand("hg:value"), expand("hg:timeOfDay"), expand("hg:occupied")
LASTING = expand("hg:lasting")
_PRESENCE = (expand("hg:Occupancy"), expand("hg:Whereabouts"))


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy, compiled. `paths` are those that it speaks of, in itself and in the shapes that it is made of; `said`
    are the messages of those."""

    iri: str
    message: str
    check: Check
    paths: frozenset[str]
    said: frozenset[str]

    def words(self, violation: Violation) -> str:
        """The message of a violation: of the very shape that is broken, else the policy's own."""
        return violation.message if violation.message in self.said else self.message or violation.message


def enforce(step: Step, state: Mapping[str, Json], now: datetime, registry: Registry, influences: Influences) -> None:
    """Raises ValueFault (policy_violation), with the policy's message, for a step after which the home, as it is
    predicted, would break a policy about the properties that the step changes. `now` is when it is to be done."""
    if not step.already:
        _forbid(dict(step.expected), state, now, registry, influences)


def permit(affordance: str, payload: Json, site: Site) -> None:
    """Raises ValueFault (policy_violation) where calling an affordance now would break a policy, as the home stands at
    this moment: a delayed step, or one with a computed value, may have been planned for another state."""
    registry = site.registry
    if not of(registry.store, registry.vocabulary):
        return
    action = registry.actions.get(affordance)
    if action is None:
        after = {affordance: payload}
    else:
        after = effects.assign(action, payload, registry.thing_of[affordance], site.state, registry.vocabulary)
    _forbid(after, site.state, site.clock.now(), registry, influences_of(site))


def _forbid(
    after: Mapping[str, Json], state: Mapping[str, Json], now: datetime, registry: Registry, influences: Influences
) -> None:
    policies = of(registry.store, registry.vocabulary)
    data = _Predicted(after, state, now, registry, influences)
    for focus, kinds in _touched(after, registry) if policies else ():
        for policy in policies:
            if not (policy.paths & kinds or VALUE in policy.paths):
                continue  # what was so before forbids nothing else
            for violation in policy.check(focus, data):
                raise ValueFault(policy.words(violation), reason="policy_violation")


def of(store: GraphStore, vocabulary: Vocabulary) -> tuple[Policy, ...]:
    """The policies of a store."""
    return store.derived("planning/policies", lambda: tuple(_compiled(store.graph(POLICIES), vocabulary)))


def _compiled(quads: Iterable[Quad], vocabulary: Vocabulary) -> Iterable[Policy]:
    shapes = parse(quads)
    for shape in shapes.targeted:
        reached = list(_reached(shape, shapes, set()))
        paths = frozenset(path for one in reached for path in _spoken(one))
        said = frozenset(one.message for one in reached if one.message)
        check = compile_targets(shapes, vocabulary.is_a, only=(shape.key,))
        yield Policy(shape.key, shape.message, check, paths, said)


def _reached(shape: Shape, shapes: Shapes, seen: set[str]) -> Iterable[Shape]:
    """A shape and those that it refers to."""
    if shape.key in seen:
        return
    seen.add(shape.key)
    yield shape
    for constraint in shape.constraints:
        parameter = constraint.parameter
        for key in parameter if isinstance(parameter, tuple) else (parameter,):
            if isinstance(key, str) and key in shapes.by_key:
                yield from _reached(shapes[key], shapes, seen)


def _spoken(shape: Shape) -> Iterable[str]:
    """The paths of a shape, and the IRIs that its constraints compare with, which may be paths too (sh:equals)."""
    yield from (path.iri for path in steps(shape.path) if path.iri)
    yield from (one.parameter for one in shape.constraints if isinstance(one.parameter, str))


def steps(path: Path | None) -> Iterable[Path]:
    """A path and those that it is made of."""
    if path is not None:
        yield path
        for part in path.parts:
            yield from steps(part)


def _touched(after: Mapping[str, Json], registry: Registry) -> Iterable[tuple[str, frozenset[str]]]:
    """The nodes that change, parts and properties, each with the kinds and the properties that change on it."""
    by_part: dict[str, set[str]] = {}
    for iri in after:
        prop = registry.properties.get(iri)
        if prop is not None:
            kinds = {above for k in prop.kinds for above in registry.vocabulary.ancestors.get(k, frozenset((k,)))} | {
                iri
            }
            by_part.setdefault(prop.part, set()).update(kinds)
            yield iri, frozenset(kinds)
    yield from ((part, frozenset(kinds)) for part, kinds in by_part.items())


class _Predicted:
    """The home after a step, as data for shapes."""

    def __init__(
        self,
        changes: Mapping[str, Json],
        state: Mapping[str, Json],
        now: datetime,
        registry: Registry,
        influences: Influences,
    ) -> None:
        self._changes, self._state, self._now = changes, state, now
        self._registry, self._influences = registry, influences

    def _value(self, iri: str) -> Json:
        return self._changes[iri] if iri in self._changes else self._state.get(iri)

    def values(self, node: str, path: str) -> tuple[Term, ...]:
        """The values of a part, a property, or of anything as far as they are derived."""
        if path == TIME:
            return (Literal(self._now.time().isoformat(timespec="seconds"), datatype=_XSD_TIME),)
        if path == OCCUPIED:
            occupied = self._occupied()
            return () if occupied is None else (literal(occupied),)
        if path in self._influences.outside(self._state, self._now):
            return (literal(self._influences.outside(self._state, self._now)[path]),)
        if path in self._registry.properties:
            value = self._value(path)
            return () if value is None else (literal(value),)
        prop = self._registry.properties.get(node)
        if prop is not None:
            return self._of_property(prop, path)
        part = self._registry.parts.get(node)
        return () if part is None else self._of_part(part, self._registry.thing_of[node], path)

    def _of_property(self, prop: Property, path: str) -> tuple[Term, ...]:
        if path == TYPE:
            return tuple(NamedNode(kind) for kind in sorted(prop.kinds))
        if path == LASTING:  # what is only about to be has not lasted
            return (literal(0.0),) if prop.iri in self._changes else ()
        value = self._value(prop.iri)
        return (literal(value),) if path == VALUE and value is not None else ()

    def _of_part(self, part: Part, thing: Thing, path: str) -> tuple[Term, ...]:
        if path == TYPE:
            return tuple(NamedNode(cls) for cls in sorted(part.classes))
        props = [p for p in thing.of_part(part.iri) if of_kind(p.kinds, path, self._registry.vocabulary)]
        found = [(prop, self._value(prop.iri)) for prop in props]
        return tuple(literal(self._meant(prop, value)) for prop, value in found if value is not None)

    def _meant(self, prop: Property, value: Json) -> Json:
        """A value as its kind means it: "on" and "open" are true; numbers and options stand as they are."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
        meant = truth(value, prop, self._registry.vocabulary)
        return value if meant is None else meant

    def _occupied(self) -> bool | None:
        vocabulary = self._registry.vocabulary
        told = [
            truth(self._value(prop.iri), prop, vocabulary)
            for prop in self._registry.properties.values()
            if any(of_kind(prop.kinds, kind, vocabulary) for kind in _PRESENCE)
        ]
        known = [one for one in told if one is not None]
        return any(known) if known else None


_XSD_TIME = node("xsd:time")
