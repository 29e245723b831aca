"""A plan as a script or a scene of Home Assistant's, for people who want to keep it there.

https://www.home-assistant.io/docs/scripts/
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.errors import PlanError
from engine.graph.terms import Json
from engine.model.plan import Plan
from engine.model.plan_ir import Node
from engine.origins.home_assistant.entities import slug
from engine.origins.home_assistant.homes import addressed
from engine.origins.home_assistant.mapping import STATE
from engine.things.registry import Registry

_INFIX = {"+": "+", "-": "-", "*": "*", "/": "/"}
_COMPARISONS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def script(plan: Plan, registry: Registry, alias: str) -> dict[str, Any]:
    """The plan as an entry of `script:`, by its id. Raises PlanError for plans that Home Assistant's scripts cannot
    express, and for affordances that are not Home Assistant's."""
    return {slug(alias) or "plan": {"alias": alias, "mode": "single", "sequence": _Writer(registry).actions(plan.tree)}}


def scene(plan: Plan, registry: Registry, name: str) -> dict[str, Any]:
    """The state that a plan brings about as an entry of `scene:`. Raises PlanError where it brings about none."""
    entities: dict[str, dict[str, Json]] = {}
    for step in plan.steps:
        for iri, value in step.expected:
            entity, source = _place(iri, registry)
            entities.setdefault(entity, {})[source] = _state(value) if source == STATE else value
    if not entities:
        raise PlanError("The plan brings about no state that a scene could hold.", remedy="Export it as a script.")
    return {"name": name, "entities": entities}


def _place(iri: str, registry: Registry) -> tuple[str, str]:
    """The entity of an affordance, and the affordance's name there."""
    found = registry.properties.get(iri) or registry.actions.get(iri)
    place = addressed(found.forms[0].target) if found is not None and found.forms else None
    if place is None:
        raise PlanError(f"<{iri}> is nothing of Home Assistant's.", remedy="Export plans for its things alone.")
    return place


def _state(value: Json) -> Json:
    return ("on" if value else "off") if isinstance(value, bool) else value if isinstance(value, str) else str(value)


def comparison(iri: str, operator: str, value: Json, registry: Registry) -> str:
    """The template of a comparison of a property with a value: == != < <= > >=. Raises PlanError for affordances that
    are not Home Assistant's."""
    same = next(own for own, theirs in _COMPARISONS.items() if theirs == operator)
    return _Writer(registry).compared({"affordance": iri, "operator": same, "value": value})


