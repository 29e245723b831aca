"""The embedded store: one Oxigraph, in memory or in a directory, that this process alone writes.

Reads take no lock and see a consistent snapshot. Writes are atomic and go one at a time: the lock is held for exactly
one update (concurrent updates on disk would lose writes without an error).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

from pyoxigraph import NamedNode, Quad, RdfFormat, Store, Triple

from engine.errors import QueryError, StoreError, StoreInUseError
from engine.graph import algebra, knowledge, queries
from engine.graph.compacting import LOCKS, copied_for_trial, open_tidy, take_place, written_beside
from engine.graph.directory import list_size, open_directory, read_through, reading, refused, try_out
from engine.graph.flushing import Flusher
from engine.graph.keeping import Kept
from engine.graph.keeping import read as knowledge_read
from engine.graph.queries import Bound, Query
from engine.graph.store import (
    UNCOUNTED,
    Derived,
    GraphStore,
    Result,
    Trial,
    ask_here,
    check,
    first_line,
    quads_of,
    read_dump,
    write_dump,
)
from engine.graph.terms import ONTOLOGY, Term

REOPENING = 10.0
"""Seconds in which whoever reads a store lets go of it, so that it can be opened anew."""
LONG_LIST = 2 << 20
"""Bytes of the database's list of its own files, which grows with each flush until the store is opened anew."""
QUADS_A_WRITE = 20
"""Of so many quads a long write counts as another one."""


_Value = TypeVar("_Value")
_of_shipped: dict[str, Any] = {}
"""What was derived from the ontology as it is shipped."""


class Overtaken(QueryError):
    """Somebody else has written since the data for this write was read."""


