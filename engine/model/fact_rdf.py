"""Facts as RDF in `hg:graph/memory`: flat triples for matching, each goal with its JSON record beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import cast

from engine.errors import InputError
from engine.graph.terms import (
    MEMORY,
    RDF_TYPE,
    Json,
    NamedNode,
    Quad,
    Term,
    expand,
    literal,
    node,
    python,
)
from engine.model.fact import Daytime, Fact, Occasion, Provenance, Statement
from engine.model.intent import Intent
from engine.model.record import of_json, to_json

Triple = tuple[NamedNode, NamedNode, Term]
_Said = dict[str, list[Term]]
_EXPANDED = {
    name: expand(name)
    for name in (
        "rdf:type", "prov:generatedAtTime", "prov:invalidatedAtTime", "prov:wasDerivedFrom", "hg:user", "hg:toldBy",
        "hg:text", "hg:number", "hg:weekday", "hg:daytime", "hg:companyWord", "hg:situation", "hg:occasionWord",
        "hg:prefers", "hg:avoids", "hg:variable", "hg:topic",
    )
}  # fmt: skip
_KINDS = {one: expand(f"hg:{one.value.capitalize()}Fact") for one in Statement}
_STATEMENTS = {iri: one for one, iri in _KINDS.items()}


def fact_quads(fact: Fact) -> list[Quad]:
    """A fact, with its goals."""
    return [Quad(s, p, o, MEMORY) for s, p, o in (*_of_fact(fact), *_of_goals(fact))]


def _of_fact(fact: Fact) -> Iterator[Triple]:
    subject, source, occasion = NamedNode(fact.iri), fact.source, fact.occasion

    def texts(predicate: str, *values: object) -> Iterator[Triple]:
        return ((subject, node(predicate), literal(value)) for value in values)

    def links(predicate: str, *iris: str) -> Iterator[Triple]:
        return ((subject, node(predicate), NamedNode(iri)) for iri in iris)

    yield from links("rdf:type", expand("hg:Fact"), _KINDS[fact.statement])
    yield from texts("hg:user", fact.person)
    yield from texts("hg:openTo", *sorted(fact.audience))
    yield from texts("hg:text", source.text)
    yield from texts("prov:generatedAtTime", source.at)
    yield from texts("hg:toldBy", *((source.teller,) if source.teller is not None else ()))
    yield from links("prov:wasDerivedFrom", *((source.request,) if source.request else ()))
    yield from texts("prov:invalidatedAtTime", *((source.until,) if source.until is not None else ()))
    yield from links("hg:situation", *occasion.kinds)
    yield from texts("hg:occasionWord", *occasion.words)
    yield from texts("hg:companyWord", *occasion.who)
    yield from texts("hg:daytime", *(one.value for one in occasion.daytimes))
    yield from texts("hg:weekday", *occasion.days)
    yield from links("hg:prefers", *fact.liked)
    yield from links("hg:avoids", *fact.disliked)
    yield from links("hg:variable", *((fact.variable,) if fact.variable else ()))
    yield from texts("hg:number", *((fact.number,) if fact.number is not None else ()))
    yield from texts("hg:topic", *fact.topics)


def _of_goals(fact: Fact) -> Iterator[Triple]:
    """The goals, in the vocabulary of intents; `hg:rank` keeps their order."""
    for number, goal in enumerate(fact.goals, start=1):
        subject = NamedNode(f"{fact.iri}/goal-{number}")
        yield NamedNode(fact.iri), node("hg:goal"), subject
        yield subject, node("hg:rank"), literal(number)
        yield subject, node("hg:record"), literal(to_json(goal))
        select = goal.selection
        named = {"hg:onClass": select.classes, "hg:onThing": select.things, "hg:inPlace": select.places}
        named |= {"hg:command": (goal.command,), "hg:kind": (goal.property,)}  # type: ignore[dict-item]
        for predicate, iris in named.items():
            yield from ((subject, node(predicate), NamedNode(iri)) for iri in iris if iri)


def facts_of(quads: Iterable[Quad]) -> dict[str, Fact]:
    """The facts of the graph, by IRI, in the order of time. Raises InputError for one that cannot be read."""
    return facts_in((quad.subject, quad.predicate, quad.object) for quad in quads)


def facts_in(rows: Iterable[Sequence[object]]) -> dict[str, Fact]:
    """The facts of rows of subject, predicate and object. Raises InputError for one that cannot be read."""
    by_subject: dict[str, _Said] = {}
    for subject, predicate, term in rows:
        iri = cast(NamedNode, subject).value
        known = by_subject.get(iri)
        if known is None:
            known = by_subject[iri] = {}
        known.setdefault(cast(NamedNode, predicate).value, []).append(cast(Term, term))
    fact = node("hg:Fact")
    found = [_fact(iri, said, by_subject) for iri, said in by_subject.items() if fact in said.get(RDF_TYPE.value, ())]
    return {one.iri: one for one in sorted(found, key=lambda fact: (fact.source.at, fact.iri))}


def _fact(iri: str, said: _Said, all_: dict[str, _Said]) -> Fact:
    def several(predicate: str) -> tuple[str, ...]:
        terms = said.get(_EXPANDED[predicate])
        return () if terms is None else tuple(sorted(term.value for term in terms))

    def one(predicate: str) -> str | None:
        terms = said.get(_EXPANDED[predicate])
        return None if terms is None else min(term.value for term in terms)

    at, number, until = one("prov:generatedAtTime"), one("hg:number"), one("prov:invalidatedAtTime")
    if at is None:
        raise InputError(f"The fact {iri} does not say when it was told.", remedy="Restore the store from a dump.")
    days = tuple(int(day) for day in several("hg:weekday"))
    daytimes = tuple(Daytime(name) for name in several("hg:daytime"))
    who = several("hg:companyWord")
    return Fact(
        iri,
        one("hg:user") or "",
        next((_STATEMENTS[type_] for type_ in several("rdf:type") if type_ in _STATEMENTS), Statement.FREE),
        Provenance(
            one("hg:toldBy"),
            datetime.fromisoformat(at),
            one("hg:text") or "",
            one("prov:wasDerivedFrom"),
            None if until is None else datetime.fromisoformat(until),
        ),
        Occasion(several("hg:situation"), several("hg:occasionWord"), who, daytimes, days),
        tuple(_goals(said, all_)),
        several("hg:prefers"),
        several("hg:avoids"),
        one("hg:variable"),
        None if number is None else float(number),
        several("hg:topic"),
    )


def _goals(said: _Said, all_: dict[str, _Said]) -> Iterator[Intent]:
    goals = [all_[term.value] for term in said.get(expand("hg:goal"), ()) if term.value in all_]
    for goal in sorted(goals, key=lambda one: int(one[expand("hg:rank")][0].value)):
        yield cast(Intent, of_json(cast(Json, python(goal[expand("hg:record")][0]))))


def own_subjects(fact: Fact) -> frozenset[str]:
    """The nodes that a fact consists of."""
    return frozenset({fact.iri, *(f"{fact.iri}/goal-{n}" for n in range(1, len(fact.goals) + 1))})
