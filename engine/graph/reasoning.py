"""Infers statements by the rules of `queries/reasoning/`, applied to facts beside the store.

The facts of a thing are few and its inferences are written together with it, in one update; so the rules run on a
scratch store, and nothing half-inferred is ever seen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pyoxigraph import DefaultGraph, Quad, QuerySolutions, QueryTriples, Store, Triple

from engine.errors import QueryError
from engine.graph import queries
from engine.graph.queries import Bound
from engine.graph.terms import INFERRED, Term

RULES = (
    "reasoning/types",
    "reasoning/within",
    "reasoning/anywhere",
    "reasoning/affordances",
    "reasoning/aligned",
)


def infer(facts: Iterable[Triple], subjects: Collection[Term]) -> list[Quad]:
    """The inferred quads of hg:graph/inferred that have one of `subjects` as subject or object; each quad once.

    `facts` must hold all that the rules ask for: the classes of things, parts, affordances and places, their classes
    closed over rdfs:subClassOf (each class its own subclass), hg:hasPart, hg:part and hmas:isContainedIn.
    """
    scratch = Store()
    scratch.bulk_extend(Quad(fact.subject, fact.predicate, fact.object, DefaultGraph()) for fact in facts)
    found = dict.fromkeys(triple for rule in RULES for triple in _apply(scratch, rule))
    return [
        Quad(t.subject, t.predicate, t.object, INFERRED) for t in found if t.subject in subjects or t.object in subjects
    ]


def _apply(scratch: Store, rule: str) -> QueryTriples:
    result = scratch.query(queries.load(rule).text)
    if not isinstance(result, QueryTriples):
        raise QueryError(f"The rule {rule} does not construct anything.")
    return result


def select(query: str, facts: Iterable[Triple], **values: Bound) -> list[tuple[Term, ...]]:
    """The rows of a query over facts beside the store; it has none with nothing in them. Raises QueryError."""
    scratch = Store()
    scratch.bulk_extend(Quad(fact.subject, fact.predicate, fact.object, DefaultGraph()) for fact in facts)
    result = scratch.query(queries.load(query).bind(**values))
    if not isinstance(result, QuerySolutions):
        raise QueryError(f"The query {query} does not give rows.")
    return [tuple(row) for row in result]
