"""How the values of one schema count: their unit, range, order and polarity, in the sense of their kind.

A value is in the schema's own terms; a number, a share or a truth "in the kind's sense" is after `hg:inverted` and the
unit have been taken into account: a blind that is 30 % closed is of kind hg:Position at 70.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.environment.values.ranges import Range, range_of
from engine.environment.values.spelling import PERCENT, Sense, Spellings, fold, spellings
from engine.environment.values.units import FREE, canonical, convert, opposed
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.thing import Property, Schema
from engine.model.vocabulary import Vocabulary

_SPELT = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a schema's values. `unit` is canonical, or None; `name` is for messages."""

    schema: Schema
    name: str
    sense: Sense
    spelt: Spellings
    unit: str | None
    range: Range
    inverted: bool

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary in which the kinds, units and values are understood."""
        return self.spelt.vocabulary

    @property
    def shares(self) -> bool:
        """Whether people count it in percent while the device does not: brightness from 0 to 254."""
        return self.sense.unit == PERCENT and self.unit is None

    def flipped(self, number: float) -> float:
        """A number of the schema in the kind's sense, and the other way round."""
        return self.range.flip(number) if self.inverted else number

    def at(self, share: float) -> float:
        """The number at a share of the range, from the lower end of the kind. Raises ValueFault without a range."""
        return self.range.at(1 - share if self.is_opposed else share)

    def share(self, number: float) -> float:
        """Where in the range a number lies, from the lower end of the kind. Raises ValueFault without a range."""
        share = self.range.share(number)
        return 1 - share if self.is_opposed else share

    @property
    def is_opposed(self) -> bool:
        """Whether the unit counts against that of the kind, as mired does against kelvin."""
        if self.unit is None or self.sense.unit is None:
            return False
        return opposed(self.unit, self.sense.unit, self.vocabulary)

    def into(self, number: float, unit: str | None) -> float:
        """A number in `unit` (canonical; None: as it stands) as one of this scale. Raises ValueFault."""
        if unit is None or unit == self.unit:
            return self._as_it_stands(number)
        if unit == PERCENT:
            return self.at(number / 100)
        if self.unit is None and not self.shares:
            return number
        return convert(number, unit, self.unit or PERCENT, self.vocabulary)

    def out_of(self, number: float, unit: str | None) -> float:
        """The inverse of `into`: a number of this scale in `unit`."""
        if unit is None or unit == self.unit:
            return number
        if unit == PERCENT:
            return self.share(number) * 100
        return number if self.unit is None else convert(number, self.unit, unit, self.vocabulary)

    def _as_it_stands(self, number: float) -> float:
        return self.at(number / 100) if self.in_percent(number) and number > 0 else number

    def in_percent(self, number: float) -> bool:
        """Whether a number without a unit is one of percent: a volume of 40, or 10 more, on a scale from 0 to 1."""
        low, top = self.range.low, self.range.high
        return self.shares and top is not None and 0 <= (low or 0) < top <= 1 < abs(number) <= 100

    def truth_of(self, value: Json) -> bool | None:
        """Which end of its kind a boolean or an option stands for, in the kind's sense; None: neither."""
        found = value if isinstance(value, bool) else self._word_truth(fold(value))
        return found if found is None else found != self.inverted

    def _word_truth(self, word: str) -> bool | None:
        if word in self.sense.high:
            return True
        if word in self.sense.low:
            return False
        options = [fold(option) for option in self.schema.enum]
        if len(options) <= 2 and word in _SPELT and all(option in _SPELT for option in options):
            return _SPELT[word]
        return self._truth_by_others(word, options)

    def _truth_by_others(self, word: str, options: Sequence[str]) -> bool | None:
        """The truth of an option that is no word of truth, by the others: beside "off" alone it is on; beside "on"
        alone it is off where there are but two; else None."""
        if word not in options or len(options) < 2:
            return None
        if any(option in self.sense.high for option in options):
            return False if len(options) == 2 else None
        return True if any(option in self.sense.low for option in options) else None

    def ladder(self) -> list[Json]:
        """The options from low to high in the kind's sense.

        They stand as given, unless numbers, named levels or the kind's words for both ends say that they descend;
        options after the last one so known (`low, medium, high, auto`) are no part of the order.
        """
        options = list(self.schema.enum)
        ranks = self._ranks()
        known = [index for index, rank in enumerate(ranks) if rank is not None]
        if len(known) >= 2:
            options = options[: known[-1] + 1]
            if (ranks[known[0]] or 0) > (ranks[known[-1]] or 0):
                options.reverse()
        return options[::-1] if self.inverted else options

    @property
    def ordered(self) -> bool:
        """Whether something tells which options are more than others: low, medium, high."""
        return bool(self._ranks())

    def _ranks(self) -> list[float | None]:
        """Where each option lies, as far as one way of telling knows two of them; None for the others."""
        for rank in (number_of, self._level, self._end):
            found = [rank(option) for option in self.schema.enum]
            if len(set(found) - {None}) >= 2:
                return found
        return []

    def _level(self, option: Json) -> float | None:
        values = self.spelt.values.get(fold(option), ())
        return next((value.level for value in values if value.level is not None), None)

    def _end(self, option: Json) -> float | None:
        word = fold(option)
        if word in self.sense.high:
            return 1.0
        return 0.0 if word in self.sense.low else None


def scale_of(prop: Property, vocabulary: Vocabulary) -> Scale:
    """How the values of a property count."""
    kinds = prop.kinds | prop.schema.kinds
    return scale_of_schema(prop.schema, kinds, vocabulary, inverted=prop.inverted, name=prop.name)


def scale_of_schema(
    schema: Schema, kinds: frozenset[str], vocabulary: Vocabulary, *, inverted: bool = False, name: str = ""
) -> Scale:
    """How the values of a schema count that is of these kinds: a member of an input."""
    spelt = spellings(vocabulary)
    sense, limits = spelt.sense(kinds), range_of(schema)
    unit = canonical(schema.unit, vocabulary)
    if (unit is None or unit in FREE) and not (sense.unit == PERCENT and limits.complete and not _hundred(limits)):
        unit = sense.unit
    if unit == PERCENT and not schema.enum:
        limits = Range(0.0 if limits.low is None else limits.low, 100.0 if limits.high is None else limits.high)
    return Scale(schema, name or schema.name or schema.title or "", sense, spelt, unit, limits, inverted)


def over(scale: Scale, schema: Schema) -> Scale:
    """The same scale with another schema for its values."""
    return replace(scale, schema=schema)


def only_member(schema: Schema) -> tuple[str, Schema] | None:
    """The one member of an object that wraps a single value, or None."""
    if len(schema.properties) == 1:
        return schema.properties[0]
    needed = [member for member in schema.properties if member[0] in schema.required]
    return needed[0] if len(needed) == 1 else None


def number_of(value: Json) -> float | None:
    """A number, or a text that is one; anything else is None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def fault(scale: Scale, message: str, reason: str = "invalid_value", remedy: str = "") -> ValueFault:
    """A ValueFault with the name of the scale in its message."""
    return ValueFault(f'"{scale.name}" {message}' if scale.name else message, reason=reason, remedy=remedy)


def _hundred(limits: Range) -> bool:
    return limits.high == 100 and limits.low in (0, 1)
