"""Amounts from where they are written: the effects of commands, goals in Turtle, JSON."""

from __future__ import annotations

from typing import Any, cast

from engine.graph.terms import Json, Term, python
from engine.model.intent import Amount, Measure
from engine.model.vocabulary import Effect
from engine.model.vocabulary import Form as EffectForm


def amount_of(effect: Effect) -> Amount | None:
    """The amount that an effect without input brings about; None for one that copies its input."""
    if effect.form is EffectForm.TO_BOUND:
        return Amount(Measure.BOUND, effect.value)
    if effect.form is EffectForm.BY:
        return Amount(Measure.NUMBER, effect.value, relative=True)
    if effect.form is EffectForm.TO_NEXT:
        return Amount(Measure.NUMBER, effect.value, relative=True, steps=True)
    if effect.form is EffectForm.TO_INPUT:
        return None
    if isinstance(effect.value, bool):
        return Amount(Measure.TRUTH, effect.value)
    if isinstance(effect.value, str):
        return Amount(Measure.NAMED if "://" in effect.value else Measure.TEXT, effect.value)
    return Amount(Measure.NUMBER, effect.value)


def amount_from_term(to: Term | None, bound: Term | None) -> Amount:
    """The amount of a goal in Turtle: a value, or a bound of the range."""
    if bound is not None:
        return Amount(Measure.BOUND, bound.value.rpartition("#")[2])
    value = cast(Json, python(to)) if to is not None else None
    if isinstance(value, bool):
        return Amount(Measure.TRUTH, value)
    if isinstance(value, int | float):
        return Amount(Measure.NUMBER, value)
    return Amount(Measure.NAMED, value)


def amount_from_json(data: Any) -> Amount:
    """An amount from its JSON."""
    return Amount(
        Measure(data["measure"]),
        data["value"],
        data.get("unit"),
        bool(data.get("relative")),
        bool(data.get("steps")),
        bool(data.get("of_current")),
    )
