"""Translates the rooms, floors and workspaces of a file to canonical quads of hg:graph/places, and back."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from engine.graph.terms import (
    PLACES,
    RDF_TYPE,
    Literal,
    NamedNode,
    Node,
    Quad,
    Term,
    Triple,
    literal,
    node,
    python,
)
from engine.model import thing_rdf as rdf
from engine.model.place import Place
from engine.things.description.dialects import NAMES, local_name
from engine.things.description.turtle import Facts, facts_of
from engine.things.partition import CONTAINS, INSIDE, WORKSPACES, addressed, closure

LABEL = node("rdfs:label")
FLOOR = node("hg:floor")
NAMED = (LABEL, rdf.TITLE, *NAMES)


def describe(place: Place) -> list[Quad]:
    """A place as quads of hg:graph/places: classes, rdfs:label, skos:altLabel, hmas:isContainedIn, hg:floor."""
    subject = NamedNode(place.iri)
    statements: list[tuple[NamedNode, Term]] = [(RDF_TYPE, node("hmas:Workspace"))]
    statements += [(RDF_TYPE, NamedNode(cls)) for cls in sorted(place.classes)]
    statements.append((LABEL, Literal(place.name, language="en")))
    statements += [(rdf.ALIAS, Literal(alias, language="en")) for alias in place.aliases]
    if place.parent is not None:
        statements.append((rdf.PLACE, NamedNode(place.parent)))
    if place.floor is not None:
        statements.append((FLOOR, literal(place.floor)))
    return [Quad(subject, predicate, value, PLACES) for predicate, value in statements]


def read(quads: Iterable[Quad | Triple]) -> dict[str, Place]:
    """The places of hg:graph/places by IRI. A place without a floor of its own is on that of the place around it."""
    facts = facts_of(quads)
    found = {n.value: _place(n, facts, None) for n in facts if isinstance(n, NamedNode) and LABEL in facts[n]}
    return {iri: _with_floor(place, found) for iri, place in found.items()}


def normalise(
    facts: Facts, n: NamedNode, parent: NamedNode | None, borders: AbstractSet[Node]
) -> tuple[Place, list[Quad]]:
    """A place of a file, and the file's further statements on it, up to the nodes that have an owner of their own."""
    names: dict[Node, NamedNode] = {}
    extra = [
        Quad(addressed(subject, n, names), predicate, addressed(value, n, names), PLACES)  # type: ignore[arg-type]
        for subject, predicate, value in closure(facts, n, borders)
        if subject != n or predicate not in _READ
    ]
    return _place(n, facts, parent), extra


_READ = CONTAINS | INSIDE | {RDF_TYPE, rdf.ALIAS, FLOOR, *NAMED}
_STRUCTURE = frozenset(term.value for term in WORKSPACES) | rdf.STRUCTURE


def _place(n: NamedNode, facts: Facts, parent: NamedNode | None) -> Place:
    about = facts.get(n, {})
    names = list(dict.fromkeys(v.value for p in NAMED for v in about.get(p, ()) if isinstance(v, Literal)))
    names += [alias.value for alias in about.get(rdf.ALIAS, ()) if alias.value not in names]
    name = names[0] if names else local_name(n.value) or n.value
    floors = [number for value in about.get(FLOOR, ()) if isinstance(number := python(value), int)]
    around = parent or next((v for v in about.get(rdf.PLACE, ()) if isinstance(v, NamedNode)), None)
    return Place(
        iri=n.value,
        name=name,
        aliases=tuple(sorted(names[1:])),
        classes=frozenset(t.value for t in about.get(RDF_TYPE, ())) - _STRUCTURE,
        parent=None if around is None else around.value,
        floor=floors[0] if floors else None,
    )


def _with_floor(place: Place, places: dict[str, Place]) -> Place:
    around: Place | None = place
    for _ in range(len(places)):
        if around is None or around.floor is not None:
            break
        around = places.get(around.parent or "")
    floor = None if around is None else around.floor
    return Place(place.iri, place.name, place.aliases, place.classes, place.parent, floor)
