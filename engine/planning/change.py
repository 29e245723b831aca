"""The arithmetic of `modify` as an expression of the plan IR, so that what counts is the value when it runs."""

from __future__ import annotations

from engine.environment.quantities import realise
from engine.environment.ranges import step_of
from engine.environment.scales import Scale, scale_of
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount
from engine.model.thing import Property
from engine.model.vocabulary import Vocabulary


def computation(amount: Amount, prop: Property, vocabulary: Vocabulary, current: Json, variable: str) -> Json:
    """An expression in `variable` (the present value) that gives what `realise` gives; None where there is no such."""
    scale = scale_of(prop, vocabulary)
    if prop.schema.enum:
        return _on_options(amount, scale, variable)
    if isinstance(current, bool) or not isinstance(current, int | float):
        return None
    factor = _factor(amount)
    if factor is not None and not scale.inverted:
        return _fitted(["*", variable, factor], scale)
    delta = _delta(amount, prop, vocabulary, scale)
    return None if delta is None else _fitted(["+", variable, delta], scale)


def _on_options(amount: Amount, scale: Scale, variable: str) -> Json:
    if not amount.relative or not isinstance(amount.value, int | float):
        return None
    return ["step_option", variable, {"literal": scale.ladder()}, int(amount.value)]


def _factor(amount: Amount) -> float | None:
    """By how much a share of the present value multiplies it."""
    if not amount.of_current or not isinstance(amount.value, int | float):
        return None
    share = float(amount.value)
    return 1 + share if amount.relative else share


def _delta(amount: Amount, prop: Property, vocabulary: Vocabulary, scale: Scale) -> float | None:
    """How far the amount moves the value, measured from the middle of the range where nothing stops it."""
    low, high = scale.range.low, scale.range.high
    middle = (low + high) / 2 if low is not None and high is not None else 0.0
    try:
        moved = realise(amount, prop, vocabulary, middle)
    except ValueFault:
        return None
    if not isinstance(moved, int | float) or moved in (low, high):
        return _full_delta(amount, scale)
    return moved - middle


def _full_delta(amount: Amount, scale: Scale) -> float | None:
    """The same where the amount reaches beyond half of the range."""
    if (
        amount.steps
        or (amount.unit is not None and amount.unit != scale.unit)
        or not isinstance(amount.value, int | float)
    ):
        return None
    return -float(amount.value) if scale.inverted else float(amount.value)


def _fitted(expression: Json, scale: Scale) -> Json:
    low, high = scale.range.low, scale.range.high
    step = step_of(scale.schema)
    if step is not None:
        expression = ["round", expression, step]
    if low is not None:
        expression = ["max", expression, low]
    return expression if high is None else ["min", expression, high]
