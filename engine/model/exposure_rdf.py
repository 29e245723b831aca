"""Profiles as RDF and back: `hmas:exposesSignifier`, forms, and schemas as the JSON Schema vocabulary has them.

Agentic Web, Listings 1, 2 and 8 to 11; https://www.w3.org/2019/wot/json-schema
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from engine.graph.terms import (
    RDF_TYPE,
    BlankNode,
    Json,
    Literal,
    NamedNode,
    Node,
    Term,
    Triple,
    literal,
    node,
    python,
)
from engine.model.exposure import AgentProfile, Exposed

SIGNIFIER, PROFILE = node("hmas:Signifier"), node("hmas:ResourceProfile")
LABEL, COMMENT, DESCRIPTION = node("rdfs:label"), node("rdfs:comment"), node("js:description")
CONTEXT, SIGNIFIES, ABILITY = node("hmas:recommendsContext"), node("hmas:signifies"), node("hmas:recommendsAbility")
FORM, INPUT, TARGET = node("td:hasForm"), node("td:hasInputSchema"), node("hctl:hasTarget")
METHOD, CONTENT, HEADERS = node("htv:methodName"), node("hctl:forContentType"), node("htv:headers")
OPERATION = node("hctl:hasOperationType")
FIELD, VALUE = node("htv:fieldName"), node("htv:fieldValue")
FIRST, REST, NIL = node("rdf:first"), node("rdf:rest"), node("rdf:nil")
PROPERTIES, MEMBER, ITEMS, REQUIRED = (
    node("js:properties"), node("js:propertyName"), node("js:items"), node("js:required"),
)  # fmt: skip
ENUM, CONST, OTHERWISE = node("js:enum"), node("js:const"), node("hg:schema")
TYPES = {
    name.lower(): node(f"js:{name}Schema")
    for name in ("Boolean", "Integer", "Number", "String", "Array", "Object", "Null")
}
_NAMES = {cls: name for name, cls in TYPES.items()}
_SIMPLE = {
    name: node(f"js:{name}")
    for name in (
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
        *("minItems", "maxItems", "pattern", "format", "default", "additionalProperties", "title"),
    )
}
_SIMPLE |= {"description": DESCRIPTION, "$comment": COMMENT}
_PLAIN = {term: name for name, term in _SIMPLE.items()}
_STRUCTURE = frozenset(("type", "properties", "items", "required", "enum", "const", "anyOf", "oneOf", "allOf"))
_ONE_OF = {name: node(f"js:{name}") for name in ("anyOf", "oneOf", "allOf")}
_SAFE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`\x00-\x20]*")


def profile_triples(iri: str, artifact: str, signifiers: Iterable[Exposed]) -> Iterator[Triple]:
    """A resource profile with its signifiers, each at an address of its own below the profile's."""
    profile = NamedNode(iri)
    yield Triple(profile, RDF_TYPE, PROFILE)
    yield Triple(profile, node("hmas:isProfileOf"), NamedNode(artifact))
    yield Triple(NamedNode(artifact), RDF_TYPE, node("hmas:Artifact"))
    for number, one in enumerate(signifiers, start=1):
        signifier = NamedNode(signifier_iri(iri, number))
        yield Triple(profile, node("hmas:exposesSignifier"), signifier)
        yield from signifier_triples(one, signifier)


def agent_triples(iri: str, agent: AgentProfile) -> Iterator[Triple]:
    """An agent's profile: its name, the context that it is in, and its abilities."""
    profile, subject = NamedNode(iri), NamedNode(f"{iri}#agent")
    context = NamedNode(f"{iri}#context")
    yield Triple(profile, RDF_TYPE, PROFILE)
    yield Triple(profile, node("hmas:isProfileOf"), subject)
    yield Triple(subject, RDF_TYPE, node("hmas:Agent"))
    yield Triple(subject, LABEL, Literal(agent.name))
    yield Triple(subject, node("hmas:hasContext"), context)
    yield Triple(context, COMMENT, Literal(agent.context))
    for ability in agent.abilities:
        yield Triple(subject, node("hmas:hasAbility"), _ability_term(ability))


