"""Counts of writes that the engines which share a store keep in it, so that each notices the writes of others.

Each engine counts its own writes, in the update that writes, and nobody else's: so that no count is ever lost, whatever
the store does with updates that come at the same time. An engine that reads the counts again sees whether somebody
wrote since, and whether that was to knowledge or to graphs of events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import getrandbits
from time import time_ns

from pyoxigraph import Literal, NamedNode, Quad

from engine.graph.remote.promises import BOOKS, VOCABULARY
from engine.graph.remote.server import Server

WROTE, FOREIGN = NamedNode(f"{VOCABULARY}wrote"), NamedNode(f"{VOCABULARY}foreign")
MOST_WRITERS = 64
"""Writers that are remembered; of more, those who came first go."""

Counts = tuple[int, int]
"""Writes that touched knowledge, and those that did not."""


@dataclass(slots=True)
class Books:
    """The counts as last read. `me` is this engine's entry, `foreign` are the graphs that stood in the store before the
    first engine came: they are left alone."""

    me: NamedNode = field(default_factory=lambda: _new_writer())
    mine: Counts | None = None
    others: dict[str, Counts] = field(default_factory=dict)
    foreign: frozenset[NamedNode] = frozenset()

    def read(self, server: Server, *, doubt: bool = False) -> tuple[bool, bool]:
        """Reads them again: whether others have written knowledge since, and whether they have written at all. This
        engine knows its own entry better than a replica that lags behind, unless it is in `doubt`."""
        counts: dict[str, Counts] = {}
        foreign = set()
        for subject, predicate, value in server.rows("store/books"):
            if predicate == WROTE and isinstance(subject, NamedNode) and isinstance(value, Literal):
                counts[subject.value] = max(counts.get(subject.value, (-1, -1)), _counts(value.value))
            elif predicate == FOREIGN and isinstance(value, NamedNode):
                foreign.add(value)
        mine = counts.pop(self.me.value, None)
        self.mine = mine if doubt else self.mine
        knowledge = _learnt(counts) != _learnt(self.others)
        anything = counts != self.others
        self.others, self.foreign = counts, frozenset(foreign)
        return knowledge, anything

    def turned(self, *, knowledge: bool) -> Counts:
        """The counts of this engine after one more write."""
        known, happened = self.mine or (0, 0)
        return (known + 1, happened) if knowledge else (known, happened + 1)

    def turning(self, counts: Counts) -> tuple[list[Quad], list[Quad]]:
        """The quads that go and come when this engine's counts become these."""
        return ([] if self.mine is None else [self._entry(self.me.value, self.mine)]), [
            self._entry(self.me.value, counts)
        ]

    def surplus(self) -> list[Quad]:
        """The entries of more writers than need be remembered: the oldest ones."""
        old = sorted(self.others)[: -MOST_WRITERS or None] if len(self.others) > MOST_WRITERS else []
        return [self._entry(writer, self.others.pop(writer)) for writer in old]

    def left_alone(self, graphs: Iterable[NamedNode]) -> list[Quad]:
        """Takes graphs as those that stood there before; the quads that say so."""
        self.foreign = frozenset(graphs)
        return [Quad(BOOKS, FOREIGN, name, BOOKS) for name in self.foreign]

    @staticmethod
    def _entry(writer: str, counts: Counts) -> Quad:
        return Quad(NamedNode(writer), WROTE, Literal(f"{counts[0]} {counts[1]}"), BOOKS)


def _learnt(counts: dict[str, Counts]) -> dict[str, int]:
    return {writer: known for writer, (known, _) in counts.items() if known}


def _counts(text: str) -> Counts:
    """The two counts of an entry; (-1, -1) for an unreadable one, which so differs from any before."""
    known, _, happened = text.partition(" ")
    return (int(known), int(happened)) if known.isdecimal() and happened.isdecimal() else (-1, -1)


def _new_writer() -> NamedNode:
    """An IRI that sorts after those of engines that came before."""
    return NamedNode(f"https://w3id.org/hearthgraph/store/writer/{time_ns():020d}-{getrandbits(64):016x}")
