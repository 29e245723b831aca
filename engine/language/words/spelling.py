"""Corrects misheard and mistyped words: by their neighbours, their letters, their sound.

The neighbours count most: after "smart" and where there is a smart screen, "scream" is "screen".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from jellyfish import metaphone
from rapidfuzz.distance import OSA

from engine.language.words.grammar import KNOWN
from engine.language.words.lexicon import Lexicon
from engine.language.words.morphology import forms, singular
from engine.language.words.tokens import Token, TokenKind
from engine.resources import folder

_LEAST_LETTERS = 3
_LONG = 6
"""From so many letters on, two of them may be wrong where the neighbours speak for a word."""


def corrected(tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens, unknown words as the words of the lexicon that they are slips for."""
    found: list[Token] = []
    for place, token in enumerate(tokens):
        if token.text == "of" and found and lexicon.phrasal(found[-1].text, "off") and _is_object(tokens, place + 1):
            token = replace(token, text="off")
        elif token.kind is TokenKind.WORD and _DRAWN.search(token.text):
            token = replace(token, text=_undrawn(token.text, lexicon))
        elif token.kind is TokenKind.WORD and token.text not in KNOWN:
            follower = tokens[place + 1].text if place + 1 < len(tokens) else ""
            before = found[-1].text if found else ""
            if not lexicon.knows(token.text):
                token = replace(token, text=_meant(token.text, before, follower, lexicon))
            elif not (lexicon.has(token.text) or is_ordinary(token.text)):
                token = replace(token, text=_beside(token.text, before, follower, lexicon) or token.text)
        found.append(token)
    return found


_DRAWN = re.compile(r"(.)\1\1+")
"""A letter that is drawn out: "waaarm"."""


def _undrawn(word: str, lexicon: Lexicon) -> str:
    """The word that was drawn out, its letter once or twice."""
    forms = [_DRAWN.sub(letters, word) for letters in (r"\1\1", r"\1")]
    known = (form for form in forms if form in KNOWN or lexicon.has(form))
    return next(known, next((form for form in forms if is_ordinary(form)), forms[-1]))


def _is_object(tokens: Sequence[Token], place: int) -> bool:
    """ "Switch of the lamp": an article or a name follows, and no amount."""
    return place < len(tokens) and tokens[place].kind is TokenKind.WORD


def _meant(word: str, before: str, after: str, lexicon: Lexicon) -> str:
    if len(word) < _LEAST_LETTERS:
        return word
    if len(word) == _LEAST_LETTERS:
        return _swapped(word)
    beside = _beside(word, before, after, lexicon)
    if beside is not None or is_ordinary(word):
        return beside or word
    spelt = lexicon.correct(word, KNOWN)
    return spelt if spelt != word else _alike(word, lexicon)


def _beside(word: str, before: str, after: str, lexicon: Lexicon) -> str | None:
    """The word that the neighbours speak for, in names of things, devices, properties and places."""
    return _nearest(word, [*lexicon.following(before), *lexicon.preceding(after)])


@cache
def _ordinary() -> frozenset[str]:
    lines = (folder("data") / "english.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def is_ordinary(word: str) -> bool:
    """Whether a word, in some form, is one that English has: "bread" is no slip for "break"."""
    return any(form in _ordinary() for form in forms(word))


def _swapped(word: str) -> str:
    """The function word of which two letters were swapped: "teh"."""
    return next((known for known in sorted(KNOWN) if known[:1] == word[0] and sorted(known) == sorted(word)), word)


def _nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that is a slip away in letters, or sounds the same."""
    one = singular(word)
    allowed = 2 if len(one) >= _LONG else 1
    scored = [(OSA.distance(one, other), other) for other in dict.fromkeys(candidates) if len(other) >= _LEAST_LETTERS]
    near = [
        (d, o) for d, o in scored if (d <= allowed and o[0] == one[0] and len(one) > _LEAST_LETTERS) or _rhymes(one, o)
    ]
    return min(near)[1] if near else None


def _alike(word: str, lexicon: Lexicon) -> str:
    """The noun of this home that sounds the same; the word itself where there is none."""
    one = singular(word)
    same = [(OSA.distance(one, other), other) for other in lexicon.sounding(_sound(one)) if _rhymes(one, other)]
    return min(same)[1] if same else word


def _rhymes(one: str, other: str) -> bool:
    """Whether two words sound the same, and are not too far from each other in letters."""
    return _sound(one) == _sound(other) and OSA.distance(one, other) <= 1 + len(other) // 2


@lru_cache(maxsize=4096)
def _sound(word: str) -> str:
    return str(metaphone(word))
