"""Parses JSON from outside and refuses values that only Python's parser takes: lone surrogates, NaN and infinity."""

from __future__ import annotations

from typing import Any

from engine.errors import InputError


def checked(value: Any, *, numbers: bool = True) -> Any:
    """The value itself. Raises InputError where a text in it has half a character or, where `numbers` are looked at,
    one of them is too large."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, str):
            _check_text(one)
        elif numbers and isinstance(one, (int, float)):
            _check_number(one)
    return value


def _check_text(text: str) -> None:
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError("A text has half a character in it.", remedy="Send whole characters.") from None


def _check_number(number: float) -> None:
    try:
        float(number)
    except OverflowError:
        raise InputError("A number is too large.", remedy="Send one below 1.8e308.") from None
