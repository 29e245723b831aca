"""The past of properties as it stands in `hg:graph/history`: each change at a numbered place, which is used again.

A store on disk keeps the names of all that it ever held. Were the place of each change a new one, it would grow with
every change.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import cast

from engine.environment.clock import aware
from engine.graph.store import GraphStore
from engine.graph.terms import HISTORY, Json, NamedNode, Quad, Term, Triple, literal, node, python
from engine.model.thing_rdf import below

CHANGED_AT, PROPERTY = node("hg:changedAt"), node("hg:property")
BEFORE, AFTER, ORDINAL = node("hg:before"), node("hg:after"), node("hg:ordinal")
LONGEST_NUMBER = 15


@dataclass(frozen=True, slots=True)
class Past:
    """A change that was: the value until `at`, and the value from then on."""

    before: Json
    after: Json
    at: datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """A change at its place; `number` counts the changes of the property, and so is their order."""

    place: int
    number: int
    past: Past

    @property
    def at(self) -> datetime:
        """When it was."""
        return self.past.at

    def quads(self, iri: str) -> Iterator[Quad]:
        """As it stands in the graph, for the property of this IRI."""
        entry = NamedNode(below(iri, "history", str(self.place)))
        yield Quad(entry, PROPERTY, NamedNode(iri), HISTORY)
        yield Quad(entry, ORDINAL, literal(self.number), HISTORY)
        yield Quad(entry, BEFORE, literal(self.past.before), HISTORY)
        yield Quad(entry, AFTER, literal(self.past.after), HISTORY)
        yield Quad(entry, CHANGED_AT, literal(self.past.at), HISTORY)


class Series:
    """The past of one property, the oldest first, and the places that are free in it."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries = deque(sorted(entries, key=lambda one: one.number))
        taken = {one.place for one in self.entries}
        self._places = max(taken, default=-1) + 1
        near = range(min(self._places, 2 * len(taken)))  # where there was no using again, the free ones are many
        self._free = sorted(set(near) - taken, reverse=True)

    def between(self, start: datetime, end: datetime) -> list[Entry]:
        """Those of a stretch of time, both ends included."""
        first = bisect_left(self.entries, start, key=_when)
        return list(islice(self.entries, first, bisect_right(self.entries, end, lo=first, key=_when)))

    def next(self, past: Past) -> Entry:
        """The entry that a further change would be."""
        number = self.entries[-1].number + 1 if self.entries else 0
        return Entry(self._free[-1] if self._free else self._places, number, past)

    def take(self, entry: Entry, gone: Sequence[Entry]) -> None:
        """Adds an entry made by `next`, and drops others, whose places are free from then on."""
        if self._free and self._free[-1] == entry.place:
            self._free.pop()
        self._places = max(self._places, entry.place + 1)
        self.entries.append(entry)
        if gone:
            left = {one.number for one in gone}
            while left and self.entries[0].number in left:  # the oldest, as nearly always: nothing is copied for them
                left.remove(self.entries.popleft().number)
            if left:
                self.entries = deque(one for one in self.entries if one.number not in left)
            self._free += [one.place for one in gone]


def _when(entry: Entry) -> datetime:
    return entry.past.at


class Archive:
    """The pasts of properties, each read from the store when it is first asked for: a year of a home is much, and
    most of it is asked for by nobody. From a server all are read at once, for each question takes its way."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self._all = store.is_far
        self._known = _series(store.select("environment/past")) if self._all else {}

    def of(self, iri: str) -> Series:
        """The past of a property."""
        if iri not in self._known:
            rows = () if self._all else self._store.select("environment/past", property=NamedNode(iri))
            self._known[iri] = _series(rows).get(iri) or Series()
        return self._known[iri]


def _series(rows: Iterable[Sequence[Term | None]]) -> dict[str, Series]:
    """The pasts of properties from rows of entry, predicate and object. Entries that describe no change are passed
    over."""
    about: dict[str, dict[NamedNode, Term]] = {}
    for entry, predicate, object_ in rows:
        if entry is not None and isinstance(predicate, NamedNode) and object_ is not None:
            about.setdefault(entry.value, {})[predicate] = object_
    found: dict[str, list[Entry]] = {}
    for subject, terms in about.items():
        entry_there = _entry(subject.rpartition("/")[2], terms)
        if entry_there is not None:
            found.setdefault(terms[PROPERTY].value, []).append(entry_there)
    return {iri: Series(entries) for iri, entries in found.items()}


def _entry(place: str, terms: dict[NamedNode, Term]) -> Entry | None:
    at = moment(terms.get(CHANGED_AT))
    if PROPERTY not in terms or at is None or not (place.isascii() and place.isdigit()) or len(place) > LONGEST_NUMBER:
        return None
    number = value(terms.get(ORDINAL))  # without one it is of a store in which no place was used again
    past = Past(value(terms.get(BEFORE)), value(terms.get(AFTER)), at)
    return Entry(int(place), number if isinstance(number, int) else int(place), past)


def value(term: Term | Triple | None) -> Json:
    """A value as it is kept in the graph; None for none."""
    return None if term is None else cast(Json, python(cast(Term, term)))


def moment(term: Term | Triple | None) -> datetime | None:
    """A moment that a file may have given in any way; one that is none is not known."""
    try:
        return None if term is None else aware(datetime.fromisoformat(cast(Term, term).value))
    except ValueError:
        return None
