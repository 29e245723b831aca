"""Simple automations of Home Assistant's as rules: times, the sun, states and numbers that set off service calls.

https://www.home-assistant.io/docs/automation/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from engine.errors import HearthgraphError, InputError
from engine.graph.terms import Json
from engine.model.intent import Amount, Intent, Measure
from engine.model.rule import Becomes, Daytime, Fact, Recurrence, Rule, Sky, Sun, Trigger, Window
from engine.model.selection import Comparison, Condition, Select, Test
from engine.model.thing import Property
from engine.origins.home_assistant.homes import addressed
from engine.origins.home_assistant.mapping import STATE
from engine.things.registry import Registry

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_REMEDY = "Say it in words, or leave it there."
MOST_TEXT = 200


LARGEST = 1_000_000
"""Bytes that a file of automations may have."""


def read_automations(file: Path) -> Json:
    """The content of an `automations.yaml`, as data alone. Raises InputError for a file that cannot be read."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise InputError(f"{file} is larger than {LARGEST} bytes.", remedy="Split it.")
        found: Json = yaml.safe_load(content)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.", remedy="Look at the path.") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise InputError(f"{file} is no YAML.", remedy="Look at the file.", reason="invalid_value") from error
    return found


@dataclass(frozen=True, slots=True)
class _Known:
    """Home Assistant's properties and actions in this home, by entity and name."""

    registry: Registry
    properties: Mapping[tuple[str, str], Property]
    actions: Mapping[tuple[str, str], str]


def rules_of(automations: Json, registry: Registry) -> tuple[list[Rule], list[str]]:
    """The rules of the content of an `automations.yaml`, and in words why others are none. Raises InputError for other
    content."""
    listed = automations if isinstance(automations, list) else [automations]
    if not all(isinstance(one, dict) for one in listed):
        raise InputError("That is no list of automations.", remedy="Give an automations.yaml.", reason="invalid_value")
    known = _known(registry)
    found: list[Rule] = []
    left: list[str] = []
    for one in listed:
        assert isinstance(one, dict)
        try:
            found.append(_rule(one, known))
        except HearthgraphError as fault:
            left.append(f"“{str(one.get('alias', one.get('id', '')))[:MOST_TEXT]}”: {fault}")
    return found, left


def _known(registry: Registry) -> _Known:
    properties = {p: one for one in registry.properties.values() if one.forms and (p := addressed(one.forms[0].target))}
    actions = {p: one.iri for one in registry.actions.values() if one.forms and (p := addressed(one.forms[0].target))}
    return _Known(registry, properties, actions)


def _rule(one: Mapping[str, Any], known: _Known) -> Rule:
    text = str(one.get("alias") or one.get("id") or "")[:MOST_TEXT]
    conditions = _several(one, "condition")
    days = tuple(day for c in conditions if c.get("condition") == "time" for day in _weekdays(c))
    triggers = tuple(_trigger(each, days, known) for each in _several(one, "trigger"))
    windows = tuple(_window(c) for c in conditions if c.get("condition") == "time" and {"after", "before"} & set(c))
    facts = tuple(_fact(c, str(c.get("condition")), known) for c in conditions if c.get("condition") != "time")
    actions = tuple(a for each in _several(one, "action") for a in _actions(each, text, known))
    if not triggers or not actions:
        raise InputError("It has no trigger, or no action.", remedy=_REMEDY)
    return Rule(text or "automation", triggers, actions, facts, windows=windows, enabled=bool(one.get("enabled", True)))


