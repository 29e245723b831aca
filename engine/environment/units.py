"""Units of measure: which one a description means, and numbers from one into another (by Pint)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.environment.spelling import fold, spellings
from engine.errors import ValueFault
from engine.model.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pint import UnitRegistry

_NAME = re.compile(r"[^#/]*$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


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


def convert(number: float, source: str, target: str) -> float:
    """`number` of canonical unit `source` in canonical unit `target`. Raises ValueFault where they do not compare."""
    if source == target:
        return number
    scale, offset = _line(source, target)
    return number * scale + offset


def spoken(unit: str | None, vocabulary: Vocabulary) -> str:
    """A unit as a message names it: " percent", or nothing."""
    return f" {vocabulary.name(unit)}" if unit else ""


def _local_name(unit: str) -> str:
    """The end of an IRI, or a text that only has a slash in it (`µg/m³`) as it is."""
    found = _NAME.search(unit) if ":" in unit else None
    return found.group() if found else unit


@lru_cache(maxsize=256)
def _line(source: str, target: str) -> tuple[float, float]:
    """Every conversion between two units is a line: its slope and where it crosses zero."""
    zero, thousand = (_convert(number, source, target) for number in (0.0, 1000.0))
    return (thousand - zero) / 1000.0, zero


def _convert(number: float, source: str, target: str) -> float:
    from pint.errors import PintError

    registry = _registry()
    try:
        quantity: Any = registry.Quantity(number, _pint_name(source))
        return float(quantity.to(_pint_name(target)).magnitude)
    except (PintError, AssertionError, ValueError, TypeError) as error:
        names = " and ".join(_pint_name(unit) for unit in (source, target))
        raise ValueFault(f"The units {names} do not compare.", reason="invalid_value") from error


def _pint_name(unit: str) -> str:
    return _CAMEL.sub(" ", _local_name(unit)).lower() if ":" in unit else unit


@lru_cache(maxsize=1)
def _registry() -> UnitRegistry[Any]:
    from pint import UnitRegistry

    return UnitRegistry()
