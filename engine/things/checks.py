"""Validation of things beyond what SHACL core can express, and the sentences that report violations."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

from engine.errors import ThingRefused
from engine.graph.shacl.compile import Check, compile_targets
from engine.graph.shacl.data import QuadData
from engine.graph.shacl.door import Door
from engine.graph.shacl.parse import parse
from engine.graph.shacl.report import Violation
from engine.graph.terms import Json, Quad, Triple, compact, expand
from engine.model.thing import Property, Schema, Thing
from engine.resources import folder
from engine.things.description.turtle import parse_file

SHAPES = ("thing", "effect")
_TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}
_PAIRS = (
    ("minimum", "maximum"),
    ("exclusive_minimum", "exclusive_maximum"),
    ("minimum", "exclusive_maximum"),
    ("exclusive_minimum", "maximum"),
    ("min_length", "max_length"),
    ("min_items", "max_items"),
)


@cache
def shapes() -> tuple[Triple, ...]:
    """`shapes/thing.ttl` and `shapes/effect.ttl`."""
    return tuple(triple for name in SHAPES for triple in parse_file(folder("shapes") / f"{name}.ttl"))


@cache
def _compiled() -> Check:
    return compile_targets(parse(shapes()))


@cache
def _door() -> Door:
    return Door(shapes())


def check_shapes(quads: tuple[Quad, ...]) -> tuple[Violation, ...]:
    """Violations of the shapes by a canonical description, as pyshacl reports them where a compiled shape fails."""
    return reported(quads) if any(compiled(quads)) else ()


def compiled(quads: tuple[Quad, ...]) -> Iterator[Violation]:
    """Violations of the compiled shapes, of severity sh:Violation alone."""
    data = QuadData(quads)
    check = _compiled()
    return (violation for n in data.nodes() for violation in check(n, data) if violation.severity == "Violation")


def reported(quads: tuple[Quad, ...]) -> tuple[Violation, ...]:
    """Violations that pyshacl reports, of severity sh:Violation alone."""
    return tuple(violation for violation in _door().check(quads) if violation.severity == "Violation")


def refusal(violations: tuple[Violation, ...]) -> ThingRefused:
    """The first violation as an error; it says how many more there are."""
    first = violations[0]
    more = f" ({len(violations) - 1} more like this)" if len(violations) > 1 else ""
    return ThingRefused(
        f"{compact(first.node)}: {first.message.rstrip('.')}{more}.",
        node=first.node,
        shape=first.shape,
        remedy=first.remedy or "Mend it and load the file again.",
    )


def bounds_warnings(thing: Thing) -> list[str]:
    """A sentence about a schema that no value fits, for descriptions in JSON-LD: W3C accepts them."""
    try:
        check_bounds(thing)
    except ThingRefused as fault:
        return [f"{fault.message.rstrip('.')}; nothing can be written there."]
    return []


def check_bounds(thing: Thing) -> None:
    """Raises ThingRefused for a schema whose least is above its greatest, or a bound that is no number."""
    for iri, schema in _schemas(thing):
        for inner in _tree(schema):
            _check_bounds(iri, inner)


def _check_bounds(iri: str, schema: Schema) -> None:
    for low, high in _PAIRS:
        least, most = getattr(schema, low), getattr(schema, high)
        wrong = any(bound is not None and not math.isfinite(bound) for bound in (least, most))
        if wrong or (least is not None and most is not None and least > most):
            where = f" (member {schema.name})" if schema.name else ""
            raise ThingRefused(
                f"{compact(iri)}{where}: {low} {least} and {high} {most} leave no value.",
                node=iri,
                shape=expand("hg:BoundsShape"),
                remedy="Write the smaller number first, and numbers for both.",
            )


def _schemas(thing: Thing) -> Iterator[tuple[str, Schema]]:
    for prop in thing.properties:
        yield prop.iri, prop.schema
    for action in thing.actions:
        for schema in (action.input, action.output):
            if schema is not None:
                yield action.iri, schema
    for event in thing.events:
        if event.data is not None:
            yield event.iri, event.data


def _tree(schema: Schema) -> Iterator[Schema]:
    yield schema
    for inner in (*(member for _, member in schema.properties), *schema.items, *schema.one_of):
        yield from _tree(inner)


def unknown_units(thing: Thing, known: frozenset[str]) -> Iterator[str]:
    """A sentence for each unit that the vocabulary does not know."""
    for iri, schema in _schemas(thing):
        for inner in _tree(schema):
            if inner.unit is not None and inner.unit not in known and inner.unit.lower() not in known:
                yield f"{compact(iri)}: the unit '{inner.unit}' is not known; it is taken as it stands."


def check_value(prop: Property, value: Json) -> str | None:
    """A sentence where a value is outside its property's range or options, else None. Raises ThingRefused for a value
    of another JSON type."""
    schema = prop.schema
    allowed = _TYPES.get(schema.type or "")
    whole = schema.type == "integer" and isinstance(value, float) and value.is_integer()
    typed = (
        allowed is None or whole or (isinstance(value, allowed) and (bool in allowed or not isinstance(value, bool)))
    )
    if not typed or not _finite(value):
        wanted = f"a {schema.type}" if schema.type and _finite(value) else "a value"
        raise ThingRefused(
            f"{compact(prop.iri)}: the state {value!r} is not {wanted}.",
            node=prop.iri,
            shape=expand("hg:StateShape"),
            remedy="Write a value that the schema of the property allows.",
        )
    if schema.enum and value not in schema.enum:
        return f"{compact(prop.iri)}: the state {value!r} is none of its options."
    if isinstance(value, (int, float)) and not isinstance(value, bool) and _outside(value, schema):
        return f"{compact(prop.iri)}: the state {value!r} is outside its range."
    return None


def _outside(value: float, schema: Schema) -> bool:
    low, high = schema.minimum, schema.maximum
    return (low is not None and value < low) or (high is not None and value > high)


def _finite(value: Json) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, list):
        return all(map(_finite, value))
    return all(map(_finite, value.values())) if isinstance(value, dict) else True
