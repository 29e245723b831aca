""" "Why?", said in words: the story of the request before it, as the journal tells it."""

from __future__ import annotations

from datetime import datetime

from engine.dialogue import journal
from engine.dialogue.why import why
from engine.graph.store import GraphStore
from engine.model.intent import Category, Intent, Operation
from engine.model.outcome import Answer, IntentOutcome, Outcome, Status
from engine.things.registry import Registry


def explained(
    text: str, request: str, user: str | None, at: datetime, before: str, store: GraphStore, registry: Registry
) -> Outcome:
    """The answer to why a request `before` ended as it did. That it was asked is journalled as any request is."""
    intent = Intent(f"{request}/intent-1", text, Category.CHECK, Operation.CHECK)
    journal.open_request(store, request, text, user, at, [intent])
    told = why(store, registry, before)
    answer = Answer(told)
    found = IntentOutcome(intent, Status.ANSWERED, answer=answer)
    return Outcome(request, text, Status.ANSWERED, (found,), answer=answer, reply=told)
