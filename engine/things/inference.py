"""Infers the statements of hg:graph/inferred on things and places, by the rules of `graph.reasoning`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from engine.graph import reasoning
from engine.graph.terms import RDF_TYPE, NamedNode, Quad, Triple, node
from engine.model import thing_rdf as rdf
from engine.model.place import Place
from engine.model.thing import Thing
from engine.model.vocabulary import Vocabulary
from engine.things.index import affordances, members

THING, SUBCLASS = node("td:Thing"), node("rdfs:subClassOf")


def infer(
    things: Iterable[Thing], places: Iterable[Place], around: Mapping[str, Place], vocabulary: Vocabulary
) -> list[Quad]:
    """The inferred quads of these (classified) things and these places; `around` has all places there are."""
    things, places = list(things), list(places)
    subjects = {NamedNode(iri) for thing in things for iri in members(thing)}
    subjects |= {NamedNode(place.iri) for place in places}
    return reasoning.infer(_facts(things, places, around, vocabulary), subjects)


def _facts(
    things: list[Thing], places: list[Place], around: Mapping[str, Place], vocabulary: Vocabulary
) -> Iterator[Triple]:
    """All that the rules need to know."""
    classes: set[str] = set()
    for iri, kinds in _classes(things, places):
        classes |= kinds
        for kind in kinds:
            yield Triple(NamedNode(iri), RDF_TYPE, NamedNode(kind))
    for cls in classes:
        for above in vocabulary.ancestors.get(cls, frozenset((cls,))):
            yield Triple(_class(cls), SUBCLASS, _class(above))
    for place in {**around, **{place.iri: place for place in places}}.values():
        if place.parent is not None:
            yield Triple(NamedNode(place.iri), rdf.PLACE, NamedNode(place.parent))
    for thing in things:
        yield from _structure(thing)


def _structure(thing: Thing) -> Iterator[Triple]:
    subject = NamedNode(thing.iri)
    yield Triple(subject, RDF_TYPE, THING)
    if thing.place is not None:
        yield Triple(subject, rdf.PLACE, NamedNode(thing.place))
    for part in thing.parts[1:]:
        yield Triple(subject, rdf.HAS_PART, NamedNode(part.iri))
    for affordance in affordances(thing):
        yield Triple(NamedNode(affordance.iri), rdf.PART, NamedNode(affordance.part))


def _classes(things: list[Thing], places: list[Place]) -> Iterator[tuple[str, frozenset[str]]]:
    for place in places:
        yield place.iri, place.classes
    for thing in things:
        for part in thing.parts:
            yield part.iri, part.every_class
        for prop in thing.properties:
            yield prop.iri, prop.kinds
        for action in thing.actions:
            yield action.iri, action.commands


@cache
def _class(iri: str) -> NamedNode:
    return NamedNode(iri)
