"""Judges the results of HomeEnv tasks by their labels: lenient in form, strict in meaning.

The conventions are those of the benchmark. A result is a result object of a batch; properties are known by the IRIs
that the origin gives them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from engine.evaluation.homeenv_rules import Condition, Trigger, alike, fires, times
from engine.evaluation.homeenv_values import fits, holds, number, same, says

Key = tuple[str, str]
Expected = Mapping[str, Any]
Result = Mapping[str, Any]


class Failed(Exception):
    """The fault of a result."""


@dataclass(frozen=True, slots=True)
class House:
    """A home as its file has it: the values by device and path, the names that a question may offer, the schemas of
    attributes, and the side effects of their setters. `now` is the time there, in its own zone."""

    state: Mapping[Key, Any]
    names: frozenset[str]
    attributes: Mapping[Key, Mapping[str, Any]] = field(default_factory=dict)
    besides: Mapping[Key, Mapping[Key, Any]] = field(default_factory=dict)
    now: datetime | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> House:
        """The home of a file."""
        names = {*(room["name"] for room in data["rooms"]), *(device["name"] for device in data["devices"])}
        attributes = {(did, pre + a["name"]): a for did, pre, part in _parts(data) for a in part["attributes"]}
        state = {key: attribute["value"] for key, attribute in attributes.items()}
        now = datetime.fromisoformat(data["now"]) if "now" in data else None
        return cls(state, frozenset(names), attributes, dict(_besides(data)), now)

    def after(self, turns: Sequence[Mapping[str, Any]], now: datetime | None = None) -> House:
        """The home after the turns that come before the one that is scored, at the time at which it is said."""
        said = {(e["did"], e["path"]): e["value"] for turn in turns[:-1] for e in turn.get("effects", ())}
        return replace(self, state={**self.state, **said}, now=now or self.now)


def _parts(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """The devices and their parts, each with its device's id and the prefix of its paths."""
    for device in data["devices"]:
        did = str(device["userdata"]["did"])
        yield did, "", device
        yield from ((did, f"{part['name']}.", part) for part in device.get("components", ()))


def _besides(data: Mapping[str, Any]) -> Iterator[tuple[Key, Mapping[Key, Any]]]:
    """The side effects of services that set one attribute to their only argument."""
    for did, pre, part in _parts(data):
        for service in part.get("services", ()):
            effects = service["effects"]
            for one in effects if len(service["arguments"]) == 1 else ():
                if "argument" in one:
                    fixed = {(did, pre + e["attribute"]): e["value"] for e in effects if "value" in e}
                    yield (did, pre + one["attribute"]), fixed


def judge(expected: Expected, result: Result, house: House) -> str | None:
    """The fault of a result; None where it is right by the expectation or one of its alternatives."""
    faults = []
    for one in (expected, *expected.get("alternatives", ())):
        try:
            _JUDGES[one["kind"]](one, result, house)
        except Failed as fault:
            faults.append(str(fault))
        else:
            return None
    return " | ".join(faults)


def changed(result: Result, house: House) -> dict[Key, Any]:
    """The values that differ from the state before, by device and path. Raises Failed for properties that are not of
    this home."""
    found = {_key(change, house): change["after"] for change in result.get("changes") or ()}
    return {key: value for key, value in found.items() if not same(house.state[key], value)}


def _key(one: Mapping[str, Any], house: House) -> Key:
    """The device and path of a property. Raises Failed for one that is not of this home."""
    key = (one["artifact"].rpartition(":")[2], one["property"].rpartition("#properties/")[2])
    if key not in house.state:
        raise Failed(f"{one['property']} is none of this home's")
    return key


def _stands(result: Result, *wanted: str) -> None:
    if result.get("status") not in wanted:
        raise Failed(f"{result.get('status')}, wanted {wanted[0]}")


def _nothing_changed(result: Result, house: House) -> None:
    for did, path in changed(result, house):
        raise Failed(f"{did} {path} changed")


def _state(expected: Expected, result: Result, house: House) -> None:
    _stands(result, "done", "answered")
    _comes_out(expected, changed(result, house), house)


