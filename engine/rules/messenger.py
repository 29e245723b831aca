"""Who carries what rules tell out of the house: one thread, which hands each notice to each carrier."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from threading import Event, Thread

from engine.environment.changes import Hub, Resynchronise
from engine.errors import HearthgraphError
from engine.rules.notices import Notice

Carrier = Callable[[Notice], object]
"""Carries one notice. Raises BindingError where it cannot now."""
PAUSES = (0.0, 1.0, 5.0)
"""Seconds before each attempt; after the last a notice is given up, and the log says so."""
_log = logging.getLogger(__name__)


class Messenger:
    """A thread that carries notices until it is closed."""

    def __init__(self, notices: Hub[Notice], carriers: Sequence[Carrier], pauses: Sequence[float] = PAUSES) -> None:
        self._notices, self._carriers, self._pauses = notices, tuple(carriers), tuple(pauses)
        self._closed = Event()
        self._news = notices.subscribe()
        self._thread = Thread(target=self._carry, name="hearthgraph-notices", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread, when what it carries has come to an end."""
        self._closed.set()
        self._news.close()
        self._thread.join(timeout=5)

    def _carry(self) -> None:
        while not self._closed.is_set():
            try:
                notice = self._news.take(1.0)
            except Resynchronise:
                _log.warning("there were more notices than could be carried, and some are lost")
                self._news = self._notices.subscribe()
                continue
            for carrier in self._carriers if notice is not None else ():
                self._hand(carrier, notice)  # type: ignore[arg-type]

    def _hand(self, carrier: Carrier, notice: Notice) -> None:
        for pause in self._pauses:
            if self._closed.wait(pause):
                return
            try:
                carrier(notice)
            except HearthgraphError as fault:
                reason = fault
            else:
                return
        _log.warning("a notice of a rule could not be carried: %s", reason)
