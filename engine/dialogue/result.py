"""An outcome as the JSON object of a batch line; `shapes/result.schema.json` describes it."""

from __future__ import annotations

from typing import Any

from engine.dialogue.rules.result import rules_json
from engine.graph.store import GraphStore
from engine.graph.terms import Json
from engine.language.replies import replies
from engine.model.intent import Amount, Intent, Measure
from engine.model.outcome import ActionResult, Answer, Change, IntentOutcome, Outcome
from engine.things.registry import Registry

_HIDDEN = frozenset({"answered", "clarify", "refused"})


def result(
    outcome: Outcome, registry: Registry, line: str | None = None, store: GraphStore | None = None
) -> dict[str, Any]:
    """The result object; `line` is the id of the request line (else the IRI of the request). `store` is the home's,
    where it is to be said of rules on which properties they depend."""
    return {
        "id": line if line is not None else outcome.request,
        "status": outcome.status.value,
        "reason": outcome.reason,
        "question": outcome.question,
        "reply": outcome.reply,
        "intents": [_intent(one, registry) for one in outcome.intents],
        "actions": [_action(action) for action in outcome.actions],
        "changes": [_change(change) for change in outcome.changes],
        "answer": _answer(outcome.answer),
        "rule": None if store is None else rules_json((k for o in outcome.intents for k in o.rules), store, registry),
        "plan": outcome.plan.tree if outcome.plan else None,
        "plan_id": outcome.plan.iri if outcome.plan else None,
        "path": outcome.plan.path if outcome.plan else "template",
        "llm_calls": outcome.llm_calls,
        "ms": {name: round(value, 3) for name, value in outcome.milliseconds.items()},
    }


def refused(line: str, reason: str, reply: str, *, status: str = "refused") -> dict[str, Any]:
    """The result of a request that could not be read at all."""
    return {
        "id": line,
        "status": status,
        "reason": reason,
        "question": None,
        "reply": reply,
        "intents": [],
        "actions": [],
        "changes": [],
        "answer": None,
        "rule": None,
        "plan": None,
        "plan_id": None,
        "path": "template",
        "llm_calls": 0,
        "ms": {"understand": 0.0, "plan": 0.0, "run": 0.0},
    }


def _intent(one: IntentOutcome, registry: Registry) -> dict[str, Any]:
    intent = one.intent
    return {
        "text": intent.text,
        "kind": intent.category.value,
        "operation": intent.operation.value,
        "thing": _thing(one, registry),
        "device": _term(intent.selection.classes[0], registry) if intent.selection.classes else None,
        "room": _room(intent, registry),
        "command": _command(one, registry),
        "property": _term(intent.property, registry) if intent.property else None,
        "value": _value(intent.amount),
        "unit": _term(intent.amount.unit, registry) if intent.amount and intent.amount.unit else None,
        "status": one.status.value,
        "reason": one.reason,
    }


def _term(iri: str, registry: Registry) -> dict[str, str]:
    return {"iri": iri, "name": registry.vocabulary.name(iri)}


def _thing(one: IntentOutcome, registry: Registry) -> dict[str, str] | None:
    iri = one.things[0] if one.things else (one.intent.selection.things or (None,))[0]
    return None if iri is None else {"iri": iri, "name": replies.thing_name(iri, registry)}


def _room(intent: Intent, registry: Registry) -> dict[str, str] | None:
    if not intent.selection.places:
        return None
    iri = intent.selection.places[0]
    return {"iri": iri, "name": replies.place_name(iri, registry)}


def _command(one: IntentOutcome, registry: Registry) -> dict[str, str] | None:
    """The command that was said; else that of the affordance which was found."""
    if one.intent.command:
        return _term(one.intent.command, registry)
    action = registry.actions.get(one.affordances[0]) if one.affordances else None
    command = min(action.commands, default=None) if action else None
    return _term(command, registry) if command else None


def _value(amount: Amount | None) -> Json:
    if amount is None:
        return None
    if amount.measure is Measure.NAMED:
        return str(amount.value).rpartition("#")[2]
    return amount.value


def _action(action: ActionResult) -> dict[str, Any]:
    return {
        "artifact": action.artifact,
        "affordance": action.affordance,
        "target": action.target,
        "method": action.method,
        "payload": action.payload,
        "outcome": action.outcome,
    }


def _change(change: Change) -> dict[str, Any]:
    return {"artifact": change.artifact, "property": change.property, "before": change.before, "after": change.after}


def _answer(answer: Answer | None) -> dict[str, Any] | None:
    return None if answer is None else {"text": answer.text, "value": answer.value, "unit": answer.unit}
