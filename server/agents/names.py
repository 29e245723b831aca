"""Labels of signifiers as names of tools, and back: a tool's name has letters, digits, `_`, `-` and `.` alone."""

from __future__ import annotations

import re

_ODD = re.compile(r"[^A-Za-z0-9_-]")
_CODED = re.compile(r"\.([0-9a-f]+)\.")


def name_of(label: str) -> str:
    """The name of the tool for a label; each other character is its number between two points."""
    return _ODD.sub(lambda found: f".{ord(found.group()):x}.", label)


def label_of(name: str) -> str:
    """The label that a name was made of."""

    def decoded(found: re.Match[str]) -> str:
        number = int(found.group(1)[:6], 16)
        return chr(number) if number < 0x110000 else found.group()

    return _CODED.sub(decoded, name)
