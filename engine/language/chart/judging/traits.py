"""Traits of a reading: what it comes to, apart from which home it is in. By them a sentence as a whole tells which
readings it may mean, also where its words are not known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.graph.terms import compact
from engine.language.meanings.context import Context
from engine.model.intent import Amount, Category, Intent
from engine.model.rule import Rule

MOST_COUNTED = 3


def traits(intents: Sequence[Intent], parts: frozenset[str], context: Context) -> frozenset[str]:
    """The traits of intents that are about some parts of the home."""
    found = {f"goals {min(MOST_COUNTED, len(intents))}"}
    for intent in intents:
        found.update(_of_intent(intent))
    found.update(_of_parts(parts, context))
    return frozenset(found)


def _of_intent(intent: Intent) -> Iterator[str]:
    if intent.fault is not None:
        yield f"fault {intent.fault}"
        return
    yield f"is {intent.category.value}"
    if isinstance(intent.rule, Rule):
        for action in intent.rule.actions:
            yield from _of_intent(action)
        return
    for kind in ("command", "property", "variable", "situation"):
        if (term := getattr(intent, kind)) is not None:
            yield f"{kind} {compact(term)}"
    if intent.direction:
        yield "change up" if intent.direction > 0 else "change down"
    if intent.query is not None and intent.category is Category.CHECK:
        yield f"asks {intent.query.asks.value}"
    if intent.amount is not None:
        yield _of_amount(intent.amount)
    yield from (f"of {compact(one)}" for one in intent.selection.classes)
    yield f"quantity {intent.selection.quantity.value}"


def _of_amount(amount: Amount) -> str:
    value = amount.value
    if isinstance(value, bool):
        return f"to {str(value).lower()}"
    if amount.relative:
        return "change down" if isinstance(value, int | float) and value < 0 else "change up"
    if isinstance(value, str):
        return f"to {compact(value)}" if ":" in value else "to a word"
    return "to a number"


def _of_parts(parts: frozenset[str], context: Context) -> Iterator[str]:
    registry = context.registry
    yield f"parts {min(MOST_COUNTED, len(parts))}"
    rooms = set()
    for iri in parts:
        part, thing = registry.parts.get(iri), registry.thing_of.get(iri)
        if part is not None:
            yield from (f"of {compact(one)}" for one in part.classes)
        if thing is not None and thing.place is not None:
            rooms.add(thing.place)
    yield f"rooms {min(MOST_COUNTED, len(rooms))}"
    for iri in rooms:
        place = registry.places.get(iri)
        yield from (f"in {compact(one)}" for one in (place.classes if place is not None else ()))
