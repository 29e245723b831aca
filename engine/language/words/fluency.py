"""Tokens without the noise of speaking: hesitation, words that are said twice, words that were broken off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.language.words.grammar import ARTICLES
from engine.language.words.tokens import Token, TokenKind

HESITATIONS = frozenset({"um", "uh", "er", "erm", "hmm", "hm", "mm", "ah", "uhm", "eh", "umm", "uhh"})
_PAUSES = frozenset({",", "-", "–", "—", "…"})
_UNFINISHED = ARTICLES | {"to", "at", "by", "of", "with", "into", "for"}
_WHERE = frozenset({"in", "inside", "within", "at"})
_JOINED = frozenset({"and", "or", "then", "but"})
_ORDINALS = {"first": "former", "second": "latter"}
_LIKE = "like"
_LEANING = frozenset(
    {"in", "at", "for", "till", "til", "until", "to", "by", "from", "been", "about", "around", "of", "over", "under"}
)
_GOING_ON = frozenset({"and", "then", "so", "but", "just", "okay", "ok", "well", ",", "."})
_LIKENESS = ARTICLES | {
    "i",
    "you",
    "we",
    "it",
    "this",
    "that",
    "last",
    "before",
    "yesterday",
    "usual",
    "always",
    "my",
    "our",
    "to",
}
_AMOUNTS = frozenset({"half", "quarter", "noon", "midnight", "three quarters", "a", "an", "every", "each"})
_SHORTEST_FRAGMENT = 3
_REACH = 5
"""How many words before a hesitation may have been an attempt at the word after it."""


def fluent(tokens: Sequence[Token]) -> list[Token]:
    """The tokens as they were meant to be said, some in other words."""
    return without_noise(_in_other_words(_without_hands(tokens)))


def without_noise(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without disfluencies: hesitations, fragments, repetitions."""
    kept = _without_attempts(_without_like(_with_pauses(tokens)))
    kept = _without_hesitations(kept)
    for length in (4, 3, 2, 1):
        kept = _without_repeats(kept, length)
    return _without_false_pauses(_without_fragments(kept))


def _in_other_words(tokens: Sequence[Token]) -> list[Token]:
    """ "The first one" is the former, "no more swinging" that it is to stop."""
    kept: list[Token] = []
    for place, token in enumerate(tokens):
        before = kept[-1] if kept else None
        follower = tokens[place + 1].text if place + 1 < len(tokens) else ""
        if token.text == "one" and before is not None and before.text in _ORDINALS and _is_the(kept, -2):
            kept[-1] = replace(before, text=_ORDINALS[before.text], end=token.end)
        elif token.text == "still" and before is not None and before.text.endswith(("er", "more", "less")):
            continue  # "lower still"
        elif token.text == "more" and before is not None and before.text == "no" and follower.endswith("ing"):
            kept[-1] = replace(before, text="stop", end=token.end)
        else:
            kept.append(token)
    return kept


def _is_the(tokens: Sequence[Token], place: int) -> bool:
    return len(tokens) >= -place and tokens[place].text == "the"


def _without_hands(tokens: Sequence[Token]) -> list[Token]:
    """ "The left-hand lamp" is the left lamp."""
    kept: list[Token] = []
    for place, token in enumerate(tokens):
        hand = token.text in ("hand", "handed") and place + 1 < len(tokens) and tokens[place + 1].kind is TokenKind.WORD
        if hand and kept and kept[-1].text == "-":
            before = kept[-2].text if len(kept) > 1 else ""
            if before in ("left", "right"):
                kept.pop()
                continue
        if hand and kept and kept[-1].text in ("left", "right"):
            continue
        kept.append(token)
    return kept


def _without_hesitations(tokens: Sequence[Token]) -> list[Token]:
    """Without "um", and, where a sentence has only begun, without the pauses around it: "lock, um, the door"."""
    kept: list[Token] = []
    for place, token in enumerate(tokens):
        if token.text in HESITATIONS:
            if len(kept) == 2 and _is_pause(kept[-1]):
                kept.pop()
            continue
        hesitated = place > 0 and tokens[place - 1].text in HESITATIONS and len(kept) == 1
        if not (_is_pause(token) and hesitated):
            kept.append(token)
    return kept


def _is_pause(token: Token) -> bool:
    return token.kind is TokenKind.PUNCTUATION and token.text in _PAUSES


def _is_spaced(tokens: Sequence[Token], place: int) -> bool:
    """Whether a pause is one, and no hyphen inside a word."""
    if not 0 < place < len(tokens) - 1:
        return True
    return tokens[place - 1].end != tokens[place].start or tokens[place].end != tokens[place + 1].start


def _past_pauses(tokens: Sequence[Token], place: int) -> int:
    while place < len(tokens) and _is_pause(tokens[place]) and _is_spaced(tokens, place):
        place += 1
    return place


