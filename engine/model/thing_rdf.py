"""A Thing as RDF: the quads of its document graph, in the canonical form of W3C TD 1.1, without blank nodes.

https://www.w3.org/TR/wot-thing-description11/#sec-vocabulary-definition

Two terms of our own stand beside W3C's: `hg:kind` on a schema within an input (where W3C's shapes allow no second
class), and `hg:order`, a rdf:JSON list that keeps the order of options and members, which repeated values lose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from engine.graph.terms import RDF_TYPE, Json, Literal, NamedNode, Quad, Term, expand, literal, node
from engine.model.thing import Action, Event, Form, Part, Property, Schema, Thing
from engine.model.vocabulary import Effect
from engine.model.vocabulary import Form as EffectForm

Statement = tuple[NamedNode, NamedNode, Term]

SCHEMA_TYPES: dict[str, NamedNode] = {
    name: node(f"js:{name.capitalize()}Schema")
    for name in ("object", "array", "string", "number", "integer", "boolean", "null")
}
"""JSON's name of a type → its class."""

STRUCTURE = frozenset(
    {expand(f"td:{name}") for name in ("Thing", "InteractionAffordance", "PropertyAffordance", "ActionAffordance")}
    | {expand("td:EventAffordance"), expand("hmas:Artifact"), expand("js:DataSchema"), expand("hctl:Form")}
    | {expand("owl:NamedIndividual"), expand("owl:Thing"), expand("rdfs:Resource")}
    | {cls.value for cls in SCHEMA_TYPES.values()}
)
"""The classes that say how a description is built; every other class says what something is."""

ANY_URI = node("xsd:anyURI")
UNSIGNED = node("xsd:unsignedInt")
NO_SECURITY = "nosec_sc"

TITLE, DESCRIPTION, NAME, HAS_FORM = node("td:title"), node("td:description"), node("td:name"), node("td:hasForm")
SECURITY, DEFINES_SECURITY = node("td:hasSecurityConfiguration"), node("td:definesSecurityScheme")
NO_SECURITY_SCHEME = node("wotsec:NoSecurityScheme")
BASE, ALIAS, PLACE = node("td:baseURI"), node("skos:altLabel"), node("hmas:isContainedIn")
HAS_PROPERTY, HAS_ACTION = node("td:hasPropertyAffordance"), node("td:hasActionAffordance")
HAS_EVENT, HAS_PART, PART, PATH = node("td:hasEventAffordance"), node("hg:hasPart"), node("hg:part"), node("hg:path")
OBSERVABLE, SAFE, IDEMPOTENT = node("td:isObservable"), node("td:isSafe"), node("td:isIdempotent")
INPUT, OUTPUT, NOTIFICATION = node("td:hasInputSchema"), node("td:hasOutputSchema"), node("td:hasNotificationSchema")
INVERTED, EFFECT, KIND, EFFECT_PROPERTY = node("hg:inverted"), node("hg:effect"), node("hg:kind"), node("hg:property")
ORDER = node("hg:order")
TARGET, OPERATION = node("hctl:hasTarget"), node("hctl:hasOperationType")
CONTENT_TYPE, SUBPROTOCOL = node("hctl:forContentType"), node("hctl:forSubProtocol")
METHOD, HEADERS = node("htv:methodName"), node("htv:headers")
FIELD_NAME, FIELD_VALUE = node("htv:fieldName"), node("htv:fieldValue")
FIRST, REST, NIL = node("rdf:first"), node("rdf:rest"), node("rdf:nil")
MEMBERS, MEMBER_NAME, REQUIRED = node("js:properties"), node("js:propertyName"), node("js:required")
ITEMS, ONE_OF, ENUM, CONST, DEFAULT = (node(f"js:{name}") for name in ("items", "oneOf", "enum", "const", "default"))
READ_ONLY, WRITE_ONLY, UNIT = node("js:readOnly"), node("js:writeOnly"), node("schema:unitCode")
LIMITS: dict[str, NamedNode] = {
    "minimum": node("js:minimum"),
    "maximum": node("js:maximum"),
    "exclusive_minimum": node("js:exclusiveMinimum"),
    "exclusive_maximum": node("js:exclusiveMaximum"),
    "multiple_of": node("js:multipleOf"),
}
COUNTS: dict[str, NamedNode] = {
    "min_length": node("js:minLength"),
    "max_length": node("js:maxLength"),
    "min_items": node("js:minItems"),
    "max_items": node("js:maxItems"),
}
PATTERN = node("js:pattern")
_COUNTED = frozenset(COUNTS.values())
EFFECT_FORMS: dict[EffectForm, NamedNode] = {form: node(f"hg:{form.value}") for form in EffectForm}
_OF_THINGS = (TITLE, DESCRIPTION, NAME, SECURITY, BASE, ALIAS, PLACE, HAS_PART, PART, PATH)
_OF_AFFORDANCES = (HAS_PROPERTY, HAS_ACTION, HAS_EVENT, OBSERVABLE, SAFE, IDEMPOTENT, INVERTED, EFFECT, KIND)
_OF_FORMS = (HAS_FORM, TARGET, OPERATION, CONTENT_TYPE, SUBPROTOCOL, METHOD, HEADERS, FIELD_NAME, FIELD_VALUE)
_OF_SCHEMAS = (INPUT, OUTPUT, NOTIFICATION, MEMBERS, MEMBER_NAME, REQUIRED, ITEMS, ONE_OF, ENUM, ORDER, CONST, DEFAULT)
CARRIED = frozenset(
    (*_OF_THINGS, *_OF_AFFORDANCES, *_OF_FORMS, *_OF_SCHEMAS, EFFECT_PROPERTY, FIRST, REST, READ_ONLY, WRITE_ONLY)
) | {UNIT, PATTERN, *LIMITS.values(), *COUNTS.values(), *EFFECT_FORMS.values()}
"""What `describe` says by itself of the nodes that it writes; anything else said of them is an extension."""
BOUNDS = {"minimum": LIMITS["minimum"], "maximum": LIMITS["maximum"]}

