"""Finds regrettable steps: those whose command, or whose effect on such a device, the ontology marks with hg:regret."""

from __future__ import annotations

from dataclasses import replace

from engine.environment.values.quantities import realise, same
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount
from engine.model.plan import Plan, Step
from engine.model.thing import Property
from engine.model.vocabulary import Effect
from engine.planning.orders.amounts import amount_of
from engine.things.registry import Registry


def regretted(plan: Plan, registry: Registry) -> tuple[Step, ...]:
    """The steps of a plan that are asked about even under consent."""
    return tuple(step for step in plan.steps if not step.already and _regrettable(step, registry))


def _regrettable(step: Step, registry: Registry) -> bool:
    action = registry.actions.get(step.affordance)
    vocabulary = registry.vocabulary
    if action is not None and any(c in vocabulary.regrettable for c in action.commands):
        return True
    part = registry.parts.get(action.part if action else registry.properties[step.affordance].part)
    regrets = [e for cls in (part.classes if part else ()) for e in vocabulary.regrets.get(cls, ())]
    expected = [(registry.properties[iri], value) for iri, value in step.expected if iri in registry.properties]
    return any(_brings_about(prop, value, effect, registry) for prop, value in expected for effect in regrets)


def _brings_about(prop: Property, value: Json, effect: Effect, registry: Registry) -> bool:
    """Whether a property that becomes `value` has the regrettable effect: the door open, however far."""
    vocabulary = registry.vocabulary
    if not any(vocabulary.is_a(kind, effect.kind) for kind in prop.kinds):
        return False
    amount = amount_of(effect)
    if amount is None:
        return False
    try:
        regretted_value = realise(amount, prop, vocabulary)
        other_end = realise(_opposite(amount), prop, vocabulary) if isinstance(amount.value, bool) else None
    except ValueFault:
        return False
    if other_end is not None and isinstance(value, int | float) and not isinstance(value, bool):
        return not same(value, other_end, prop, vocabulary)
    return same(value, regretted_value, prop, vocabulary)


def _opposite(amount: Amount) -> Amount:
    return replace(amount, value=not amount.value)
