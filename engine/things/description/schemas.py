"""DataSchemas of both dialects in the canonical form: no lists, and an output schema is the property itself.

https://www.w3.org/TR/wot-thing-description11/#sec-data-schema-vocabulary-definition
"""

from __future__ import annotations

from engine.errors import ThingRefused
from engine.graph.terms import RDF_TYPE, Literal, NamedNode, Node, Term, compact, expand, literal, node, python
from engine.model import thing_rdf as rdf
from engine.things.description.orders import order_of
from engine.things.description.statements import Draft

DEEPEST = 32
MOST = 4096
"""Schemas in one description: those that are written once and used many times over count each time."""

TEXTS = {rdf.TITLE: (rdf.TITLE,), rdf.DESCRIPTION: (rdf.DESCRIPTION, node("js:description"), node("rdfs:comment"))}
UNITS = (rdf.UNIT, NamedNode("http://schema.org/unitCode"), node("hg:unit"), node("td:unit"), node("js:unit"))
COUNTED = frozenset(rdf.COUNTS.values())
LIMITS = frozenset(rdf.LIMITS.values())
PLAIN = (rdf.CONST, rdf.DEFAULT, rdf.READ_ONLY, rdf.WRITE_ONLY, rdf.PATTERN)
_TYPES = frozenset(rdf.SCHEMA_TYPES.values())
_HINTS = (
    ("object", (rdf.MEMBERS,)),
    ("array", (rdf.ITEMS, rdf.COUNTS["min_items"], rdf.COUNTS["max_items"])),
    ("number", tuple(rdf.LIMITS.values())),
    ("string", (rdf.PATTERN, rdf.COUNTS["min_length"], rdf.COUNTS["max_length"])),
)


