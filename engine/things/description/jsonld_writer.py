"""Writes a canonical description as a Thing Description in JSON-LD: the way back from `jsonld_reader`.

The author's own context and prefixes are kept; contexts for terms that they do not cover are added to them.
https://www.w3.org/TR/wot-thing-description11/#sec-td-serialization
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from engine.errors import InputError
from engine.graph.terms import (
    NAMESPACES,
    RDF_TYPE,
    XSD_BOOLEAN,
    XSD_DOUBLE,
    XSD_INTEGER,
    Json,
    Literal,
    NamedNode,
    Quad,
    Term,
    Triple,
    expand,
    node,
    python,
)
from engine.model import thing_rdf as rdf
from engine.things.description import contexts
from engine.things.description.contexts import JsonLdContext, TermDefinition
from engine.things.description.jsonld_reader import CONTEXT, FIRST_LEVEL, TUPLE
from engine.things.description.orders import order_of
from engine.things.description.turtle import THING, Facts, facts_of

ARTIFACT = node("hmas:Artifact")
LANGUAGE = node("rdf:langString").value
PLAIN = frozenset(
    (expand("xsd:string"), expand("rdf:JSON"), XSD_BOOLEAN.value, XSD_INTEGER.value, XSD_DOUBLE.value, LANGUAGE)
)
SILENT = frozenset((CONTEXT, TUPLE, rdf.ORDER, rdf.KIND))
"""What JSON says by its own form, or under another key."""

LEADING = ("@context", "@id", "id", "@type", "title", "titles", "description", "descriptions", "scheme", "type", "href")
AUTO = {"scheme": "auto"}
"""What stands for a scheme of which nothing is known but its name: it is found out when it is used."""


def document(statements: Iterable[Triple | Quad]) -> dict[str, Any]:
    """The TD of the one thing that the statements describe in the canonical form.

    Raises InputError where there is no td:Thing among them."""
    facts = facts_of(statements)
    subject = next((n for n, about in facts.items() if THING in about.get(RDF_TYPE, ())), None)
    if not isinstance(subject, NamedNode):
        raise InputError("There is no thing in these statements.", remedy="Give the description of one thing.")
    given: Any = next((python(value) for value in facts[subject].get(CONTEXT, ())), None)
    return _Writer(facts, subject, given or contexts.TD_1_1).document()


class _Writer:
    def __init__(self, facts: Facts, subject: NamedNode, given: Any) -> None:
        self._facts = facts
        self._subject = subject
        self._document = rdf.document_iri(subject.value)
        self._given = given
        context, _ = contexts.read(given)
        self._declared = frozenset(context.prefixes)
        missing = {prefix: iri for prefix, iri in NAMESPACES.items() if prefix not in self._declared}
        self._missing = {prefix: iri for prefix, iri in missing.items() if iri not in context.prefixes.values()}
        self._context, _ = contexts.read([*_listed(given), self._missing])
        self._used: set[str] = set()
        self._above: set[NamedNode] = set()

    def document(self) -> dict[str, Any]:
        about = self._node(self._subject, self._context)
        about["@type"] = _one(["Thing", *_listed(about.get("@type", []))])
        for name in _listed(about.get("security", [])):
            definitions = about.setdefault("securityDefinitions", {})
            if "scheme" not in definitions.setdefault(name, {}):
                definitions[name] = {**AUTO, **definitions[name]}
        return _ordered({"@context": self._whole_context(), "id": self._subject.value, **about})

    def _whole_context(self) -> Json:
        used = {prefix: self._missing[prefix] for prefix in sorted(self._used & self._missing.keys())}
        if not used:
            return self._given  # type: ignore[no-any-return]
        entries = _listed(self._given)
        if isinstance(entries[-1], dict):
            return [*entries[:-1], {**entries[-1], **used}]
        return [*entries, used]

    def _node(self, subject: NamedNode, context: JsonLdContext) -> dict[str, Any]:
        """The JSON object of a node. A node linked in a circle is written once and referred to after that."""
        self._above.add(subject)
        about = self._classes(subject, context)
        for predicate, values in self._facts[subject].items():
            if predicate != RDF_TYPE and predicate not in SILENT and not self._implied(predicate, values):
                key, value = self._member(subject, predicate, values, context)
                about[key] = value
        self._above.discard(subject)
        return _ordered(about)

    def _implied(self, predicate: NamedNode, values: list[Term]) -> bool:
        return predicate == rdf.PART and values == [self._subject]

    # Classes

    def _classes(self, subject: NamedNode, context: JsonLdContext) -> dict[str, Any]:
        """`@type`, and `type` or `scheme` where the context has a word for the class."""
        alias = next(iter(context.aliases("@type")), "")
        found: dict[str, list[str]] = {}
        types = [*self._facts[subject].get(RDF_TYPE, ()), *self._facts[subject].get(rdf.KIND, ())]
        effect = self._is_effect(subject)
        if effect:
            types = [*self._facts[subject].get(RDF_TYPE, ())]
        for cls in types:
            names = context.aliases(cls.value) if alias else ()
            scheme = alias == "scheme" and (cls.value.endswith("SecurityScheme") or types == [cls])
            if names or scheme:
                found.setdefault(alias, []).append(names[0] if names else self._name(cls.value, context))
            elif cls.value not in rdf.STRUCTURE and cls != ARTIFACT:
                found.setdefault("@type", []).append(self._name(cls.value, context))
        about: dict[str, Any] = {key: _one(sorted(names)) for key, names in found.items()}
        for kind in self._facts[subject].get(rdf.KIND, ()) if effect else ():
            about[self._name(rdf.KIND.value, context)] = {"@id": kind.value}
        return about

    def _is_effect(self, subject: NamedNode) -> bool:
        return any(predicate in self._facts[subject] for predicate in rdf.EFFECT_FORMS.values())

    # Members

    def _member(
        self, subject: NamedNode, predicate: NamedNode, values: list[Term], context: JsonLdContext
    ) -> tuple[str, Any]:
        key = next(iter(context.aliases(predicate.value)), None)
        if key is None:
            return self._key(predicate.value, context), self._extension(values, context)
        term = context.terms[key]
        if term.container == "@index":
            return key, self._indexed(subject, term, values, context)
        if term.container == "@language":
            return key, _languages(values)
        if term.container == "@list":
            return key, [self._value(term, value, context) for value in self._list(values[0])]
        whole = [value for value in values if isinstance(value, Literal) and isinstance(python(value), (dict, list))]
        if whole and term.type == "@id":
            return key, python(whole[0])
        found = [self._value(term, value, context) for value in self._sorted(subject, predicate, values)]
        many = term.container == "@set" or (predicate == rdf.ITEMS and TUPLE in self._facts[subject])
        return key, found if many else _one(found)

    def _key(self, predicate: str, context: JsonLdContext) -> str:
        """The key of an extension; a word that is a term elsewhere (`properties` of an action) is itself here."""
        word = unquote(predicate.removeprefix(context.vocabulary)) if predicate.startswith(context.vocabulary) else ""
        term = context.terms.get(word)
        if word.startswith("@") or (term is not None and (term.iri.startswith("@") or term.iri in FIRST_LEVEL)):
            return word
        return self._name(predicate, context)

    def _name(self, iri: str, context: JsonLdContext) -> str:
        name = context.compact(iri)
        self._used.add(name.partition(":")[0])
        return name

    def _indexed(
        self, subject: NamedNode, term: TermDefinition, values: list[Term], context: JsonLdContext
    ) -> dict[str, Any]:
        inner = context.within(term)
        index = NamedNode(str(term.index))
        found: dict[str, Any] = {}
        for value in self._sorted(subject, NamedNode(term.iri), values):
            if isinstance(value, NamedNode) and value in self._facts:
                about = self._facts[value]
                name = about[index][0].value if index in about else value.value.rpartition("/")[2]
                kept = {p: v for p, v in about.items() if p != index}
                self._facts[value] = kept
                found[name] = self._node(value, inner)
                self._facts[value] = about
        return {name: found[name] for name in self._order(subject, found)}

    def _order(self, subject: NamedNode, found: dict[str, Any]) -> list[str]:
        rank = order_of(self._facts[subject].get(rdf.ORDER, ()), found)
        return sorted(found, key=lambda name: (rank.get(repr(name), len(rank)), name))

    def _sorted(self, subject: NamedNode, predicate: NamedNode, values: list[Term]) -> list[Term]:
        """Values in their order: options as they were written, nodes by the number at their end, the others by name."""
        if predicate == rdf.ENUM:
            rank = order_of(self._facts[subject].get(rdf.ORDER, ()), map(python, values))
            return sorted(values, key=lambda value: rank.get(repr(python(value)), len(rank)))
        return sorted(values, key=_place)

    def _list(self, cell: Term) -> list[Term]:
        found: list[Term] = []
        seen: set[Term] = set()
        while isinstance(cell, NamedNode) and cell in self._facts and cell not in seen:
            seen.add(cell)
            found += self._facts[cell].get(rdf.FIRST, [])
            cell = next(iter(self._facts[cell].get(rdf.REST, ())), rdf.NIL)
        return found

    def _value(self, term: TermDefinition, value: Term, context: JsonLdContext) -> Any:
        if isinstance(value, NamedNode):
            if term.type == "@vocab":
                return next(iter(context.aliases(value.value)), None) or self._name(value.value, context)
            if value in self._facts and value not in self._above:
                return self._node(value, context.within(term))
            return {} if value.value.startswith(f"{self._document}#") else {"@id": value.value}
        found = int(value.value) if value.datatype == rdf.UNSIGNED else python(value)  # type: ignore[union-attr]
        short = isinstance(found, float) and found.is_integer() and NamedNode(term.iri) in rdf.LIMITS.values()
        return int(found) if short else found  # type: ignore[call-overload]

    # Extensions

    def _extension(self, values: list[Term], context: JsonLdContext) -> Any:
        return _one([self._extended(value, context) for value in sorted(values, key=_place)])

    def _extended(self, value: Term, context: JsonLdContext) -> Any:
        if isinstance(value, Literal):
            return _plain(value)
        about = {"@id": value.value}
        if (
            isinstance(value, NamedNode)
            and value in self._facts
            and value not in self._above
            and value != self._subject
        ):
            about |= self._node(value, context)
        return about


def _plain(value: Literal) -> Any:
    """A literal as JSON; one whose datatype JSON has not is a value object."""
    if value.language is not None and value.language != "en":
        return {"@value": value.value, "@language": value.language}
    if value.datatype.value not in PLAIN:
        return {"@value": value.value, "@type": value.datatype.value}
    return python(value)


def _languages(values: list[Term]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for value in values:
        said = python(value)
        if isinstance(said, dict):
            found |= said
        elif isinstance(value, Literal):
            found[value.language or "en"] = said
    return dict(sorted(found.items()))


def _place(value: Term) -> tuple[int, str]:
    last = value.value.rpartition("/")[2]
    return (int(last) if isinstance(value, NamedNode) and last.isdecimal() else -1, value.value)


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _one(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _ordered(about: dict[str, Any]) -> dict[str, Any]:
    """The keys that people look for first, then the others by name."""
    first = [key for key in LEADING if key in about]
    return {key: about[key] for key in (*first, *sorted(about.keys() - set(first)))}
