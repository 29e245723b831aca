"""The arithmetic of `modify` as an expression of the plan IR, so that it is computed from the value at run time."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from engine.environment.values.quantities import moved
from engine.environment.values.ranges import Range, step_of
from engine.environment.values.scales import Scale, scale_of
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount
from engine.model.thing import Property
from engine.model.vocabulary import Vocabulary

_NOISE = 1e-6
"""Differences below this are the arithmetic's: they are rounded away before a number is put on a step."""


def computation(amount: Amount, prop: Property, vocabulary: Vocabulary, current: Json, variable: str) -> Json:
    """An expression in `variable` (the present value) with the same result as `realise`; None where there is none."""
    scale = scale_of(prop, vocabulary)
    if prop.schema.enum:
        return _on_options(amount, scale, variable)
    if isinstance(current, bool) or not isinstance(current, int | float) or not _plain(scale):
        return None
    if amount.steps and scale.is_opposed and scale.sense.step is not None:
        return None  # so many kelvin are so many mired at the present value only
    line = _line(amount, prop, vocabulary, scale.range, current)
    return None if line is None else _fitted(_of_line(*line, variable), scale)


def _plain(scale: Scale) -> bool:
    schema = scale.schema
    return schema.type in ("number", "integer") and not schema.has_const and not schema.one_of


def _on_options(amount: Amount, scale: Scale, variable: str) -> Json:
    if not amount.steps or not isinstance(amount.value, int | float) or not float(amount.value).is_integer():
        return None
    return ["step_option", variable, {"literal": scale.ladder()}, int(amount.value)]


def _line(
    amount: Amount, prop: Property, vocabulary: Vocabulary, limits: Range, current: float
) -> tuple[float, float] | None:
    """Factor and summand that lead from any present value to the wanted one; None where no line does (kelvin on a scale
    of mired)."""
    first = current if limits.low is None else limits.low
    last = limits.high if limits.complete and limits.high is not None else first + 100.0
    try:
        at = [moved(amount, prop, vocabulary, first + share * (last - first)) for share in (0.0, 0.25, 0.5, 1.0)]
    except ValueFault:
        return None
    rise = at[3] - at[0]
    expected = (at[0] + share * rise for share in (0.0, 0.25, 0.5, 1.0))
    if not all(math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-9) for got, want in zip(at, expected, strict=True)):
        return None
    factor = round(rise / (last - first), 12)
    return factor, round(at[0] - factor * first, 9)


def _of_line(factor: float, summand: float, variable: str) -> Json:
    product: Json = variable if factor == 1 else ["*", variable, factor]
    return ["+", product, summand] if summand or factor == 1 else product


def _fitted(expression: Json, scale: Scale) -> Json:
    """The number on a step of the schema's, inside its range; None where no step lies inside."""
    low, high = scale.range.low, scale.range.high
    step = step_of(scale.schema)
    if step is not None:
        expression = ["round", ["round", expression, _NOISE], step]
        low = None if low is None else _on_step(low, step, ROUND_CEILING)
        high = None if high is None else _on_step(high, step, ROUND_FLOOR)
    if low is not None and high is not None and low > high:
        return None
    if low is not None:
        expression = ["max", expression, low]
    return expression if high is None else ["min", expression, high]


def _on_step(bound: float, step: float, rounding: str) -> float:
    size = Decimal(repr(step))
    return float((Decimal(repr(bound)) / size).to_integral_value(rounding) * size)
