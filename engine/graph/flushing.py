"""Flushes a store every so many writes and seconds, from memory and log to its files.

Until then each write grows both, and a start after a crash reads the whole log again. Whoever writes faster than the
disk takes it waits: else a busy machine's log grows to several times what it keeps.
"""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable

from engine.errors import StoreError

_log = logging.getLogger(__name__)
WRITES = 300
"""After so many writes, some five megabytes of log."""
SECONDS = 60.0
"""After so long where there are fewer."""
AHEAD = 500
"""So many writes, some nine megabytes of log, may come while others are being flushed; what is more waits."""
LONGEST = 5.0
"""Seconds that a write waits for the disk at most: what hangs there stops nobody for good."""


class Flusher:
    """Calls `flush`, a method that may raise OSError, in a thread of its own. Close it."""

    def __init__(
        self, flush: Callable[[], None], writes: int = WRITES, seconds: float = SECONDS, ahead: int = AHEAD
    ) -> None:
        self._flush = weakref.WeakMethod(flush)  # a store that nobody has any more goes, closed or not
        self._most, self._seconds, self._ahead = writes, seconds, ahead
        self._news = threading.Condition()
        self._count = 0
        self._closed = False
        self._thread: threading.Thread | None = None

    def count(self, writes: int) -> None:
        """So many writes more."""
        with self._news:
            self._count += writes
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="hearthgraph-flush", daemon=True)
                self._thread.start()
            elif self._count >= self._most:
                self._news.notify_all()

    def wait(self) -> None:
        """Waits, before a write, where writes are far ahead of the disk. Call it without the store's lock, which the
        flush may need."""
        with self._news:
            self._news.wait_for(lambda: self._closed or self._count < self._ahead, LONGEST)

    def close(self) -> None:
        """Flushes no more."""
        with self._news:
            self._closed, thread = True, self._thread
            self._news.notify_all()
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._closed or self._count >= self._most, self._seconds)
                if self._closed:
                    return
                due, self._count = self._count > 0, 0
                self._news.notify_all()
            if not self._flushed(due):
                return

    def _flushed(self, due: bool) -> bool:
        """Flushes where it is due; whether there still is a store."""
        flush = self._flush()
        if flush is None:
            return False
        try:
            if due:
                flush()
        except (OSError, RuntimeError, StoreError):
            _log.exception("the store could not be flushed; it is tried again")
        return True
