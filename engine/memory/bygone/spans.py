"""Stretches and moments of the past, as people name them: "while I was away", "before the guests came"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from engine.environment.state import State
from engine.graph.terms import REQUESTS, Literal, NamedNode, Quad, Term, literal, node, python
from engine.language.meanings.context import Context
from engine.memory.bygone.clock import clocked, lately
from engine.memory.recalled.recall import is_denied, is_question
from engine.memory.said.words import Sentence, Stretch, occasions_in

INSTANT = timedelta(microseconds=1)
_LONG_AGO = timedelta(days=366)
"""How far back it is looked for how somebody left something."""
_ARTICLES = frozenset({"the", "a", "an", "my", "our", "it", "that", "this", "them", "all", "everything"})
_WE = frozenset({"i", "we", "my", "our", "i've", "i'd", "we'd", "i'm", "me", "us"})


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the past, the places of the words that name it, and whether it is known when it was; `at`: a
    moment in its midst is meant, where it was said by the clock."""

    start: datetime
    end: datetime
    places: frozenset[int]
    known: bool = True
    words: str = ""
    at: datetime | None = None


def tells_of(sentence: Sentence, context: Context) -> tuple[str, ...]:
    """The occasions that a request tells have come: not those that are asked about, denied, or spoken of as past."""
    if is_question(sentence) or is_denied(sentence):
        return ()
    if any(sentence.find(mark) is not None for mark in ("hg:SinceMark", "hg:BeforeMark", "hg:AskChanged")):
        return ()
    return tuple(sorted(iri for iri in occasions_in(sentence, context) if _is_told(sentence, iri)))


def _is_told(sentence: Sentence, occasion: str) -> bool:
    """Whether words tell of it by themselves: who leaves the light on does not leave."""
    own = [one for one in sentence.stretches() if occasion in one.terms]
    return any(sentence.word(one.end) not in _ARTICLES and not _names(sentence, one.end) for one in own)


def _names(sentence: Sentence, place: int) -> bool:
    return place < len(sentence.at) and any(one.names for one in sentence.at[place])


def told_quads(request: str, occasions: Iterable[str], location: str | None) -> list[Quad]:
    """What the journal keeps beside a request: the occasions that it tells of, and where it was said."""
    subject = NamedNode(request)
    found = [Quad(subject, node("hg:tellsOf"), NamedNode(iri), REQUESTS) for iri in occasions]
    return [*found, *([Quad(subject, node("hg:spokenIn"), NamedNode(location), REQUESTS)] if location else [])]


def span_in(sentence: Sentence, user: str | None, now: datetime, state: State, context: Context) -> Span | None:
    """The stretch of the past that words name, without the request that told that it began; None where they name none.
    One that nobody told of is not `known`."""
    spell = _spell(sentence, user, now, state, context)
    told = spell or _occasion(sentence, user, now, context)
    found = told if told is not None and told.known else _named(sentence, now, context) or told
    return _by_the_clock(found, sentence, now, context)


def _by_the_clock(span: Span | None, sentence: Sentence, now: datetime, context: Context) -> Span | None:
    """A stretch of the past, narrowed to what is said of it by the clock; a time of the clock alone is the last such
    one, where something is said to have been."""
    if span is None:
        found = lately(sentence, now, context) if sentence.find("hg:WasWord") is not None else None
        places: frozenset[int] = frozenset()
    else:
        found = clocked(sentence, span.start, span.end, span.places, context) if span.known else None
        places = span.places
    if found is None:
        return span
    clock = f"at {found.at:%H:%M}" if found.at is not None else f"from {found.start:%H:%M} to {found.end:%H:%M}"
    day = span.words if span is not None else f"{found.start:%A}"
    return Span(found.start, min(found.end, now), places | found.places, True, f"{day}, {clock}", found.at)


def _spell(sentence: Sentence, user: str | None, now: datetime, state: State, context: Context) -> Span | None:
    """ "While I was away": from the occasion that begins it to the one that ends it."""
    for spell, begins, ends, kind in _terms("memory/spells", context):
        if spell is None or begins is None or ends is None:
            continue
        said = next((one for one in sentence.stretches() if spell.value in one.terms and _marked(sentence, one)), None)
        if said is None:
            continue
        mark = _mark(sentence, said)
        places = frozenset(range(mark.start if mark else said.start, said.end))
        words = sentence.said(min(places), said.end)
        sensed = _sensed(kind, user, state, context)
        start, end = sensed or _told_spell(begins, ends, user, now, context)
        if start is None:
            return Span(now, now, places, False, words)
        return Span(start + INSTANT, end - INSTANT if end is not None else now, places, True, words)
    return None


def _terms(query: str, context: Context) -> list[tuple[Term | None, ...]]:
    """The rows of a query that asks the ontology alone."""
    return context.store.of_terms(query, lambda: context.store.select(query), kept=False)


def _marked(sentence: Sentence, said: Stretch) -> bool:
    return _mark(sentence, said) is not None


