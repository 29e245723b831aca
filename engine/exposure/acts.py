"""Parses the acts of a context: its clauses, and the senses of their verbs in the ontology."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.graph.store import GraphStore
from engine.graph.terms import node
from engine.language.morphology import forms

_WORD = re.compile(r"[a-z0-9]+")
_PHRASE = re.compile(r"[a-z0-9]+|\*")
_JOINTS = re.compile(r"\s*(?:;|\bthen\b|\bor\b|\band\b|\bas well as\b)\s*", re.IGNORECASE)
LONGEST = 3
WIDEST = 3
"""How many words may stand in a verb where a phrase leaves room ("let * know")."""
ROOM = "*"
OFFERED, WANTED = "offeredAs", "wantedAs"
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
    """The senses of verbs, of what is offered and of what is wanted."""

    def __init__(self, store: GraphStore) -> None:
        self._senses = {side: _senses(store, side) for side in (OFFERED, WANTED)}
        self._verbs = {side: _longest_first(senses) for side, senses in self._senses.items()}
        phrases = (str(phrase.value).lower() for (phrase,) in store.select("exposure/wishes") if phrase is not None)
        self._wishes = frozenset(tuple(_WORD.findall(phrase)) for phrase in phrases)

    def clauses(self, context: str) -> list[Clause]:
        """The clauses of a context. One without a verb of its own has the verb of the one before."""
        parts = [part for part in _JOINTS.split(context.strip(" .\n\t")) if part]
        found: list[Clause] = []
        verb: tuple[str, ...] = ()
        waiting = ""
        for part in parts:
            text = f"{waiting} {part}".strip() if waiting else self._wish(part)
            own = self._verb(_WORD.findall(text.lower())[: LONGEST + WIDEST], WANTED)
            if not own and found and verb:
                text = f"{' '.join(verb)} {text}"
            waiting = text if own and len(content(text)) < 2 and part is not parts[-1] else ""
            verb = own or verb
            if text and not waiting:
                found.append(self.clause(text))
        return found

    def _wish(self, text: str) -> str:
        """The part of a text behind the words that say that something is wanted."""
        words = list(_WORD.finditer(text.lower()))
        start = 0
        while length := self._wishing([one[0] for one in words[start : start + LONGEST]]):
            start += length
        return text[words[start].start() :] if start < len(words) else ""

    def _wishing(self, words: Sequence[str]) -> int:
        """The number of the words with which a phrase of wishing begins; 0 for none."""
        lengths = range(len(words), 0, -1)
        return next((n for n in lengths if {tuple(words[:n]), tuple(map(stem, words[:n]))} & self._wishes), 0)

    def clause(self, text: str) -> Clause:
        """A text as one clause."""
        return Clause(text, content(text), self.acts(text, WANTED))

    def acts(self, text: str, side: str = OFFERED) -> frozenset[str]:
        """The acts of the first known verb of a text of what is offered, or is wanted; empty without one."""
        words = _WORD.findall(text.lower())
        return self._senses[side].get(self._verb(words, side), frozenset())

    def _verb(self, said: Sequence[str], side: str) -> tuple[str, ...]:
        """The first verb among words, in any of its forms, the longest phrase at its place."""
        words = [{stem(word), *forms(word)} for word in said]
        for start in range(len(words)):
            if found := next((one for one in self._verbs[side] if _is_at(one, words[start:])), ()):
                return found
        return ()


def _senses(store: GraphStore, side: str) -> dict[tuple[str, ...], frozenset[str]]:
    """The acts of each verb, where something is offered or where it is wanted."""
    found: dict[tuple[str, ...], frozenset[str]] = {}
    for act, verb in store.select("origins/acts", other=node(f"hg:{WANTED if side == OFFERED else OFFERED}")):
        if act is not None and verb is not None:
            words = tuple(_PHRASE.findall(str(verb.value).lower()))
            found[words] = found.get(words, frozenset()) | {str(act.value)}
    return found


def _longest_first(phrases: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Phrases, those with the most words first, of as many those that leave room."""
    return tuple(sorted(phrases, key=lambda phrase: (-len(phrase), ROOM not in phrase, phrase)))


def _is_at(phrase: tuple[str, ...], words: Sequence[set[str]]) -> bool:
    """Whether words begin with a phrase, which may leave room for a few others."""
    if ROOM not in phrase:
        return len(phrase) <= len(words) and all(one in said for one, said in zip(phrase, words, strict=False))
    room = phrase.index(ROOM)
    if not _is_at(phrase[:room], words):
        return False
    return any(_is_at(phrase[room + 1 :], words[room + n :]) for n in range(1, WIDEST + 1))


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
