"""The graph store, as everybody sees it: the embedded one and one on a server have the same surface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from pyoxigraph import NamedNode, Quad, QueryBoolean, QuerySolutions, QueryTriples, RdfFormat, Store, Triple, parse

from engine.errors import QueryError, StoreError, SyntaxFault
from engine.graph import queries
from engine.graph.nesting import check_file
from engine.graph.queries import Bound, Query
from engine.graph.terms import (
    AGENTS,
    ARTIFACTS,
    EXPLORED,
    HISTORY,
    MEMORY,
    REQUESTS,
    RULES,
    SIGNIFIERS,
    STATE,
    BlankNode,
    Term,
)

UNCOUNTED = frozenset((STATE, HISTORY, REQUESTS, SIGNIFIERS, MEMORY, EXPLORED, ARTIFACTS, AGENTS, RULES))
"""The graphs of what merely happens: what caches knowledge need not look when they change."""

Result = QuerySolutions | QueryBoolean | QueryTriples
_Result = TypeVar("_Result", QuerySolutions, QueryBoolean, QueryTriples)
_Value = TypeVar("_Value")
Trial = Callable[["GraphStore"], object]
"""Raises an error where the contents of a store are not fit for what is to be done with them. It may write to the
store, which nobody else has, and close it."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A value derived from the knowledge in a store at one generation, or `of_terms` alone at one state of these. A
    `portable` value refers to no store, so that a copy of the store may have it, too."""

    generation: int
    value: Any
    portable: bool
    of_terms: bool = False


class GraphStore(ABC):
    """A store of named graphs. `graph.embedded.EmbeddedStore.open` opens one on this machine,
    `graph.remote.store.RemoteStore.open_at` one on a server; close it or use it as a context manager.

    `generation` counts the writes that touched any graph other than state, history, requests, signifiers, preferences,
    explored, artifacts, agents and rules; caches of things, words or shapes compare it. `terms` counts the writes that
    touched the ontology, or may have. `round_trips` counts the requests to a server; an embedded store has none.
    """

    def __init__(self) -> None:
        self.generation = self.terms = 0
        self._derived: dict[str, Derived] = {}

    # Reading

    def select(self, query: str | Query, **values: Bound) -> list[tuple[Term | None, ...]]:
        """The rows of a query, a term or None for each variable in the order of its SELECT.

        `query` is a name in `queries/`; `values` are bound as `queries` says. Raises QueryError.
        """
        plain, columns = queries.apart(query) if isinstance(query, str) else (query, ())
        rows = [tuple(row) for row in self._ask(plain, values, QuerySolutions)]
        return queries.ordered(rows, columns) if columns else rows

    def ask(self, query: str | Query, **values: Bound) -> bool:
        """The answer to an ASK query. Raises QueryError."""
        return bool(self._ask(query, values, QueryBoolean))

    def construct(self, query: str | Query, **values: Bound) -> list[Triple]:
        """The triples of a CONSTRUCT query. Raises QueryError."""
        return list(self._ask(query, values, QueryTriples))

    @abstractmethod
    def query_text(self, text: str) -> Result:
        """The result of a person's own SPARQL, over all graphs at once where it names none; it never calls out.

        There is no time limit here: strangers' queries belong in a process that can be killed. Raises QueryError.
        """

    @abstractmethod
    def graph(self, name: NamedNode) -> list[Quad]:
        """The quads of one named graph."""

    @abstractmethod
    def graphs(self) -> list[NamedNode]:
        """The named graphs that hold anything."""

    def derived(self, key: str, build: Callable[[], _Value], *, portable: bool = False) -> _Value:
        """The value of `build`, which reads knowledge of this store, kept under `key` until the generation changes."""
        found: _Value | None = self.kept(key)
        if found is not None:
            return found
        generation = self.generation
        built = build()
        self._derived[key] = Derived(generation, built, portable)
        return built

    def of_terms(self, key: str, build: Callable[[], _Value], *, kept: bool = True) -> _Value:
        """The value of `build`, which reads the ontology alone and refers to no store, kept under `key` until the
        ontology changes: that of a home may change with each thing. What is not `kept` is not there for the next
        process, nor for a copy."""
        known = self._derived.get(key)
        if known is not None and known.generation == self.terms:
            found: _Value = known.value
            return found
        terms = self.terms
        remembered: _Value | None = self._remembered(key)
        built = self._built_of_terms(key, build) if remembered is None else remembered
        self._derived[key] = Derived(terms, built, portable=kept, of_terms=True)
        return built

    def _built_of_terms(self, key: str, build: Callable[[], _Value]) -> _Value:  # noqa: ARG002
        return build()

    def keep(self, key: str, value: object, generation: int) -> None:
        """Stores a portable value that was updated to a generation as the value derived at it."""
        self._derived[key] = Derived(generation, value, portable=True)

    def kept(self, key: str) -> Any:
        """The derived value of the present generation, or None where it is yet to be built."""
        known = self._derived.get(key)
        if known is None:
            return self._remembered(key)
        return known.value if known.generation == self.generation else None

    def _remembered(self, key: str) -> Any:  # noqa: ARG002
        """The value that an earlier process derived from the same graph; None where none is kept."""
        return None

    # Writing

    @abstractmethod
    def write(
        self, *, clear: Iterable[NamedNode] = (), delete: Iterable[Quad] = (), insert: Iterable[Quad] = ()
    ) -> None:
        """Empties the graphs `clear`, then deletes and inserts quads: all of it or, on an error, nothing.

        Blank nodes in `insert` may get new names; in `delete` they are refused, for they name nothing. Raises
        QueryError, StoreError.
        """

    def gathered(self) -> AbstractContextManager[None]:
        """Within it, writes to graphs of events may wait for each other, to go to a server in one request at its end,
        which raises StoreError where that fails. An embedded store writes at once."""
        return nullcontext()

    def freshen(self) -> bool:
        """Reads the writes of others to a server; True where there are some, so that cached state is to be read anew.
        Nobody else writes to an embedded store. Raises StoreError."""
        return False

    # Keeping

    @abstractmethod
    def dump(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS) -> None:
        """Writes the whole store to the file `path`, which is replaced only when all is written.

        Raises StoreError when it cannot be written, or when `syntax` has no named graphs.
        """

    @abstractmethod
    def restore(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS, *, tried: Trial = lambda _: None) -> None:
        """Replaces the contents of the store by a dump from `path`; the ontology stays this version's.

        Before anything is changed `tried` gets a store of its own with the contents of the dump. Nothing is changed
        when it raises an error, or something else fails: SyntaxFault for a file that does not parse, StoreVersionError
        for one of another version, StoreError for one that cannot be read.
        """

    @abstractmethod
    def compact(self, *, forgotten: Iterable[NamedNode] = ()) -> None:
        """Empties the graphs `forgotten`, and lets go of all that was ever deleted."""

    @abstractmethod
    def flush(self) -> None:
        """Forces writes to the disk: until then a power cut, though no crash, may lose them."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of the store. Nothing can be asked of a closed one; closing it again does nothing."""

    @property
    def is_far(self) -> bool:
        """Whether each question goes to a server."""
        return False

    @property
    def round_trips(self) -> int:
        """How many requests went to a server."""
        return 0

    def __enter__(self) -> GraphStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Within

    @abstractmethod
    def _answer(self, query: Query, values: dict[str, Bound]) -> Result:
        """The result of a query with its values."""

    def _ask(self, query: str | Query, values: dict[str, Bound], expected: type[_Result]) -> _Result:
        found = queries.load(query) if isinstance(query, str) else query
        result = self._answer(found, values)
        if not isinstance(result, expected):
            raise QueryError(f"Query {found.name} does not give {expected.__name__}.")
        return result


