"""Names in descriptions (`studyRoomLight`, `set_brightness`, "Light 308") against the words of the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_ARTICLES = frozenset(("a", "an", "the"))
_ES = ("ches", "shes", "sses", "xes")


@lru_cache(maxsize=65536)
def tokens(name: str) -> tuple[str, ...]:
    """The words of an identifier or title, in lower case, without articles and without a plural's ending."""
    words = (token.lower() for token in _TOKEN.findall(name))
    return tuple(_singular(word) for word in words if word not in _ARTICLES)


def spelled(name: str) -> str:
    """An identifier as words: `CurrentGoal` → "current goal"."""
    return " ".join(token.lower() for token in _TOKEN.findall(name))


def _singular(token: str) -> str:
    if token.endswith(_ES):
        return token[:-2]
    return token[:-1] if len(token) > 3 and token.endswith("s") and not token.endswith("ss") else token


class WordIndex:
    """Terms by the words that name them: for each, whether it is the word that one would use (0) or another (1)."""

    def __init__(self, terms: Iterable[str], labels: Mapping[str, tuple[str, ...]]) -> None:
        self._terms: dict[tuple[str, ...], dict[str, int]] = {}
        self._longest = 0
        for term in terms:
            for rank, label in enumerate(labels.get(term, ())):
                words = tokens(label)
                self._terms.setdefault(words, {}).setdefault(term, min(rank, 1))
                self._longest = max(self._longest, len(words))
        self._terms.pop((), None)

    def whole(self, words: tuple[str, ...]) -> dict[str, int]:
        """The terms named by all of the words."""
        return self._terms.get(words, {})

    def start(self, words: tuple[str, ...]) -> dict[str, int]:
        """The terms named by the longest beginning of the words."""
        return next((self._terms[words[:end]] for end in range(len(words), 0, -1) if words[:end] in self._terms), {})

    def head(self, words: tuple[str, ...]) -> list[dict[str, int]]:
        """The terms named by spans of the words, those that end last first, and of these the longest first.

        In English the last noun is the head: a "light sensor" is a sensor.
        """
        return [
            self._terms[words[start:end]]
            for end in range(len(words), 0, -1)
            for start in range(max(0, end - self._longest), end)
            if words[start:end] in self._terms
        ]
