"""Whether, when and of which things something was so: "was the lamp on at nine last night?", "what was on then?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from engine.environment.state import State
from engine.graph.terms import Json
from engine.language.meanings.context import Context
from engine.language.replies.replies import thing_name
from engine.memory.bygone.changed import FEW, MOST, about, beside, changed, forgotten, had, unknown, who_did
from engine.memory.bygone.ends import able_of, is_so, state_word
from engine.memory.bygone.spans import Span, span_in
from engine.memory.recalled.recall import is_question
from engine.memory.said.words import Sentence
from engine.model.outcome import Answer
from engine.model.thing import Property

_HEAD = 6
"""Among how many words at the front of a question the verb stands that says that something was."""


@dataclass(frozen=True, slots=True)
class _Spell:
    """A stretch of time in which something was so."""

    start: datetime
    end: datetime | None


def of_the_past(sentence: Sentence, user: str | None, now: datetime, state: State, context: Context) -> Answer | None:
    """The answer to a question about what changed, who did it, or how something was; None for any other question."""
    asked = (sentence, user, now, state, context)
    return changed(*asked) or who_did(*asked) or was_so(*asked) or had(*asked)


def was_so(sentence: Sentence, user: str | None, now: datetime, state: State, context: Context) -> Answer | None:
    """The answer to a question whether or of which things something was so at a time of the past; None for any other
    question."""
    been = next((n for n in range(min(_HEAD, len(sentence.tokens))) if sentence.here("hg:WasWord", n)), None)
    if been is None or not (been == 0 or is_question(sentence)):
        return None
    span = span_in(sentence, user, now, state, context)
    if span is None:
        return None
    word = state_word(beside(sentence, span), span.places, context)
    if word is None:
        return None
    if not span.known:
        return unknown(span)
    things, everything = about(sentence, span, context), sentence.find("hg:AnyWord") is not None or been == 1
    if things is None and not everything:
        return None
    props = [p for iri in sorted(_all(context) if things is None else things) for p in able_of(iri, word, context)]
    if not props:
        return None
    if not any(_is_known(p, span, state) for p in props):
        return forgotten()
    found = {p.iri: spells for p in props if (spells := list(_spells(p, word, span, state, context)))}
    alone = been == 0 and things is not None and len({context.registry.thing_of[p.iri].iri for p in props}) == 1
    return _answer(found, word, span, now, context, alone=alone, whether=been == 0)


def _all(context: Context) -> Iterator[str]:
    return iter(context.registry.things)


def _is_known(prop: Property, span: Span, state: State) -> bool:
    """Whether anything is kept of how a property was in a stretch of time."""
    start, end = (span.at, span.at) if span.at is not None else (span.start, span.end)
    return state.value_at(prop.iri, start) is not None or any(True for _ in state.between(prop.iri, start, end))


def _spells(prop: Property, word: str, span: Span, state: State, context: Context) -> Iterator[_Spell]:
    """The stretches within a stretch of time in which a property was so; at a moment, at most one."""
    start, end = (span.at, span.at) if span.at is not None else (span.start, span.end)
    since = start if is_so(prop, state.value_at(prop.iri, start), word, context) else None
    for one in state.between(prop.iri, start, end):
        if is_so(prop, one.after, word, context):
            since = one.at if since is None else since
        elif since is not None:
            yield _Spell(since, one.at)
            since = None
    if since is not None:
        yield _Spell(since, None)


def _answer(
    found: dict[str, list[_Spell]],
    word: str,
    span: Span,
    now: datetime,
    context: Context,
    *,
    alone: bool,
    whether: bool,
) -> Answer:
    registry = context.registry
    when = span.words[:1].upper() + span.words[1:]
    if not found:
        nothing = "no" if whether else f"nothing was {word}"
        return Answer(f"{when}: {nothing}, as far as I remember.", False if whether else [])
    told: dict[str, list[_Spell]] = {}
    for iri, spells in found.items():
        told.setdefault(thing_name(registry.thing_of[iri].iri, registry), []).extend(spells)
    lines = [f"{name} {_times(spells, span, now)}".rstrip() for name, spells in told.items()]
    more = f" and {len(lines) - MOST} more" if len(lines) > MOST else ""
    verb = "was" if len(lines) == 1 else "were"
    text = f"{when}: {'yes, ' if whether else ''}{'; '.join(lines[:MOST])}{more} {verb} {word}."
    value: Json = True if whether or alone else list[Json](sorted(told))
    return Answer(text, value)


def _times(spells: list[_Spell], span: Span, now: datetime) -> str:
    """From when until when, where that is not the whole of the time that was asked for."""
    zone = now.tzinfo
    if span.at is not None:
        return ""
    parts = []
    for one in spells[:FEW]:
        begin = "" if one.start <= span.start else f"from {one.start.astimezone(zone):%H:%M}"
        until = "" if one.end is None else f"until {one.end.astimezone(zone):%H:%M}"
        parts.append(" ".join(part for part in (begin, until) if part))
    said = " and ".join(part for part in parts if part)
    return f"({said})" if said else ""
