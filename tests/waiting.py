"""Waiting for what other threads and processes do: as long as a busy machine may need, and no longer than they do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 90.0
"""Seconds after which something that should come is taken not to come at all."""

_Found = TypeVar("_Found")


def eventually(holds: Callable[[], object], seconds: float = PATIENCE, *, pause: float = 0.01) -> bool:
    """Whether something comes true while we wait for it."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


def until(told: Callable[[], _Found], seconds: float = PATIENCE, *, pause: float = 0.01) -> _Found:
    """What `told` gives as soon as that is true."""
    found: list[_Found] = []

    def holds() -> object:
        found[:] = [told()]
        return found[0]

    assert eventually(holds, seconds, pause=pause), f"it did not come to that within {seconds:.0f} seconds"
    return found[0]
