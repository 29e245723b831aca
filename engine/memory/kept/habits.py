"""What usually comes next: smoothed conditional frequencies over abstract tasks, with support; never done unasked.

A task is what people call by one name (a scene, or a command on a class of things in a room). How likely it is on such
a day is counted from the days that were such, smoothed by the days that were less so: person, kind of day and
circumstances; person and kind of day; person; everybody. A validator takes from a list of tasks, whoever made it, those
that experience says are rare on such a day ("Towards ad hoc teamwork", execution traces).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from engine.graph.terms import Json

WEIGHT = 1.0
"""How many days the less special count is worth beside the more special one."""
LIKELY = 0.5
"""From how likely on a task is expected."""
RARE = 0.25
"""Below how likely a task is taken from a list, where there is experience of such days."""
UNWANTED = 2
"""How many times that a task was done one declined offer of it outweighs."""
ENOUGH = 3
"""Of how many such days there must be experience for it to speak against anything."""
SATURDAY = 5


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a day is like: whose, a weekend or not, and what else is so ("guests", "working from home")."""

    person: str
    weekend: bool
    notes: frozenset[str] = frozenset()

    @classmethod
    def on(cls, person: str, day: date, notes: Iterable[str] = ()) -> Circumstances:
        """Those of a day."""
        return cls(person.casefold(), day.weekday() >= SATURDAY, frozenset(notes))

    def wider(self) -> Iterator[tuple[object, ...]]:
        """These, and ever wider ones: the keys under which is counted, the narrowest first."""
        yield self.person, self.weekend, self.notes
        yield self.person, self.weekend
        yield (self.person,)
        yield ()


@dataclass(frozen=True, slots=True)
class Episode:
    """A task that was done, when, and on what kind of day."""

    task: str
    at: datetime
    circumstances: Circumstances


@dataclass(frozen=True, slots=True)
class Expectation:
    """A task, how likely it is, and the count behind it: `times` of `days` such days; `after` is what it follows."""

    task: str
    confidence: float
    times: int
    days: int
    after: str | None = None


