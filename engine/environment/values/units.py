"""Units of measure: which one a description means, and numbers from one into another (by Pint)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.environment.values.spelling import fold, spellings
from engine.errors import ValueFault
from engine.graph.terms import expand
from engine.model.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pint import UnitRegistry

STEPS = frozenset((expand("hg:Step"), expand("hg:LevelUnit")))
"""Units that count steps."""
FREE = STEPS | {expand("hg:Degree")}
"""Units that leave it to the property what they measure: a degree is one of whatever scale the thermostat has."""

_NAME = re.compile(r"[^#/]*$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
Names = tuple[str, ...]


def canonical(unit: str | None, vocabulary: Vocabulary) -> str | None:
    """The IRI of the vocabulary's unit that `unit` (an IRI, a code, a word, a sign) means; as it is, if unknown."""
    if not unit:
        return None
    index = spellings(vocabulary)
    name = _local_name(unit)
    return (
        index.codes.get(unit)
        or index.codes.get(name)
        or index.units.get(fold(unit))
        or index.units.get(fold(name))
        or unit
    )


def convert(number: float, source: str, target: str, vocabulary: Vocabulary) -> float:
    """`number` of canonical unit `source` in canonical unit `target`. Raises ValueFault where they do not compare."""
    if source == target:
        return number
    slope, offset, reciprocal = _relation(_names(source, vocabulary), _names(target, vocabulary))
    if reciprocal:
        return slope / number if number else 0.0
    return number * slope + offset


def comparable(source: str, target: str, vocabulary: Vocabulary) -> bool:
    """Whether numbers of one canonical unit can be told in the other."""
    try:
        convert(0.0, source, target, vocabulary)
    except ValueFault:
        return False
    return True


def opposed(source: str, target: str, vocabulary: Vocabulary) -> bool:
    """Whether more of one unit is less of the other: mired and kelvin. Units that do not compare are not."""
    try:
        return source != target and _relation(_names(source, vocabulary), _names(target, vocabulary))[2]
    except ValueFault:
        return False


def spoken(unit: str | None, vocabulary: Vocabulary) -> str:
    """A unit as a message names it: " percent", or nothing."""
    return f" {vocabulary.name(unit)}" if unit else ""


def warm() -> None:
    """Loads the units that Pint knows, so that the first number of another unit need not wait for them (some .3 s)."""
    _registry()


def _local_name(unit: str) -> str:
    """The end of an IRI, or a text that only has a slash in it (`µg/m³`) as it is."""
    found = _NAME.search(unit) if ":" in unit else None
    return found.group() if found else unit


def _names(unit: str, vocabulary: Vocabulary) -> Names:
    """Names by which Pint may know a unit, the likeliest first: the words of its IRI, then its labels, signs and
    codes."""
    words = _CAMEL.sub(" ", _local_name(unit)).lower() if ":" in unit else unit
    return (words, *vocabulary.labels.get(unit, ()))


@lru_cache(maxsize=256)
def _relation(source: Names, target: Names) -> tuple[float, float, bool]:
    """How numbers of two units relate: by a line (its slope, and where it crosses zero), or as a constant over each."""
    from pint.errors import DimensionalityError, OffsetUnitCalculusError

    registry = _registry()
    one, other = _unit(source), _unit(target)
    try:
        zero, thousand = (float(registry.Quantity(n, one).to(other).magnitude) for n in (0.0, 1000.0))
        return (thousand - zero) / 1000.0, zero, False
    except DimensionalityError:
        pass
    try:
        return float((1 / registry.Quantity(1.0, one)).to(other).magnitude), 0.0, True
    except (DimensionalityError, OffsetUnitCalculusError):  # nothing is one over a degree Celsius
        raise ValueFault(f"{source[0]} and {target[0]} do not compare.", reason="invalid_value") from None


def _unit(names: Names) -> Any:
    for name in names:
        try:
            return _registry().Unit(name)
        except Exception:  # noqa: BLE001  # Pint's parser fails in many ways on what is no unit
            continue
    raise ValueFault(f'The unit "{names[0]}" is not known.', reason="invalid_value")


@lru_cache(maxsize=1)
def _registry() -> UnitRegistry[Any]:
    from pint import UnitRegistry

    registry: UnitRegistry[Any] = UnitRegistry()
    registry.define("mired = 1e-6 / kelvin")
    registry.define("parts_per_billion = 1e-9 = ppb")
    return registry
