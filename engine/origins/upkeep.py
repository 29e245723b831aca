"""The thread that keeps registered artifacts up to date: reads expired ones again, and follows notifications of
changes."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from engine.errors import HearthgraphError
from engine.model.exposure import Artifact
from engine.origins.artifacts import Artifacts, reach_of
from engine.origins.mcp.session import Session

_log = logging.getLogger(__name__)
PERIOD = 5.0
"""Seconds between two looks."""
AGAIN, LONGEST = 5.0, 300.0
"""Seconds before what could not be reached is tried again; each time twice as long."""


class Upkeep:
    """Looks after the artifacts of a home until it is closed; every so many seconds `read` has their resources read."""

    def __init__(
        self,
        artifacts: Artifacts,
        period: float = PERIOD,
        *,
        read: Callable[[], object] | None = None,
        every: float = 30.0,
    ) -> None:
        self._artifacts, self._period = artifacts, period
        self._read_resources, self._every, self._next = read, every, time.monotonic() + every
        self._closed, self._news = threading.Event(), threading.Event()
        self._changed: set[str] = set()
        self._followed: dict[str, tuple[str, Future[Any]]] = {}
        self._later: dict[str, tuple[float, float]] = {}
        self._thread = threading.Thread(target=self._run, name="hearthgraph-upkeep", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops looking."""
        self._closed.set()
        self._news.set()
        self._thread.join(PERIOD)
        for _, future in self._followed.values():
            future.cancel()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self.look()
            except HearthgraphError:
                _log.exception("what was registered cannot be looked after at present")
            self._news.wait(self._period)
            self._news.clear()

    def look(self) -> None:
        """Follows artifacts that notify of changes, and reads changed and expired ones again."""
        known = {name: one.artifact for name, one in self._artifacts.all.items()}
        if self._read_resources is not None and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every
            self._read_resources()
        self._follow(known)
        changed, self._changed = self._changed, set()
        for name in dict.fromkeys((*changed, *self._artifacts.due())):
            if name in known and not self._closed.is_set():
                self._read(name)

    def _read(self, name: str) -> None:
        until, pause = self._later.get(name, (0.0, AGAIN))
        if time.monotonic() < until:
            self._changed.add(name)
            return
        try:
            self._artifacts.refresh(name)
            self._later.pop(name, None)
        except HearthgraphError as error:  # it stays as it was, and is tried again
            _log.info("%s cannot be read again at present: %s", name, error.reason)
            self._later[name] = (time.monotonic() + pause, min(2 * pause, LONGEST))
            self._changed.add(name)

    def _follow(self, known: dict[str, Artifact]) -> None:
        for name, (endpoint, future) in list(self._followed.items()):
            if name not in known or known[name].endpoint != endpoint:
                future.cancel()
                del self._followed[name]
        for name, artifact in known.items():
            if artifact.facts.get("tells") is True and name not in self._followed:
                self._followed[name] = (artifact.endpoint, self._artifacts.submit(self._hear(artifact)))

    async def _hear(self, artifact: Artifact) -> None:
        """Hears of changes, for as long as the artifact is there."""
        pause = AGAIN
        while True:
            try:
                await self._heard(artifact)
                pause = AGAIN
            except HearthgraphError as error:
                _log.info("%s tells of no changes at present: %s", artifact.id, error.reason)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST)

    async def _heard(self, artifact: Artifact) -> None:
        way = self._artifacts.way(artifact.endpoint, artifact.endpoint)
        secrets, version = self._artifacts.secrets(artifact.endpoint), str(artifact.facts.get("version", ""))
        session = await Session.open(way, artifact.endpoint, secrets, reach_of(artifact.endpoint), version)
        try:
            async for _ in session.changes():
                self._changed.add(artifact.id)
                self._news.set()
        finally:
            await session.close()
