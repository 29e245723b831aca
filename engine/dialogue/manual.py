"""What a person does by hand on a page, or a program by its own name: an intent that was never put in words."""

from __future__ import annotations

from engine.environment.values.quantities import amount_of
from engine.environment.values.scales import scale_of
from engine.environment.values.schemas import validate
from engine.errors import InputError
from engine.graph.terms import Json
from engine.language.replies import replies
from engine.model.intent import Intent, Operation
from engine.model.selection import Quantity, Select
from engine.things.registry import Registry


def by_hand(prop: str, value: Json, request: str, registry: Registry) -> Intent:
    """The intent to bring a property to a value; its text says so in words.

    Raises InputError for a property that is not known, or of which it is not known what it means; ValueFault for a
    value that it cannot have."""
    found = registry.properties.get(prop)
    kind = None if found is None else min(found.kinds, default=None)
    if found is None or kind is None:
        raise InputError("That cannot be set.", remedy="Choose something else.", reason="no_such_property")
    amount = amount_of(value, scale_of(found, registry.vocabulary))
    name = replies.thing_name(registry.thing_of[prop].iri, registry)
    return Intent(
        iri=f"{request}/intent-1",
        text=f"{name}: {replies.property_name(prop, registry)} {replies.value_words(value)}",
        operation=Operation.SET,
        selection=Select(things=(found.part,), quantity=Quantity.ALL),
        property=kind,
        amount=amount,
    )


def by_name(affordance: str, payload: Json, request: str, registry: Registry) -> Intent:
    """The intent to invoke an action with a payload; its text says so in words.

    Raises InputError for an action that is not known, ValueFault for a payload that it does not take."""
    action = registry.actions.get(affordance)
    if action is None:
        raise InputError("There is no such action.", remedy="Choose something else.", reason="no_such_command")
    validate(payload, action.input, action.name)
    given = "" if payload in (None, {}) else f" {replies.value_words(payload)}"
    return Intent(
        iri=f"{request}/intent-1",
        text=f"{replies.thing_name(registry.thing_of[affordance].iri, registry)}: {action.title or action.name}{given}",
        operation=Operation.INVOKE,
        selection=Select(things=(action.part,), quantity=Quantity.ALL),
        command=min((c for c in action.commands if c in registry.vocabulary.commands), default=None),
        affordance=affordance,
        payload=payload,
    )
