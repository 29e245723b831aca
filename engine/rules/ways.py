"""The ways in which a fact is met, each as conditions on single properties: what programs read, and what is compared.

A condition is a JSON object: `artifact`, `property`, `op` (== != in > >= < <=), `value`, and `for_seconds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from engine.environment.values.schemas import equal
from engine.graph.store import GraphStore
from engine.graph.terms import Json
from engine.model.rule import Becomes, Fact, Holds, Match, Rule
from engine.rules.facts import OPPOSITE, Comparison, PartTest, compiled
from engine.things.registry import Registry

_OPERATORS = {"above": ">", "at_least": ">=", "below": "<", "at_most": "<="}
MOST = 64
"""How many ways are written out."""
Conditions = list[dict[str, Any]]


def together(several: Sequence[Sequence[Conditions]], match: Match) -> list[Conditions]:
    """The ways in which all, or any, of several things are met, each in one of its ways."""
    if match is Match.ANY and several:
        return [way for ways in several for way in ways]
    combined = product(*several) if several else iter([()])
    return [_once(one for way in ways for one in way) for ways, _ in zip(combined, range(MOST), strict=False)]


def _once(conditions: Iterable[dict[str, Any]]) -> Conditions:
    found: Conditions = []
    for one in conditions:
        if one not in found:
            found.append(one)
    return found


def ways_of(fact: Fact, store: GraphStore, registry: Registry) -> list[Conditions]:
    """The ways in which a fact is met, each a list of conditions on single properties."""
    watch = compiled(fact, store, registry)
    parts = [[_met(test, registry) for test in part] for part in watch.parts]
    if fact.holds is Holds.ANY:
        found = [way for part in parts for way in together(part, Match.ALL)]
    elif fact.holds is Holds.EVERY:
        found = together([way for part in parts for way in part], Match.ALL)
    else:
        found = together([[_denied(test, registry) for test in part] for part in watch.parts], Match.ALL)
    return [[{**one, **_lasting(fact)} for one in way] for way in found] or [[]]


def _lasting(fact: Fact) -> dict[str, Any]:
    return {"for_seconds": fact.seconds} if fact.seconds else {}


def _met(test: PartTest, registry: Registry) -> list[Conditions]:
    if test.negated:
        return [_denied(replace(test, negated=False), registry)]
    return [[one] for one in _grouped(test.any)]


def _denied(test: PartTest, registry: Registry) -> Conditions:
    """That none of the comparisons of a test holds; or, of one that says so already, that one does."""
    if test.negated:
        return _grouped(test.any)[:1]
    found: Conditions = []
    for prop, several in _by_property(test.any).items():
        values = [one.bound for one in several if one.slot in ("value", "equal")]
        if values:
            found.append({**_property(prop), **_other_than(values, prop, registry)})
        found += [
            {**_property(prop), "op": _OPERATORS[OPPOSITE[one.slot]], "value": one.bound}
            for one in several
            if one.slot in OPPOSITE
        ]
    return found


def _other_than(values: Sequence[Json], prop: str, registry: Registry) -> dict[str, Any]:
    """That a property has another value than these: what it then has, where its schema lists that."""
    schema = registry.properties[prop].schema
    options = list(schema.enum) or ([True, False] if schema.type == "boolean" else [])
    left = [option for option in options if not any(equal(option, value) for value in values)]
    if len(left) == 1:
        return {"op": "==", "value": left[0]}
    return {"op": "in", "value": left} if left else {"op": "!=", "value": values[0]}


def _grouped(several: Iterable[Comparison]) -> Conditions:
    """One condition for each property, where it is one of several values."""
    found: Conditions = []
    for prop, own in _by_property(several).items():
        values = [one.bound for one in own if one.slot in ("value", "equal")]
        if len(values) == 1:
            found.append({**_property(prop), "op": "==", "value": values[0]})
        elif values:
            found.append({**_property(prop), "op": "in", "value": values})
        found += [
            {**_property(prop), "op": _OPERATORS[one.slot], "value": one.bound} for one in own if one.slot in _OPERATORS
        ]
    return found


def _by_property(several: Iterable[Comparison]) -> dict[str, list[Comparison]]:
    found: dict[str, list[Comparison]] = {}
    for one in several:
        found.setdefault(one.property, []).append(one)
    return found


def _property(prop: str) -> dict[str, Any]:
    return {"artifact": prop.partition("#")[0], "property": prop}


def event_ways(event: Becomes, store: GraphStore, registry: Registry) -> list[Conditions]:
    """The ways in which an event is so."""
    return together([ways_of(fact, store, registry) for fact in event.facts], event.match)


def condition_ways(rule: Rule, store: GraphStore, registry: Registry) -> list[Conditions]:
    """The ways in which the conditions of a rule hold; one empty way where it has none."""
    return together([ways_of(fact, store, registry) for fact in rule.conditions], rule.match)