def signifier_triples(one: Exposed, subject: Node) -> Iterator[Triple]:
    """One signifier, as Listing 1 models it."""
    context, affordance, form = BlankNode(), BlankNode(), BlankNode()
    yield Triple(subject, RDF_TYPE, SIGNIFIER)
    yield Triple(subject, LABEL, Literal(one.label))
    yield Triple(subject, CONTEXT, context)
    yield Triple(context, COMMENT, Literal(one.context))
    yield from (Triple(subject, ABILITY, _ability_term(ability)) for ability in one.abilities)
    yield Triple(subject, SIGNIFIES, affordance)
    yield Triple(affordance, FORM, form)
    yield from _form(one, form)
    if one.schema:
        schema = BlankNode()
        yield Triple(affordance, INPUT, schema)
        yield from schema_triples(one.schema, schema)


def _ability_term(text: str) -> Term:
    """An ability as the IRI that it is, else as a text."""
    return NamedNode(text) if _SAFE.fullmatch(text) else Literal(text)


def _form(one: Exposed, form: BlankNode) -> Iterator[Triple]:
    yield Triple(form, METHOD, Literal(one.method))
    target = NamedNode(one.target) if _SAFE.fullmatch(one.target) else Literal(one.target, datatype=node("xsd:anyURI"))
    yield Triple(form, TARGET, target)
    if one.content_type:
        yield Triple(form, CONTENT, Literal(one.content_type))
    if one.operation:
        yield Triple(form, OPERATION, Literal(one.operation))
    if one.headers:
        cells = [BlankNode() for _ in one.headers]
        yield Triple(form, HEADERS, cells[0])
        for number, (name, value) in enumerate(one.headers):
            header = BlankNode()
            following = cells[number + 1] if number + 1 < len(cells) else NIL
            yield Triple(cells[number], FIRST, header)
            yield Triple(cells[number], REST, following)
            yield Triple(header, FIELD, Literal(name))
            yield Triple(header, VALUE, Literal(value))


def schema_triples(schema: Mapping[str, Json], subject: BlankNode) -> Iterator[Triple]:
    """The triples of a JSON Schema; members without a term in the vocabulary are kept as they are, in one literal."""
    kinds = schema.get("type")
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if kind in TYPES:
            yield Triple(subject, RDF_TYPE, TYPES[kind])
    for name, term in _SIMPLE.items():
        if name in schema and isinstance(schema[name], str | bool | int | float):
            yield Triple(subject, term, literal(schema[name]))
    if "const" in schema:
        yield Triple(subject, CONST, literal(schema["const"]))
    yield from (Triple(subject, ENUM, literal(one)) for one in _listed(schema.get("enum")))
    yield from (Triple(subject, REQUIRED, literal(one)) for one in _listed(schema.get("required")))
    properties = schema.get("properties")
    for name, member in properties.items() if isinstance(properties, dict) else ():
        inner = BlankNode()
        yield Triple(subject, PROPERTIES, inner)
        yield Triple(inner, MEMBER, Literal(name))
        yield from schema_triples(cast("dict[str, Json]", member), inner)
    yield from _nested(schema, subject)
    rest = {key: value for key, value in schema.items() if key not in _STRUCTURE and not _is_simple(key, value)}
    if rest:
        yield Triple(subject, OTHERWISE, literal(rest))


def _nested(schema: Mapping[str, Json], subject: BlankNode) -> Iterator[Triple]:
    if isinstance(schema.get("items"), dict):
        inner = BlankNode()
        yield Triple(subject, ITEMS, inner)
        yield from schema_triples(cast("dict[str, Json]", schema["items"]), inner)
    for key, term in _ONE_OF.items():
        for one in _listed(schema.get(key)):
            inner = BlankNode()
            yield Triple(subject, term, inner)
            yield from schema_triples(cast("dict[str, Json]", one), inner)


