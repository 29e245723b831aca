"""Where the numbers of a schema may lie, and how a number is made to fit: bounds, steps, whole numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from engine.errors import ValueFault
from engine.model.thing import Schema

_NOISE = 9  # decimal places beyond which a difference is the arithmetic's, not the person's


@dataclass(frozen=True, slots=True)
class Range:
    """Two bounds, both inside; None is no bound."""

    low: float | None = None
    high: float | None = None

    @property
    def complete(self) -> bool:
        """Whether both bounds are known and apart."""
        return self.low is not None and self.high is not None and self.high > self.low

    def holds(self, number: float) -> bool:
        """Whether the number lies inside, but for noise of arithmetic."""
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        slack = 10.0**-_NOISE * max(1.0, abs(number))
        return low - slack <= number <= high + slack

    def clamp(self, number: float) -> float:
        """The nearest number inside."""
        if self.low is not None:
            number = max(self.low, number)
        return number if self.high is None else min(self.high, number)

    def at(self, share: float) -> float:
        """The number at a share (0 to 1) of the range. Raises ValueFault where a bound is missing."""
        low, high = self.bounds()
        return low + share * (high - low)

    def share(self, number: float) -> float:
        """Where in the range a number lies, 0 to 1 if inside. Raises ValueFault where a bound is missing."""
        low, high = self.bounds()
        return (number - low) / (high - low)

    def bounds(self) -> tuple[float, float]:
        """Both bounds. Raises ValueFault where one is missing."""
        if self.low is None or self.high is None or self.high <= self.low:
            raise ValueFault("It has no range of which this could be a part.", reason="invalid_value")
        return self.low, self.high

    def flip(self, number: float) -> float:
        """The number as the opposite sense counts it: 30 of 0 to 100 is 70. Without a range its sign changes."""
        if self.low is None or self.high is None:
            return -number
        return self.low + self.high - number


def step_of(schema: Schema) -> float | None:
    """The distance of neighbouring numbers that the schema allows, or None where any number will do."""
    if schema.multiple_of:
        return schema.multiple_of
    return 1.0 if schema.type == "integer" else None


def range_of(schema: Schema) -> Range:
    """The numbers that the schema allows; exclusive bounds are moved inside by one step."""
    low, high, step = schema.minimum, schema.maximum, step_of(schema)
    if schema.exclusive_minimum is not None:
        inside = schema.exclusive_minimum + step if step else math.nextafter(schema.exclusive_minimum, math.inf)
        low = inside if low is None else max(low, inside)
    if schema.exclusive_maximum is not None:
        inside = schema.exclusive_maximum - step if step else math.nextafter(schema.exclusive_maximum, -math.inf)
        high = inside if high is None else min(high, inside)
    return Range(low, high)


def fit(number: float, schema: Schema, limits: Range) -> int | float:
    """The number that the schema allows nearest to `number`: in the range, on a step (half away from zero).

    A range without any step in it keeps the bound. Integers come back as int.
    """
    number = limits.clamp(number)
    step = step_of(schema)
    if step is None:
        return limits.clamp(round(number, _NOISE))
    steps = _on_step(number, step, limits)
    return int(steps) if schema.type == "integer" else float(steps)


def _on_step(number: float, step: float, limits: Range) -> Decimal:
    size = Decimal(repr(step))
    exact = Decimal(repr(round(number, _NOISE))) / size
    for rounding in (ROUND_HALF_UP, ROUND_FLOOR, ROUND_CEILING):
        found = exact.to_integral_value(rounding) * size
        if limits.holds(float(found)):
            return found
    return Decimal(repr(number))
