"""Rules written down for Home Assistant, to be kept there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.errors import HearthgraphError, PlanError
from engine.model.rule import Becomes, Rule
from engine.origins.home_assistant.automations import KEPT_HERE, automation
from engine.origins.home_assistant.scripts import script
from engine.planning.site import Site
from engine.planning.solver import solve
from engine.rules.standing import becoming
from engine.rules.ways import condition_ways, event_ways


def exported(rules: Sequence[Rule], site: Site) -> tuple[list[dict[str, Any]], list[str]]:
    """The rules as entries of `automations.yaml`, and in words why others are none."""
    found: list[dict[str, Any]] = []
    left: list[str] = []
    for rule in rules:
        try:
            found.append(_automation(rule, site))
        except HearthgraphError as fault:
            left.append(f"“{rule.text}”: {fault}")
    return found, left


def _automation(rule: Rule, site: Site) -> dict[str, Any]:
    store, registry = site.store, site.registry
    rule = replace(rule, triggers=tuple(t for one in rule.triggers for t in (*becoming(one, registry),) or (one,)))
    events = [event_ways(one, store, registry) for one in rule.triggers if isinstance(one, Becomes)]
    held = condition_ways(rule, store, registry) if rule.conditions else []
    return automation(rule, events, held, _sequence(rule, site), registry)


def _sequence(rule: Rule, site: Site) -> list[dict[str, Any]]:
    """What a rule does, as a script does it. Raises PlanError where it cannot be done at all."""
    if not rule.actions:
        return []
    solution = solve([((action,),) for action in rule.actions], site, f"{rule.iri}/exported")
    if solution.plan is None or solution.reverts:
        raise PlanError("What it does cannot be written as a script.", remedy=KEPT_HERE)
    [written] = script(solution.plan, site.registry, rule.text or "rule").values()
    return list(written["sequence"])
