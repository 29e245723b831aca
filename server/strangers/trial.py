"""Tries a person's update on a copy of the store, to see its changes.

The graphs that it names are read off its algebra; its changes are read off the copy afterwards. Only the latter, and
only in the graphs that it names, ever go into the store.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyoxigraph import BlankNode, NamedNode, Quad, RdfFormat, Store, serialize

from engine.errors import QueryError
from engine.graph import algebra
from engine.graph.queries import load

Graphs = Mapping[str, frozenset[Quad]]


def read(text: str) -> tuple[str, frozenset[str]]:
    """The text of an update as every parser reads it, and the graphs that it names. Raises QueryError."""
    plain = algebra.unescaped(text)
    return plain, algebra.targets(plain)


def attempt(store: Store, plain: str, named: frozenset[str]) -> tuple[dict[str, Any], bytes]:
    """The changes of a parsed update to `store`: the graphs to be emptied (`cleared`), whether those that it names
    describe `things` afterwards; and the removed quads, `removed` bytes of them, before the added ones. Raises
    QueryError where it changes a graph that it does not name, and the store's errors."""
    before, others = _held(store, named), _counted(store, named)
    store.update(plain)
    if _counted(store, named) != others:
        raise QueryError(
            "The update changes a graph that it does not name.",
            remedy="Name each graph, as in GRAPH <iri>.",
        )
    after = _held(store, named)
    cleared, removed, added = _difference(before, after)
    graphs = [NamedNode(iri) for iri in named]
    things = bool(graphs) and bool(store.query(load("server/things_in").bind(graph=graphs)))
    gone, come = (serialize(quads, format=RdfFormat.N_QUADS) or b"" for quads in (removed, added))
    told = {"status": 200, "cleared": cleared, "removed": len(gone), "things": things}
    return told, gone + come


def _held(store: Store, graphs: frozenset[str]) -> Graphs:
    return {iri: frozenset(store.quads_for_pattern(None, None, None, NamedNode(iri))) for iri in graphs}


def _counted(store: Store, but: frozenset[str]) -> dict[str, str]:
    """How many quads every other graph holds."""
    rows = store.query(load("server/graph_sizes").bind())
    counts = {row["graph"].value: row["statements"].value for row in rows}  # type: ignore[union-attr]
    return {graph: count for graph, count in counts.items() if graph not in but}


def _difference(before: Graphs, after: Graphs) -> tuple[list[str], list[Quad], list[Quad]]:
    """The graphs to empty, the quads to delete and those to insert. A blank node has no name by which to delete it: a
    graph that loses quads, and in which lost or added ones have a blank node, is written anew."""
    cleared, removed, added = [], list[Quad](), list[Quad]()
    for iri, held in before.items():
        gone, come = held - after[iri], after[iri] - held
        if gone and any(map(_anonymous, gone | come)):
            cleared.append(iri)
            added += after[iri]
        else:
            removed += gone
            added += come
    return cleared, removed, added


def _anonymous(quad: Quad) -> bool:
    return isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode)
