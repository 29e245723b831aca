"""What the rules would do in the next day, worked out for one caller at a time: it takes a copy of the whole home."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

KEPT = 60.0
"""Seconds for which strangers are told what was worked out before."""
Rows = list[dict[str, Any]]


class Foresight:
    """Holds what was worked out last, and lets nobody but the household have it worked out again at will."""

    def __init__(self, work_out: Callable[[], Rows]) -> None:
        self._work_out = work_out
        self._at_work = threading.Lock()
        self._known: tuple[float, Rows] | None = None

    def of_now(self) -> Rows:
        """What would be done by the home as it is at this moment; waits where it is just being worked out."""
        with self._at_work:
            return self._anew()

    def of_late(self) -> Rows | None:
        """The same as it was in the last minute, or as it was last where somebody has it worked out just now; None
        where that is for the first time."""
        if not self._at_work.acquire(blocking=False):
            return self._known[1] if self._known is not None else None
        try:
            if self._known is not None and monotonic() - self._known[0] < KEPT:
                return self._known[1]
            return self._anew()
        finally:
            self._at_work.release()

    def _anew(self) -> Rows:
        rows = self._work_out()
        self._known = (monotonic(), rows)
        return rows