_FORBIDDEN = re.compile(r"[\x00-\x20<>\"{}|\\^`%#\[\]]")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`]*")
_WHOLE = ("it", "this", "thing", "artifact", "device")


def document_iri(thing: str) -> str:
    """The named graph of a thing: its IRI without a fragment such as `#it`, or with the fragment as a last segment."""
    document, _, fragment = thing.partition("#")
    return f"{document.rstrip('/')}/{fragment}" if fragment and fragment not in _WHOLE else document


def property_iri(document: str, name: str) -> str:
    """`…#properties/light.brightness` for the property under that path."""
    return below(document, "properties", name)


def action_iri(document: str, name: str) -> str:
    """`…#actions/light.turn_on` for the action under that path."""
    return below(document, "actions", name)


def event_iri(document: str, name: str) -> str:
    """`…#events/overheating` for the event of that name."""
    return below(document, "events", name)


def part_iri(document: str, path: str) -> str:
    """`…#parts/light` for the component of that path."""
    return below(document, "parts", path)


def below(iri: str, *steps: str) -> str:
    """The IRI of a node within the description: steps go behind a `#`, or behind the fragment that is there."""
    return iri + ("/" if "#" in iri else "#") + "/".join(_FORBIDDEN.sub(_escape, step) for step in steps)


def is_iri(text: str) -> bool:
    """Whether a text can stand as an absolute IRI."""
    try:
        return _IRI.fullmatch(text) is not None and bool(NamedNode(text))
    except ValueError:
        return False


def describe(thing: Thing) -> list[Quad]:
    """A whole description as quads of the graph `thing.document`; `things.description.turtle.read` is the way back."""
    graph = NamedNode(thing.document)
    return [Quad(subject, predicate, value, graph) for subject, predicate, value in _thing(thing)]


