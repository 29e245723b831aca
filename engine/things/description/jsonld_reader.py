"""Reads a Thing Description in JSON-LD to statements in the canonical form, each node under its deterministic address.

Members that the contexts do not map are kept: prefixed keys under their own predicate, plain ones as words of the
vocabulary in force, nested values as rdf:JSON. https://www.w3.org/TR/wot-thing-description11/#sec-td-serialization
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from engine.graph.terms import RDF_JSON, RDF_TYPE, Json, Literal, NamedNode, Term, Triple, expand, literal, node
from engine.model import thing_rdf as rdf
from engine.things.description.contexts import JsonLdContext, TermDefinition, is_language
from engine.things.partition import THINGS, WORKSPACES

CONTEXT = node("hg:context")
TUPLE = node("hg:tuple")
FIRST_LEVEL = frozenset((rdf.HAS_PROPERTY.value, rdf.HAS_ACTION.value, rdf.HAS_EVENT.value))
"""Keys that mean affordances on a thing alone: below it, the same words are somebody's extension."""

OWNERS = THINGS | WORKSPACES
"""Classes that would make a thing or a place of what is a part of a description."""

VALUES = frozenset((rdf.ENUM.value, rdf.CONST.value, rdf.DEFAULT.value))
"""Predicates whose values are JSON, whatever it is."""

SINGLE = VALUES - {rdf.ENUM.value}
TEXTS = frozenset((rdf.TITLE.value, rdf.DESCRIPTION.value))
OF_NODES = "@id"
Node = Mapping[str, Any]


def statements(document: Node, iri: str, context: JsonLdContext) -> list[Triple]:
    """The statements of a TD under the address of the thing."""
    reader = _Reader(iri)
    found = list(reader.thing(document, context))
    return list(dict.fromkeys(found))


