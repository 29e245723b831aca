"""A rule as an automation of Home Assistant's that behaves alike, for people who want to keep it there.

https://www.home-assistant.io/docs/automation/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.errors import PlanError
from engine.model.rule import At, Becomes, Daytime, Recurrence, Rule, Sky, Sun, Trigger, Window
from engine.origins.home_assistant.entities import slug
from engine.origins.home_assistant.scripts import comparison, literal
from engine.things.registry import Registry

Ways = Sequence[Sequence[dict[str, Any]]]
"""The ways in which something is so, each a list of conditions on single properties."""
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SENSORS = {Sky.DAWN: "sensor.sun_next_dawn", Sky.DUSK: "sensor.sun_next_dusk", Sky.NOON: "sensor.sun_next_noon"}
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_NOW = "(now().hour * 60 + now().minute)"
KEPT_HERE = "Keep this rule here."


def automation(
    rule: Rule, events: Sequence[Ways], held: Ways, sequence: Sequence[dict[str, Any]], registry: Registry
) -> dict[str, Any]:
    """The rule as an entry of `automations.yaml`. `events` are the ways in which each of its triggers that is an event
    is so, in their order; `held` those in which its conditions hold; `sequence` are the actions. Raises PlanError
    for rules that Home Assistant's automations cannot express."""
    ways, windows = iter(events), _windows(rule.windows)
    triggers: list[dict[str, Any]] = []
    conditions: list[dict[str, Any]] = []
    for one in rule.triggers:
        if isinstance(one, Becomes):
            triggers += _turning(next(ways), windows, registry)
            continue
        triggers += _times(one)
        conditions += _days(one)
    conditions += [_template(_any(held, registry))] if any(held) else []
    conditions += [_template(windows)] if windows else []
    actions = list(sequence)
    if rule.notice is not None:
        actions.append({"action": "persistent_notification.create", "data": {"message": rule.notice}})
    made: dict[str, Any] = {"id": slug(rule.iri.rpartition(":")[2]) or "rule", "alias": rule.text, "mode": "single"}
    return {**made, "triggers": triggers, "conditions": conditions, "actions": actions}


# Events


def _turning(ways: Ways, windows: str, registry: Registry) -> list[dict[str, Any]]:
    """Triggers for when something turns true: a template turns true once, as an event does here; a window that opens is
    one more condition. How long it is to last holds for all of it."""
    lengths = {one.get("for_seconds", 0.0) for way in ways for one in way}
    if len(lengths) > 1:
        raise PlanError("Home Assistant cannot wait differently long for what must hold together.", remedy=KEPT_HERE)
    said = _any(ways, registry) + (f" and {windows}" if windows else "")
    lasting = next(iter(lengths), 0.0)
    found = {"trigger": "template", "value_template": "{{ " + said + " }}"}
    return [{**found, "for": {"seconds": lasting}} if lasting else found]


def _any(ways: Ways, registry: Registry) -> str:
    said = [" and ".join(_compared(one, registry) for one in way) or "true" for way in ways]
    return f"({' or '.join(f'({one})' for one in said)})"


def _compared(one: dict[str, Any], registry: Registry) -> str:
    if one["op"] == "in":
        return f"({' or '.join(comparison(one['property'], '==', value, registry) for value in one['value'])})"
    return comparison(one["property"], one["op"], one["value"], registry)


def _template(said: str) -> dict[str, Any]:
    return {"condition": "template", "value_template": "{{ " + said + " }}"}


def _windows(windows: Sequence[Window]) -> str:
    """That the time lies in one of the windows, as a template says it."""
    return f"({' or '.join(map(_window, windows))})" if windows else ""


def _window(one: Window) -> str:
    if isinstance(one.start, Sun) or isinstance(one.end, Sun):
        raise PlanError("Home Assistant has no hours that the sun bounds.", remedy=KEPT_HERE)
    start, end = (time.hour * 60 + time.minute for time in (one.start, one.end))
    today = f" and now().weekday() in {list(one.weekdays)}" if one.weekdays else ""
    before = f" and (now().weekday() - 1) % 7 in {list(one.weekdays)}" if one.weekdays else ""
    if start < end:
        return f"({_NOW} >= {start} and {_NOW} < {end}{today})"
    return f"(({_NOW} >= {start}{today}) or ({_NOW} < {end}{before}))"


# Times


def _times(one: Trigger) -> Iterator[dict[str, Any]]:
    if isinstance(one, At):
        yield {"trigger": "time", "at": f"{one.moment:%H:%M:%S}"}
    elif isinstance(one, Recurrence) and one.period is not None:
        yield {"trigger": "time_pattern", "minutes": "*" if one.period % _HOUR else "0", "seconds": "0"}
    elif isinstance(one, Recurrence):
        yield from map(_at, one.times)
    else:
        raise PlanError("Home Assistant has nothing that sets off like that.", remedy=KEPT_HERE)


def _at(time: Daytime | Sun) -> dict[str, Any]:
    if isinstance(time, Daytime):
        return {"trigger": "time", "at": f"{time.hour % 24:02}:{time.minute:02}:{time.second:02}"}
    offset = f"{'-' if time.offset < 0 else ''}{_clock(abs(time.offset))}"
    if time.event in _SENSORS:
        return {"trigger": "time", "at": {"entity_id": _SENSORS[time.event], "offset": offset}}
    return {"trigger": "sun", "event": time.event.value, "offset": offset}


def _clock(seconds: float) -> str:
    hours, left = divmod(round(seconds), _HOUR)
    return f"{hours:02}:{left // _MINUTE:02}:{left % _MINUTE:02}"


def _days(one: Trigger) -> Iterator[dict[str, Any]]:
    """On which days a time counts."""
    if isinstance(one, At):
        yield _template(f"now().date() | string == {literal(one.moment.date().isoformat())}")
    elif isinstance(one, Recurrence):
        if one.weekdays and one.ordinal is None:
            yield {"condition": "time", "weekday": [_DAYS[day] for day in one.weekdays]}
        yield from (_template(said) for said in _counted(one))


def _counted(one: Recurrence) -> Iterator[str]:
    """The template conditions of a recurrence beyond names of days: days of the month, and intervals."""
    if one.period is not None:
        if one.period % _MINUTE or _DAY % one.period:
            raise PlanError("Home Assistant repeats by minutes that divide a day.", remedy=KEPT_HERE)
        yield f"{_NOW} % {round(one.period / _MINUTE)} == 0"
    if one.monthdays:
        last = " or (now() + timedelta(days=1)).day == 1" if -1 in one.monthdays else ""
        yield f"now().day in {[day for day in one.monthdays if day > 0]}{last}"
    if one.months:
        yield f"now().month in {list(one.months)}"
    if one.ordinal is not None:
        nth = f"(now().day - 1) // 7 + 1 == {one.ordinal}"
        last = "(now() + timedelta(days=7)).month != now().month"
        yield f"now().weekday() in {list(one.weekdays)} and {last if one.ordinal < 0 else nth}"
    since = f"(now().date() - as_datetime({literal(one.since.isoformat())}).date()).days" if one.since else ""
    if one.weeks > 1:
        yield f"(({since} + as_datetime({literal(str(one.since))}).weekday()) // 7) % {one.weeks} == 0"
    if one.days > 1:
        yield f"{since} % {one.days} == 0"
