"""As it was at another time: "the study lamp as I had it this morning", set again from the history of the home."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from engine.environment.state import State
from engine.graph.terms import python
from engine.language.context import Context
from engine.memory.earlier import kinds_in, mentions_in, set_to
from engine.memory.recall import is_question, numbered
from engine.memory.words import Sentence, read
from engine.model.intent import Intent
from engine.model.thing import Thing


def bygone(text: str, state: State, request: str, now: datetime, context: Context) -> tuple[Intent, ...] | None:
    """The intents of a request for how things were at a time of the past; None for any other request, and where
    nothing is remembered of that time."""
    sentence = read(text, context)
    moment = _moment(sentence, now, context)
    if moment is None or is_question(sentence) or sentence.has_number or not _wants_it_so(sentence):
        return None
    named = [one for one in mentions_in(sentence, context) if one.things and not one.vague]
    things = [context.registry.things[iri] for one in named for iri in sorted(one.things)]
    kinds = kinds_in(sentence, context)
    found = [intent for thing in things for intent in _as_then(thing, kinds, state, moment, context)]
    return numbered(found, request, text) if found else None


def _wants_it_so(sentence: Sentence) -> bool:
    """Whether it shall be so again: "the same as", "as it was", "back to"."""
    return any(sentence.find(term) is not None for term in ("hg:SameWord", "hg:AsWord", "hg:BackWord"))


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


def _as_then(thing: Thing, kinds: frozenset[str], state: State, moment: datetime, context: Context) -> Iterator[Intent]:
    """What gives a thing back the settings that it had."""
    known = context.vocabulary.kinds
    for prop in thing.properties:
        settable = all(kind not in known or known[kind].settable for kind in prop.kinds)
        then = state.value_at(prop.iri, moment)
        if then is None or not settable or (kinds and not kinds & prop.kinds) or then == state.get(prop.iri):
            continue
        intent = set_to(prop.iri, prop.iri, then, context)
        if intent is not None:
            yield intent
