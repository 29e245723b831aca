"""Requests and intents as RDF: flat triples for matching, one `rdf:JSON` literal for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from engine.graph.terms import RDF_TYPE, REQUESTS, Json, Literal, NamedNode, Quad, expand, literal, node
from engine.model.intent import Amount, Category, Intent, Moment, Timing
from engine.model.selection import Rooms, Select, Test

PRIVATE = "(something personal)"
"""What stands in the journal for what people tell of themselves, or ask of what they told."""
_ANYWHERE, _ANYTHING, _DEVICE = expand("hg:Anywhere"), expand("hg:Anything"), expand("hg:Device")


def request_quads(iri: str, text: str, user: str | None, at: datetime, intents: tuple[Intent, ...]) -> list[Quad]:
    """A request and its intents, for `hg:graph/requests`. Preferences of people are in `hg:graph/memory` alone: the
    words of such a request are not written."""
    request = NamedNode(iri)
    if any(intent.category is Category.PREFERENCE for intent in intents):
        text, intents = PRIVATE, tuple(replace(intent, text=PRIVATE) for intent in intents)
    quads = [
        Quad(request, RDF_TYPE, node("hg:Request"), REQUESTS),
        Quad(request, RDF_TYPE, node("prov:Entity"), REQUESTS),
        Quad(request, node("hg:text"), Literal(text), REQUESTS),
        Quad(request, node("prov:generatedAtTime"), literal(at), REQUESTS),
    ]
    if user:
        quads.append(Quad(request, node("hg:user"), Literal(user), REQUESTS))
    for intent in intents:
        quads.append(Quad(request, node("hg:intent"), NamedNode(intent.iri), REQUESTS))
        quads.extend(intent_quads(intent, iri))
    return quads


def intent_quads(intent: Intent, source: str | None = None) -> Iterator[Quad]:
    """One intent; `source` is the request or intent that it is derived from. Classes, places and things are always
    present, so that retrieval joins without OPTIONAL."""
    subject = NamedNode(intent.iri)

    def link(predicate: str, *objects: str) -> Iterator[Quad]:
        return (Quad(subject, node(predicate), NamedNode(o), REQUESTS) for o in objects)

    def text(predicate: str, value: object) -> Quad:
        return Quad(subject, node(predicate), literal(value), REQUESTS)

    select = intent.selection
    yield Quad(subject, RDF_TYPE, node("hg:Intent"), REQUESTS)
    if source is not None:
        yield from link("prov:wasDerivedFrom", source)
    yield text("hg:text", intent.text)
    yield text("hg:category", intent.category.value)
    yield text("hg:operation", intent.operation.value)
    yield from link("hg:onClass", *(select.classes or (_DEVICE,)))
    yield from link("hg:onThing", *(select.things or (_ANYTHING,)))
    yield from link("hg:inPlace", *(select.places or (_ANYWHERE,)))
    if not select.plain:
        yield text("hg:selection", selection_json(select))
    named = {"hg:command": intent.command, "hg:property": intent.property, "hg:variable": intent.variable}
    for predicate, iri in {**named, "hg:situation": intent.situation}.items():
        yield from link(predicate, *filter(None, (iri,)))
    if intent.variable:
        yield text("hg:direction", intent.direction)
    if intent.amount:
        yield text("hg:amount", amount_json(intent.amount))
    if intent.timing:
        yield text("hg:timing", timing_json(intent.timing))
    if intent.fault:
        yield text("hg:reason", intent.fault)


def amount_json(amount: Amount) -> dict[str, Json]:
    """An amount as JSON, without fields at their default."""
    found: dict[str, Json] = {"measure": amount.measure.value, "value": amount.value}
    if amount.unit:
        found["unit"] = amount.unit
    found.update({key: True for key in ("relative", "steps", "of_current") if getattr(amount, key)})
    return found


def timing_json(timing: Timing) -> dict[str, Json]:
    """When an intent starts and ends, as JSON."""
    found: dict[str, Json] = {}
    if timing.start:
        found["start"] = _moment_json(timing.start)
    if timing.duration is not None:
        found["duration"] = timing.duration
    if timing.end:
        found["end"] = _moment_json(timing.end)
    return found


def _moment_json(moment: Moment) -> dict[str, Json]:
    found: dict[str, Json] = {}
    if moment.after is not None:
        found["after"] = moment.after
    if moment.at is not None:
        found["at"] = moment.at
    if moment.selection is not None:
        found["selection"] = selection_json(moment.selection)
        found["property"] = moment.property
        found["amount"] = amount_json(moment.amount) if moment.amount else None
    return found


def selection_json(select: Select) -> dict[str, Json]:
    """A selection as JSON, without empty conditions."""
    found: dict[str, Json] = {"quantity": select.quantity.value}
    for key in ("classes", "things", "places"):
        if values := getattr(select, key):
            found[key] = list(values)
    if select.tests:
        found["tests"] = [_test_json(test) for test in select.tests]
    if select.rooms:
        found["rooms"] = [_rooms_json(rooms) for rooms in select.rooms]
    if select.minus:
        found["minus"] = [selection_json(s) for s in select.minus]
    if select.order:
        found.update({"order": select.order, "descending": select.descending})
    found.update({key: value for key in ("limit", "share") if (value := getattr(select, key)) is not None})
    return found


def _test_json(test: Test) -> Json:
    conditions: list[Json] = [
        {"kind": c.kind, "comparison": c.comparison.value, "amount": amount_json(c.amount) if c.amount else None}
        | ({"of": list(c.of)} if c.of else {})
        for c in test.conditions
    ]
    return {"any": conditions, "negated": test.negated}


def _rooms_json(rooms: Rooms) -> Json:
    found: dict[str, Json] = {"has": selection_json(rooms.has), "negated": rooms.negated}
    if rooms.order:
        found.update({"order": rooms.order, "descending": rooms.descending, "limit": rooms.limit})
    return found
