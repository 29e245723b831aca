"""Explains why an ontology and facts contradict each other: the fewest statements that cannot all be true, in plain
words.

A member of two disjoint classes is found by a query; any other contradiction by asking HermiT of ever fewer statements
(QuickXplain, Junker 2004), which takes a minute where the query takes milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from engine.graph import reasoning, reasoning_owl
from engine.graph.terms import RDF_TYPE, BlankNode, Literal, NamedNode, Node, Triple, node
from engine.model import thing_rdf as rdf
from engine.things.ontology.definitions import FIRST, REST

SUBCLASS, EQUIVALENT, DISJOINT = node("rdfs:subClassOf"), node("owl:equivalentClass"), node("owl:disjointWith")
INVERSE = node("owl:inverseOf")
MEMBERS, ON_PROPERTY, SOME = node("owl:members"), node("owl:onProperty"), node("owl:someValuesFrom")
PROBE = NamedNode("urn:hearthgraph:something")
"""Something of a class that nothing can be of."""

Value = NamedNode | BlankNode | Literal | Triple
"""What a triple can hold."""

Item = TypeVar("Item")
Statement = tuple[Triple, ...]
"""A triple with all that hangs on its blank nodes."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`individuals` by IRI (or classes, where no individual is concerned), and the `statements` that cannot all be
    true."""

    individuals: tuple[str, ...]
    statements: tuple[str, ...]


class Explainer:
    """Explains contradictions of one terminology. `name` gives the words for an IRI."""

    def __init__(self, terminology: Sequence[Triple], name: Callable[[str], str]) -> None:
        self._terminology = reasoning_owl.anonymous(terminology)
        self._hanging = _hanging(self._terminology)
        self._name = name

    def clashes(self, facts: Iterable[Triple]) -> list[Contradiction]:
        """One for each individual that is said to be of two disjoint classes."""
        found: dict[str, Contradiction] = {}
        rows = reasoning.select("reasoning/clashes", [*self._terminology, *facts])
        for individual, one, other, above, beyond in rows:
            who = individual.value
            said = [f"{self._term(individual)} is {_article(self._term(cls))}" for cls in (one, other)]
            steps = [self._every(a.value, b.value) for a, b in ((one, above), (other, beyond)) if a != b]
            words = tuple(dict.fromkeys([*said, *steps, self._both(above.value, beyond.value)]))
            shorter = who not in found or len(words) < len(found[who].statements)
            if shorter:
                found[who] = Contradiction((who,), words)
        return list(found.values())

    def first(self, facts: Sequence[Triple]) -> Contradiction:
        """Of facts that HermiT says contradict the terminology: a smallest set of statements that do."""
        by_subject: dict[Value, list[Triple]] = {}
        for fact in facts:
            by_subject.setdefault(fact.subject, []).append(fact)
        known = list(chain(*self._module(facts)))
        groups = minimal(list(by_subject.values()), lambda g: _contradict(known, chain(*g)))
        known = list(chain(*self._module(list(chain(*groups)))))
        needed = minimal(list(chain(*groups)), lambda f: _contradict(known, f))
        axioms = minimal(self._module(needed), lambda a: _contradict(chain(*a), needed))
        words = [self._words((fact,)) for fact in needed] + [self._words(axiom) for axiom in axioms]
        individuals = dict.fromkeys(fact.subject.value for fact in needed if isinstance(fact.subject, NamedNode))
        return Contradiction(tuple(individuals), tuple(dict.fromkeys(words)))

    def impossible(self, cls: str) -> Contradiction:
        """Why nothing can be of a class."""
        probe = [Triple(PROBE, RDF_TYPE, NamedNode(cls))]
        found = self.clashes(probe) or [self.first(probe)]
        return Contradiction((cls,), found[0].statements)

    def _axioms(self) -> Iterator[Statement]:
        """The statements of the terminology, each with the blank nodes below it and the declarations of the terms it
        names."""
        for triple in self._terminology:
            top = isinstance(triple.subject, NamedNode) or triple.predicate in (MEMBERS, SUBCLASS)
            if top and triple.predicate != RDF_TYPE:
                yield self._whole(triple)

    def _whole(self, triple: Triple) -> Statement:
        found, waiting = [triple], [triple.subject, triple.object]
        seen: set[Value] = set()
        while waiting:
            n = waiting.pop()
            if isinstance(n, BlankNode) and n not in seen:
                seen.add(n)
                found += [t for t in self._hanging[n] if t != triple]
                waiting += [t.object for t in self._hanging[n]]
        named = {t for one in found for t in (one.subject, one.object) if isinstance(t, NamedNode)}
        return tuple(
            dict.fromkeys([*found, *(t for n in named for t in self._hanging.get(n, ()) if t.predicate == RDF_TYPE)])
        )

    def _module(self, facts: Sequence[Triple]) -> list[Statement]:
        """The axioms that share terms with the classes of these facts, where these suffice for a contradiction; else
        all."""
        axioms = list(self._axioms())
        near = self._near(facts, axioms)
        return near if _contradict(chain(*near), facts) else axioms

    def _near(self, facts: Iterable[Triple], axioms: Iterable[Statement]) -> list[Statement]:
        axioms = list(axioms)
        reached: set[Value] = {t for fact in facts for t in (fact.predicate, fact.object)}
        size = -1
        while size != len(reached):
            size = len(reached)
            for axiom in axioms:
                if axiom[0].predicate in (SUBCLASS, EQUIVALENT) and axiom[0].subject in reached:
                    reached |= {t.object for t in axiom}
        return [
            axiom
            for axiom in axioms
            if sum(n in reached for n in _named_terms(axiom)) >= 2 or axiom[0].subject in reached
        ]

    # Words

    def _words(self, statement: Statement) -> str:
        s, p, o = statement[0].subject, statement[0].predicate, statement[0].object
        if p == RDF_TYPE:
            return f"{self._term(s)} is {_article(self._term(o))}"
        if p == SUBCLASS:
            return f"every {self._expression(s)} is {_article(self._expression(o))}"
        if p == EQUIVALENT:
            return f"by definition {_article(self._term(s))} is what is {self._expression(o)}"
        if p == DISJOINT:
            return f"nothing is both {_article(self._expression(s))} and {_article(self._expression(o))}"
        if p == INVERSE:
            return f"{self._term(s)} is the inverse of {self._term(o)}"
        if p == MEMBERS:
            return f"nothing is two of: {', '.join(self._expression(m) for m in self._list(o))}"
        said = {rdf.PART: "is offered by", rdf.HAS_PART: "has the part", rdf.PLACE: "is in"}
        return f"{self._term(s)} {said.get(p, self._name(p.value))} {self._expression(o)}"

    def _expression(self, n: Value) -> str:
        if not isinstance(n, BlankNode):
            return self._term(n)
        about = {t.predicate: t.object for t in self._hanging.get(n, ())}
        if ON_PROPERTY in about:
            of = about.get(SOME)
            return f"something that {self._term(about[ON_PROPERTY])} {self._expression(of) if of else 'something'}"
        for predicate, joint in ((node("owl:unionOf"), " or "), (node("owl:intersectionOf"), " and ")):
            if predicate in about:
                return f"({joint.join(self._expression(m) for m in self._list(about[predicate]))})"
        if node("owl:complementOf") in about:
            return f"no {self._expression(about[node('owl:complementOf')])}"
        return "something"

    def _list(self, n: Value) -> Iterator[Value]:
        while isinstance(n, BlankNode):
            about = {t.predicate: t.object for t in self._hanging.get(n, ())}
            if FIRST not in about:
                return
            yield about[FIRST]
            n = about.get(REST, FIRST)

    def _term(self, n: Value) -> str:
        return "something" if n == PROBE else self._name(_text(n))

    def _every(self, below: str, above: str) -> str:
        return f"every {self._name(below)} is {_article(self._name(above))}"

    def _both(self, one: str, other: str) -> str:
        return f"nothing is both {_article(self._name(one))} and {_article(self._name(other))}"


def minimal(items: Sequence[Item], contradict: Callable[[list[Item]], bool]) -> list[Item]:
    """A smallest part of `items` that still contradicts itself, none of which can be left out (QuickXplain)."""

    def explain(background: list[Item], added: bool, rest: list[Item]) -> list[Item]:
        if added and contradict(background):
            return []
        if len(rest) == 1:
            return rest
        half = len(rest) // 2
        left, right = rest[:half], rest[half:]
        from_right = explain([*background, *left], bool(left), right)
        from_left = explain([*background, *from_right], bool(from_right), left)
        return [*from_left, *from_right]

    return explain([], True, list(items)) if items else []


def _contradict(terminology: Iterable[Triple], facts: Iterable[Triple]) -> bool:
    return reasoning_owl.classify(terminology, facts) is None


def _hanging(triples: Iterable[Triple]) -> dict[Value, list[Triple]]:
    found: dict[Value, list[Triple]] = {}
    for triple in triples:
        found.setdefault(triple.subject, []).append(triple)
    return found


def _named_terms(statement: Statement) -> set[Node]:
    return {n for t in statement for n in (t.subject, t.object) if isinstance(n, NamedNode) and t.predicate != RDF_TYPE}


def _text(n: Value) -> str:
    return str(getattr(n, "value", n))


def _article(noun: str) -> str:
    if noun[:1] in "(" or noun.startswith(("something", "no ")):
        return noun
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
