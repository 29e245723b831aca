"""URI Templates (RFC 6570), all four levels: targets that have variables in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import uritemplate

from engine.errors import BindingError, ValueFault
from engine.graph.terms import Json

_EXPRESSION = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
_VARIABLE = re.compile(r"([A-Za-z0-9_.%\-]+)(\*|:[1-9][0-9]{0,3})?")
_STEPS = frozenset(("", "/", "+"))
_NEEDED = frozenset(("", "+"))
"""The operators whose variables an address cannot do without."""


def variables_of(template: str) -> tuple[str, ...]:
    """The names of the variables of a template, in their order. Raises BindingError (no_usable_form)."""
    return tuple(dict.fromkeys(name for _, found in _expressions(template) for name in found))


def expand_template(template: str, values: Mapping[str, Json]) -> str:
    """The target for these values; None is no value.

    Raises BindingError: missing_value where the address cannot do without one, no_usable_form for no valid template;
    ValueFault for a value that would lead to another step of the path.
    """
    given = {name: _plain(value) for name, value in values.items() if value is not None}
    for operator, variables in _expressions(template):
        missing = [name for name in variables if name not in given]
        if missing and operator in _NEEDED:
            raise BindingError(f'The address of the device needs a value for "{missing[0]}".', reason="missing_value")
        step = next((name for name in variables if given.get(name) in (".", "..") and operator in _STEPS), None)
        if step is not None:
            raise ValueFault(f'"{step}" cannot be {given[step]!r}.', reason="invalid_value")
    return uritemplate.expand(template, given)


def _expressions(template: str) -> Iterator[tuple[str, list[str]]]:
    if set("{}") & set(_EXPRESSION.sub("", template)):
        raise _broken(template)
    for found in _EXPRESSION.finditer(template):
        yield found.group(1), _split(found.group(2))


def _split(text: str) -> list[str]:
    found = [_VARIABLE.fullmatch(part) for part in text.split(",")]
    variables = [match.group(1) for match in found if match is not None]
    if len(variables) != len(found):
        raise _broken(text)
    return variables


def _plain(value: Json) -> Any:
    """A value as the library takes it: lists of texts, objects as pairs in their order, anything else as a text."""
    if isinstance(value, list):
        return [_text(one) for one in value]
    return [(key, _text(one)) for key, one in value.items()] if isinstance(value, dict) else _text(value)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _broken(template: str) -> BindingError:
    return BindingError(f'"{template[:100]}" is not a URI template.', reason="no_usable_form")
