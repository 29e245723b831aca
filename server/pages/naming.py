"""Names of things wherever a person looks: a label, and never a bare address."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.graph.terms import NAMESPACES, NamedNode
from engine.language.replies import replies
from server.service import service

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def name_of(iri: str) -> str:
    """The label of a thing, place, affordance or term; else the end of its address, in words."""
    registry = service().home.registry
    if iri in registry.things:
        return registry.things[iri].title
    if iri in registry.places:
        return registry.places[iri].name
    thing = registry.thing_of.get(iri)
    affordance = registry.properties.get(iri) or registry.actions.get(iri) or registry.events.get(iri)
    if thing is not None and affordance is not None:
        words = replies.property_name(iri, registry) if iri in registry.properties else _words(affordance.name)
        return f"{thing.title}: {words}"
    return registry.vocabulary.name(iri) if iri in registry.vocabulary.labels else _end_of(iri)


def names_of(iris: Iterable[str]) -> dict[str, str]:
    """The names of many, looked up in the graph where the registry has none."""
    found = {iri: name_of(iri) for iri in iris}
    plain = [NamedNode(iri) for iri, name in found.items() if name == _end_of(iri) and not iri.startswith("urn:uuid:")]
    rows = service().store.select("server/named", term=plain) if plain else []
    for term, name in rows:
        if term is not None and name is not None:
            found[term.value] = name.value
    return found


def _words(name: str) -> str:
    return _HUMP.sub(" ", name.replace("_", " ").replace("-", " ").replace(".", " ")).strip().lower()


def _end_of(iri: str) -> str:
    if iri.startswith("urn:uuid:"):
        rest = iri.removeprefix("urn:uuid:").partition("/")[2]
        return f"request, {_words(rest.replace('/', ' '))}" if rest else "request"
    graph = iri.removeprefix(f"{NAMESPACES['hg']}graph/")
    if graph != iri:
        return f"graph of {graph.replace('/', ' ')}"
    end = re.split(r"[#/:]", iri.rstrip("#/"))[-1]
    return _words(end) or iri
