"""What a request may be besides what was read of it at first: a reason, a routine, what was told or was so before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from engine.dialogue.outcomes import faultless
from engine.dialogue.request import Request
from engine.dialogue.ruling import is_ruling
from engine.dialogue.telling import Telling, answered_loosely
from engine.language.chart.remarks import gives_a_reason
from engine.language.chart.spoken import decided
from engine.language.context import Context
from engine.language.past import Hearing
from engine.language.readings import Alternatives
from engine.memory.earlier import speaks_of_before
from engine.memory.words import without_fillers
from engine.model.intent import Intent
from engine.model.rule import At, Next, Rule


def as_heard(request: Request, context: Context) -> Request:
    """A request without what is said and says nothing."""
    return replace(request, text=without_fillers(request.text, context))


def orders_for_a_reason(request: Request, context: Context) -> bool:
    """Whether a statement orders something: a rule with its reason ("I always forget, so …"), or for one certain time
    ("robot vacuum, tomorrow at nine: …")."""
    goals = decided(request.text, request.iri, replace(context, hearing=Hearing()))
    if gives_a_reason(request.text, context):
        return any(map(is_ruling, goals))
    return bool(goals) and all(map(_is_dated, goals))


def _is_dated(readings: Alternatives) -> bool:
    """Whether a goal is a rule for one certain time."""
    rules = [intent.rule for intent in readings[0]] if is_ruling(readings) else []
    return any(isinstance(rule, Rule) and any(isinstance(t, Next | At) for t in rule.triggers) for rule in rules)


def is_refused(request: Request, context: Context) -> bool:
    """Whether a request is understood to be of a kind that cannot be done yet."""
    goals = decided(request.text, request.iri, replace(context, hearing=Hearing()))
    return all(intent.fault == "not_supported_yet" for readings in goals for intent in readings[0])


def as_before(
    request: Request, past: Mapping[str, tuple[Intent, ...]], goals: tuple[Alternatives, ...], context: Context
) -> tuple[Alternatives, ...]:
    """The goals as they were read; where nothing can be made of them, and the words can only be about what was so
    before in this conversation, that."""
    earlier = past.get("earlier", ())
    if not earlier or faultless(goals) or not speaks_of_before(request.text, context):
        return goals
    context.hearing.unsure = False
    return tuple(((intent,),) for intent in earlier)


def known_of(request: Request, goals: Sequence[Alternatives], context: Context, now: datetime) -> Telling | None:
    """What was told of what is asked, where nothing here can answer it."""
    return None if faultless(goals) else answered_loosely(request, context, now)
