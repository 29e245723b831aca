"""Namespaces, graph names, and the way between Python values and RDF terms."""

from __future__ import annotations

import json
import math
from datetime import datetime
from functools import lru_cache
from typing import TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

__all__ = ["BlankNode", "Literal", "NamedNode", "Quad", "Triple"]

Node = NamedNode | BlankNode
Term = NamedNode | BlankNode | Literal

NAMESPACES: dict[str, str] = {
    "hg": "https://w3id.org/hearthgraph#",
    "td": "https://www.w3.org/2019/wot/td#",
    "hctl": "https://www.w3.org/2019/wot/hypermedia#",
    "js": "https://www.w3.org/2019/wot/json-schema#",
    "wotsec": "https://www.w3.org/2019/wot/security#",
    "htv": "http://www.w3.org/2011/http#",
    "hmas": "https://purl.org/hmas/",
    "sh": "http://www.w3.org/ns/shacl#",
    "prov": "http://www.w3.org/ns/prov#",
    "sosa": "http://www.w3.org/ns/sosa/",
    "ssn": "http://www.w3.org/ns/ssn/",
    "bot": "https://w3id.org/bot#",
    "saref": "https://saref.etsi.org/core/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "https://schema.org/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


@lru_cache(maxsize=4096)
def expand(curie: str) -> str:
    """`hg:Light` → its IRI. Raises KeyError for an unknown prefix."""
    prefix, _, name = curie.partition(":")
    return NAMESPACES[prefix] + name


@lru_cache(maxsize=4096)
def node(curie: str) -> NamedNode:
    """`hg:Light` → NamedNode."""
    return NamedNode(expand(curie))


def compact(iri: str) -> str:
    """The shortest `prefix:name` of an IRI, or the IRI itself."""
    for prefix, namespace in NAMESPACES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri[len(namespace) :]}"
    return iri


def graph(name: str) -> NamedNode:
    """The named graph `hg:graph/<name>`."""
    return NamedNode(f"{NAMESPACES['hg']}graph/{name}")


ONTOLOGY = graph("ontology")
PLACES = graph("places")
INFERRED = graph("inferred")
STATE = graph("state")
HISTORY = graph("history")
REQUESTS = graph("requests")
SIGNIFIERS = graph("signifiers")
MEMORY = graph("memory")
POLICIES = graph("policies")
EXPLORED = graph("explored")
ARTIFACTS = graph("artifacts")
AGENTS = graph("agents")
RULES = graph("rules")

RDF_TYPE = node("rdf:type")
RDF_JSON = node("rdf:JSON")
XSD_BOOLEAN = node("xsd:boolean")
XSD_INTEGER = node("xsd:integer")
XSD_DOUBLE = node("xsd:double")
XSD_DATETIME = node("xsd:dateTime")
_NUMBERS = {
    expand(f"xsd:{name}")
    for name in ("decimal", "double", "float", "integer", "int", "long", "short", "byte", "nonNegativeInteger")
}
_INTEGERS = {expand(f"xsd:{name}") for name in ("integer", "int", "long", "short", "byte", "nonNegativeInteger")}

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


def literal(value: object) -> Literal:
    """A JSON value or a datetime as a literal: lists, objects and null become `rdf:JSON`, floats `xsd:double`."""
    if isinstance(value, bool):
        return Literal("true" if value else "false", datatype=XSD_BOOLEAN)
    if isinstance(value, int):
        return Literal(str(value), datatype=XSD_INTEGER)
    if isinstance(value, float):
        text = "NaN" if math.isnan(value) else ("INF" if value > 0 else "-INF") if math.isinf(value) else repr(value)
        return Literal(text, datatype=XSD_DOUBLE)
    if isinstance(value, str):
        return Literal(value)
    if isinstance(value, datetime):
        return Literal(value.isoformat(), datatype=XSD_DATETIME)
    return Literal(json.dumps(value, separators=(",", ":"), ensure_ascii=False), datatype=RDF_JSON)


def python(term: Term) -> object:
    """A term as Python: IRIs and blank nodes as strings, literals by datatype (an ill-formed one stays a string)."""
    if not isinstance(term, Literal):
        return term.value
    datatype = term.datatype.value
    try:
        if datatype == XSD_BOOLEAN.value:
            return term.value in ("true", "1")
        if datatype in _INTEGERS:
            return int(term.value)
        if datatype in _NUMBERS:
            return float(term.value.replace("INF", "inf"))
        if datatype == RDF_JSON.value:
            return json.loads(term.value)
    except ValueError:
        return term.value
    return term.value
