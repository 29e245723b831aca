"""As it was at another time: "the lamp as I had it this morning", "everything as it was before the guests came"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, time, timedelta

from engine.environment.state import State
from engine.graph.terms import Json, expand, python
from engine.language.meanings.context import Context
from engine.language.words.morphology import singular
from engine.language.words.tokens import TokenKind
from engine.memory.bygone.changed import changed_in, done_by, first_set_by, own_value, set_by
from engine.memory.bygone.earlier import set_to
from engine.memory.bygone.spans import INSTANT, Span, as_left, span_in
from engine.memory.recalled.mentions import kinds_in, mentions_in
from engine.memory.recalled.recall import is_question, numbered
from engine.memory.said.words import Sentence, read
from engine.model.intent import Intent
from engine.model.thing import Property, Thing

_POWER = expand("hg:Power")
_ALL = frozenset({"everything", "all", "it", "things", "whole", "home", "house"})
_MINE = frozenset({"i", "we", "i'd", "we'd"})


def bygone(
    text: str, user: str | None, state: State, request: str, now: datetime, context: Context
) -> tuple[Intent, ...] | None:
    """The intents of a request for how things were at a time of the past; None for any other request, and where
    nothing is remembered of that time. A time that nobody told of gives an intent that cannot be understood."""
    sentence = read(text, context)
    if is_question(sentence) or sentence.has_number or not _wants_it_so(sentence):
        return None
    span = _when(sentence, user, now, state, context)
    if span is None:
        return None
    if not span.known:
        return (Intent(f"{request}/intent-1", text, fault="missing_value", subject=span.words),)
    things, kinds = _things(sentence, span, user, now, state, context), kinds_in(sentence, context)
    then = _then(span, sentence, user, now, state, context)
    settings = [one for thing in things for one in _as_then(thing, kinds, then, state, context)]
    changed = [intent for intent, so_already in settings if not so_already]
    return numbered(changed or [intent for intent, _ in settings], request, text) if settings else None


_SO_AGAIN = ("hg:SameWord", "hg:AsWord", "hg:BackWord")


def _wants_it_so(sentence: Sentence) -> bool:
    """Whether it shall be so again: "the same as", "as it was", "back to"; a "mirror light" is a name, and neither
    "all the way down" nor "it feels like a sauna" is of the past."""
    named = {
        n for one in sentence.stretches() if one.names and one.end - one.start > 1 for n in range(one.start, one.end)
    }
    wholes = {one.end for one in sentence.stretches() if one.can("hg:WholeWord") or one.can("hg:ImpressionWord")}
    said = [one for one in sentence.stretches() if any(one.can(term) for term in _SO_AGAIN) and one.start not in wholes]
    return any(not named >= set(range(one.start, one.end)) for one in said)


def _when(sentence: Sentence, user: str | None, now: datetime, state: State, context: Context) -> Span | None:
    """The moment of the past that words name: that of a named time, or just before an occasion."""
    moment = _moment(sentence, now, context)
    span = span_in(sentence, user, now, state, context)
    if moment is not None:
        start, end = (span.start, span.end) if span is not None else (moment, moment)
        return Span(min(start, moment), end if _is_own(sentence) and end < now else moment, frozenset())
    if span is None and sentence.find("hg:AsLeft") is not None:
        return as_left(user, now, context)
    if span is None or sentence.find("hg:SinceMark") is not None or not _was_so(sentence):
        return None
    if sentence.find("hg:BeforeMark") is not None or not span.known:
        return span
    return Span(
        span.start, span.start - 2 * INSTANT, span.places, True, span.words
    )  # as it was when I was away: before it


def _was_so(sentence: Sentence) -> bool:
    """Whether something is to be as it was, and not only as somebody likes it."""
    if any(sentence.find(term) is not None for term in ("hg:BackWord", "hg:SameWord")):
        return True
    ways = [one for one in sentence.stretches() if one.can("hg:AsWord")]
    return bool(ways) and (
        sentence.find("hg:BeenWord") is not None
        or any(sentence.here("hg:BeforeMark", one.end) is not None for one in ways)  # "like before I went out"
    )


def _is_own(sentence: Sentence) -> bool:
    """Whether it shall be as the speaker had it, and not only as it was."""
    return any(token.text in _MINE for token in sentence.tokens) and sentence.find("hg:BeforeMark") is None


def _moment(sentence: Sentence, now: datetime, context: Context) -> datetime | None:
    """The moment of the past that words name."""
    for term, ago, at in context.store.select("memory/bygone"):
        if term is None or ago is None or not any(term.value in one.terms for one in sentence.stretches()):
            continue
        day = now - timedelta(days=int(str(python(ago))))
        if at is None:
            return day
        then = datetime.combine(day.date(), time.fromisoformat(at.value), tzinfo=now.tzinfo)
        return then if then <= now else then - timedelta(days=1)
    return None


def _things(
    sentence: Sentence, span: Span, user: str | None, now: datetime, state: State, context: Context
) -> list[Thing]:
    """The things that are meant: what is named, every one of several; all that changed since, for "everything", or
    then, for "what you changed"; where nothing is said but when it was, what the speaker had done then."""
    registry = context.registry
    mentions = list(mentions_in(sentence, context))
    named = [one for one in mentions if one.things and (not one.vague or _is_plural(sentence))]
    if named:
        return [registry.things[iri] for iri in dict.fromkeys(i for one in named for i in sorted(one.things))]
    whole = span_in(sentence, user, now, state, context)
    if mentions:
        return []
    done = any(one.can("hg:DoneWord") for one in sentence.stretches() if one.start > 0)  # "put" at the front orders
    if sentence.find("hg:BackWord") is not None and done:
        return _of(changed_in(whole, state, context), context) if whole is not None and whole.known else []
    if not any(word in _ALL for word in (token.text for token in sentence.tokens)):
        return _own_then(sentence, whole, user, context) if whole is not None and whole.known else []
    moved = {registry.thing_of[iri].iri for iri in state if any(p.at > span.end for p in state.history(iri))}
    return [registry.things[iri] for iri in sorted(moved)]


def _of(properties: Iterable[str], context: Context) -> list[Thing]:
    registry = context.registry
    things = dict.fromkeys(registry.thing_of[iri].iri for iri in properties if iri in registry.thing_of)
    return [registry.things[iri] for iri in things]


def _own_then(sentence: Sentence, span: Span, user: str | None, context: Context) -> list[Thing]:
    """What the speaker had something done with at that time, where they are, if anything there; for a request that says
    no more than "the same as then"."""
    known = ("hg:SameWord", "hg:AsWord", "hg:PoliteWord", "hg:FramingWord", "hg:BackWord", "hg:BeenWord", "hg:SelfWord")
    said = {n for one in sentence.stretches() if any(map(one.can, known)) for n in range(one.start, one.end)}
    rest = [
        n for n, token in enumerate(sentence.tokens) if token.kind is TokenKind.WORD and n not in said | span.places
    ]
    if user is None or rest:
        return []
    things = _of(done_by(user, span, context), context)
    return [one for one in things if one.place == context.location] or things


def _is_plural(sentence: Sentence) -> bool:
    """Whether a class of things that is named is named in the plural: "the lights"."""
    named = [one for one in sentence.stretches() if one.names]
    return any(singular(sentence.word(one.end - 1)) != sentence.word(one.end - 1) for one in named) or any(
        token.text in ("all", "every", "both") for token in sentence.tokens
    )


def _then(
    span: Span, sentence: Sentence, user: str | None, now: datetime, state: State, context: Context
) -> Callable[[str], Json]:
    """What gives the value that a property had then: "as I had it" is how the speaker had it, "same as last night" how
    it was at the moment that stands for it, but for what they only set later that night; "as it was" is how it was."""
    if _is_own(sentence):
        return lambda prop: own_value(prop, user, span, state, context)
    whole = None if sentence.find("hg:BeenWord") is not None else span_in(sentence, user, now, state, context)

    def value(prop: str) -> Json:
        later = whole is not None and whole.known and set_by(prop, user, replace(whole, end=span.end), context) is None
        own = first_set_by(prop, user, replace(whole, start=span.end), context) if whole is not None and later else None
        return state.value_at(prop, span.end) if own is None else own

    return value


def _as_then(
    thing: Thing, kinds: frozenset[str], value: Callable[[str], Json], state: State, context: Context
) -> Iterator[tuple[Intent, bool]]:
    """What gives a thing its settings of then, each with whether it has it already; of what was off only that."""
    then = {
        prop.iri: value(prop.iri)
        for prop in thing.properties
        if _is_settable(prop, context) and (not kinds or kinds & prop.kinds)
    }
    off = [prop for prop in thing.properties if _POWER in prop.kinds and _is_off(prop, then.get(prop.iri), context)]
    for prop in thing.properties:
        value_then = then.get(prop.iri)
        dark = any(one.part == prop.part and one.iri != prop.iri for one in off)
        intent = None if value_then is None or dark else set_to(prop.iri, prop.iri, value_then, context)
        if intent is not None:
            yield intent, value_then == state.get(prop.iri)


def _is_settable(prop: Property, context: Context) -> bool:
    known = context.vocabulary.kinds
    return all(kind not in known or known[kind].settable for kind in prop.kinds)


def _is_off(prop: Property, value: Json, context: Context) -> bool:
    low = {
        word for kind in prop.kinds if kind in context.vocabulary.kinds for word in context.vocabulary.kinds[kind].low
    }
    return value is False or (isinstance(value, str) and value in low)
