"""The goals of a situation on classes of devices: the ontology's, and those of a person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.graph.store import GraphStore
from engine.graph.terms import expand
from engine.model.intent import Amount, Intent
from engine.model.selection import Quantity
from engine.model.vocabulary import Vocabulary
from engine.planning.orders.amounts import amount_from_term, amount_of

SOME = expand("hg:Some")


@dataclass(frozen=True, slots=True)
class Aim:
    """A goal of a situation, on a class of devices ("": on any device with a property of the kind). `things` and
    `places` confine it, where a person has named them."""

    cls: str
    kind: str
    amount: Amount
    quantity: str | None = None
    when: str | None = None
    lacking: str | None = None
    things: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


def aims_of(intent: Intent, store: GraphStore, vocabulary: Vocabulary) -> tuple[Aim, ...]:
    """The goals of a preference (an intent of the kind PREFERENCE) for a situation; none where it is no goal."""
    select = intent.selection
    found = list(_levels(intent, store) if intent.variable is not None else _wanted(intent, vocabulary))
    some = SOME if select.quantity is Quantity.ONE and not select.things else None
    classes = select.classes or ("",)
    if intent.variable is not None:
        return tuple(replace(aim, things=select.things, places=select.places) for aim in found)
    return tuple(
        replace(aim, cls=cls, quantity=some, things=select.things, places=select.places)
        for aim in found
        for cls in (classes if not select.things else ("",))
    )


def _wanted(intent: Intent, vocabulary: Vocabulary) -> Iterator[Aim]:
    """The goal of the named property and amount, or those of the command's effects."""
    if intent.property is not None and intent.amount is not None:
        yield Aim("", intent.property, intent.amount)
        return
    command = vocabulary.commands.get(intent.command or "")
    for effect in command.effects if command is not None else ():
        amount = amount_of(effect)
        if amount is not None and not amount.relative:
            yield Aim("", effect.kind, amount)


def _levels(intent: Intent, store: GraphStore) -> Iterator[Aim]:
    """The goals of liking a level of a variable: bright, dim, warm, cool or quiet."""
    for variable, direction, cls, kind, to, quantity in store.select("planning/levels"):
        if variable is None or direction is None or cls is None or kind is None:
            continue
        if variable.value == intent.variable and direction.value == str(intent.direction):
            yield Aim(cls.value, kind.value, amount_from_term(to, None), None if quantity is None else quantity.value)
