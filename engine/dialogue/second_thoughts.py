"""What a request may be besides what was read of it at first: a reason, a routine, what was told or was so before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from engine.dialogue.people.telling import Telling, answered_loosely
from engine.dialogue.requests.outcomes import faultless
from engine.dialogue.requests.request import Request
from engine.dialogue.rules.ruling import is_ruling
from engine.language.chart.later.remarks import gives_a_reason
from engine.language.chart.spoken import decided
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.meanings.readings import Alternatives
from engine.language.understanding import is_in_words
from engine.memory.bygone.earlier import goes_on_from_a_question, is_of_something_here, speaks_of_before
from engine.memory.bygone.presence import Presence
from engine.memory.said.words import without_fillers
from engine.model.intent import Category, Intent
from engine.model.rule import At, Next, Rule

_NOTHING = frozenset({"not_supported_yet", "not_understood"})


def as_heard(request: Request, context: Context) -> Request:
    """A request without what is said and says nothing."""
    return replace(request, text=without_fillers(request.text, context))


def orders_for_a_reason(request: Request, context: Context) -> bool:
    """Whether a statement orders something: a rule with its reason ("I always forget, so …"), or for one certain time
    ("robot vacuum, tomorrow at nine: …"), or behind what is only told ("I can't see. Lights on")."""
    own = replace(context, hearing=Hearing())
    goals = decided(request.text, request.iri, own)
    if own.hearing.told:
        return faultless(goals) and not own.hearing.unsure
    if gives_a_reason(request.text, context):
        return any(map(is_ruling, goals))
    return bool(goals) and all(map(_is_dated, goals))


def _is_dated(readings: Alternatives) -> bool:
    """Whether a goal is a rule for one certain time."""
    rules = [intent.rule for intent in readings[0]] if is_ruling(readings) else []
    return any(isinstance(rule, Rule) and any(isinstance(t, Next | At) for t in rule.triggers) for rule in rules)


def is_refused(request: Request, context: Context) -> bool:
    """Whether nothing is made of a request: it is not understood, or of a kind that cannot be done yet."""
    goals = decided(request.text, request.iri, replace(context, hearing=Hearing()))
    return all(intent.fault in _NOTHING for readings in goals for intent in readings[0])


def is_sure(request: Request, context: Context) -> bool:
    """Whether a request is understood by itself, without what anybody told."""
    alone = replace(context, hearing=Hearing())
    return faultless(decided(request.text, request.iri, alone)) and not alone.hearing.unsure


def is_scene(request: Request, context: Context, presence: Presence) -> bool:
    """Whether it is sure that who tells that somebody comes or goes wants the scene that there is for it."""
    alone = replace(context, hearing=Hearing())
    goals = decided(request.text, request.iri, alone)
    wanted = [intent for readings in goals for intent in readings[0] if intent.situation == presence.occasion]
    return bool(wanted) and not alone.hearing.unsure


def as_before(
    request: Request, past: Mapping[str, tuple[Intent, ...]], goals: tuple[Alternatives, ...], context: Context
) -> tuple[Alternatives, ...]:
    """The goals as they were read; where little or nothing can be made of them, and the words can only be about what
    was so before in this conversation, that."""
    earlier = past.get("earlier", ())
    if not earlier or not _is_weak(goals, request.text, context):
        return goals
    if not speaks_of_before(request.text, context.past.turns, context):
        return goals
    context.hearing.unsure = False
    return tuple(((intent,),) for intent in earlier)


def _is_weak(goals: tuple[Alternatives, ...], text: str, context: Context) -> bool:
    """Whether little can be made of what was read: it is not sure, cannot be done, is guessed, is of nothing here, or
    only asks where something is to be done, too."""
    if context.hearing.unsure or not faultless(goals):
        return True
    intents = [intent for readings in goals for intent in readings[0]]
    if all(intent.category is Category.CHECK for intent in intents):
        return goes_on_from_a_question(text, context)
    return any(_is_guessed(intent) or not is_of_something_here(intent, context) for intent in intents)


def _is_guessed(intent: Intent) -> bool:
    """Whether a wish was guessed by what is near in meaning."""
    return intent.category is Category.IMPLICIT and not is_in_words(intent)


def known_of(request: Request, goals: Sequence[Alternatives], context: Context, now: datetime) -> Telling | None:
    """What was told of what is asked, where nothing here can answer it."""
    return None if faultless(goals) else answered_loosely(request, context, now)
