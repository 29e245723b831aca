"""Turtle files as statements, and canonical descriptions as Things: the way back from `model.thing_rdf`.

https://www.w3.org/TR/wot-thing-description11/#sec-vocabulary-definition
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pyoxigraph import RdfFormat, parse

from engine.errors import InputError, SyntaxFault
from engine.graph.nesting import check_nesting
from engine.graph.terms import (
    RDF_TYPE,
    BlankNode,
    Json,
    NamedNode,
    Node,
    Quad,
    Term,
    Triple,
    expand,
    python,
)
from engine.model import thing_rdf as rdf
from engine.model.thing import Action, Event, Form, Part, Property, Schema, Thing
from engine.model.vocabulary import Effect
from engine.things.description.orders import order_of

Facts = dict[Node, dict[NamedNode, list[Term]]]
"""Statements by subject and predicate, in the order in which they were made."""

_DOCTYPE = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
FORMATS = {".ttl": RdfFormat.TURTLE, ".nt": RdfFormat.N_TRIPLES}
ORIGIN = "https://w3id.org/hearthgraph/home/"

THING = NamedNode(expand("td:Thing"))
_TYPES = {cls: name for name, cls in rdf.SCHEMA_TYPES.items()}
_BOUNDS = {term: name for name, term in rdf.BOUNDS.items()}
_PLAIN = {expand(f"js:{name}"): name for name in ("format", "contentEncoding", "contentMediaType")}


def parse_file(path: Path) -> list[Triple]:
    """The triples of a Turtle or N-Triples file, in its order.

    Relative IRIs are resolved against an address made of the file's stem, not of its folder, so that a home that is
    moved stays the same home. Raises SyntaxFault (file, line), InputError for a file that cannot be read.
    """
    if path.suffix not in FORMATS:
        raise InputError(f"{path} is in a format that cannot be loaded.", remedy=f"Use one of {', '.join(FORMATS)}.")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", remedy="Name a file that exists.") from error
    return parse_text(content, source=str(path), base=rdf.below(ORIGIN + path.stem).rstrip("#"))


def parse_text(
    content: bytes, *, source: str = "", base: str = ORIGIN, syntax: RdfFormat = RdfFormat.TURTLE
) -> list[Triple]:
    """The triples of a text; blank nodes are made unique. Raises SyntaxFault with `source` and the line; RDF/XML has no
    document type here, whose entities make a page of a few letters and a gigabyte of a few pages."""
    if syntax is RdfFormat.RDF_XML and _DOCTYPE.search(content):
        raise SyntaxFault("A document type is not allowed.", source=source, remedy="Write the names in full.")
    check_nesting(content, syntax, source)
    try:
        # Blank nodes are renamed so that those of two files never meet.
        quads = list(parse(content, syntax, base_iri=base, rename_blank_nodes=True))
    except SyntaxError as error:
        remedy = "Mend this line; nothing was loaded."
        raise SyntaxFault(f"{error.msg}.", source=source, line=error.lineno or 0, remedy=remedy) from error
    return [quad.triple for quad in quads]


def facts_of(statements: Iterable[Triple | Quad]) -> Facts:
    """Statements grouped by subject and predicate; repeated ones once."""
    facts: Facts = {}
    for statement in statements:
        subject = statement.subject
        if not isinstance(subject, (NamedNode, BlankNode)):
            continue
        values = facts.setdefault(subject, {}).setdefault(statement.predicate, [])
        if statement.object not in values:
            values.append(statement.object)  # type: ignore[arg-type]
    return facts


def read(document: str, facts: Facts) -> Thing:
    """The Thing of a canonical description (as `model.thing_rdf.describe` and `things.description.dialects` give it).

    Affordances, parts and forms come in a fixed order, whatever the order of the statements. Raises InputError where
    there is no td:Thing among the statements.
    """
    subject = next((n for n, about in facts.items() if THING in about.get(RDF_TYPE, ())), None)
    if not isinstance(subject, NamedNode):
        raise InputError(f"{document} does not describe a thing.")
    return _Reader(facts).thing(subject, document)


class _Reader:
    """Reads nodes of one description."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def thing(self, subject: NamedNode, document: str) -> Thing:
        return Thing(
            iri=subject.value,
            document=document,
            title=self._text(subject, rdf.TITLE) or "",
            parts=self._parts(subject),
            properties=tuple(sorted(map(self._property, self._nodes(subject, rdf.HAS_PROPERTY)), key=_name)),
            actions=tuple(sorted(map(self._action, self._nodes(subject, rdf.HAS_ACTION)), key=_name)),
            events=tuple(sorted(map(self._event, self._nodes(subject, rdf.HAS_EVENT)), key=_name)),
            place=self._text(subject, rdf.PLACE),
            aliases=tuple(sorted(self._texts(subject, rdf.ALIAS))),
            description=self._text(subject, rdf.DESCRIPTION),
            base=self._text(subject, rdf.BASE),
            security=tuple(sorted(self._texts(subject, rdf.SECURITY))),
        )

    def _parts(self, subject: NamedNode) -> tuple[Part, ...]:
        whole = Part(subject.value, "", self._classes(subject), self._text(subject, rdf.TITLE) or "")
        parts = (
            Part(n.value, self._text(n, rdf.PATH) or "", self._classes(n), self._text(n, rdf.TITLE) or "")
            for n in self._nodes(subject, rdf.HAS_PART)
        )
        return (whole, *sorted(parts, key=lambda part: part.path))

    def _property(self, n: NamedNode) -> Property:
        kinds = self._classes(n)
        return Property(
            iri=n.value,
            name=self._text(n, rdf.NAME) or "",
            part=self._text(n, rdf.PART) or "",
            schema=self._schema(n, kinds, nested=False),
            kinds=kinds,
            observable=self._flag(n, rdf.OBSERVABLE),
            inverted=self._flag(n, rdf.INVERTED),
            forms=self._forms(n),
            title=self._text(n, rdf.TITLE),
            description=self._text(n, rdf.DESCRIPTION),
        )

    def _action(self, n: NamedNode) -> Action:
        return Action(
            iri=n.value,
            name=self._text(n, rdf.NAME) or "",
            part=self._text(n, rdf.PART) or "",
            commands=self._classes(n),
            input=self._linked(n, rdf.INPUT),
            output=self._linked(n, rdf.OUTPUT),
            effects=tuple(e for m in self._nodes(n, rdf.EFFECT) if (e := self._effect(m)) is not None),
            safe=self._flag(n, rdf.SAFE),
            idempotent=self._flag(n, rdf.IDEMPOTENT),
            forms=self._forms(n),
            title=self._text(n, rdf.TITLE),
            description=self._text(n, rdf.DESCRIPTION),
        )

    def _event(self, n: NamedNode) -> Event:
        return Event(
            iri=n.value,
            name=self._text(n, rdf.NAME) or "",
            part=self._text(n, rdf.PART) or "",
            data=self._linked(n, rdf.NOTIFICATION),
            forms=self._forms(n),
            title=self._text(n, rdf.TITLE),
            description=self._text(n, rdf.DESCRIPTION),
        )

    def _forms(self, n: NamedNode) -> tuple[Form, ...]:
        return tuple(map(self._form, self._nodes(n, rdf.HAS_FORM)))

    def _form(self, n: NamedNode) -> Form:
        return Form(
            target=self._text(n, rdf.TARGET) or "",
            operations=tuple(sorted(v.value for v in self._values(n, rdf.OPERATION) if isinstance(v, NamedNode))),
            method=self._text(n, rdf.METHOD),
            content_type=self._text(n, rdf.CONTENT_TYPE) or "application/json",
            subprotocol=self._text(n, rdf.SUBPROTOCOL),
            security=tuple(sorted(self._texts(n, rdf.SECURITY))),
            headers=self._headers(n),
        )

    def _headers(self, n: NamedNode) -> tuple[tuple[str, str], ...]:
        fields = self._list(next(iter(self._values(n, rdf.HEADERS)), rdf.NIL))
        return tuple((self._text(f, rdf.FIELD_NAME) or "", self._text(f, rdf.FIELD_VALUE) or "") for f in fields)

    def _list(self, cell: Term) -> list[NamedNode]:
        found: list[NamedNode] = []
        while isinstance(cell, NamedNode) and cell != rdf.NIL and len(found) < len(self._facts):
            found += self._nodes(cell, rdf.FIRST)
            cell = next(iter(self._values(cell, rdf.REST)), rdf.NIL)
        return found

    def _effect(self, n: NamedNode) -> Effect | None:
        for form, predicate in rdf.EFFECT_FORMS.items():
            for value in self._values(n, predicate):
                said: Json = _BOUNDS.get(value) if isinstance(value, NamedNode) else None
                return Effect(
                    kind=self._text(n, rdf.KIND) or "",
                    form=form,
                    value=said if said is not None else _json(value),
                    property=self._text(n, rdf.EFFECT_PROPERTY),
                )
        return None

    def _linked(self, n: NamedNode, link: NamedNode) -> Schema | None:
        found = self._nodes(n, link)
        return self._schema(found[0]) if found else None

    def _schema(self, n: NamedNode, kinds: frozenset[str] | None = None, *, nested: bool = True) -> Schema:
        """The schema at `n`. An affordance is not nested: its texts are its own, its kinds are given."""
        about = self._facts.get(n, {})
        numbers: dict[str, Any] = {field: _number(about[p][0]) for field, p in rdf.LIMITS.items() if p in about}
        numbers |= {field: int(about[p][0].value) for field, p in rdf.COUNTS.items() if p in about}
        types = [_TYPES[t] for t in about.get(RDF_TYPE, ()) if isinstance(t, NamedNode) and t in _TYPES]
        return Schema(
            type=types[0] if types else None,
            name=self._text(n, rdf.MEMBER_NAME) if nested else None,
            kinds=kinds if kinds is not None else frozenset(self._texts(n, rdf.KIND)) | self._classes(n),
            enum=self._ordered([_json(v) for v in about.get(rdf.ENUM, ())], n),
            const=_first(about.get(rdf.CONST)),
            has_const=rdf.CONST in about,
            default=_first(about.get(rdf.DEFAULT)),
            has_default=rdf.DEFAULT in about,
            unit=self._text(n, rdf.UNIT),
            properties=self._members(n),
            required=frozenset(self._texts(n, rdf.REQUIRED)),
            items=tuple(map(self._schema, self._nodes(n, rdf.ITEMS))),
            one_of=tuple(map(self._schema, self._nodes(n, rdf.ONE_OF))),
            read_only=self._flag(n, rdf.READ_ONLY),
            write_only=self._flag(n, rdf.WRITE_ONLY),
            pattern=self._text(n, rdf.PATTERN),
            title=self._text(n, rdf.TITLE) if nested else None,
            description=self._text(n, rdf.DESCRIPTION) if nested else None,
            extra=_extra(about),
            **numbers,
        )

    def _members(self, n: NamedNode) -> tuple[tuple[str, Schema], ...]:
        found = {self._text(m, rdf.MEMBER_NAME) or "": self._schema(m) for m in self._nodes(n, rdf.MEMBERS)}
        names = self._ordered([*sorted(found)], n)
        return tuple((str(name), found[str(name)]) for name in names)

    def _ordered(self, found: list[Json], n: NamedNode) -> tuple[Json, ...]:
        """Values in the order of `hg:order`, or else as given."""
        rank = order_of(self._values(n, rdf.ORDER), found)
        return tuple(sorted(found, key=lambda item: rank.get(repr(item), len(rank))))

    def _classes(self, n: NamedNode) -> frozenset[str]:
        return frozenset(self._texts(n, RDF_TYPE)) - rdf.STRUCTURE

    def _nodes(self, n: Node, predicate: NamedNode) -> list[NamedNode]:
        return sorted((v for v in self._values(n, predicate) if isinstance(v, NamedNode)), key=_place)

    def _values(self, n: Node, predicate: NamedNode) -> list[Term]:
        return self._facts.get(n, {}).get(predicate, [])

    def _texts(self, n: NamedNode, predicate: NamedNode) -> list[str]:
        return [value.value for value in self._values(n, predicate)]

    def _text(self, n: NamedNode, predicate: NamedNode) -> str | None:
        texts = self._texts(n, predicate)
        return texts[0] if texts else None

    def _flag(self, n: NamedNode, predicate: NamedNode) -> bool:
        return any(python(value) is True for value in self._values(n, predicate))


def _name(affordance: Property | Action | Event) -> str:
    return affordance.name


def _place(n: NamedNode) -> tuple[int, str]:
    """Nodes that end in a number are ordered by it, the others by their IRI."""
    last = n.value.rpartition("/")[2]
    return (int(last) if last.isdecimal() else -1, n.value)


def _json(value: Term) -> Json:
    return python(value)  # type: ignore[return-value]


def _first(values: list[Term] | None) -> Json:
    return _json(values[0]) if values else None


def _number(value: Term) -> float:
    number = python(value)
    return number if isinstance(number, (int, float)) else float("nan")


def _extra(about: dict[NamedNode, list[Term]]) -> dict[str, Json]:
    return {_PLAIN[p.value]: _json(values[0]) for p, values in about.items() if p.value in _PLAIN}
