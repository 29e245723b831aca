"""What each person did, by day: written after each request that was carried out, counted, digested with evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from weakref import WeakKeyDictionary

from engine.graph.store import GraphStore
from engine.graph.terms import MEMORY, RDF_TYPE, Literal, NamedNode, Quad, literal, node
from engine.memory.habits import Circumstances, Episode, Habits
from engine.model.intent import Intent
from engine.model.vocabulary import Vocabulary
from engine.things.registry import Registry


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a digest: a task, how often it was done, on how many days, when first and when last."""

    task: str
    times: int
    days: int
    first: str
    last: str


@dataclass(slots=True)
class _Counted:
    by_person: dict[str, Habits] = field(default_factory=dict)


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
            Quad(subject, node("hg:task"), Literal(task), MEMORY),
            *(Quad(subject, node("hg:note"), Literal(note), MEMORY) for note in circumstances.notes),
        ]
        episodes.append(Episode(task, at, circumstances))
    habits = habits_of(store, user)
    store.write(insert=quads)
    habits.learn(episodes)


def habits_of(store: GraphStore, user: str) -> Habits:
    """What a person usually does, counted from their episodes once, and brought up to date from then on."""
    known = _counted.setdefault(store, _Counted())
    own = user.casefold()
    if own not in known.by_person:
        known.by_person[own] = Habits()
        known.by_person[own].learn(_episodes(store, own))
        for one in _read(store, "memory/declined", own):
            known.by_person[own].declined(one.task, one.circumstances)
    return known.by_person[own]


def _episodes(store: GraphStore, own: str) -> list[Episode]:
    return _read(store, "memory/episodes", own)


def _read(store: GraphStore, query: str, own: str) -> list[Episode]:
    found: dict[tuple[str, str], set[str]] = {}
    for at, task, note in store.select(query, user=Literal(own)):
        if at is not None and task is not None:
            found.setdefault((at.value, task.value), set()).update([note.value] if note is not None else [])
    moments = {when: datetime.fromisoformat(when) for when, _ in found}
    return [
        Episode(task, moments[when], Circumstances.on(own, moments[when].date(), notes))
        for (when, task), notes in found.items()
    ]


def today(store: GraphStore, user: str, now: datetime) -> list[str]:
    """What a person has done on the day of `now`, in its order."""
    return habits_of(store, user).done_on(user.casefold(), now.date())


def digest(store: GraphStore, user: str, day: date | None = None, zone: tzinfo | None = None) -> tuple[Line, ...]:
    """What a person did on a day of a time zone, or on all days for None, as counts: the answer to a query."""
    between: Mapping[str, list[tuple[Literal, Literal]]] = {}
    if day is not None:
        begin = datetime.combine(day, time(), tzinfo=zone)
        between = {"start_end": [(literal(begin), literal(begin + timedelta(days=1)))]}
    rows = store.select("memory/digest", user=Literal(user.casefold()), **between)
    return tuple(
        Line(task.value, int(times.value), int(days.value), first.value, last.value)
        for task, times, days, first, last in rows
        if task is not None and times is not None and days is not None and first is not None and last is not None
    )


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
    for subject, predicate, _ in store.select("memory/traces", user=own):
        if predicate == node("hg:user") and subject is not None and subject.value.startswith(f"{request}/episode-"):
            iri = NamedNode(subject.value)
            store.write(
                delete=[Quad(iri, node("hg:user"), own, MEMORY)], insert=[Quad(iri, node("hg:user"), others, MEMORY)]
            )
    refresh(store)


def refresh(store: GraphStore) -> None:
    """Lets go of what was counted: the graph was changed by others."""
    _counted.pop(store, None)


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
