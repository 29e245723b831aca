"""Steps of a plan as HomeBench writes them: `room.device.method(arguments)`."""

from __future__ import annotations

from collections.abc import Iterable

from engine.graph.terms import Json
from engine.model.plan import Step
from engine.origins.homebench.mapping import load


def calls(steps: Iterable[Step]) -> list[str]:
    """One call a step, in order."""
    return [_call(step) for step in steps]


def _call(step: Step) -> str:
    *room, device = step.thing.split(":")[3:]
    method = step.affordance.rpartition("/")[2]
    arguments = ",".join(_argument(value) for value in _values(step.payload))
    return f"{'.'.join([*room, device])}.{method}({arguments})"


def _values(payload: Json) -> list[Json]:
    return list(payload.values()) if isinstance(payload, dict) else [] if payload is None else [payload]


def _argument(value: Json) -> str:
    if isinstance(value, list):
        return f"({','.join(_argument(v) for v in value)})"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    keys = {name: key for key, (_, name) in load().rooms.items()}
    return keys.get(str(value), str(value)).replace("_", "") if str(value) in keys else str(value)
