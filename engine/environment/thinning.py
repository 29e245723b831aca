"""A past that grows thinner with age: the latest changes as they were, then one an hour, then one a day, then none."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

HOURLY = timedelta(days=14)
"""For how long one change an hour is kept; then one a day."""


class Dated(Protocol):
    """Anything with a moment."""

    @property
    def at(self) -> datetime: ...


_Entry = TypeVar("_Entry", bound=Dated)


def thinned(entries: Iterable[_Entry], length: int, days: int, now: datetime) -> list[_Entry]:
    """The entries of a past to be dropped, the oldest first: the last `length` changes stay, and of those before the
    last of each hour, after a while of each day, for `days` days in all (0: none)."""
    several = list(entries)
    old = several[: max(0, len(several) - length)]
    oldest = now - timedelta(days=days)
    last_of: dict[tuple[object, ...], int] = {}
    for place, past in enumerate(old):
        if days and past.at >= oldest:
            last_of[_bucket(past.at, now)] = place
    kept = set(last_of.values())
    return [one for place, one in enumerate(old) if place not in kept]


def _bucket(at: datetime, now: datetime) -> tuple[object, ...]:
    return (at.date(), at.hour) if now - at < HOURLY else (at.date(),)
