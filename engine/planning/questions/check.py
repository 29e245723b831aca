"""The template for `check`: reads the properties that an intent asks about from the state. Nothing is changed."""

from __future__ import annotations

from collections.abc import Sequence

from engine.environment.values.quantities import realise, same, truth
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount, Intent, Measure
from engine.model.outcome import Reading
from engine.model.thing import Property
from engine.planning.orders.templates import property_of
from engine.planning.site import Site


def read(intent: Intent, parts: Sequence[str], site: Site) -> tuple[Reading, ...]:
    """The readings that answer an intent, of the parts that have its kind of property."""
    found = []
    for part in parts:
        thing = site.registry.thing_of[part]
        prop = property_of(intent.property or "", part, thing, site.vocabulary)
        if prop is not None:
            value = site.state.get(prop.iri)
            found.append(Reading(thing, prop, value, _holds(intent.amount, prop, value, site)))
    return tuple(found)


def _holds(amount: Amount | None, prop: Property, value: Json, site: Site) -> bool | None:
    """Whether a value is as asked: for a switch, in its sense; for anything else, the value that the amount stands
    for."""
    if amount is None or value is None:
        return None
    if amount.measure is Measure.TRUTH:
        actual = truth(value, prop, site.vocabulary)
        return actual == amount.value if actual is not None else bool(value) == amount.value
    try:
        return same(value, realise(amount, prop, site.vocabulary, value), prop, site.vocabulary)
    except ValueFault:
        return False
