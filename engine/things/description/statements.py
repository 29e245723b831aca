"""The draft of a canonical description: records which statements of a file were taken, and the canonical statements
made of them."""

from __future__ import annotations

from engine.graph.terms import RDF_TYPE, BlankNode, Literal, NamedNode, Node, Quad, Term, node
from engine.model import thing_rdf as rdf
from engine.things.description.turtle import Facts

SAME = node("owl:sameAs")
FOREIGN = {rdf.TITLE: node("td:titleInLanguage"), rdf.DESCRIPTION: node("td:descriptionInLanguage")}


class Draft:
    """Statements read are marked as taken; `carry_rest` brings over, under their new addresses, those that nobody took.

    `others` are the nodes of the file that belong to another thing or place: they are linked, never carried.
    """

    def __init__(self, facts: Facts, others: frozenset[Node] = frozenset()) -> None:
        self.facts = facts
        self.document = ""
        self.warnings: list[str] = []
        self.names: dict[Node, NamedNode] = {}
        self._others = others
        self._taken: dict[Node, set[NamedNode]] = {}
        self._said: dict[NamedNode, dict[NamedNode, dict[Term, None]]] = {}

    # Reading

    def take(self, n: Node, *predicates: NamedNode) -> list[Term]:
        """The values of a node by these predicates, lists flattened; they count as taken."""
        about = self.facts.get(n, {})
        self._taken.setdefault(n, set()).update(predicates)
        return [item for predicate in predicates for value in about.get(predicate, ()) for item in self.items(value)]

    def classes(self, n: Node) -> list[NamedNode]:
        """The classes of a node, without structural ones such as td:Thing; all of its classes count as taken."""
        return [c for c in self.take(n, RDF_TYPE) if isinstance(c, NamedNode) and c.value not in rdf.STRUCTURE]

    def texts(self, n: Node, *predicates: NamedNode) -> tuple[list[Literal], list[Literal]]:
        """The texts by these predicates, not taken: those in English or in no language, and those in others."""
        found = [v for p in predicates for v in self.facts.get(n, {}).get(p, ()) if isinstance(v, Literal)]
        english = [v for v in found if (v.language or "en").startswith("en")]
        return english, [v for v in found if v not in english]

    def text(self, n: Node, iri: NamedNode, predicate: NamedNode, alternatives: tuple[NamedNode, ...]) -> None:
        """Says, in English, the first text by the first of `alternatives` that has one; foreign ones as W3C does."""
        for alternative in alternatives:
            english, foreign = self.texts(n, alternative)
            if english or foreign:
                self.take(n, alternative)
                if not self.said(iri, predicate):
                    self.say(iri, predicate, Literal((english or foreign)[0].value, language="en"))
                for text in foreign:
                    self.say(iri, FOREIGN[predicate], text)
                return

    def items(self, value: Term) -> list[Term]:
        """The items of a RDF list, or the value itself where it is none."""
        items: list[Term] = []
        seen: set[Term] = set()
        if value == rdf.NIL:
            return items
        if isinstance(value, Literal) or rdf.FIRST not in self.facts.get(value, {}):
            return [value]
        while not isinstance(value, Literal) and value != rdf.NIL and value not in seen:
            seen.add(value)
            self._taken.setdefault(value, set()).update((rdf.FIRST, rdf.REST))
            items += self.facts.get(value, {}).get(rdf.FIRST, [])
            value = next(iter(self.facts.get(value, {}).get(rdf.REST, [])), rdf.NIL)
        return items

    # Writing

    def name(self, n: Term, iri: NamedNode) -> None:
        """Gives a node of the file its canonical address. The first one given stays."""
        if not isinstance(n, Literal):
            self.names.setdefault(n, iri)

    def rename(self, n: Node, iri: NamedNode) -> None:
        """Gives a node its canonical address; the one that its author gave it is kept as owl:sameAs."""
        self.name(n, iri)
        if isinstance(n, NamedNode) and n != iri:
            self.say(iri, SAME, n)

    def say(self, subject: NamedNode, predicate: NamedNode, value: Term) -> None:
        """Adds a statement, once."""
        self._said.setdefault(subject, {}).setdefault(predicate, {})[value] = None

    def said(self, subject: NamedNode, predicate: NamedNode) -> list[Term]:
        """The values said so far of a subject and predicate."""
        return list(self._said.get(subject, {}).get(predicate, ()))

    def warn(self, sentence: str) -> None:
        """Notes a small fault."""
        self.warnings.append(sentence)

    def carry(self, value: Term, address: NamedNode | None = None) -> Term:
        """A value as it stands in the canonical description; a blank node gets `address`, or else a number.

        The statements on a node that is first met here will be carried, too.
        """
        if isinstance(value, Literal):
            return value
        if value in self.names:
            return self.names[value]
        if value in self._others:
            return value
        if value in self.facts:
            fresh = address or NamedNode(rdf.below(self.document, "nodes", str(len(self.names))))
            self.names[value] = value if isinstance(value, NamedNode) else fresh
        elif isinstance(value, BlankNode):
            self.names[value] = address or NamedNode(rdf.below(self.document, "nodes", str(len(self.names))))
        return self.names.get(value, value)

    def carry_rest(self) -> None:
        """Copies the statements that nobody took, of every node that has a name and of the nodes met on the way."""
        done: set[Node] = set()
        while waiting := [n for n in self.names if n not in done]:
            for n in waiting:
                done.add(n)
                self._carry_node(n)

    def _carry_node(self, n: Node) -> None:
        taken = self._taken.get(n, set())
        for predicate, values in self.facts.get(n, {}).items():
            if predicate not in taken:
                for value in values:
                    self.say(self.names[n], predicate, self.carry(value))

    def canonical(self) -> Facts:
        """All that was said."""
        return {s: {p: [*values] for p, values in about.items()} for s, about in self._said.items()}

    def quads(self) -> tuple[Quad, ...]:
        """All that was said, as quads of the document."""
        graph = NamedNode(self.document)
        return tuple(
            Quad(subject, predicate, value, graph)
            for subject, about in self._said.items()
            for predicate, values in about.items()
            for value in values
        )
