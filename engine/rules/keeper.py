"""The keeper of rules: woken by time and by changes, it writes down that a rule fires, has it carried out, and writes
down what came of it; so that killed at any instant nothing is done twice and nothing is forgotten.

Time waits in one heap; of the changes only those wake a rule that can change whether it holds. What is due is found
under a lock, and carried out outside of it.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from threading import RLock

from engine.environment.changes import Changed, Happened, Resynchronise
from engine.environment.clock import Clock
from engine.environment.state import State as Present
from engine.errors import InputError
from engine.graph.store import GraphStore
from engine.graph.terms import REQUESTS, Json, NamedNode
from engine.model.rule import At, CatchUp, Cron, Recurrence, Rule, Schedule
from engine.rules.adoption import adopt
from engine.rules.book import Book, Entry, Firing, State, firing_of
from engine.rules.forbidding import settle
from engine.rules.ground import ground_of
from engine.rules.moments import Ground, first_after, utc, within
from engine.rules.notices import Notice, Notices
from engine.rules.watching import Watching
from engine.things.registry import Registry

Act = Callable[[Rule, Firing], tuple[State, str | None]]
"""Carries a firing out: what came of it, and why where it failed."""
MOST_WAITING = 20_000
MOST_A_DAY = 24
"""How many times of a day that is left out are passed over when the next time is looked for."""
LATE = 60.0
"""Seconds after which a time counts as missed and the rule's catch-up policy decides."""
RUNAWAY, WITHIN = 20, 60.0
"""So often a rule may fire within so many seconds; then it is paused, for it sets itself off."""

_INTENT = "/intent-"
"""What stands in the IRI of a rule behind that of the request in which it was told."""


