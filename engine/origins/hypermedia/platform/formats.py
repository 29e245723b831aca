"""Triples as text: Turtle, N-Triples, JSON-LD with the prefixes that everybody knows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pyoxigraph import RdfFormat, serialize

from engine.graph.terms import NAMESPACES, RDF_TYPE, Triple


def turtle(triples: Iterable[Triple]) -> str:
    """Turtle, in the order of subjects, of each its classes first: the same triples make the same text."""
    text = serialize(sorted(triples, key=_order), format=RdfFormat.TURTLE, prefixes=NAMESPACES)
    return (text or b"").decode()


def jsonld(triples: Iterable[Triple]) -> str:
    """JSON-LD: a `@graph` of nodes, with IRIs shortened by the prefixes in its `@context`."""
    expanded = json.loads(serialize(sorted(triples, key=_order), format=RdfFormat.JSON_LD) or b"[]")
    used: set[str] = set()
    nodes = [_compact(one, used) for one in expanded]
    context = {prefix: NAMESPACES[prefix] for prefix in sorted(used)}
    return json.dumps({"@context": context, "@graph": nodes}, ensure_ascii=False)


def _order(triple: Triple) -> tuple[str, bool, str, str]:
    return str(triple.subject), triple.predicate != RDF_TYPE, triple.predicate.value, str(triple.object)


def _compact(value: Any, used: set[str]) -> Any:
    if isinstance(value, list):
        found = [_compact(one, used) for one in value]
        return found[0] if len(found) == 1 else found
    if not isinstance(value, dict):
        return value
    if value.keys() == {"@value"}:
        return value["@value"]
    types = value.pop(RDF_TYPE.value, None)
    about = {_short(key, used): _compact(one, used) for key, one in value.items() if key not in ("@id", "@type")}
    if types is not None:
        about["@type"] = [_short(one["@id"], used) for one in types]
    elif "@type" in value:
        about["@type"] = _short(value["@type"], used)
    return ({"@id": value["@id"]} if "@id" in value else {}) | about


def _short(iri: str, used: set[str]) -> str:
    """An IRI as `prefix:name`, where that reads back as it stands."""
    for prefix, namespace in NAMESPACES.items():
        rest = iri[len(namespace) :]
        if iri.startswith(namespace) and rest and not rest.startswith("//"):
            used.add(prefix)
            return f"{prefix}:{rest}"
    return iri
