"""Who wakes the keeper of rules where time is real: one thread that waits for changes and for the next time due."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from threading import Event, Thread

from engine.environment.changes import Changed, Resynchronise, Subscription
from engine.environment.state import State
from engine.rules.keeper import Keeper

_log = logging.getLogger(__name__)
LOOK = 0.1
"""Seconds after which it looks anyway: for rules that others made, and for events."""


class Watchman:
    """A thread that attends to the rules until it is closed."""

    def __init__(self, keeper: Keeper, state: State) -> None:
        self._keeper, self._state = keeper, state
        self._closed = Event()
        self._changes: Subscription[Changed] = state.hub.subscribe()
        self._thread = Thread(target=self._watch, name="hearthgraph-rules", daemon=True)

    def start(self) -> None:
        """Begins to watch."""
        self._thread.start()

    def close(self) -> None:
        """Ends the thread, when what it is at has come to an end."""
        self._closed.set()
        self._changes.close()
        self._thread.join(timeout=5)

    def _watch(self) -> None:
        while not self._closed.is_set():
            try:
                self._keeper.attend()
            except Exception:  # noqa: BLE001 - one rule that breaks the engine does not cost the others
                _log.exception("the rules could not be attended to")
                self._closed.wait(1.0)
            self._wait()

    def _wait(self) -> None:
        """Until something changes, or time makes something due; at most a little while."""
        due = self._keeper.next_due()
        left = LOOK if due is None else min(LOOK, max(0.0, (due - datetime.now(UTC)).total_seconds()))
        try:
            if self._changes.take(left) is not None:
                while self._changes.take(0) is not None:
                    pass
        except Resynchronise:
            self._changes = self._state.hub.subscribe()
