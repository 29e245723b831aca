"""How the values of a property satisfy a condition, in its schema's own terms, and how much of its kind a value is."""

from __future__ import annotations

from collections.abc import Iterator

from engine.environment.values.quantities import moved, position, realise, truth
from engine.environment.values.scales import number_of, scale_of
from engine.environment.values.schemas import is_number
from engine.environment.values.spelling import PERCENT
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount, Measure
from engine.model.selection import Comparison, Condition
from engine.model.thing import Property
from engine.things.registry import Registry

_ORDERED = {
    Comparison.ABOVE: "above",
    Comparison.AT_LEAST: "at_least",
    Comparison.BELOW: "below",
    Comparison.AT_MOST: "at_most",
}


def comparisons(one: Condition, prop: Property, registry: Registry) -> Iterator[tuple[str, Json]]:
    """The comparisons by which the values of a property satisfy a condition: a slot of `queries/selection/held.rq`, and
    the value to compare with in its schema's terms (None where any value will do)."""
    if one.comparison is Comparison.KNOWN or one.amount is None:
        yield "known", None
        return
    options = _options(prop)
    if options is not None:
        held = [option for option in options if _holds(one, option, prop, registry)]
        yield from (("equal" if is_number(option) else "value", option) for option in held)
        return
    if one.amount.measure is Measure.TRUTH and prop.schema.type == "string":
        yield from (("value", word) for word in _words(bool(one.amount.value), prop, registry))
        return
    bound = _bound(one.amount, prop, registry)
    if not is_number(bound):
        yield from [("value", bound)] if bound is not None and one.comparison is Comparison.IS else []
    elif one.amount.measure is Measure.TRUTH:
        falls = Comparison.ABOVE if one.amount.value else Comparison.AT_MOST
        yield _ORDERED[_turned(falls, prop, registry)], bound
    elif one.comparison is Comparison.IS:
        yield "equal", bound
    else:
        yield _ORDERED[_turned(one.comparison, prop, registry)], bound


def _words(holds: bool, prop: Property, registry: Registry) -> list[str]:
    """The words that stand for yes, or for no, where a property may be any word: "away" and "not_home"."""
    kinds = registry.vocabulary.kinds
    said = [kinds[kind].high if holds else kinds[kind].low for kind in prop.kinds if kind in kinds]
    spelt = {word for words in said for word in words}
    return sorted(spelt | {word.replace("_", " ") for word in spelt})


def _bound(amount: Amount, prop: Property, registry: Registry) -> Json:
    """The value with which those of a property are compared: a number need not be one that it can have. None where
    there is none."""
    if amount.measure is Measure.TRUTH and prop.schema.type != "string":
        amount = Amount(Measure.BOUND, "minimum")
    try:
        return moved(amount, prop, registry.vocabulary, None)
    except ValueFault:
        pass
    try:
        return realise(amount, prop, registry.vocabulary)
    except ValueFault:
        return 0 if amount.measure is Measure.BOUND else None


def _turned(comparison: Comparison, prop: Property, registry: Registry) -> Comparison:
    return comparison.turned if _is_opposed(prop, registry) else comparison


def level_of(value: Json, prop: Property, registry: Registry) -> float | None:
    """How much a value is in the sense of its kind: a number in the kind's unit, else its place from 0 to 1."""
    scale = scale_of(prop, registry.vocabulary)
    number = number_of(value)
    if scale.schema.enum or number is None or isinstance(value, bool):
        return position(value, prop, registry.vocabulary)
    unit = scale.sense.unit
    if unit in (None, PERCENT) and scale.range.complete and scale.unit != PERCENT:
        place = position(value, prop, registry.vocabulary)
        return None if place is None else place * 100
    return scale.out_of(scale.flipped(number), unit)


def _options(prop: Property) -> list[Json] | None:
    if prop.schema.type == "boolean" and not prop.schema.enum:
        return [True, False]
    return list(prop.schema.enum) or None


def _holds(one: Condition, option: Json, prop: Property, registry: Registry) -> bool:
    """Whether an option is as is said."""
    assert one.amount is not None
    vocabulary, amount = registry.vocabulary, one.amount
    if amount.measure is Measure.TRUTH:
        return truth(option, prop, vocabulary) is amount.value
    try:
        wanted = realise(amount, prop, vocabulary)
    except ValueFault:
        return False
    if one.comparison is Comparison.IS:
        return option == wanted
    here, there = position(option, prop, vocabulary), position(wanted, prop, vocabulary)
    if here is None or there is None:
        return False
    return _COMPARED[one.comparison](here, there)


_COMPARED = {
    Comparison.ABOVE: float.__gt__,
    Comparison.AT_LEAST: float.__ge__,
    Comparison.BELOW: float.__lt__,
    Comparison.AT_MOST: float.__le__,
}


def _is_opposed(prop: Property, registry: Registry) -> bool:
    """Whether greater values are less of the kind."""
    scale = scale_of(prop, registry.vocabulary)
    try:
        return scale.flipped(scale.into(10, scale.sense.unit)) > scale.flipped(scale.into(20, scale.sense.unit))
    except ValueFault:
        return prop.inverted
