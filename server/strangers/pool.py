"""The processes that answer strangers' queries: kept warm, killed when their time is over, and replaced."""

from __future__ import annotations

import json
import logging
import select
import shutil
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path
from queue import Empty, Queue
from time import monotonic
from typing import Any

from engine.errors import HearthgraphError, QueryError
from engine.settings import Settings
from server.strangers import priority
from server.strangers.copies import Copies, Copy

_log = logging.getLogger(__name__)
START = 20.0
"""Seconds that a process may take to start."""
PATIENCE = 5.0
"""Seconds for which a query waits for a process that is free."""
INTEREST = 2.0
"""For how many times the staleness of copies after the last query they are kept fresh without being asked for."""
GRACE = 0.3
"""Seconds of processor time that a query may take before it has to wait for whatever else there is to do."""


class QueryStopped(QueryError):
    """A query that took too long, or too much memory."""

    reason = "query_stopped"


class QueriesBusy(QueryError):
    """All processes are busy."""

    reason = "busy"


@dataclass(frozen=True, slots=True)
class Job:
    """A query: its text, its dataset where the protocol names one, and the media types of the result by its form."""

    text: str
    solutions: str | None
    graphs: str | None
    default: Sequence[str] = ()
    named: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a query: a status as in HTTP, the media type and the result, or the fault; `age` of the copy in
    seconds."""

    status: int
    type: str
    body: bytes
    age: float = 0.0
    reason: str = ""
    message: str = ""


class _Worker:
    """One process, at this end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._connection, theirs = Pipe()
        command = [
            sys.executable,
            "-m",
            "server.strangers.worker",
            str(theirs.fileno()),
            str(settings.sparql_megabytes),
        ]
        self.process = subprocess.Popen(
            command,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).resolve().parents[2],
        )
        theirs.close()
        priority.lower(self.process.pid)
        self._poll = select.poll()
        self._poll.register(self._connection.fileno(), select.POLLIN)
        self._ready = False
        self.held_back = False

    def ask(self, copy: Copy, job: Job | None) -> tuple[dict[str, Any], bytes]:
        """The header and the result; without a job the copy is only opened. Raises QueryStopped."""
        return self.told(self._encoded(copy, job))

    def told(self, job: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """The header and the result of a job. Raises QueryStopped."""
        seconds = self._settings.sparql_seconds
        try:
            self._await(START if not self._ready else 0)
            self._connection.send_bytes(json.dumps({**job, "seconds": seconds}).encode())
            if not (self._answers(min(GRACE, seconds)) or self._answers_late(seconds - GRACE)):
                raise QueryStopped(f"The query was stopped after {seconds:g} seconds.", remedy="Ask for less.")
            header, _, body = self._connection.recv_bytes().partition(b"\n")
            return json.loads(header), body
        except (EOFError, OSError) as error:
            raise QueryStopped("The query was stopped: it takes too much memory.", remedy="Ask for less.") from error

    def _answers(self, seconds: float) -> bool:
        """Whether there is an answer within so many seconds."""
        return bool(self._poll.poll(max(0.0, seconds) * 1000))

    def _answers_late(self, seconds: float) -> bool:
        """The same of a process that has had its grace: it goes after everybody else once it has used that up."""
        process, until = self.process.pid, monotonic() + seconds
        most = priority.spent(process) + GRACE / 2
        while (left := until - monotonic()) > 0 and priority.spent(process) < most:
            if self._answers(min(GRACE, left)):
                return True
        priority.set_back(process)
        answered = self._answers(until - monotonic())
        self.held_back = not priority.bring_forward(process)
        return answered

    def _await(self, seconds: float) -> None:
        if not self._ready and self._answers(seconds):
            self._connection.recv_bytes()
            self._ready = True
        if not self._ready:
            raise QueryStopped("A process for queries did not start.", remedy="Try again.")

    def _encoded(self, copy: Copy, job: Job | None) -> dict[str, Any]:
        about: dict[str, Any] = {"copy": str(copy.path)}
        if job is not None:
            about |= {"text": job.text, "default": list(job.default), "named": list(job.named)}
            about |= {"solutions": job.solutions, "graphs": job.graphs}
            about |= {"bytes": self._settings.sparql_bytes, "services": list(self._settings.sparql_services)}
        return about

    def end(self) -> None:
        """Kills the process."""
        self.process.kill()
        self.process.wait()
        self._connection.close()


@dataclass(slots=True)
class Figures:
    """What is counted of the pool."""

    stopped: int = 0
    age: float = 0.0
    busy: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Pool:
    """Answers queries by processes of its own. Close it."""

    def __init__(self, copies: Copies, settings: Settings) -> None:
        self._copies, self._settings = copies, settings
        self._idle: Queue[_Worker] = Queue()
        self._size = settings.sparql_processes
        self._closed = threading.Event()
        self._asked = float("-inf")
        self.figures = Figures()
        for _ in range(self._size):
            self._idle.put(_Worker(settings))
        self._keeper = threading.Thread(target=self._keep_fresh, name="hearthgraph-copies", daemon=True)
        self._keeper.start()

    def ask(self, job: Job) -> Reply:
        """What comes of a query. Raises QueryStopped, QueriesBusy, StoreError."""
        self._asked = monotonic()
        with self._worker() as worker:
            copy = self._copies.current()
            header, body = worker.ask(copy, job)
        age = self._copies.age(copy)
        self.figures.age = age
        fault = {key: header[key] for key in ("reason", "message") if key in header}
        return Reply(header["status"], header.get("type", ""), body, age, **fault)

    def search(self, path: str, documents: Sequence[str]) -> Reply:
        """What a JSONPath finds in a list of documents, each of which is JSON. Raises QueryStopped, QueriesBusy."""
        job = {"path": path, "documents": f"[{','.join(documents)}]", "bytes": self._settings.sparql_bytes}
        with self._worker() as worker:
            header, body = worker.told(job)
        fault = {key: header[key] for key in ("reason", "message") if key in header}
        return Reply(header["status"], header.get("type", ""), body, **fault)

    def attempt(self, text: str, graphs: Collection[str]) -> bool:
        """Carries an update out on a copy that is thrown away; whether any of the graphs then describes a thing. Raises
        QueryError where it fails, QueryStopped, QueriesBusy, StoreError."""
        with self._worker() as worker:
            scratch = self._copies.scratch()
            try:
                header, _ = worker.told({"update": text, "copy": str(scratch), "graphs": sorted(graphs)})
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
        if header["status"] != 200:
            raise QueryError(header["message"], reason=header["reason"])
        return bool(header["things"])

    @contextmanager
    def _worker(self) -> Iterator[_Worker]:
        """A process that is free; one that had to be stopped, or cannot be brought forward again, is replaced."""
        worker = self._free(PATIENCE)
        try:
            yield worker
        except BaseException as error:
            worker = self._replaced(worker, error)
            raise
        finally:
            self._idle.put(self._renewed(worker) if worker.held_back else worker)

    @property
    def busy(self) -> int:
        """How many processes answer just now."""
        return self._size - self._idle.qsize()

    @property
    def processes(self) -> tuple[int, ...]:
        """Those that are free just now, by number."""
        return tuple(worker.process.pid for worker in tuple(self._idle.queue))

    def close(self) -> None:
        """Ends the processes; a query under way is stopped."""
        self._closed.set()
        self._keeper.join()
        for _ in range(self._size):
            try:
                self._idle.get(timeout=self._settings.sparql_seconds + 1).end()
            except Empty:
                break

    def _free(self, seconds: float) -> _Worker:
        if self._closed.is_set():
            raise QueriesBusy("The server is stopping.", remedy="Try again later.")
        try:
            return self._idle.get(timeout=seconds)
        except Empty:
            raise QueriesBusy("Too many queries are running.", remedy="Try again in a moment.") from None

    def _replaced(self, worker: _Worker, error: BaseException) -> _Worker:
        if not isinstance(error, QueryStopped):
            return worker
        with self.figures.lock:
            self.figures.stopped += 1
        return self._renewed(worker)

    def _renewed(self, worker: _Worker) -> _Worker:
        worker.end()
        return _Worker(self._settings)

    def _keep_fresh(self) -> None:
        """While there are queries, opens new copies before they are asked for, in processes that are idle."""
        pause, interest = max(self._copies.staleness / 8, 0.05), INTEREST * self._copies.staleness
        while not self._closed.wait(pause):
            self._copies.tidy()
            if monotonic() - self._asked > interest or not self._copies.staleness:
                continue
            try:
                if (copy := self._copies.renewed()) is not None:
                    for _ in range(self._size):
                        self._open(copy)
                    self._copies.publish(copy)
            except HearthgraphError:
                _log.exception("the copy of the store could not be renewed")

    def _open(self, copy: Copy) -> None:
        try:
            worker = self._idle.get_nowait()
        except Empty:
            return
        try:
            worker.ask(copy, None)
        except QueryStopped as error:
            worker = self._replaced(worker, error)
        finally:
            self._idle.put(self._renewed(worker) if worker.held_back else worker)
