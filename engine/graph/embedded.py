"""The embedded store: one Oxigraph, in memory or in a directory, that this process alone writes.

Reads take no lock and see a consistent snapshot. Writes are atomic and go one at a time: the lock is held for exactly
one update (concurrent updates on disk would lose writes without an error).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from pyoxigraph import NamedNode, Quad, RdfFormat, Store

from engine.errors import QueryError, StoreError, StoreInUseError
from engine.graph import algebra, knowledge, queries
from engine.graph.keeping import Kept
from engine.graph.queries import Bound, Query
from engine.graph.store import (
    UNCOUNTED,
    Derived,
    GraphStore,
    Result,
    ask_here,
    check,
    first_line,
    read_dump,
    write_dump,
)
from engine.graph.terms import ONTOLOGY

# How RocksDB says that another process, or this one, has the directory open.
_IN_USE = ("IO error: While lock file", "IO error: lock hold")


class Overtaken(QueryError):
    """Somebody else has written since what is to be written was found."""


class EmbeddedStore(GraphStore):
    """The store of a home whose engine keeps it itself. `writes` counts them: what has a copy of it compares that.
    `own_writes` counts those to graphs of persons' own."""

    def __init__(self, store: Store, *, in_memory: bool = False, remembered: Kept | None = None) -> None:
        super().__init__()
        self._kept = remembered
        self._held: Store | None = store
        self._in_memory = in_memory
        self._lock = threading.Lock()
        self.writes = 0
        self.own_writes = 0

    @staticmethod
    def open(path: Path | None = None) -> EmbeddedStore:
        """As GraphStore.open."""
        remembered = None if path is None else Kept(path)
        store = Store() if path is None else _open_directory(path)
        try:
            if knowledge.refresh(store) and remembered is not None:
                remembered.forget()
        except StoreError as error:
            del store  # and with it the directory: neither this frame nor the traceback may keep it
            raise error.with_traceback(None) from None
        return EmbeddedStore(store, in_memory=path is None, remembered=remembered)

    # Reading

    def query_text(self, text: str) -> Result:
        algebra.refuse_services(text)
        return ask_here(self._store, text, union=True)

    def graph(self, name: NamedNode) -> list[Quad]:
        return list(self._store.quads_for_pattern(None, None, None, name))

    def graphs(self) -> list[NamedNode]:
        return [
            name for name in self._store.named_graphs() if isinstance(name, NamedNode) and not _empty(self._store, name)
        ]

    # Writing

    def write(
        self,
        *,
        clear: Iterable[NamedNode] = (),
        delete: Iterable[Quad] = (),
        insert: Iterable[Quad] = (),
        known: bool = True,
    ) -> None:
        """As GraphStore.write. Blank nodes in `insert` get new names, unless nothing is cleared or deleted. What is not
        `known` is a person's own graph, which the engine keeps nothing of: the generation stays."""
        cleared, deleted, inserted = list(clear), list(delete), list(insert)
        check(deleted, inserted)
        with self._lock:
            cleared = self._carry_out(cleared, deleted, inserted)
            touched = {*cleared, *(quad.graph_name for quad in deleted), *(quad.graph_name for quad in inserted)}
            self.generation += known and bool(touched - UNCOUNTED)
            self.own_writes += not known

    def _carry_out(self, cleared: list[NamedNode], deleted: list[Quad], inserted: list[Quad]) -> list[NamedNode]:
        """Writes, under the lock. Gives those graphs that there was something in to clear."""
        store = self._store
        cleared = [name for name in cleared if not _empty(store, name)]
        if not cleared and not deleted:
            store.extend(inserted)
        else:
            _update(store, queries.load("graph/write").bind(cleared=cleared, delete=deleted, insert=inserted))
        self.writes += 1
        return cleared

    def write_own(
        self, clear: Iterable[NamedNode], delete: Iterable[Quad], insert: Iterable[Quad], *, since: int
    ) -> None:
        """Writes to persons' own graphs, so that the generation stays, unless anybody has since `own_writes` was
        `since`. Raises Overtaken then, QueryError, StoreError."""
        cleared, deleted, inserted = list(clear), list(delete), list(insert)
        check(deleted, inserted)
        with self._lock:
            if self.own_writes != since:
                raise Overtaken("Somebody else has written meanwhile.")
            self._carry_out(cleared, deleted, inserted)
            self.own_writes += 1

    # Keeping

    def backup(self, path: Path, *, without: Iterable[NamedNode] = ()) -> None:
        """Copies the store to a new directory, which shares its files where it can (a few milliseconds); the graphs
        `without` are not in the copy. StoreError for a store in memory, and where the directory cannot be made."""
        try:
            self._store.backup(str(path))
            if withheld := [name for name in without if not _empty(self._store, name)]:
                copy = Store(str(path))
                for name in withheld:
                    copy.remove_graph(name)
                copy.flush()
        except (OSError, RuntimeError, ValueError) as error:
            raise StoreError(f"The store cannot be copied to {path}: {first_line(error)}.") from error

    def copied(self) -> EmbeddedStore:
        """A store in memory that holds the same and knows what was derived from it, but goes on by itself."""
        with self._lock:
            fresh = Store()
            fresh.extend(self._store)
            copy = EmbeddedStore(fresh, in_memory=True)
            copy.generation = self.generation
            copy._derived = {key: Derived(self.generation, one, portable=True) for key, one in self._portable().items()}
        return copy

    def dump(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS) -> None:
        write_dump(self._store, path, syntax)

    def restore(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS) -> None:
        scratch = read_dump(path, syntax)
        knowledge.check_dump(scratch)
        kept = [quad for quad in scratch if quad.graph_name != ONTOLOGY]
        check((), kept)
        with self._lock:
            _update(self._store, queries.load("graph/replace").bind(insert=kept))
            self.generation += 1
            self.writes += 1

    def compact(self, *, forgotten: Iterable[NamedNode] = ()) -> None:
        """As GraphStore.compact. An Oxigraph in memory keeps what was deleted on the lists that every later query
        walks, so that each request that is journalled and forgotten slows the next ones down; one in a directory tidies
        up by itself."""
        self.write(clear=forgotten)
        if self._in_memory:
            with self._lock:
                fresh = Store()
                fresh.extend(self._store)
                self._held = fresh

    def flush(self) -> None:
        self._store.flush()

    def close(self) -> None:
        with self._lock:
            if self._held is not None:
                self._held.flush()
                self._held = None
                if self._kept is not None:
                    if self.generation:
                        self._kept.forget()
                    self._kept.write(self._portable())

    # Within

    def _portable(self) -> dict[str, object]:
        """What is derived from the present generation and refers to no store."""
        present = ((key, one) for key, one in self._derived.items() if one.generation == self.generation)
        return {key: one.value for key, one in present if one.portable}

    def _remembered(self, key: str) -> object:
        if self._kept is None or self.generation:
            return None
        found = self._kept.get(key)
        if found is not None:
            self._derived[key] = Derived(0, found, portable=True)
        return found

    @property
    def _store(self) -> Store:
        if self._held is None:
            raise StoreError("The store is closed.")
        return self._held

    def _answer(self, query: Query, values: dict[str, Bound]) -> Result:
        return ask_here(self._store, query.bind(**values))


def _open_directory(path: Path) -> Store:
    try:
        path.mkdir(parents=True, exist_ok=True)
        return Store(str(path))
    except OSError as error:
        if str(error).startswith(_IN_USE):
            raise StoreInUseError(
                f"The store in {path} is in use by another process.",
                remedy="Stop that process, ask the server that owns it, or name another directory in "
                "HEARTHGRAPH_STORE.",
            ) from error
        raise StoreError(
            f"The store in {path} cannot be opened: {error}.",
            remedy="Name a directory that you can write in HEARTHGRAPH_STORE.",
        ) from error


def _update(store: Store, text: str) -> None:
    try:
        store.update(text)
    except SyntaxError as error:
        raise QueryError(f"The update is not valid: {first_line(error)}.") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreError(f"The store refused a write: {first_line(error)}.") from error


def _empty(store: Store, name: NamedNode) -> bool:
    return next(iter(store.quads_for_pattern(None, None, None, name)), None) is None
