"""Signifiers as RDF: hMAS terms, flat triples for matching, the context as SHACL, and the record.

The context of a signifier is a node with a comment; each condition is a node shape whose target is the very property.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import cast

from engine.errors import InputError
from engine.graph.terms import (
    RDF_TYPE,
    BlankNode,
    Json,
    Literal,
    NamedNode,
    Quad,
    Term,
    expand,
    literal,
    node,
    python,
)
from engine.model.signifier import Signifier, StateCondition, from_json, to_json

RECORD, VALUE = node("hg:record"), node("hg:value")
_BOUNDS = {
    "lessThan": "sh:maxExclusive",
    "lessOrEqual": "sh:maxInclusive",
    "greaterThan": "sh:minExclusive",
    "greaterOrEqual": "sh:minInclusive",
}


def quads(signifier: Signifier, graph: NamedNode) -> list[Quad]:
    """A signifier in a graph."""
    return [Quad(s, p, o, graph) for s, p, o in _triples(signifier)]


def read(found: Iterable[Quad]) -> list[Signifier]:
    """The signifiers of a graph, by their records. Raises InputError for one that cannot be read."""
    records = [quad.object for quad in found if quad.predicate == RECORD]
    return [from_json(_record(one)) for one in records]


def _record(term: object) -> object:
    value = python(cast(Term, term))
    if not isinstance(value, dict):
        raise InputError("A signifier's record is no JSON object.", remedy="Restore the store from a dump.")
    return value


def _triples(signifier: Signifier) -> Iterator[tuple[NamedNode | BlankNode, NamedNode, Term]]:
    subject, affordance = subject_of(signifier), NamedNode(signifier.affordance)
    context = NamedNode(f"{subject.value}/context")
    yield subject, RDF_TYPE, node("hmas:Signifier")
    yield subject, RDF_TYPE, node("hg:Signifier")
    yield subject, node("rdfs:label"), Literal(signifier.text)
    yield subject, node("hmas:signifies"), affordance
    yield subject, node("hmas:recommendsContext"), context
    yield context, node("rdfs:comment"), Literal(comment(signifier))
    yield from _form(signifier, affordance)
    yield subject, node("hg:successes"), literal(signifier.successes)
    yield subject, node("hg:failures"), literal(signifier.failures)
    yield subject, RECORD, literal(cast(Json, to_json(signifier)))
    if signifier.run is not None:
        yield subject, node("prov:wasGeneratedBy"), NamedNode(signifier.run)
    if signifier.wanted is not None:
        yield from _wanted(subject, signifier)
    for number, condition in enumerate(signifier.conditions, start=1):
        if "://" in condition.property or condition.property.startswith("urn:"):
            shape = NamedNode(f"{context.value}/{number}")
            yield context, node("hg:holds"), shape
            yield from shape_triples(condition, shape)


def _form(signifier: Signifier, affordance: NamedNode) -> Iterator[tuple[NamedNode | BlankNode, NamedNode, Term]]:
    """The form that was used, one an affordance, so that the signifier can be used without its home."""
    form = NamedNode(f"{affordance.value}/form")
    yield affordance, node("td:hasForm"), form
    yield form, node("htv:methodName"), Literal(signifier.method or "POST")
    yield form, node("hctl:hasTarget"), Literal(signifier.target or signifier.affordance, datatype=node("xsd:anyURI"))


def subject_of(signifier: Signifier) -> NamedNode:
    """The node of a signifier; an id that is no IRI becomes one."""
    return NamedNode(signifier.iri if ":" in signifier.iri else f"{expand('hg:')}signifier/{signifier.iri}")


def comment(signifier: Signifier) -> str:
    """The recommended context in words."""
    told = [f"{one.property.rpartition('/')[2]} {one.operator} {json.dumps(one.value)}" for one in signifier.conditions]
    return f"“{signifier.text}”" + (f", while {' and '.join(told)}" if told else "")


def _wanted(subject: NamedNode, signifier: Signifier) -> Iterator[tuple[NamedNode, NamedNode, Term]]:
    wanted = signifier.wanted
    assert wanted is not None
    yield subject, node("hg:operation"), Literal(wanted.operation)
    yield subject, node("hg:category"), Literal("implicit" if wanted.implicit else "explicit")
    links = {
        "hg:command": (wanted.command,),
        "hg:property": (wanted.kind,),
        "hg:variable": (wanted.variable,),
        "hg:situation": (wanted.situation,),
        "hg:onClass": wanted.classes,
        "hg:onThing": wanted.things,
        "hg:inPlace": wanted.where,
    }
    for predicate, values in links.items():
        yield from ((subject, node(predicate), NamedNode(value)) for value in values if value)
    if wanted.direction:
        yield subject, node("hg:direction"), literal(wanted.direction)


def shape_triples(
    condition: StateCondition, shape: NamedNode
) -> Iterator[tuple[NamedNode | BlankNode, NamedNode, Term]]:
    """A condition as a node shape on the property: a missing value never holds."""
    own = NamedNode(f"{shape.value}/value")
    yield shape, RDF_TYPE, node("sh:NodeShape")
    yield shape, node("sh:targetNode"), NamedNode(condition.property)
    yield shape, node("sh:property"), own
    yield own, node("sh:path"), VALUE
    yield own, node("sh:minCount"), literal(1)
    value = literal(condition.value)
    if condition.operator == "equals":
        yield own, node("sh:hasValue"), value
    elif condition.operator == "notEquals":
        denied = NamedNode(f"{shape.value}/denied")
        yield shape, node("sh:not"), denied
        yield denied, RDF_TYPE, node("sh:NodeShape")
        inner = NamedNode(f"{denied.value}/value")
        yield denied, node("sh:property"), inner
        yield inner, node("sh:path"), VALUE
        yield inner, node("sh:hasValue"), value
    else:
        yield own, node(_BOUNDS[condition.operator]), value
