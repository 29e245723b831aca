"""Pages of a list of things: how many from where on, and in which order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.model.thing import Thing
from engine.things.directory.faults import Unsupported
from engine.things.directory.registration import Registration

ID, TITLE = "id", "title"
TIMES = ("created", "modified", "expires")
LARGEST = 1_000
"""Descriptions on one page; whoever asks for more gets so many, and the address of the next ones."""


@dataclass(frozen=True, slots=True)
class Order:
    """The sort key of a list: `id` and `title` by Unicode code point, times by time."""

    by: str = ID
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A part of the list: `documents` from `offset` on, of `total`."""

    documents: tuple[dict[str, Any], ...]
    offset: int
    limit: int
    total: int
    order: Order

    @property
    def next(self) -> int | None:
        """Where the next page begins; None after the last one."""
        end = self.offset + len(self.documents)
        return end if end < self.total and self.documents else None


def page_of(
    things: Mapping[str, Thing], registrations: Mapping[str, Registration], offset: int, limit: int, order: Order
) -> list[str]:
    """The IRIs of the things on one page. Things without a value of the sort key come last. Raises Unsupported."""
    iris = _sorted(things, registrations, order)
    return iris[offset : offset + min(limit, LARGEST)]


def _sorted(things: Mapping[str, Thing], registrations: Mapping[str, Registration], order: Order) -> list[str]:
    if order.by == ID:
        return sorted(things, reverse=order.descending)
    values = _values(things, registrations, order.by)
    there = sorted(sorted(values), key=lambda iri: values[iri], reverse=order.descending)
    return there + sorted(things.keys() - values.keys())


def _values(
    things: Mapping[str, Thing], registrations: Mapping[str, Registration], by: str
) -> dict[str, str] | dict[str, datetime]:
    if by == TITLE:
        return {iri: thing.title for iri, thing in things.items()}
    if by in TIMES:
        found = {iri: getattr(registrations[iri], by) for iri in _both(things, registrations)}
        return {iri: moment for iri, moment in found.items() if moment is not None}
    raise Unsupported(f"The list cannot be sorted by {by}.", remedy=f"Sort it by {ID}, {TITLE}, {', '.join(TIMES)}.")


def _both(things: Mapping[str, Thing], registrations: Mapping[str, Registration]) -> Collection[str]:
    return [iri for iri in registrations if iri in things]
