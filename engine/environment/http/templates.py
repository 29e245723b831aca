"""URI Templates (RFC 6570), all four levels: targets that have variables in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from engine.errors import BindingError, ValueFault
from engine.graph.terms import Json

_EXPRESSION = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
_VARIABLE = re.compile(r"([A-Za-z0-9_.%\-]+)(\*|:[1-9][0-9]{0,3})?")
_STEPS = frozenset(("", "/", "+"))
_RESERVED = ":/?#[]@!$&'()*+,;="
# By operator: what an expansion starts with, what separates its values, whether they are named, and whether those that
# have no value may be left out.
_OPERATORS = {
    "": ("", ",", False, False),
    "+": ("", ",", False, False),
    "#": ("#", ",", False, True),
    ".": (".", ".", False, True),
    "/": ("/", "/", False, True),
    ";": (";", ";", True, True),
    "?": ("?", "&", True, True),
    "&": ("&", "&", True, True),
}


def variables_of(template: str) -> tuple[str, ...]:
    """The names of the variables of a template, in their order. Raises BindingError (no_usable_form)."""
    return tuple(dict.fromkeys(name for _, found in _expressions(template) for name, _ in found))


def expand_template(template: str, values: Mapping[str, Json]) -> str:
    """The target for these values; None is no value.

    Raises BindingError: missing_value where the address cannot do without one, no_usable_form for no valid template;
    ValueFault for a value that would lead to another step of the path.
    """
    for operator, variables in _expressions(template):
        missing = [name for name, _ in variables if values.get(name) is None]
        if missing and not _OPERATORS[operator][3]:
            raise BindingError(f'The address of the device needs a value for "{missing[0]}".', reason="missing_value")
    return _EXPRESSION.sub(lambda found: _expand(found.group(1), _split(found.group(2)), values), template)


def _expressions(template: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    if set("{}") & set(_EXPRESSION.sub("", template)):
        raise _broken(template)
    for found in _EXPRESSION.finditer(template):
        yield found.group(1), _split(found.group(2))


def _split(text: str) -> list[tuple[str, str]]:
    found = [_VARIABLE.fullmatch(part) for part in text.split(",")]
    variables = [(match.group(1), match.group(2) or "") for match in found if match is not None]
    if len(variables) != len(found):
        raise _broken(text)
    return variables


def _expand(operator: str, variables: list[tuple[str, str]], values: Mapping[str, Json]) -> str:
    first, separator, named, _ = _OPERATORS[operator]
    safe = _RESERVED if operator in "+#" and operator else ""
    parts: list[str] = []
    for name, modifier in variables:
        value = values.get(name)
        if value is None:
            continue
        if isinstance(value, list | dict):
            parts += _several(name, modifier == "*", value, safe, named)
        else:
            text = _text(value)
            if text in (".", "..") and operator in _STEPS:
                raise ValueFault(f'"{name}" cannot be {text!r}.', reason="invalid_value")
            coded = quote(text[: int(modifier[1:])] if modifier.startswith(":") else text, safe=safe)
            parts.append(_named(name, coded, operator) if named else coded)
    return first + separator.join(parts) if parts else ""


def _several(name: str, explode: bool, value: list[Json] | dict[str, Json], safe: str, named: bool) -> list[str]:
    """The parts of a list or an object: exploded, each for itself; else one, with commas in it."""
    if explode and isinstance(value, dict):
        return [f"{quote(key, safe=safe)}={quote(_text(one), safe=safe)}" for key, one in value.items()]
    flat = [one for pair in value.items() for one in pair] if isinstance(value, dict) else value
    coded = [quote(_text(one), safe=safe) for one in flat]
    if explode:
        return [f"{name}={one}" for one in coded] if named else coded
    if not coded:
        return []
    return [f"{name}={','.join(coded)}" if named else ",".join(coded)]


def _named(name: str, coded: str, operator: str) -> str:
    return name if operator == ";" and not coded else f"{name}={coded}"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _broken(template: str) -> BindingError:
    return BindingError(f'"{template[:100]}" is not a URI template.', reason="no_usable_form")
