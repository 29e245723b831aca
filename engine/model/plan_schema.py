"""`shapes/plan.schema.json` compiled to closures, for plans are checked on the hot path, where jsonschema is too slow.

https://json-schema.org/draft/2020-12/json-schema-validation. The part of it that the file uses: unsupported keywords
raise when it is compiled. Alternatives (`anyOf`) must differ in JSON type or in the constant of `type`, so that a fault
is reported where it is and not as "none of these". A test compares the closures with jsonschema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

from engine import resources
from engine.errors import PlanError
from engine.graph.terms import Json

Check: TypeAlias = Callable[[Json, str], None]
"""Takes a value and its JSON path; raises PlanError where the value does not fit."""

_ANNOTATIONS = frozenset({"$schema", "$id", "title", "description", "$defs"})
_OBJECT = frozenset({"properties", "required", "additionalProperties", "oneOf"})
_ARRAY = frozenset({"items", "prefixItems", "minItems", "maxItems"})
_STRING = frozenset({"pattern", "maxLength"})
_NUMBER = frozenset({"minimum", "maximum"})


def json_type(value: object) -> str:
    """The name that JSON Schema has for the type of a value; numbers of both kinds are "number"."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object" if isinstance(value, dict) else type(value).__name__


@cache
def plan_check() -> Check:
    """The check of a whole tree, compiled once a process."""
    schema = json.loads((resources.folder("shapes") / "plan.schema.json").read_text(encoding="utf-8"))
    return compile_schema(schema)


def compile_schema(schema: Mapping[str, Any]) -> Check:
    """A JSON Schema of the supported subset as one closure. Raises ValueError for a keyword outside it."""
    return _Compiler(schema).compile(schema)


