"""What an MCP server wants to know of a person: one question for each thing, and the answers as its schema wants them.

https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation (SEP-1034, SEP-1330), and 2026-07-28
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.environment.asked import plain
from engine.graph.terms import Json

MOST = 8
"""How many things a person is asked for at once."""
_YES = frozenset(("yes", "y", "true", "ok", "okay", "sure", "yes please"))
_NO = frozenset(("no", "n", "false", "no thanks"))


def members(schema: object) -> dict[str, Mapping[str, Any]]:
    """What a form has, by name."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    found = found if isinstance(found, dict) else {}
    return {str(name): one for name, one in list(found.items())[:MOST] if isinstance(one, dict)}


def missing(schema: object, said: Mapping[str, Json]) -> list[str]:
    """What a person has to be asked for: all that is required and has no default; else the first of all."""
    known = members(schema)
    required = schema.get("required") if isinstance(schema, dict) else None
    names = [one for one in required if one in known] if isinstance(required, list) else []
    names = names or [name for name, one in known.items() if "default" not in one][:1]
    return [name for name in names if name not in said and "default" not in known[name]]


def question(message: object, schema: object, name: str | None) -> str:
    """What a person is asked: the message, and of what it is, where a form has several or a choice."""
    text = plain(message, 400) or "The tool wants to know more."
    if name is None:
        return text
    about = members(schema)[name]
    title = plain(about.get("title"), 80) or plain(about.get("description"), 120)
    named = f" {title}:" if title and len(members(schema)) > 1 else ""
    options = ", ".join(label for label, _ in choices(about))
    return f"{text}{named}{f' ({options})' if options else ''}"


def choices(about: Mapping[str, Any]) -> list[tuple[str, Json]]:
    """What there is to choose from, as it is called and as it is sent."""
    items = about.get("items")
    inner = items if isinstance(items, dict) else about
    for key in ("oneOf", "anyOf"):
        if isinstance(inner.get(key), list):
            found = [one for one in inner[key] if isinstance(one, dict) and "const" in one]
            return [(plain(str(one.get("title", one["const"])), 80), one["const"]) for one in found[:50]]
    if isinstance(inner.get("enum"), list):
        names = inner.get("enumNames")
        names = names if isinstance(names, list) and len(names) == len(inner["enum"]) else inner["enum"]
        return [(plain(str(label), 80), one) for label, one in list(zip(names, inner["enum"], strict=True))[:50]]
    return []


def value(about: Mapping[str, Any], text: str) -> Json:
    """What a person said, as the schema of a member wants it. Raises ValueError where it cannot be that."""
    said = text.strip()
    options = choices(about)
    if options:
        picked = list(_picked(options, said, several=about.get("type") == "array"))
        if not picked:
            raise ValueError(said)
        return picked if about.get("type") == "array" else picked[0]
    kind = about.get("type")
    if kind == "boolean":
        word = said.strip(".!").casefold()
        if word not in _YES | _NO:
            raise ValueError(said)
        return word in _YES
    if kind == "integer":
        return int(said)
    return float(said) if kind == "number" else said


def _picked(options: list[tuple[str, Json]], said: str, *, several: bool) -> Iterator[Json]:
    words = [one.strip().casefold() for one in said.replace(" and ", ",").split(",")] if several else [said.casefold()]
    for label, one in options:
        if label.casefold() in words or str(one).casefold() in words:
            yield one


def defaults(schema: object) -> dict[str, Json]:
    """What a form has already."""
    return {name: one["default"] for name, one in members(schema).items() if "default" in one}
