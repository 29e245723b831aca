"""The profile of a person as data: what was told, by whom and when, and what they did, counted."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from engine.graph.store import GraphStore
from engine.graph.terms import Json, compact
from engine.memory.kept import diary, digests, facts
from engine.model.fact import Fact

DAYS = 7
"""Of how many days each a profile has the digest."""


def profile(store: GraphStore, person: str, today: date) -> dict[str, Any]:
    """All that is known of a person: their facts and those that they told, and the digests of what they did, of all
    days and of each day of the week until today."""
    own = set(facts.of_person(store, person))
    known = [_fact(one) for one in facts.heard_by(store, person) if one.iri in own]
    days = digests.of_days(store, person, today, DAYS)
    return {
        "person": person,
        "facts": known,
        "digest": _lines(digests.of_all(store, person)),
        "days": [{"day": day.isoformat(), "digest": _lines(lines)} for day, lines in days.items()],
    }


def _lines(lines: Iterable[digests.Line]) -> list[dict[str, Json]]:
    return [
        {
            "task": one.task,
            "times": one.times,
            "days": one.days,
            "first": one.first.isoformat(),
            "last": one.last.isoformat(),
        }
        for one in lines
    ]


def _fact(one: Fact) -> Json:
    occasion = one.occasion
    found: dict[str, Json] = {
        "iri": one.iri,
        "about": one.person,
        "statement": one.statement.value,
        "text": one.text,
        "told_by": one.source.teller,
        "at": one.source.at.isoformat(),
        "until": one.source.until.isoformat() if one.source.until else None,
        "occasion": [*map(compact, occasion.kinds), *occasion.words, *occasion.who],
        "goals": len(one.goals),
    }
    return found


def people(store: GraphStore) -> tuple[str, ...]:
    """Of whom anything is known, each by one name: those who were spoken of, and those who did anything."""
    by_name = {name.casefold(): name for name in (*diary.people(store), *facts.people(store))}
    return tuple(by_name[name] for name in sorted(by_name))
