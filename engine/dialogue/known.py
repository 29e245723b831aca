"""What is known of a person: the facts that are kept, and the sentences that came along with a request."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engine.dialogue.request import Request
from engine.language.context import Context
from engine.language.past import NOTHING_SAID, Hearing
from engine.language.preferences import stated
from engine.language.standing import standing
from engine.language.understanding import understand
from engine.memory import facts
from engine.memory.goals import Reader
from engine.memory.statements import facts_of
from engine.model.fact import Fact
from engine.model.intent import Intent
from engine.planning import tastes
from engine.planning.tastes import Tastes, fact_of

MOST_SENTENCES = 400
"""How many sentences are read of what comes along with one request."""


def reader_of(context: Context) -> Reader:
    """What reads goals as it reads requests, apart from any conversation."""

    def read(text: str) -> tuple[Intent, ...]:
        alone = replace(context, past=NOTHING_SAID, hearing=Hearing(), location=None)
        return tuple(intent for readings in understand(text, "urn:goal", alone) for intent in readings[0])

    return read


def told_along(request: Request, context: Context, now: datetime) -> tuple[Fact, ...]:
    """The facts of the sentences that came along with a request."""
    several = request.memory[:MOST_SENTENCES]
    found = facts_of(several, request.user, f"{request.iri}/memory", now, context, reader_of(context))
    return tuple(one if one.goals else _liking(one, request.user, context) for one in found)


def _liking(fact: Fact, user: str | None, context: Context) -> Fact:
    """A fact without goals, as a preference where it states one."""
    preference = stated(fact.text, fact.iri, context)
    if preference is not None:
        return replace(fact_of([preference], fact.person or user, fact.source.at), iri=fact.iri)
    wished = standing(fact.text, fact.iri, context, understand)
    told = [readings[0][0] for readings in wished or () if readings[0][0].fault is None]
    return replace(fact_of(told, user, fact.source.at), iri=fact.iri) if told else fact


def known_for(request: Request, context: Context, now: datetime) -> tuple[Fact, ...]:
    """All facts that count for a request."""
    return (*facts.heard_by(context.store, request.user, now), *told_along(request, context, now))


def tastes_of(request: Request, context: Context, now: datetime) -> Tastes:
    """What the speaker likes, as it was stated, now or beforehand."""
    return tastes.of(context.store, request.user, told_along(request, context, now), context.vocabulary, now)