def _with_pauses(tokens: Sequence[Token]) -> list[Token]:
    """Dots in a row ("19... no, 21") are a pause, and no end of a sentence."""
    kept: list[Token] = []
    for place, token in enumerate(tokens):
        again = place + 1 < len(tokens) and tokens[place + 1].text == "."
        if token.text == "." and kept and kept[-1].text == "…":
            continue
        kept.append(replace(token, text="…") if token.text == "." and again else token)
    return [replace(token, text=",") if token.text == "…" else token for token in kept]


def _without_like(tokens: Sequence[Token]) -> list[Token]:
    """Without a "like" that says nothing: "at like six", "and like open it", "for, like, ten minutes"."""
    kept: list[Token] = []
    for place, token in enumerate(tokens):
        if token.text == _LIKE and _is_idle(tokens, place):
            paused = place + 1 < len(tokens) and _is_pause(tokens[place + 1])
            if paused and kept and _is_pause(kept[-1]):
                kept.pop()
            continue
        kept.append(token)
    return kept


def _is_idle(tokens: Sequence[Token], place: int) -> bool:
    """Whether a "like" neither likes nor likens: what stands before it goes on behind it."""
    before = tokens[place - 1].text if place else ","
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if after is None:
        return False
    if _is_pause(after):
        return before in _GOING_ON
    if before in _LEANING:
        return after.number is not None or after.text in _AMOUNTS or after.kind is TokenKind.NUMBER or ":" in after.text
    return before in _GOING_ON and after.text not in _LIKENESS and not after.text.endswith("ing")


def _without_attempts(tokens: list[Token]) -> list[Token]:
    """Drops tries at a word before a hesitation: "the humid a fire, er, humidifier"."""
    for place in range(len(tokens) - 1, 0, -1):
        if tokens[place].text not in HESITATIONS:
            continue
        after = _past_pauses(tokens, place + 1)
        if after >= len(tokens) or tokens[after].kind is not TokenKind.WORD:
            continue
        for before in range(max(0, place - _REACH), place):
            if _is_fragment(tokens[before], tokens[after], _SHORTEST_FRAGMENT + 1):
                del tokens[before:after]
                break
    return tokens


def _is_fragment(token: Token, whole: Token, least: int) -> bool:
    if token.kind is TokenKind.NUMBER and whole.kind is TokenKind.NUMBER:
        return whole.text.startswith(f"{token.text} ")
    words = token.kind is TokenKind.WORD and whole.kind is TokenKind.WORD
    begun = whole.text.startswith(token.text) and len(whole.text) > len(token.text) + 1
    return words and begun and len(token.text) >= least


def _without_repeats(tokens: list[Token], length: int) -> list[Token]:
    """Without the first of two equal stretches of so many words that follow each other, with or without a pause."""
    kept: list[Token] = []
    place = 0
    while place < len(tokens):
        again = _past_pauses(tokens, place + length)
        first, second = tokens[place : place + length], tokens[again : again + length]
        paused = again > place + length
        ends = paused and again + length < len(tokens) and _is_whole(tokens, place)
        if _is_repeat(first, second, paused=paused) and not ends:
            place = again
        else:
            kept.append(tokens[place])
            place += 1
    return kept


def _is_whole(tokens: Sequence[Token], place: int) -> bool:
    """Whether words end a phrase of where something is, and what says them again begins another: "movement in the hall,
    hall light off"."""
    before = place - 1 if place and tokens[place - 1].text in ARTICLES else place
    return before > 1 and tokens[before - 1].text in _WHERE


def _is_repeat(first: Sequence[Token], second: Sequence[Token], *, paused: bool) -> bool:
    if [t.text for t in first] != [t.text for t in second] or len(first) != len(second):
        return False
    worded = all(t.kind in (TokenKind.WORD, TokenKind.NUMBER) for t in first) and first[0].text not in _JOINED
    return worded and (paused or first[0].kind is TokenKind.WORD)


def _without_fragments(tokens: list[Token]) -> list[Token]:
    """Without words that were broken off and then said whole: "the bed, bedroom", "the land, the landing light"."""
    kept: list[Token] = []
    for place, token in enumerate(tokens):
        after = _past_pauses(tokens, place + 1)
        if after > place + 1 and after < len(tokens):
            again = after + 1 if tokens[after].text in ARTICLES and after + 1 < len(tokens) else after
            if any(_is_fragment(token, tokens[one], _SHORTEST_FRAGMENT) for one in (after, again)):
                continue
        kept.append(token)
    return kept


def _without_false_pauses(tokens: list[Token]) -> list[Token]:
    """Without pauses after a word that has to go on: "the, curtain", "to, ninety"."""
    kept: list[Token] = []
    for place, token in enumerate(tokens):
        if _is_pause(token) and kept and kept[-1].text in _UNFINISHED and _is_spaced(tokens, place):
            follower = tokens[place + 1].text if place + 1 < len(tokens) else ""
            if follower not in _JOINED | {"no", "sorry", "wait", "i"}:
                if follower in ARTICLES and kept[-1].text in ARTICLES:
                    kept.pop()
                continue
        kept.append(token)
    return kept