def ask_here(store: Store, text: str, *, union: bool = False) -> Result:
    """The result of a SPARQL query on an Oxigraph store in this process. Raises QueryError with the fault in one
    line."""
    try:
        return store.query(text, use_default_graph_as_union=union)
    except (SyntaxError, ValueError) as error:
        raise QueryError(f"The query cannot be answered: {first_line(error)}.") from error


def check(deleted: Iterable[Quad], inserted: Iterable[Quad]) -> None:
    """Raises QueryError for quads that cannot be deleted (blank nodes) or inserted (no named graph)."""
    for quad in deleted:
        if isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode):
            raise QueryError("A quad with a blank node cannot be deleted by itself.", remedy="Clear its graph.")
    for quad in inserted:
        if not isinstance(quad.graph_name, NamedNode):
            raise QueryError(f"Only quads of named graphs can be written, not {quad}.")


def write_dump(store: Store, path: Path, syntax: RdfFormat) -> None:
    """Writes `store` to the file `path`, which is replaced only when all is written. Raises StoreError."""
    partial = path.with_name(path.name + ".partial")
    try:
        store.dump(partial, syntax)
        partial.replace(path)
    except (OSError, ValueError) as error:
        partial.unlink(missing_ok=True)
        raise StoreError(f"The store cannot be written to {path}: {error}.") from error


def read_dump(path: Path, syntax: RdfFormat) -> Store:
    """The contents of a dump, in memory. Raises SyntaxFault, StoreError."""
    scratch = Store()
    try:
        check_file(path, syntax)
        scratch.load(path=str(path), format=syntax)
    except SyntaxError as error:
        raise SyntaxFault(first_line(error), source=str(path), line=error.lineno or 0) from error
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read: {error}.") from error
    return scratch


def quads_of(path: Path, syntax: RdfFormat) -> Iterator[Quad]:
    """The quads of a dump as they are read. Raises SyntaxFault, StoreError, QueryError for one in no named graph."""
    try:
        check_file(path, syntax)
        for quad in parse(path=str(path), format=syntax):
            assert isinstance(quad, Quad)
            check((), (quad,))
            yield quad
    except SyntaxError as error:
        raise SyntaxFault(first_line(error), source=str(path), line=error.lineno or 0) from error
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read: {error}.") from error


def first_line(error: BaseException) -> str:
    """The first line of an error's message, without its full stop."""
    return str(error).partition("\n")[0].rstrip(".")
