"""The thread that takes things out of the directory when their registration has expired."""

from __future__ import annotations

import logging
import threading

from engine.errors import HearthgraphError
from engine.things.directory.directory import Directory

_log = logging.getLogger(__name__)
PERIOD = 1.0
"""Seconds between two looks."""


class Purge:
    """Looks after a directory until it is closed."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hearthgraph-purge", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops looking."""
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.wait(PERIOD):
            try:
                self._directory.purge()
            except HearthgraphError:
                _log.exception("what has expired could not be taken out")
