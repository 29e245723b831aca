"""Where the home lies, as the graph has it, so that the sun rises and sets there."""

from __future__ import annotations

from datetime import UTC, datetime
from weakref import WeakKeyDictionary

from engine.graph.store import GraphStore
from engine.rules.moments import Ground

_known: WeakKeyDictionary[GraphStore, tuple[int, tuple[float, float] | None]] = WeakKeyDictionary()


def ground_of(store: GraphStore, now: datetime) -> Ground:
    """The place of a home, and the time zone that its clock shows."""
    known = _known.get(store)
    if known is None or known[0] != store.generation:
        known = _known[store] = (store.generation, _place(store))
    zone = now.tzinfo or UTC
    return Ground(zone) if known[1] is None else Ground(zone, *known[1])


def _place(store: GraphStore) -> tuple[float, float] | None:
    for latitude, longitude in store.select("rules/ground"):
        try:
            return float(latitude.value), float(longitude.value)  # type: ignore[union-attr]
        except ValueError:
            continue
    return None
