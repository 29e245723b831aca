"""How often somebody may do something: counted by key in windows of time, and forgotten with each window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic


class Window:
    """A limit of so many times in so many seconds, for each key. It may be shared between threads.

    (The storage of `limits`, which was here before, starts a thread for most calls that it counts: a tenth of the cost
    of a query over HTTP.)
    """

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._lock = threading.Lock()
        self._number = -1
        self._counts: dict[str, int] = {}

    def hit(self, key: str) -> bool:
        """Counts once more; whether that is still allowed."""
        number = int(self._clock() / self._seconds)
        with self._lock:
            if number != self._number:
                self._number, self._counts = number, {}
            count = self._counts[key] = self._counts.get(key, 0) + 1
        return count <= self._most
