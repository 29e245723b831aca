"""Choosing among listed options: by spelling, by the kind's words, by order."""

from __future__ import annotations

import math

from engine.environment.values import colours
from engine.environment.values.scales import Scale, fault, number_of
from engine.environment.values.spelling import PERCENT, fold
from engine.environment.values.units import FREE, canonical, comparable
from engine.graph.terms import Json
from engine.model.intent import Amount, Measure


def choose(scale: Scale, amount: Amount, current: Json) -> Json:
    """The option that an amount means. Raises ValueFault (invalid_value; unknown_state for steps from nowhere)."""
    if amount.relative or amount.steps:
        return _changed(scale, amount, current)
    if amount.measure is Measure.TRUTH:
        found = _by_truth(scale, amount.value is True, current)
    else:
        found = _CHOICES[amount.measure](scale, amount)
    if found is None:
        known = ", ".join(str(option) for option in scale.schema.enum)
        said = scale.vocabulary.name(str(amount.value)) if amount.measure is Measure.NAMED else amount.value
        raise fault(scale, f"cannot be {said}.", "invalid_value", f"It can be: {known}.")
    return found


def position(scale: Scale, value: Json) -> float | None:
    """Where an option lies in the order of options, 0 to 1; None for one outside of it or alone."""
    ladder = scale.ladder()
    place = _index(ladder, value)
    if place is None or len(ladder) < 2:
        found = scale.truth_of(value)
        return None if found is None else float(found)
    return place / (len(ladder) - 1)


def moved(scale: Scale, current: Json, steps: int) -> Json:
    """The option so many steps up the order from the present one, stopping at its ends."""
    ladder = scale.ladder()
    place = _index(ladder, current)
    if place is None:
        ladder = list(scale.schema.enum)
        place = _index(ladder, current)
    if place is None:
        raise fault(scale, "is not known now, so it cannot be moved on.", "unknown_state")
    return ladder[min(len(ladder) - 1, max(0, place + steps))]


def next_option(scale: Scale, current: Json, steps: int) -> Json:
    """The option so many steps on in the list as it is given, round its corner; None where the present one is none."""
    given = list(scale.schema.enum)
    place = _index(given, current)
    return None if place is None else given[(place + steps) % len(given)]


def words(scale: Scale, amount: Amount) -> list[str]:
    """The folded spellings of a named value or of a text, the best first; a text brings its synonyms."""
    if amount.measure is Measure.NAMED:
        value = scale.vocabulary.values.get(str(amount.value))
        return scale.spelt.words(value) if value else [fold(scale.vocabulary.name(str(amount.value)))]
    word = fold(amount.value)
    synonyms = [other for value in scale.spelt.values.get(word, ()) for other in scale.spelt.words(value)]
    return list(dict.fromkeys([word, *synonyms]))


def named_text(scale: Scale, amount: Amount, current: Json) -> str:
    """A named value as free text: as it is spelt now, else as a notation, else by its name."""
    if isinstance(current, str) and fold(current) in words(scale, amount):
        return current
    value = scale.vocabulary.values.get(str(amount.value))
    return min(value.notations) if value and value.notations else scale.vocabulary.name(str(amount.value))


def _index(options: list[Json], value: Json) -> int | None:
    word = fold(value)
    return next((index for index, option in enumerate(options) if fold(option) == word), None)


def _spelt(scale: Scale, word: str) -> Json:
    number = number_of(word)
    for option in scale.schema.enum:
        if fold(option) == word or (number is not None and number_of(option) == number):
            return option
    return None


def _by_truth(scale: Scale, wanted: bool, current: Json) -> Json:
    """The option that stands for on or off; the present or default one, where several do."""
    found = [option for option in (*scale.ladder(), *scale.schema.enum) if scale.truth_of(option) is wanted]
    preferred = [option for option in (current, scale.schema.default) if option in found]
    return (preferred or found or [None])[0]


def _by_end(scale: Scale, amount: Amount) -> Json:
    """The first or last option of an order; None where nothing tells that they have one: normal, natural, sleep."""
    if not (scale.ordered or (scale.sense.high and scale.sense.low)):
        return None
    return scale.ladder()[-1 if amount.value == "maximum" else 0]


