"""Infers by the whole of OWL 2 DL, with HermiT by way of owlready2. Offline, needs Java.

The rules of `graph.reasoning` infer at run time; this checks once in a while that they infer all, and that the
statements are consistent. https://www.w3.org/TR/owl2-direct-semantics/
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from pyoxigraph import BlankNode, NamedNode, RdfFormat, Triple, serialize

from engine.errors import ReasonerError
from engine.graph.terms import RDF_TYPE, Node, Term, expand, node

BASE = "urn:hearthgraph:reasoning#"
THING = expand("owl:Thing")
INDIVIDUAL = node("owl:NamedIndividual")
"""Said of each individual: owlready2 lists no others."""

_PARTS_OF_EXPRESSIONS = frozenset(
    node(name) for name in ("owl:onProperty", "owl:unionOf", "owl:intersectionOf", "owl:complementOf", "rdf:first")
)


@dataclass(frozen=True, slots=True)
class Classified:
    """HermiT's result: the named classes of each individual, the superclasses of each class, and the unsatisfiable
    classes."""

    types: dict[str, frozenset[str]]
    above: dict[str, frozenset[str]]
    impossible: tuple[str, ...]


def classify(terminology: Iterable[Triple], facts: Iterable[Triple]) -> Classified | None:
    """The classification of a terminology (OWL 2 DL) and facts about individuals; None where they contradict each
    other.

    Raises ReasonerError where owlready2 or Java is missing, or HermiT fails.
    """
    owl = _owlready()
    world = owl.World()
    told = list(facts)
    individuals = (Triple(fact.subject, RDF_TYPE, INDIVIDUAL) for fact in told if fact.predicate == RDF_TYPE)
    try:
        triples = dict.fromkeys([*anonymous(terminology), *told, *individuals])
        content = serialize(triples, format=RdfFormat.N_TRIPLES) or b""
        world.get_ontology(BASE).load(fileobj=BytesIO(content))
        owl.sync_reasoner_hermit(world, debug=0)
        return _read(world, owl)
    except owl.OwlReadyInconsistentOntologyError:
        return None
    except (owl.OwlReadyJavaError, owl.OwlReadyOntologyParsingError, OSError) as error:
        first = " ".join(str(error).split())[:200]
        raise ReasonerError(f"HermiT did not finish: {first}", remedy="Leave out what was added last.") from error
    finally:
        world.close()


def anonymous(triples: Iterable[Triple]) -> list[Triple]:
    """The triples with class expressions and lists as blank nodes, which OWL wants: those that people add get an
    address in our store."""
    given = list(triples)
    inner = {t.subject for t in given if t.predicate in _PARTS_OF_EXPRESSIONS and isinstance(t.subject, NamedNode)}
    names: dict[Term, Node] = {n: BlankNode() for n in inner}
    return [
        Triple(names.get(t.subject, t.subject), t.predicate, names.get(t.object, t.object))  # type: ignore[arg-type]
        for t in given
    ]


def _owlready() -> Any:
    if shutil.which("java") is None:
        raise ReasonerError(
            "Reasoning with HermiT needs Java, and there is none here.",
            remedy="Install it (on Debian: apt-get install default-jre-headless) and put `java` on the PATH.",
        )
    try:
        import owlready2
    except ImportError as error:
        raise ReasonerError(
            "Reasoning with HermiT needs owlready2, which is not installed.",
            remedy="pip install 'hearthgraph[reasoning]'.",
        ) from error
    return owlready2


def _read(world: Any, owl: Any) -> Classified:
    def named(entities: Iterable[Any]) -> frozenset[str]:
        return frozenset(e.iri for e in entities if isinstance(e, owl.ThingClass)) - {THING}

    impossible = sorted(cls.iri for cls in world.inconsistent_classes() if cls is not owl.Nothing)
    return Classified(
        types={one.iri: named(one.INDIRECT_is_a) for one in world.individuals()},
        above={cls.iri: named(cls.ancestors()) for cls in world.classes()},
        impossible=tuple(impossible),
    )
