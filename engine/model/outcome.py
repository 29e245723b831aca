"""The outcome of a request: one status for each intent, and one for the whole derived from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from engine.graph.terms import Json
from engine.model.intent import Intent
from engine.model.plan import Plan
from engine.model.rule import Rule
from engine.model.thing import Property, Thing


class Status(Enum):
    """The closed set of `shapes/result.schema.json`."""

    DONE = "done"
    PARTIAL = "partial"
    ANSWERED = "answered"
    CLARIFY = "clarify"
    PROPOSED = "proposed"
    SCHEDULED = "scheduled"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result of one decided action: `outcome` is done, already, failed or skipped; `reason` is that of a failure,
    `output` the device's."""

    intent: str
    artifact: str
    affordance: str
    target: str
    method: str
    payload: Json
    outcome: str
    message: str = ""
    reason: str | None = None
    output: Json = None


@dataclass(frozen=True, slots=True)
class Change:
    """A property that differs from before the request."""

    artifact: str
    property: str
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class Reading:
    """The present value of a property (None: unknown), and whether it passes the question's tests (None: no tests)."""

    thing: Thing
    property: Property
    value: Json
    holds: bool | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in words, with the value and its unit where there is one."""

    text: str
    value: Json = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """Why a candidate was not taken. `reason` is the local name of a hg:LossReason, `lost` the affordance or the part
    (empty: about experience as such), `by` the one taken in its place, `words` complete the reason."""

    reason: str
    lost: str = ""
    by: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class IntentOutcome:
    """One intent and its outcome. `things`, `affordances` are those that it was bound to, of the `candidates`, which
    are all affordances that retrieval found; `because` is the reason for an act that was not named, and `losses` why
    other candidates were not taken. `rules` were made because of it."""

    intent: Intent
    status: Status
    reason: str | None = None
    message: str = ""
    things: tuple[str, ...] = ()
    affordances: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    question: str | None = None
    answer: Answer | None = None
    because: str = ""
    losses: tuple[Loss, ...] = ()
    rules: tuple[Kept, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """A rule that was made, as it was taken up, with its present effects: properties by IRI with their values; and its
    problems, each a kind and a sentence. `regretted`: its effects may be."""

    rule: Rule
    does: tuple[tuple[str, Json], ...] = ()
    findings: tuple[tuple[str, str], ...] = ()
    regretted: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The whole. `milliseconds` has understand, plan and run."""

    request: str
    text: str
    status: Status
    intents: tuple[IntentOutcome, ...] = ()
    actions: tuple[ActionResult, ...] = ()
    changes: tuple[Change, ...] = ()
    answer: Answer | None = None
    question: str | None = None
    reason: str | None = None
    plan: Plan | None = None
    reply: str = ""
    llm_calls: int = 0
    milliseconds: dict[str, float] = field(default_factory=dict)


def derive_status(statuses: Iterable[Status]) -> Status:
    """The status of a request from those of its intents: an open question rules, mixed fates are `partial`."""
    found = set(statuses)
    if not found:
        return Status.REFUSED
    for ruling in (Status.CLARIFY, Status.PROPOSED):
        if ruling in found:
            return ruling
    if len(found) == 1:
        return found.pop()
    if found <= {Status.DONE, Status.ANSWERED, Status.SCHEDULED}:
        return Status.DONE if Status.DONE in found else Status.SCHEDULED
    if found <= {Status.REFUSED, Status.FAILED}:
        return Status.FAILED
    return Status.PARTIAL