class _Reader:
    def __init__(self, iri: str) -> None:
        self._iri = NamedNode(iri)
        self._document = rdf.document_iri(iri)

    def thing(self, document: Node, context: JsonLdContext) -> Iterator[Triple]:
        yield Triple(self._iri, RDF_TYPE, node("td:Thing"))
        yield Triple(self._iri, CONTEXT, _json(document.get("@context")))
        about = {key: value for key, value in document.items() if key not in ("@context", "id", "@id")}
        yield from self._node(self._iri, about, context)

    def _node(self, subject: NamedNode, about: Node, context: JsonLdContext) -> Iterator[Triple]:
        for key, value in about.items():
            term = context.terms.get(key)
            if key == "@type" or (term is not None and term.iri == "@type"):
                yield from self._classes(subject, key, value, context)
            elif term is None or self._foreign(subject, term) or term.iri.startswith("@"):
                yield from self._extension(subject, key, value, context)
            else:
                yield from self._known(subject, key, term, value, context)

    def _foreign(self, subject: NamedNode, term: TermDefinition) -> bool:
        return subject != self._iri and term.iri in FIRST_LEVEL

    def _classes(self, subject: NamedNode, key: str, value: Json, context: JsonLdContext) -> Iterator[Triple]:
        # W3C's shapes allow a security scheme one class: further ones stand beside it, as they do in schemas.
        predicate = rdf.KIND if key == "@type" and "scheme" in context.aliases("@type") else RDF_TYPE
        for name in value if isinstance(value, list) else [value]:
            if isinstance(name, str):
                if name:
                    cls = NamedNode(context.expand(name))
                    owned = subject != self._iri and cls in OWNERS
                    yield Triple(subject, rdf.KIND if owned else predicate, cls)
            else:
                yield Triple(subject, NamedNode(context.vocabulary + key.lstrip("@")), _json(name))

    # Terms that the contexts know

    def _known(
        self, subject: NamedNode, key: str, term: TermDefinition, value: Json, context: JsonLdContext
    ) -> Iterator[Triple]:
        if term.type == OF_NODES and isinstance(value, (dict, list)):
            yield from self._nodes(subject, key, term, value, context)
        elif term.container == "@language" and isinstance(value, dict):
            yield from self._languages(subject, term, value)
        else:
            predicate = NamedNode(term.iri)
            several = isinstance(value, list) and term.iri not in SINGLE
            for item in value if several else [value]:  # type: ignore[union-attr]
                yield Triple(subject, predicate, _value(term, item, context))
            if isinstance(value, list) and term.iri == rdf.ENUM.value and len(value) > 1:
                yield Triple(subject, rdf.ORDER, literal(value))

    def _nodes(
        self, subject: NamedNode, key: str, term: TermDefinition, value: Json, context: JsonLdContext
    ) -> Iterator[Triple]:
        inner = context.within(term)
        root = self._document if subject == self._iri else subject.value
        if term.container == "@index" and isinstance(value, dict):
            yield from self._indexed(subject, root, key, term, value, inner)
        elif term.container == "@list":
            yield from self._listed(subject, root, term, value, inner)
        else:
            for index, item in enumerate(value if isinstance(value, list) else [value]):
                steps = (key, str(index)) if isinstance(value, list) else (key,)
                yield from self._child(subject, term, NamedNode(rdf.below(root, *steps)), item, inner)
            if isinstance(value, list) and term.iri == rdf.ITEMS.value:
                yield Triple(subject, TUPLE, literal(True))

    def _indexed(
        self,
        subject: NamedNode,
        root: str,
        key: str,
        term: TermDefinition,
        value: dict[str, Json],
        inner: JsonLdContext,
    ) -> Iterator[Triple]:
        step = "security" if term.iri == rdf.DEFINES_SECURITY.value else key
        for name, item in value.items():
            child = NamedNode(rdf.below(root, step, name))
            yield from self._child(subject, term, child, item, inner)
            if term.index is not None:
                yield Triple(child, NamedNode(term.index), Literal(name))
        if len(value) > 1 and term.iri == rdf.MEMBERS.value:
            yield Triple(subject, rdf.ORDER, literal(list(value)))

    def _listed(
        self, subject: NamedNode, root: str, term: TermDefinition, value: Json, inner: JsonLdContext
    ) -> Iterator[Triple]:
        items = value if isinstance(value, list) else [value]
        cells = [NamedNode(rdf.below(root, "headers", str(index))) for index in range(len(items))]
        yield Triple(subject, NamedNode(term.iri), cells[0] if cells else rdf.NIL)
        if not cells:
            return
        for cell, rest, item in zip(cells, [*cells[1:], rdf.NIL], items, strict=True):
            yield Triple(cell, rdf.REST, rest)
            first = TermDefinition(rdf.FIRST.value, type=OF_NODES)
            yield from self._child(cell, first, NamedNode(rdf.below(cell.value, "field")), item, inner)

    def _child(
        self, subject: NamedNode, term: TermDefinition, child: NamedNode, value: Json, inner: JsonLdContext
    ) -> Iterator[Triple]:
        if isinstance(value, dict):
            yield Triple(subject, NamedNode(term.iri), child)
            yield from self._node(child, value, inner)
        else:
            yield Triple(subject, NamedNode(term.iri), _json(value))

    def _languages(self, subject: NamedNode, term: TermDefinition, value: dict[str, Json]) -> Iterator[Triple]:
        for tag, text in value.items():
            sound = isinstance(text, str) and is_language(tag)
            said = Literal(text, language=tag) if sound else _json({tag: text})  # type: ignore[arg-type]
            yield Triple(subject, NamedNode(term.iri), said)

    # What they do not know

    def _extension(self, subject: NamedNode, key: str, value: Json, context: JsonLdContext) -> Iterator[Triple]:
        term = context.terms.get(key)
        foreign = term is not None and (term.iri.startswith("@") or self._foreign(subject, term))
        word = context.vocabulary + quote(key, safe="~")
        predicate = NamedNode(word if foreign or key.startswith("@") else context.expand(key))
        items = value if isinstance(value, list) and all(map(_is_reference, value)) and value else [value]
        for item in items:
            if _is_reference(item):
                yield from self._reference(subject, predicate, item, context)  # type: ignore[arg-type]
            else:
                yield Triple(subject, predicate, literal(item) if _is_scalar(item) else _json(item))

    def _reference(
        self, subject: NamedNode, predicate: NamedNode, value: dict[str, Json], context: JsonLdContext
    ) -> Iterator[Triple]:
        target = NamedNode(str(value["@id"]))
        yield Triple(subject, predicate, target)
        yield from self._node(target, {key: item for key, item in value.items() if key != "@id"}, context)


def _value(term: TermDefinition, value: Json, context: JsonLdContext) -> Term:
    """A value of a known term, in the datatype that its definition asks for."""
    if not _is_scalar(value):
        return _json(value)
    if term.iri in VALUES or not isinstance(value, str):
        counted = term.type == expand("xsd:unsignedInt") and isinstance(value, (int, float))
        return Literal(str(int(value)), datatype=rdf.UNSIGNED) if counted else literal(value)  # type: ignore[arg-type]
    if term.iri == rdf.METHOD.value:
        return Literal(value.upper())
    if term.type == "@vocab":
        return NamedNode(context.expand(value))
    if term.type is not None and not term.type.startswith("@"):
        return Literal(value, datatype=NamedNode(term.type))
    if term.iri in TEXTS:
        return Literal(value, language=context.language or "en")
    return Literal(value)


def _is_scalar(value: Json) -> bool:
    return isinstance(value, (str, int, float))


def _is_reference(value: Json) -> bool:
    """An object that names a node: `{"@id": "…"}`, with or without more."""
    return isinstance(value, dict) and isinstance(value.get("@id"), str) and rdf.is_iri(str(value["@id"]))


def _json(value: Json) -> Literal:
    text = literal(value) if isinstance(value, (list, dict)) or value is None else None
    return text or Literal(_dumped(value), datatype=RDF_JSON)


def _dumped(value: Json) -> str:
    wrapped = literal([value]).value
    return wrapped[1:-1]
