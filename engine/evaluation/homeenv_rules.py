"""Checks when a standing rule fires against the labels of a HomeEnv task, by playing their scenarios.

A scenario is a list of values that properties get, each so many seconds after the rule was made, and whether the rule
fires until its end. Only the time and the conditions of a rule are played here; its effects are judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from cronsim import CronSim

from engine.evaluation.homeenv_values import holds

Key = tuple[str, str]
History = list[tuple[float, Any]]
Scenario = Mapping[str, Any]
HORIZON = 40 * 86400.0
"""Seconds ahead for which the times of a rule are compared."""
NEAR = 60.0
"""Seconds by which they may differ."""
_LONG, _STEPS = 30000, (10, 60)
"""Scenarios longer than so many seconds are played in the longer steps."""
_GRACE = 65
"""Seconds for which a rule that is to fire is waited for after the end of a scenario."""
_MOVED, _STILL_FOR = "human_detected", "no_move_duration"
_BEFORE = -1e9


@dataclass(frozen=True, slots=True)
class Condition:
    """That a property compares so with a value, for so many seconds on end; without a key it is the time of day."""

    key: Key | None
    op: str
    value: Any
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Trigger:
    """The trigger of a rule: times, in seconds from now (None: no time is given), and conditions, all or any of
    them."""

    times: tuple[float, ...] | None
    conditions: tuple[Condition, ...]
    any: bool = False


def times(said: Mapping[str, Any], now: datetime) -> tuple[float, ...] | None:
    """In how many seconds a trigger's time comes, as far as is compared; None where it says no time."""
    if at := said.get("at"):
        found = [(datetime.fromisoformat(at).replace(tzinfo=None) - now).total_seconds()]
    elif (after := said.get("after_seconds")) is not None:
        found = [float(after)]
    elif cron := said.get("cron"):
        end = now + timedelta(seconds=HORIZON)
        found = [(moment - now).total_seconds() for moment in takewhile(lambda one: one <= end, CronSim(cron, now))]
    else:
        return None
    return tuple(seconds for seconds in found if 0 < seconds <= HORIZON)


def alike(ones: Sequence[float], others: Sequence[float]) -> bool:
    """Whether two series of times are the same."""
    return len(ones) == len(others) and all(abs(a - b) <= NEAR for a, b in zip(ones, others, strict=True))


def fires(trigger: Trigger, scenario: Scenario, state: Mapping[Key, Any], now: datetime) -> bool:
    """Whether a rule fires in a scenario that begins now."""
    until = scenario["until"] + (_GRACE if scenario["fires"] else 0)
    play = _Play(trigger, _histories(trigger, scenario, state), now)
    if trigger.times is not None:
        return any(play.holds(seconds) for seconds in trigger.times if seconds <= until)
    before = bool(trigger.conditions) and play.holds(0)
    step = _STEPS[until > _LONG]
    for seconds in range(10, until + 1, step):
        holding = bool(trigger.conditions) and play.holds(seconds)
        if holding and not before:
            return True
        before = holding
    return False


def _histories(trigger: Trigger, scenario: Scenario, state: Mapping[Key, Any]) -> dict[Key, History]:
    """The values that the properties of a trigger have from when on, in seconds from now."""
    found: dict[Key, History] = {}
    for key in {one.key for one in trigger.conditions} - {None}:
        assert key is not None
        moved = (key[0], _MOVED) if key[1] == _STILL_FOR else key
        values: History = [(_BEFORE, state[moved])]
        if moved[1] == _MOVED and values[0][1] == "no":
            values = [(_BEFORE, "yes"), (-float(state[moved[0], _STILL_FOR]), "no")]
        for event in sorted(scenario.get("events", ()), key=lambda one: float(one["after"])):
            values += [(event["after"], one["value"]) for one in event["set"] if (one["did"], one["path"]) == moved]
        found[key] = values
    return found


@dataclass(frozen=True, slots=True)
class _Play:
    """A trigger in a scenario."""

    trigger: Trigger
    histories: Mapping[Key, History]
    now: datetime

    def holds(self, at: float) -> bool:
        found = [self._is_so(one, at) for one in self.trigger.conditions]
        return any(found) if self.trigger.any and found else all(found)

    def _is_so(self, one: Condition, at: float) -> bool:
        if one.key is None:
            return _in_hours(one, self.now + timedelta(seconds=at))
        past = [entry for entry in self.histories[one.key] if entry[0] <= at]
        if one.key[1] == _STILL_FOR:
            return holds(at - _since(past, "==", "no") if past[-1][1] == "no" else 0, one.op, one.value)
        return holds(past[-1][1], one.op, one.value) and at - _since(past, one.op, one.value) >= one.seconds


def _since(past: History, op: str, wanted: Any) -> float:
    """Since when the last values of a history compare so."""
    lasting = list(takewhile(lambda entry: holds(entry[1], op, wanted), reversed(past)))
    return lasting[-1][0]


def _in_hours(one: Condition, moment: datetime) -> bool:
    now = moment.hour * 60 + moment.minute
    if one.op == "between":
        start, end = (_minutes(text) for text in one.value)
        return start <= now < end if start <= end else now >= start or now < end
    wanted = _minutes(one.value)
    return {"==": now == wanted, "<": now < wanted, "<=": now < wanted}.get(one.op, now >= wanted)


def _minutes(text: Any) -> int:
    hour, _, minute = str(text).partition(":")
    return int(hour) % 24 * 60 + int(minute or 0)
