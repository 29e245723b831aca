"""Which graphs are the engine's own, and the trial of an update on a copy of the store."""

from __future__ import annotations

from engine.errors import InputError
from engine.graph.embedded import Overtaken
from engine.graph.terms import NAMESPACES
from server.service import Service, service
from server.strangers.pool import QueriesBusy

ENGINE = f"{NAMESPACES['hg']}graph/"
TRIES = 20
"""How often an update is tried anew where somebody writes to a graph of theirs meanwhile."""


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


def carry_out(service: Service, text: str) -> None:
    """Carries an update out, whole or not at all: tries it on a copy, and applies its changes there, to the graphs that
    it names, here. Raises QueryError and its kinds for one that fails or takes too long, InputError for one of a
    graph that is the engine's, or that would bring in a thing without its being validated."""
    with service.updating:
        for _ in range(TRIES):
            own = service.store.own_writes
            found = service.pool.attempt(text, refuse_engine_graph)
            if found.things:
                raise InputError(
                    "The update describes a thing, which would not be validated.",
                    remedy="POST things to /things.",
                    reason="engine_graph",
                )
            try:
                service.store.write_own(found.cleared, found.removed, found.added, since=own)
            except Overtaken:
                continue
            return
    raise QueriesBusy("Others write too much at the same time.", remedy="Try again in a moment.")