def extension(thing: Thing, carried: Iterable[Quad], quads: Iterable[Quad]) -> list[Quad]:
    """The quads of a description beyond `carried`, those that `describe` gives of the thing.

    Forms of the thing as a whole, and statements on its security schemes, are no part of a Thing: they are kept.
    """
    same = set(carried)
    written = {quad.subject for quad in same} - {
        NamedNode(below(thing.document, "security", n)) for n in thing.security
    }

    def goes_along(quad: Quad) -> bool:
        beyond = quad.predicate not in CARRIED or quad.subject not in written
        return beyond or (quad.predicate == HAS_FORM and quad.subject.value == thing.iri)  # type: ignore[union-attr]

    return [quad for quad in quads if quad not in same and goes_along(quad)]


def published(quads: Iterable[Quad]) -> list[Quad]:
    """Quads from a store as W3C wants them: counts are xsd:unsignedInt, of which a store keeps the number alone, and an
    affordance that nothing outside can call yet has a form that leads to itself (which `things.description.dialects`
    leaves out). Commands and kinds of the thing's own, which were made here, are left out."""
    found = [_counted(quad) if quad.predicate in _COUNTED else quad for quad in quads]
    things = [str(q.subject.value) for q in found if _is_thing(q)]  # type: ignore[union-attr]
    own = tuple(below(thing, step, "") for thing in things for step in ("commands", "kinds"))
    found = [q for q in found if q.predicate not in (RDF_TYPE, KIND) or not _within(q.object, own)]
    reachable = {quad.subject for quad in found if quad.predicate == HAS_FORM}
    for quad in [q for q in found if q.predicate in (HAS_PROPERTY, HAS_ACTION, HAS_EVENT)]:
        affordance = quad.object
        if isinstance(affordance, NamedNode) and affordance not in reachable:
            form = form_statements(affordance, NamedNode(below(affordance.value, "forms", "0")), Form(affordance.value))
            found += [Quad(subject, predicate, value, quad.graph_name) for subject, predicate, value in form]
    return found


def _is_thing(quad: Quad) -> bool:
    return quad.predicate == RDF_TYPE and quad.object == node("td:Thing")


def _within(term: object, beginnings: tuple[str, ...]) -> bool:
    return isinstance(term, NamedNode) and term.value.startswith(beginnings)


def _counted(quad: Quad) -> Quad:
    value = Literal(str(quad.object.value), datatype=UNSIGNED)  # type: ignore[union-attr]
    return Quad(quad.subject, quad.predicate, value, quad.graph_name)


def schema_statements(subject: NamedNode, schema: Schema, *, nested: bool = True) -> Iterator[Statement]:
    """A DataSchema at `subject`; its kinds are `hg:kind` where it is `nested`, classes where it is an affordance."""
    if schema.type is not None:
        yield subject, RDF_TYPE, SCHEMA_TYPES[schema.type]
    for kind in sorted(schema.kinds):
        yield subject, KIND if nested else RDF_TYPE, NamedNode(kind)
    yield from _limits(subject, schema)
    yield from _values(subject, schema)
    yield from _inner(subject, schema)
    if nested:
        yield from _texts(subject, schema.title, schema.description)


def _escape(found: re.Match[str]) -> str:
    return quote(found.group(), safe="")


def _thing(thing: Thing) -> Iterator[Statement]:
    subject = NamedNode(thing.iri)
    yield subject, RDF_TYPE, node("td:Thing")
    yield subject, RDF_TYPE, node("hmas:Artifact")
    yield from _texts(subject, thing.title, thing.description)
    for alias in thing.aliases:
        yield subject, ALIAS, Literal(alias, language="en")
    if thing.place is not None:
        yield subject, PLACE, NamedNode(thing.place)
    if thing.base is not None:
        yield subject, BASE, Literal(thing.base, datatype=ANY_URI)
    yield from _security(subject, thing)
    for part in thing.parts:
        yield from _part(subject, part)
    for prop in thing.properties:
        yield from _property(subject, prop)
    for action in thing.actions:
        yield from _action(subject, action)
    for event in thing.events:
        yield from _event(subject, event)


