"""JSON Schemas of strangers: bounded before they come in, and split into fixed and open members.

https://json-schema.org/draft/2020-12
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from engine.errors import InputError
from engine.graph.terms import Json

DEEPEST, MOST = 16, 2_000
"""Levels and members of one schema; what is larger is refused, so that no schema unfolds in memory."""
LONGEST = 4_000
"""Characters of a description that are kept."""

Schema = Mapping[str, Json]


class SchemaRefused(InputError):
    """A schema that is too deep, too large or has references that lead out of it."""

    reason = "schema_refused"


def tamed(schema: object) -> dict[str, Any] | None:
    """The schema with its own references resolved, bounded. None for an empty one. Raises SchemaRefused."""
    if not isinstance(schema, dict) or not schema:
        return None
    return _Taming(schema).node(schema, 0)


class _Taming:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._count = 0

    def node(self, found: object, depth: int) -> dict[str, Any]:
        """A schema in its place; a truth value, which allows all or nothing, is one that says nothing."""
        if not isinstance(found, dict):
            return {}
        self._count += 1 + len(found)
        if depth > DEEPEST or self._count > MOST:
            raise SchemaRefused("A schema is nested too deep, or too large.", remedy="Ask its author for less.")
        if isinstance(found.get("$ref"), str):
            rest = {key: value for key, value in found.items() if key != "$ref"}
            return self.node({**self._target(found["$ref"]), **rest}, depth + 1)
        return {
            key: self._member(key, value, depth) for key, value in found.items() if key not in ("$defs", "definitions")
        }

    def _member(self, key: str, value: object, depth: int) -> Any:
        if key == "properties" and isinstance(value, dict):
            return {str(name): self.node(one, depth + 1) for name, one in value.items()}
        if key in ("items", "not") or (key == "additionalProperties" and isinstance(value, dict)):
            return self.node(value, depth + 1)
        if key in ("anyOf", "oneOf", "allOf") and isinstance(value, list):
            return [self.node(one, depth + 1) for one in value]
        return value[:LONGEST] if isinstance(value, str) else value

    def _target(self, reference: str) -> dict[str, Any]:
        found: Any = self._root
        for step in reference.removeprefix("#").strip("/").split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            found = found.get(name) if isinstance(found, dict) else None
        if not reference.startswith("#") or not isinstance(found, dict):
            raise SchemaRefused("A schema refers to what is not in it.", remedy="Ask its author for one that is whole.")
        return found


def choices(schema: Schema | None) -> dict[str, Any] | None:
    """The open members of a schema; None where all are fixed."""
    if not schema:
        return None
    if "const" in schema:
        return None
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return dict(schema)
    left = {name: found for name, one in properties.items() if (found := choices(cast(Schema, one))) is not None}
    if not left and properties:
        return None
    required = [name for name in cast("list[str]", schema.get("required") or []) if name in left]
    rest = {key: value for key, value in schema.items() if key not in ("properties", "required")}
    return {**rest, "properties": left, **({"required": required} if required else {})}


def completed(schema: Schema | None, chosen: Json) -> Json:
    """The payload: chosen values, with the fixed ones of the schema added."""
    if not schema:
        return chosen
    if "const" in schema:
        return schema["const"]
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not isinstance(chosen, dict | None):
        return chosen
    whole: dict[str, Json] = dict(chosen or {})
    for name, one in properties.items():
        if isinstance(one, dict) and (name in whole or _fixed(one)):
            whole[name] = completed(one, whole.get(name))
    return whole if whole or chosen is not None else None


def _fixed(schema: Mapping[str, Any]) -> bool:
    """Whether anything of it is fixed."""
    if "const" in schema:
        return True
    properties = schema.get("properties")
    return isinstance(properties, dict) and any(isinstance(one, dict) and _fixed(one) for one in properties.values())


def described(schema: Schema | None) -> dict[str, Any] | None:
    """The schema as a Thing Description may have it (TD 1.1, section 5.3.2): one type, and no more than it knows."""
    if not schema:
        return None
    kinds = schema.get("type")
    kind = next((one for one in kinds if one != "null"), None) if isinstance(kinds, list) else kinds
    several = [one for key in ("anyOf", "oneOf") for one in cast("list[Any]", schema.get(key) or [])]
    alternatives = [one for one in several if isinstance(one, dict) and one.get("type") != "null"]
    if kind is None and len(alternatives) == 1:
        merged = {key: value for key, value in schema.items() if key not in ("anyOf", "oneOf")}
        return described({**alternatives[0], **merged})
    found: dict[str, Any] = {key: schema[key] for key in _PLAIN if isinstance(schema.get(key), _PLAIN[key])}
    if isinstance(kind, str) and kind in _TYPES:
        found["type"] = kind
    elif "properties" in schema:
        found["type"] = "object"
    found |= {key: schema[key] for key in ("const", "default") if key in schema and schema[key] is not None}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        found["properties"] = {name: described(cast(Schema, one)) or {} for name, one in properties.items()}
    if isinstance(schema.get("items"), dict):
        found["items"] = described(cast(Schema, schema["items"])) or {}
    return found


_TYPES = frozenset(("boolean", "integer", "number", "string", "object", "array", "null"))
_PLAIN: dict[str, Any] = {
    **dict.fromkeys(("title", "description", "unit", "pattern", "format"), str),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), (int, float)),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), int),
    **dict.fromkeys(("enum", "required"), list),
}
