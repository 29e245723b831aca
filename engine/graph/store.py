"""The graph store: one Oxigraph, in memory or in a directory, that this process alone writes.

Reads take no lock and see a consistent snapshot. Writes are atomic and go one at a time: the lock is held for exactly
one update (concurrent updates on disk would lose writes without an error).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from pyoxigraph import (
    NamedNode,
    Quad,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Store,
    Triple,
)

from engine.errors import QueryError, StoreError, StoreInUseError, SyntaxFault
from engine.graph import knowledge, queries
from engine.graph.queries import Bound, Query
from engine.graph.terms import HISTORY, ONTOLOGY, PREFERENCES, REQUESTS, SIGNIFIERS, STATE, BlankNode, Term

_UNCOUNTED = frozenset((STATE, HISTORY, REQUESTS, SIGNIFIERS, PREFERENCES))
# How RocksDB says that another process, or this one, has the directory open.
_IN_USE = ("IO error: While lock file", "IO error: lock hold")
_Result = TypeVar("_Result", QuerySolutions, QueryBoolean, QueryTriples)


class GraphStore:
    """The embedded store. Use `GraphStore.open`, and close it or use it as a context manager.

    `generation` counts the writes that touched any graph other than state, history, requests, signifiers and
    preferences; what caches knowledge of things, words or shapes compares it.
    """

    def __init__(self, store: Store, *, in_memory: bool = False) -> None:
        self._held: Store | None = store
        self._in_memory = in_memory
        self._lock = threading.Lock()
        self.generation = 0

    @classmethod
    def open(cls, path: Path | None = None) -> GraphStore:
        """The store in the directory `path`, which is made if missing; in memory for None. The ontology is loaded.

        Raises StoreInUseError when the directory is owned by a process, StoreVersionError when the store was written
        with an ontology that this version cannot migrate, StoreError when the directory cannot be used.
        """
        store = Store() if path is None else _open_directory(path)
        try:
            knowledge.refresh(store)
        except StoreError as error:
            del store  # and with it the directory: neither this frame nor the traceback may keep it
            raise error.with_traceback(None) from None
        return cls(store, in_memory=path is None)

    # Reading

    def select(self, query: str | Query, **values: Bound) -> list[tuple[Term | None, ...]]:
        """The rows of a query, a term or None for each variable in the order of its SELECT.

        `query` is a name in `queries/`; `values` are bound as `queries` says. Raises QueryError.
        """
        return [tuple(row) for row in self._ask(query, values, QuerySolutions)]

    def ask(self, query: str | Query, **values: Bound) -> bool:
        """The answer to an ASK query. Raises QueryError."""
        return bool(self._ask(query, values, QueryBoolean))

    def construct(self, query: str | Query, **values: Bound) -> list[Triple]:
        """The triples of a CONSTRUCT query. Raises QueryError."""
        return list(self._ask(query, values, QueryTriples))

    def query_text(self, text: str) -> QuerySolutions | QueryBoolean | QueryTriples:
        """The result of a person's own SPARQL, over all graphs at once where it names none; it never calls out.

        There is no time limit here: strangers' queries belong in a process that can be killed. Raises QueryError.
        """
        queries.refuse_service(text)
        return self._run(text, union=True)

    def graph(self, name: NamedNode) -> list[Quad]:
        """The quads of one named graph."""
        return list(self._store.quads_for_pattern(None, None, None, name))

    def graphs(self) -> list[NamedNode]:
        """The named graphs that hold anything."""
        return [
            name for name in self._store.named_graphs() if isinstance(name, NamedNode) and not _empty(self._store, name)
        ]

    # Writing

    def write(
        self, *, clear: Iterable[NamedNode] = (), delete: Iterable[Quad] = (), insert: Iterable[Quad] = ()
    ) -> None:
        """Empties the graphs `clear`, then deletes and inserts quads: all of it or, on an error, nothing.

        Blank nodes in `insert` get new names, unless nothing is cleared or deleted; in `delete` they are refused, for
        they name nothing. Raises QueryError.
        """
        cleared, deleted, inserted = list(clear), list(delete), list(insert)
        _check(deleted, inserted)
        with self._lock:
            store = self._store
            cleared = [name for name in cleared if not _empty(store, name)]
            if not cleared and not deleted:
                store.extend(inserted)
            else:
                _update(store, queries.load("graph/write").bind(cleared=cleared, delete=deleted, insert=inserted))
            touched = {*cleared, *(quad.graph_name for quad in deleted), *(quad.graph_name for quad in inserted)}
            self.generation += bool(touched - _UNCOUNTED)

    # Keeping

    def dump(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS) -> None:
        """Writes the whole store to the file `path`, which is replaced only when all is written.

        Raises StoreError when it cannot be written, or when `syntax` has no named graphs.
        """
        partial = path.with_name(path.name + ".partial")
        try:
            self._store.dump(partial, syntax)
            partial.replace(path)
        except (OSError, ValueError) as error:
            partial.unlink(missing_ok=True)
            raise StoreError(f"The store cannot be written to {path}: {error}.") from error

    def restore(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS) -> None:
        """Replaces all that the store holds by what `dump` wrote to `path`; the ontology stays this version's.

        Nothing is changed when it fails: SyntaxFault for a file that does not parse, StoreVersionError for one of
        another version, StoreError for one that cannot be read.
        """
        scratch = _read_dump(path, syntax)
        knowledge.check_dump(scratch)
        kept = [quad for quad in scratch if quad.graph_name != ONTOLOGY]
        _check((), kept)
        with self._lock:
            _update(self._store, queries.load("graph/replace").bind(insert=kept))
            self.generation += 1

    def compact(self, *, forgotten: Iterable[NamedNode] = ()) -> None:
        """Empties the graphs `forgotten`, and lets go of all that was ever deleted.

        An Oxigraph in memory keeps what was deleted on the lists that every later query walks, so that each request
        that is journalled and forgotten slows the next ones down; one in a directory tidies up by itself.
        """
        self.write(clear=forgotten)
        if self._in_memory:
            with self._lock:
                fresh = Store()
                fresh.extend(self._store)
                self._held = fresh

    def flush(self) -> None:
        """Forces what was written to the disk: until then a power cut, though no crash, may lose the last writes."""
        self._store.flush()

    def close(self) -> None:
        """Lets go of the directory. Nothing can be asked of a closed store; closing it again does nothing."""
        with self._lock:
            if self._held is not None:
                self._held.flush()
                self._held = None

    def __enter__(self) -> GraphStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Within

    @property
    def _store(self) -> Store:
        if self._held is None:
            raise StoreError("The store is closed.")
        return self._held

    def _ask(self, query: str | Query, values: dict[str, Bound], expected: type[_Result]) -> _Result:
        found = queries.load(query) if isinstance(query, str) else query
        result = self._run(found.bind(**values))
        if not isinstance(result, expected):
            raise QueryError(f"Query {found.name} does not give {expected.__name__}.")
        return result

    def _run(self, text: str, *, union: bool = False) -> QuerySolutions | QueryBoolean | QueryTriples:
        try:
            return self._store.query(text, use_default_graph_as_union=union)
        except (SyntaxError, ValueError, OSError) as error:
            raise QueryError(f"The query cannot be answered: {_first_line(error)}.") from error


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


def _read_dump(path: Path, syntax: RdfFormat) -> Store:
    scratch = Store()
    try:
        scratch.load(path=str(path), format=syntax)
    except SyntaxError as error:
        raise SyntaxFault(_first_line(error), source=str(path), line=error.lineno or 0) from error
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read: {error}.") from error
    return scratch


def _check(deleted: Iterable[Quad], inserted: Iterable[Quad]) -> None:
    for quad in deleted:
        if isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode):
            raise QueryError("A quad with a blank node cannot be deleted by itself.", remedy="Clear its graph.")
    for quad in inserted:
        if not isinstance(quad.graph_name, NamedNode):
            raise QueryError(f"Only quads of named graphs can be written, not {quad}.")


def _update(store: Store, text: str) -> None:
    try:
        store.update(text)
    except SyntaxError as error:
        raise QueryError(f"The update is not valid: {_first_line(error)}.") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreError(f"The store refused a write: {_first_line(error)}.") from error


def _empty(store: Store, name: NamedNode) -> bool:
    return next(iter(store.quads_for_pattern(None, None, None, name)), None) is None


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0].rstrip(".")