def _by_name(scale: Scale, amount: Amount) -> Json:
    """By spelling; else by the kind's words; a level by its place among numbers; a colour by the nearest name."""
    for word in words(scale, amount):
        if (option := _spelt(scale, word)) is not None:
            return option
    value = scale.vocabulary.values.get(str(amount.value))
    if value is not None and value.rgb:
        return colours.nearest(value.rgb, scale.schema.enum, scale.vocabulary)
    if value is not None and value.level is not None and all(number_of(one) is not None for one in scale.schema.enum):
        return _at(scale, value.level)
    found = _by_word_of_kind(scale, amount)
    ends = value is not None and value.level in (0.0, 1.0) and scale.ordered
    return _at(scale, value.level or 0.0) if found is None and ends and value is not None else found


def _by_text(scale: Scale, amount: Amount) -> Json:
    for word in words(scale, amount):
        if (option := _spelt(scale, word)) is not None:
            return option
    return _by_word_of_kind(scale, amount)


def _by_word_of_kind(scale: Scale, amount: Amount) -> Json:
    """The option for a word of truth by the kind's words, for "on" may be spelt "active" here; None where there is
    none."""
    for word in words(scale, amount):
        if word in scale.sense.high | scale.sense.low:
            return _by_truth(scale, (word in scale.sense.high) != scale.inverted, None)
    return None


def _by_number(scale: Scale, amount: Amount) -> Json:
    number = number_of(amount.value)
    if number is None:
        return None
    if canonical(amount.unit, scale.vocabulary) == PERCENT:
        return _at(scale, number / 100) if 0 <= number <= 100 else None
    return _spelt(scale, f"{number:g}")


def _by_share(scale: Scale, amount: Amount) -> Json:
    share = number_of(amount.value)
    return None if share is None or amount.of_current or not 0 <= share <= 1 else _at(scale, share)


def _changed(scale: Scale, amount: Amount, current: Json) -> Json:
    """The option that is so many steps, so much of their order, or such a number away from the present one."""
    change, present = number_of(amount.value) or 0.0, number_of(current)
    if amount.measure is Measure.FRACTION:
        return moved(scale, current, _rungs(scale, change))
    if canonical(amount.unit, scale.vocabulary) == PERCENT and not amount.steps:
        return moved(scale, current, _rungs(scale, change / 100))
    _check_unit(scale, amount)
    numbers = {option: number_of(option) for option in scale.ladder() if isinstance(option, str | int | float)}
    if amount.steps or present is None or None in numbers.values():
        return moved(scale, current, round(change))
    wanted = present - change if scale.inverted else present + change
    return min(numbers, key=lambda option: abs((numbers[option] or 0.0) - wanted))


def _check_unit(scale: Scale, amount: Amount) -> None:
    """Raises ValueFault for a change in a unit that these options do not have, such as centimetres."""
    unit = canonical(amount.unit, scale.vocabulary)
    if unit is None or unit in FREE or amount.steps:
        return
    if scale.unit is None or not comparable(unit, scale.unit, scale.vocabulary):
        raise fault(scale, f"does not change by {scale.vocabulary.name(unit)}.")


def _rungs(scale: Scale, share: float) -> int:
    """How many options a share of their order is: one at least."""
    return round(math.copysign(max(1, round(abs(share) * (len(scale.ladder()) - 1))), share)) if share else 0


def _at(scale: Scale, share: float) -> Json:
    ladder = scale.ladder()
    return ladder[int(min(1.0, max(0.0, share)) * (len(ladder) - 1) + 0.5)]


def _by_colour(scale: Scale, amount: Amount) -> Json:
    if not isinstance(amount.value, list) or len(amount.value) != 3:
        return None
    red, green, blue = (int(number_of(channel) or 0) for channel in amount.value)
    return colours.nearest((red, green, blue), scale.schema.enum, scale.vocabulary)


_CHOICES = {
    Measure.BOUND: _by_end,
    Measure.NAMED: _by_name,
    Measure.TEXT: _by_text,
    Measure.NUMBER: _by_number,
    Measure.FRACTION: _by_share,
    Measure.COLOUR: _by_colour,
}
