"""Which segments of a text only tell something beside a request: "My back aches. | The lamp on, | I'm reading."

A logistic regression on the sense of a segment (all-MiniLM-L6-v2, https://www.sbert.net) and on the sorts of its words,
learned from which segments could be left out of a request without another outcome: `python -m tests.training`.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from engine import embedding
from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.heard.items import PAUSES, Item, Sort, includes, is_command
from engine.language.chart.heard.rule_lexicon import RuleWords, rule_words
from engine.language.meanings.context import Context
from engine.language.words.morphology import is_progressive
from engine.language.words.tokens import Token
from engine.resources import folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

FEW = 2
"""How many tokens a segment has that says no more than where."""
MOST_SEGMENTS = 9
"""Into how many segments a text may fall."""
_FOR_THAT, _FOR_REASON = "ForThatReason", "ForReason"
_MOST = 2.0


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of tokens between two breaks, with the values of its measures: the sorts of its words, its place; and
    whether it begins with an order to a machine."""

    start: int
    end: int
    text: str
    measures: Mapping[str, float]
    orders: bool = False


def segments(text: str, context: Context) -> list[Segment]:
    """The segments of a text, in order; none where it is one, or falls into very many."""
    tokens, items, words = tokens_of(text, context), heard_items(text, context), rule_words(context.store)
    starts = [0, *_starts(tokens, items, words)]
    bounds = [(a, b) for a, b in zip(starts, [*starts[1:], len(tokens)], strict=True) if b > a]
    if not 1 < len(bounds) <= MOST_SEGMENTS:
        return []
    return [
        Segment(
            start, end, text[tokens[start].start : tokens[end - 1].end],
            dict(_measures(tokens, items, words, (start, end), number, len(bounds))),
            _orders(tokens[start].text, items[start:end]),
        )
        for number, (start, end) in enumerate(bounds)
    ]  # fmt: skip


def _orders(first: str, own: Sequence[Sequence[Item]]) -> bool:
    """Whether a stretch of words begins with a command that is nothing else, and is about none of us: "*play* some
    Coltrane"; not "*kill* me", "*running* a bath"."""
    commands = is_command(own[0]) and not is_progressive(first)
    return commands and len(own) > 1 and not includes(own, Sort.SpeakerWord, *_SUBJECTS)


_SUBJECTS = (Sort.PronounOne, Sort.PronounSeveral, Sort.Somebody, Sort.Nobody, Sort.Copula, Sort.Being)


def _starts(tokens: Sequence[Token], items: Sequence[Sequence[Item]], words: RuleWords) -> Iterator[int]:
    """The places behind pauses, and before a reason that is given behind an order."""
    for place in range(1, len(tokens)):
        behind = _is_pause(items, place - 1) and tokens[place - 1].end < tokens[place].start  # not "mid-day"
        reason = words.at(tokens, place)
        gives = reason is not None and reason[1] in (_FOR_THAT, _FOR_REASON)
        if (behind or gives) and not _is_pause(items, place):
            yield place


def _learned_as(sort: Sort) -> Sort:
    """The sort that words of a sort were of when the weights were learned."""
    return Sort.Everything if sort is Sort.Anything else sort


def _is_pause(items: Sequence[Sequence[Item]], place: int) -> bool:
    return includes(items[place : place + 1], *PAUSES)


def _measures(
    tokens: Sequence[Token],
    items: Sequence[Sequence[Item]],
    words: RuleWords,
    bounds: tuple[int, int],
    number: int,
    several: int,
) -> Iterator[tuple[str, float]]:
    """The sorts of the words of a segment, of those that it begins with, the marks around it, and its place."""
    start, end = bounds
    inside = [(i.start, _learned_as(i.sort)) for own in items[start:end] for i in own if i.end <= end]
    for sort in {sort for _, sort in inside}:
        yield f"has {sort.value}", min(_MOST, float(len({place for place, own in inside if own is sort})))
    for sort in {sort for place, sort in inside if place == start}:
        yield f"first {sort.value}", 1.0
    for sort in {sort for place, sort in inside if place == start + 1}:
        yield f"second {sort.value}", 1.0
    found = words.at(tokens, start)
    if found is not None:
        yield f"says {found[1]}", 1.0
    if end < len(tokens) and (after := words.at(tokens, end)) is not None:
        yield f"then {after[1]}", 1.0
    yield f"ends {tokens[end - 1].text if _is_pause(items, end - 1) else ''}", 1.0
    yield f"after {tokens[start - 1].text if start and _is_pause(items, start - 1) else ''}", 1.0
    yield f"place {'first' if number == 0 else 'last' if number == several - 1 else 'middle'}", 1.0
    yield "length", math.log(end - start)
    yield "share", (end - start) / len(tokens)
    yield "several", math.log(several)


