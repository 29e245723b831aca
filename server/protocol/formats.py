"""The media types of results, graphs and bodies, and their short names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import request
from pyoxigraph import RdfFormat

from engine.errors import HearthgraphError
from server import negotiation

SOLUTIONS = (
    "application/sparql-results+json",
    "application/sparql-results+xml",
    "text/csv",
    "text/tab-separated-values",
)
"""https://www.w3.org/TR/sparql11-protocol/#query-success"""
GRAPHS = ("text/turtle", "application/n-triples", "application/ld+json", "application/rdf+xml", "application/n-quads")
_ALIASES: Mapping[str, str] = {
    "application/json": "application/sparql-results+json",
    "application/xml": "application/sparql-results+xml",
    "text/xml": "application/sparql-results+xml",
    "application/x-turtle": "text/turtle",
    "text/plain": "application/n-triples",
}
SHORT: Mapping[str, str] = {
    "json": SOLUTIONS[0],
    "xml": SOLUTIONS[1],
    "csv": SOLUTIONS[2],
    "tsv": SOLUTIONS[3],
    "turtle": GRAPHS[0],
    "ntriples": GRAPHS[1],
    "jsonld": GRAPHS[2],
}
"""What `?format=` may say, for whoever cannot send a header."""
BODIES: Mapping[str, tuple[RdfFormat, str]] = {
    "text/turtle": (RdfFormat.TURTLE, ".ttl"),
    "application/x-turtle": (RdfFormat.TURTLE, ".ttl"),
    "application/n-triples": (RdfFormat.N_TRIPLES, ".nt"),
    "application/ld+json": (RdfFormat.JSON_LD, ".jsonld"),
    "application/td+json": (RdfFormat.JSON_LD, ".jsonld"),
    "application/rdf+xml": (RdfFormat.RDF_XML, ".rdf"),
}


class NoSuchFormat(HearthgraphError):
    """A body in a format that cannot be read here."""

    reason = "bad_format"


def wanted(offered: Sequence[str]) -> str | None:
    """As `negotiation.wanted`, with the short and the other names of SPARQL's media types."""
    return negotiation.wanted(offered, short=SHORT, aliases=_ALIASES)


def required(offered: Sequence[str]) -> str:
    """As `wanted`. Raises NotAcceptable where the client accepts none of them."""
    return negotiation.required(offered, short=SHORT, aliases=_ALIASES)


def body_format() -> tuple[RdfFormat, str]:
    """The format of the body, and the ending that files in it have. Raises NoSuchFormat."""
    found = BODIES.get(request.mimetype)
    if found is None:
        raise NoSuchFormat(
            f"A body of type {request.mimetype or 'unknown'} cannot be read.", remedy=f"Send {', '.join(BODIES)}."
        )
    return found
