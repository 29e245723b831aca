"""The shape of a reading: its words with what they name left open, and what it would do. What a person said of one
reading holds for others of its shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.graph.terms import compact
from engine.language.chart.judging.reader import Candidate, Heard
from engine.language.words.tokens import Token, TokenKind
from engine.model.intent import Amount, Intent, Measure

_NAMING = frozenset({"before", "noun", "place"})
_COUNTED = (Measure.NUMBER, Measure.FRACTION, Measure.TEXT)


def shapes_of(reading: Candidate, found: Heard) -> Iterator[str]:
    """The shapes of what a reading would do, one for each account of the words, the likeliest first: "dim {} to #
    percent: explicit one hg:Brightness number"."""
    done = "; ".join(map(_done, reading.intents))
    alike = [c.account for c in found.candidates if c.effect == reading.effect and c.account]
    for account in alike or [((0, len(found.tokens), ""),)]:
        words = [word for start, end, part in account for word in _words(found.tokens[start:end], part)]
        said = [word for word, before in pairwise((*words, "")) if word != "{}" or before != "{}"]
        yield f"{' '.join(said)}: {done}"


def _words(tokens: Sequence[Token], part: str) -> Iterator[str]:
    if part in _NAMING and all(token.kind is not TokenKind.NUMBER for token in tokens):
        yield "{}"
        return
    yield from ("#" if token.kind is TokenKind.NUMBER else token.text for token in tokens)


def _done(intent: Intent) -> str:
    of = (intent.command, intent.property, intent.variable, intent.situation)
    terms = [compact(term) for term in of if term is not None]
    way = [] if not intent.direction else ["more" if intent.direction > 0 else "less"]
    return " ".join([intent.category.value, intent.selection.quantity.value, *terms, *way, *_amount(intent.amount)])


def _amount(amount: Amount | None) -> Iterator[str]:
    if amount is None:
        return
    yield amount.measure.value
    yield from ["relative"] if amount.relative else []
    yield from [] if amount.measure in _COUNTED else [str(amount.value)]
