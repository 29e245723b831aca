"""The present value of every property, mirrored in memory, with a bounded past."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Protocol

from engine.environment import past
from engine.environment.changes import Changed, ChangeHub, EventHub, Happened
from engine.environment.clock import Clock
from engine.environment.past import CHANGED_AT, Archive, Entry, Past, moment
from engine.environment.thinning import thinned
from engine.environment.values.schemas import check_type, equal
from engine.errors import StoreError, ValueFault
from engine.graph.store import GraphStore
from engine.graph.terms import STATE, Json, NamedNode, Quad, literal, node
from engine.model.thing import Property

VALUE, OBSERVED_AT = node("hg:value"), node("hg:observedAt")


THINNED_EVERY = 16
"""After how many changes of a property its past is thinned."""


class Known(Protocol):
    """The part of the registry that the state needs: the properties by IRI."""

    @property
    def properties(self) -> Mapping[str, Property]: ...


@dataclass(slots=True)
class _Present:
    """A property's state as it stands in the store."""

    value: Json
    observed_at: datetime | None
    changed_at: datetime | None
    quads: frozenset[Quad]


class State(Mapping[str, Json]):
    """The values by property IRI. A property without a known value is not in it.

    `store` is mirrored, `hub` hears of every change, `events` of the devices' events; `history_length` past values of
    each property are kept in `hg:graph/history`, and of those before them one an hour, then one a day, for
    `history_days` days.
    """

    def __init__(
        self,
        store: GraphStore,
        registry: Known,
        clock: Clock,
        *,
        history_length: int = 100,
        history_days: int = 0,
    ) -> None:
        self.hub = ChangeHub()
        self.events = EventHub()
        self.store = store
        self._registry = registry
        self._clock = clock
        self._length, self._days = history_length, history_days
        self._lock = threading.Lock()
        self._values: dict[str, Json] = {}
        self._present: dict[str, _Present] = {}
        self._past = Archive(store)
        self._gathered: _Gathered | None = None
        self.refresh()

    def __getitem__(self, iri: str) -> Json:
        return self._values[iri]

    def get(self, iri: str, default: Json = None) -> Json:  # type: ignore[override]
        """The value of a property, or `default`."""
        return self._values.get(iri, default)

    def __contains__(self, iri: object) -> bool:
        return iri in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def observed_at(self, iri: str) -> datetime | None:
        """When the value was last heard of, changed or not; None when it is not known."""
        present = self._present.get(iri)
        return present.observed_at if present else None

    def changed_at(self, iri: str) -> datetime | None:
        """The time at which the value last changed; None when that is not known."""
        present = self._present.get(iri)
        return present.changed_at if present else None

    def history(self, iri: str) -> tuple[Past, ...]:
        """The changes of a property that are still remembered, the oldest first."""
        with self._lock:
            return tuple(one.past for one in self._past.of(iri).entries)

    def between(self, iri: str, start: datetime, end: datetime) -> tuple[Past, ...]:
        """The changes of a property in a stretch of time, both ends included, the oldest first."""
        with self._lock:
            return tuple(one.past for one in self._past.of(iri).between(start, end))

    def value_at(self, iri: str, moment: datetime) -> Json:
        """The value of a property at a moment of the past, as far as it is remembered; None where it is not."""
        known = self.history(iri)
        if not known:
            return self._values.get(iri) if (since := self.changed_at(iri)) is not None and since <= moment else None
        before = [one for one in known if one.at <= moment]
        return before[-1].after if before else known[0].before

    def snapshot(self) -> dict[str, Json]:
        """The values as they are at this moment, in a dictionary of the caller's own."""
        return dict(self._values)

    def overlay(self, changes: Mapping[str, Json]) -> Overlay:
        """The state as it would be after `changes`, without any of it being written."""
        return Overlay(changes, self._values)

    def refresh(self) -> None:
        """Reads the store anew: after a file was loaded, a dump restored, a thing removed."""
        with self._lock:
            if self._gathered is not None:
                self._flush(self._gathered)
            self._reread()

    def _reread(self) -> None:
        self._present = _read_present(self.store.graph(STATE))
        self._past = Archive(self.store)
        self._values = {iri: present.value for iri, present in self._present.items()}

    def write(self, changes: Mapping[str, Json]) -> dict[str, tuple[Json, Json]]:
        """Stores new values in one atomic write; None forgets a value. Gives (before, after) of those that differ.

        Raises ValueFault, and stores nothing, for a property that is not known (no_such_property) and for a value that
        is not of its type (wrong_type: NaN too). A value beyond its range is stored, for the device reports it.
        """
        checked = {iri: self._checked(iri, value) for iri, value in changes.items()}
        with self._lock:
            now = self._clock.now()
            writing = _Writing(self._present, self._past, (self._length, self._days), now)
            for iri, value in checked.items():
                writing.add(iri, value)
            self._take_over(writing, [Changed(iri, *values, now) for iri, values in writing.changed.items()])
        return writing.changed

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Within it, writes of this thread are seen here at once, and go to the store in one atomic write at the
        end, or with another thread's writes meanwhile. Raises StoreError where that fails; then none of them
        takes place."""
        with self._lock:
            mine = None if self._gathered is not None else _Gathered(threading.get_ident())
            self._gathered = self._gathered or mine
        try:
            yield
        finally:
            if mine is not None:
                with self._lock:
                    self._gathered = None
                    self._flush(mine)

    def happened(self, event: str, data: Json) -> None:
        """Publishes an event, by IRI, with its payload to `events`. Nothing is stored."""
        self.events.publish([Happened(event, data, self._clock.now())])

    def _checked(self, iri: str, value: Json) -> Json:
        prop = self._registry.properties.get(iri)
        if prop is None:
            raise ValueFault(f"There is no property <{iri}>.", reason="no_such_property")
        if value is None:
            return None
        check_type(value, prop.schema, prop.name)
        whole = prop.schema.type == "integer" and isinstance(value, float)
        return int(value) if whole and isinstance(value, float) else value

    def _take_over(self, writing: _Writing, news: list[Changed]) -> None:
        gathered = self._gathered
        if gathered is None:
            self.store.write(delete=writing.deleted, insert=writing.inserted)
            self._keep(writing)
            self.hub.publish(news)
            return
        gathered.add(writing, news)
        self._keep(writing)
        if gathered.thread != threading.get_ident():  # its writer is told when it is in the store
            self._flush(gathered)

    def _flush(self, gathered: _Gathered) -> None:
        deleted, inserted, news = gathered.taken()
        if not (deleted or inserted):
            return
        try:
            self.store.write(delete=deleted, insert=inserted)
        except StoreError:
            self._reread()
            raise
        self.hub.publish(news)

    def _keep(self, writing: _Writing) -> None:
        """Takes over the values of a write. Whoever iterates meanwhile goes on with the dictionary that it has."""
        same_keys = not writing.forgotten and writing.present.keys() <= self._values.keys()
        values = self._values if same_keys else dict(self._values)
        values.update({iri: present.value for iri, present in writing.present.items()})
        for iri in writing.forgotten:
            values.pop(iri, None)
            self._present.pop(iri, None)
        self._present.update(writing.present)
        for iri, (entry, gone) in writing.past.items():
            self._past.of(iri).take(entry, gone)
        self._values = values


class Overlay(Mapping[str, Json]):
    """A mapping with changes laid over it; neither is copied."""

    def __init__(self, changes: Mapping[str, Json], under: Mapping[str, Json]) -> None:
        self._changes = changes
        self._under = under

    def __getitem__(self, iri: str) -> Json:
        return self._changes[iri] if iri in self._changes else self._under[iri]

    def get(self, iri: str, default: Json = None) -> Json:  # type: ignore[override]
        """The value of a property, or `default`."""
        return self._changes[iri] if iri in self._changes else self._under.get(iri, default)

    def __contains__(self, iri: object) -> bool:
        return iri in self._changes or iri in self._under

    def __iter__(self) -> Iterator[str]:
        yield from self._changes
        yield from (iri for iri in self._under if iri not in self._changes)

    def __len__(self) -> int:
        return len(self._under) + sum(iri not in self._under for iri in self._changes)

    def overlay(self, changes: Mapping[str, Json]) -> Overlay:
        """The same with further changes over it."""
        return Overlay(changes, self)


class _Writing:
    """One atomic write in the making: the quads to delete and insert, and the values in memory after it."""

    def __init__(
        self,
        present: Mapping[str, _Present],
        past: Archive,
        kept: tuple[int, int],
        now: datetime,
    ) -> None:
        self._before = present
        self._past_before = past
        self._length, self._days = kept
        self._now = now
        self.deleted: list[Quad] = []
        self.inserted: list[Quad] = []
        self.present: dict[str, _Present] = {}
        self.past: dict[str, tuple[Entry, list[Entry]]] = {}
        self.forgotten: list[str] = []
        self.changed: dict[str, tuple[Json, Json]] = {}

    def add(self, iri: str, value: Json) -> None:
        known = self._before.get(iri)
        before = known.value if known else None
        differs = not equal(before, value)
        old = known.quads if known else frozenset()
        new: frozenset[Quad] = frozenset()
        if value is not None:
            changed_at = self._now if differs or known is None else known.changed_at
            new = frozenset(_quads(iri, value, self._now, changed_at))
            self.present[iri] = _Present(value, self._now, changed_at, new)
        else:
            self.forgotten.append(iri)
        self.deleted += old - new
        self.inserted += new - old
        if differs:
            self.changed[iri] = (before, value)
            if known is not None and self._length:
                self._remember(iri, Past(before, value, self._now))

    def _remember(self, iri: str, past: Past) -> None:
        """One entry more in the store, and those that are too many for it gone; the entries here change when that is
        done."""
        series = self._past_before.of(iri)
        entry, gone = series.next(past), self._too_many(series.entries)
        self.inserted += entry.quads(iri)
        self.deleted += [quad for one in gone for quad in one.quads(iri)]
        self.past[iri] = (entry, gone)

    def _too_many(self, entries: deque[Entry]) -> list[Entry]:
        """The entries that go when one more comes: thinned now and then, and not at every change."""
        more = len(entries) + 1 - self._length
        if more <= 0 or (self._days and len(entries) % THINNED_EVERY):
            return []
        if not self._days:
            return list(islice(entries, more))
        return thinned(entries, self._length - 1, self._days, self._now)


class _Gathered:
    """Writes of a thread that go to the store together: quads to delete and to insert, and the news of them."""

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self._deleted: set[Quad] = set()
        self._inserted: set[Quad] = set()
        self._news: list[Changed] = []

    def add(self, writing: _Writing, news: Iterable[Changed]) -> None:
        self._deleted.update(quad for quad in writing.deleted if quad not in self._inserted)
        self._inserted.difference_update(writing.deleted)
        self._inserted.update(writing.inserted)
        self._news += news

    def taken(self) -> tuple[set[Quad], set[Quad], list[Changed]]:
        found = self._deleted - self._inserted, self._inserted, self._news
        self._deleted, self._inserted, self._news = set(), set(), []
        return found


def _quads(iri: str, value: Json, observed_at: datetime, changed_at: datetime | None) -> Iterator[Quad]:
    subject = NamedNode(iri)
    yield Quad(subject, VALUE, literal(value), STATE)
    yield Quad(subject, OBSERVED_AT, literal(observed_at), STATE)
    if changed_at is not None:
        yield Quad(subject, CHANGED_AT, literal(changed_at), STATE)


def _read_present(quads: Iterable[Quad]) -> dict[str, _Present]:
    about: dict[str, list[Quad]] = {}
    for quad in quads:
        about.setdefault(quad.subject.value, []).append(quad)  # type: ignore[union-attr]
    found = {}
    for iri, own in about.items():
        terms = {quad.predicate: quad.object for quad in own}
        if VALUE in terms:
            observed_at, changed_at = moment(terms.get(OBSERVED_AT)), moment(terms.get(CHANGED_AT))
            found[iri] = _Present(past.value(terms[VALUE]), observed_at, changed_at, frozenset(own))
    return found
