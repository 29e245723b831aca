"""A copy in this process of the home's data on a server, to be read without a round trip.

It holds every graph of the home but the journal and the history, which grow without end. Of the journal it holds the
nodes that were written here lately: retrieval starts from the IRI of an intent that has just been written. Queries that
need more of the two than that are not for the mirror: see `answers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pyoxigraph import NamedNode, Quad, Store

from engine.graph import queries
from engine.graph.queries import Bound, Query
from engine.graph.remote.changes import Change
from engine.graph.remote.terms import named
from engine.graph.store import UNCOUNTED
from engine.graph.terms import HISTORY, RDF_TYPE, REQUESTS

FAR = frozenset((REQUESTS, HISTORY))
"""The graphs that are not mirrored whole."""
HAPPENING = UNCOUNTED - FAR
"""The mirrored graphs of what merely happens."""
LATELY = 20_000
"""Quads of the journal that are kept at most; then all of them go, and the server is asked."""

_JOURNAL = re.compile(r"graph\\?/(?:requests|history)\b")


class Mirror:
    """The copy. Readers take no lock; whoever writes has the store's."""

    def __init__(self, quads: Iterable[Quad] = ()) -> None:
        self.store = Store()
        self.store.bulk_extend(named(quads))
        self._lately: set[str] = set()
        self._count = 0

    def answers(self, query: Query, values: Mapping[str, Bound]) -> bool:
        """Whether the mirror gives the same result as the server: a query of the journal must start from a node that
        was written here lately."""
        if not _JOURNAL.search(query.text):
            return True
        return any(self._has(value) for value in values.values())

    def _has(self, value: Bound) -> bool:
        terms = [value] if isinstance(value, NamedNode) else value if isinstance(value, list) else []
        return bool(terms) and all(isinstance(term, NamedNode) and term.value in self._lately for term in terms)

    def empty(self, name: NamedNode) -> bool:
        """Whether a mirrored graph holds nothing."""
        return next(iter(self.store.quads_for_pattern(None, None, None, name)), None) is None

    def apply(self, change: Change) -> None:
        """Applies a change that the server has made, so that no reader sees half of it."""
        kept = self._kept(named(change.insert))
        gone = [quad for quad in change.delete if quad.graph_name != HISTORY]
        if REQUESTS in change.clear:
            self._forget_journal()
        clear = [name for name in change.clear if name not in FAR]
        if clear or gone:
            self.store.update(queries.load("graph/write").bind(cleared=clear, delete=gone, insert=kept))
        else:
            self.store.extend(kept)
        if self._count > LATELY:
            self._forget_journal()

    def replace(self, graphs: Iterable[NamedNode], quads: Iterable[Quad]) -> None:
        """Replaces the contents of these graphs by the server's."""
        self.store.update(queries.load("graph/write").bind(cleared=list(graphs), insert=named(quads)))

    def compact(self) -> None:
        """Rebuilds the store without deleted quads, which an Oxigraph in memory keeps on the lists that queries
        walk."""
        fresh = Store()
        fresh.bulk_extend(self.store)
        self.store = fresh

    def _kept(self, quads: list[Quad]) -> list[Quad]:
        """The quads that are mirrored: of the journal, those on nodes that begin here, or have begun lately."""
        born = {quad.subject for quad in quads if quad.graph_name == REQUESTS and quad.predicate == RDF_TYPE}
        self._lately.update(node.value for node in born if isinstance(node, NamedNode))
        kept = []
        for quad in quads:
            if quad.graph_name == REQUESTS:
                if isinstance(quad.subject, NamedNode) and quad.subject.value in self._lately:
                    self._count += 1
                    kept.append(quad)
            elif quad.graph_name != HISTORY:
                kept.append(quad)
        return kept

    def _forget_journal(self) -> None:
        self._lately, self._count = set(), 0
        self.store.clear_graph(REQUESTS)
        self.compact()