def _security(subject: NamedNode, thing: Thing) -> Iterator[Statement]:
    for name in thing.security:
        scheme = NamedNode(below(thing.document, "security", name))
        yield subject, SECURITY, Literal(name)
        yield subject, DEFINES_SECURITY, scheme
        if name == NO_SECURITY:
            yield scheme, RDF_TYPE, NO_SECURITY_SCHEME


def _part(thing: NamedNode, part: Part) -> Iterator[Statement]:
    subject = NamedNode(part.iri)
    for cls in sorted(part.classes):
        yield subject, RDF_TYPE, NamedNode(cls)
    if subject != thing:
        yield thing, HAS_PART, subject
        yield subject, PATH, Literal(part.path)
        if part.title:
            yield subject, TITLE, Literal(part.title, language="en")


def _affordance(
    thing: NamedNode, link: NamedNode, affordance: Property | Action | Event, cls: str
) -> Iterator[Statement]:
    subject = NamedNode(affordance.iri)
    yield thing, link, subject
    yield subject, RDF_TYPE, node(cls)
    yield subject, NAME, Literal(affordance.name)
    yield subject, PART, NamedNode(affordance.part)
    yield from _texts(subject, affordance.title, affordance.description)
    for index, form in enumerate(affordance.forms):
        yield from form_statements(subject, NamedNode(below(affordance.iri, "forms", str(index))), form)


def _property(thing: NamedNode, prop: Property) -> Iterator[Statement]:
    subject = NamedNode(prop.iri)
    yield from _affordance(thing, HAS_PROPERTY, prop, "td:PropertyAffordance")
    yield from schema_statements(subject, prop.schema, nested=False)
    for kind in sorted(prop.kinds - prop.schema.kinds):
        yield subject, RDF_TYPE, NamedNode(kind)
    if prop.observable:
        yield subject, OBSERVABLE, literal(True)
    if prop.inverted:
        yield subject, INVERTED, literal(True)


def _action(thing: NamedNode, action: Action) -> Iterator[Statement]:
    subject = NamedNode(action.iri)
    yield from _affordance(thing, HAS_ACTION, action, "td:ActionAffordance")
    for command in sorted(action.commands):
        yield subject, RDF_TYPE, NamedNode(command)
    for link, schema, step in ((INPUT, action.input, "input"), (OUTPUT, action.output, "output")):
        if schema is not None:
            yield from _linked(subject, link, below(action.iri, step), schema)
    for index, effect in enumerate(action.effects):
        yield from _effect(subject, NamedNode(below(action.iri, "effects", str(index))), effect)
    if action.safe:
        yield subject, SAFE, literal(True)
    if action.idempotent:
        yield subject, IDEMPOTENT, literal(True)


def _event(thing: NamedNode, event: Event) -> Iterator[Statement]:
    yield from _affordance(thing, HAS_EVENT, event, "td:EventAffordance")
    if event.data is not None:
        yield from _linked(NamedNode(event.iri), NOTIFICATION, below(event.iri, "data"), event.data)


def _linked(subject: NamedNode, link: NamedNode, iri: str, schema: Schema) -> Iterator[Statement]:
    yield subject, link, NamedNode(iri)
    yield from schema_statements(NamedNode(iri), schema)


def _texts(subject: NamedNode, title: str | None, description: str | None) -> Iterator[Statement]:
    if title:
        yield subject, TITLE, Literal(title, language="en")
    if description:
        yield subject, DESCRIPTION, Literal(description, language="en")


def _effect(action: NamedNode, subject: NamedNode, effect: Effect) -> Iterator[Statement]:
    yield action, EFFECT, subject
    if effect.kind:
        yield subject, KIND, NamedNode(effect.kind)
    if effect.property is not None:
        yield subject, EFFECT_PROPERTY, NamedNode(effect.property)
    yield subject, EFFECT_FORMS[effect.form], _effect_value(effect)


def _effect_value(effect: Effect) -> Term:
    if effect.form is EffectForm.TO_BOUND:
        return BOUNDS[str(effect.value)]
    if isinstance(effect.value, str) and is_iri(effect.value):
        return NamedNode(effect.value)
    return literal(effect.value)


