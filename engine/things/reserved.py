"""Names that are words of the language: “everything”, “yes”, “when”, “not mine”."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.graph.store import GraphStore

_WORD = re.compile(r"[\w']+")
Words = tuple[str, ...]


def reserved(store: GraphStore) -> frozenset[Words]:
    """The words and phrases that nothing in a home can be called."""
    return store.of_terms("things/reserved", lambda: _read(store))


def _read(store: GraphStore) -> frozenset[Words]:
    found = (words_of(label.value) for (label,) in store.select("things/reserved") if label is not None)
    return frozenset(words for words in found if words)


def words_of(name: str) -> Words:
    """The words of a name, in small letters."""
    return tuple(_WORD.findall(name.replace("_", " ").replace("-", " ").casefold()))


def is_reserved(name: str, reserved: frozenset[Words]) -> bool:
    """Whether a name is made of such words alone."""
    words = words_of(name)
    ends = {0}  # how far the words can be read as such
    for start in range(len(words)):
        if start in ends:
            ends |= {end for end in range(start + 1, len(words) + 1) if words[start:end] in reserved}
    return bool(words) and len(words) in ends


def warnings(names: Iterable[str], reserved: frozenset[Words]) -> list[str]:
    """A warning for each name that sentences cannot use, for it is made of reserved words."""
    return [
        f"'{name}' is made of words that sentences need, and cannot be heard as a name: give another one."
        for name in dict.fromkeys(names)
        if is_reserved(name, reserved)
    ]
