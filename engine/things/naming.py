"""A further name for a thing, written into the thing's own graph."""

from __future__ import annotations

from engine.errors import InputError
from engine.graph.terms import Literal, NamedNode, Quad
from engine.model.thing_rdf import ALIAS
from engine.things.registry import Registry


def add_name(registry: Registry, iri: str, name: str) -> None:
    """Makes `name` a name of a thing, beside those that it has. Raises InputError for a thing that is none here, and
    for an empty name."""
    thing = registry.things.get(iri)
    if thing is None:
        raise InputError(f"There is no thing {iri}.", remedy="Ask which things there are.")
    if not name.strip():
        raise InputError("A name has at least one letter.", remedy="Say the name.")
    quad = Quad(NamedNode(iri), ALIAS, Literal(name.strip(), language="en"), NamedNode(thing.document))
    registry.store.write(insert=[quad])