@dataclass(slots=True)
class Habits:
    """Counts, brought up to date episode by episode."""

    _days: Counter[tuple[object, ...]] = field(default_factory=Counter)
    _seen: dict[str, tuple[date, set[tuple[object, ...]]]] = field(default_factory=dict)
    _done: defaultdict[tuple[object, ...], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _next: defaultdict[tuple[object, ...], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _place: dict[str, tuple[int, int]] = field(default_factory=dict)
    _today: dict[tuple[str, date], list[str]] = field(default_factory=dict)
    _like: dict[Circumstances, tuple[str, date]] = field(default_factory=dict)
    _declined: dict[tuple[object, ...], Counter[str]] = field(default_factory=dict)

    def learn(self, episodes: Iterable[Episode]) -> None:
        """Counts what was done; in the order of time."""
        for one in episodes:
            day = (one.circumstances.person, one.at.date())
            before = self._today.setdefault(day, [])
            self._like[one.circumstances] = day
            first, after = one.task not in before, before[-1] if before else ""
            for key in one.circumstances.wider():
                self._count_day(key, *day)
                self._next[(*key, "after", after)][one.task] += 1
                if first:
                    self._done[key][one.task] += 1
            if one.task not in before:
                total, times = self._place.get(one.task, (0, 0))
                self._place[one.task] = (total + len(before), times + 1)
            before.append(one.task)

    def _count_day(self, key: tuple[object, ...], person: str, day: date) -> None:
        """Counts a day under a key, once; the days of a person come one after the other."""
        last, keys = self._seen.get(person, (date.min, set()))
        if last != day:
            keys = set()
            self._seen[person] = (day, keys)
        if key not in keys:
            keys.add(key)
            self._days[key] += 1

    def counts(self, latest: int) -> dict[str, Json]:
        """All that was counted, to be kept, with what was done on the latest days; `of` makes the same of it."""
        several = sorted(self._today.items(), key=lambda one: one[0][1])[-latest:]
        like = [(kind, day) for kind, day in self._like.items() if day in dict(several)]
        return {
            "days": [[_plain(key), times] for key, times in self._days.items()],
            "done": [[_plain(key), dict(tasks)] for key, tasks in self._done.items()],
            "next": [[_plain(key), dict(tasks)] for key, tasks in self._next.items()],
            "place": {task: list(place) for task, place in self._place.items()},
            "today": [[person, day.isoformat(), list(tasks)] for (person, day), tasks in several],
            "like": [[_plain(next(kind.wider())), person, day.isoformat()] for kind, (person, day) in like],
        }

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Habits:
        """What was counted once, as `counts` gives it."""
        found = cls()
        found._days.update({_key(key): times for key, times in kept["days"]})
        found._done.update({_key(key): Counter(tasks) for key, tasks in kept["done"]})
        found._next.update({_key(key): Counter(tasks) for key, tasks in kept["next"]})
        found._place = {task: (total, times) for task, (total, times) in kept["place"].items()}
        found._today = {(who, date.fromisoformat(day)): list(tasks) for who, day, tasks in kept["today"]}
        for (person, weekend, notes), who, day in kept["like"]:
            found._like[Circumstances(person, weekend, frozenset(notes))] = (who, date.fromisoformat(day))
        return found

    def declined(self, task: str, circumstances: Circumstances) -> None:
        """An offer was not wanted: it counts as a such day without the task."""
        for key in circumstances.wider():
            self._declined.setdefault(key, Counter())[task] += 1

    def on_a_day(self, task: str, circumstances: Circumstances) -> Expectation:
        """How likely a task is on such a day, at any time of it."""
        confidence = 0.0
        for key in reversed(list(circumstances.wider())):
            times = self._done.get(key, Counter())[task]
            days = self._days[key] + self._declined.get(key, Counter())[task]
            confidence = (times + WEIGHT * confidence) / (days + WEIGHT) if days else confidence
        narrow = next(circumstances.wider())
        return Expectation(task, confidence, self._done.get(narrow, Counter())[task], self._days[narrow])

    def next(self, circumstances: Circumstances, done: Sequence[str]) -> list[Expectation]:
        """What comes next after what was done, the likeliest first. Their confidences sum to one at most."""
        after = done[-1] if done else ""
        scores: dict[str, float] = {}
        for key in reversed(list(circumstances.wider())):
            counted = self._next.get((*key, "after", after), Counter())
            total = sum(counted.values())
            if total:
                tasks = {*scores, *counted}
                scores = {t: (counted[t] + WEIGHT * scores.get(t, 0.0)) / (total + WEIGHT) for t in tasks}
        counted = self._next.get((*next(circumstances.wider()), "after", after), Counter())
        left = {task: score for task, score in scores.items() if task not in done}
        left = {task: score * self._wanted(task, circumstances) for task, score in left.items()}
        ranked = sorted(left.items(), key=lambda one: (-one[1], one[0]))
        return [Expectation(task, score, counted[task], sum(counted.values()), after) for task, score in ranked]

    def _wanted(self, task: str, circumstances: Circumstances) -> float:
        """How much of an expectation is left after offers of it were declined."""
        key = next(circumstances.wider())
        times, refused = self._done.get(key, Counter())[task], self._declined.get(key, Counter())[task]
        return (times + 1) / (times + UNWANTED * refused + 1)

    def anticipate(self, circumstances: Circumstances, done: Sequence[str] = ()) -> list[Expectation]:
        """The tasks that are still to be expected on such a day, in the order in which they are usually done."""
        known = {task for key in circumstances.wider() for task in self._done.get(key, ())}
        found = [self.on_a_day(task, circumstances) for task in known if task not in done]
        return sorted(
            (one for one in found if one.confidence >= LIKELY), key=lambda one: (self._usual(one.task), one.task)
        )

    def done_on(self, person: str, day: date) -> list[str]:
        """What somebody did on a day, in its order."""
        return list(self._today.get((person, day), ()))

    def tasks(self, person: str) -> list[str]:
        """What somebody is known to do, in the order in which it is usually done."""
        return sorted(self._done.get((person,), ()), key=lambda task: (self._usual(task), task))

    def examples(self, circumstances: Circumstances, number: int) -> list[tuple[Circumstances, list[str]]]:
        """The latest days of the same person that were most like such a day, with what was done on them."""
        own = [one for one in self._like if one.person == circumstances.person]
        like = sorted(own, key=lambda one: (one.weekend == circumstances.weekend, len(one.notes & circumstances.notes)))
        found = [(one, self._today[self._like[one]]) for one in reversed(like)]
        return [(one, list(tasks)) for one, tasks in found[:number]]

    def _usual(self, task: str) -> float:
        """The usual place of a task in a day."""
        total, times = self._place.get(task, (0, 1))
        return total / times

    def validate(self, tasks: Iterable[str], circumstances: Circumstances) -> tuple[list[str], list[Expectation]]:
        """Of tasks that somebody expects those that experience does not speak against, and why the others are left."""
        kept, removed = list[str](), list[Expectation]()
        for task in tasks:
            known = self.on_a_day(task, circumstances)
            if known.days >= ENOUGH and known.confidence < RARE:
                removed.append(known)
            else:
                kept.append(task)
        return kept, removed


def _plain(key: Iterable[object]) -> list[Json]:
    """A key as it is written: its sets as sorted lists."""
    return [sorted(map(str, part)) if isinstance(part, frozenset) else part for part in key]  # type: ignore[misc]


def _key(parts: Iterable[object]) -> tuple[object, ...]:
    return tuple(frozenset(part) if isinstance(part, list) else part for part in parts)
