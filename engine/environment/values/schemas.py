"""Validates JSON values by DataSchemas (TD 1.1, section 5.3.2).

https://www.w3.org/TR/wot-thing-description11/#dataschema
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

from engine.environment.values.ranges import range_of
from engine.errors import ValueFault
from engine.graph.matching import written_as
from engine.graph.terms import Json
from engine.model.thing import Schema

_TYPES: dict[str, Callable[[Json], bool]] = {
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: is_number(value) and float(str(value)).is_integer(),
    "number": lambda value: is_number(value),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def is_number(value: Json) -> bool:
    """Whether a value is a number that JSON can write: not a boolean, not NaN, not infinite."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max if isinstance(value, int) else math.isfinite(value)


def equal(one: Json, other: Json) -> bool:
    """Whether two JSON values are the same value: 40 is 40.0, but true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    return one == other


def check_type(value: Json, schema: Schema, name: str = "") -> None:
    """Raises ValueFault (wrong_type) unless the value is of the schema's JSON type and free of NaN and infinity."""
    if not _writable(value):
        raise ValueFault(f"{_subject(name)} must be a value that JSON can write, not {value}.", reason="wrong_type")
    known = _TYPES.get(schema.type or "")
    if known and not known(value):
        raise ValueFault(f"{_subject(name)} must be of type {schema.type}, not {value!r}.", reason="wrong_type")


def validate(payload: Json, schema: Schema | None, name: str = "") -> None:
    """Raises ValueFault unless the schema allows the payload; `name` names it in the message.

    `reason` is wrong_type, value_out_of_range, missing_value or invalid_value. No schema allows no value: None and {}.
    """
    if schema is None:
        if payload not in (None, {}):
            raise ValueFault(f"{_subject(name)} takes no input.", reason="invalid_value")
        return
    name = name or schema.name or schema.title or ""
    check_type(payload, schema, name)
    _check_options(payload, schema, name)
    if isinstance(payload, str):
        _check_text(payload, schema, name)
    elif isinstance(payload, list):
        _check_items(payload, schema, name)
    elif isinstance(payload, dict):
        _check_members(payload, schema, name)
    elif isinstance(payload, int | float) and not isinstance(payload, bool):
        _check_number(payload, schema, name)


def _subject(name: str) -> str:
    return f'"{name}"' if name else "The value"


def _writable(value: Json) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, list):
        return all(map(_writable, value))
    return all(map(_writable, value.values())) if isinstance(value, dict) else True


def _check_options(value: Json, schema: Schema, name: str) -> None:
    if schema.has_const and not equal(value, schema.const):
        raise ValueFault(f"{_subject(name)} must be {schema.const!r}.", reason="invalid_value")
    if schema.enum and not any(equal(value, option) for option in schema.enum):
        options = ", ".join(str(option) for option in schema.enum)
        raise ValueFault(
            f"{_subject(name)} cannot be {value!r}.", remedy=f"It can be: {options}.", reason="invalid_value"
        )
    if schema.one_of and not any(_allowed(value, one) for one in schema.one_of):
        raise ValueFault(f"{_subject(name)} fits none of its alternatives.", reason="invalid_value")


def _allowed(value: Json, schema: Schema) -> bool:
    try:
        validate(value, schema)
    except ValueFault:
        return False
    return True


def _check_number(value: float, schema: Schema, name: str) -> None:
    limits = range_of(schema)
    if not limits.holds(value):
        raise ValueFault(
            f"{_subject(name)} cannot be {value:g}.", remedy=bounds_text(schema), reason="value_out_of_range"
        )
    steps = value / schema.multiple_of if schema.multiple_of else 0.0
    if not math.isclose(steps, round(steps), abs_tol=1e-6):
        raise ValueFault(f"{_subject(name)} must be a multiple of {schema.multiple_of:g}.", reason="invalid_value")


def bounds_text(schema: Schema) -> str:
    """The range in words, for a remedy: "It goes from 0 to 100."."""
    limits = range_of(schema)
    if limits.low is not None and limits.high is not None:
        return f"It goes from {limits.low:g} to {limits.high:g}."
    if limits.low is not None:
        return f"It is {limits.low:g} at least."
    return f"It is {limits.high:g} at most." if limits.high is not None else ""


def _check_text(value: str, schema: Schema, name: str) -> None:
    if not _length_fits(len(value), schema.min_length, schema.max_length):
        raise ValueFault(f"{_subject(name)} is too short or too long.", reason="invalid_value")
    if schema.pattern and written_as(value, schema.pattern) is False:  # what cannot be told is left to the device
        raise ValueFault(f"{_subject(name)} is not written as {schema.pattern} asks.", reason="invalid_value")


def _length_fits(length: int, least: int | None, most: int | None) -> bool:
    return (least is None or length >= least) and (most is None or length <= most)


def _check_items(values: list[Json], schema: Schema, name: str) -> None:
    if not _length_fits(len(values), schema.min_items, schema.max_items):
        raise ValueFault(f"{_subject(name)} has too few or too many items.", reason="invalid_value")
    items = schema.items * len(values) if len(schema.items) == 1 else schema.items
    for value, item in zip(values, items, strict=False):
        validate(value, item, name)


def _check_members(values: dict[str, Json], schema: Schema, name: str) -> None:
    for missing in sorted(schema.required - values.keys()):
        raise ValueFault(f'{_subject(name)} needs "{missing}".', reason="missing_value")
    for key, value in values.items():
        member = schema.member(key)
        if member is not None:
            validate(value, member, key)
        elif schema.properties:
            known = ", ".join(known for known, _ in schema.properties)
            raise ValueFault(f'{_subject(name)} has no "{key}".', remedy=f"It has: {known}.", reason="invalid_value")