class SchemaDialect:
    """Writes the schemas of one description into its draft."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._path: list[Node] = []
        self._count = 0

    def affordance(self, n: Node, iri: NamedNode) -> None:
        """Translates a property affordance, which is its own schema; a `td:hasOutputSchema` adds the members it
        lacks."""
        outputs = self._draft.take(n, rdf.OUTPUT)
        self._statements(n, iri, nested=False)
        for output in outputs:
            if not isinstance(output, Literal):
                self._draft.name(output, iri)
                for predicate, alternatives in TEXTS.items():
                    self._draft.text(output, iri, predicate, alternatives)
                self._statements(output, iri, nested=False)

    def linked(self, value: Term, subject: NamedNode, predicate: NamedNode, *steps: str) -> NamedNode | None:
        """The schema at `value`, linked from `subject`; its address is below the subject's."""
        if isinstance(value, Literal):
            return None
        iri = NamedNode(rdf.below(subject.value, *steps))
        self._draft.say(subject, predicate, iri)
        self._draft.name(value, iri)
        self._statements(value, iri, nested=True)
        return iri

    def _statements(self, n: Node, iri: NamedNode, *, nested: bool) -> None:
        self._guard(n)
        self._path.append(n)
        self._type(n, iri, nested)
        if nested:
            for predicate, alternatives in TEXTS.items():
                self._draft.text(n, iri, predicate, alternatives)
        self._numbers(n, iri)
        self._options(n, iri)
        for predicate in PLAIN:
            if not self._draft.said(iri, predicate):
                for value in self._draft.take(n, predicate)[:1]:
                    self._draft.say(iri, predicate, literal(python(value)))
        for value in self._draft.take(n, *UNITS)[:1]:
            self._draft.say(iri, rdf.UNIT, Literal(value.value))
        self._members(n, iri)
        for step, predicate in (("items", rdf.ITEMS), ("oneOf", rdf.ONE_OF)):
            for index, value in enumerate(self._draft.take(n, predicate)):
                self.linked(value, iri, predicate, step, str(index))
        self._path.pop()

    def _guard(self, n: Node) -> None:
        self._count += 1
        if n not in self._path and len(self._path) < DEEPEST and self._count <= MOST:
            return
        fault = "contains itself" if n in self._path else "is too deep or too large"
        raise ThingRefused(
            f"The schema {compact(n.value)} of {self._draft.document} {fault}.",
            node=n.value,
            shape=expand("hg:SchemaTreeShape"),
            remedy="Write the schema as a tree that ends.",
        )

    def _type(self, n: Node, iri: NamedNode, nested: bool) -> None:
        """Says the JSON type, given or guessed from the schema's members; every other class is the kind of the
        value."""
        said = [t for t in self._draft.said(iri, RDF_TYPE) if t in _TYPES]
        types = [t for t in self._draft.facts.get(n, {}).get(RDF_TYPE, ()) if t in _TYPES]
        types = said or types or self._guess(n)
        if len(types) > 1:
            self._draft.warn(f"{iri.value} has several JSON types; {compact(types[0].value)} is taken.")
        for found in types[:1]:
            self._draft.say(iri, RDF_TYPE, found)
        kinds = [*self._draft.classes(n), *(self._draft.take(n, rdf.KIND) if nested else ())]
        for kind in kinds:
            if rdf.is_iri(kind.value):
                self._draft.say(iri, rdf.KIND if nested else RDF_TYPE, NamedNode(kind.value))
            else:
                self._draft.warn(f"{iri.value}: the kind '{kind.value[:100]}' is no IRI; it is left out.")

    def _guess(self, n: Node) -> list[Term]:
        about = self._draft.facts.get(n, {})
        for name, signs in _HINTS:
            if any(sign in about for sign in signs):
                return [rdf.SCHEMA_TYPES[name]]
        texts = [python(value) for value in self._peek(n, rdf.ENUM)]
        return [rdf.SCHEMA_TYPES["string"]] if texts and all(isinstance(text, str) for text in texts) else []

    def _peek(self, n: Node, predicate: NamedNode) -> list[Term]:
        values = self._draft.facts.get(n, {}).get(predicate, ())
        return [item for value in values for item in self._draft.items(value)]

    def _numbers(self, n: Node, iri: NamedNode) -> None:
        whole = rdf.SCHEMA_TYPES["integer"] in self._draft.said(iri, RDF_TYPE)
        for predicate in (*rdf.LIMITS.values(), *rdf.COUNTS.values()):
            for value in self._draft.take(n, predicate):
                self._draft.say(iri, predicate, _bound(value, whole, predicate in COUNTED))

    def _options(self, n: Node, iri: NamedNode) -> None:
        draft = self._draft
        values = [literal(python(value)) for value in draft.take(n, rdf.ENUM)]
        for value in values:
            draft.say(iri, rdf.ENUM, value)
        for name in draft.take(n, rdf.REQUIRED):
            draft.say(iri, rdf.REQUIRED, Literal(name.value))
        orders = draft.take(n, rdf.ORDER)
        for order in orders:
            draft.say(iri, rdf.ORDER, order)
        options = [python(value) for value in values]
        if len(options) > 1 and not order_of(orders, options):
            draft.say(iri, rdf.ORDER, literal(options))

    def _members(self, n: Node, iri: NamedNode) -> None:
        draft = self._draft
        names: list[object] = []
        for index, member in enumerate(draft.take(n, rdf.MEMBERS)):
            if isinstance(member, Literal):
                continue
            said = [value.value for value in draft.take(member, rdf.MEMBER_NAME, rdf.NAME)]
            inner = self.linked(member, iri, rdf.MEMBERS, "properties", said[0] if said else f"nameless-{index}")
            if inner is not None and said:
                draft.say(inner, rdf.MEMBER_NAME, Literal(said[0]))
                names.append(said[0])
        if len(names) > 1 and not order_of(draft.said(iri, rdf.ORDER), names):
            draft.say(iri, rdf.ORDER, literal(names))


def _bound(value: Term, whole: bool, counted: bool) -> Term:
    """A bound in the datatype that W3C asks for; a value that is no number stays as it is, for the shapes to refuse."""
    number = python(value)
    if isinstance(number, str):
        try:
            number = float(number)
        except ValueError:
            return value
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return value
    if counted:
        return Literal(str(int(number)), datatype=rdf.UNSIGNED) if float(number).is_integer() else value
    return rdf.number(number, whole)