class _Compiler:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self.definitions: Mapping[str, Mapping[str, Any]] = root.get("$defs", {})
        self.compiled: dict[str, Check] = {}

    def compile(self, schema: Mapping[str, Any]) -> Check:
        rules = {key: value for key, value in schema.items() if key not in _ANNOTATIONS}
        if set(rules) == {"$ref"}:
            return self.reference(rules["$ref"])
        if set(rules) == {"anyOf"}:
            return self.union(rules["anyOf"])
        if set(rules) == {"const"} or set(rules) == {"enum"}:
            return _enumeration(tuple(rules["enum"] if "enum" in rules else [rules["const"]]))
        if not rules:
            return _anything
        return self.typed(rules.pop("type", None), rules)

    def reference(self, pointer: str) -> Check:
        """References are resolved when they are first followed, for the schema is recursive."""
        name = pointer.removeprefix("#/$defs/")

        def check(value: Json, path: str) -> None:
            found = self.compiled.get(name)
            if found is None:
                found = self.compiled[name] = self.compile(self.definitions[name])
            found(value, path)

        return check

    def typed(self, kind: str | None, rules: Mapping[str, Any]) -> Check:
        known = {"object": _OBJECT, "array": _ARRAY, "string": _STRING, "number": _NUMBER, "integer": _NUMBER}
        if kind is None or (unsupported := set(rules) - known.get(kind, frozenset())):
            raise ValueError(f"not supported in a compiled JSON Schema: {sorted(unsupported) if kind else dict(rules)}")
        build = {"object": self.object, "array": self.array, "string": _string, "number": _number, "integer": _number}
        inner = build[kind](rules) if kind in build else _anything
        wanted = "number" if kind == "integer" else kind

        def check(value: Json, path: str) -> None:
            if json_type(value) != wanted or (kind == "integer" and value != int(value)):  # type: ignore[arg-type]
                raise PlanError(f"expected {kind}, found {_shown(value)}", path=path)
            inner(value, path)

        return check

    def object(self, rules: Mapping[str, Any]) -> Check:
        members = {name: self.compile(schema) for name, schema in rules.get("properties", {}).items()}
        required = tuple(rules.get("required", ()))
        choices = tuple(tuple(choice["required"]) for choice in rules.get("oneOf", ()))
        if rules.get("additionalProperties", True) is not False:
            raise ValueError("an object of a compiled JSON Schema is closed: additionalProperties must be false")

        def check(value: Any, path: str) -> None:
            for name, member in value.items():
                inner = members.get(name)
                if inner is None:
                    raise PlanError(f"unknown member '{name}'; known are {', '.join(members)}", path=path)
                inner(member, f"{path}.{name}")
            for name in required:
                if name not in value:
                    raise PlanError(f"'{name}' is missing", path=path)
            if choices and sum(all(name in value for name in choice) for choice in choices) != 1:
                raise PlanError(f"needs exactly one of {' | '.join(', '.join(c) for c in choices)}", path=path)

        return check

    def array(self, rules: Mapping[str, Any]) -> Check:
        first = tuple(self.compile(schema) for schema in rules.get("prefixItems", ()))
        rest = self.compile(rules.get("items", {}))
        least, most = rules.get("minItems", 0), rules.get("maxItems", float("inf"))

        def check(value: Any, path: str) -> None:
            if not least <= len(value) <= most:
                raise PlanError(f"{len(value)} elements; allowed are {least} to {most}", path=path)
            for index, element in enumerate(value):
                (first[index] if index < len(first) else rest)(element, f"{path}[{index}]")

        return check

    def union(self, alternatives: list[Mapping[str, Any]]) -> Check:
        resolved = [self.definitions[a["$ref"].removeprefix("#/$defs/")] if "$ref" in a else a for a in alternatives]
        checks = [self.compile(alternative) for alternative in alternatives]
        if all("const" in r.get("properties", {}).get("type", {}) for r in resolved):
            return _by_name({r["properties"]["type"]["const"]: c for r, c in zip(resolved, checks, strict=True)})
        table = {r["type"]: c for r, c in zip(resolved, checks, strict=True)}
        if len(table) != len(checks):
            raise ValueError("alternatives of a compiled JSON Schema must differ in type")

        def check(value: Json, path: str) -> None:
            chosen = table.get(json_type(value))
            if chosen is None:
                raise PlanError(f"expected {' | '.join(table)}, found {_shown(value)}", path=path)
            chosen(value, path)

        return check


def _by_name(table: Mapping[str, Check]) -> Check:
    def check(value: Json, path: str) -> None:
        if not isinstance(value, dict):
            raise PlanError(f"expected a node, found {_shown(value)}", path=path)
        kind = value.get("type")
        chosen = table.get(kind) if isinstance(kind, str) else None
        if chosen is None:
            raise PlanError(f"unknown type of node {_shown(kind)}; known are {', '.join(table)}", path=f"{path}.type")
        chosen(value, path)

    return check


def _enumeration(allowed: tuple[Json, ...]) -> Check:
    def check(value: Json, path: str) -> None:
        if not isinstance(value, str) or value not in allowed:
            raise PlanError(f"{_shown(value)} is none of {', '.join(map(str, allowed))}", path=path)

    return check


def _string(rules: Mapping[str, Any]) -> Check:
    pattern = re.compile(rules.get("pattern", ""))
    most = rules.get("maxLength", float("inf"))

    def check(value: Any, path: str) -> None:
        if len(value) > most:
            raise PlanError(f"longer than {most} characters", path=path)
        if not pattern.search(value):
            raise PlanError(f"{_shown(value)} does not match {pattern.pattern}", path=path)

    return check


def _number(rules: Mapping[str, Any]) -> Check:
    least, most = rules.get("minimum", float("-inf")), rules.get("maximum", float("inf"))

    def check(value: Any, path: str) -> None:
        if not least <= value <= most:
            raise PlanError(f"{value} is not between {least} and {most}", path=path)

    return check


def _anything(value: Json, path: str) -> None:
    """The empty schema."""


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=lambda other: type(other).__name__)
    return text if len(text) <= 60 else f"{text[:57]}…"
