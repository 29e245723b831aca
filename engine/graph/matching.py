"""Whether a text is written as a pattern asks, in a time that grows with its length alone.

Patterns come with descriptions that others wrote, and values from devices: one that tries all ways to read a text, as
Python's own do, could be made to take for ever. Oxigraph's read it once.
"""

from __future__ import annotations

from functools import cache

from pyoxigraph import Literal, QuerySolutions, Store

from engine.graph import queries


@cache
def _empty() -> Store:
    return Store()


def written_as(text: str, pattern: str) -> bool | None:
    """Whether `pattern` is found in a text; None where it is no pattern that can be looked for in one pass."""
    try:
        asked = queries.load("environment/written_as").bind(text_pattern=[(Literal(text), Literal(pattern))])
    except ValueError:  # half a character is no text
        return False
    found = _empty().query(asked)
    assert isinstance(found, QuerySolutions)
    fits = next(iter(found))["fits"]
    return None if fits is None else fits.value == "true"
