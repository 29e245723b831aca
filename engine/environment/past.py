"""The past of properties as it stands in `hg:graph/history`: each change at a numbered place, which is used again.

A store on disk keeps the names of all that it ever held. Were the place of each change a new one, it would grow with
every change.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from engine.environment.clock import aware
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

    def next(self, past: Past) -> Entry:
        """The entry that a further change would be."""
        number = self.entries[-1].number + 1 if self.entries else 0
        return Entry(self._free[-1] if self._free else self._places, number, past)

    def take(self, entry: Entry, gone: Sequence[Entry]) -> None:
        """Takes in what `next` gave, and lets go of others, whose places are free from then on."""
        if self._free and self._free[-1] == entry.place:
            self._free.pop()
        self._places = max(self._places, entry.place + 1)
        self.entries.append(entry)
        if gone:
            left = {one.number for one in gone}
            self.entries = deque(one for one in self.entries if one.number not in left)
            self._free += [one.place for one in gone]


def read(quads: Iterable[Quad]) -> dict[str, Series]:
    """The past of each property by IRI, of the quads of the graph. What says nothing of a change is passed over."""
    about: dict[str, dict[NamedNode, Term]] = {}
    for quad in quads:
        about.setdefault(quad.subject.value, {})[quad.predicate] = quad.object  # type: ignore[union-attr, assignment]
    found: dict[str, list[Entry]] = {}
    for subject, terms in about.items():
        entry = _entry(subject.rpartition("/")[2], terms)
        if entry is not None:
            found.setdefault(terms[PROPERTY].value, []).append(entry)
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