def _comes_out(expected: Expected, changes: Mapping[Key, Any], house: House) -> None:
    """Raises Failed unless the changes lead to the final state, and change nothing else."""
    after = {**house.state, **changes}
    allowed = set()
    for one in expected["final"]:
        key = (one["did"], one["path"])
        allowed.add(key)
        if not holds(after[key], one["op"], one["value"]):
            raise Failed(f"{key} is {after[key]!r}, wanted {one['op']} {one['value']!r}")
    for one in expected.get("also_ok", ()):
        key = (one["did"], one["path"])
        if key in changes and (not one.get("op") or holds(changes[key], one["op"], one["value"])):
            allowed.add(key)
    if others := changes.keys() - allowed:
        raise Failed(f"changed besides: {sorted(others)[:3]}")


_UNITS = {
    "percentage": ("%", "percent", "percentage", "pct"),
    "celsius": ("c", "°c", "celsius", "degree", "degrees", "degc", "cel", "degreecelsius"),
}


def _answer(expected: Expected, result: Result, house: House) -> None:
    _stands(result, "answered", "done")
    _nothing_changed(result, house)
    answer = result.get("answer") or {}
    text, value = str(answer.get("text") or ""), answer.get("value")
    right = None if value in (None, "", []) else _is_right(value, expected)
    if right is False:
        raise Failed(f"{value!r}, wanted {expected['value']!r}")
    unit = re.sub(r".*[:/#]", "", str(answer.get("unit") or "").lower())
    if right and unit and unit not in _UNITS.get(expected.get("unit") or "", (unit,)):
        raise Failed(f"unit {unit}, wanted {expected['unit']}")
    if not right or (len(expected["must_contain"]) > 1 and not isinstance(expected["value"], list)):
        _in_words(expected, text, value)


def _is_right(value: Any, expected: Expected) -> bool | None:
    """Whether a value is the wanted one; None where the words must tell."""
    wanted = expected["value"]
    if isinstance(wanted, bool):
        return same(wanted, value) if isinstance(value, bool) else None
    if isinstance(wanted, int | float):
        found = len(value) if isinstance(value, list) and isinstance(wanted, int) else number(value)
        return None if found is None else abs(found - wanted) <= _tolerance(expected)
    if isinstance(wanted, list) and isinstance(value, str | list):
        got = re.split(r",| and ", value) if isinstance(value, str) else [str(one) for one in value]
        named = all(any(says(g, a) for a in group for g in got) for group in expected["must_contain"])
        return named and len(got) == len(wanted)
    return same(value, wanted) or says(str(value), wanted) or None


def _tolerance(expected: Expected) -> float:
    return float(expected.get("tolerance") or 0.05)


