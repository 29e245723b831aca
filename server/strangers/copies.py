"""Copies of the store, as old as a setting allows, from which strangers' queries are answered.

Facts and preferences of people are not in them.
"""

from __future__ import annotations

import shutil
import threading
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from engine.errors import StoreError
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import MEMORY

KEPT = 45.0
"""Seconds for which a copy stays after the next one was made: longer than any query that still reads it."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A directory with the store as it was at `at` (monotonic seconds), after `writes` writes."""

    path: Path
    writes: int
    at: float


class Copies:
    """Makes copies of a store in a directory of its own, which is emptied at the start and at the end."""

    def __init__(self, store: EmbeddedStore, folder: Path, staleness: float) -> None:
        self._store, self._folder, self.staleness = store, folder, staleness
        self._lock = threading.Lock()
        self._making = threading.Lock()
        self._required = 0
        self._number = 0
        self._copy: Copy | None = None
        self._old: list[tuple[float, Path]] = []
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)

    def current(self) -> Copy:
        """A copy that is fresh enough. Raises StoreError where none can be made."""
        copy = self._copy
        if copy is not None and self._serves(copy):
            return copy
        with self._making:  # whoever waited for that may find one made
            copy = self._copy
            if copy is None or not self._serves(copy):
                try:
                    copy = self._made()
                except StoreError:  # as on a full disk: what there is says how old it is
                    if copy is None:
                        raise
                    return copy
                self.publish(copy)
            return copy

    def renewed(self) -> Copy | None:
        """A copy in the place of one that will soon be too old; None where it will not. Nobody is given it before it is
        published. Raises StoreError."""
        with self._making:
            copy = self._copy
            return self._made() if copy is None or self.age(copy) > self.staleness * 0.75 else None

    def publish(self, copy: Copy) -> None:
        """From now on this is the present copy, unless there is a later one."""
        with self._lock:
            old, later = self._copy, self._copy is None or copy.at >= self._copy.at
            self._copy = copy if later else self._copy
            gone = old if later else copy
            if gone is not None:
                self._old.append((monotonic(), gone.path))

    def _serves(self, copy: Copy) -> bool:
        return copy.writes >= self._required and self.age(copy) <= self.staleness

    def scratch(self) -> Path:
        """A copy of this moment for one use, to write to; whoever has it removes it. Raises StoreError."""
        with self._lock:
            self._number += 1
            path = self._folder / f"scratch-{self._number}"
        self._store.backup(path)
        return path

    def expire(self) -> None:
        """Requires that the next query sees all writes until now."""
        self._required = self._store.writes

    def age(self, copy: Copy) -> float:
        """For how many seconds the store may have said something else; 0 where nothing was written since."""
        return 0.0 if self._store.writes == copy.writes else monotonic() - copy.at

    def tidy(self) -> None:
        """Removes the copies that nobody reads any more."""
        with self._lock:
            gone = [path for at, path in self._old if monotonic() - at > KEPT]
            self._old = [(at, path) for at, path in self._old if path not in gone]
        for path in gone:
            shutil.rmtree(path, ignore_errors=True)

    def close(self) -> None:
        """Removes all of them."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _made(self) -> Copy:
        with self._lock:
            self._number += 1
            fresh = Copy(self._folder / str(self._number), self._store.writes, monotonic())
        self._store.backup(fresh.path, without=(MEMORY,))
        return fresh
