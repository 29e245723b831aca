"""Who thinks: one request at a time, in the order in which they came; one that only waits lets others go meanwhile.

On one interpreter, requests that are thought about at the same time take turns of a fraction of a millisecond, each of
which costs something, and all are as late as the last. One after the other, most are early and none is later.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Event, Lock, get_ident
from typing import Any

from engine.llm import Message, Model
from engine.planning.model.prompting import Planner


class Turns:
    """A lock that is given to who has waited longest. A thread that has it may take it again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._queue: deque[tuple[int, Event]] = deque()
        self._owner: int | None = None

    def __len__(self) -> int:
        """How many threads wait for their turn."""
        return len(self._queue)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """It is this thread's turn."""
        if self._owner == get_ident():
            yield
            return
        self._take()
        try:
            yield
        finally:
            self._give()

    @contextmanager
    def left(self) -> Iterator[None]:
        """Others have their turns while this thread, if it is its turn, waits for something."""
        if self._owner != get_ident():
            yield
            return
        self._give()
        try:
            yield
        finally:
            self._take()

    def _take(self) -> None:
        with self._lock:
            if self._owner is None:
                self._owner = get_ident()
                return
            called = Event()
            self._queue.append((get_ident(), called))
        called.wait()

    def _give(self) -> None:
        with self._lock:
            if not self._queue:
                self._owner = None
                return
            self._owner, called = self._queue.popleft()
        called.set()


@dataclass(slots=True)
class _Patient:
    """A model that is waited for without holding others up; `calls` counts what it was asked."""

    model: Model
    turns: Turns
    calls: int = 0

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        """As the model itself."""
        self.calls += 1
        with self.turns.left():
            return self.model.complete(messages, schema)


def patient(planner: Planner | None, turns: Turns, *, forced: bool = False) -> Planner | None:
    """The planner for one request: while its model thinks, others have their turns. `forced`: it plans all of it."""
    return planner and replace(planner, model=_Patient(planner.model, turns), forced=planner.forced or forced)


def calls_of(planner: Planner | None) -> int:
    """How often the model of a planner for one request was asked."""
    return planner.model.calls if planner is not None and isinstance(planner.model, _Patient) else 0
