"""Converts amounts to values and back: "40 percent", "a bit", "warm white" or "on" in a schema's own terms.

Amounts are in the sense of the kind, values in the sense and unit of the schema; `scales` knows the way between.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from engine.environment.values import colours, options
from engine.environment.values.ranges import fit, step_of
from engine.environment.values.scales import Scale, fault, number_of, only_member, over, scale_of
from engine.environment.values.schemas import bounds_text, equal, is_number, validate
from engine.environment.values.spelling import PERCENT, fold
from engine.environment.values.units import FREE, STEPS, canonical, spoken
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount, Measure
from engine.model.thing import Property, Schema
from engine.model.vocabulary import Vocabulary

__all__ = ["amount_of", "moved", "position", "realise", "realise_on", "same", "transfer", "truth", "validate"]

_WHOLE = 100.0
_A_STEP = 0.1  # of the range, where the kind has no step of its own


def realise(amount: Amount, prop: Property, vocabulary: Vocabulary, current: Json = None) -> Json:
    """The value that an amount is on a property, in the schema's own terms and unit.

    `current` is the present value, needed by relative amounts. Relative amounts stop at the ends of the range.
    Raises ValueFault: value_out_of_range, wrong_type, invalid_value, or unknown_state where `current` is missing.
    """
    return realise_on(scale_of(prop, vocabulary), amount, current)


def realise_on(scale: Scale, amount: Amount, current: Json = None) -> Json:
    """The same on a scale, which may be that of an input's member."""
    schema, amount = scale.schema, _plain(scale, amount)
    if schema.has_const:
        return schema.const
    if schema.one_of and not schema.enum:
        return _first_that_takes(scale, amount, current)
    value = _realised(scale, amount, current)
    validate(value, schema, scale.name)
    return value


def moved(amount: Amount, prop: Property, vocabulary: Vocabulary, current: Json) -> float:
    """Where an amount leads from the present value of a numeric property, in the schema's own terms, before it is made
    to fit the range and its steps. Raises ValueFault."""
    scale = scale_of(prop, vocabulary)
    return scale.flipped(_wanted(scale, _plain(scale, amount), current)[0])


def _plain(scale: Scale, amount: Amount) -> Amount:
    """The amount without a unit that is none of its own: "two levels up" are steps, "20 degrees" are the property's."""
    unit = canonical(amount.unit, scale.vocabulary)
    if unit not in FREE:
        return amount
    return replace(amount, unit=None, steps=amount.steps or (amount.relative and unit in STEPS))


def position(value: Json, prop: Property, vocabulary: Vocabulary) -> float | None:
    """Where a value lies from 0 to 1 in the kind's sense; None where there is no order, or no value.

    Numbers lie in their range, options in their order, truths at the ends.
    """
    return position_on(scale_of(prop, vocabulary), value)


def position_on(scale: Scale, value: Json) -> float | None:
    """The same on a scale."""
    if isinstance(value, dict):
        wrapped = only_member(scale.schema)
        return position_on(over(scale, wrapped[1]), value.get(wrapped[0])) if wrapped else None
    if value is None or isinstance(value, list):
        return None
    if scale.schema.enum and not isinstance(value, bool):
        return options.position(scale, value)
    if not is_number(value):
        found = scale.truth_of(value)
        return None if found is None else float(found)
    if not scale.range.complete:
        return None
    share = scale.share(scale.flipped(number_of(value) or 0.0))
    return min(1.0, max(0.0, share))


def truth(value: Json, prop: Property, vocabulary: Vocabulary) -> bool | None:
    """Whether a value means on, open, locked, … by its kind: words, truths, or a number above the lower end."""
    scale = scale_of(prop, vocabulary)
    if is_number(value) and not scale.schema.enum:
        place = position_on(scale, value)
        return bool(value) if place is None else place > 0
    return None if value is None or isinstance(value, list | dict) else scale.truth_of(value)


