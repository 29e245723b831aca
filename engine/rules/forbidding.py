"""What must never be so, as policies: a rule that forbids is written as SHACL, which whatever is to be done is held
against, and the rule itself tells of it where it comes about all the same.

The shapes are of the parts whose properties they speak of, one shape for all facts together:
`sh:not [ sh:and ( … ) ]`, each fact in any of the ways in which it is met. Their IRIs begin with that of the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.environment.values.schemas import is_number
from engine.graph.store import GraphStore
from engine.graph.terms import POLICIES, Json, Literal, NamedNode, Quad, Term, literal, node
from engine.model.rule import Becomes, Daytime, Fact, Forbids, Rule, Window
from engine.planning.policies.enforcement import LASTING, TIME, VALUE
from engine.rules.ways import Conditions, ways_of
from engine.things.registry import Registry

_NIL = node("rdf:nil")
_BOUNDS = {">": "sh:minExclusive", ">=": "sh:minInclusive", "<": "sh:maxExclusive", "<=": "sh:maxInclusive"}


@dataclass(slots=True)
class _Writing:
    """The quads of one policy, whose nodes are numbered."""

    iri: str
    quads: list[Quad] = field(default_factory=list)
    _count: int = 0

    def node(self) -> NamedNode:
        self._count += 1
        return NamedNode(f"{self.iri}/{self._count}")

    def add(self, subject: NamedNode, predicate: str, *objects: Term) -> None:
        self.quads += [Quad(subject, node(predicate), one, POLICIES) for one in objects]

    def shape(self, predicate: str, *objects: Term) -> NamedNode:
        """A shape with one constraint."""
        found = self.node()
        self.add(found, predicate, *objects)
        return found

    def all_of(self, shapes: Sequence[NamedNode]) -> NamedNode:
        """A shape to which all of several hold; the shape itself where it is one."""
        return shapes[0] if len(shapes) == 1 else self.shape("sh:and", self.list_of(shapes))

    def any_of(self, shapes: Sequence[NamedNode]) -> NamedNode:
        """A shape to which any of several holds."""
        return shapes[0] if len(shapes) == 1 else self.shape("sh:or", self.list_of(shapes))

    def path(self, path: str) -> NamedNode:
        """A property shape for a path, of which something must be known."""
        found = self.shape("sh:path", NamedNode(path))
        self.add(found, "sh:minCount", literal(1))
        return found

    def list_of(self, items: Sequence[Term]) -> NamedNode:
        """An RDF list."""
        rest = _NIL
        for item in reversed(items):
            first = self.node()
            self.add(first, "rdf:first", item)
            self.add(first, "rdf:rest", rest)
            rest = first
        return rest


def settle(rule: Rule, store: GraphStore, registry: Registry, *, holds: bool = True) -> None:
    """Writes the policy of a rule that forbids as the home is now; takes it away where it does not hold. Raises
    StoreError."""
    if rule.forbids is None:
        return
    start = f"{rule.iri}/policy"
    wanted = set(policy_of(rule, store, registry)) if holds else set()
    kept = {q for q in store.graph(POLICIES) if isinstance(q.subject, NamedNode) and q.subject.value.startswith(start)}
    if wanted != kept:
        store.write(delete=list(kept - wanted), insert=list(wanted - kept))


def policy_of(rule: Rule, store: GraphStore, registry: Registry) -> list[Quad]:
    """The shapes of a rule that forbids; none where what it forbids is no matter of single properties: then it is only
    told when it comes about."""
    facts = tuple(fact for one in rule.triggers if isinstance(one, Becomes) for fact in one.facts)
    ways = [ways_of(fact, store, registry) for fact in facts]
    if not facts or any(not way for several in ways for way in several):
        return []
    writing = _Writing(f"{rule.iri}/policy")
    lasting = next((n for n, fact in enumerate(facts) if fact.seconds), None)
    if lasting is None:
        _write(writing, rule, ways, registry)
    else:
        _write_lasting(writing, rule, facts, ways, lasting)
    return writing.quads


def _write(writing: _Writing, rule: Rule, ways: Sequence[Sequence[Conditions]], registry: Registry) -> None:
    """One shape, of the parts that can bring it about."""
    bringing = ways[:1] if rule.forbids is Forbids.ACT else ways
    parts = {registry.properties[one["property"]].part for several in bringing for way in several for one in way}
    together = [writing.any_of([_met(writing, way) for way in several]) for several in ways]
    _root(writing, rule, sorted(parts), [*together, *_hours(writing, rule.windows)])


def _write_lasting(
    writing: _Writing, rule: Rule, facts: Sequence[Fact], ways: Sequence[Sequence[Conditions]], lasting: int
) -> None:
    """One shape of each property that must not be so for long."""
    others = [way for n, way in enumerate(ways) if n != lasting]
    for one in (one for way in ways[lasting] for one in way):
        own = writing.path(VALUE)
        _compares(writing, own, one)
        long = writing.path(LASTING)
        writing.add(long, "sh:minExclusive", literal(float(facts[lasting].seconds)))
        rest = [writing.any_of([_met(writing, way) for way in several]) for several in others]
        _root(writing, rule, [one["property"]], [own, long, *rest, *_hours(writing, rule.windows)])


def _root(writing: _Writing, rule: Rule, targets: Sequence[str], together: Sequence[NamedNode]) -> None:
    root = writing.node()
    writing.add(root, "rdf:type", node("sh:NodeShape"))
    writing.add(root, "sh:targetNode", *map(NamedNode, targets))
    writing.add(root, "sh:message", Literal(f"That is forbidden: “{rule.text}”."))
    writing.add(root, "prov:wasDerivedFrom", NamedNode(rule.iri))
    writing.add(root, "sh:not", writing.all_of(together))


def _met(writing: _Writing, way: Conditions) -> NamedNode:
    found = []
    for one in way:
        shape = writing.path(one["property"])
        _compares(writing, shape, one)
        found.append(shape)
    return writing.all_of(found)


def _compares(writing: _Writing, shape: NamedNode, one: dict[str, Any]) -> None:
    """What a property shape asks of the value: the same as a condition."""
    value: Json = one["value"]
    if one["op"] in _BOUNDS:
        writing.add(shape, _BOUNDS[one["op"]], literal(value))
    elif one["op"] == "in" and isinstance(value, list):
        writing.add(shape, "sh:in", writing.list_of([literal(each) for each in value]))
    elif one["op"] == "!=":
        writing.add(shape, "sh:not", writing.shape("sh:hasValue", literal(value)))
    elif is_number(value):
        writing.add(shape, "sh:minInclusive", literal(value))
        writing.add(shape, "sh:maxInclusive", literal(value))
    else:
        writing.add(shape, "sh:hasValue", literal(value))


def _hours(writing: _Writing, windows: Sequence[Window]) -> Iterator[NamedNode]:
    """That it is within one of the windows, where there are any whose hours are known."""
    found = []
    for one in windows:
        if isinstance(one.start, Daytime) and isinstance(one.end, Daytime):
            start, end = (f"{t.hour % 24:02}:{t.minute:02}:{t.second:02}" for t in (one.start, one.end))
            sides = [_side(writing, "sh:minInclusive", start), _side(writing, "sh:maxExclusive", end)]
            found.append(writing.all_of(sides) if start < end else writing.any_of(sides))
    if found:
        yield writing.any_of(found)


def _side(writing: _Writing, bound: str, time: str) -> NamedNode:
    shape = writing.path(TIME)
    writing.add(shape, bound, Literal(time, datatype=node("xsd:time")))
    return shape
