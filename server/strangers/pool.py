"""The processes that answer strangers' queries: kept warm, killed when their time is over, and replaced."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import Empty, Queue
from time import monotonic
from typing import Any

from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from engine.errors import HearthgraphError, QueryError
from engine.graph.nesting import check_nesting
from engine.settings import Settings
from server.strangers.copies import Copies, Copy
from server.strangers.process import Job, QueryStopped, Reply, Worker

_log = logging.getLogger(__name__)
PATIENCE = 5.0
"""Seconds for which a query waits for a process that is free."""
INTEREST = 2.0
"""For how many times the staleness of copies after the last query they are kept fresh without being asked for."""
HOUSEHOLD = 1
"""Processes that answer only whoever may write, so that strangers cannot take all."""


class QueriesBusy(QueryError):
    """All processes are busy."""

    reason = "busy"


class NotSealed(QueryError):
    """A system that cannot take the network from a process, so that strangers may not have it ask anything."""

    reason = "not_sealed"


@dataclass(frozen=True, slots=True)
class Difference:
    """The changes of an update: the graphs to be emptied first, the quads to remove and to add, and whether any of the
    graphs that it names then describes a thing."""

    cleared: tuple[NamedNode, ...]
    removed: tuple[Quad, ...]
    added: tuple[Quad, ...]
    things: bool


@dataclass(slots=True)
class Figures:
    """The counters of the pool."""

    stopped: int = 0
    age: float = 0.0
    busy: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class _Crew:
    """Processes that answer the same people; `calls_out` where they have a network."""

    def __init__(self, settings: Settings, size: int, *, calls_out: bool = False) -> None:
        self._settings, self._calls_out, self.size = settings, calls_out, size
        self.idle: Queue[Worker] = Queue()
        for _ in range(size):
            self.idle.put(self.fresh())

    def fresh(self) -> Worker:
        """A new process."""
        return Worker(self._settings, calls_out=self._calls_out)

    def renewed(self, worker: Worker) -> Worker:
        """A new process in the place of one, which is ended."""
        worker.end()
        return self.fresh()

    def end(self, seconds: float) -> None:
        """Ends all of them, each as soon as it is free, and leaves those alone that are busy for longer."""
        for _ in range(self.size):
            try:
                self.idle.get(timeout=seconds).end()
            except Empty:
                return


class Pool:
    """Answers queries by processes of its own. Close it."""

    def __init__(self, copies: Copies, settings: Settings) -> None:
        self._copies, self._settings = copies, settings
        self._strangers = _Crew(settings, settings.sparql_processes)
        self._household = _Crew(settings, HOUSEHOLD)
        self._outgoing = _Crew(settings, 1, calls_out=True) if settings.sparql_services else None
        self._under_way: set[Worker] = set()
        self._closed = threading.Event()
        self._asked = float("-inf")
        self.figures = Figures()
        self._keeper = threading.Thread(target=self._keep_fresh, name="hearthgraph-copies", daemon=True)
        self._keeper.start()

    def ask(self, job: Job) -> Reply:
        """The reply to a query. Raises QueryStopped, QueriesBusy, NotSealed, StoreError."""
        self._asked = monotonic()
        with self._worker(*self._crews(job)) as worker:
            if not job.household and not worker.sealed():
                raise NotSealed("Queries need the token here.", remedy="Send it, or serve the home on Linux.")
            copy = self._copies.current()
            header, body = worker.ask(copy, job)
        age = self._copies.age(copy)
        self.figures.age = age
        return _reply(header, body, age)

    def search(self, path: str, documents: Sequence[str]) -> Reply:
        """The matches of a JSONPath in a list of documents, each of which is JSON. Raises QueryStopped, QueriesBusy."""
        job = {"path": path, "documents": f"[{','.join(documents)}]", "bytes": self._settings.sparql_bytes}
        with self._worker(self._strangers) as worker:
            header, body = worker.told(job)
        return _reply(header, body, 0.0)

    def attempt(self, text: str, check: Callable[[str], None]) -> Difference:
        """The changes of an update to a copy that is thrown away, by the very parser and in a process that has no
        network; `check` raises for a graph that it may not name. Raises QueryError where it fails, or changes other
        graphs than it names, QueryStopped, QueriesBusy, StoreError."""
        with self._worker(self._household, self._strangers) as worker:
            scratch = self._copies.scratch()
            try:
                header, body = worker.told({"update": text, "copy": str(scratch)}, yields=False)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
        for graph in header.get("graphs", ()):
            check(graph)
        if header["status"] != 200:
            raise QueryError(header["message"], reason=header["reason"])
        return _difference(header, body)

    @property
    def busy(self) -> int:
        """How many processes answer just now."""
        return len(self._under_way)

    @property
    def processes(self) -> tuple[int, ...]:
        """Those that are free for strangers just now, by number."""
        return tuple(worker.process.pid for worker in tuple(self._strangers.idle.queue))

    def stop(self) -> None:
        """Stops the queries under way, and begins none."""
        self._closed.set()
        for worker in tuple(self._under_way):
            worker.process.kill()

    def close(self) -> None:
        """Ends the processes; a query under way is stopped."""
        self.stop()
        self._keeper.join()
        for crew in (self._strangers, self._household, self._outgoing):
            if crew is not None:
                crew.end(PATIENCE)

    def _crews(self, job: Job) -> tuple[_Crew, ...]:
        """Who may answer: the household's own processes first where one of them asks; one that has a network only where
        it is to call out."""
        if not job.household:
            return (self._strangers,)
        if self._outgoing is not None and "service" in job.text.casefold():
            return (self._outgoing,)
        return (self._household, self._strangers)

    @contextmanager
    def _worker(self, *crews: _Crew) -> Iterator[Worker]:
        """A process that is free; one that had to be stopped, or cannot be brought forward again, is replaced."""
        crew, worker = self._free(*crews)
        self._under_way.add(worker)
        try:
            yield worker
        except BaseException as error:
            self._under_way.discard(worker)
            worker = self._replaced(crew, worker, error)
            raise
        finally:
            self._under_way.discard(worker)
            crew.idle.put(crew.renewed(worker) if worker.held_back and not self._closed.is_set() else worker)

    def _free(self, *crews: _Crew) -> tuple[_Crew, Worker]:
        if self._closed.is_set():
            raise QueriesBusy("The server is stopping.", remedy="Try again later.")
        for crew in crews:
            try:
                return crew, crew.idle.get_nowait()
            except Empty:
                continue
        try:
            return crews[0], crews[0].idle.get(timeout=PATIENCE)
        except Empty:
            raise QueriesBusy("Too many queries are running.", remedy="Try again in a moment.") from None

    def _replaced(self, crew: _Crew, worker: Worker, error: BaseException) -> Worker:
        if not isinstance(error, QueryStopped) or self._closed.is_set():
            return worker
        with self.figures.lock:
            self.figures.stopped += 1
        return crew.renewed(worker)

    def _keep_fresh(self) -> None:
        """While there are queries, opens new copies before they are asked for, in processes that are idle."""
        pause, interest = max(self._copies.staleness / 8, 0.05), INTEREST * self._copies.staleness
        while not self._closed.wait(pause):
            self._copies.tidy()
            if monotonic() - self._asked > interest or not self._copies.staleness:
                continue
            try:
                if (copy := self._copies.renewed()) is not None:
                    for _ in range(self._strangers.size):
                        self._open(copy)
                    self._copies.publish(copy)
            except HearthgraphError:
                _log.exception("the copy of the store could not be renewed")

    def _open(self, copy: Copy) -> None:
        crew = self._strangers
        try:
            worker = crew.idle.get_nowait()
        except Empty:
            return
        try:
            worker.ask(copy, None)
        except QueryStopped as error:
            worker = self._replaced(crew, worker, error)
        finally:
            crew.idle.put(crew.renewed(worker) if worker.held_back else worker)


def _reply(header: dict[str, Any], body: bytes, age: float) -> Reply:
    fault = {key: header[key] for key in ("reason", "message") if key in header}
    return Reply(header["status"], header.get("type", ""), body, age, **fault)


def _difference(header: dict[str, Any], body: bytes) -> Difference:
    check_nesting(body, RdfFormat.N_QUADS)
    removed, added = (
        tuple(parse(part, RdfFormat.N_QUADS)) for part in (body[: header["removed"]], body[header["removed"] :])
    )
    cleared = tuple(NamedNode(iri) for iri in header["cleared"])
    return Difference(cleared, removed, added, header["things"])
