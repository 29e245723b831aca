"""Who a statement of a file belongs to: a thing, a place, the state, or the vocabulary.

A file may hold several of each. Containment is read in all its spellings: HMAS workspaces, BOT storeys and spaces.
https://w3c-lbd-cg.github.io/bot/ , https://purl.org/hmas/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from engine.errors import InputError
from engine.graph.terms import RDF_TYPE, BlankNode, Literal, NamedNode, Node, Term, compact, node
from engine.model import thing_rdf as rdf
from engine.model.vocabulary import Vocabulary
from engine.things.description.turtle import Facts


def _nodes(names: str) -> frozenset[NamedNode]:
    return frozenset(map(node, names.split()))


CONTAINS = _nodes(
    "hmas:contains hmas:transitivelyContains hmas:hosts bot:hasBuilding bot:hasStorey bot:hasSpace bot:hasSubZone "
    "bot:containsZone bot:containsElement bot:hasElement"
)
INSIDE = _nodes("hmas:isContainedIn hmas:isTransitivelyContainedIn hmas:isHostedOn")
AFFORDANCES = (rdf.HAS_PROPERTY, rdf.HAS_ACTION, rdf.HAS_EVENT)
THINGS = _nodes("td:Thing hmas:Artifact")
WORKSPACES = _nodes("hmas:Workspace hmas:HypermediaMASPlatform bot:Zone bot:Site bot:Building bot:Storey bot:Space")
HMAS_PLACES = _nodes("hmas:Workspace hmas:HypermediaMASPlatform")
TERMS = _nodes(
    "owl:Class rdfs:Class hg:DeviceClass hg:Kind hg:Command hg:PlaceClass hg:Variable hg:Convention hg:Value hg:Level "
    "hg:Mode hg:Colour hg:Unit hg:StateWord hg:WorkState hg:Relative hg:Complaint hg:Situation hg:Means "
    "hg:Condition hg:LightVerb owl:ObjectProperty owl:DatatypeProperty owl:AnnotationProperty"
)
"""The classes whose instances are words and terms, not homes: what a user adds to the vocabulary."""

PLACE = node("hg:Place").value
VALUE = node("hg:value")
PROFILE_OF = node("hmas:isProfileOf")
ONTOLOGY_HEADER = node("owl:Ontology")


@dataclass(frozen=True, slots=True)
class Partition:
    """A file divided by owner. `within` maps a contained place or thing to the place that contains it.

    `attached` maps nodes that describe a thing from outside (a hmas:ResourceProfile) to that thing; `rest` are the
    subjects that belong to no thing, place or term.
    """

    things: tuple[Node, ...]
    places: tuple[NamedNode, ...]
    terms: tuple[NamedNode, ...]
    state: tuple[NamedNode, ...]
    within: dict[Node, NamedNode]
    attached: dict[Node, Term]
    rest: tuple[Node, ...]

    @property
    def claimed(self) -> frozenset[Node]:
        """The nodes that have an owner of their own, so that no other thing carries them away."""
        return frozenset((*self.things, *self.places, *self.terms))


def partition(facts: Facts, vocabulary: Vocabulary) -> Partition:
    """The statements of one file by owner. Raises InputError for places that contain each other in a circle."""
    sorter = _Sorter(facts, vocabulary)
    things = {n: None for n in facts if sorter.is_thing(n)}
    terms = {n: None for n in facts if isinstance(n, NamedNode) and n not in things and sorter.is_term(n)}
    within = sorter.within(things.keys())
    places = dict.fromkeys(sorter.places({*things, *terms}, within))
    _refuse_circles(within)
    claimed = {*things, *terms, *places}
    owned = sorter.reached(claimed, claimed)
    free = [n for n in facts if n not in owned]
    state = tuple(n for n in free if isinstance(n, NamedNode) and VALUE in facts[n])
    attached = {n: thing for n in free for thing in facts[n].get(PROFILE_OF, ()) if thing in things}
    told = sorter.reached((*state, *attached), claimed)
    rest = [n for n in free if n not in told and ONTOLOGY_HEADER not in facts[n].get(RDF_TYPE, ())]
    rest += [n for n in within if n not in facts and n not in claimed]
    return Partition(tuple(things), tuple(places), tuple(terms), state, within, attached, tuple(rest))


class _Sorter:
    def __init__(self, facts: Facts, vocabulary: Vocabulary) -> None:
        self._facts = facts
        self._vocabulary = vocabulary
        self._parts = {part for about in facts.values() for part in about.get(rdf.HAS_PART, ())}

    def _types(self, n: Node) -> list[Term]:
        return self._facts.get(n, {}).get(RDF_TYPE, [])

    def is_thing(self, n: Node) -> bool:
        """A node that says so, or that has affordances; a part of a thing is none, nor is a workspace."""
        about = self._facts[n]
        if n in self._parts or any(t in HMAS_PLACES for t in about.get(RDF_TYPE, ())):
            return False
        return any(t in THINGS for t in about.get(RDF_TYPE, ())) or any(link in about for link in AFFORDANCES)

    def is_term(self, n: NamedNode) -> bool:
        """A term that the file declares, or a known one to which it adds words."""
        known = n.value in self._vocabulary.ancestors
        return any(t in TERMS for t in self._types(n)) or (known and not self.is_place(n))

    def is_place(self, n: Node) -> bool:
        """A node that says so."""
        is_a = self._vocabulary.is_a
        return any(t in WORKSPACES or is_a(t.value, PLACE) for t in self._types(n))

    def within(self, things: AbstractSet[Node]) -> dict[Node, NamedNode]:
        """The containing place of each contained node; where several places contain it, the innermost."""
        outer: dict[Node, list[NamedNode]] = {}
        for inner, place in self._pairs():
            if inner != place and place not in things and isinstance(place, NamedNode):
                outer.setdefault(inner, []).append(place)
        return {inner: _innermost(places, outer) for inner, places in outer.items()}

    def _pairs(self) -> Iterator[tuple[Node, Node]]:
        for n, about in self._facts.items():
            for predicate, values in about.items():
                if predicate in CONTAINS or predicate in INSIDE:
                    for value in values:
                        if not isinstance(value, Literal):
                            yield (value, n) if predicate in CONTAINS else (n, value)

    def places(self, others: set[Node], within: dict[Node, NamedNode]) -> Iterator[NamedNode]:
        """The nodes declared as places, those that contain something, and contained nodes that are no things."""
        containers = set(within.values())
        for n in (*self._facts, *containers):
            said = self.is_place(n) or n in within or n in containers
            if said and n not in others and isinstance(n, NamedNode):
                yield n

    def reached(self, roots: Iterable[Node], borders: set[Node]) -> set[Node]:
        """The nodes that hang on `roots`, those of other owners left out."""
        found: set[Node] = set(roots)
        waiting = list(found)
        while waiting:
            for values in self._facts.get(waiting.pop(), {}).values():
                for value in values:
                    if not isinstance(value, Literal) and value not in found and value not in borders:
                        found.add(value)
                        waiting.append(value)
        return found


def closure(facts: Facts, n: Node, borders: AbstractSet[Node]) -> Iterator[tuple[Node, NamedNode, Term]]:
    """The statements of a node and of the nodes that hang on it, up to those that have an owner of their own."""
    waiting: list[Node] = [n]
    seen: set[Node] = {n}
    while waiting:
        subject = waiting.pop()
        for predicate, values in facts.get(subject, {}).items():
            for value in values:
                yield subject, predicate, value
                if not isinstance(value, Literal) and value in facts and value not in seen and value not in borders:
                    seen.add(value)
                    waiting.append(value)


def addressed(value: Term, owner: NamedNode, names: dict[Node, NamedNode]) -> Term:
    """A term as it is kept: a blank node under an address below its owner's."""
    if isinstance(value, Literal):
        return value
    if isinstance(value, BlankNode):
        return names.setdefault(value, NamedNode(rdf.below(owner.value, "nodes", f"b{len(names)}")))
    return names.get(value, value)


def declares_terms(facts: Facts) -> bool:
    """Whether a file adds to the vocabulary."""
    return any(t in TERMS for about in facts.values() for t in about.get(RDF_TYPE, ()))


def _innermost(places: list[NamedNode], outer: dict[Node, list[NamedNode]]) -> NamedNode:
    """Of several places, one that contains none of the others."""
    for place in places:
        if not any(place in _enclosing(other, outer) for other in places if other != place):
            return place
    return places[0]


def _enclosing(place: Node, outer: dict[Node, list[NamedNode]]) -> set[Node]:
    found: set[Node] = set()
    waiting: list[Node] = [place]
    while waiting:
        fresh = [n for n in outer.get(waiting.pop(), ()) if n not in found]
        found.update(fresh)
        waiting += fresh
    return found


def _refuse_circles(within: dict[Node, NamedNode]) -> None:
    for start in within:
        seen: set[Node] = set()
        n: Node | None = start
        while n is not None and n not in seen:
            seen.add(n)
            n = within.get(n)
        if n is not None:
            raise InputError(
                f"The place {compact(n.value)} contains itself, by way of others.",
                remedy="Say of each place only what it directly contains.",
            )