class _Writer:
    """Nodes as actions and conditions; variables keep their names."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def actions(self, node: Node) -> list[dict[str, Any]]:
        """A node as a list of actions."""
        kind = str(node["type"])
        if kind == "sequence":
            return [action for child in node["children"] for action in self.actions(child)]
        if kind == "parallel":
            return self._parallel(node)
        if kind == "selector":
            return self._selector(node)
        if kind in ("condition", "inverter"):
            return [self._condition(node)]
        if kind == "action":
            return [self._action(node)]
        if kind in ("property", "compute"):
            return [{"variables": {node["into"]: "{{ " + self._value(node) + " }}"}}]
        if kind == "wait":
            return [{"delay": {"seconds": node["seconds"]}}]
        if kind == "wait_until":
            return [{"wait_template": "{{ " + self._awaited(node) + " }}"}]
        raise PlanError(f"Home Assistant's scripts have nothing like {kind}.", remedy="Keep this plan here.")

    def _parallel(self, node: Node) -> list[dict[str, Any]]:
        branches = [self.actions(child) for child in node["children"]]
        return branches[0] if len(branches) == 1 else [{"parallel": [{"sequence": branch} for branch in branches]}]

    def _selector(self, node: Node) -> list[dict[str, Any]]:
        """An action guarded by conditions, to be done only where they do not hold already."""
        *checks, last = node["children"]
        if not all(_is_condition(check) for check in checks):
            raise PlanError("Home Assistant's scripts cannot try another way when one fails.")
        conditions = [self._condition(check) for check in checks]
        return [{"if": [{"condition": "not", "conditions": conditions}], "then": self.actions(last)}]

    def _action(self, node: Node) -> dict[str, Any]:
        entity, name = _place(node["affordance"], self._registry)
        domain, _, plain = name.rpartition(".")
        called = {"action": f"{domain or entity.partition('.')[0]}.{plain}", "target": {"entity_id": entity}}
        payload = _filled(node["payload"])
        return {**called, "data": payload} if payload else called

    def _condition(self, node: Node) -> dict[str, Any]:
        if node["type"] == "sequence":
            return {"condition": "and", "conditions": [self._condition(child) for child in node["children"]]}
        if node["type"] == "inverter":
            return {"condition": "not", "conditions": [self._condition(node["child"])]}
        entity, source = _place(node["affordance"], self._registry)
        value = node["value"]
        if source == STATE and node["operator"] == "=" and isinstance(value, bool | str):
            return {"condition": "state", "entity_id": entity, "state": _state(value)}
        return {"condition": "template", "value_template": "{{ " + self.compared(node) + " }}"}

    def compared(self, node: Node) -> str:
        """A comparison as a template says it."""
        present = self._read(node["affordance"])
        wanted = node["value"]
        operand = wanted["$"] if isinstance(wanted, dict) and "$" in wanted else literal(wanted)
        return f"{present} {_COMPARISONS[node['operator']]} {operand}"

    def _awaited(self, node: Node) -> str:
        if "at" in node:
            return f"now() >= as_datetime({literal(node['at'])})"
        child = node["child"]
        return f"not ({self.compared(child['child'])})" if child["type"] == "inverter" else self.compared(child)

    def _value(self, node: Node) -> str:
        return self._read(node["affordance"]) if node["type"] == "property" else _expression(node["expression"])

    def _read(self, iri: str) -> str:
        """The template that reads a property: as a number where it is one, as a boolean where it is on or off."""
        entity, source = _place(iri, self._registry)
        kind = self._registry.properties[iri].schema.type
        if source != STATE:
            told = f"state_attr({literal(entity)}, {literal(source)})"
            return f"({told} or 0)" if kind in ("number", "integer") else told
        told = f"states({literal(entity)})"
        if kind in ("number", "integer"):
            return f"{told} | float(0)"
        return f"({told} == 'on')" if kind == "boolean" else told


def _is_condition(node: Node) -> bool:
    if node["type"] == "sequence":
        return all(map(_is_condition, node["children"]))
    return node["type"] == "condition" or (node["type"] == "inverter" and _is_condition(node["child"]))


def literal(value: Json) -> str:
    """A value as Jinja writes it, which is as JSON does but for null."""
    return "none" if value is None else json.dumps(value, ensure_ascii=False)


def _filled(payload: Json) -> Any:
    """A payload whose variables are templates; template syntax in a person's words becomes a string literal."""
    if isinstance(payload, Mapping):
        if set(payload) == {"$"}:
            return "{{ " + str(payload["$"]) + " }}"
        return {name: _filled(value) for name, value in payload.items()}
    if isinstance(payload, list):
        return [_filled(value) for value in payload]
    if isinstance(payload, str) and ("{{" in payload or "{%" in payload or "{#" in payload):
        return "{{ " + json.dumps(payload, ensure_ascii=False) + " }}"
    return payload


def _expression(found: Any) -> str:
    if isinstance(found, bool | int | float):
        return literal(found)
    if isinstance(found, str):
        return found
    if isinstance(found, Mapping):
        return literal(found["literal"])
    operator, operands = found[0], [f"({_expression(one)})" for one in found[1:]]
    if operator in _INFIX:
        return f" {_INFIX[operator]} ".join(operands) if len(operands) > 1 else f"{operator}{operands[0]}"
    if operator not in _FUNCTIONS:
        raise PlanError(f"Home Assistant's templates have nothing like {operator}.", remedy="Keep this plan here.")
    return _FUNCTIONS[operator](operator, operands)


def _listed(operator: str, operands: Iterable[str]) -> str:
    return f"[{', '.join(operands)}] | {operator}"


def _clamped(_: str, operands: list[str]) -> str:
    return f"[[{operands[0]}, {operands[1]}] | max, {operands[2]}] | min"


def _rounded(operator: str, operands: list[str]) -> str:
    """To a multiple: a half goes up here, where Home Assistant would go to the even one."""
    step = operands[1] if len(operands) > 1 else "1"
    share = f"({operands[0]} / {step}{' + 0.5' if operator == 'round' else ''})"
    way = "ceil" if operator == "ceil" else "floor"
    return f'({share} | round(0, "{way}")) * {step}'


_FUNCTIONS: dict[str, Callable[[str, list[str]], str]] = {
    "min": _listed,
    "max": _listed,
    "clamp": _clamped,
    "round": _rounded,
    "floor": _rounded,
    "ceil": _rounded,
    "abs": lambda _, operands: f"{operands[0]} | abs",
    "not": lambda _, operands: f"not {operands[0]}",
}
