"""Digests of what each person did: of all days a line a task, of each day its tasks; kept up to date act by act."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from urllib.parse import quote
from weakref import WeakKeyDictionary

from engine.graph.store import GraphStore
from engine.graph.terms import MEMORY, RDF_TYPE, Literal, NamedNode, Quad, Term, literal, node

LINE = node("hg:DigestLine")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a digest: a task, how often it was done, on how many days, when first and when last."""

    task: str
    times: int
    days: int
    first: datetime
    last: datetime

    def with_one_more(self, at: datetime) -> Line:
        """The line, once the task was done again, later than ever before."""
        new_day = self.last.date() != at.date()
        return replace(self, times=self.times + 1, days=self.days + new_day, last=at)


@dataclass(slots=True)
class _AtHand:
    """The lines of each person by task, as they stand in the graph."""

    lines: dict[str, dict[str, Line]] = field(default_factory=dict)


_kept: WeakKeyDictionary[GraphStore, _AtHand] = WeakKeyDictionary()


def of_all(store: GraphStore, user: str) -> tuple[Line, ...]:
    """What a person did on all days, the most frequent first."""
    return tuple(sorted(_known(store, user.casefold()).values(), key=lambda one: (-one.times, one.task)))


def of_day(store: GraphStore, user: str, day: date) -> tuple[Line, ...]:
    """What a person did on a day, the most frequent first."""
    return _lines(store.select("memory/day_digest", day=day_of(user.casefold(), day)))


def of_days(store: GraphStore, user: str, until: date, number: int) -> dict[date, tuple[Line, ...]]:
    """The digests of the days until one, the last first, without those on which nothing was done."""
    several = {day: of_day(store, user, day) for day in (until - timedelta(days=n) for n in range(number))}
    return {day: lines for day, lines in several.items() if lines}


def counted(store: GraphStore, own: str, at: datetime, tasks: Iterable[str]) -> tuple[set[Quad], set[Quad]]:
    """What leaves and what enters the graph when tasks are done, after all that was: of their lines alone."""
    known, gone, come = _known(store, own), set[Quad](), set[Quad]()
    for task in tasks:
        before = known.get(task)
        known[task] = before.with_one_more(at) if before is not None else Line(task, 1, 1, at, at)
        was = set(_quads(own, before)) if before is not None else set()
        now = set(_quads(own, known[task]))
        gone, come = gone | (was - now), come | (now - was)
    return gone, come


def recount(store: GraphStore, own: str, tasks: Iterable[str]) -> None:
    """Counts tasks of a person anew from what they did: after some of it was somebody else's."""
    for task in tasks:
        fresh = _lines(store.select("memory/count", user=Literal(own), task=Literal(task)))
        _write(store, own, _known(store, own).get(task), next(iter(fresh), None))


def refresh(store: GraphStore) -> None:
    """Lets go of what is at hand: the graph was changed by others."""
    _kept.pop(store, None)


def day_of(own: str, day: date) -> NamedNode:
    """The IRI of a day of a person."""
    return NamedNode(f"urn:day:{quote(own, safe='')}:{day.isoformat()}")


def _known(store: GraphStore, own: str) -> dict[str, Line]:
    """The lines of a person by task, read once; of who has none yet they are counted, and kept from now on."""
    at_hand = _kept.setdefault(store, _AtHand())
    if own not in at_hand.lines:
        at_hand.lines[own] = {one.task: one for one in _lines(store.select("memory/digest", user=Literal(own)))}
        for one in () if at_hand.lines[own] else _lines(store.select("memory/count", user=Literal(own))):
            _write(store, own, None, one)
    return at_hand.lines[own]


def _write(store: GraphStore, own: str, before: Line | None, after: Line | None) -> None:
    """Writes what a line says otherwise than before; None: there was, or is, none."""
    was = set(_quads(own, before)) if before is not None else set()
    now = set(_quads(own, after)) if after is not None else set()
    store.write(delete=was - now, insert=now - was)
    lines = _kept.setdefault(store, _AtHand()).lines.setdefault(own, {})
    if after is not None:
        lines[after.task] = after
    elif before is not None:
        lines.pop(before.task, None)


def _iri(own: str, task: str) -> NamedNode:
    return NamedNode(f"urn:digest:{quote(own, safe='')}:{quote(task, safe='')}")


def _quads(own: str, line: Line) -> list[Quad]:
    """A line as it stands in the graph."""
    said: dict[str, Term] = {
        "hg:digestOf": Literal(own),
        "hg:ofTask": Literal(line.task),
        "hg:times": literal(line.times),
        "hg:days": literal(line.days),
        "hg:firstDone": literal(line.first),
        "hg:lastDone": literal(line.last),
    }
    iri = _iri(own, line.task)
    return [Quad(iri, RDF_TYPE, LINE, MEMORY), *(Quad(iri, node(p), o, MEMORY) for p, o in said.items())]


def _lines(rows: Iterable[Sequence[Term | None]]) -> tuple[Line, ...]:
    return tuple(
        Line(task.value, int(times.value), int(days.value), _moment(first), _moment(last))
        for task, times, days, first, last in rows
        if task is not None and times is not None and days is not None and first is not None and last is not None
    )


def _moment(term: Term) -> datetime:
    return datetime.fromisoformat(term.value)
