"""The shape of a reading: its words with what they name left open, and what it would do. What a person said of one
reading holds for others of its shape; and a number that is only corrected is sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.graph.terms import compact
from engine.language.chart.heard.items import Sort
from engine.language.chart.judging.lost import values_of
from engine.language.chart.judging.reader import Candidate, Heard
from engine.language.meanings.context import Context
from engine.language.words.tokens import Token, TokenKind
from engine.model.intent import Amount, Intent, Measure

_NAMING = frozenset({"before", "noun", "place"})
_COUNTED = (Measure.NUMBER, Measure.FRACTION, Measure.TEXT)


def shapes_of(reading: Candidate, found: Heard) -> Iterator[str]:
    """The shapes of what a reading would do, one for each account of the words, the likeliest first: "dim {} to #
    percent: explicit one hg:Brightness number"."""
    done = "; ".join(map(_done, reading.intents))
    for account in [one.account for one in found.alike(reading)] or [((0, len(found.tokens), ""),)]:
        words = [word for start, end, part in account for word in _words(found.tokens[start:end], part)]
        said = [word for word, before in pairwise((*words, "")) if word != "{}" or before != "{}"]
        yield f"{' '.join(said)}: {done}"


def corrects_the_last(reading: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading sets the very properties that were set just before to another number, and the former number
    is said as well: "fifteen, not fifty"."""
    last = context.past.last
    if last is None or not last.changes or not reading.intents:
        return False
    said = [i.number for own in found.items for i in own if i.sort is Sort.NUMBER]  # no set: a colour is a list
    before: dict[tuple[str, str], object] = {}
    for change in last.changes:
        prop = context.registry.properties.get(change.property)
        before |= {(prop.part, kind): change.after for kind in prop.kinds} if prop is not None else {}
    for intent, effect in zip(reading.intents, reading.effect, strict=False):
        now = values_of(intent, effect, context)
        if not now or any(before.get(at) == value or before.get(at) not in said for at, value in now.items()):
            return False
    return True


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
