"""In which line of a text the fault lies, as well as can be told from the node that it is about."""

from __future__ import annotations

import re

_PATH = re.compile(r"[A-Za-z_@][\w@-]*")


def line_of(body: bytes, node: str) -> int:
    """The line, counted from 1, in which a node is first spoken of: by its IRI, or by the last part of it that the text
    has (`:lamp`, `"brightness"`); 0 where it is not found. A node may be a JSON path (`$.properties.power`)."""
    lines = body.decode("utf-8", "replace").splitlines()
    if not node or not lines:
        return 0
    for number, line in enumerate(lines, start=1):
        if node.strip("<>") in line:
            return number
    names = _PATH.findall(node.replace("%20", " "))
    for name in reversed(names):
        whole = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        for number, line in enumerate(lines, start=1):
            if whole.search(line):
                return number
    return 0
