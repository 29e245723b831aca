"""Clocks: the system's, or one that tests and simulations move by hand."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from time import monotonic
from typing import Protocol


class Clock(Protocol):
    """The time, and a call at a later time. All datetimes are timezone-aware."""

    def now(self) -> datetime:
        """The present time."""

    def call_later(self, seconds: float, call: Callable[[], object]) -> None:
        """Calls `call` once when `seconds` have passed."""


def aware(moment: datetime) -> datetime:
    """The moment itself, in UTC where it names no timezone."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class SystemClock:
    """The time of this machine, in `zone`, or else in the machine's own timezone."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone

    def now(self) -> datetime:
        return datetime.now(UTC).astimezone(self._zone)

    def call_later(self, seconds: float, call: Callable[[], object]) -> None:
        timer = threading.Timer(seconds, call)
        timer.daemon = True
        timer.start()


class Steady:
    """A clock for durations: it begins at the time of another one and goes on evenly, wherever that is set."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._began, self._start = clock, clock.now(), monotonic()

    def now(self) -> datetime:
        return self._began + timedelta(seconds=monotonic() - self._start)

    def call_later(self, seconds: float, call: Callable[[], object]) -> None:
        self._clock.call_later(seconds, call)


def steady(clock: Clock) -> Clock:
    """The clock by which a home with `clock` measures durations: a simulated one is even by itself."""
    return clock if isinstance(clock, SimulatedClock) else Steady(clock)


class SimulatedClock:
    """A clock that stands still until it is told to move; calls that fall due are made in order while it moves."""

    def __init__(self, now: datetime) -> None:
        self._now = aware(now)
        self._due: list[tuple[datetime, int, Callable[[], object]]] = []
        self._count = itertools.count()
        self._lock = threading.RLock()

    def now(self) -> datetime:
        return self._now

    def call_later(self, seconds: float, call: Callable[[], object]) -> None:
        with self._lock:
            heapq.heappush(self._due, (self._later(seconds), next(self._count), call))

    def next_deadline(self) -> datetime | None:
        """When the next call falls due, or None."""
        with self._lock:
            return self._due[0][0] if self._due else None

    def advance(self, seconds: float) -> None:
        """Moves on by `seconds` (not negative: ValueError)."""
        if seconds < 0:
            raise ValueError("A clock does not run backwards.")
        self.advance_to(self._later(seconds))

    def advance_to(self, moment: datetime) -> None:
        """Moves on to `moment`; a moment that is past changes nothing."""
        moment = aware(moment)
        while (call := self._next_until(moment)) is not None:
            call()
        with self._lock:
            self._now = max(self._now, moment.astimezone(self._now.tzinfo), key=_in_utc)

    def set(self, moment: datetime) -> None:
        """Moves the clock to `moment`, later or earlier; pending calls are dropped. For a home that begins anew."""
        with self._lock:
            self._due.clear()
            self._now = aware(moment)

    def _next_until(self, moment: datetime) -> Callable[[], object] | None:
        with self._lock:
            if not self._due or _in_utc(self._due[0][0]) > _in_utc(moment):
                return None
            due, _, call = heapq.heappop(self._due)
            self._now = max(self._now, due.astimezone(self._now.tzinfo), key=_in_utc)
            return call

    def _later(self, seconds: float) -> datetime:
        """The moment so many seconds from now, across changes of the zone's offset."""
        return (_in_utc(self._now) + timedelta(seconds=seconds)).astimezone(self._now.tzinfo)


def _in_utc(moment: datetime) -> datetime:
    """The moment in UTC: two local times of one zone would compare by their wall clock."""
    return moment.astimezone(UTC)