def same(one: Json, other: Json, prop: Property | None = None, vocabulary: Vocabulary | None = None) -> bool:
    """Whether two values of a property mean the same: 40 and 40.0, "On" and "on", "on" and true by the kind."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other or _same_truth(one, other, prop, vocabulary)
    first, second = number_of(one), number_of(other)
    if first is not None and second is not None:
        return math.isclose(first, second, rel_tol=1e-6, abs_tol=1e-6)
    return fold(one) == fold(other) if isinstance(one, str) and isinstance(other, str) else equal(one, other)


def transfer(value: Json, source: Scale, target: Scale) -> Json:
    """A value of one scale as the equal one of another: percent as 0 to 254, "on" as true. Raises ValueFault."""
    return realise_on(target, amount_of(value, source))


def amount_of(value: Json, scale: Scale) -> Amount:
    """The amount of a value: the inverse of `realise_on`. Raises ValueFault for a value that is no single amount."""
    if isinstance(value, bool):
        return Amount(Measure.TRUTH, value != scale.inverted)
    wrapped = only_member(scale.schema) if isinstance(value, dict) else None
    if isinstance(value, dict) and wrapped and wrapped[0] in value:
        return amount_of(value[wrapped[0]], over(scale, wrapped[1]))
    if isinstance(value, list | dict):
        return _colour_amount(value, scale)
    if is_number(value) and not scale.schema.enum:
        return _number_amount(number_of(value) or 0.0, scale)
    return _option_amount(value, scale)


def _colour_amount(value: Json, scale: Scale) -> Amount:
    rgb = colours.rgb_of(value, scale.schema, scale.vocabulary)
    if rgb is None:
        raise fault(scale, f"is no single amount: {value!r}.", "wrong_type")
    return Amount(Measure.COLOUR, list(rgb))


def _number_amount(number: float, scale: Scale) -> Amount:
    number = scale.flipped(number)
    if scale.shares and scale.range.complete:
        return Amount(Measure.FRACTION, scale.share(number))
    return Amount(Measure.NUMBER, number, scale.unit)


def _option_amount(value: Json, scale: Scale) -> Amount:
    found = scale.truth_of(value)
    if found is not None and (fold(value) in scale.sense.high | scale.sense.low or len(scale.schema.enum) == 2):
        return Amount(Measure.TRUTH, found)
    return Amount(Measure.TEXT, value if isinstance(value, str) else str(value))


def _same_truth(one: Json, other: Json, prop: Property | None, vocabulary: Vocabulary | None) -> bool:
    if prop is None or vocabulary is None:
        return False
    if is_number(one) or is_number(other):
        return one == other
    first, second = truth(one, prop, vocabulary), truth(other, prop, vocabulary)
    return first is not None and first == second


def _first_that_takes(scale: Scale, amount: Amount, current: Json) -> Json:
    faults: list[ValueFault] = []
    for one in scale.schema.one_of:
        try:
            return realise_on(over(scale, one), amount, current)
        except ValueFault as error:
            faults.append(error)
    raise faults[0]


def _realised(scale: Scale, amount: Amount, current: Json) -> Json:
    schema = scale.schema
    if schema.enum and schema.type != "boolean":
        return options.choose(scale, amount, current)
    rgb = _rgb(amount, scale) if colours.takes_colour(schema) else None
    if rgb and not (schema.type == "string" and amount.measure is Measure.TEXT):
        return colours.paint(rgb, schema)
    if schema.type == "object" or (schema.type is None and schema.properties):
        return _wrapped(scale, amount, current)
    take = _TAKERS.get(schema.type or _type_of(amount, schema))
    if take is None or amount.measure is Measure.COLOUR:
        raise fault(scale, f"cannot be set to {amount.value!r}.", "wrong_type")
    return take(scale, amount, current)


def _rgb(amount: Amount, scale: Scale) -> colours.RGB | None:
    """The colour that an amount is, or None."""
    if amount.measure is Measure.COLOUR and isinstance(amount.value, list) and len(amount.value) == 3:
        red, green, blue = (int(number_of(channel) or 0) for channel in amount.value)
        return red, green, blue
    if amount.measure is Measure.NAMED and isinstance(amount.value, str):
        value = scale.vocabulary.values.get(amount.value)
        return value.rgb if value else None
    return colours.named(str(amount.value), scale.vocabulary) if amount.measure is Measure.TEXT else None


def _type_of(amount: Amount, schema: Schema) -> str:
    """The type that a schema has which names none."""
    if amount.measure is Measure.TRUTH and schema.minimum is None and schema.maximum is None:
        return "boolean"
    return "string" if amount.measure is Measure.TEXT else "number"


def _wrapped(scale: Scale, amount: Amount, current: Json) -> Json:
    member = only_member(scale.schema)
    if member is None:
        raise fault(scale, "has several members; none was named.", "wrong_type")
    inner = current.get(member[0]) if isinstance(current, dict) else current
    return {member[0]: realise_on(over(scale, member[1]), amount, inner)}


def _boolean(scale: Scale, amount: Amount, _: Json) -> Json:
    found = _meant_truth(scale, amount)
    if found is None:
        raise fault(scale, f"is either on or off, not {amount.value!r}.", "wrong_type")
    return found != scale.inverted


def _meant_truth(scale: Scale, amount: Amount) -> bool | None:
    value = amount.value
    if amount.measure is Measure.TRUTH:
        return value if isinstance(value, bool) else None
    if amount.measure is Measure.BOUND:
        return value == "maximum"
    if amount.measure in (Measure.NAMED, Measure.TEXT):
        words = options.words(scale, amount)
        return next((word in scale.sense.high for word in words if word in _ends(scale)), None)
    number = number_of(value)
    if number is None or amount.measure is Measure.COLOUR:
        return None
    if amount.relative:
        return number > 0
    full = 100.0 if canonical(amount.unit, scale.vocabulary) == PERCENT else 1.0
    return number == full if number in (0.0, full) else None


def _ends(scale: Scale) -> frozenset[str]:
    return scale.sense.high | scale.sense.low


def _text(scale: Scale, amount: Amount, current: Json) -> Json:
    """A free text: words as they stand, a named value by its first spelling, a truth by the kind's word for it."""
    if amount.measure is Measure.TEXT:
        return str(amount.value)
    if amount.measure is Measure.NAMED:
        return options.named_text(scale, amount, current)
    if amount.measure is Measure.TRUTH and isinstance(amount.value, bool):
        return _truth_text(scale, amount.value, current)
    number = number_of(amount.value)
    if amount.measure is Measure.NUMBER and number is not None and not amount.relative:
        return f"{number:g}"
    raise fault(scale, "is a text; how much of it cannot be said.", "wrong_type")


