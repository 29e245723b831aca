"""Checks the fields of model values against their declared types: for data from outside, as JSON."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from engine.model import intent, rule, selection
from engine.model.selection import Select


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    known = {name: one for module in (selection, intent, rule) for name, one in vars(module).items()}
    return get_type_hints(kind, {**known, "Select": Select})


def conforms(value: object, hint: Any) -> bool:
    """Whether a value is of a type, and its fields of theirs."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return True
    if origin in (Union, types.UnionType):
        return any(conforms(value, one) for one in inner)
    if origin is tuple:
        own = inner[0] if len(inner) == 2 and inner[1] is Ellipsis else None
        return isinstance(value, tuple) and (own is None or all(conforms(one, own) for one in value))
    if origin is not None:
        return isinstance(value, origin)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if not isinstance(hint, type):
        return True
    return isinstance(value, hint) and fits(value)


def fits(value: object) -> bool:
    """Whether the fields of a dataclass conform to their types; true of any other value."""
    if not is_dataclass(value) or isinstance(value, type):
        return True
    hints = _hints(type(value))
    return all(conforms(getattr(value, one.name), hints[one.name]) for one in fields(value))
