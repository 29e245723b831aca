"""The error of a binding whose other side asks for input before it goes on, whatever its protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import BindingError


class InputRequired(BindingError):
    """The other side asks for input. `state` is to be sent back with the answer."""

    def __init__(self, question: str, state: Mapping[str, Any]) -> None:
        super().__init__(question, reason="input_required", remedy="Answer the question.")
        self.state = dict(state)


NEVER_MIND = frozenset(("never mind", "nevermind", "forget it", "leave it", "cancel", "cancel that"))


def is_never_mind(text: str) -> bool:
    """Whether these words leave a question where it is."""
    return text.strip().strip(".!").casefold() in NEVER_MIND


def plain(value: object, most: int = 4_000) -> str:
    """A text of a stranger's: none of its control characters, and not without end."""
    if not isinstance(value, str):
        return ""
    return "".join(c if c.isprintable() else " " for c in value)[:most].strip()
