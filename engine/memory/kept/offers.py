"""What usually comes next, offered: with how it was done last, its numbers, and what became of earlier offers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import cast
from urllib.parse import quote

from engine.graph.store import GraphStore
from engine.graph.terms import MEMORY, RDF_TYPE, Json, Literal, NamedNode, Quad, literal, node, python
from engine.memory.kept import diary, facts
from engine.memory.kept.habits import ENOUGH, LIKELY, Circumstances, Expectation
from engine.model.intent import Intent
from engine.model.record import of_json, to_json

MOST_TOGETHER = 3
"""How many tasks are done with a request at once."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a task was done: what was asked for, and the values that it left, by property."""

    goal: Intent
    left: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Offer:
    """A task that usually comes next, how it was done last, and the count that speaks for it."""

    task: str
    goal: Intent
    expectation: Expectation
    circumstances: Circumstances

    @property
    def numbers(self) -> str:
        """How often it came: "5 of 6 times"."""
        one = self.expectation
        return f"{one.times} of {one.days} time{'' if one.days == 1 else 's'}"


def circumstances_of(store: GraphStore, user: str, now: datetime) -> Circumstances:
    """What kind of day it is for somebody: by the weekday, and by what they told of it today."""
    start = datetime.combine(now.date(), time(), tzinfo=now.tzinfo)
    rows = store.select("memory/day_kinds", user=Literal(user), start_end=[(literal(start), literal(now))])
    return Circumstances.on(user, now.date(), [name.value for _, name in rows if name is not None])


def learn_how(store: GraphStore, user: str, done: Mapping[str, Done]) -> None:
    """Keeps how tasks were done last, where that changed anything: one node for each task of a person."""
    for task, one in ((task, one) for task, one in done.items() if one.left):
        subject = NamedNode(f"urn:habit:{quote(user.casefold(), safe='')}:{quote(task, safe='')}")
        before = facts.of_subject(store, subject)
        record = {"goal": to_json(one.goal), "left": dict(one.left)}
        after = [
            Quad(subject, RDF_TYPE, node("hg:Habit"), MEMORY),
            Quad(subject, node("hg:user"), Literal(user.casefold()), MEMORY),
            Quad(subject, node("hg:task"), Literal(task), MEMORY),
            Quad(subject, node("hg:record"), literal(record), MEMORY),
        ]
        store.write(delete=set(before) - set(after), insert=set(after) - set(before))


def how_done(store: GraphStore, user: str, tasks: Iterable[str]) -> dict[str, Done]:
    """How somebody had tasks done last, for those of which it is known."""
    found: dict[str, Done] = {}
    for task in tasks:
        rows = store.select("memory/how_done", user_task=[(Literal(user.casefold()), Literal(task))])
        for (record,) in rows:
            known = cast(dict[str, Json], python(record)) if record is not None else {}
            found[task] = Done(cast(Intent, of_json(known["goal"])), cast(dict[str, Json], known["left"]))
    return found


def next_offer(
    store: GraphStore, user: str, done: Sequence[str], state: Mapping[str, Json], now: datetime
) -> Offer | None:
    """What usually comes after what somebody had done today, where it is likely, was seen often enough, and is not so
    already; None for nothing."""
    several = _likely(store, user, done, state, now)
    return several[0] if several else None


def _likely(store: GraphStore, user: str, done: Sequence[str], state: Mapping[str, Json], now: datetime) -> list[Offer]:
    circumstances = circumstances_of(store, user, now)
    ranked = diary.habits_of(store, user).next(circumstances, done)
    likely = [one for one in ranked if one.confidence >= LIKELY and one.times >= ENOUGH]
    known = how_done(store, user, [one.task for one in likely])
    return [
        Offer(one.task, known[one.task].goal, one, circumstances)
        for one in likely
        if one.task in known and any(state.get(iri) != value for iri, value in known[one.task].left.items())
    ]


def usual_after(
    store: GraphStore, user: str, done: Sequence[str], state: Mapping[str, Json], now: datetime
) -> tuple[Offer, ...]:
    """The tasks that usually follow one another from what was done on, as far as they are likely."""
    found: list[Offer] = []
    before = list(done)
    while len(found) < MOST_TOGETHER:
        offer = next_offer(store, user, before, state, now)
        if offer is None or offer.task in before:
            break
        found.append(offer)
        before.append(offer.task)
    return tuple(found)


def decline(store: GraphStore, user: str, offer: Offer, request: str, now: datetime) -> None:
    """An offer was not wanted: it is counted, and kept, as a such day without the task."""
    habits = diary.habits_of(store, user)
    subject = NamedNode(f"{request}/declined")
    quads = [
        Quad(subject, RDF_TYPE, node("hg:DeclinedOffer"), MEMORY),
        Quad(subject, node("hg:user"), Literal(user.casefold()), MEMORY),
        Quad(subject, node("prov:startedAtTime"), literal(now), MEMORY),
        Quad(subject, node("hg:task"), Literal(offer.task), MEMORY),
        *(Quad(subject, node("hg:note"), Literal(note), MEMORY) for note in sorted(offer.circumstances.notes)),
    ]
    store.write(insert=quads)
    habits.declined(offer.task, offer.circumstances)