def _mark(sentence: Sentence, said: Stretch, term: str = "hg:SpanMark", within: int = 5) -> Stretch | None:
    """The word that makes a time of what follows it, a few words before it."""
    for place in range(max(0, said.start - within), said.start):
        found = sentence.here(term, place)
        if found is not None and found.end <= said.start:
            return found
    return None


def _told_spell(
    begins: Term, ends: Term, user: str | None, now: datetime, context: Context
) -> tuple[datetime | None, datetime | None]:
    """The last such stretch, as it was told; one that was not said to be over is over now."""
    start = _last_told(begins, user, now, context)
    end = _last_told(ends, user, now, context)
    return start, end if start is not None and end is not None and end > start else None


def _sensed(
    kind: Term | None, user: str | None, state: State, context: Context
) -> tuple[datetime | None, datetime | None] | None:
    """The last stretch in which what follows a person here had them away; None where nothing follows them."""
    low = context.vocabulary.kinds.get(kind.value) if kind is not None else None
    if low is None or not user:
        return None
    for thing in context.registry.things.values():
        if user.casefold() not in (thing.title.casefold(), *(name.casefold() for name in thing.aliases)):
            continue
        for prop in thing.properties:
            if low.iri not in prop.kinds:
                continue
            gone = [one for one in state.history(prop.iri) if one.after in low.low or one.after is False]
            if gone:
                start = gone[-1].at
                back = next((one.at for one in state.history(prop.iri) if one.at > start), None)
                return start, back
    return None


def _last_told(occasion: Term, user: str | None, before: datetime, context: Context) -> datetime | None:
    """When somebody last told of an occasion: the speaker, or anybody where it is everybody's."""
    shared = any(row[0] == occasion for row in context.store.select("memory/shared_occasions"))
    if not shared and not user:
        return None
    who = {} if shared else {"user": Literal(user or "")}
    rows = context.store.select("memory/occasions_told", occasion=occasion, before=literal(before), **who)
    at = rows[0][0] if rows else None
    return None if at is None else datetime.fromisoformat(at.value).astimezone(before.tzinfo)


def as_left(user: str | None, now: datetime, context: Context) -> Span:
    """The stretch of time until somebody went last, as they told; until now, where they told of nothing."""
    begins = (row[1] for row in _terms("memory/spells", context) if row[0] == node("hg:Absence"))
    went = [at for one in begins if one is not None and (at := _last_told(one, user, now, context)) is not None]
    return Span(now - _LONG_AGO, max(went, default=now) - INSTANT, frozenset())


def _occasion(sentence: Sentence, user: str | None, now: datetime, context: Context) -> Span | None:
    """ "Since I got up", "before the guests came", "after dinner"."""
    known = occasions_in(sentence, context)
    for term, before in (("hg:SinceMark", False), ("hg:BeforeMark", True)):
        for said in (one for one in sentence.stretches() if known.keys() & one.terms):
            mark = _mark(sentence, said, term)
            if mark is None:
                continue
            end = _past_verb(sentence, said.end)
            places, words = frozenset(range(mark.start, end)), sentence.said(mark.start, end)
            told = [_last_told(NamedNode(iri), user, now, context) for iri in sorted(known.keys() & said.terms)]
            at = max((one for one in told if one is not None), default=None)
            if at is None:
                return Span(now, now, places, False, words)
            day = datetime.combine(at.date(), time(), tzinfo=at.tzinfo)
            return (
                Span(day, at - INSTANT, places, True, words) if before else Span(at + INSTANT, now, places, True, words)
            )
    return None


def _past_verb(sentence: Sentence, place: int) -> int:
    """Past the verb that goes with an occasion: "the guests came"."""
    while place < len(sentence.tokens) and not sentence.at[place] and sentence.tokens[place].text.isalpha():
        place += 1
    return place


def _named(sentence: Sentence, now: datetime, context: Context) -> Span | None:
    """ "Yesterday evening", "this morning", "the last hour": the one with the most words counts."""
    found: list[tuple[Stretch, tuple[Term | None, ...]]] = []
    for row in _terms("memory/past_spans", context):
        name = row[0].value if row[0] is not None else ""
        found += [(one, row) for one in sentence.stretches() if name in one.terms]
    if not found:
        return None
    said, row = max(found, key=lambda one: one[0].end - one[0].start)
    return _dated(said, row, sentence, now)


def _dated(said: Stretch, row: tuple[Term | None, ...], sentence: Sentence, now: datetime) -> Span | None:
    """When a named stretch of time was: it lasts until now, or is a part of a day."""
    _, ago, begin, until, lasting = row
    places, words = frozenset(range(said.start, said.end)), sentence.said(said.start, said.end)
    if lasting is not None:
        return Span(now - timedelta(seconds=int(lasting.value)), now, places, True, words)
    if ago is None or begin is None or until is None:
        return None
    day = (now - timedelta(days=int(str(python(ago))))).date()
    start = datetime.combine(day, time.fromisoformat(begin.value), tzinfo=now.tzinfo)
    end = datetime.combine(day, time.fromisoformat(until.value), tzinfo=now.tzinfo)
    return Span(start, min(end if end > start else end + timedelta(days=1), now), places, True, words)
