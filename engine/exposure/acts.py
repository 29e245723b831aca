"""Parses the acts of a context: its clauses, and the senses of their verbs in the ontology."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.graph.store import GraphStore
from engine.graph.terms import node
from engine.language.words.morphology import forms

_WORD = re.compile(r"[a-z0-9]+")
_PHRASE = re.compile(r"[a-z0-9]+|\*")
_ENDS = re.compile(r"(?<=[.!?;])\s+|\s*;\s*")
_JOINTS = re.compile(r"[\s,]*\b(?:then|or|and|as well as)\b\s*", re.IGNORECASE)
_CONDITION = re.compile(
    r"\s*(?:if|when|once|as soon as|unless)\s+(?P<told>[^,]+),\s*(?P<then>.+)", re.IGNORECASE | re.DOTALL
)
_END = " .!?\n\t"
LONGEST = 3
WIDEST = 3
"""How many words may stand in a verb where a phrase leaves room ("let * know")."""
SHORT = 5
"""So many words without a verb may share that of the clause before."""
ROOM = "*"
OFFERED, WANTED = "offeredAs", "wantedAs"
_EMPTY = frozenset(
    ("a", "an", "the", "of", "to", "in", "is", "it", "its", "on", "at", "for", "by", "from", "with", "that", "which",
     "what", "whether", "if", "how", "be", "are", "was", "as", "into", "and", "or", "there", "this", "one", "such")
)  # fmt: skip
"""Words that tell no two offers apart."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a wish: its words, and the acts that its verb may say. `whole` is the context that it stands in."""

    text: str
    words: frozenset[str]
    acts: frozenset[str]
    whole: str = ""


class Acts:
    """The senses of verbs, of what is offered and of what is wanted."""

    def __init__(self, store: GraphStore) -> None:
        self._senses = {side: _senses(store, side) for side in (OFFERED, WANTED)}
        self._verbs = {side: _longest_first(senses) for side, senses in self._senses.items()}
        self._wishes = _phrases(store, "exposure/wishes")
        self._agents = _phrases(store, "exposure/agents")
        self.asking = frozenset(str(act.value) for (act,) in store.select("exposure/asking") if act is not None)

    def clauses(self, context: str) -> list[Clause]:
        """The clauses of a context that say an act; where none does, all of it is one.

        What is told besides (“The baby sleeps. Play the lullaby.”) is no act of its own.
        """
        told = [part for part in _ENDS.split(context.strip()) if part.strip(_END)]
        found = [clause for part in told for clause in self._sentence(part)]
        if not any(clause.words for clause in found):
            text = self._wish(" ".join(told).strip(_END))
            found = [Clause(text, content(text), frozenset())]
        found = [clause for clause in found if clause.acts] or [clause for clause in found if clause.text]
        return [replace(clause, whole=context.strip(_END)) for clause in found]

    def _sentence(self, text: str) -> list[Clause]:
        """The clauses of a sentence: what it asks, what has to be so and what is done then, or what is to be done."""
        if condition := _CONDITION.fullmatch(text):
            then = self._sentence(condition["then"])
            return then if "?" in condition["then"] else [self._asked(condition["told"]), *then]
        if text.rstrip().endswith("?"):
            return [self._asked(text.strip(_END))]
        return [self.clause(part) for part in self._parts(text.strip(_END))]

    def _asked(self, text: str) -> Clause:
        """A question as one clause: who asks wants to find out."""
        return Clause(text, content(text), self.asking)

    def _parts(self, sentence: str) -> list[str]:
        """The acts of a sentence, in words; none where nobody is about to do anything.

        A part without a verb of its own has the verb of the one before, or belongs to it where it is long.
        """
        first, *others = [part for part in _JOINTS.split(sentence) if part] or [""]
        found = [self._wish(first)]
        verb = self._leading(found[0])
        if not (verb or self._somebody(first)):
            return []
        for part in others:
            text = self._wish(part)
            own = self._leading(text)
            if own or (verb and len(_WORD.findall(text)) <= SHORT):
                found.append(text if own else f"{' '.join(verb)} {text}")
            else:
                found[-1] = f"{found[-1]} and {text}"
            verb = own or verb
        return _whole(found)

    def _somebody(self, text: str) -> bool:
        """Whether a text begins with who is about to act."""
        words = _WORD.findall(text.lower())[:LONGEST]
        return any(tuple(words[:length]) in self._agents for length in range(1, LONGEST + 1))

    def _leading(self, text: str, side: str = WANTED) -> tuple[str, ...]:
        """The verb that a text begins with; empty without one."""
        return self._first(_said(_WORD.findall(text.lower())), side)

    def _first(self, words: Sequence[set[str]], side: str) -> tuple[str, ...]:
        """The verb that words begin with, the longest phrase of it."""
        return next((one for one in self._verbs[side] if _is_at(one, words)), ())

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

    def offered(self, text: str, label: str, *, tells: bool) -> frozenset[str]:
        """The acts that an offer is for: of the verb that it begins with; else finding out, where it only tells; else
        of any verb."""
        if verb := self._leading(text, OFFERED):
            return self._senses[OFFERED][verb]
        return self.asking if tells else self.acts(text) or self.acts(label)

    def _verb(self, said: Sequence[str], side: str) -> tuple[str, ...]:
        """The first verb among words, in any of its forms, the longest phrase at its place."""
        words = _said(said)
        return next(filter(None, (self._first(words[start:], side) for start in range(len(words)))), ())


def _said(words: Sequence[str]) -> list[set[str]]:
    """The dictionary forms that each word may be of."""
    return [{stem(word), *forms(word)} for word in words]


def _phrases(store: GraphStore, query: str) -> frozenset[tuple[str, ...]]:
    """The phrases that a query finds, as words."""
    return frozenset(tuple(_WORD.findall(str(phrase.value).lower())) for (phrase,) in store.select(query) if phrase)


def _whole(parts: Sequence[str]) -> list[str]:
    """Parts, each with two words at least that tell it from others: a verb alone belongs to what follows."""
    found: list[str] = []
    waiting = ""
    for number, part in enumerate(parts):
        text = f"{waiting} {part}".strip()
        waiting = text if len(content(text)) < 2 and number < len(parts) - 1 else ""
        found += [] if waiting else [text]
    return found


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
