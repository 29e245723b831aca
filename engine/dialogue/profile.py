"""The profile of a person as data: what was told, by whom and when, and what they did, counted."""

from __future__ import annotations

from engine.graph.store import GraphStore
from engine.graph.terms import Json, compact
from engine.memory import diary, facts
from engine.model.fact import Fact


def profile(store: GraphStore, person: str) -> dict[str, Json]:
    """All that is known of a person: their facts and those that they told, and the digest of what they did."""
    own = set(facts.of_person(store, person))
    known = [_fact(one) for one in facts.heard_by(store, person) if one.iri in own]
    lines: list[Json] = [
        {"task": one.task, "times": one.times, "days": one.days, "first": one.first, "last": one.last}
        for one in diary.digest(store, person)
    ]
    return {"person": person, "facts": list(known), "digest": lines}


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
    """Of whom anything is known, by name: those who were spoken of, and those who did anything."""
    return tuple(sorted({*facts.people(store), *diary.people(store)}, key=str.casefold))