def _truth_text(scale: Scale, wanted: bool, current: Json) -> Json:
    words = sorted(scale.sense.high if wanted != scale.inverted else scale.sense.low)
    if isinstance(current, str) and fold(current) in words:
        return current
    plain = [word for word in words if word not in ("true", "false")]
    if not words:
        raise fault(scale, "has no word for this state.", "invalid_value")
    return min(plain or words, key=lambda word: (len(word), word))


def _number(scale: Scale, amount: Amount, current: Json) -> Json:
    """A number: the wanted one in the kind's sense, checked or clamped, then on a step of the schema's."""
    wanted, clamped = _wanted(scale, amount, current)
    if not math.isfinite(wanted):
        raise fault(scale, "must be a number.", "wrong_type")
    number = scale.flipped(wanted)
    if not clamped and not scale.range.holds(number):
        unit = spoken(amount.unit, scale.vocabulary)
        raise fault(scale, f"cannot be {amount.value}{unit}.", "value_out_of_range", bounds_text(scale.schema))
    return fit(number, scale.schema, scale.range)


def _wanted(scale: Scale, amount: Amount, current: Json) -> tuple[float, bool]:
    """The number in the kind's sense, and whether it stops at the ends of the range instead of being refused."""
    if amount.measure in (Measure.BOUND, Measure.TRUTH):
        return scale.at(1.0 if amount.value in ("maximum", True) else 0.0), True
    if amount.measure is Measure.NAMED:
        return _named_number(scale, amount), True
    number = number_of(amount.value)
    if number is None:
        raise fault(scale, f"must be a number, not {amount.value!r}.", "wrong_type")
    if amount.measure is Measure.FRACTION or (amount.of_current and not amount.steps):
        share = number if amount.measure is Measure.FRACTION else number / 100
        return _share(scale, share, amount, current), amount.relative or amount.of_current
    unit = canonical(amount.unit, scale.vocabulary)
    if amount.steps:
        return _stepped(scale, number, current), True
    if amount.relative:
        unit = PERCENT if unit is None and scale.in_percent(number) else unit
        present = _present(scale, current)
        return (present + number if unit is None else scale.into(scale.out_of(present, unit) + number, unit)), True
    return scale.into(number, unit), False


def _named_number(scale: Scale, amount: Amount) -> float:
    value = scale.vocabulary.values.get(str(amount.value))
    if value is not None and value.number is not None:
        return scale.into(value.number, canonical(value.unit, scale.vocabulary))
    if value is not None and value.level is not None:
        return _of_range(scale, value.level)
    name = scale.vocabulary.name(str(amount.value))
    raise fault(scale, f'is a number; "{name}" does not say which.', "wrong_type")


def _share(scale: Scale, share: float, amount: Amount, current: Json) -> float:
    """A share of the present value or of the range, or so much more than now."""
    if amount.of_current:
        present = _present(scale, current)
        return present * (1 + share) if amount.relative else present * share
    if amount.relative:
        return scale.at(scale.share(_present(scale, current)) + share)
    return _of_range(scale, share)


def _of_range(scale: Scale, share: float) -> float:
    """The value at a share of the range. On a scale in percent half is 50, though the least value be 1."""
    in_percent = scale.unit == PERCENT or (scale.range.high == _WHOLE and scale.range.low in (0.0, 1.0))
    return scale.range.clamp(share * _WHOLE) if in_percent and 0 <= share <= 1 else scale.at(share)


def _present(scale: Scale, current: Json) -> float:
    number = number_of(current)
    if number is None:
        raise fault(scale, "is not known now, so it cannot be changed by an amount.", "unknown_state")
    return scale.flipped(number)


def _stepped(scale: Scale, steps: float, current: Json) -> float:
    """So many steps from now: of the kind's own size and unit, else tenths of the range; at least the schema's."""
    present, smallest = _present(scale, current), step_of(scale.schema) or 0.0
    unit, size = scale.sense.unit, scale.sense.step
    if size is not None:
        wanted = scale.into(scale.out_of(present, unit) + steps * size, unit)
    elif scale.range.complete:
        wanted = scale.at(scale.share(present) + steps * _A_STEP)
    else:
        wanted = present + steps * (smallest or 1.0)
    far = abs(wanted - present) >= smallest * abs(steps)
    return wanted if far else present + math.copysign(smallest * abs(steps), wanted - present)


_TAKERS: dict[str, Callable[[Scale, Amount, Json], Json]] = {
    "boolean": _boolean,
    "string": _text,
    "number": _number,
    "integer": _number,
}
