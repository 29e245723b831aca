"""Parses the acts of a context: its clauses, and the senses of their verbs in the ontology."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.graph.store import GraphStore

_WORD = re.compile(r"[a-z0-9]+")
_JOINTS = re.compile(r"\s*(?:;|\bthen\b|\bor\b|\band\b|\bas well as\b)\s*", re.IGNORECASE)
_WISH = re.compile(
    r"^(?:the agent|it|i|we|an agent|this agent)\s+(?:wants?|wishes|needs?|is going|tries|has|would like|seeks|intends|"
    r"is looking)\s+(?:to\s+|for\s+)?",
    re.IGNORECASE,
)
LONGEST = 3
_EMPTY = frozenset(
    ("a", "an", "the", "of", "to", "in", "is", "it", "its", "on", "at", "for", "by", "from", "with", "that", "which",
     "what", "whether", "if", "how", "be", "are", "was", "as", "into", "and", "or", "there", "this", "one", "such")
)  # fmt: skip
"""Words that tell no two offers apart."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a wish: its words, and the acts that its verb may say."""

    text: str
    words: frozenset[str]
    acts: frozenset[str]


class Acts:
    """The senses of verbs."""

    def __init__(self, store: GraphStore) -> None:
        self._senses: dict[tuple[str, ...], frozenset[str]] = {}
        for act, verb in store.select("origins/acts"):
            if act is not None and verb is not None:
                words = tuple(_WORD.findall(str(verb.value).lower()))
                self._senses[words] = self._senses.get(words, frozenset()) | {str(act.value)}

    def clauses(self, context: str) -> list[Clause]:
        """The clauses of a context. One without a verb of its own has the verb of the one before."""
        said = _WISH.sub("", context.strip()).strip(" .")
        parts = [part for part in _JOINTS.split(said) if part]
        found: list[Clause] = []
        verb: tuple[str, ...] = ()
        waiting = ""
        for part in parts:
            text = f"{waiting} {part}".strip() if waiting else _WISH.sub("", part)
            words = [stem(word) for word in _WORD.findall(text.lower())]
            own = self._verb(words[: LONGEST + 1])
            if not own and found and verb:
                text = f"{' '.join(verb)} {text}"
            waiting = text if own and len(content(text)) < 2 and part is not parts[-1] else ""
            verb = own or verb
            if not waiting:
                found.append(self.clause(text))
        return found

    def clause(self, text: str) -> Clause:
        """A text as one clause."""
        return Clause(text, content(text), self.acts(text))

    def acts(self, text: str) -> frozenset[str]:
        """The acts of the first known verb of a text; empty without one."""
        words = [stem(word) for word in _WORD.findall(text.lower())]
        return self._senses.get(self._verb(words), frozenset())

    def _verb(self, words: list[str]) -> tuple[str, ...]:
        for start in range(len(words)):
            for length in range(LONGEST, 0, -1):
                if (found := tuple(words[start : start + length])) in self._senses:
                    return found
        return ()


def content(text: str) -> frozenset[str]:
    """The words of a text that tell it from others, without their endings."""
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if word not in _EMPTY)


def stem(word: str) -> str:
    """A word without the ending of a plural or of a third person."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


Senses = Mapping[str, frozenset[str]]
