"""Which graphs are the engine's own, and the trial of an update on a copy of the store."""

from __future__ import annotations

from collections.abc import Collection

from engine.errors import InputError
from engine.graph.terms import NAMESPACES
from server.service import Service, service

ENGINE = f"{NAMESPACES['hg']}graph/"


def refuse_engine_graph(iri: str) -> None:
    """Raises InputError (engine_graph) for a graph that changes only through the engine: one of its own, or the
    description of a thing."""
    if iri.startswith(ENGINE):
        raise InputError(
            f"<{iri}> changes only through the engine.",
            remedy="POST things, places, values and terms to /things, which validates them.",
            reason="engine_graph",
        )
    if iri in service().home.registry.index.documents:
        raise InputError(
            f"<{iri}> is the description of a thing.",
            remedy="PUT the whole description to /graphs?graph=…, or POST it to /things.",
            reason="engine_graph",
        )


def tried(service: Service, text: str, graphs: Collection[str]) -> None:
    """Carries an update out on a copy. Raises QueryError and its kinds for one that fails or takes too long, InputError
    for one that would bring in a thing without its being validated."""
    if service.pool.attempt(text, graphs):
        raise InputError(
            "The update describes a thing, which would not be validated.",
            remedy="POST things to /things.",
            reason="engine_graph",
        )
