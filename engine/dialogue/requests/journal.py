"""The record of what was asked, understood, planned, done and changed, as PROV-O in `hg:graph/requests`.

https://www.w3.org/TR/prov-o/: requests, plans and runs say themselves what they are to it; of the many invocations and
changes `ontology/alignments.ttl` says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.graph.store import GraphStore
from engine.graph.terms import RDF_TYPE, REQUESTS, Literal, NamedNode, Quad, Term, literal, node, python
from engine.model.intent import Intent
from engine.model.outcome import Loss, Outcome
from engine.model.plan import Plan
from engine.model.plan_ir import affordances
from engine.model.request_rdf import intent_quads, request_quads


def open_request(
    store: GraphStore,
    request: str,
    text: str,
    user: str | None,
    at: datetime,
    intents: Sequence[Intent],
    called: str | None = None,
) -> None:
    """Writes the request and what was understood; retrieval starts from there. `called`: its client's name for it."""
    quads = request_quads(request, text, user, at, tuple(intents))
    named = [Quad(NamedNode(request), node("hg:called"), Literal(called), REQUESTS)] if called else []
    store.write(insert=[*quads, *named])


def called(store: GraphStore, name: str) -> str | None:
    """The last request that its client called so, by IRI."""
    return next((row[0].value for row in store.select("dialogue/called", called=Literal(name)) if row[0]), None)


def close_request(
    store: GraphStore, outcome: Outcome, began: datetime, ended: datetime, *, ran: bool, again: bool = True
) -> None:
    """Writes the plan, the run and its changes, and what became of each intent; `again`: in the place of what was said
    of them before, when the plan was proposed or they were not understood."""
    request = NamedNode(outcome.request)
    quads = [*_fates(outcome), Quad(request, node("hg:status"), literal(outcome.status.value), REQUESTS)]
    if outcome.plan is not None:
        quads.extend(_plan(request, outcome.plan))
        if ran:
            quads.extend(_run(outcome, outcome.plan, began, ended))
    said = set(_quads(store, "dialogue/fates", request=request)) if again else set()
    store.write(delete=said - set(quads), insert=set(quads) - said)


def set_aside(store: GraphStore, request: str, intents: Iterable[Intent]) -> None:
    """These were likelier by the words, but the home could not do them, and others were taken."""
    links = [Quad(NamedNode(request), node("hg:intent"), NamedNode(intent.iri), REQUESTS) for intent in intents]
    if links:
        store.write(delete=links)


def understood_too(store: GraphStore, request: str, intents: Iterable[Intent]) -> None:
    """Adds intents to a request that was opened already; retrieval starts from there."""
    for intent in intents:
        link = Quad(NamedNode(request), node("hg:intent"), NamedNode(intent.iri), REQUESTS)
        store.write(insert=[link, *intent_quads(intent, request)])


def forget(store: GraphStore, before: datetime) -> None:
    """Deletes the requests from before a moment, with their intents, plans, runs and changes."""
    quads = _quads(store, "dialogue/expired", before=literal(before))
    if quads:
        store.write(delete=quads)


@dataclass(frozen=True, slots=True)
class Entry:
    """A request, who made it or which rule did by its words, what became of it, and each change because of it: property
    IRI, value before, value after."""

    request: str
    at: datetime
    text: str
    status: str
    user: str = ""
    rule: str = ""
    reason: str = ""
    changes: tuple[tuple[str, object, object], ...] = ()


def latest(
    store: GraphStore, *, since: datetime | None = None, before: datetime | None = None, words: str = ""
) -> tuple[Entry, ...]:
    """The latest requests, thirty at most, the last first; those from `since` on, `before` a moment, with `words`."""
    bounds: dict[str, Term] = {name: literal(at) for name, at in (("since", since), ("before", before)) if at}
    if words.strip():
        bounds["words"] = Literal(words.strip().lower())
    found: dict[str, Entry] = {}
    for row in store.select("dialogue/latest", **bounds):
        request, at, text, status, user, rule, reason, prop, old, new = (t and python(t) for t in row)
        moment = at if isinstance(at, datetime) else datetime.fromisoformat(str(at))
        became, whose = str(status or ""), str(user or "")
        told = Entry(str(request), moment, str(text), became, whose, str(rule or ""), str(reason or ""))
        entry = found.setdefault(told.request, told)
        if prop is not None and (change := (str(prop), old, new)) not in entry.changes:
            found[entry.request] = replace(entry, changes=(*entry.changes, change))
    return tuple(found.values())


