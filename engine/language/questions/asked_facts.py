"""Reads the subject and predicate of a question as a fact: conditions on states of devices are read by it."""

from __future__ import annotations

from engine.model.intent import Asks, Intent
from engine.model.rule import Fact, Holds
from engine.model.selection import Select


def fact_of(question: Intent) -> Fact | None:
    """The fact that a question asks after; None for a question that is not answered by yes or no."""
    query = question.query
    if query is None or question.fault is not None:
        return None
    if query.asks not in (Asks.WHETHER, Asks.EVERY):
        return None
    rooms = question.selection.rooms
    if query.rooms and len(rooms) == 1:
        place = Select(places=question.selection.places)
        return Fact(place, rooms[0].has.tests, Holds.NONE if rooms[0].negated else Holds.ANY)
    if not query.tests:
        return None
    return Fact(question.selection, query.tests, Holds.EVERY if query.asks is Asks.EVERY else Holds.ANY)
