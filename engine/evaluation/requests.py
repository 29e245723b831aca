"""The lines of a batch: requests, each with the home, the conversation and the time that it belongs to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from engine.errors import InputError

_TEXTS = ("conversation", "home", "user", "location")
_KNOWN = ("id", "text", "now", "memory", *_TEXTS)


@dataclass(frozen=True, slots=True)
class Line:
    """A request line. Lines of one `conversation` follow each other; without one, each starts anew. A `now` without an
    offset is in the home's time zone."""

    id: str
    text: str
    conversation: str | None = None
    home: str | None = None
    user: str | None = None
    location: str | None = None
    now: datetime | None = None
    memory: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no request, by its id (where it has none, by its number), with its fault."""

    id: str
    reason: str
    message: str


def read_lines(path: Path) -> Iterator[Line | BadLine]:
    """The lines of a JSONL file, blank ones left out. Raises InputError where it cannot be read as text."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.", remedy="Give a JSONL file of requests.") from error
    for number, raw in enumerate(text.split("\n"), start=1):
        if raw.strip():
            yield _line(raw, number)


def _line(raw: str, number: int) -> Line | BadLine:
    name = f"line {number}"
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError) as error:
        return BadLine(name, "bad_syntax", f"Line {number} is not JSON: {str(error)[:200]}.")
    return read_line(data, f"Line {number}")


def read_line(data: Any, place: str) -> Line | BadLine:
    """A request from the JSON value of a line; `place` names the line in messages on its faults."""
    name = place[:1].lower() + place[1:]
    if not isinstance(data, dict):
        return BadLine(name, "bad_input", f"{place} is no object with an id and a text.")
    name = _text(data.get("id")) or name
    wrong = next(_faults(data), None)
    if wrong is not None:
        return BadLine(name, "bad_input", f"{place}: {wrong}")
    texts = {key: _text(data.get(key)) for key in _TEXTS}
    return Line(name, data["text"], now=_moment(data), memory=tuple(data.get("memory") or ()), **texts)


def _faults(data: dict[str, Any]) -> Iterator[str]:
    for key in data:
        if key not in _KNOWN:
            near = get_close_matches(key, _KNOWN, 1)
            yield f"there is no member {key!r}" + (f"; did you mean {near[0]!r}?" if near else ".")
    if not _text(data.get("id")):
        yield "it has no id, which is a text or a number."
    if not isinstance(data.get("text"), str):
        yield "it has no text."
    for key in _TEXTS:
        if data.get(key) is not None and _text(data[key]) is None:
            yield f"{key} is a text, not {str(data[key])[:80]}."
    memory = data.get("memory") or []
    if not isinstance(memory, list) or not all(isinstance(sentence, str) for sentence in memory):
        yield "memory is a list of sentences."
    if data.get("now") is not None and _moment(data) is None:
        yield f"now is a time in ISO 8601, not {str(data['now'])[:80]}."


def _text(value: object) -> str | None:
    """A text, or a number as one."""
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _moment(data: dict[str, Any]) -> datetime | None:
    try:
        return datetime.fromisoformat(data["now"])
    except (KeyError, TypeError, ValueError):
        return None
