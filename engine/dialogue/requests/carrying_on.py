"""What others ask before they go on (agents, tools): their question becomes ours, and the answer goes back to them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from engine.dialogue.requests.outcomes import told_anew
from engine.errors import BindingError, HearthgraphError
from engine.graph.terms import Json
from engine.language.replies import replies
from engine.model.outcome import ActionResult, IntentOutcome, Outcome, Status, derive_status
from engine.things.registry import Registry

ASKED = "input_required"
PATIENCE = 60.0
"""Seconds until something has come of an answer."""
Answering = Callable[[str, str], "Future[Json]"]
"""Answers what was asked about an affordance."""


def waiting(outcome: Outcome | None) -> ActionResult | None:
    """The action that goes on only when its question is answered."""
    return next((one for one in outcome.actions if one.reason == ASKED), None) if outcome is not None else None


def asking(outcome: Outcome, registry: Registry) -> Outcome:
    """The outcome of a run in which somebody asked back: it is open, and their question is told, with who asks it."""
    action = waiting(outcome)
    if action is None:
        return outcome
    intents = tuple(
        replace(one, status=Status.CLARIFY, reason=ASKED) if one.reason == ASKED else one for one in outcome.intents
    )
    thing = registry.things.get(action.artifact) or registry.thing_of.get(action.affordance)
    who = f"The {thing.title} asks: " if thing is not None else ""
    question = f"{who}{action.message.removesuffix(' Answer the question.')}"
    status = derive_status(one.status for one in intents)
    return replace(outcome, status=status, reason=ASKED, intents=intents, question=question, reply=question)


def carried_on(outcome: Outcome, text: str, answering: Answering, registry: Registry) -> Outcome:
    """What comes of the request now that the other side has its answer: it is done, or asks again, or failed."""
    action = waiting(outcome)
    assert action is not None
    found = _answered(action, text, answering)
    actions = tuple(found if one is action else one for one in outcome.actions)
    intents = tuple(_after(one, found) for one in outcome.intents)
    went_on = told_anew(outcome, intents, replies.report(intents, actions, outcome.changes, registry))
    return asking(replace(went_on, actions=actions), registry)


def _answered(action: ActionResult, text: str, answering: Answering) -> ActionResult:
    try:
        output = answering(action.affordance, text).result(PATIENCE)
    except TimeoutError:
        late = BindingError("It did not answer in time.", reason="timeout")
        return replace(action, outcome="failed", message=str(late), reason=late.reason)
    except HearthgraphError as error:
        return replace(action, outcome="failed", message=error.message, reason=error.reason)
    return replace(action, outcome="done", message="", reason=None, output=output)


def _after(one: IntentOutcome, action: ActionResult) -> IntentOutcome:
    if one.reason != ASKED:
        return one
    if action.outcome == "done":
        return replace(one, status=Status.DONE, reason=None, message="")
    return replace(one, status=Status.FAILED, reason=action.reason, message=action.message)
