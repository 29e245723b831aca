"""A change to a store: graphs to empty, quads to delete and to insert, gathered and cut to size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pyoxigraph import NamedNode, Quad

from engine.graph.store import UNCOUNTED

MOST_QUADS, MOST_BYTES = 1_000, 250_000
"""Of one update to a store that does not do it whole anyway: stores that compile updates run out of memory."""


@dataclass(slots=True)
class Change:
    """First `clear`, then `delete`, then `insert`; each quad once, in the order in which they came."""

    clear: list[NamedNode] = field(default_factory=list)
    delete: dict[Quad, None] = field(default_factory=dict)
    insert: dict[Quad, None] = field(default_factory=dict)

    @classmethod
    def of(cls, clear: Iterable[NamedNode], delete: Iterable[Quad], insert: Iterable[Quad]) -> Change:
        """A change from the arguments of `GraphStore.write`."""
        return cls(list(dict.fromkeys(clear)), dict.fromkeys(delete), dict.fromkeys(insert))

    def __bool__(self) -> bool:
        return bool(self.clear or self.delete or self.insert)

    @property
    def knowledge(self) -> bool:
        """Whether it touches any graph that counts for the generation."""
        touched = {*self.clear, *(quad.graph_name for quad in (*self.delete, *self.insert))}
        return bool(touched - UNCOUNTED)

    def add(self, later: Change) -> None:
        """Merges a later change that clears no graph: both at once have the effect of one after the other."""
        for quad in later.delete:
            self.insert.pop(quad, None)
        self.delete.update(later.delete)
        self.insert.update(later.insert)

    def with_books(self, gone: Sequence[Quad], come: Sequence[Quad]) -> Change:
        """The same with quads of the books, which go in last."""
        return Change(self.clear, {**self.delete, **dict.fromkeys(gone)}, {**self.insert, **dict.fromkeys(come)})

    def pieces(self) -> Iterator[Change]:
        """The same in several changes, each small enough for any store; in one, where it is small itself."""
        piece, size = Change(list(self.clear)), 0
        for quad, goes in (*((quad, True) for quad in self.delete), *((quad, False) for quad in self.insert)):
            length = len(str(quad))
            if piece and (len(piece) >= MOST_QUADS or size + length > MOST_BYTES):
                yield piece
                piece, size = Change(), 0
            (piece.delete if goes else piece.insert)[quad] = None
            size += length
        yield piece

    def __len__(self) -> int:
        return len(self.delete) + len(self.insert)
