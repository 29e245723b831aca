"""What conditions leave a property to be: whether several can hold together, and whether one implies another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.environment.values.schemas import equal, is_number
from engine.graph.terms import Json
from engine.things.registry import Registry

Condition = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that a property can have: a range, open at an end or not, or listed ones; without some."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False
    values: tuple[Json, ...] | None = None
    excluded: tuple[Json, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is left."""
        if self.values is not None:
            return not any(self.has(value) for value in self.values)
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def has(self, value: Json) -> bool:
        """Whether a value is in it."""
        if any(equal(value, one) for one in self.excluded):
            return False
        if self.values is not None and not any(equal(value, one) for one in self.values):
            return False
        if not is_number(value):
            return True
        number = float(value)  # type: ignore[arg-type]
        above = number > self.low if self.low_open else number >= self.low
        below = number < self.high if self.high_open else number <= self.high
        return above and below

    def within(self, other: Domain) -> bool:
        """Whether all of it is in the other."""
        if self.values is not None:
            return all(other.has(value) for value in self.values if self.has(value))
        if other.values is not None or other.excluded:
            return False
        low = self.low > other.low or (self.low == other.low and (self.low_open or not other.low_open))
        high = self.high < other.high or (self.high == other.high and (self.high_open or not other.high_open))
        return low and high

    def and_(self, one: Condition) -> Domain:
        """What is left of it under a condition."""
        op, value = one["op"], one["value"]
        if op in ("==", "in"):
            wanted = tuple(value) if op == "in" else (value,)
            kept = wanted if self.values is None else tuple(v for v in wanted if any(equal(v, o) for o in self.values))
            return replace(self, values=kept)
        if op == "!=":
            return replace(self, excluded=(*self.excluded, value))
        number = float(value)
        if op in (">", ">="):
            tighter = number > self.low or (number == self.low and op == ">")
            return replace(self, low=number, low_open=op == ">") if tighter else self
        tighter = number < self.high or (number == self.high and op == "<")
        return replace(self, high=number, high_open=op == "<") if tighter else self


def whole(prop: str, registry: Registry) -> Domain:
    """All that a property can be, as its schema has it."""
    found = registry.properties.get(prop)
    if found is None:
        return Domain()
    schema = found.schema
    if schema.enum:
        return Domain(values=tuple(schema.enum))
    if schema.type == "boolean":
        return Domain(values=(True, False))
    low = -math.inf if schema.minimum is None else float(schema.minimum)
    high = math.inf if schema.maximum is None else float(schema.maximum)
    return Domain(low, high)


def domains(conditions: Iterable[Condition], registry: Registry) -> dict[str, Domain]:
    """What conditions that hold together leave each property."""
    found: dict[str, Domain] = {}
    for one in conditions:
        prop = one["property"]
        if one["op"] != "between":
            found[prop] = found.get(prop, whole(prop, registry)).and_(one)
    return found


def possible(conditions: Sequence[Condition], registry: Registry) -> bool:
    """Whether conditions can hold together."""
    return not any(domain.empty for domain in domains(conditions, registry).values())


def implies(conditions: Sequence[Condition], others: Sequence[Condition], registry: Registry) -> bool:
    """Whether the others hold wherever these do."""
    left, right = domains(conditions, registry), domains(others, registry)
    longer = all(
        any(
            o["property"] == one["property"] and o.get("for_seconds", 0) >= one.get("for_seconds", 0)
            for o in conditions
        )
        for one in others
        if one.get("for_seconds")
    )
    return longer and all(prop in left and left[prop].within(domain) for prop, domain in right.items())


def satisfied(value: Json, one: Condition) -> bool:
    """Whether a value satisfies a condition."""
    if not is_number(value) and one["op"] in (">", ">=", "<", "<="):
        return False
    domain = Domain().and_(one)
    return domain.has(value)