def _is_simple(key: str, value: Json) -> bool:
    return key in _SIMPLE and isinstance(value, str | bool | int | float)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


# And back


class Profiles:
    """The signifiers among triples, whoever wrote them."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._facts: dict[Node, dict[NamedNode, list[Term]]] = {}
        for subject, predicate, value in triples:
            self._facts.setdefault(subject, {}).setdefault(predicate, []).append(value)

    def signifiers(self) -> list[Exposed]:
        """All that are complete: with a label, a context, and an affordance with one form."""
        found = [subject for subject, about in self._facts.items() if SIGNIFIER in about.get(RDF_TYPE, ())]
        return [one for subject in found if (one := self._signifier(subject)) is not None]

    def _signifier(self, subject: Node) -> Exposed | None:
        context, affordance = self._one(subject, CONTEXT), self._one(subject, SIGNIFIES)
        form = self._one(affordance, FORM)
        label, target = self._text(subject, LABEL), self._text(form, TARGET)
        if not label or not target:
            return None
        schema = self._one(affordance, INPUT)
        return Exposed(
            label=label,
            context=self._text(context, COMMENT),
            target=target,
            method=self._text(form, METHOD) or "POST",
            content_type=self._text(form, CONTENT) or None,
            operation=self._text(form, OPERATION),
            headers=tuple(self._headers(self._one(form, HEADERS))),
            schema=None if schema is None else self._schema(schema),
            abilities=tuple(sorted(str(one.value) for one in self._all(subject, ABILITY))),
        )

    def _headers(self, cell: Term | None) -> Iterator[tuple[str, str]]:
        seen: set[Term] = set()
        while cell is not None and cell != NIL and cell not in seen:
            seen.add(cell)
            header = self._one(cell, FIRST)
            yield self._text(header, FIELD), self._text(header, VALUE)
            cell = self._one(cell, REST)

    def _schema(self, subject: Term) -> dict[str, Any]:
        kinds = sorted(_NAMES[one] for one in self._all(subject, RDF_TYPE) if one in _NAMES)  # type: ignore[index]
        found: dict[str, Any] = {"type": kinds[0] if len(kinds) == 1 else kinds} if kinds else {}
        for term, name in _PLAIN.items():
            if (value := self._one(subject, term)) is not None:
                found[name] = python(value)
        if (const := self._one(subject, CONST)) is not None:
            found["const"] = python(const)
        for name, term in (("enum", ENUM), ("required", REQUIRED)):
            if values := [python(one) for one in self._all(subject, term)]:
                found[name] = values
        if members := self._all(subject, PROPERTIES):
            found["properties"] = {self._text(one, MEMBER): self._schema(one) for one in members}
        if (items := self._one(subject, ITEMS)) is not None:
            found["items"] = self._schema(items)
        for name, term in _ONE_OF.items():
            if several := self._all(subject, term):
                found[name] = [self._schema(one) for one in several]
        rest = self._one(subject, OTHERWISE)
        return found | (cast("dict[str, Any]", python(rest)) if rest is not None else {})

    def _all(self, subject: Term | None, predicate: NamedNode) -> list[Term]:
        return self._facts.get(cast(Node, subject), {}).get(predicate, [])

    def _one(self, subject: Term | None, predicate: NamedNode) -> Term | None:
        return next(iter(self._all(subject, predicate)), None)

    def _text(self, subject: Term | None, predicate: NamedNode) -> str:
        found = self._one(subject, predicate)
        return "" if found is None else str(found.value)


def signifier_iri(profile: str, number: int) -> str:
    """The address of a signifier below its profile's, as they are counted."""
    return f"{profile}{'/' if '#' in profile else '#'}signifier-{number}"
