"""What is wrong with a rule among others, found before it ever fires.

Two rules contradict each other where they set one property differently at the same time, or on conditions that can hold
together and turn true together. Rules that set each other off are found along what they set, and along what the home
senses of it. Only rules that share a property, or bear on one, are compared: the rest is never looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

from engine.environment.simulation.influences import Influences
from engine.environment.values.quantities import same, truth
from engine.environment.values.schemas import is_number
from engine.graph.store import GraphStore
from engine.graph.terms import Json
from engine.model.rule import At, Becomes, Cron, Match, Recurrence, Rule
from engine.rules.domains import implies, possible, satisfied
from engine.rules.moments import Ground, first_after, utc, within
from engine.rules.ways import Conditions, condition_ways, event_ways, together
from engine.things.registry import Registry

HORIZON, MOST_TIMES = timedelta(days=42), 200
NEAR = 60.0
"""Seconds within which two times count as the same."""
LONGEST_CHAIN = 6


class Kind(Enum):
    """What can be wrong."""

    CONTRADICTION = "contradiction"
    LOOP = "loop"
    CHAIN = "chain"
    NEVER = "never"
    CONTAINED = "contained"
    NO_UNDOING = "no_undoing"
    POLICY = "policy"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: with which rules (IRIs, the new one left out), in words, and a mend that is offered."""

    kind: Kind
    rules: tuple[str, ...]
    text: str
    mend: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What is compared of a rule: the times at which it fires, the ways in which its events are so, the conditions that
    hold when it fires, and the values that it sets."""

    rule: Rule
    times: tuple[datetime, ...]
    events: tuple[Conditions, ...]
    held: tuple[Conditions, ...]
    sets: tuple[tuple[str, Json], ...]
    senses: tuple[tuple[str, int], ...] = ()

    @property
    def reads(self) -> frozenset[str]:
        """The properties that set it off."""
        return frozenset(one["property"] for way in self.events for one in way)


@dataclass(slots=True)
class Checker:
    """The rules of a home as profiles, indexed by what they set and by what sets them off."""

    store: GraphStore
    registry: Registry
    profiles: dict[str, Profile] = field(default_factory=dict)
    setting: dict[str, set[str]] = field(default_factory=dict)
    reading: dict[str, set[str]] = field(default_factory=dict)

    def profile(
        self, rule: Rule, sets: Iterable[tuple[str, Json]], now: datetime, ground: Ground, state: dict[str, Json]
    ) -> Profile:
        """What is compared of a rule that sets these values."""
        held = condition_ways(rule, self.store, self.registry)
        events = [
            way for t in rule.triggers if isinstance(t, Becomes) for way in event_ways(t, self.store, self.registry)
        ]
        joint = together([events, held], Match.ALL) if events else []
        made = tuple(sets)
        return Profile(
            rule, tuple(_times(rule, now, ground)), tuple(joint), tuple(held), made, self._sensed(made, state, now)
        )

    def _sensed(
        self, sets: tuple[tuple[str, Json], ...], state: dict[str, Json], now: datetime
    ) -> tuple[tuple[str, int], ...]:
        """Which readings what is set moves, and which way: from the opposite of it."""
        before = {**state, **{prop: _opposite(prop, value, self.registry) for prop, value in sets}}
        influences = Influences(self.store, self.registry)
        moved = influences.consequences(before, dict(sets), now)
        found = []
        for prop, value in moved.items():
            was = before.get(prop)
            if is_number(value) and is_number(was) and value != was:
                found.append((prop, 1 if float(value) > float(was) else -1))  # type: ignore[arg-type]
        return tuple(found)

    def add(self, profile: Profile) -> None:
        """Takes a rule in."""
        iri = profile.rule.iri
        self.drop(iri)
        self.profiles[iri] = profile
        for prop, _ in profile.sets:
            self.setting.setdefault(prop, set()).add(iri)
        for prop in profile.reads:
            self.reading.setdefault(prop, set()).add(iri)

    def drop(self, iri: str) -> None:
        """Forgets a rule."""
        gone = self.profiles.pop(iri, None)
        if gone is not None:
            for prop, _ in gone.sets:
                self.setting[prop].discard(iri)
            for prop in gone.reads:
                self.reading[prop].discard(iri)

    def check(self, new: Profile) -> tuple[Finding, ...]:
        """What is wrong with a rule among those that were taken in."""
        never = self._never(new)
        if never is not None:
            return (never,)
        rivals = {iri for prop, _ in new.sets for iri in self.setting.get(prop, ())} - {new.rule.iri}
        found: list[Finding] = []
        for iri in sorted(rivals):
            found += self._against(new, self.profiles[iri])
        found += self._loops(new)
        found += self._undone(new)
        return tuple(dict.fromkeys(found))

    # One rule alone

    def _never(self, new: Profile) -> Finding | None:
        def finding(why: str, mend: str) -> Finding:
            return Finding(Kind.NEVER, (), f"This rule can never fire: {why}.", mend)

        timed = any(isinstance(t, At | Recurrence | Cron) for t in new.rule.triggers)
        if timed and not new.times and not new.events:
            return finding("no time of it lies ahead, or none in its hours", "Say another time.")
        if not any(possible(way, self.registry) for way in new.held):
            return finding("its conditions cannot hold together", "Leave one of them out.")
        watched = [way for way in new.events if way]
        if watched and not any(possible(way, self.registry) for way in watched) and not new.times:
            return finding("what it waits for cannot be", "Say another value.")
        until = new.rule.valid_until
        if until is not None and new.rule.made_at is not None and utc(until) <= utc(new.rule.made_at):
            return finding("its time is over", "Say until when.")
        return None

    def _undone(self, new: Profile) -> Iterator[Finding]:
        """What is put to work again and again, and never stopped by any rule."""
        if new.rule.once or any(one.timing is not None for one in new.rule.actions):
            return
        for prop, value in new.sets:
            known = self.registry.properties.get(prop)
            if known is None or truth(value, known, self.registry.vocabulary) is not True:
                continue
            others = (v for iri in self.setting.get(prop, ()) for p, v in self.profiles[iri].sets if p == prop)
            if not any(truth(v, known, self.registry.vocabulary) is False for v in others):
                name = self.registry.thing_of[prop].title
                yield Finding(
                    Kind.NO_UNDOING, (), f"Nothing ever puts “{name}” back.", "Say for how long, or when it ends."
                )
                return

    # Two rules

    def _against(self, new: Profile, old: Profile) -> Iterator[Finding]:
        text = old.rule.text
        if self._differ(new, old) and self._together(new, old):
            yield Finding(
                Kind.CONTRADICTION,
                (old.rule.iri,),
                f"“{text}” sets the same otherwise, and both can come at once.",
                "Say which goes first, or under what condition.",
            )
        elif self._contains(new, old):
            yield Finding(
                Kind.CONTAINED, (old.rule.iri,), f"“{text}” does all of that already.", "Leave one of them out."
            )
        elif self._contains(old, new):
            yield Finding(Kind.CONTAINED, (old.rule.iri,), f"It does all that “{text}” does.", "Delete the other one.")

    def _differ(self, one: Profile, other: Profile) -> bool:
        values = dict(other.sets)
        return any(prop in values and not self._same(prop, value, values[prop]) for prop, value in one.sets)

    def _same(self, prop: str, one: Json, other: Json) -> bool:
        return same(one, other, self.registry.properties.get(prop), self.registry.vocabulary)

    def _together(self, one: Profile, other: Profile) -> bool:
        """Whether both can fire at the same time."""
        if _common(one.times, other.times) and self._joint(one.held, other.held):
            return True
        if not (one.reads & other.reads):
            return False
        return _overlap(one.rule, other.rule) and self._joint(one.events, other.events)

    def _joint(self, ones: Sequence[Conditions], others: Sequence[Conditions]) -> bool:
        return any(possible([*one, *other], self.registry) for one in ones for other in others)

    def _contains(self, inner: Profile, outer: Profile) -> bool:
        """Whether whatever sets the inner rule off sets the outer off, which does all that the inner does."""
        does = dict(outer.sets)
        if not inner.sets or not all(p in does and self._same(p, v, does[p]) for p, v in inner.sets):
            return False
        if bool(inner.times) != bool(outer.times) or bool(inner.events) != bool(outer.events):
            return False
        if inner.rule.notice is not None or not _no_wider(inner.rule, outer.rule):
            return False
        near = {round(utc(moment).timestamp() / NEAR) for moment in outer.times}
        if not all(round(utc(moment).timestamp() / NEAR) in near for moment in inner.times):
            return False
        implied = self._implied(inner.events, outer.events) if inner.events else self._implied(inner.held, outer.held)
        return implied

    def _implied(self, ones: Sequence[Conditions], others: Sequence[Conditions]) -> bool:
        return all(any(implies(one, other, self.registry) for other in others) for one in ones)

    # Rules that set each other off

    def _loops(self, new: Profile) -> Iterator[Finding]:
        for path, sensed in self._paths(new):
            names = [f"“{self.profiles[iri].rule.text}”" for iri in path]
            told = ", then ".join(names)
            last = self.profiles[path[-1]]
            if self._wakes(last, new)[0]:
                yield Finding(
                    Kind.LOOP,
                    tuple(path),
                    f"It sets off {told}, which sets it off again.",
                    "Say when it shall not fire.",
                )
            elif sensed:
                yield Finding(
                    Kind.CHAIN, tuple(path), f"By what the home senses of it, it sets off {told}.", "Is that meant?"
                )
        if self._wakes(new, new)[0] and any(self._turns(new, prop, value) for prop, value in new.sets):
            yield Finding(Kind.LOOP, (), "It sets itself off.", "Say when it shall not fire.")
        for iri in sorted({iri for prop in new.reads for iri in self._bearing(prop)} - {new.rule.iri}):
            wakes, sensed = self._wakes(self.profiles[iri], new)
            if wakes and sensed:
                text = self.profiles[iri].rule.text
                yield Finding(
                    Kind.CHAIN, (iri,), f"“{text}” sets it off, by what the home senses of it.", "Is that meant?"
                )

    def _bearing(self, prop: str) -> Iterator[str]:
        return (iri for iri, one in self.profiles.items() if any(sensed == prop for sensed, _ in one.senses))

    def _turns(self, new: Profile, prop: str, value: Json) -> bool:
        """Whether a rule undoes what sets it off, by what it sets, so that it can come again at once."""
        own = [one for way in new.events for one in way if one["property"] == prop]
        return bool(own) and not any(satisfied(value, one) for one in own)

    def _paths(self, new: Profile) -> Iterator[tuple[list[str], bool]]:
        """The rules that a rule sets off, directly or through others, each once by the shortest way."""
        seen: set[str] = {new.rule.iri}
        front: list[tuple[Profile, list[str], bool]] = [(new, [], False)]
        while front:
            profile, path, sensed = front.pop(0)
            for iri in self._woken(profile):
                if iri in seen or len(path) >= LONGEST_CHAIN:
                    continue
                wakes, by_sense = self._wakes(profile, self.profiles[iri])
                if wakes:
                    seen.add(iri)
                    step = ([*path, iri], sensed or by_sense)
                    yield step
                    front.append((self.profiles[iri], *step))

    def _woken(self, profile: Profile) -> list[str]:
        props = [prop for prop, _ in (*profile.sets, *profile.senses)]
        return sorted({iri for prop in props for iri in self.reading.get(prop, ())})

    def _wakes(self, one: Profile, other: Profile) -> tuple[bool, bool]:
        """Whether what a rule does can set another off, and whether only by what the home senses of it."""
        for way in other.events:
            rest = [c for c in way if c["property"] not in dict(one.sets)]
            for prop, value in one.sets:
                own = [c for c in way if c["property"] == prop]
                if own and all(satisfied(value, c) for c in own) and possible(rest, self.registry):
                    return True, False
        for prop, direction in one.senses:
            for way in other.events:
                if any(c["property"] == prop and _towards(c["op"], direction) for c in way):
                    return True, True
        return False, False


def _towards(op: str, direction: int) -> bool:
    return op in ((">", ">=") if direction > 0 else ("<", "<="))


def _opposite(prop: str, value: Json, registry: Registry) -> Json:
    """A value as far from another as can be: what is on was off."""
    known = registry.properties.get(prop)
    if known is None:
        return None
    if isinstance(value, bool):
        return not value
    if known.schema.enum:
        return next((one for one in known.schema.enum if one != value), value)
    low, high = known.schema.minimum, known.schema.maximum
    if is_number(value) and low is not None and high is not None:
        return low if float(value) > (low + high) / 2 else high  # type: ignore[arg-type]
    return None


def _times(rule: Rule, now: datetime, ground: Ground) -> Iterator[datetime]:
    """When time sets a rule off, as far ahead as is looked, in its windows."""
    for schedule in rule.triggers:
        if not isinstance(schedule, At | Recurrence | Cron):
            continue
        moment, count = now, 0
        while count < MOST_TIMES:
            following = first_after(schedule, moment, rule.made_at or now, ground)
            if following is None or (utc(following) - utc(now) > HORIZON and count):
                break
            count, moment = count + 1, following
            if within(rule.windows, following, ground):
                yield following


def _common(ones: Sequence[datetime], others: Sequence[datetime]) -> bool:
    near = {round(utc(moment).timestamp() / NEAR) for moment in others}
    return any(round(utc(moment).timestamp() / NEAR) in near for moment in ones)


def _overlap(one: Rule, other: Rule) -> bool:
    """Whether the windows of two rules are ever open together."""
    if not one.windows or not other.windows:
        return True
    return any(_meet(_minutes(a), _minutes(b)) for a in one.windows for b in other.windows)


def _minutes(window: object) -> frozenset[int]:
    start, end = getattr(window, "start", None), getattr(window, "end", None)
    if not (hasattr(start, "hour") and hasattr(end, "hour")):
        return frozenset(range(1440))
    first, last = start.hour * 60 + start.minute, end.hour * 60 + end.minute  # type: ignore[union-attr]
    length = (last - first - 1) % 1440 + 1
    return frozenset((first + n) % 1440 for n in range(length))


def _meet(one: frozenset[int], other: frozenset[int]) -> bool:
    return bool(one & other)


def _no_wider(inner: Rule, outer: Rule) -> bool:
    """Whether the windows of a rule lie in those of another."""
    if not outer.windows:
        return True
    open_ = frozenset().union(*(_minutes(w) for w in outer.windows))
    return bool(inner.windows) and all(_minutes(w) <= open_ for w in inner.windows)
