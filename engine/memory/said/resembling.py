"""Occasions that are told in other words than those in which somebody spoke of them: "the little one is going down" is
near in meaning to "when the baby is put down"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from engine import embedding
from engine.language.meanings.context import Context
from engine.language.words.lexicon import Role
from engine.language.words.tokens import TokenKind
from engine.memory.said.words import Sentence, read
from engine.model.fact import Fact, Statement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_COMPARED = 100
"""Of how many facts, the latest, the occasions are compared: a vector takes some 7 ms, once."""
NEAR, NEAR_TO_OWN = 0.45, 0.3
"""From which cosine on words may tell of an occasion; where the speaker asks for their own way."""
APART = 0.1
"""By how much the nearest occasion is nearer than the next."""
_MOST_KEPT = 4096
_FEWEST = 2
"""How many words a clause has at least."""
_LONG = 3
"""Of how many letters a word is at least that tells of an occasion."""


def resembling(text: str, facts: Sequence[Fact], user: str | None, context: Context, *, own: bool) -> Fact | None:
    """The routine whose occasion a text is nearest to in meaning, by the cosine of their vectors; None where none is
    near enough, or two are about as near."""
    routines = [one for one in facts if one.statement is Statement.ROUTINE and one.goals]
    told = {one.iri: said for one in routines[-MOST_COMPARED:] if (said := occasion_of(one, user, context))}
    if not told or not embedding.available():
        return None
    clauses = _clauses(read(text, context))
    near = sorted(((_nearness(clauses, said), iri) for iri, said in told.items()), reverse=True)
    if near[0][0] < (NEAR_TO_OWN if own else NEAR) or (len(near) > 1 and near[0][0] - near[1][0] < APART):
        return None
    return next(one for one in routines if one.iri == near[0][1])


def _nearness(clauses: Sequence[str], occasion: str) -> float:
    """The highest cosine of a clause with an occasion."""
    return max(float(_vector(one) @ _vector(occasion)) for one in clauses)


def occasion_of(fact: Fact, user: str | None, context: Context) -> str:
    """The words of a fact that tell when it holds: those before anything of the home is named, else those behind a mark
    of an occasion; "" where there are none."""
    sentence = read(fact.text, context)
    thing = next((one.start for one in sentence.stretches() if _is_device(one.named)), len(sentence.tokens))
    mark = sentence.find("hg:OccasionMark", thing)
    ends = [(0, thing), *([(mark.start, len(sentence.tokens))] if mark is not None else [])]
    return next((said for start, end in ends if (said := _words(sentence, start, end, user or ""))), "")


def _clauses(sentence: Sentence) -> list[str]:
    """A text, and its clauses between pauses."""
    last = len(sentence.tokens)
    cuts = [-1, *(n for n in range(last) if sentence.tokens[n].kind is TokenKind.PUNCTUATION), last]
    found = [sentence.said(begun + 1, end) for begun, end in pairwise(cuts) if end - begun > _FEWEST]
    return list(dict.fromkeys([sentence.text, *found]))


def _is_device(named: Sequence[tuple[Role, str]]) -> bool:
    return any(role in (Role.THING, Role.DEVICE) for role, _ in named)


def _words(sentence: Sentence, start: int, end: int, user: str) -> str:
    """The words from a place to another, without the name of who speaks; "" where no word among them tells of
    an event."""
    own = {user.casefold(), f"{user.casefold()}'s"}
    tokens = [t for t in sentence.tokens[start:end] if t.text not in own]
    says = any(t.kind is TokenKind.WORD and len(t.text) > _LONG for t in tokens)
    return " ".join(t.text for t in tokens) if says else ""


@lru_cache(maxsize=_MOST_KEPT)
def _vector(text: str) -> NDArray[np.float32]:
    found: NDArray[np.float32] = embedding.encode([text])[0]
    return found
