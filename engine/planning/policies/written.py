"""Writes simple policies from a form: a device class, a property of it, and a bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2s

from pyoxigraph import BlankNode, RdfFormat, Triple, serialize

from engine.environment.values.schemas import is_number
from engine.errors import InputError
from engine.graph.terms import NAMESPACES, Json, Literal, NamedNode, Term, literal, node
from engine.model.thing import Schema
from engine.things.registry import Registry

POLICY = "https://w3id.org/hearthgraph/policy/"


class Bound(Enum):
    """The comparison of a value with the bound."""

    AT_MOST = "at most"
    AT_LEAST = "at least"
    IS = "always"
    IS_NOT = "never"


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of property that devices of a class have here, with the schema of one of them."""

    device_class: str
    kind: str
    name: str
    schema: Schema


def choices(registry: Registry) -> list[Choice]:
    """The device classes and properties in this home that policies can be about, by name."""
    found: dict[tuple[str, str], Choice] = {}
    vocabulary = registry.vocabulary
    for thing in registry.things.values():
        classes = {part.iri: part.classes for part in thing.parts}
        for prop in thing.properties:
            for kind in prop.kinds & vocabulary.kinds.keys():
                for one in classes.get(prop.part, ()):
                    name = f"{vocabulary.name(one)}: {vocabulary.name(kind)}"
                    found.setdefault((one, kind), Choice(one, kind, name, prop.schema))
    return sorted(found.values(), key=lambda one: one.name)


def written(choice: Choice, bound: Bound, text: str) -> str:
    """A policy in Turtle; the same choice gives the same policy. Raises InputError for a value that the property cannot
    have, or that has no order where one is asked for."""
    value = _value(choice.schema, text.strip())
    if bound in (Bound.AT_MOST, Bound.AT_LEAST) and not is_number(value):
        raise InputError(f"“{text[:40]}” is no number.", remedy="Give a number, or say always or never.")
    message = f"{choice.name.replace(':', ',')}: {bound.value} {text.strip()}."
    triples = _triples(choice, bound, value, message[:1].upper() + message[1:])
    prefixes = {name: NAMESPACES[name] for name in ("hg", "sh", "xsd")}
    return (serialize(triples, format=RdfFormat.TURTLE, prefixes=prefixes) or b"").decode()


def _triples(choice: Choice, bound: Bound, value: Json, message: str) -> Sequence[Triple]:
    key = f"{choice.device_class} {choice.kind} {bound.value} {value}"
    policy, said = NamedNode(POLICY + blake2s(key.encode(), digest_size=6).hexdigest()), BlankNode("property")
    asked = BlankNode("value") if bound is Bound.IS_NOT else said
    constraints: Mapping[Bound, str] = {Bound.AT_MOST: "sh:maxInclusive", Bound.AT_LEAST: "sh:minInclusive"}
    found: list[tuple[NamedNode | BlankNode, str, Term]] = [
        (policy, "rdf:type", node("sh:NodeShape")),
        (policy, "sh:name", Literal(message.rstrip("."))),
        (policy, "sh:message", Literal(message)),
        (policy, "sh:targetClass", NamedNode(choice.device_class)),
        (policy, "sh:property", said),
        (said, "sh:path", NamedNode(choice.kind)),
        (asked, constraints.get(bound, "sh:hasValue"), literal(value)),
    ]
    if bound is Bound.IS_NOT:
        found.append((said, "sh:not", asked))
    return [Triple(subject, node(predicate), value) for subject, predicate, value in found]


def _value(schema: Schema, text: str) -> Json:
    """The value of a text by a schema. Raises InputError."""
    if schema.type == "boolean" and text.casefold() in _TRUTHS:
        return _TRUTHS[text.casefold()]
    if schema.type in ("number", "integer"):
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if number - number == 0:  # neither infinite nor no number
            return int(number) if schema.type == "integer" and number.is_integer() else number
    options = [one for one in schema.enum if str(one).casefold() == text.casefold()]
    if options or (schema.type == "string" and not schema.enum and text):
        return options[0] if options else text
    possible = ", ".join(map(str, schema.enum[:8])) or {"boolean": "on or off"}.get(schema.type or "", "a number")
    raise InputError(f"“{text[:40]}” is no value of that.", remedy=f"Give {possible}.")


_TRUTHS = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
