"""One process that answers strangers' queries, at this end: asked, waited for, and killed when its time is over."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from pathlib import Path
from time import monotonic
from typing import Any

from engine.errors import QueryError
from engine.settings import Settings
from server.strangers import priority
from server.strangers.copies import Copy

START = 20.0
"""Seconds that a process may take to start."""
GRACE = 0.3
"""Seconds of processor time that a query may take before it has to wait for whatever else there is to do."""
ONE_HEAP = {"MALLOC_ARENA_MAX": "1"}
"""The environment in which the C library gives the store's threads no heap each: such a heap reserves addresses that
nothing is ever written to, and they count to the memory that a process may use."""


class QueryStopped(QueryError):
    """A query that took too long, or too much memory."""

    reason = "query_stopped"


@dataclass(frozen=True, slots=True)
class Job:
    """A query: its text, its dataset where the protocol names one, and the media types of the result by its form;
    whether somebody asks who may write."""

    text: str
    solutions: str | None
    graphs: str | None
    default: Sequence[str] = ()
    named: Sequence[str] = ()
    household: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a query: a status as in HTTP, the media type and the result, or the fault; `age` of the copy in
    seconds."""

    status: int
    type: str
    body: bytes
    age: float = 0.0
    reason: str = ""
    message: str = ""


class Worker:
    """One process, at this end."""

    def __init__(self, settings: Settings, *, calls_out: bool = False) -> None:
        self._settings = settings
        self._sealed = False
        self._connection, theirs = Pipe()
        command = [
            sys.executable,
            "-m",
            "server.strangers.worker",
            str(theirs.fileno()),
            str(settings.sparql_megabytes),
            "open" if calls_out else "sealed",
        ]
        self.process = subprocess.Popen(
            command,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).resolve().parents[2],
            env=os.environ | ONE_HEAP,
        )
        theirs.close()
        priority.lower(self.process.pid)
        self._poll = select.poll()
        self._poll.register(self._connection.fileno(), select.POLLIN)
        self._ready = False
        self.held_back = False

    def ask(self, copy: Copy, job: Job | None) -> tuple[dict[str, Any], bytes]:
        """The header and the result; without a job the copy is only opened. Raises QueryStopped."""
        return self.told(self._encoded(copy, job), yields=job is None or not job.household)

    def told(self, job: dict[str, Any], *, yields: bool = True) -> tuple[dict[str, Any], bytes]:
        """The header and the result of a job; one that `yields` has to wait for all else once it takes long. Raises
        QueryStopped."""
        seconds = self._settings.sparql_seconds
        try:
            self._await(START if not self._ready else 0)
            self._connection.send_bytes(json.dumps({**job, "seconds": seconds}).encode())
            grace = min(GRACE, seconds) if yields else seconds
            if not (self._answers(grace) or (yields and self._answers_late(seconds - grace))):
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

    def sealed(self) -> bool:
        """Whether the process has no network, which it says when it has started. Raises QueryStopped."""
        try:
            self._await(START)
        except (EOFError, OSError) as error:
            raise QueryStopped("A process for queries did not start.", remedy="Try again.") from error
        return self._sealed

    def _await(self, seconds: float) -> None:
        if not self._ready and self._answers(seconds):
            self._sealed = bool(json.loads(self._connection.recv_bytes())["sealed"])
            self._ready = True
        if not self._ready:
            raise QueryStopped("A process for queries did not start.", remedy="Try again.")

    def _encoded(self, copy: Copy, job: Job | None) -> dict[str, Any]:
        about: dict[str, Any] = {"copy": str(copy.path)}
        if job is not None:
            about |= {"text": job.text, "default": list(job.default), "named": list(job.named)}
            about |= {"solutions": job.solutions, "graphs": job.graphs}
            about |= {
                "bytes": self._settings.sparql_bytes,
                "services": list(self._settings.sparql_services if job.household else ()),
            }
        return about

    def end(self) -> None:
        """Kills the process."""
        self.process.kill()
        self.process.wait()
        self._connection.close()