def _in_words(expected: Expected, text: str, value: Any) -> None:
    """The words of an answer, where its value alone does not tell."""
    shown = "" if value is None or isinstance(value, bool) else json.dumps(value, ensure_ascii=False)
    full, wanted = f"{text} {shown}".strip(), expected["value"]
    if not full:
        raise Failed("no answer")
    if isinstance(wanted, int | float) and not isinstance(wanted, bool):
        numbers = (float(n) for n in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", full))
        if any(abs(n - wanted) <= _tolerance(expected) for n in numbers):
            return
    for group in expected["must_contain"]:
        if not any(says(full, words) for words in group):
            raise Failed(f"the answer lacks {group[0]!r}")
    for words in expected.get("must_not_contain", ()):
        if says(full, words):
            raise Failed(f"the answer names {words!r}")
    if isinstance(wanted, bool) and re.match(r"\W*no\b" if wanted else r"\W*yes\b", full, re.I):
        raise Failed("the answer says the opposite")


_WORDS = """
place: room, where, which, whose, device, one do you mean, ones
value: what value, value, temperature, degrees, brightness, bright, percent, percentage, how much, how far, how high
value: how low, level, colour, color, position, what should, what would you like, setting
duration: how long, duration, minutes, how many minutes, cooking time, long
mode: mode, program, programme, cycle
time: when, what time, time, hour, o'clock
"""
_ABOUT = [
    (slot, word)
    for slot, _, words in (line.partition(": ") for line in _WORDS.split("\n"))
    for word in words.split(", ")
]
"""By which words one sees what a question is about."""
_TOO_MANY = 4


def _clarify(expected: Expected, result: Result, house: House) -> None:
    _stands(result, "clarify")
    _nothing_changed(result, house)
    question = str(result.get("question") or "").strip()
    wanted = "place" if expected["about"] in ("room", "device") else expected["about"]
    about = {slot for slot, word in _ABOUT if word and says(question, word)}
    if sum(says(question, name) for name in house.names) > 1:
        about.add("place")
    low = question.lower()
    if wanted == "time" and "long" in low and "when" not in low and "what time" not in low:
        about.discard("time")
    if wanted not in about:
        raise Failed(f"the question is not about the {wanted}: {question!r}")
    if len(about) >= _TOO_MANY:
        raise Failed("the question asks for everything at once")
    if (then := result.get("then")) and (fault := judge(expected["then"]["expect"], then, house)):
        raise Failed(f"after the reply: {fault}")


def _rule(expected: Expected, result: Result, house: House) -> None:
    _stands(result, "scheduled", "done")
    _nothing_changed(result, house)
    said = result.get("rule") or []
    rules = [(_trigger(one["trigger"], house), _does(one["actions"], house)) for one in _several(said)]
    if not rules:
        raise Failed("no rule was made, wanted one")
    _on_time(expected["trigger"], [trigger for trigger, _ in rules], _now(house))
    for scenario in expected["fires"]:
        done = [does for trigger, does in rules if fires(trigger, scenario, house.state, _now(house))]
        if bool(done) != scenario["fires"]:
            raise Failed(f"“{scenario['note']}”: it fires {bool(done)}, wanted {scenario['fires']}")
        if done:
            _sets({key: value for does in done for key, value in does.items()}, expected, house)


def _several(said: Any) -> Sequence[Mapping[str, Any]]:
    return said if isinstance(said, list) else [said]


def _now(house: House) -> datetime:
    if house.now is None:
        raise Failed("nobody knows what time it is there")
    return house.now.replace(tzinfo=None)


def _trigger(said: Mapping[str, Any], house: House) -> Trigger:
    """The trigger of a rule, from its result object. Raises Failed for properties that are not of this home."""
    conditions = tuple(
        Condition(
            None if one["property"] == "time" else _key(one, house),
            one["op"],
            one["value"],
            one.get("for_seconds") or 0,
        )
        for one in said.get("conditions") or ()
    )
    return Trigger(times(said, _now(house)), conditions, said.get("match") == "any")


def _does(actions: Sequence[Mapping[str, Any]], house: House) -> dict[Key, Any]:
    """The values that a rule sets, with the setters' side effects. Raises Failed for a value outside the schema."""
    found: dict[Key, Any] = {}
    for one in actions:
        key = _key(one, house)
        if not fits(one["value"], house.attributes[key]):
            raise Failed(f"{one['property']} cannot be {one['value']!r}")
        found |= {**house.besides.get(key, {}), key: one["value"]}
    return found


def _on_time(wanted: Mapping[str, Any], triggers: Sequence[Trigger], now: datetime) -> None:
    """That a rule fires at the times that are wanted; where hours are, the scenarios tell."""
    right = None if wanted.get("window") else times(wanted, now)
    for one in triggers if right is not None else ():
        in_hours = one.times is None and any(condition.key is None for condition in one.conditions)
        if not in_hours and (one.times is None or not alike(one.times, right or ())):
            raise Failed("it fires at other times than asked")


def _sets(does: Mapping[Key, Any], expected: Expected, house: House) -> None:
    """Raises Failed unless a rule sets the final values: by itself, also where a property has its value by chance."""
    for one in expected["final"]:
        if (one["did"], one["path"]) not in does:
            raise Failed(f"the rule does not set {one['did']} {one['path']}")
    _comes_out(expected, {key: value for key, value in does.items() if not same(house.state[key], value)}, house)


def _refuse(expected: Expected, result: Result, house: House) -> None:
    _stands(result, "refused")
    _nothing_changed(result, house)
    allowed = (expected["reason"], *expected.get("also_reasons", ()))
    if result.get("reason") not in allowed:
        raise Failed(f"{result.get('reason')}, wanted one of {allowed}")


_JUDGES = {"state": _state, "answer": _answer, "clarify": _clarify, "rule": _rule, "refuse": _refuse}
