"""Validates plan trees before they run: their schema, limits and variables (AmI HMAS, Appendix D, Table 5).

Pure: a tree goes in, nothing or a PlanError comes out. The errors carry the JSON path of the fault.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypeAlias

from engine.errors import PlanError
from engine.graph.terms import Json
from engine.model.plan_schema import json_type, plan_check

MAX_DEPTH = 100
"""Levels of JSON, which is about 45 of nodes."""
MAX_VALUES = 100_000
"""JSON values in all; a node has about five."""

OPERATORS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "+": (1, 64),
        "-": (1, 64),
        "*": (1, 64),
        "/": (2, 2),
        "min": (1, 64),
        "max": (1, 64),
        "clamp": (3, 3),
        "round": (1, 2),
        "floor": (1, 1),
        "ceil": (1, 1),
        "abs": (1, 1),
        "not": (1, 1),
        "next_option": (2, 3),
        "step_option": (3, 3),
    }
)
"""Operators of `compute` and how many operands they take, at least and at most."""

Node: TypeAlias = "dict[str, Any]"


def check(tree: Json, *, allowed: Collection[str] | None = None) -> None:
    """Whether `tree` is a plan that can be compiled.

    `allowed`: the affordances that it may name (those that retrieval found); None is no restriction.
    Raises PlanError with the path of the first fault: a schema that is broken, too deep or too large, a number that
    JSON does not have, an operator with too many operands, a variable that is read where it may be undefined or is
    written by two branches of a parallel, an action or endless wait under `wait_until`, an affordance not allowed.
    """
    _measure(tree)
    plan_check()(tree, "$")
    assert isinstance(tree, dict)
    if allowed is not None:
        _name_only(tree, allowed)
    _defined(tree, frozenset(), "$")


def walk(tree: Node) -> Iterator[Node]:
    """The nodes of a tree, parents before children, in the order of the document."""
    for _, node in located(tree):
        yield node


def located(tree: Node) -> Iterator[tuple[str, Node]]:
    """As `walk`, each with its JSON path."""
    stack = [("$", tree)]
    while stack:
        path, node = stack.pop()
        yield path, node
        stack.extend(reversed(list(_below(node, path))))


def affordances(tree: Node) -> tuple[str, ...]:
    """The affordances that a tree names, each once, in the order of the document."""
    return tuple(dict.fromkeys(node["affordance"] for node in walk(tree) if "affordance" in node))


def references(value: Json, path: str = "$") -> Iterator[tuple[str, str]]:
    """The variables that a payload refers to by `{"$": name}`, each with its JSON path."""
    if isinstance(value, dict):
        if set(value) == {"$"} and isinstance(value["$"], str):
            yield path, value["$"]
            return
        for name, member in value.items():
            yield from references(member, f"{path}.{name}")
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from references(element, f"{path}[{index}]")


def _below(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    for index, child in enumerate(node.get("children", ())):
        yield f"{path}.children[{index}]", child
    if "child" in node:
        yield f"{path}.child", node["child"]


def _measure(tree: Json) -> None:
    """Checks the limits first, and without recursion: later checks may then recurse. Raises PlanError."""
    stack: list[tuple[Any, str, int]] = [(tree, "$", 0)]
    count = 0
    while stack:
        value, path, depth = stack.pop()
        count += 1
        if depth > MAX_DEPTH or count > MAX_VALUES:
            limit = f"{MAX_DEPTH} levels" if depth > MAX_DEPTH else f"{MAX_VALUES} values"
            raise PlanError(f"the plan has more than {limit}", path=path[:80], remedy="Ask for less at a time.")
        if isinstance(value, dict):
            if not all(isinstance(name, str) for name in value):
                raise PlanError("a member's name is no text", path=path)
            stack.extend((member, f"{path}.{name}", depth + 1) for name, member in value.items())
        elif isinstance(value, list):
            stack.extend((element, f"{path}[{index}]", depth + 1) for index, element in enumerate(value))
        elif isinstance(value, float) and not math.isfinite(value):
            raise PlanError(f"{value} is no number of JSON", path=path)
        elif json_type(value) not in ("null", "boolean", "number", "string"):
            raise PlanError(f"{type(value).__name__} is no value of JSON", path=path)


def _name_only(tree: Node, allowed: Collection[str]) -> None:
    for path, node in located(tree):
        if "affordance" in node and node["affordance"] not in allowed:
            message = f"{node['affordance']} is not among the affordances that were found for this request"
            raise PlanError(message, path=f"{path}.affordance")


def _defined(node: Node, known: frozenset[str], path: str) -> frozenset[str]:
    """The variables that are surely defined when `node` has succeeded, beyond `known`. Raises for one used before."""
    match node["type"]:
        case "property":
            return frozenset((node["into"],))
        case "compute":
            _check_expression(node["expression"], known, f"{path}.expression")
            return frozenset((node["into"],))
        case "action":
            _refer(node["payload"], known, f"{path}.payload")
        case "condition":
            _refer(node["value"], known, f"{path}.value")
        case "sequence":
            return _defined_in_sequence(node, known, path)
        case "selector" | "parallel":
            return _defined_beside(node, known, path)
        case "wait_until" | "retry" | "timeout" | "inverter":
            return _defined_below(node, known, path)
    return frozenset()


def _defined_in_sequence(node: Node, known: frozenset[str], path: str) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for inner, child in _below(node, path):
        found |= _defined(child, known | found, inner)
    return found


def _defined_beside(node: Node, known: frozenset[str], path: str) -> frozenset[str]:
    """The variables that a node's children define: of alternatives those that each defines; of a parallel those that
    any does, and never the same twice."""
    found = [_defined(child, known, inner) for inner, child in _below(node, path)]
    if node["type"] == "parallel":
        _check_branches(node, path)
    if node["type"] == "selector" or node["policy"] == "success_on_one":
        return frozenset.intersection(*found)
    return frozenset().union(*found)


def _defined_below(node: Node, known: frozenset[str], path: str) -> frozenset[str]:
    if "child" not in node:
        _check_moment(node["at"], f"{path}.at")
        return frozenset()
    if node["type"] == "wait_until":
        _check_awaited(node, path)
    found = _defined(node["child"], known, f"{path}.child")
    return frozenset() if node["type"] == "inverter" else found


def _check_branches(node: Node, path: str) -> None:
    written: dict[str, str] = {}
    for inner, child in _below(node, path):
        for name in {leaf["into"] for leaf in walk(child) if "into" in leaf}:
            if name in written:
                raise PlanError(f"'{name}' is written by {written[name]} at the same time", path=inner)
            written[name] = inner


def _check_moment(at: str, path: str) -> None:
    try:
        datetime.fromisoformat(at)
    except ValueError:
        raise PlanError(f"{at} is no moment of the calendar", path=path) from None


def _check_awaited(node: Node, path: str) -> None:
    """Raises PlanError unless the child of a wait_until only reads and compares: it is ticked again and again."""
    for inner, child in located(node["child"]):
        if child["type"] in ("action", "wait", "wait_until", "retry"):
            where = f"{path}.child{inner[1:]}"
            raise PlanError(f"wait_until only reads and compares; it holds a node of type {child['type']}", path=where)


def _refer(value: Json, known: frozenset[str], path: str) -> None:
    for inner, name in references(value, path):
        _require(name, known, inner)


def _require(name: str, known: frozenset[str], path: str) -> None:
    if name not in known:
        raise PlanError(f"the variable '{name}' may be undefined here", path=path)


def _check_expression(expression: Json, known: frozenset[str], path: str) -> None:
    if isinstance(expression, str):
        _require(expression, known, path)
    elif isinstance(expression, list):
        operator = str(expression[0])
        least, most = OPERATORS[operator]
        if not least <= len(expression) - 1 <= most:
            span = str(least) if least == most else f"{least} to {most}"
            raise PlanError(f"'{operator}' takes {span} operands, not {len(expression) - 1}", path=path)
        for index, operand in enumerate(expression[1:], start=1):
            _check_expression(operand, known, f"{path}[{index}]")
