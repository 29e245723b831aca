""" "Why?", said in words: the story of the request before it, as the journal tells it."""

from __future__ import annotations

from datetime import datetime

from engine.dialogue.explaining.deeds import told_of_deeds
from engine.dialogue.explaining.why import why
from engine.dialogue.requests import journal
from engine.dialogue.requests.request import Request
from engine.graph.store import GraphStore
from engine.language.meanings.context import Context
from engine.model.intent import Category, Intent, Operation
from engine.model.outcome import Answer, IntentOutcome, Outcome, Status
from engine.things.registry import Registry


def explained(
    text: str, request: str, user: str | None, at: datetime, before: str, store: GraphStore, registry: Registry
) -> Outcome:
    """The answer to why a request `before` ended as it did."""
    return answered(text, request, user, at, why(store, registry, before), store)


def of_deeds(request: Request, context: Context, at: datetime) -> Outcome | None:
    """The answer to a question for something that the home did, or did not do; None for any other request."""
    told = told_of_deeds(request, context, at)
    if told is None:
        return None
    return answered(request.text, request.iri, request.user, at, told, context.store)


def answered(text: str, request: str, user: str | None, at: datetime, told: str, store: GraphStore) -> Outcome:
    """What is told from the journal. That it was asked is journalled as any request is."""
    intent = Intent(f"{request}/intent-1", text, Category.CHECK, Operation.CHECK)
    journal.open_request(store, request, text, user, at, [intent])
    answer = Answer(told)
    found = IntentOutcome(intent, Status.ANSWERED, answer=answer)
    return Outcome(request, text, Status.ANSWERED, (found,), answer=answer, reply=told)
