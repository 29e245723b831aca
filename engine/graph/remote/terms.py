"""Encodes terms so that they travel to a store and back unchanged, whatever it does to blank nodes and to some
literals.

Blank nodes go as IRIs of our own (RDF 1.1 Concepts, 3.5: skolemization), so that they keep their names, can be written
twice without harm, and look the same to the mirror and to the server. Literals of a datatype that the store does not
keep go under a datatype of our own, which no store can have an opinion on.

https://www.w3.org/TR/rdf11-concepts/#section-skolemization
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from typing import Any

from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    parse_query_results,
)

from engine.errors import StoreUnreachableError
from engine.graph.terms import XSD_BOOLEAN, Term

SKOLEM = "https://w3id.org/hearthgraph/.well-known/genid/"
CODED = "https://w3id.org/hearthgraph/store/kept/"
_TRUTH = {"0": "false", "1": "true"}
_PLAIN = re.compile(r"[A-Za-z0-9]+")
# What is no plain term: a truth in digits, as Virtuoso writes it, and what travels under a name of ours.
_MENDABLE = re.compile(
    rb'#boolean"\s*,\s*"value"\s*:\s*"[01]"|"value"\s*:\s*"[01]"\s*,\s*"datatype"\s*:\s*"[^"]*#boolean"|'
    + f"{re.escape(SKOLEM)}|{re.escape(CODED)}".encode()
)


def named(quads: Iterable[Quad]) -> list[Quad]:
    """The quads with IRIs in the place of blank nodes."""
    return [_skolemized(quad) for quad in quads]


def _skolemized(quad: Quad) -> Quad:
    subject, target = quad.subject, quad.object
    if not isinstance(subject, BlankNode) and not isinstance(target, BlankNode):
        return quad
    return Quad(_skolem(subject), quad.predicate, _skolem(target), quad.graph_name)


def _skolem(term: Any) -> Any:
    if not isinstance(term, BlankNode):
        return term
    name = term.value
    if not _PLAIN.fullmatch(name):
        name = "x-" + name.encode().hex()
    return NamedNode(SKOLEM + name)


def coded(quads: Iterable[Quad], datatypes: Collection[str]) -> list[Quad]:
    """The quads with the literals of these datatypes (IRIs) under a datatype of our own."""
    if not datatypes:
        return list(quads)
    return [
        Quad(quad.subject, quad.predicate, _coded(quad.object), quad.graph_name)
        if isinstance(quad.object, Literal) and quad.object.datatype.value in datatypes
        else quad
        for quad in quads
    ]


def _coded(literal: Literal) -> Literal:
    return Literal(literal.value, datatype=NamedNode(CODED + literal.datatype.value))


def plain(term: Any) -> Any:
    """A term as it was before it travelled; anything else as it is."""
    if isinstance(term, NamedNode) and term.value.startswith(SKOLEM):
        return BlankNode(_label(term.value))
    if isinstance(term, Literal):
        return _decoded(term)
    return term


def _decoded(literal: Literal) -> Literal:
    datatype = literal.datatype
    if datatype.value.startswith(CODED):
        return Literal(literal.value, datatype=NamedNode(datatype.value.removeprefix(CODED)))
    if datatype == XSD_BOOLEAN and literal.value in _TRUTH:
        return Literal(_TRUTH[literal.value], datatype=XSD_BOOLEAN)
    return literal


def _label(iri: str) -> str:
    name = iri.removeprefix(SKOLEM)
    return bytes.fromhex(name[2:]).decode() if name.startswith("x-") else name


def plain_quads(quads: Iterable[Quad]) -> list[Quad]:
    """The quads as they were before they travelled."""
    return [Quad(plain(quad.subject), quad.predicate, plain(quad.object), quad.graph_name) for quad in quads]


def plain_rows(rows: Iterable[Iterable[Term | None]]) -> list[tuple[Term | None, ...]]:
    """The rows of a result as they were before they travelled."""
    return [tuple(plain(term) for term in row) for row in rows]


def results(body: bytes, *, asks: bool = False, raw: bool = False) -> QuerySolutions | QueryBoolean:
    """SPARQL results in JSON, with terms decoded (`raw`: as they are; `plain` decodes them one by one). For a query
    that `asks`, a table of one cell is a boolean, too (Virtuoso's way).

    Raises StoreUnreachableError for a body that is no such result.
    """
    try:
        mend = asks or b"nodeID://" in body or not (raw or is_plain(body))
        return parse_query_results(_mended(body, asks=asks) if mend else body, QueryResultsFormat.JSON)
    except (ValueError, SyntaxError, KeyError, TypeError, AttributeError) as error:
        raise StoreUnreachableError(
            "The store does not answer with SPARQL results.",
            remedy="See whether the address is that of a SPARQL store.",
        ) from error


def is_plain(body: bytes) -> bool:
    """Whether the terms in SPARQL results in JSON, or in N-Triples, are as they were before they travelled."""
    return _MENDABLE.search(body) is None


def _mended(body: bytes, *, asks: bool) -> str:
    document = json.loads(body)
    if asks and "boolean" not in document:
        (row,) = document["results"]["bindings"]
        (cell,) = row.values()
        document = {"head": {}, "boolean": cell["value"] in ("1", "true")}
    for row in document.get("results", {}).get("bindings", ()):
        for cell in row.values():
            _mend(cell)
    return json.dumps(document)


def _mend(cell: dict[str, Any]) -> None:
    kind, value = cell["type"], cell["value"]
    if kind == "uri" and value.startswith(SKOLEM):
        cell.update(type="bnode", value=_label(value))
    elif kind == "bnode" and not _PLAIN.fullmatch(value):
        cell["value"] = "x" + value.encode().hex()  # what is no label in any syntax, as Virtuoso's nodeID://b1
    elif "datatype" in cell:
        datatype = cell["datatype"]
        if datatype.startswith(CODED):
            cell["datatype"] = datatype.removeprefix(CODED)
        elif datatype == XSD_BOOLEAN.value:
            cell["value"] = _TRUTH.get(value, value)
