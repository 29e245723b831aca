"""A Thing Description as Python sees it: frozen, with every term an absolute IRI.

https://www.w3.org/TR/wot-thing-description11/
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2s

from engine.graph.terms import Json
from engine.model.vocabulary import Effect


@dataclass(frozen=True, slots=True)
class Schema:
    """A DataSchema (TD 1.1, section 5.3.2). `type` is the JSON type, None where it is not given.

    `kinds` are the classes of the vocabulary for the value's meaning (`hg:Brightness`); `unit` is as in the TD (a code
    or an IRI). `properties` keep their order. `extra` holds members of TD 1.1 that the engine does not use.
    """

    type: str | None = None
    name: str | None = None
    kinds: frozenset[str] = frozenset()
    minimum: float | None = None
    maximum: float | None = None
    exclusive_minimum: float | None = None
    exclusive_maximum: float | None = None
    multiple_of: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    min_items: int | None = None
    max_items: int | None = None
    enum: tuple[Json, ...] = ()
    const: Json = None
    has_const: bool = False
    default: Json = None
    has_default: bool = False
    unit: str | None = None
    properties: tuple[tuple[str, Schema], ...] = ()
    required: frozenset[str] = frozenset()
    items: tuple[Schema, ...] = ()
    one_of: tuple[Schema, ...] = ()
    read_only: bool = False
    write_only: bool = False
    title: str | None = None
    description: str | None = None
    extra: Mapping[str, Json] = field(default_factory=dict, hash=False, compare=False)

    def member(self, name: str) -> Schema | None:
        """The schema of an object's member, or None."""
        return next((schema for key, schema in self.properties if key == name), None)


@dataclass(frozen=True, slots=True)
class Form:
    """A hypermedia control (TD 1.1, section 5.3.4.2). `operations` are IRIs such as `td:invokeAction`."""

    target: str
    operations: tuple[str, ...] = ()
    method: str | None = None
    content_type: str = "application/json"
    subprotocol: str | None = None
    security: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """The owner of properties and actions: the thing itself (`path` empty), or a component of it (`light`).

    `recognised` are the defined classes inferred from its affordances (a dimmable light).
    """

    iri: str
    path: str
    classes: frozenset[str]
    title: str = ""
    recognised: frozenset[str] = frozenset()

    @property
    def every_class(self) -> frozenset[str]:
        """The given and the recognised classes."""
        return self.classes | self.recognised


@dataclass(frozen=True, slots=True)
class Property:
    """A property affordance. `name` is the path under which it is addressed (`light.brightness`)."""

    iri: str
    name: str
    part: str
    schema: Schema
    kinds: frozenset[str] = frozenset()
    observable: bool = False
    inverted: bool = False
    forms: tuple[Form, ...] = ()
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """An action affordance. `effects` are its own, which override those of its command classes."""

    iri: str
    name: str
    part: str
    commands: frozenset[str] = frozenset()
    input: Schema | None = None
    output: Schema | None = None
    effects: tuple[Effect, ...] = ()
    safe: bool = False
    idempotent: bool = False
    forms: tuple[Form, ...] = ()
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """An event affordance."""

    iri: str
    name: str
    part: str
    data: Schema | None = None
    forms: tuple[Form, ...] = ()
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Thing:
    """A device or service. `document` is the named graph that holds its description.

    `place` is the room or workspace that contains it, `aliases` the further names that people use for it. The first
    of `parts` is the thing itself.
    """

    iri: str
    document: str
    title: str
    parts: tuple[Part, ...]
    properties: tuple[Property, ...] = ()
    actions: tuple[Action, ...] = ()
    events: tuple[Event, ...] = ()
    place: str | None = None
    aliases: tuple[str, ...] = ()
    description: str | None = None
    base: str | None = None
    security: tuple[str, ...] = ("nosec_sc",)

    @property
    def classes(self) -> frozenset[str]:
        """The classes of the thing itself."""
        return self.parts[0].classes

    def of_part(self, part: str) -> tuple[Property, ...]:
        """The properties of one part, by the part's IRI."""
        return tuple(p for p in self.properties if p.part == part)


def scale_key(prop: Property) -> str:
    """A short name of the scale that a property's values are on, the same for all whose values count alike: by kind,
    range, options, unit and polarity."""
    counted = (sorted(prop.kinds), prop.inverted, _counted(prop.schema))
    return blake2s(repr(counted).encode(), digest_size=8).hexdigest()


def _counted(schema: Schema) -> tuple[object, ...]:
    """The parts of a schema that define the scale of its values, always in the same order."""
    own = (schema.type, schema.minimum, schema.maximum, schema.multiple_of, schema.enum, schema.unit)
    inner = [(name, _counted(member)) for name, member in schema.properties]
    return (sorted(schema.kinds), own, inner, [_counted(one) for one in schema.one_of])
