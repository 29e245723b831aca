"""A rule as the JSON object of a batch line: what sets it off, on which properties, and the values that it sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engine.graph.store import GraphStore
from engine.model.outcome import Kept
from engine.model.rule import At, Cron, Daytime, Match, Recurrence, Schedule, Sun, Trigger, Window
from engine.rules.standing import becoming
from engine.rules.ways import MOST, Conditions, condition_ways, event_ways, together
from engine.things.registry import Registry

_WEEK = 7


def rule_json(kept: Kept, store: GraphStore, registry: Registry) -> list[dict[str, Any]]:
    """The rule; where it takes several such objects to say what it does, all of them."""
    rule = kept.rule
    found: list[dict[str, Any]] = []
    held = condition_ways(rule, store, registry)
    for trigger in rule.triggers:
        if isinstance(trigger, At | Recurrence | Cron):
            times: list[dict[str, Any]] = list(_times(trigger))
            ways = held
        else:
            times = [{}]
            ways = together([_events(trigger, store, registry), held], Match.ALL)
        ways = together([ways, [[one] for one in _windows(rule.windows)] or [[]]], Match.ALL)
        found += [{**time, **one} for time in times for one in _written(ways)]
    actions = [{"artifact": iri.partition("#")[0], "property": iri, "value": value} for iri, value in kept.does]
    return [{"id": rule.iri, "text": rule.text, "trigger": one, "actions": actions} for one in found[:MOST]]


def _events(trigger: Trigger, store: GraphStore, registry: Registry) -> list[Conditions]:
    """The ways in which what a trigger waits for turns true."""
    return [way for one in becoming(trigger, registry) for way in event_ways(one, store, registry)]


# Times


def _times(one: Schedule) -> Iterator[dict[str, Any]]:
    if isinstance(one, At):
        yield {"at": one.moment.isoformat()}
    elif isinstance(one, Cron):
        yield {"cron": one.expression}
    elif isinstance(one, Recurrence):
        yield from _recurring(one)


def _recurring(one: Recurrence) -> Iterator[dict[str, Any]]:
    if one.period is not None:
        yield {"every_seconds": one.period}
        return
    rest: dict[str, Any] = {"weeks": one.weeks} if one.weeks > 1 else {}
    rest |= {"days": one.days} if one.days > 1 else {}
    rest |= {"ordinal": one.ordinal} if one.ordinal is not None else {}
    rest |= {"since": one.since.isoformat()} if rest and one.since else {}
    for time in one.times:
        if isinstance(time, Daytime):
            yield {"cron": _cron(one, time), **rest}
        else:
            yield {"sun": time.event.value, "offset": time.offset, "weekdays": list(one.weekdays), **rest}


def _cron(one: Recurrence, time: Daytime) -> str:
    days, hour = divmod(time.hour, 24)
    weekdays = ",".join(str(day) for day in sorted((day + 1 + days) % _WEEK for day in one.weekdays)) or "*"
    monthdays = ",".join("L" if day == -1 else str(day) for day in one.monthdays) or "*"
    months = ",".join(map(str, one.months)) or "*"
    return f"{time.minute} {hour} {monthdays} {months} {weekdays}"


def _windows(windows: Sequence[Window]) -> Iterator[dict[str, Any]]:
    """Windows of the day as conditions on the time."""
    for one in windows:
        days = {"weekdays": list(one.weekdays)} if one.weekdays else {}
        yield {"artifact": "", "property": "time", "op": "between", "value": [_at(one.start), _at(one.end)], **days}


def _shown(time: Daytime) -> str:
    return f"{time.hour % 24:02}:{time.minute:02}"


def _at(time: Daytime | Sun) -> str:
    return _shown(time) if isinstance(time, Daytime) else time.event.value


# Conditions


def _written(ways: Sequence[Conditions]) -> Iterator[dict[str, Any]]:
    """The ways in which conditions are met: one list of all, one of any, or an object each."""
    if len(ways) == 1:
        yield {"conditions": ways[0]}
    elif all(len(way) == 1 for way in ways):
        yield {"conditions": [way[0] for way in ways], "match": "any"}
    else:
        yield from ({"conditions": way} for way in ways)


def rules_json(kept: Iterable[Kept], store: GraphStore, registry: Registry) -> Any:
    """What a result line says of the rules that were made: nothing, one, or several."""
    found = [one for each in kept for one in rule_json(each, store, registry)]
    return None if not found else found[0] if len(found) == 1 else found
