"""Writes frozen dataclasses of the model to JSON and reads them back.

Each dataclass is an object with its name as `is` and the fields that are not at their default. A mapping of names to
classes closes the set that can be read: no other class is ever made from JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime, time
from enum import Enum
from functools import cache
from typing import Any, cast

from engine.errors import InputError
from engine.graph.terms import Json
from engine.model import amount, intent, outcome, plan, rule, selection

IS = "is"


@cache
def _classes() -> Mapping[str, type]:
    found: dict[str, type] = {}
    for module in (amount, selection, intent, rule, plan, outcome):
        for name, one in vars(module).items():
            ours = isinstance(one, type) and one.__module__ == module.__name__
            if ours and (is_dataclass(one) or issubclass(one, Enum)):
                found.setdefault(name, one)  # of a change what is kept is how a rule changes
    return found


def to_json(value: object) -> Json:
    """The JSON of a value of the model. Raises TypeError for any other value."""
    if isinstance(value, Enum):
        return {IS: type(value).__name__, "value": value.value}
    if isinstance(value, datetime | date | time):
        return {IS: type(value).__name__, "value": value.isoformat()}
    if is_dataclass(value) and not isinstance(value, type):
        given = {one.name: getattr(value, one.name) for one in fields(value)}
        said = {one.name: to_json(given[one.name]) for one in fields(value) if given[one.name] != _default(one)}
        return {IS: type(value).__name__, **said}
    if isinstance(value, tuple):
        return {IS: "tuple", "value": [to_json(one) for one in value]}
    if isinstance(value, list):
        return [to_json(one) for one in value]
    if isinstance(value, dict):
        return {IS: "dict", "value": {str(key): to_json(one) for key, one in value.items()}}
    if value is None or isinstance(value, bool | int | float | str):
        return cast(Json, value)
    raise TypeError(f"{value!r} has no JSON form.")


_PLAIN: Mapping[str, Any] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
}


def of_json(data: Json) -> Any:
    """The value that `to_json` gave this JSON for. Raises InputError for any other."""
    try:
        return _read(data)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(f"This is no part of the model: {error}.", remedy="Make it anew.") from error


def _read(data: Json) -> Any:
    if isinstance(data, list):
        return [_read(one) for one in data]
    if not isinstance(data, dict):
        return data
    name = str(data[IS])
    if name in _PLAIN:
        return _PLAIN[name](data["value"])
    if name == "tuple":
        return tuple(_read(one) for one in cast("list[Json]", data["value"]))
    if name == "dict":
        return {key: _read(one) for key, one in cast("dict[str, Json]", data["value"]).items()}
    kind = _classes()[name]
    if issubclass(kind, Enum):
        return kind(data["value"])
    return kind(**{key: _read(one) for key, one in data.items() if key != IS})


def _default(one: Field[Any]) -> object:
    if one.default_factory is not MISSING:
        return one.default_factory()
    return one.default
