"""Defined classes: read from owl:equivalentClass, and recognised by the classes, parts and affordances of a thing's
parts.

HermiT infers the same when the ontology changes (`things.ontology.consistency`); here it is done whenever a thing comes
in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeGuard

from engine.graph.terms import BlankNode, NamedNode, Node, Term, expand, node
from engine.model.definition import AllOf, AnyOf, Definition, Expression, Named, Some
from engine.model.thing import Part, Thing
from engine.model.vocabulary import Vocabulary
from engine.things.description.turtle import Facts

OFFERS, HAS_PART = expand("hg:offers"), expand("hg:hasPart")
EQUIVALENT, SUBCLASS = node("owl:equivalentClass"), node("rdfs:subClassOf")
ON_PROPERTY, SOME = node("owl:onProperty"), node("owl:someValuesFrom")
UNION, INTERSECTION = node("owl:unionOf"), node("owl:intersectionOf")
_MARKS = (ON_PROPERTY, UNION, INTERSECTION, node("owl:complementOf"), node("owl:oneOf"))
"""What is said of a class expression, and never of a class by name."""
FIRST, REST = node("rdf:first"), node("rdf:rest")
DEEPEST = 20
"""Levels of a class expression; one that goes deeper, or round in a circle, is not followed."""


def read(facts: Facts) -> tuple[Definition, ...]:
    """The class definitions among the facts: a class and its equivalent expression, or one that is its subclass.

    An expression outside of `model.definition` defines nothing here; `hearthgraph ontology check` names it.
    """
    return tuple(
        Definition(cls, expression) for cls, n in defined(facts) if (expression := _expression(facts, n, 0)) is not None
    )


def unread(facts: Facts) -> list[str]:
    """The classes with a definition that `read` cannot follow."""
    return sorted({cls for cls, n in defined(facts) if _expression(facts, n, 0) is None})


def defined(facts: Facts) -> Iterator[tuple[str, Node]]:
    """Each class with the node of an expression that defines it."""
    for n, about in facts.items():
        if isinstance(n, NamedNode):
            yield from ((n.value, e) for e in about.get(EQUIVALENT, ()) if _is_node(e) and not _is_name(facts, e))
        if not _is_name(facts, n):
            yield from ((cls.value, n) for cls in about.get(SUBCLASS, ()) if isinstance(cls, NamedNode))


def _is_node(n: Term) -> TypeGuard[Node]:
    return isinstance(n, NamedNode | BlankNode)


def _is_name(facts: Facts, n: Term) -> bool:
    """Whether a node is a named class and not an expression. (The bracketed nodes of a user's file have an IRI here,
    too.)"""
    return isinstance(n, NamedNode) and not any(p in facts.get(n, {}) for p in _MARKS)


def _expression(facts: Facts, n: Term, depth: int) -> Expression | None:
    if depth > DEEPEST:
        return None
    if _is_name(facts, n):
        return Named(n.value)
    about = facts.get(n, {}) if _is_node(n) else {}
    if ON_PROPERTY in about and SOME in about:
        filler = _expression(facts, about[SOME][0], depth + 1)
        predicate = about[ON_PROPERTY][0].value
        return Some(predicate, filler) if filler is not None and predicate in (OFFERS, HAS_PART) else None
    for predicate_of, make in ((UNION, AnyOf), (INTERSECTION, AllOf)):
        if predicate_of in about:
            members = [_expression(facts, m, depth + 1) for m in _list(facts, about[predicate_of][0])]
            known = tuple(m for m in members if m is not None)
            return make(known) if members and len(known) == len(members) else None
    return None


def _list(facts: Facts, n: Term) -> Iterator[Term]:
    seen: set[Term] = set()
    while _is_node(n) and n not in seen and FIRST in facts.get(n, {}):
        seen.add(n)
        yield facts[n][FIRST][0]
        n = facts[n].get(REST, [n])[0]


class _Described(NamedTuple):
    """A part or an affordance as class expressions see it: its classes, affordances and parts."""

    classes: frozenset[str]
    offers: frozenset[_Described] = frozenset()
    parts: frozenset[_Described] = frozenset()


class Recogniser:
    """Adds defined classes to the parts of (classified) things. Remembers results by description."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._ancestors: Mapping[str, frozenset[str]] = vocabulary.ancestors
        self._definitions = vocabulary.definitions
        self._known: dict[_Described, frozenset[str]] = {}

    def thing(self, thing: Thing) -> Thing:
        """The thing, its parts with the classes that are recognised in them."""
        if not self._definitions:
            return thing
        offers: dict[str, set[_Described]] = {part.iri: set() for part in thing.parts}
        for iri, classes in (
            *((p.part, p.kinds) for p in thing.properties),
            *((a.part, a.commands) for a in thing.actions),
        ):
            offers.setdefault(iri, set()).add(_Described(classes))
        components = [_Described(p.classes, frozenset(offers[p.iri])) for p in thing.parts[1:]]
        components = [d._replace(classes=d.classes | self._recognised(d)) for d in components]
        whole = _Described(thing.classes, frozenset(offers[thing.iri]), frozenset(components))
        parts = (whole, *components)
        return replace(thing, parts=tuple(self._marked(p, d) for p, d in zip(thing.parts, parts, strict=True)))

    def _marked(self, part: Part, described: _Described) -> Part:
        found = (described.classes | self._recognised(described)) - part.classes
        return replace(part, recognised=found) if found != part.recognised else part

    def _recognised(self, described: _Described) -> frozenset[str]:
        """The defined classes of a part or affordance. Applies definitions until nothing is added, for they build on
        each other."""
        known = self._known.get(described)
        if known is not None:
            return known
        classes, before = described.classes, None
        while classes != before:
            before = classes
            seen = described._replace(classes=classes)
            classes = classes | {d.cls for d in self._definitions if self._holds(d.expression, seen)}
        self._known[described] = found = self._own(classes, described.classes)
        return found

    def _own(self, classes: frozenset[str], said: frozenset[str]) -> frozenset[str]:
        """The recognised classes without those that follow from the given ones by the class hierarchy alone."""
        return classes - self._closed(said)

    def _closed(self, classes: Iterable[str]) -> frozenset[str]:
        return frozenset(above for cls in classes for above in self._ancestors.get(cls, (cls,)))

    def _holds(self, expression: Expression, described: _Described) -> bool:
        match expression:
            case Named(iri):
                return any(iri in self._ancestors.get(cls, (cls,)) for cls in described.classes)
            case AllOf(members):
                return all(self._holds(member, described) for member in members)
            case AnyOf(members):
                return any(self._holds(member, described) for member in members)
            case Some(predicate, filler):
                reached = described.offers if predicate == OFFERS else described.parts
                return any(self._holds(filler, one) for one in reached)
