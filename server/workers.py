"""Threads that are kept for later work: a new one costs as much as a short piece of work, and its memory is cold."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

MOST_IDLE = 16
"""How many are kept when there is nothing to do."""


class Workers:
    """Does each piece of work at once, in a thread that is free or new. None holds up the end of the process."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._idle = 0
        self._waiting: SimpleQueue[Callable[[], object]] = SimpleQueue()

    @property
    def idle(self) -> int:
        """How many threads have nothing to do."""
        return self._idle

    def do(self, work: Callable[[], object]) -> None:
        """Has a piece of work done, which raises nothing."""
        with self._lock:
            free = self._idle > 0
            self._idle -= free
        if free:
            self._waiting.put(work)
        else:
            threading.Thread(target=self._work, args=(work,), name=self._name, daemon=True).start()

    def _work(self, work: Callable[[], object]) -> None:
        while True:
            work()
            del work  # what it holds is not kept while there is nothing to do
            with self._lock:
                if self._idle >= MOST_IDLE:
                    return
                self._idle += 1
            work = self._waiting.get()
