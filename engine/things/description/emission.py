"""Things out of a store: as JSON-LD, or as Turtle in the form of W3C or in that of Yggdrasil and the HMAS papers.

https://www.w3.org/TR/wot-thing-description11/ , https://purl.org/hmas/ (VOCABULARY, both columns)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

from pyoxigraph import RdfFormat, serialize

from engine.errors import InputError
from engine.graph.store import GraphStore
from engine.graph.terms import NAMESPACES, RDF_TYPE, Literal, NamedNode, Quad, Term, Triple, node
from engine.model import thing_rdf as rdf
from engine.model.thing import Thing
from engine.things.description import jsonld
from engine.things.description.turtle import THING

OUTPUT_STEP = "output"
SCHEMA_TERMS = NAMESPACES["js"]
_TYPES = frozenset(rdf.SCHEMA_TYPES.values())
_RENAMED = {rdf.BASE: node("td:hasBase"), rdf.SUBPROTOCOL: node("hctl:hasSubProtocol")}
_SECURITY = frozenset((rdf.SECURITY, rdf.DEFINES_SECURITY))
_OPERATIONS = NAMESPACES["td"]


class Profile(Enum):
    """The dialect of a description: W3C's canonical one, or the one of Yggdrasil and the HMAS papers."""

    W3C = "w3c"
    YGGDRASIL = "yggdrasil"


def quads(store: GraphStore, thing: Thing) -> list[Quad]:
    """All that the document of a thing says, in the canonical form. Raises InputError where the store has none."""
    found = rdf.published(store.graph(NamedNode(thing.document)))
    if not found:
        raise InputError(f"There is no thing {thing.iri}.", remedy="Ask which things there are.")
    return found


def as_jsonld(store: GraphStore, thing: Thing) -> dict[str, Any]:
    """A thing as a TD in JSON-LD, in the version of TD that its author used, else 1.1."""
    return jsonld.document(quads(store, thing))


def as_turtle(store: GraphStore, thing: Thing, profile: Profile = Profile.W3C) -> str:
    """A thing as Turtle in a dialect; `things.description.dialects` reads both."""
    return turtle(thing, in_dialect(thing, quads(store, thing), profile))


def in_dialect(thing: Thing, said: list[Quad], profile: Profile) -> list[Triple]:
    """Quads of the canonical form that describe a thing as triples in a dialect."""
    return [q.triple for q in said] if profile is Profile.W3C else [*dict.fromkeys(_yggdrasil(thing, said))]


def turtle(thing: Thing, triples: Iterable[Triple]) -> str:
    """Triples as Turtle, those about the thing first."""
    ordered = sorted(triples, key=lambda triple: _order(triple, thing))
    text = serialize(ordered, format=RdfFormat.TURTLE, prefixes=NAMESPACES)
    return (text or b"").decode("utf-8")


def _order(triple: Triple, thing: Thing) -> tuple[bool, str, bool, str, int, str]:
    """The thing first, of each node its classes first, and nodes that are numbered by their number: a reader of Turtle
    takes alternatives and places of an array in the order in which they stand."""
    subject, predicate, last = triple.subject, triple.predicate, str(triple.object).rstrip(">").rpartition("/")[2]
    number = int(last) if isinstance(triple.object, NamedNode) and last.isdecimal() else -1
    of_thing = subject != NamedNode(thing.iri)
    return of_thing, str(subject), predicate != RDF_TYPE, predicate.value, number, str(triple.object)


def _yggdrasil(thing: Thing, said: list[Quad]) -> Iterator[Triple]:
    """The same in the other dialect: artifacts, targets as IRIs, operations as words, values as output schemas."""
    properties = {prop.iri for prop in thing.properties}
    open_to_all = all(q.object == Literal(rdf.NO_SECURITY) for q in said if q.predicate == rdf.SECURITY)
    own = rdf.below(thing.document, "security", "")
    for quad in said:
        subject, predicate, value = quad.subject, quad.predicate, quad.object
        # A store holds named nodes alone: descriptions come in without blank nodes.
        assert isinstance(subject, NamedNode)
        assert not isinstance(value, Triple)
        secured = predicate in _SECURITY or subject.value.startswith(own)
        if (predicate == RDF_TYPE and value == THING) or (open_to_all and secured):
            continue
        if subject.value in properties and _is_schema(predicate, value):
            output = NamedNode(rdf.below(subject.value, OUTPUT_STEP))
            yield Triple(subject, rdf.OUTPUT, output)
            subject = output
        yield Triple(subject, _RENAMED.get(predicate, predicate), _value(predicate, value))


def _is_schema(predicate: NamedNode, value: object) -> bool:
    if predicate == RDF_TYPE:
        return value in _TYPES
    return predicate.value.startswith(SCHEMA_TERMS) or predicate in (rdf.UNIT, rdf.ORDER)


def _value(predicate: NamedNode, value: Term) -> Term:
    if predicate == rdf.TARGET and rdf.is_iri(value.value):
        return NamedNode(value.value)
    if predicate == rdf.OPERATION and value.value.startswith(_OPERATIONS):
        return Literal(value.value[len(_OPERATIONS) :].lower())
    if predicate in (rdf.TITLE, rdf.DESCRIPTION):
        return Literal(value.value)
    return value