def likely(told: Sequence[Segment]) -> list[float]:
    """How likely each segment is an aside, from 0 to 1; 0 for all where no encoder is installed."""
    if not told or not embedding.available():
        return [0.0] * len(told)
    sense, words = _sense(), Linear.of(_said()["segment"])
    vectors = embedding.encode([one.text for one in told])
    return [_share(float(odd) + words.odds(one.measures)) for odd, one in zip(vectors @ sense, told, strict=True)]


def may_be_left(told: Segment) -> bool:
    """Whether a segment bounds no order: it has no condition or comparison, is no place by itself, none of those that
    are as is said and no word of another time, and has no exception, addition or correction of things that it names."""
    has = told.measures.keys()
    within = any(f"first {sort.value}" in has for sort in (Sort.In, Sort.Of, Sort.From))  # "in the sauna, …"
    bare = told.end - told.start <= FEW and not _PLACES.isdisjoint(has)  # "attic, …"
    pointing = not (_STATES.isdisjoint(has) or _POINTING.isdisjoint(has)) and _OF_CLAUSES.isdisjoint(has)
    later = not _LATER.isdisjoint(has) and _OF_CLAUSES.isdisjoint(has)  # "not right now, but still today"
    return (
        not (within or bare or pointing or later or told.orders)
        and _BOUNDING.isdisjoint(has)
        and (_NAMING.isdisjoint(has) or _ADDING.isdisjoint(has))
    )


def _having(*sorts: Sort) -> frozenset[str]:
    """The measures of segments that have a word of one of these sorts."""
    return frozenset(f"has {sort.value}" for sort in sorts)


_PLACES, _STATES = _having(Sort.PLACE), _having(Sort.VALUE)
_OF_CLAUSES = _having(Sort.SpeakerWord, Sort.Copula, Sort.Being, Sort.Somebody, Sort.Nobody)
_LATER = _having(Sort.Sometime)
_POINTING = _having(Sort.PronounOne, Sort.PronounSeveral, Sort.One)
_BOUNDING = _having(
    Sort.If, Sort.When, Sort.Wherever, Sort.Than, Sort.Except, Sort.Excepted, Sort.Without, Sort.PastMark,
    Sort.Reporting, Sort.Pondering,
)  # fmt: skip
_NAMING = _having(
    Sort.NOUN, Sort.PLACE, Sort.KIND, Sort.NUMBER, Sort.One, Sort.PronounOne, Sort.PronounSeveral, Sort.There,
    Sort.Others, Sort.Other,
)  # fmt: skip
_ADDING = _having(
    Sort.Added, Sort.Repair, Sort.Including, Sort.Only, Sort.Leave, Sort.Alone, Sort.One, Sort.Others, Sort.Other,
)  # fmt: skip


def meant(told: Mapping[str, float]) -> float:
    """How likely the goals of a part of a text are the meaning of the whole, from 0 to 1."""
    return _share(Linear.of(_said()["part"]).odds(with_products(told)))


def with_products(told: Mapping[str, float]) -> dict[str, float]:
    """Measures of a part, and how the surest of them go together."""
    least, kept, sure = (told.get(name, 0.0) for name in ("left least", "kept most", "rest sure"))
    return {**told, "left*sure": least * sure, "left*kept": least * kept, "sure*sure": sure * sure}


@dataclass(frozen=True, slots=True)
class Linear:
    """A logistic regression: a weight for each measure, and the constant."""

    weights: Mapping[str, float]
    constant: float

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Linear:
        """A regression from JSON."""
        return cls(said["weights"], float(said["constant"]))

    def odds(self, measures: Mapping[str, float]) -> float:
        """The logarithm of the odds for these measures."""
        return self.constant + sum(self.weights.get(name, 0.0) * value for name, value in measures.items())


def _share(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-_FARTHEST, min(_FARTHEST, odds))))


_FARTHEST = 30.0


@cache
def _said() -> Mapping[str, Any]:
    """The weights of `ontology/asides.json`."""
    return json.loads((folder("ontology") / "asides.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


@cache
def _sense() -> Vector:
    """A weight for each part of the vector of a segment."""
    import numpy as np

    return np.frombuffer(base64.b64decode(_said()["sense"]), dtype=np.float16).astype(np.float32)
