"""Questions about the future: "what would happen tomorrow?", "what happens if somebody comes into the study?"."""

from __future__ import annotations

from collections.abc import Sequence

from engine.language.chart.goals.prepared import tokens_of
from engine.language.chart.heard.items import Sort
from engine.language.chart.heard.rule_lexicon import rule_words
from engine.language.chart.later.rule_talk import rule_talk
from engine.language.chart.later.sentence import LEADING, MARKS, Sentence
from engine.language.chart.later.timed import Ask, sentence_of
from engine.language.meanings.context import Context
from engine.language.times.times import Element, united
from engine.model.intent import Category, Intent, Operation
from engine.model.rule import Day as SaidDay
from engine.model.rule import Managing, Next

_ASKS, MOST_SAID = "RulesAsked", 200
_MARKS = frozenset({"ConditionMarker", "EventMarker", "OnceMarker"})
_SMALL = (
    Sort.Fillers, Sort.Requesting, Sort.PauseMark, Sort.StopMark, Sort.On, Sort.In, Sort.Definite, Sort.PronounOne,
)  # fmt: skip


def about_rules(text: str, request: str, context: Context, asks: Ask) -> Intent | None:
    """The intent of a text that asks what is to come, or manages the rules that there are; None for others."""
    return foretelling(text, request, context, asks) or rule_talk(text, request, context)


def foretelling(text: str, request: str, context: Context, asks: Ask) -> Intent | None:
    """The intent to foretell a day, or the consequences of an event; None for a text that asks neither."""
    tokens, words = tokens_of(text, context), rule_words(context.store)
    if not any((term := words.at(tokens, p)) and term[1] == _ASKS for p in range(min(len(tokens), 3))):
        return None
    sentence = sentence_of(text, request, context, asks)
    end = _asked(sentence)
    if end is None:
        return None
    start = _supposed(sentence, end)
    if start is not None:
        return _of_supposed(sentence, range(start, len(tokens)), request)
    day = _day(sentence, end)
    return None if day is None else _intent(text, request, Managing(day=day))


def _asked(sentence: Sentence) -> int | None:
    """The end of the words that ask about the future at the start of a sentence; None where it does not."""
    for place in range(len(sentence.tokens)):
        term = sentence.term(place)
        if term is not None and term[1] == _ASKS:
            return term[0]
        if not _is_small(sentence, place):
            return None
    return None


def _supposed(sentence: Sentence, place: int) -> int | None:
    """The start of a supposition behind its "if" or "when"; None where there is none."""
    while place < len(sentence.tokens):
        term = sentence.term(place)
        if term is not None and term[1] in _MARKS:
            return term[0]
        if (end := sentence.is_at(place, *MARKS)) is not None:
            return end
        if not _is_small(sentence, place):
            return None
        place += 1
    return None


def _of_supposed(sentence: Sentence, places: Sequence[int], request: str) -> Intent:
    left = [p for p in places if sentence.tokens[p].text not in LEADING]
    told = sentence.teller.told(left)
    if told is None or not told.facts or told.unknown:
        said = sentence.text[:MOST_SAID]
        return Intent(f"{request}/intent-1", said, fault="no_such_event", subject=said)
    return _intent(sentence.text, request, Managing(supposed=told.facts))


def _day(sentence: Sentence, end: int) -> Next | None:
    """The day that is asked about, where nothing else is said: one that is to come, and no habit."""
    times = [one for one in sentence.times if one.start >= end]
    inside = {p for one in times for p in range(one.start, one.end)}
    if any(p not in inside and not _is_small(sentence, p) for p in range(end, len(sentence.tokens))):
        return None
    elements: list[Element] = [one.meaning for one in times]  # type: ignore[misc]
    found = united(elements) if elements else None
    found = Next(None, found) if isinstance(found, SaidDay) else found
    return found if isinstance(found, Next) and found.day is not None and found.time is None else None


def _is_small(sentence: Sentence, place: int) -> bool:
    return sentence.tokens[place].text in LEADING or sentence.is_at(place, *_SMALL) is not None


def _intent(text: str, request: str, managing: Managing) -> Intent:
    return Intent(f"{request}/intent-1", text[:MOST_SAID], Category.RULE, Operation.FORETELL, rule=managing)
