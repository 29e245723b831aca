"""The log of the directory's events, in order: the latest are kept, for readers that have missed some."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from enum import Enum
from secrets import token_hex
from typing import Any

KEPT = 1000
"""How many events are kept."""


class Kind(Enum):
    """The event types of WoT Discovery."""

    CREATED = "thing_created"
    UPDATED = "thing_updated"
    DELETED = "thing_deleted"


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `patch` (RFC 7396) leads from the former description to the present one; None where it is not
    known."""

    number: int
    kind: Kind
    iri: str
    patch: dict[str, Any] | None = None


class Log:
    """The last events. A reader has a cursor of its own: the number of the event that it read last.

    An id has the number of the event and a mark of this process: an id of an earlier one tells that all of this one's
    were missed."""

    def __init__(self, kept: int = KEPT) -> None:
        self._events: deque[Event] = deque(maxlen=kept)
        self._run = token_hex(4)
        self._last = 0
        self._news = threading.Condition()
        self.closed = False

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self._last

    @property
    def state(self) -> str:
        """The id of the last event, which changes with every event and every start of the process."""
        return self.id(self._last)

    def id(self, number: int) -> str:
        """The id of the event of that number."""
        return f"{self._run}-{number}"

    def add(self, kind: Kind, iri: str, patch: dict[str, Any] | None = None) -> None:
        """Something has happened."""
        with self._news:
            self._last += 1
            self._events.append(Event(self._last, kind, iri, patch))
            self._news.notify_all()

    def cursor(self, last: str | None) -> int:
        """The number of the event after which a reader goes on, by the `last` id that it read: the newest for None, 0
        (all that is kept) for an id of another process."""
        if last is None:
            return self._last
        run, _, number = last.rpartition("-")
        known = run == self._run and number.isascii() and number.isdecimal() and len(number) < 19
        return min(int(number), self._last) if known else 0

    def after(self, cursor: int, seconds: float = 0.0) -> list[Event]:
        """The events after a cursor that are kept; where there are none, it waits for some, for so many seconds."""
        with self._news:
            if self._last <= cursor and seconds and not self.closed:
                self._news.wait(seconds)
            return [event for event in self._events if event.number > cursor]

    def close(self) -> None:
        """Nothing more will happen: whoever waits goes on."""
        with self._news:
            self.closed = True
            self._news.notify_all()
