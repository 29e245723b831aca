"""The version of the ontology in a store on a server, and this version's quads as that store keeps them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pyoxigraph import Literal, NamedNode, Quad, Store

from engine.graph import knowledge
from engine.graph.remote.server import Server
from engine.graph.terms import Term


@cache
def shipped() -> tuple[Quad, ...]:
    """The ontology of this version: literals in their canonical form, and each quad once."""
    scratch = Store()
    scratch.bulk_extend(knowledge.shipped().quads)
    return tuple(scratch)


def stored(server: Server) -> tuple[str | None, str | None]:
    """The hash of the files that the server's ontology came from, and its version; None where it does not say."""
    rows = server.rows("store/version")
    return _said(rows, knowledge.CONTENT), _said(rows, knowledge.VERSION)


def _said(rows: Iterable[tuple[Term | None, ...]], predicate: NamedNode) -> str | None:
    return next((value.value for name, value in rows if name == predicate and isinstance(value, Literal)), None)
