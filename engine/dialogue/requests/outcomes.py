"""Outcomes before, and without, a run: what is proposed, what is given up, what is left open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.errors import InputError
from engine.graph.store import GraphStore
from engine.language.meanings.readings import Alternatives
from engine.language.replies import replies
from engine.model.outcome import ActionResult, Answer, IntentOutcome, Outcome, Status, derive_status
from engine.model.plan import Plan
from engine.things.registry import Registry


def check_text(text: str, most: int) -> None:
    """Raises InputError for a text that cannot be read: empty, too long, or with bytes that are no characters."""
    if not text.strip():
        raise InputError("There is nothing to understand: the text is empty.", remedy="Say what you want.")
    if len(text) > most:
        raise InputError(
            f"The text has {len(text)} characters; {most} is the most.",
            remedy="Say it in several requests.",
            reason="too_long",
        )
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError("The text holds bytes that are no characters.", remedy="Send it in UTF-8.")


def reason_words(code: str, store: GraphStore) -> str:
    """The sentence for a reason's code; the code itself where there is none."""
    rows = store.select("dialogue/reasons")
    return next((row[1].value for row in rows if row[0] and row[1] and row[0].value == code), code)


def after_proposal(outcome: IntentOutcome, status: Status, reason: str | None) -> IntentOutcome:
    """The outcome of an intent whose plan is not carried out, or not yet."""
    if outcome.status not in (Status.DONE, Status.PROPOSED):
        return outcome
    return replace(outcome, status=status, reason=reason)


def commands(plan: Plan | None) -> list[tuple[str, str]]:
    """What a plan would send, to compare it with another."""
    return [(step.affordance, str(step.payload)) for step in plan.steps] if plan else []


def planned(plan: Plan | None) -> tuple[ActionResult, ...]:
    """The decided actions before they run."""
    if plan is None:
        return ()
    return tuple(
        ActionResult(
            s.intent, s.thing, s.affordance, s.target, s.method, s.payload, "already" if s.already else "skipped"
        )
        for s in plan.steps
    )


def left_open(outcome: Outcome) -> Outcome:
    """The outcome of a request whose question is not answered."""
    intents = tuple(
        replace(one, status=Status.REFUSED, reason="not_consented") if one.status is Status.CLARIFY else one
        for one in outcome.intents
    )
    reply = "Then I leave it as it is."
    status = Status.REFUSED
    return replace(outcome, status=status, reason="not_consented", question=None, intents=intents, reply=reply)


def together(answers: Sequence[Answer]) -> Answer | None:
    """One answer of several: all their words, the value of the first."""
    if not answers:
        return None
    return replace(answers[0], text=" ".join(dict.fromkeys(answer.text for answer in answers)))


def faultless(goals: Iterable[Alternatives]) -> bool:
    """Whether in no reading there is anything that cannot be done as it was said."""
    return not any(intent.fault for readings in goals for reading in readings for intent in reading)


def with_rules(outcome: Outcome, made: Sequence[IntentOutcome], registry: Registry) -> Outcome:
    """The outcome of a request of which the rules were consented to."""
    agreed = {one.intent.iri: one for one in made}
    intents = tuple(agreed.get(one.intent.iri, one) for one in outcome.intents)
    return replace(told_anew(outcome, intents, replies.report(intents, (), (), registry)), plan=None)


def told_anew(outcome: Outcome, intents: tuple[IntentOutcome, ...], reply: str) -> Outcome:
    """The outcome after its intents have come to something else: their status and reason, and no question any more."""
    return replace(
        outcome,
        status=derive_status(one.status for one in intents),
        reason=next((one.reason for one in intents if one.reason), None),
        intents=intents,
        question=None,
        reply=reply,
    )