class EmbeddedStore(GraphStore):
    """The store of a home whose engine keeps it itself. `writes` counts them, so that copies notice that they are old.
    `own_writes` counts those to graphs of persons' own."""

    def __init__(self, store: Store, path: Path | None = None, *, remembered: Kept | None = None) -> None:
        super().__init__()
        self._kept = remembered
        self._held: Store | None = store
        self._path = path
        self._lock = threading.Lock()
        self._restoring = threading.Lock()
        self._opened = threading.Event()
        self._opened.set()
        self._failed: StoreError | None = None
        self._closed = False
        self._flusher = None if path is None else Flusher(self._tend)
        self.writes = 0
        self.own_writes = 0
        self._as_shipped = False

    @staticmethod
    def open(path: Path | None = None) -> EmbeddedStore:
        """The store in the directory `path`, which is made if missing; in memory for None. The ontology is loaded.

        Raises StoreInUseError when the directory is owned by a process, StoreVersionError when the store was written
        with an ontology that this version cannot migrate, StoreError when the directory cannot be used.
        """
        remembered = None if path is None else Kept(path)
        store = Store() if path is None else open_tidy(path)
        try:
            with reading(path):
                if remembered is not None:
                    remembered.confirm(store)
                if knowledge.refresh(store) and remembered is not None:
                    remembered.forget()
        except StoreError as error:
            del store  # and with it the directory: neither this frame nor the traceback may keep it
            raise error.with_traceback(None) from None
        opened = EmbeddedStore(store, path, remembered=remembered)
        opened._as_shipped = path is None
        return opened

    # Reading

    def select(self, query: str | Query, **values: Bound) -> list[tuple[Term | None, ...]]:
        with reading(self._path):
            return super().select(query, **values)

    def construct(self, query: str | Query, **values: Bound) -> list[Triple]:
        with reading(self._path):
            return super().construct(query, **values)

    def query_text(self, text: str) -> Result:
        algebra.refuse_services(text)
        with reading(self._path):
            return ask_here(self._store, text, union=True)

    def graph(self, name: NamedNode) -> list[Quad]:
        with reading(self._path):
            return list(self._store.quads_for_pattern(None, None, None, name))

    def graphs(self) -> list[NamedNode]:
        with reading(self._path):
            store = self._store
            return [name for name in store.named_graphs() if isinstance(name, NamedNode) and not _empty(store, name)]

    def read_through(self) -> dict[str, int]:
        """How many quads each graph holds, after all of them were read in each way. Raises StoreCorruptError."""
        return read_through(self._store, self._path or Path())

    # Writing

    def write(
        self,
        *,
        clear: Iterable[NamedNode] = (),
        delete: Iterable[Quad] = (),
        insert: Iterable[Quad] = (),
        known: bool = True,
    ) -> None:
        """As GraphStore.write. Blank nodes in `insert` get new names, unless nothing is cleared or deleted. A write to
        a person's own graph is not `known`: nothing is derived from it, and the generation stays."""
        cleared, deleted, inserted = list(clear), list(delete), list(insert)
        check(deleted, inserted)
        with self._writing():
            cleared = self._carry_out(cleared, deleted, inserted)
            touched = {*cleared, *(quad.graph_name for quad in deleted), *(quad.graph_name for quad in inserted)}
            self.generation += known and bool(touched - UNCOUNTED)
            self.terms += ONTOLOGY in touched
            self.own_writes += not known

    def _carry_out(self, cleared: list[NamedNode], deleted: list[Quad], inserted: list[Quad]) -> list[NamedNode]:
        """Writes, under the lock. Gives those graphs that there was something in to clear."""
        store = self._store
        cleared = [name for name in cleared if not _empty(store, name)]
        if not cleared and not deleted:
            _extend(store, inserted, self._path)
        else:
            text = queries.load("graph/write").bind(cleared=cleared, delete=deleted, insert=inserted)
            _update(store, text, self._path)
        self.writes += 1
        if self._flusher is not None:
            self._flusher.count(1 + (len(inserted) + len(deleted)) // QUADS_A_WRITE)
        return cleared

    def write_own(
        self, clear: Iterable[NamedNode], delete: Iterable[Quad], insert: Iterable[Quad], *, since: int
    ) -> None:
        """Writes to persons' own graphs, so that the generation stays, unless anybody has since `own_writes` was
        `since`. Raises Overtaken then, QueryError, StoreError."""
        cleared, deleted, inserted = list(clear), list(delete), list(insert)
        check(deleted, inserted)
        with self._writing():
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
        """An independent store in memory with the same contents and derived values."""
        with self._lock:
            fresh = Store()
            fresh.extend(self._store)
            copy = EmbeddedStore(fresh)
            copy.have_derived_of(self)
        return copy

    def have_derived_of(self, other: EmbeddedStore) -> None:
        """Takes over what is derived from another store with the same contents and refers to no store."""
        self.generation, self.terms, self._as_shipped = other.generation, other.terms, other._as_shipped
        self._derived = {key: one for key, one in other._derived.items() if one.portable and other._is_present(one)}

    def dump(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS) -> None:
        write_dump(self._store, path, syntax)

    def restore(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS, *, tried: Trial = lambda _: None) -> None:
        """As GraphStore.restore. Of a dump for a store in a directory no more than a part is in memory at a time: it is
        written to a store beside it, which takes its place."""
        if self._path is None or not LOCKS:
            self._restore_here(path, syntax, tried)
            return
        with self._restoring, written_beside(self._path, quads_of(path, syntax)) as new:
            own = open_directory(new)
            with reading(new):
                knowledge.check_dump(own)
                knowledge.renew(own)
                own.flush()
            del own
            with copied_for_trial(self._path, new) as copy, EmbeddedStore(copy) as trial:
                del copy
                tried(trial)
            with self._writing():
                self._replace(self._path)
                self._count_anew()

    def _restore_here(self, path: Path, syntax: RdfFormat, tried: Trial) -> None:
        """Restores a dump that is read into memory."""
        scratch = read_dump(path, syntax)
        knowledge.check_dump(scratch)
        kept = [quad for quad in scratch if quad.graph_name != ONTOLOGY]
        check((), kept)
        knowledge.renew(scratch)
        tried(EmbeddedStore(scratch))
        with self._writing():
            _update(self._store, queries.load("graph/replace").bind(insert=kept), self._path)
            self._count_anew()

    def _count_anew(self) -> None:
        """Everything has been written anew."""
        self.generation += 1
        self.terms += 1
        self.writes += 1
        self.own_writes += 1

    def _replace(self, path: Path) -> None:
        """Puts the store that was written beside this one in its place, under the lock; whoever reads meanwhile waits.
        Raises StoreError, where it stays as it was."""
        self._opened.clear()
        self._held = None
        until = monotonic() + REOPENING
        try:
            while (held := _opened_again(path, until)) is None:
                pass
            del held
            take_place(path)
        except OSError as error:
            raise refused(path, error) from error
        finally:
            self._reopen(path)

    def compact(self, *, forgotten: Iterable[NamedNode] = ()) -> None:
        """As GraphStore.compact. An Oxigraph in memory keeps deleted quads on the lists that every later query walks,
        so that each request that is journalled and forgotten slows the next ones down; one in a directory tidies up
        by itself."""
        self.write(clear=forgotten)
        if self._path is None:
            with self._lock:
                fresh = Store()
                fresh.extend(self._store)
                self._held = fresh

    def keep_derived(self) -> None:
        """Keeps what is derived for the next process now, as closing does: it starts at once then even after a kill."""
        kept, generation = self._kept, self.generation
        if kept is None:
            return
        with reading(self._path):
            found = knowledge_read(self._store)
        with self._lock:
            if self.generation == generation and not self._closed:
                if generation:
                    kept.forget()
                kept.write(self._portable(), found)

    def flush(self) -> None:
        held = self._held
        if held is not None:
            held.flush()

    def _tend(self) -> None:
        """Flushes, and opens the store anew where the list of its files has grown long. Raises OSError, StoreError."""
        self.flush()
        if self._path is None or list_size(self._path) <= LONG_LIST:
            return
        with self._lock:
            if self._failed is None and not self._closed:
                self._reopen(self._path)

    def close(self) -> None:
        if self._flusher is not None:
            self._flusher.close()
        with self._lock:
            self._closed = True
            held, self._held = self._held, None
            if held is not None:
                with suppress(OSError, RuntimeError):  # a disk that is full: what was acknowledged is in the log
                    held.flush()
                del held  # what is kept beside the files is of those of a closed store
                if self._kept is not None:
                    if self.generation:
                        self._kept.forget()
                    self._kept.write(self._portable())

    def recover(self) -> None:
        """Opens a store anew that failed to write, as on a full disk. Raises StoreError where it still cannot be."""
        with self._lock:
            self._mended()

    def __enter__(self) -> EmbeddedStore:
        return self

    # Within

    def _portable(self) -> dict[str, object]:
        """The values derived from the present generation that refer to no store, by key."""
        return {key: one.value for key, one in self._derived.items() if one.portable and self._is_present(one)}

    def _is_present(self, one: Derived) -> bool:
        return one.generation == (self.terms if one.of_terms else self.generation)

    def _built_of_terms(self, key: str, build: Callable[[], _Value]) -> _Value:
        """As GraphStore, but once a process for all stores whose ontology is still the shipped one."""
        if not self._as_shipped or self.terms:
            return build()
        if key not in _of_shipped:
            _of_shipped[key] = build()
        found: _Value = _of_shipped[key]
        return found

    def _remembered(self, key: str) -> object:
        if self._kept is None or self.generation:
            return None
        found = self._kept.get(key)
        if found is not None:
            self._derived[key] = Derived(0, found, portable=True)
        return found

    @property
    def _store(self) -> Store:
        held = self._held
        if held is None and not self._closed:
            self._opened.wait(REOPENING)
            held = self._held
        if held is None:
            raise self._failed or StoreError("The store is closed.")
        return held

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """The lock, with a store that can be written as far as is known. One that failed is opened anew before it takes
        anything: else it would go on to fail."""
        if self._flusher is not None:
            self._flusher.wait()
        with self._lock:
            self._mended()
            try:
                yield
            except StoreError as error:
                if self._path is not None and isinstance(error.__cause__, (OSError, RuntimeError)):
                    # Without its trace, whose frames hold the store that is to be let go of.
                    self._failed = StoreError(error.message, remedy=error.remedy, reason=error.reason)
                raise

    def _mended(self) -> None:
        if self._failed is None or self._path is None or self._closed:
            return
        try_out(self._path)
        self._reopen(self._path)

    def _reopen(self, path: Path) -> None:
        """Lets go of the store and opens it anew; whoever reads meanwhile waits for it. Raises StoreError."""
        self._opened.clear()
        self._held = None
        until = monotonic() + REOPENING
        try:
            while self._held is None:
                self._held = _opened_again(path, until)
        except StoreError as error:
            self._failed = StoreError(error.message, remedy=error.remedy, reason=error.reason)
            raise
        finally:
            self._opened.set()
        self._failed = None

    def _answer(self, query: Query, values: dict[str, Bound]) -> Result:
        text = query.bind(**values)
        with reading(self._path):
            return ask_here(self._store, text)


def _opened_again(path: Path, until: float) -> Store | None:
    """The store; None while somebody still reads the one that was. Raises StoreError."""
    try:
        return open_directory(path)
    except StoreInUseError:
        if monotonic() > until:
            raise
        sleep(0.02)
        return None


def _extend(store: Store, quads: list[Quad], path: Path | None) -> None:
    try:
        store.extend(quads)
    except (OSError, RuntimeError) as error:
        raise refused(path, error) from error


def _update(store: Store, text: str, path: Path | None) -> None:
    try:
        store.update(text)
    except SyntaxError as error:
        raise QueryError(f"The update is not valid: {first_line(error)}.") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise refused(path, error) from error


def _empty(store: Store, name: NamedNode) -> bool:
    return next(iter(store.quads_for_pattern(None, None, None, name)), None) is None