class Keeper:
    """The rules of one home. `act` is called for each firing by whoever calls `attend`."""

    def __init__(self, store: GraphStore, registry: Registry, state: Present, clock: Clock, act: Act) -> None:
        self.book = Book(store)
        self.notices = Notices()
        self._store, self._registry, self._state, self._clock = store, registry, state, clock
        self._act = act
        self._lock = RLock()
        self._count = itertools.count()
        self._heap: list[tuple[datetime, int, str]] = []
        self._pushed: set[tuple[datetime, str]] = set()
        self._watching = Watching(store, registry, state)
        self._recent: dict[str, deque[datetime]] = {}
        self._waiting: deque[Firing] = deque()
        self._values: dict[str, Json] = {}
        self._generation = -1
        self._subscribe()
        self._begun = False

    @property
    def ground(self) -> Ground:
        """Where the home lies, and its time zone."""
        return ground_of(self._store, self._clock.now())

    def now(self) -> datetime:
        """What time it is in the home."""
        return self._clock.now()

    # Making and changing

    def take_up(self, rule: Rule, iri: str, does: tuple[tuple[str, Json], ...] = ()) -> Rule:
        """The rule, kept from now on, which would set these values. Raises InputError for one that cannot be."""
        with self._lock:
            self._begin()
            now = self._clock.now()
            adopted = adopt(rule, iri, now, self.ground)
            self._index(Entry(adopted, self._next(adopted, now), None, does), fresh=True)
            return adopted

    def adopted(self, rule: Rule, iri: str) -> Rule:
        """The rule as it would be taken up now; nothing is kept. Raises InputError."""
        return adopt(rule, iri, self._clock.now(), self.ground)

    def following(self, rule: Rule) -> datetime | None:
        """When time sets a rule off next."""
        return self._next(rule, self._clock.now())

    def tell(self, rule: Rule, firing: Firing) -> None:
        """Tells a rule's owner what it is to tell."""
        self.notices.publish([Notice(rule.iri, rule.notice or rule.text, rule.owner, firing.due)])

    def put(self, rule: Rule) -> None:
        """Another version of a rule that is kept; its events begin anew."""
        with self._lock:
            self._begin()
            self._drop(rule.iri)
            known = self.book.entries.get(rule.iri)
            does = known.does if known is not None and known.rule.actions == rule.actions else ()
            self._index(Entry(rule, self._next(rule, self._clock.now()), None, does), fresh=True)

    def switch(self, rule: Rule, *, on: bool) -> None:
        """Switches a rule on or off; its events begin anew."""
        self.put(replace(rule, enabled=on, paused_until=None))

    def remove(self, iris: Iterable[str]) -> None:
        """Takes rules away; firings that are over stay on record."""
        with self._lock:
            gone = [iri for iri in iris if iri in self.book.entries]
            for iri in gone:
                settle(self.book.entries[iri].rule, self._store, self._registry, holds=False)
                self._drop(iri)
            self.book.write(drop=gone)

    def disown(self, person: str) -> None:
        """Rules of somebody who is forgotten are nobody's from now on; those that tell them something are gone, and so
        are the firings of rules of which neither the rule nor the request is there any more."""
        with self._lock:
            own = [one.rule for one in self.rules() if (one.rule.owner or "").casefold() == person.casefold()]
            self.remove([rule.iri for rule in own if rule.notice is not None])
            for rule in own:
                if rule.notice is None:
                    self.put(replace(rule, owner=None, conversation=None))
            requests = {quad.subject.value for quad in self._store.graph(REQUESTS)}  # type: ignore[union-attr]
            fired = ((iri, one.rule) for iri, one in self.book.firings.items())
            left = [iri for iri, rule in fired if rule.partition(_INTENT)[0] not in requests]
            self.book.write(drop=[iri for iri in left if self.book.firings[iri].rule not in self.book.entries])

    def rules(self) -> tuple[Entry, ...]:
        """The rules, in the order in which they were made."""
        with self._lock:
            found = self.book.entries.values()
            return tuple(sorted(found, key=lambda one: (str(one.rule.made_at), one.rule.iri)))

    def clear(self) -> None:
        """Forgets all rules and firings: for a home that begins anew."""
        with self._lock:
            for iri, entry in tuple(self.book.entries.items()):
                settle(entry.rule, self._store, self._registry, holds=False)
                self._drop(iri)
            self.book.clear()
            self._waiting.clear()
            self._subscribe()

    # Living

    def next_due(self) -> datetime | None:
        """When time wakes the keeper next."""
        with self._lock:
            self._begin()
            while self._heap and not self._is_meant(self._heap[0]):
                self._pop()
            return self._heap[0][0] if self._heap else None

    def attend(self) -> int:
        """Takes in what has changed and what is due, and has it carried out; how many rules fired."""
        fired = 0
        while True:
            with self._lock:
                self._begin()
                with self.book.gathered():
                    self._refresh()
                    self._take_changes()
                    if not self._waiting:
                        self._take_due()
                firing = self._waiting.popleft() if self._waiting else None
            if firing is None:
                return fired
            fired += 1
            self._carry_out(firing)

    def answer(self, iri: str, *, consent: bool) -> None:
        """A firing that was missed and asked about is made up for, or left. Raises InputError for no such one."""
        with self._lock:
            firing = self.book.firings.get(iri)
            if firing is None or firing.status is not State.ASKED:
                raise InputError("Nothing is asked about that.", remedy="Look at the rules.", reason="no_such_rule")
            if not consent:
                self.book.write(firings=[replace(firing, status=State.MISSED)])
                return
            begun = replace(firing, status=State.BEGUN)
            self.book.write(firings=[begun])
            self._waiting.append(begun)
        self.attend()

    def reopen(self) -> None:
        """Reads the graph anew: a dump was restored, or somebody else wrote."""
        with self._lock:
            self._heap.clear()
            self._pushed.clear()
            self._watching = Watching(self._store, self._registry, self._state)
            self.book.refresh()
            self._begun = False

    # Beginning

    def _begin(self) -> None:
        """Takes the rules of the graph up again, once: what was begun, what was missed, what turned true meanwhile."""
        if self._begun:
            return
        self._begun = True
        self._generation = self._store.generation
        self._values = self._state.snapshot()
        for firing in [one for one in self.book.firings.values() if one.status is State.BEGUN]:
            self._recover(firing)
        for entry in tuple(self.book.entries.values()):
            self._index(entry, fresh=False)
        for iri in tuple(self.book.entries):
            self._look(iri, self._clock.now())

    def _recover(self, firing: Firing) -> None:
        """What was begun when the engine was killed: carried out where nothing had been done yet, else told."""
        if not self._store.ask("rules/carried_out", request=NamedNode(firing.request)):
            self._waiting.append(firing)
            return
        entry = self.book.entries.get(firing.rule)
        gone = [firing.rule] if entry is not None and entry.rule.once else []
        self.book.write(drop=gone, firings=[replace(firing, status=State.INTERRUPTED)])

    def _index(self, entry: Entry, *, fresh: bool) -> None:
        rule, now, ground = entry.rule, self._clock.now(), self.ground
        found = self._watching.add(rule)
        if fresh:
            changed = self._watching.since(rule.iri)
            for one in found:
                one.begin(self._values, changed, now, ground)
            entry = replace(entry, standing=[one.to_json() for one in found] or None)
            self.book.write(keep=[entry])
        elif isinstance(entry.standing, list):
            for one, data in zip(found, entry.standing, strict=False):
                one.restore(data)
        settle(rule, self._store, self._registry, holds=rule.enabled)
        self._wait(entry)

    def _drop(self, iri: str) -> None:
        self._watching.drop(iri)

    def _wait(self, entry: Entry) -> None:
        """Puts into the heap when a rule is to be looked at next."""
        looks = self._watching.next_looks(entry.rule.iri, self._clock.now(), self.ground)
        for moment in (utc(one) for one in (entry.next, *looks) if one is not None):
            if (moment, entry.rule.iri) not in self._pushed:
                self._pushed.add((moment, entry.rule.iri))
                heapq.heappush(self._heap, (moment, next(self._count), entry.rule.iri))

    def _pop(self) -> tuple[datetime, int, str]:
        waiting = heapq.heappop(self._heap)
        self._pushed.discard((waiting[0], waiting[2]))
        return waiting

    def _is_meant(self, waiting: tuple[datetime, int, str]) -> bool:
        """Whether what waits in the heap is still to come: the rule was not changed since."""
        entry = self.book.entries.get(waiting[2])
        if entry is None or not entry.rule.enabled:
            return False
        return (entry.next is not None and utc(entry.next) == waiting[0]) or bool(
            self._watching.standing.get(waiting[2])
        )

    def _subscribe(self) -> None:
        self._changes = self._state.hub.subscribe(MOST_WAITING)
        self._events = self._state.events.subscribe(MOST_WAITING)

    def _refresh(self) -> None:
        """What came or went among the things changes what rules are about."""
        if self._generation == self._store.generation:
            return
        self._generation = self._store.generation
        for iri, entry in tuple(self.book.entries.items()):
            seen = self._watching.seen.get(iri, frozenset())
            self._drop(iri)
            self._index(entry, fresh=False)
            if self._watching.seen[iri] - seen:
                self._set_off(entry, self._clock.now())

    # What happens

    def _take_changes(self) -> None:
        try:
            while (change := self._changes.take(0)) is not None:
                self._take(change)
            while (event := self._events.take(0)) is not None:
                self._hear(event)
        except Resynchronise:
            self._subscribe()
            self._values = self._state.snapshot()
            for iri in tuple(self.book.entries):
                self._look(iri, self._clock.now())

    def _take(self, change: Changed) -> None:
        before = self._values.get(change.property)
        self._values[change.property] = change.after
        if change.after is None:
            self._values.pop(change.property, None)
        for iri in self._watching.woken(change.property, before, change.after):
            self._look(iri, change.at)
        for iri in self._watching.told(change.property):
            self._set_off(self.book.entries[iri], change.at)

    def _hear(self, event: Happened) -> None:
        for iri in self._watching.told(event.event):
            self._set_off(self.book.entries[iri], event.at)

    def _look(self, iri: str, now: datetime) -> None:
        """Looks at how the events of a rule stand; it is set off where one turns true."""
        entry = self.book.entries.get(iri)
        if entry is None or not self._watching.standing.get(iri):
            return
        before = entry.standing
        turned, standing = self._watching.look(iri, self._values, now, self.ground)
        entry = replace(entry, standing=standing)
        if turned and self._set_off(entry, now):
            return
        if standing != before:
            self.book.write(keep=[entry])
            self._wait(entry)

    def _take_due(self) -> None:
        now = utc(self._clock.now())
        while self._heap and self._heap[0][0] <= now:
            waiting = self._pop()
            if self._is_meant(waiting):
                self._come_due(self.book.entries[waiting[2]], waiting[0], now)
            if self._waiting:
                return

    def _come_due(self, entry: Entry, due: datetime, now: datetime) -> None:
        if entry.next is None or utc(entry.next) != due:
            self._look(entry.rule.iri, due.astimezone(self.ground.zone))
            self._wait(self.book.entries.get(entry.rule.iri, entry))
            return
        moment = entry.next
        missed = (now - due).total_seconds() > LATE
        after = self._clock.now() if missed else moment
        advanced = replace(entry, next=self._next(entry.rule, after))
        if missed and entry.rule.catch_up is not CatchUp.ONCE and self._may(entry.rule, moment):
            status = State.ASKED if entry.rule.catch_up is CatchUp.ASK else State.MISSED
            gone = [entry.rule.iri] if entry.rule.once and status is State.MISSED else []
            kept = [] if gone else [advanced]
            self.book.write(keep=kept, drop=gone, firings=[replace(firing_of(entry.rule, moment), status=status)])
            self._wait(advanced)
        elif not self._set_off(advanced, moment, timed=True):
            self._let_go(advanced)

    def _let_go(self, entry: Entry) -> None:
        """A time came, and the rule did not fire."""
        if entry.rule.once and entry.next is None:
            self._drop(entry.rule.iri)
            self.book.write(drop=[entry.rule.iri])
            return
        self.book.write(keep=[entry])
        self._wait(entry)

    # Firing

    def _set_off(self, entry: Entry, due: datetime, *, timed: bool = False) -> bool:
        """Writes down that a rule fires, where nothing speaks against it; whether it does. A time fires once; several
        events may come at the same moment."""
        rule = entry.rule
        firing = firing_of(rule, due)
        while not timed and firing.iri in self.book.firings:
            firing = replace(firing, iri=f"{firing.iri}+", request=f"{firing.iri}+/request")
        if firing.iri in self.book.firings or not self._may(rule, due) or not self._holds(rule, due):
            return False
        if self._runs_away(rule, due):
            entry = replace(entry, rule=replace(rule, enabled=False))
            self.book.write(keep=[entry], firings=[replace(firing, status=State.FAILED, reason="endless")])
            return True
        if rule.once:
            entry = replace(entry, rule=replace(rule, enabled=False), next=None)
        self.book.write(keep=[entry], firings=[firing])
        self._waiting.append(firing)
        self._wait(entry)
        return True

    def _may(self, rule: Rule, at: datetime) -> bool:
        """Whether a rule can be set off at all at a moment."""
        on = rule.enabled and (rule.paused_until is None or utc(at) >= utc(rule.paused_until))
        begun = rule.valid_from is None or utc(at) >= utc(rule.valid_from)
        valid = begun and (rule.valid_until is None or utc(at) < utc(rule.valid_until))
        return on and valid and at.astimezone(self.ground.zone).date() not in rule.exceptions

    def _holds(self, rule: Rule, at: datetime) -> bool:
        """Whether its conditions hold at a moment, and a window is open."""
        if not within(rule.windows, at, self.ground):
            return False
        return self._watching.conditions_hold(rule, self._values, at)

    def _runs_away(self, rule: Rule, at: datetime) -> bool:
        recent = self._recent.setdefault(rule.iri, deque(maxlen=RUNAWAY))
        recent.append(at)
        return len(recent) == RUNAWAY and (utc(at) - utc(recent[0])).total_seconds() < WITHIN

    def _carry_out(self, firing: Firing) -> None:
        entry = self.book.entries.get(firing.rule)
        gone_meanwhile: tuple[State, str | None] = (State.FAILED, "no_such_rule")
        status, reason = gone_meanwhile if entry is None else self._act(entry.rule, firing)
        with self._lock:
            now = self.book.entries.get(firing.rule)
            gone = [firing.rule] if now is not None and now.rule.once else []
            for iri in gone:
                self._drop(iri)
            self.book.write(drop=gone, firings=[replace(firing, status=status, reason=reason)])

    def _next(self, rule: Rule, after: datetime) -> datetime | None:
        """When time sets a rule off next, after a moment."""
        if not rule.enabled:
            return None
        for _ in range(len(rule.exceptions) * MOST_A_DAY + 1):
            found = [m for s in _schedules(rule) if (m := self._first(s, rule, after)) is not None]
            moment = min(found, key=utc, default=None)
            if moment is None or moment.astimezone(self.ground.zone).date() not in rule.exceptions:
                return moment
            after = moment
        return None

    def _first(self, schedule: Schedule, rule: Rule, after: datetime) -> datetime | None:
        return first_after(schedule, after, rule.made_at or after, self.ground)


def _schedules(rule: Rule) -> Iterator[Schedule]:
    return (one for one in rule.triggers if isinstance(one, At | Recurrence | Cron))
