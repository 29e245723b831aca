"""What each person did, by day: written after each request that was carried out, counted, digested with evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, cast
from urllib.parse import quote
from weakref import WeakKeyDictionary

from engine.graph.store import GraphStore
from engine.graph.terms import MEMORY, RDF_TYPE, Literal, NamedNode, Quad, literal, node, python
from engine.memory.kept import digests, facts
from engine.memory.kept.habits import Circumstances, Episode, Habits
from engine.model.intent import Intent
from engine.model.vocabulary import Vocabulary
from engine.things.registry import Registry

LATEST = 60
"""Of how many days what was done is kept with the counts, as examples."""


@dataclass(slots=True)
class _Counted:
    by_person: dict[str, Habits] = field(default_factory=dict)
    kept_on: dict[str, date] = field(default_factory=dict)


_counted: WeakKeyDictionary[GraphStore, _Counted] = WeakKeyDictionary()


def record(
    store: GraphStore, user: str, at: datetime, tasks: Iterable[str], request: str, notes: Iterable[str] = ()
) -> None:
    """Writes what a person had done, task by task, and counts it."""
    own, episodes = user.casefold(), []
    circumstances = Circumstances.on(own, at.date(), notes)
    quads: list[Quad] = []
    for number, task in enumerate(dict.fromkeys(tasks), start=1):
        subject = NamedNode(f"{request}/episode-{number}")
        quads += [
            Quad(subject, RDF_TYPE, node("hg:Episode"), MEMORY),
            Quad(subject, node("hg:user"), Literal(own), MEMORY),
            Quad(subject, node("prov:startedAtTime"), literal(at), MEMORY),
            Quad(subject, node("hg:onDay"), digests.day_of(own, at.date()), MEMORY),
            Quad(subject, node("hg:task"), Literal(task), MEMORY),
            *(Quad(subject, node("hg:note"), Literal(note), MEMORY) for note in circumstances.notes),
        ]
        episodes.append(Episode(task, at, circumstances))
    habits = habits_of(store, user)
    _keep_counts(store, own, habits, at.date())
    gone, come = digests.counted(store, own, at, [one.task for one in episodes])
    store.write(delete=gone, insert=[*quads, *come])
    habits.learn(episodes)


def habits_of(store: GraphStore, user: str) -> Habits:
    """What a person usually does: as it was counted until the day on which they last did something, with the episodes
    since; brought up to date from then on."""
    known = _counted.setdefault(store, _Counted())
    own = user.casefold()
    if own not in known.by_person:
        counts, since = _kept_counts(store, own)
        known.by_person[own] = counts
        known.by_person[own].learn(_episodes(store, own, since))
        for one in _read(store, "memory/declined", own):
            known.by_person[own].declined(one.task, one.circumstances)
    return known.by_person[own]


def _kept_counts(store: GraphStore, own: str) -> tuple[Habits, date | None]:
    """What was counted of a person and kept, and from which day on nothing is in it; nothing, and no day, for none."""
    for record, since in store.select("memory/habit_counts", user=Literal(own)):
        if record is not None and since is not None:
            return Habits.of(cast(dict[str, Any], python(record))), date.fromisoformat(since.value)
    return Habits(), None


def _keep_counts(store: GraphStore, own: str, habits: Habits, day: date) -> None:
    """Keeps what was counted of a person until a day, once a day, so that it need not be counted anew."""
    known = _counted.setdefault(store, _Counted())
    if known.kept_on.get(own) == day or habits.done_on(own, day):
        return
    known.kept_on[own] = day
    iri = _counts_of(own)
    after = [
        Quad(iri, RDF_TYPE, node("hg:HabitCounts"), MEMORY),
        Quad(iri, node("hg:user"), Literal(own), MEMORY),
        Quad(iri, node("hg:countedUntil"), Literal(day.isoformat()), MEMORY),
        Quad(iri, node("hg:record"), literal(habits.counts(LATEST)), MEMORY),
    ]
    store.write(delete=facts.of_subject(store, iri), insert=after)


def _drop_counts(store: GraphStore, own: str) -> None:
    """What was counted of a person does not hold any more: it is counted anew when it is next asked for."""
    store.write(delete=facts.of_subject(store, _counts_of(own)))


def _counts_of(own: str) -> NamedNode:
    return NamedNode(f"urn:habits:{quote(own, safe='')}")


def _episodes(store: GraphStore, own: str, since: date | None) -> list[Episode]:
    return _read(store, "memory/episodes", own, since)


def _read(store: GraphStore, query: str, own: str, since: date | None = None) -> list[Episode]:
    later = {} if since is None else {"since": Literal(since.isoformat())}
    found: dict[str, tuple[datetime, str, set[str]]] = {}
    for iri, at, task, note in store.select(query, user=Literal(own), **later):
        if iri is not None and at is not None and task is not None:
            *_, notes = found.setdefault(iri.value, (datetime.fromisoformat(at.value), task.value, set()))
            notes.update([note.value] if note is not None else [])
    return [Episode(task, at, Circumstances.on(own, at.date(), notes)) for at, task, notes in found.values()]


def today(store: GraphStore, user: str, now: datetime) -> list[str]:
    """What a person has done on the day of `now`, in its order."""
    return habits_of(store, user).done_on(user.casefold(), now.date())


def forget(store: GraphStore, user: str) -> int:
    """Forgets what a person did; how many triples."""
    rows = store.select("memory/traces", user=Literal(user.casefold()))
    quads = [Quad(s, p, o, MEMORY) for s, p, o in rows]  # type: ignore[arg-type]
    store.write(delete=quads)
    refresh(store)
    return len(quads)


def hand_over(store: GraphStore, request: str, user: str, other: str) -> None:
    """What was done by a request was somebody else's: it counts for them from now on."""
    own, others = Literal(user.casefold()), Literal(other.casefold())
    tasks = set[str]()
    for subject, at, task in store.select("memory/episodes_of", user=own):
        if subject is None or at is None or task is None or not subject.value.startswith(f"{request}/episode-"):
            continue
        iri, day = NamedNode(subject.value), datetime.fromisoformat(at.value).date()
        was, now = (
            [
                Quad(iri, node("hg:user"), who, MEMORY),
                Quad(iri, node("hg:onDay"), digests.day_of(who.value, day), MEMORY),
            ]
            for who in (own, others)
        )
        store.write(delete=was, insert=now)
        tasks.add(task.value)
    for who in (own, others):
        digests.recount(store, who.value, tasks)
        _drop_counts(store, who.value)
    refresh(store)


def refresh(store: GraphStore) -> None:
    """Lets go of what was counted: the graph was changed by others."""
    _counted.pop(store, None)
    digests.refresh(store)


def task_of(intent: Intent, registry: Registry) -> str | None:
    """The abstract task of an intent: a scene; a command or a property, of which class of things, in which room."""
    vocabulary: Vocabulary = registry.vocabulary
    if intent.situation is not None:
        return vocabulary.name(intent.situation).lower()
    verb = intent.command or intent.property
    if verb is None:
        return None
    select = intent.selection
    things = [registry.thing_of[iri] for iri in select.things if iri in registry.thing_of]
    what = [vocabulary.name(iri) for iri in select.classes] or [thing.title for thing in things]
    places = select.places or tuple(thing.place or "" for thing in things)
    rooms = sorted({registry.places[iri].name for iri in places if iri in registry.places})
    said = f"{vocabulary.name(verb)} {', '.join(sorted(set(what)))}".strip().lower()
    return f"{said} ({', '.join(rooms)})" if rooms else said


def people(store: GraphStore) -> tuple[str, ...]:
    """Who has done anything, by name in small letters."""
    return tuple(row[0].value for row in store.select("memory/doers") if row[0] is not None)
