"""The store on a server: any that speaks SPARQL 1.1 Protocol, Update and Graph Store Protocol.

Writes go to the server first, in one request each, and into the mirror when the server has done them. Reads come from
the mirror wherever that has the data. One write goes at a time; readers wait for none. Data whose state is unknown,
because a connection broke in the middle of a write, is read again before anything else is answered.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pyoxigraph import NamedNode, Quad, RdfFormat, Store, Triple

from engine.errors import QueryError, StoreError, StoreUnreachableError
from engine.graph import algebra, knowledge, queries
from engine.graph.embedded import EmbeddedStore
from engine.graph.queries import Bound, Query
from engine.graph.remote import ontology as remote_ontology
from engine.graph.remote.access import Access
from engine.graph.remote.books import Books
from engine.graph.remote.changes import Change
from engine.graph.remote.mirror import FAR, HAPPENING, Mirror
from engine.graph.remote.promises import BOOKS, UNION_PARAMETER, Promises, probe
from engine.graph.remote.server import Server
from engine.graph.remote.terms import plain, plain_quads, plain_rows
from engine.graph.store import GraphStore, Result, Trial, ask_here, check, read_dump, write_dump
from engine.graph.terms import ONTOLOGY, Term

GATHER_SECONDS = 1.0
"""For how long writes wait for others at most."""
TRIES = 3
"""How often a store is read that changes while it is read."""
MOST_LISTED = 2_000
_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class RemoteStore(GraphStore):
    """A store on a server. Use `RemoteStore.open_at`.

    `promises` are the capabilities that were probed of the server, `round_trips` counts the requests to it.
    """

    def __init__(self, server: Server, promises: Promises) -> None:
        super().__init__()
        self.promises = promises
        self._server = server
        self._books = Books()
        self._mirror: Mirror | None = None
        self._lock = threading.RLock()
        self._pending = Change()
        self._gathering = self._failures = 0
        self._timer: threading.Timer | None = None
        self._stale = self._heard = self._closed = False

    @staticmethod
    def open_at(access: Access) -> RemoteStore:
        """Opens the store at these endpoints: probes its capabilities, and brings the ontology up to this version's.

        Raises StoreUnreachableError where nothing answers there or no store does, StoreError where it cannot hold a
        home or lets nobody in, StoreVersionError as EmbeddedStore.open does.
        """
        server = Server(access)
        try:
            promises = probe(server)
            if not (promises.evaluates or access.mirrored):
                raise StoreError(
                    "This store does not evaluate queries as SPARQL says, and there is no mirror to ask instead.",
                    remedy="Leave store_mirror on.",
                )
            server.recoded = promises.recoded
            for what, kept, consequence in promises.told():
                if not kept:
                    _log.info("this store does not promise that %s: %s", what, consequence)
            store = RemoteStore(server, promises)
            store._begin()
        except BaseException:
            server.close()
            raise
        return store

    @property
    def is_far(self) -> bool:
        """Whether each question goes to a server."""
        return True

    @property
    def round_trips(self) -> int:
        return self._server.round_trips

    @property
    def mirrored(self) -> bool:
        """Whether the home's data is read from a copy in this process."""
        return self._mirror is not None

    # Reading

    def select(self, query: str | Query, **values: Bound) -> list[tuple[Term | None, ...]]:
        return plain_rows(super().select(query, **values))

    def construct(self, query: str | Query, **values: Bound) -> list[Triple]:
        return [Triple(plain(t.subject), t.predicate, plain(t.object)) for t in super().construct(query, **values)]

    def query_text(self, text: str) -> Result:
        """As GraphStore.query_text; the server has the seconds of the access for it."""
        algebra.refuse_services(text)
        self._settled()
        return self._server.query(text, self._dataset(text))

    def graph(self, name: NamedNode) -> list[Quad]:
        mirror = self._current()
        if mirror is not None and name not in FAR:
            return plain_quads(mirror.store.quads_for_pattern(None, None, None, name))
        self._settled()
        return _persistently(lambda: self._home({g: n for g, n in self._counts().items() if g == name}))

    def graphs(self) -> list[NamedNode]:
        self._settled()
        return list(self._counts())

    # Writing

    def write(
        self, *, clear: Iterable[NamedNode] = (), delete: Iterable[Quad] = (), insert: Iterable[Quad] = ()
    ) -> None:
        """As GraphStore.write, where the server promises that. Else, and where the outcome is not known, the error says
        so, and the store is read anew before anything is answered from it."""
        change = Change.of(clear, delete, insert)
        check(change.delete, change.insert)
        with self._lock:
            mirror = self._current()
            if not change:
                return
            try:
                self._take(change, mirror)
            except StoreError:
                raise
            except BaseException:  # somebody has pressed Ctrl-C, for one: what the server does is not waited for
                self._doubt()
                raise

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """As GraphStore.gathered: waiting writes are read from the mirror meanwhile, and lost where the end fails. They
        wait for a second at most."""
        with self._lock:
            self._gathering += 1
            failures = self._failures
        try:
            yield
        finally:
            with self._lock:
                self._gathering -= 1
                self._settle()
                if self._failures != failures:
                    raise StoreError("The store could not take what was written.", remedy="Ask again.")

    def freshen(self) -> bool:
        with self._lock:
            self._settle()
            if self._current() is None or not self._heard:
                known, anything = self._books.read(self._server)
                if known:
                    self._resync()
                elif anything:
                    self._happened()
            heard, self._heard = self._heard, False
            return heard

    # Keeping

    def dump(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS) -> None:
        self._settled()
        quads = _persistently(lambda: self._home(self._counts()))
        scratch = Store()
        scratch.bulk_extend(quads)
        write_dump(scratch, path, syntax)

    def restore(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS, *, tried: Trial = lambda _: None) -> None:
        """As GraphStore.restore. A server that does not do an update whole or not at all may have done some of it when
        it fails: the error says so."""
        scratch = read_dump(path, syntax)
        knowledge.check_dump(scratch)
        kept = [quad for quad in scratch if quad.graph_name not in (ONTOLOGY, BOOKS)]
        check((), kept)
        knowledge.renew(scratch)
        tried(EmbeddedStore(scratch))
        with self._lock:
            self._settled()
            self._commit(Change.of((g for g in self._counts() if g != ONTOLOGY), (), kept), knowledge=True)
            self._pull()

    def compact(self, *, forgotten: Iterable[NamedNode] = ()) -> None:
        self.write(clear=forgotten)
        with self._lock:
            if self._mirror is not None:
                self._mirror.compact()

    def flush(self) -> None:
        self._settled()

    def close(self) -> None:
        with self._lock:
            if not self._closed:
                try:
                    self._settle()
                finally:
                    self._closed = True
                    self._server.close()

    # Within: reading

    def _answer(self, query: Query, values: dict[str, Bound]) -> Result:
        bound = {name: list(value) if isinstance(value, Iterator) else value for name, value in values.items()}
        text = query.bind(**bound)
        mirror = self._current()
        if mirror is not None and mirror.answers(query, bound):
            return ask_here(mirror.store, text)
        self._settled()
        return self._server.query(text)

    def _current(self) -> Mirror | None:
        """The mirror as it should be, read again where it is in doubt."""
        if self._closed:
            raise StoreError("The store is closed.")
        if self._stale:
            with self._lock:
                if self._stale:
                    self._books.read(self._server, doubt=True)
                    self._resync()
                    self._stale = False
        return self._mirror

    def _settled(self) -> None:
        """Sends waiting writes before the server is asked."""
        self._current()
        with self._lock:
            self._settle()

    def _counts(self) -> dict[NamedNode, int]:
        """The home's graphs on the server, with their sizes."""
        left = {BOOKS, *self._books.foreign}
        return {graph: count for graph, count in self._server.counts().items() if graph not in left}

    def _dataset(self, text: str) -> list[tuple[str, str]]:
        """The request parameters that make the server query all graphs at once. Raises QueryError where they are too
        many to list."""
        if self.promises.union or queries.names_dataset(text):
            return []
        if self.promises.union_parameter:
            return [UNION_PARAMETER]
        names = [graph.value for graph in self._counts()]
        if len(names) > MOST_LISTED:
            raise QueryError(
                "The store cannot see all graphs at once, and there are too many to list them.",
                remedy="Name the graphs in the query, with GRAPH.",
            )
        return [(f"{kind}-graph-uri", name) for kind in ("default", "named") for name in names]

    # Within: writing

    def _holds(self, name: NamedNode) -> bool:
        """Whether there is anything in a graph, as far as that is known here: others may have written to it."""
        return name in self._counts() if self._mirror is None else not self._mirror.empty(name)

    def _take(self, change: Change, mirror: Mirror | None) -> None:
        if self._gathering and not change.clear and not change.knowledge:
            self._wait(change)
            return
        self._settle()
        emptied = [name for name in change.clear if self._holds(name)]
        self._commit(change, knowledge=Change(emptied, change.delete, change.insert).knowledge)
        if mirror is not None:
            mirror.apply(change)

    def _wait(self, change: Change) -> None:
        """Lets a change wait for others; it is in the mirror at once."""
        if self._mirror is not None:
            self._mirror.apply(change)
        self._pending.add(change)
        if self._timer is None:
            self._timer = threading.Timer(GATHER_SECONDS, self._waited)
            self._timer.daemon = True
            self._timer.start()

    def _waited(self) -> None:
        with self._lock:
            try:
                self._settle()
            except StoreError:  # those who gathered hear of it at their end
                self._failures += 1

    def _settle(self) -> None:
        """Sends waiting writes."""
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        pending, self._pending = self._pending, Change()
        if pending:
            try:
                self._commit(pending)
            except StoreError:
                self._doubt()  # the mirror has it already
                raise

    def _commit(self, change: Change, *, knowledge: bool | None = None) -> None:
        """Sends a change with the turn of the books. Raises as Server.update, and says whether the outcome is known."""
        known = change.knowledge if knowledge is None else knowledge
        counts = self._books.turned(knowledge=known)
        whole = change.with_books(*self._books.turning(counts))
        try:
            for piece in [whole] if self.promises.all_or_nothing else whole.pieces():
                self._server.change(piece.clear, piece.delete, piece.insert)
        except StoreUnreachableError as error:
            self._doubt()
            raise StoreUnreachableError(
                f"{error.message} Whether it has written what it was told is not known: it is read again.",
                remedy=error.remedy,
            ) from error
        except StoreError as error:
            if self.promises.all_or_nothing:
                raise
            self._doubt()
            raise type(error)(f"{error.message} Some of it may have been written.", remedy=error.remedy) from error
        self._books.mine = counts
        self.generation += known
        self.terms += known

    def _doubt(self) -> None:
        self._stale = True

    # Within: what others do

    def _begin(self) -> None:
        """Takes the store over as it is, with the ontology of this version."""
        self._books.read(self._server)
        graphs = self._server.counts()
        come: list[Quad] = []
        if ONTOLOGY not in graphs and BOOKS not in graphs:
            come = self._books.left_alone(graphs)
        gone = self._books.surplus()
        if come or gone:
            self._server.change((), gone, come)
        self._refresh_ontology()
        self._pull()

    def _refresh_ontology(self) -> None:
        marker, version = remote_ontology.stored(self._server)
        if marker == knowledge.digest():
            return
        shipped = knowledge.shipped()
        update = knowledge.migration(version or shipped.version)
        if update:
            self._server.update(update, again=False)
        marked = [quad for quad in shipped.quads if quad.predicate == knowledge.CONTENT]
        rest = [quad for quad in shipped.quads if quad.predicate != knowledge.CONTENT]
        if self.promises.graph_store:
            self._server.put_graph(ONTOLOGY, rest)
            self._commit(Change.of((), (), marked))
        else:
            self._commit(Change.of((ONTOLOGY,), (), [*rest, *marked]))

    def _resync(self) -> None:
        """Takes all of it in anew."""
        self._pull()
        self.generation += 1
        self.terms += 1
        self._heard = True

    def _pull(self) -> None:
        if self._server.access.mirrored:
            self._mirror = Mirror(
                _persistently(lambda: self._home({g: n for g, n in self._counts().items() if g not in FAR}))
            )

    def _home(self, counts: dict[NamedNode, int]) -> list[Quad]:
        """The quads of graphs. The ontology, which is as this version has it since the store was opened, comes from the
        files, unless somebody has added to it."""
        shipped = remote_ontology.shipped()
        if counts.get(ONTOLOGY) != len(shipped):
            return self._server.fetch(counts)
        return [*shipped, *self._server.fetch({graph: n for graph, n in counts.items() if graph != ONTOLOGY})]

    def _happened(self) -> None:
        """Reads the graphs of events (state, journal and the like) that others wrote to."""
        if self._mirror is not None:
            counts = {graph: n for graph, n in self._counts().items() if graph in HAPPENING}
            self._mirror.replace(HAPPENING, _persistently(lambda: self._server.fetch(counts)))
        self._heard = True


def _persistently(read: Callable[[], _T]) -> _T:
    """The result of a read of a store that others write to: again, where it has changed in between."""
    for _ in range(TRIES - 1):
        try:
            return read()
        except StoreUnreachableError as error:
            if error.__cause__ is not None:  # no answer at all
                raise
    return read()
