"""The record of what was asked, understood, planned, done and changed, as PROV-O in `hg:graph/requests`.

https://www.w3.org/TR/prov-o/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from engine.graph.store import GraphStore
from engine.graph.terms import RDF_TYPE, REQUESTS, Literal, NamedNode, Quad, Term, literal, node
from engine.model.intent import Intent
from engine.model.outcome import Outcome
from engine.model.plan import Plan
from engine.model.plan_ir import affordances
from engine.model.request_rdf import request_quads


def open_request(
    store: GraphStore, request: str, text: str, user: str | None, at: datetime, intents: Sequence[Intent]
) -> None:
    """Writes the request and what was understood; retrieval starts from there."""
    store.write(insert=request_quads(request, text, user, at, tuple(intents)))


def close_request(store: GraphStore, outcome: Outcome, began: datetime, ended: datetime, *, ran: bool) -> None:
    """Writes the plan, the run and its changes, and what became of each intent."""
    request = NamedNode(outcome.request)
    quads = [*_fates(outcome), Quad(request, node("hg:status"), literal(outcome.status.value), REQUESTS)]
    if outcome.plan is not None:
        quads.extend(_plan(request, outcome.plan))
        if ran:
            quads.extend(_run(outcome, outcome.plan, began, ended))
    store.write(insert=quads)


def _fates(outcome: Outcome) -> Iterator[Quad]:
    for one in outcome.intents:
        subject = NamedNode(one.intent.iri)
        yield Quad(subject, node("hg:status"), literal(one.status.value), REQUESTS)
        if one.reason and one.reason != one.intent.fault:
            yield Quad(subject, node("hg:reason"), literal(one.reason), REQUESTS)
        for affordance in one.affordances:
            yield Quad(subject, node("hg:candidate"), NamedNode(affordance), REQUESTS)


def _plan(request: NamedNode, plan: Plan) -> Iterator[Quad]:
    subject = NamedNode(plan.iri)
    yield Quad(subject, RDF_TYPE, node("hg:Plan"), REQUESTS)
    yield Quad(subject, RDF_TYPE, node("prov:Plan"), REQUESTS)
    yield Quad(subject, node("prov:wasDerivedFrom"), request, REQUESTS)
    yield Quad(subject, node("hg:tree"), literal(plan.tree), REQUESTS)
    yield Quad(subject, node("hg:planPath"), Literal(plan.path), REQUESTS)
    for affordance in affordances(plan.tree):
        yield Quad(subject, node("hg:names"), NamedNode(affordance), REQUESTS)


def _run(outcome: Outcome, plan: Plan, began: datetime, ended: datetime) -> Iterator[Quad]:
    run = NamedNode(f"{outcome.request}/run")
    yield Quad(run, RDF_TYPE, node("hg:Run"), REQUESTS)
    yield Quad(run, RDF_TYPE, node("prov:Activity"), REQUESTS)
    yield Quad(run, node("prov:used"), NamedNode(plan.iri), REQUESTS)
    yield Quad(run, node("prov:startedAtTime"), literal(began), REQUESTS)
    yield Quad(run, node("prov:endedAtTime"), literal(ended), REQUESTS)
    yield Quad(run, node("hg:status"), literal(outcome.status.value), REQUESTS)
    for number, action in enumerate(outcome.actions, start=1):
        yield from _action(run, number, action.affordance, action.payload, action.outcome, action.intent)
    for number, change in enumerate(outcome.changes, start=1):
        subject = NamedNode(f"{run.value}/change-{number}")
        yield Quad(subject, RDF_TYPE, node("hg:Change"), REQUESTS)
        yield Quad(subject, RDF_TYPE, node("prov:Entity"), REQUESTS)
        yield Quad(subject, node("prov:wasGeneratedBy"), run, REQUESTS)
        yield Quad(subject, node("hg:ofProperty"), NamedNode(change.property), REQUESTS)
        yield Quad(subject, node("hg:before"), literal(change.before), REQUESTS)
        yield Quad(subject, node("hg:after"), literal(change.after), REQUESTS)


def _action(run: NamedNode, number: int, affordance: str, payload: object, outcome: str, intent: str) -> Iterator[Quad]:
    subject = NamedNode(f"{run.value}/action-{number}")
    facts: list[tuple[NamedNode, Term]] = [
        (RDF_TYPE, node("hg:Invocation")),
        (RDF_TYPE, node("prov:Activity")),
        (node("prov:wasInformedBy"), run),
        (node("hg:ofAffordance"), NamedNode(affordance)),
        (node("hg:payload"), literal(payload)),
        (node("hg:status"), Literal(outcome)),
    ]
    if intent:
        facts.append((node("hg:forIntent"), NamedNode(intent)))
    return (Quad(subject, predicate, term, REQUESTS) for predicate, term in facts)
