"""The members of an action's input by kind: paths, values and units."""

from __future__ import annotations

from dataclasses import replace

from engine.environment.values.colours import takes_colour
from engine.environment.values.scales import Scale, scale_of_schema
from engine.environment.values.spelling import PERCENT
from engine.environment.values.units import canonical
from engine.graph.terms import Json
from engine.model.thing import Property, Schema
from engine.model.vocabulary import Vocabulary

Path = tuple[str, ...]


def of_kind(kinds: frozenset[str], kind: str, vocabulary: Vocabulary) -> bool:
    """Whether one of `kinds` is `kind` or a sub-kind of it."""
    return any(vocabulary.is_a(one, kind) for one in kinds)


def find(schema: Schema, kind: str, vocabulary: Vocabulary) -> Path | None:
    """The names that lead to the value of a kind: () for the input itself, None where there is none.

    A member of a super-kind serves too. An input of one single value without a kind is taken for the one of the effect.
    """
    leaves = leaves_of(schema)
    exact = [path for path, leaf in leaves if kind in leaf.kinds]
    below = [path for path, leaf in leaves if of_kind(leaf.kinds, kind, vocabulary)]
    above = [path for path, leaf in leaves if any(vocabulary.is_a(kind, one) for one in leaf.kinds)]
    alone = [path for path, leaf in leaves if len(leaves) == 1 and not leaf.kinds]
    return next(iter([*exact, *below, *above, *alone]), None)


def leaves_of(schema: Schema, path: Path = ()) -> list[tuple[Path, Schema]]:
    """Every single value of an input with the names that lead to it. An object that is of a kind is one value."""
    if not is_group(schema):
        return [(path, schema)]
    return [leaf for name, member in schema.properties for leaf in leaves_of(member, (*path, name))]


def is_group(schema: Schema) -> bool:
    """Whether a schema is an object of several values, and not one value in the shape of an object."""
    if schema.type != "object" and not schema.properties:
        return False
    return not schema.kinds or not (takes_colour(schema) or len(schema.properties) == 1)


def at(schema: Schema, path: Path) -> Schema:
    """The schema of the value at a path that `find` gave."""
    for name in path:
        schema = schema.member(name) or schema
    return schema


def kinds_at(schema: Schema, path: Path | None) -> frozenset[str]:
    """The kinds of the value at a path."""
    return frozenset() if path is None else at(schema, path).kinds


def value_at(payload: Json, path: Path) -> Json:
    """The value of a payload at a path; None where there is none."""
    for name in path:
        payload = payload.get(name) if isinstance(payload, dict) else None
    return payload


def scale_at(schema: Schema, path: Path, prop: Property | None, vocabulary: Vocabulary) -> Scale:
    """How the value at a path counts: as the property does that it sets, as far as it does not say so itself."""
    leaf = at(schema, path)
    name = path[-1] if path else leaf.name or ""
    if prop is None:
        return scale_of_schema(leaf, leaf.kinds, vocabulary, name=name)
    kinds = leaf.kinds | prop.kinds | prop.schema.kinds
    return scale_of_schema(
        _completed(leaf, prop.schema, vocabulary), kinds, vocabulary, inverted=prop.inverted, name=name
    )


def alike(one: Scale, other: Scale) -> bool:
    """Whether a value of one scale can be taken for the other as it stands."""
    return (
        one.unit == other.unit
        and one.range == other.range
        and one.schema.type == other.schema.type
        and one.schema.enum == other.schema.enum
        and not one.schema.properties
        and not other.schema.properties
    )


def _completed(leaf: Schema, like: Schema, vocabulary: Vocabulary) -> Schema:
    """A single value as limited, and in the unit, as the property is, where it says nothing of that itself."""
    if leaf.properties or leaf.one_of or leaf.enum or not _akin(leaf, like):
        return leaf
    bounds = (leaf.minimum, leaf.maximum, leaf.exclusive_minimum, leaf.exclusive_maximum)
    if not any(bound is not None for bound in bounds):
        return replace(
            leaf,
            type=leaf.type or like.type,
            minimum=like.minimum,
            maximum=like.maximum,
            exclusive_minimum=like.exclusive_minimum,
            exclusive_maximum=like.exclusive_maximum,
            multiple_of=leaf.multiple_of or like.multiple_of,
            unit=leaf.unit or like.unit,
            enum=like.enum,
        )
    other_range = (leaf.minimum, leaf.maximum) != (like.minimum, like.maximum)
    if leaf.unit or (other_range and canonical(like.unit, vocabulary) == PERCENT):
        return leaf
    return replace(leaf, unit=like.unit)


def _akin(leaf: Schema, like: Schema) -> bool:
    """Whether two schemas are of one type, or both of numbers."""
    numbers = ("number", "integer")
    return leaf.type in (None, like.type) or (leaf.type in numbers and like.type in numbers)
