"""Where the home lies, as the graph has it, so that the sun rises and sets there."""

from __future__ import annotations

from datetime import UTC, datetime

from engine.graph.store import GraphStore
from engine.rules.moments import Ground


def ground_of(store: GraphStore, now: datetime) -> Ground:
    """The place of a home, and the time zone that its clock shows."""
    return Ground(now.tzinfo or UTC, *store.derived("rules/ground", lambda: _place(store)))


def _place(store: GraphStore) -> tuple[float, float] | tuple[()]:
    """The latitude and longitude of the home in degrees; empty where the graph has none."""
    for latitude, longitude in store.select("rules/ground"):
        try:
            return float(latitude.value), float(longitude.value)  # type: ignore[union-attr]
        except ValueError:
            continue
    return ()
