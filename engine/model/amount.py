"""How much: a number with its unit, a named value, a share of a range, a colour."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from engine.graph.terms import Json


class Measure(Enum):
    """The measure of an amount."""

    NUMBER = "number"  # number in unit: 40, 40 %, 72 °F
    NAMED = "named"  # the IRI of a hg:Value: medium, cool, warm white
    TEXT = "text"  # words taken as they stand: a song, an option of this home
    TRUTH = "truth"  # on or off, in the polarity of the kind
    BOUND = "bound"  # "minimum" or "maximum" of the range
    FRACTION = "fraction"  # a share of the range, or of the present value where `of_current`
    COLOUR = "colour"  # [red, green, blue], 0 to 255 each


@dataclass(frozen=True, slots=True)
class Amount:
    """How much. With `relative` the number is added to the present value; `steps` counts options, not units.

    `value`: a number, an IRI, a text, a boolean, "minimum"/"maximum" or three integers, as `measure` says.
    `unit` is an IRI of the vocabulary (`hg:Percent`, `hg:Celsius`, `hg:Fahrenheit`, `hg:Second`, …) or None.
    """

    measure: Measure
    value: Json = field(hash=False)  # a colour is a list
    unit: str | None = None
    relative: bool = False
    steps: bool = False
    of_current: bool = False
