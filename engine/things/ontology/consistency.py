"""Checks by HermiT whether the ontology and the descriptions of things are consistent, and lists the inferred
statements.

The rules that infer at run time (`things.inference`, `things.ontology.definitions`) are held against it by a test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from engine.graph import reasoning_owl
from engine.graph.reasoning_owl import Classified
from engine.graph.terms import RDF_TYPE, NamedNode, Triple, compact, node
from engine.model import thing_rdf as rdf
from engine.model.thing import Thing
from engine.things.ontology import definitions, vocabulary
from engine.things.ontology.contradictions import Contradiction, Explainer
from engine.things.registry import Registry

SUBCLASS, LABEL = node("rdfs:subClassOf"), node("rdfs:label")
MOST = 10
"""Contradictions that are sought one after the other, where no query finds them."""


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a consistency check. `inferred` are new statements on the classes of individuals and of classes.

    `unread` are the defined classes whose definition the rules at run time do not follow; `seconds` is the duration of
    the last run of HermiT.
    """

    classes: int
    individuals: int
    contradictions: tuple[Contradiction, ...]
    inferred: tuple[Triple, ...]
    unread: tuple[str, ...]
    seconds: float


def check(registry: Registry) -> Report:
    """Classifies the ontology of a store and the things in it. Contradictory statements are reported, and left out of
    the inference. Raises ReasonerError where HermiT is missing."""
    terminology = registry.store.construct("reasoning/terminology")
    facts = list(asserted(registry))
    labels = _labels(registry)
    explainer = Explainer(terminology, lambda iri: name(registry, iri, labels))
    contradictions: list[Contradiction] = []
    began = perf_counter()
    found = reasoning_owl.classify(terminology, facts)
    while found is None and len(contradictions) < MOST:
        fresh = [] if contradictions else explainer.clashes(facts)
        contradictions += fresh or [explainer.first(facts)]
        bad = {iri for contradiction in contradictions for iri in contradiction.individuals}
        facts = [fact for fact in facts if fact.subject.value not in bad]  # type: ignore[union-attr]
        began = perf_counter()
        found = reasoning_owl.classify(terminology, facts)
    seconds = perf_counter() - began
    contradictions += [explainer.impossible(cls) for cls in (found.impossible if found else ())]
    return Report(
        classes=sum(triple.predicate == RDF_TYPE for triple in terminology),
        individuals=len({fact.subject for fact in facts}),
        contradictions=tuple(contradictions),
        inferred=_new(found, [*terminology, *facts]) if found else (),
        unread=tuple(definitions.unread(vocabulary.facts(registry.store))),
        seconds=seconds,
    )


def asserted(registry: Registry) -> Iterator[Triple]:
    """The statements on things and places that class definitions can refer to: classes, parts, affordances, places."""
    for place in registry.places.values():
        yield from _types(place.iri, place.classes)
        if place.parent is not None:
            yield Triple(NamedNode(place.iri), rdf.PLACE, NamedNode(place.parent))
    for thing in registry.things.values():
        yield from _of_thing(thing)


def _of_thing(thing: Thing) -> Iterator[Triple]:
    for part in thing.parts:
        yield from _types(part.iri, part.classes)
    for part in thing.parts[1:]:
        yield Triple(NamedNode(thing.iri), rdf.HAS_PART, NamedNode(part.iri))
    if thing.place is not None:
        yield Triple(NamedNode(thing.iri), rdf.PLACE, NamedNode(thing.place))
    told = [(p.iri, p.part, p.kinds) for p in thing.properties]
    told += [(a.iri, a.part, a.commands) for a in thing.actions]
    for iri, owner, classes in told:
        yield from _types(iri, classes)
        yield Triple(NamedNode(iri), rdf.PART, NamedNode(owner))


def _types(iri: str, classes: frozenset[str]) -> Iterator[Triple]:
    return (Triple(NamedNode(iri), RDF_TYPE, NamedNode(cls)) for cls in sorted(classes))


def _new(found: Classified, said: Sequence[Triple]) -> tuple[Triple, ...]:
    known = set(said)
    triples = [Triple(NamedNode(i), RDF_TYPE, NamedNode(c)) for i, classes in found.types.items() for c in classes]
    triples += [
        Triple(NamedNode(c), SUBCLASS, NamedNode(a)) for c, above in found.above.items() for a in above if a != c
    ]
    return tuple(sorted((t for t in triples if t not in known), key=str))


def _labels(registry: Registry) -> dict[str, str]:
    """The first label of each term in the store's facts, by IRI."""
    facts = vocabulary.facts(registry.store)
    return {n.value: value.value for n, about in facts.items() for value in about.get(LABEL, ()) if n != value}


def name(registry: Registry, iri: str, labels: Mapping[str, str] | None = None) -> str:
    """The label of a thing, part, affordance, place or term; that of an affordance comes with its thing's."""
    thing = registry.thing_of.get(iri)
    if thing is not None:
        own = iri.rpartition("/")[2] if iri != thing.iri else ""
        return f"“{thing.title}”" + (f"'s {own}" if own else "")
    place = registry.places.get(iri)
    if place is not None:
        return f"“{place.name}”"
    own_words = registry.vocabulary.labels.get(iri)
    return own_words[0] if own_words else (labels or {}).get(iri, compact(iri))