def form_statements(affordance: NamedNode, subject: NamedNode, form: Form) -> Iterator[Statement]:
    """A form at `subject`, of an affordance or a whole thing."""
    yield affordance, HAS_FORM, subject
    yield subject, RDF_TYPE, node("hctl:Form")
    yield subject, TARGET, Literal(form.target, datatype=ANY_URI)
    for operation in form.operations:
        yield subject, OPERATION, NamedNode(operation)
    yield subject, CONTENT_TYPE, Literal(form.content_type)
    if form.method is not None:
        yield subject, METHOD, Literal(form.method)
    if form.subprotocol is not None:
        yield subject, SUBPROTOCOL, Literal(form.subprotocol)
    for name in form.security:
        yield subject, SECURITY, Literal(name)
    if form.headers:
        yield from _headers(subject, form.headers)


def _headers(form: NamedNode, headers: tuple[tuple[str, str], ...]) -> Iterator[Statement]:
    """`htv:headers` is a list: each header is a node that is its own list cell's first."""
    cells = [NamedNode(below(form.value, "headers", str(index))) for index in range(len(headers))]
    yield form, HEADERS, cells[0]
    for cell, rest, (name, value) in zip(cells, [*cells[1:], NIL], headers, strict=True):
        header = NamedNode(below(cell.value, "field"))
        yield cell, FIRST, header
        yield cell, REST, rest
        yield header, FIELD_NAME, Literal(name)
        yield header, FIELD_VALUE, Literal(value)


def number(value: float, whole: bool) -> Literal:
    """A bound as a literal: xsd:integer on an IntegerSchema where it is one, else xsd:double."""
    return literal(int(value)) if whole and float(value).is_integer() else literal(float(value))


def _limits(subject: NamedNode, schema: Schema) -> Iterator[Statement]:
    for field, predicate in LIMITS.items():
        value: float | None = getattr(schema, field)
        if value is not None:
            yield subject, predicate, number(value, schema.type == "integer")
    for field, predicate in COUNTS.items():
        count: int | None = getattr(schema, field)
        if count is not None:
            yield subject, predicate, Literal(str(count), datatype=UNSIGNED)
    if schema.pattern is not None:
        yield subject, PATTERN, Literal(schema.pattern)


def _values(subject: NamedNode, schema: Schema) -> Iterator[Statement]:
    for option in schema.enum:
        yield subject, ENUM, literal(option)
    if len(schema.enum) > 1:
        yield subject, ORDER, literal(list(schema.enum))
    if schema.has_const:
        yield subject, CONST, literal(schema.const)
    if schema.has_default:
        yield subject, DEFAULT, literal(schema.default)
    if schema.unit is not None:
        yield subject, UNIT, Literal(schema.unit)
    if schema.read_only:
        yield subject, READ_ONLY, literal(True)
    if schema.write_only:
        yield subject, WRITE_ONLY, literal(True)
    yield from _extra(subject, schema.extra)


def _extra(subject: NamedNode, extra: Mapping[str, Json]) -> Iterator[Statement]:
    for key, value in extra.items():
        if value is not None and not isinstance(value, (list, dict)):
            yield subject, NamedNode(key) if is_iri(key) else node(f"js:{key}"), literal(value)


def _inner(subject: NamedNode, schema: Schema) -> Iterator[Statement]:
    for name, member in schema.properties:
        inner = NamedNode(below(subject.value, "properties", name))
        yield subject, MEMBERS, inner
        yield inner, MEMBER_NAME, Literal(name)
        yield from schema_statements(inner, member)
    if len(schema.properties) > 1:
        yield subject, ORDER, literal([name for name, _ in schema.properties])
    for name in sorted(schema.required):
        yield subject, REQUIRED, Literal(name)
    for step, predicate, schemas in (("items", ITEMS, schema.items), ("oneOf", ONE_OF, schema.one_of)):
        for index, alternative in enumerate(schemas):
            yield from _linked(subject, predicate, below(subject.value, step, str(index)), alternative)