def _several(one: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The entries of a plural member, or of its older singular form."""
    said = one.get(f"{name}s", one.get(name)) or []
    listed = said if isinstance(said, list) else [said]
    if not all(isinstance(each, dict) for each in listed):
        raise InputError("Templates are not taken over.", remedy=_REMEDY)
    return listed


def _trigger(one: Mapping[str, Any], days: tuple[int, ...], known: _Known) -> Trigger:
    kind = one.get("trigger", one.get("platform"))
    if kind == "time":
        return Recurrence((_daytime(one.get("at")),), days)
    if kind == "sun" and one.get("event") in ("sunrise", "sunset"):
        return Recurrence((Sun(Sky(one["event"]), _seconds(one.get("offset", 0))),), days)
    return Becomes((_fact(one, str(kind), known),))


def _fact(one: Mapping[str, Any], kind: str, known: _Known) -> Fact:
    """That an entity is in a state, or its number beyond a bound. Raises InputError for anything else."""
    if kind not in ("state", "numeric_state"):
        raise InputError(f"“{kind}” is not taken over.", remedy=_REMEDY)
    prop = _property(one, known)
    tests = tuple(_tests(one, kind, prop))
    if not tests:
        raise InputError("It says no state and no bound.", remedy=_REMEDY)
    thing = known.registry.thing_of[prop.part]
    return Fact(Select(things=(thing.iri,)), tests, seconds=_seconds(one.get("for", 0)))


def _property(one: Mapping[str, Any], known: _Known) -> Property:
    entity = one.get("entity_id")
    listed = entity if isinstance(entity, list) else [entity]
    found = known.properties.get((str(listed[0]), str(one.get("attribute", STATE)))) if len(listed) == 1 else None
    if found is None:
        raise InputError(f"“{entity}” is none of this home.", remedy="Import the home first.", reason="no_such_device")
    return found


def _tests(one: Mapping[str, Any], kind: str, prop: Property) -> Iterator[Test]:
    about = next(iter(sorted(prop.kinds)), "")
    wanted = one.get("to", one.get("state"))
    if kind == "state" and isinstance(wanted, str | bool):
        yield Test((Condition(about, Comparison.IS, _amount(wanted, prop)),))
    for name, way in (("above", Comparison.ABOVE), ("below", Comparison.BELOW)):
        if kind == "numeric_state" and isinstance(one.get(name), int | float):
            yield Test((Condition(about, way, Amount(Measure.NUMBER, float(one[name]), prop.schema.unit)),))


def _amount(wanted: str | bool, prop: Property) -> Amount:
    if prop.schema.type == "boolean":
        return Amount(Measure.TRUTH, wanted in (True, "on"))
    return Amount(Measure.TEXT, str(wanted))


def _actions(one: Mapping[str, Any], text: str, known: _Known) -> Iterator[Intent]:
    """A service call as intents, one an entity. Raises InputError for any other step."""
    service = str(one.get("action", one.get("service", "")))
    target = one.get("target") or {}
    entity = target.get("entity_id", one.get("entity_id")) if isinstance(target, dict) else None
    for each in entity if isinstance(entity, list) else [entity]:
        names = (service.partition(".")[2], service)
        affordance = next((known.actions[str(each), n] for n in names if (str(each), n) in known.actions), None)
        if affordance is None:
            raise InputError(f"“{service}” of “{each}” is none of this home.", remedy=_REMEDY, reason="no_such_command")
        takes = known.registry.actions[affordance].input is not None
        yield Intent("", text, affordance=affordance, payload=dict(one.get("data") or {}) if takes else None)


def _weekdays(one: Mapping[str, Any]) -> Sequence[int]:
    said = one.get("weekday") or []
    return sorted(_DAYS.index(day) for day in (said if isinstance(said, list) else [said]) if day in _DAYS)


def _window(one: Mapping[str, Any]) -> Window:
    return Window(_daytime(one.get("after", "00:00:00")), _daytime(one.get("before", "24:00:00")))


def _daytime(said: Any) -> Daytime:
    """A time of day: "07:30:00", or the seconds that YAML makes of it."""
    seconds = _seconds(said) if isinstance(said, int) or (isinstance(said, str) and ":" in said) else -1
    if not 0 <= seconds <= 86400:
        raise InputError(f"“{said}” is no time of day.", remedy=_REMEDY, reason="invalid_value")
    hours, left = divmod(round(seconds), 3600)
    return Daytime(hours, left // 60, left % 60)


def _seconds(said: Any) -> float:
    """A length of time: "00:10:00", seconds, or hours, minutes and seconds."""
    if isinstance(said, dict):
        return sum(float(said.get(name, 0)) * size for name, size in (("hours", 3600), ("minutes", 60), ("seconds", 1)))
    if isinstance(said, int | float):
        return float(said)
    parts = str(said).lstrip("+-").split(":")
    if not all(part.isdigit() for part in parts) or len(parts) > 3:
        raise InputError(f"“{said}” is no length of time.", remedy=_REMEDY, reason="invalid_value")
    hours, minutes, seconds = (*(int(part) for part in parts), 0, 0)[:3]
    return (-1 if str(said).startswith("-") else 1) * float(hours * 3600 + minutes * 60 + seconds)
