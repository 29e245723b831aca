"""What a person would regret: steps whose command, or whose effect on such a device, the ontology says so of."""

from __future__ import annotations

from engine.model.plan import Plan, Step
from engine.things.registry import Registry


def regretted(plan: Plan, registry: Registry) -> tuple[Step, ...]:
    """The steps of a plan that are asked about even under consent."""
    return tuple(step for step in plan.steps if not step.already and _regrettable(step, registry))


def _regrettable(step: Step, registry: Registry) -> bool:
    action = registry.actions.get(step.affordance)
    vocabulary = registry.vocabulary
    return action is not None and any(c in vocabulary.regrettable for c in action.commands)