def recorded(store: GraphStore, request: str) -> dict[str, Any] | None:
    """What the journal has of one request: `text`, `status`, `reason` and `changes`; None where it has nothing."""
    try:
        rows = store.select("dialogue/recorded", request=NamedNode(request))
    except ValueError:  # it is no IRI
        return None
    values = [tuple(None if term is None else python(term) for term in row) for row in rows]
    if not values:
        return None
    changes = dict.fromkeys((prop, json.dumps(before), json.dumps(after)) for *_, prop, before, after in values if prop)
    text, status, reason, *_ = values[0]
    found = [
        {"artifact": str(prop).partition("#")[0], "property": prop, "before": json.loads(b), "after": json.loads(a)}
        for prop, b, a in changes
    ]
    return {"text": text, "status": status, "reason": reason, "changes": found}


def _quads(store: GraphStore, query: str, **values: Term) -> list[Quad]:
    """The quads of the journal that a query names by subject, predicate and object."""
    return [Quad(s, p, o, REQUESTS) for s, p, o in store.select(query, **values)]  # type: ignore[arg-type]


def _fates(outcome: Outcome) -> Iterator[Quad]:
    for one in outcome.intents:
        subject = NamedNode(one.intent.iri)
        yield Quad(NamedNode(outcome.request), node("hg:intent"), subject, REQUESTS)
        yield Quad(subject, node("hg:status"), literal(one.status.value), REQUESTS)
        if one.reason:
            yield Quad(subject, node("hg:reason"), literal(one.reason), REQUESTS)
        if one.message:
            yield Quad(subject, node("hg:message"), literal(one.message), REQUESTS)
        if one.because:
            yield Quad(subject, node("hg:because"), literal(one.because), REQUESTS)
        for affordance in one.candidates:
            yield Quad(subject, node("hg:candidate"), NamedNode(affordance), REQUESTS)
        for number, loss in enumerate(one.losses, start=1):
            yield from _loss(subject, number, loss)


def _loss(intent: NamedNode, number: int, loss: Loss) -> Iterator[Quad]:
    """Why something that could have served an intent was not taken."""
    subject = NamedNode(f"{intent.value}/loss-{number:02}")
    facts: list[tuple[NamedNode, Term]] = [
        (RDF_TYPE, node("hg:Loss")),
        (node("prov:wasDerivedFrom"), intent),
        (node("hg:lossReason"), node(f"hg:{loss.reason}")),
    ]
    facts += [(node(name), NamedNode(iri)) for name, iri in (("hg:lost", loss.lost), ("hg:outdoneBy", loss.by)) if iri]
    facts += [(node("hg:message"), literal(loss.words))] if loss.words else []
    return (Quad(subject, predicate, term, REQUESTS) for predicate, term in facts)


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
        yield Quad(subject, node("prov:wasGeneratedBy"), run, REQUESTS)
        yield Quad(subject, node("hg:ofProperty"), NamedNode(change.property), REQUESTS)
        yield Quad(subject, node("hg:before"), literal(change.before), REQUESTS)
        yield Quad(subject, node("hg:after"), literal(change.after), REQUESTS)


def _action(run: NamedNode, number: int, affordance: str, payload: object, outcome: str, intent: str) -> Iterator[Quad]:
    subject = NamedNode(f"{run.value}/action-{number}")
    facts: list[tuple[NamedNode, Term]] = [
        (RDF_TYPE, node("hg:Invocation")),
        (node("prov:wasInformedBy"), run),
        (node("hg:ofAffordance"), NamedNode(affordance)),
        (node("hg:payload"), literal(payload)),
        (node("hg:status"), Literal(outcome)),
    ]
    if intent:
        facts.append((node("hg:forIntent"), NamedNode(intent)))
    return (Quad(subject, predicate, term, REQUESTS) for predicate, term in facts)
