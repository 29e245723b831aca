"""The plans that wait for consent, in the graph: they outlive the process that proposed them.

A plan is taken out of the graph before anything of it is done, so that no consent is carried out twice, whatever
happens meanwhile.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.dialogue.requests.outcomes import after_proposal
from engine.dialogue.requests.request import Manner, Request
from engine.errors import InputError
from engine.graph.store import GraphStore
from engine.graph.terms import RDF_TYPE, REQUESTS, Json, NamedNode, Quad, literal, node, python
from engine.model.intent import Category, Intent
from engine.model.outcome import IntentOutcome, Outcome, Status
from engine.model.record import of_json, to_json
from engine.model.request_rdf import PRIVATE

MOST = 64
"""How many plans wait at most; of more the oldest are given up."""
_CONTENT = node("hg:content")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A plan that waits for consent: what was said, as it was read, what would be done about it, and what is asked.
    `personal`: it was filled from what is known of a person. `shape` is that of a reading that is not sure,
    `talk` the conversation that it was proposed in."""

    request: Request
    readings: tuple[tuple[Intent, ...], ...]
    outcome: Outcome
    question: str
    reason: str | None = None
    personal: bool = False
    shape: str = ""
    talk: str | None = None

    @property
    def plan(self) -> str:
        """The IRI by which it is consented to."""
        assert self.outcome.plan is not None
        return self.outcome.plan.iri

    def told(self) -> Outcome:
        """What is told of it: that it is proposed, with the question."""
        intents = tuple(after_proposal(one, Status.PROPOSED, self.reason) for one in self.outcome.intents)
        proposed = replace(self.outcome, status=Status.PROPOSED, reason=self.reason, intents=intents)
        return replace(proposed, question=self.question, reply=self.question)

    def rules(self) -> list[Intent]:
        """The rules among it that are made only where they are consented to."""
        return [one.intent for one in self.outcome.intents if one.status is Status.PROPOSED]


class Proposals:
    """Those of one home."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._order: list[str] | None = None
        self._here: dict[str, Proposal] = {}  # as this process made them

    def keep(self, proposal: Proposal) -> None:
        """Has a plan wait; of too many the oldest waits no more. Raises StoreError."""
        with self._lock:
            order = [one for one in self._known() if one != proposal.plan]
            gone = [quad for plan in order[: max(0, len(order) + 1 - MOST)] for quad in self._quads(plan)]
            gone += self._quads(proposal.plan) if len(order) < len(self._known()) else []
            kept = Quad(NamedNode(proposal.plan), _CONTENT, literal(_to_json(proposal)), REQUESTS)
            about = {RDF_TYPE: node("hg:Plan"), node("prov:wasDerivedFrom"): NamedNode(proposal.request.iri)}
            quads = [Quad(kept.subject, predicate, term, REQUESTS) for predicate, term in about.items()]
            self._store.write(delete=gone, insert=[*quads, kept])
            self._order = [*order, proposal.plan][-MOST:]
            self._here = {plan: one for plan, one in self._here.items() if plan in self._order}
            self._here[proposal.plan] = proposal

    def find(self, plan: str) -> Proposal | None:
        """The plan of this IRI, if it waits."""
        return next((found for quad in self._quads(plan) if (found := _read(quad)) is not None), None)

    def last_of(self, talk: str) -> str | None:
        """The plan that was proposed last in a conversation, if it waits."""
        with self._lock:
            order = list(self._known())
        return next((plan for plan in reversed(order) if (one := self.find(plan)) and one.talk == talk), None)

    def take(self, plan: str) -> Proposal:
        """The plan of this IRI, which waits no more. Raises InputError (no_such_plan) where none waits, StoreError."""
        with self._lock:
            quads = self._quads(plan)
            if quads:
                self._store.write(delete=quads)
            self._order = [one for one in self._known() if one != plan]
            here = self._here.pop(plan, None)
        read = (here if here is not None else _read(quad) for quad in quads)
        found = next((one for one in read if one is not None), None)
        if found is None:
            raise InputError("No such plan is waiting for consent.", remedy="Ask again.", reason="no_such_plan")
        return found

    def _known(self) -> list[str]:
        """The plans that wait, the oldest first: requests are named in the order of time."""
        if self._order is None:
            self._order = sorted(plan.value for plan, _ in self._store.select("dialogue/proposed") if plan is not None)
        return self._order

    def _quads(self, plan: str) -> list[Quad]:
        try:
            named = NamedNode(plan)
        except ValueError:  # it is no IRI
            return []
        rows = self._store.select("dialogue/proposed", plan=named)
        return [Quad(named, _CONTENT, content, REQUESTS) for _, content in rows if content is not None]


def _to_json(proposal: Proposal) -> Json:
    """It as JSON. What people tell of themselves is in `hg:graph/memory` alone: it is left out, with all words."""
    request, outcome = proposal.request, proposal.outcome
    personal = any(one.category is Category.PREFERENCE for reading in proposal.readings for one in reading)
    readings = tuple(one for one in map(_public, proposal.readings) if one) if personal else proposal.readings
    intents = tuple(one for one in map(_unsaid, outcome.intents) if one is not None) if personal else outcome.intents
    text = PRIVATE if personal else request.text
    outcome = replace(outcome, text=text, intents=intents, reply="" if personal else outcome.reply)
    return {
        "text": text,
        "request": request.iri,
        "user": request.user,
        "location": request.location,
        "memory": [] if personal else list(request.memory),
        "manner": [request.manner.path, request.manner.summary],
        "readings": to_json(readings),
        "outcome": to_json(replace(outcome, answer=None) if personal else outcome),
        "question": "Shall I?" if personal else proposal.question,
        "reason": proposal.reason,
        "personal": proposal.personal or personal,
        "shape": "" if personal else proposal.shape,
        "talk": proposal.talk,
    }


def _public(reading: Iterable[Intent]) -> tuple[Intent, ...]:
    return tuple(replace(one, text=PRIVATE) for one in reading if one.category is not Category.PREFERENCE)


def _unsaid(outcome: IntentOutcome) -> IntentOutcome | None:
    if outcome.intent.category is Category.PREFERENCE:
        return None
    return replace(outcome, intent=replace(outcome.intent, text=PRIVATE))


def _read(quad: Quad) -> Proposal | None:
    """The proposal of a quad; None, with a word in the log, for what another version wrote."""
    found = python(quad.object)  # type: ignore[arg-type]
    try:
        assert isinstance(found, dict)
        manner = Manner(*found["manner"])
        request = Request(
            found["text"], found["request"], found["user"], found["location"], tuple(found["memory"]), manner
        )
        readings, outcome = of_json(found["readings"]), of_json(found["outcome"])
        shape = str(found.get("shape", ""))
        question, reason, personal = found["question"], found["reason"], found["personal"]
        return Proposal(request, readings, outcome, question, reason, personal, shape, found.get("talk"))
    except (InputError, KeyError, TypeError, AssertionError) as error:
        _log.warning("%s waits for consent, and cannot be read: %s", quad.subject, error)
        return None
