"""Things that are told by how they are, apart from the order for them: "any light at 80 or higher, off with
it", "whichever of the speakers is loudest, mute it"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine.language.chart.around import selected
from engine.language.chart.goals.prepared import heard_items
from engine.language.chart.halves import (
    Read,
    are_told,
    asked,
    does_something,
    each,
    is_for_now,
    is_settled,
    ordered,
    taken,
    ways,
)
from engine.language.chart.heard.items import Item, Sort, includes
from engine.language.chart.judging.reader import Candidate, intents_of
from engine.language.meanings.context import Context
from engine.language.meanings.past import Said
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.coordination import Goal
from engine.language.words.records import replace
from engine.model.intent import Asks, Intent
from engine.model.selection import Select


def with_things_told(
    text: str, request: str, context: Context, goals: tuple[Alternatives, ...], read: Read
) -> tuple[Alternatives, ...]:
    """The goals of a text; where it is not understood as a whole, those of an order for things that are told by how
    they are."""
    items = heard_items(text, context)
    if is_settled(goals, context) or not is_for_now(text, context) or includes(items, Sort.If):
        return goals
    for told, rest in ways(text, context, _names_things):
        found = next((one for one in asked(told, request, context) if _is_for_things(one)), None)
        goal = found.items[0] if found is not None else None
        if found is None or not isinstance(goal, Goal):
            continue
        select = _select(found)
        parts = selected(select, context)
        order = ordered(rest, context, read, Said(goal, parts)) if parts else None
        if order is None:
            continue
        made = each(order[0], partial(_for, select=select))
        acted = [frozenset(selected(i.selection, context)) for i in intents_of(made)]
        if any(own <= {*parts} for own in acted) and all(does_something(i, context) for i in intents_of(made)):
            taken(context, order[1])
            return made
    return goals


def _names_things(own: Sequence[Item]) -> bool:
    return includes((own,), Sort.NOUN)


def _for(intent: Intent, select: Select) -> Intent:
    """An order, for the things that are told where it names none."""
    own = intent.selection
    return intent if own.classes or own.things else replace(intent, selection=select)


def _is_for_things(one: Candidate) -> bool:
    """Whether a reading tells things by how they are."""
    intent = one.intents[0]
    if intent.query is None or intent.query.rooms or intent.query.asks is not Asks.LIST:
        return False
    select = _select(one)
    told = bool(select.tests or select.order or select.rooms)
    return told and bool(select.classes or select.things) and are_told(select.tests)


def _select(one: Candidate) -> Select:
    """The things that a question is for."""
    intent = one.intents[0]
    tests = intent.query.tests if intent.query is not None else ()
    return replace(intent.selection, tests=(*intent.selection.tests, *tests))
