"""How values and words of a HomeEnv task are compared: as they are meant, not as they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import inf
from typing import Any

_NUMBER = re.compile(
    r"\s*(-?\d+(?:\.\d+)?)\s*(?:%|percent(?:age)?|°?\s*c|celsius|degrees?|k|kelvin|s|sec|seconds?|rpm|lux)?\s*", re.I
)
_TRUE = frozenset({"true", "on", "yes", "1", "enabled"})
_FALSE = frozenset({"false", "off", "no", "0", "disabled"})


def number(value: Any) -> float | None:
    """A number, also one in words with its unit; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    found = _NUMBER.fullmatch(str(value))
    return float(found[1]) if found else None


def same(one: Any, other: Any) -> bool:
    """Whether two values mean the same: `On` and true, 40 and `40 %`."""
    if isinstance(other, bool) and not isinstance(one, bool):
        one, other = other, one
    if isinstance(one, bool):
        if isinstance(other, bool):
            return one == other
        return str(other).strip().lower() in (_TRUE if one else _FALSE)
    first, second = number(one), number(other)
    if first is not None and second is not None:
        return abs(first - second) < 0.01
    return _plain(one) == _plain(other)


def _plain(value: Any) -> str:
    return re.sub(r"[\s_\-]+", "_", str(value).strip().lower())


def holds(value: Any, op: str, wanted: Any) -> bool:
    """Whether a value is as an expectation has it; `op` is one of ==, !=, in, >, >=, <, <=, between."""
    if op in ("==", "!="):
        return same(value, wanted) is (op == "==")
    if op == "in":
        return any(same(value, one) for one in wanted)
    found = number(value)
    if found is None:
        return False
    if op == "between":
        return bool(float(wanted[0]) <= found <= float(wanted[1]))
    limit = number(wanted)
    return limit is not None and {">": found > limit, ">=": found >= limit, "<": found < limit}.get(op, found <= limit)


def fits(value: Any, attribute: Mapping[str, Any]) -> bool:
    """Whether an attribute, as the file of a home describes it, can have a value."""
    if options := attribute.get("options"):
        return any(same(value, one) for one in options)
    if attribute["type"] == "bool":
        return same(True, value) or same(False, value)
    if attribute["type"] == "str":
        return isinstance(value, str)
    found, (low, high) = number(value), attribute.get("range") or (-inf, inf)
    return found is not None and low <= found <= high


def says(text: str, words: object) -> bool:
    """Whether words stand in a text, as whole words."""
    said, wanted = (re.sub(r"[\u2019`]", "'", str(x).lower()).replace("_", " ") for x in (text, words))
    return re.search(r"(?<![\w.])" + re.escape(wanted) + r"(?!\w)(?!\.\d)", f" {said} ") is not None
