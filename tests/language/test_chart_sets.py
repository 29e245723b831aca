"""Sets and questions as the chart reads them: several things at once, rankings, exceptions, rooms, questions in parts.

The sentences are our own, in homes that the rules were not written for; what is looked for is a reading among the
candidates, for which is likeliest is learned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine import settings as configuration
from engine.dialogue.request import Consent, Request
from engine.environment.selection import Selector
from engine.hearthgraph import Hearthgraph
from engine.language.chart.reader import Candidate, heard
from engine.model.intent import Asks, Category, Intent
from engine.model.selection import Quantity

HOMES = Path(__file__).resolve().parents[1] / "acceptance" / "homes"
HOUSE = Path(__file__).resolve().parents[2] / "data" / "house.ttl"


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Hearthgraph]]:
    settings = configuration.load(live=False, experience=False)
    opened = {}
    for name, path in {"house": HOUSE, "flat": HOMES / "flat.ttl", "mill": HOMES / "mill.ttl"}.items():
        engine = Hearthgraph.open(None, now=datetime(2026, 5, 14, 18, 20, tzinfo=UTC), settings=settings)
        engine.load([path])
        engine.assistant.refresh()
        opened[name] = engine
    yield opened
    for engine in opened.values():
        engine.close()


def candidates(engine: Hearthgraph, text: str) -> list[Candidate]:
    """All that the chart makes of a text, likeliest first."""
    conversation = engine.conversation("sets")
    request = Request(text, "urn:sets", None, None, ())
    context = engine.assistant._context(request, conversation.memory.past)
    return list(heard(text, "urn:sets", context).candidates)


def intents(candidate: Candidate) -> list[Intent]:
    """The first reading of each goal."""
    return [intent for goal in candidate.goals for intent in goal[0]]


def parts(engine: Hearthgraph, intent: Intent) -> frozenset[str]:
    """The names of the things that an intent is about, without what leads to them."""
    selector = Selector(engine.store, engine.registry)
    found = selector.select(replace(intent.selection, quantity=Quantity.ALL))
    return frozenset(engine.registry.thing_of[part].iri.rsplit("/", 1)[-1] for part in found)


def acting(engine: Hearthgraph, text: str) -> list[frozenset[str]]:
    """For each candidate that orders something and nothing faulty, what it is about."""
    found = []
    for candidate in candidates(engine, text):
        several = intents(candidate)
        if several and all(i.fault is None and i.category is Category.EXPLICIT for i in several):
            found.append(frozenset(part for i in several for part in parts(engine, i)))
    return found
