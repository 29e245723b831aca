"""Finds remedies for a complaint: the parts here that bear on its variable, in which direction, and which is best.

No device is listed anywhere: remedies are derived from the influences of the ontology, under their conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from engine.environment.simulation.influences import POWER, Influences
from engine.environment.values.inputs import of_kind
from engine.environment.values.quantities import position, truth
from engine.environment.values.scales import scale_of
from engine.graph.terms import Json, expand
from engine.language.replies.replies import value_words
from engine.language.tastes.wishes import complaints
from engine.model.intent import Amount, Intent, Measure
from engine.model.outcome import Loss
from engine.model.thing import Part, Property, Thing
from engine.model.vocabulary import Influence
from engine.planning.site import Site
from engine.planning.wishes.scope import Somewhere, around, mentioned, parts_in, somewhere
from engine.planning.wishes.tastes import Tastes

POSITION, ACTIVITY = expand("hg:Position"), expand("hg:Activity")
ENOUGH, AMPLE, MUCH_MORE = 0.5, 0.8, 0.25
"""Shares of a range: what is left as it is when a part is turned on, what it is raised to, by how much it is raised."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One property of a part that shall come to an amount."""

    part: str
    kind: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class Remedy:
    """The contribution of one part against a complaint. `gain`: by how much the variable moves the wanted way, roughly
    and in its unit; `others`: how many further variables move; `starts`: the part goes to work, else it does less
    than now; `condition`: a condition outside that it needs, and that holds; `rank`: the larger, the better."""

    part: Part
    thing: Thing
    goals: tuple[Goal, ...]
    gain: float
    others: int
    starts: bool
    condition: str | None = None
    rank: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Remedies:
    """The remedies for one complaint, the best first, by the place where they are; `variable` and `direction` are those
    dealt with, `missed` says why other parts that bear on it are no remedies."""

    variable: str
    direction: int
    found: tuple[Remedy, ...]
    where: Somewhere
    missed: tuple[Loss, ...] = ()

    @property
    def rooms(self) -> tuple[str, ...]:
        """The places of the remedies."""
        return tuple(dict.fromkeys(remedy.thing.place or "" for remedy in self.found))


def remedies(intent: Intent, site: Site, influences: Influences, tastes: Tastes) -> Remedies:
    """The remedies here for an implicit intent's variable; where nothing bears on it, for that of the complaint that
    stands in its place."""
    variable, direction, complaint = intent.variable or "", intent.direction, intent.subject
    where = somewhere(intent, site)
    known = complaints(site.store)
    tried: set[str] = set()
    missed: list[Loss] = []
    while True:
        place: Somewhere | None = where
        while place is not None:
            found = _ranked(_all(intent, variable, direction, place, site, influences, tastes, missed), site)
            if found:
                return Remedies(variable, direction, found, place, tuple(missed))
            place = around(place, site)
        instead = known[complaint].instead if complaint in known else None
        if instead is None or instead in tried or instead not in known:
            return Remedies(intent.variable or "", intent.direction, (), where, tuple(missed))
        tried.add(instead)
        complaint, variable, direction = instead, known[instead].variable, known[instead].direction


def _all(
    intent: Intent,
    variable: str,
    direction: int,
    where: Somewhere,
    site: Site,
    influences: Influences,
    tastes: Tastes,
    missed: list[Loss],
) -> list[Remedy]:
    now = site.clock.now()
    found = []
    for part, thing in parts_in(where, intent, site):
        looked_at = _Part(part, thing, variable, direction, site, influences, tastes, now, intent.amount)
        remedy = looked_at.remedy()
        if remedy is not None and intent.amount is not None and all(g.amount != intent.amount for g in remedy.goals):
            continue  # it has nothing that comes to so much
        if remedy is None:
            missed += looked_at.missed()
        else:
            near = mentioned(intent.mentions, part, thing, site)
            liked = tastes.liking(part.classes, variable, site.vocabulary)
            here = float(not where.places or thing.place in where.places)
            works = float(looked_at.works)  # more of what is at work, before anything else is started
            found.append(replace(remedy, rank=(liked, near, here, -remedy.others, works, remedy.gain)))
    return found


def _ranked(found: Sequence[Remedy], site: Site) -> tuple[Remedy, ...]:
    return tuple(sorted(found, key=lambda r: (*(-one for one in r.rank), site.vocabulary.name(r.thing.iri))))


@dataclass(slots=True)
class _Part:
    """One part, examined for remedies; `wanted`: the level that was said."""

    part: Part
    thing: Thing
    variable: str
    direction: int
    site: Site
    influences: Influences
    tastes: Tastes
    now: datetime
    wanted: Amount | None = None

    def remedy(self) -> Remedy | None:
        bearing = self.influences.on_variable(self.variable, self.part, self.thing)
        bearing = [(prop, one) for prop, one in bearing if self._meant(prop)]
        if not bearing:
            return None
        starting = [(prop, one) for prop, one in bearing if self._starts(prop, one)]
        levels = [(prop, one) for prop, one in bearing if not self._is_gate(prop)]
        if starting:
            return self._started(starting[0], levels)
        return self._turned(levels) if self._on is not False else None

    def missed(self) -> Iterator[Loss]:
        """Why it can do nothing about the complaint; nothing where it does not bear on the variable at all."""
        bearing = self.influences.on_variable(self.variable, self.part, self.thing)
        bearing = [(prop, one) for prop, one in bearing if self._meant(prop)]
        helping = [(prop, one) for prop, one in bearing if one.direction * self.direction > 0]
        unmet = [one.when for _, one in helping if one.when is not None and not self._holds(one)]
        if unmet:
            words = self.site.vocabulary.otherwise.get(unmet[0]) or f"not: {self.site.vocabulary.name(unmet[0])}"
            yield Loss("ConditionUnmet", self.part.iri, words=words)
        elif bearing and self._on is False:
            yield Loss("SoAlready" if not helping else "NoBearing", self.part.iri)
        elif bearing:
            told = {p.name.replace("_", " "): self.site.state.get(p.iri) for p, _ in bearing}
            words = ", ".join(f"{name} is {value_words(value)}" for name, value in told.items() if value is not None)
            yield Loss("AtLimit", self.part.iri, words=words or "it does what it can")

    def _started(
        self, first: tuple[Property, Influence], levels: Sequence[tuple[Property, Influence]]
    ) -> Remedy | None:
        """The part at work, in the mode that it takes, and at a level that does some good."""
        _, influence = first
        goals = [self._goal(kind, amount) for kind, amount in self._established(influence)]
        goals += [goal for prop, one in levels if (goal := self._levelled(prop, one, starting=True)) is not None]
        if self._on is False:
            goals.append(self._goal(POWER, Amount(Measure.TRUTH, True)))
        return self._made(goals, influence.gain, starts=True, condition=self._outside([influence])) if goals else None

    def _turned(self, levels: Sequence[tuple[Property, Influence]]) -> Remedy | None:
        """The part at another level; off, where it does no good at any."""
        usable = [(prop, one) for prop, one in levels if self._holds(one)]
        moved = [(one, goal) for prop, one in usable if (goal := self._levelled(prop, one, starting=False)) is not None]
        if moved:
            gain = max(one.gain for one, _ in moved)
            less = all(self.direction * one.direction < 0 for one, _ in moved)
            condition = self._outside([one for one, _ in moved])
            return self._made([goal for _, goal in moved], gain, starts=not less, condition=condition)
        stopping = [
            one
            for prop, one in self.influences.on_variable(self.variable, self.part, self.thing)
            if self._is_gate(prop) and self.direction * one.direction < 0 and self._holds(one)
        ]
        if self._on is not True or not stopping:
            return None
        return self._made([self._goal(POWER, Amount(Measure.TRUTH, False))], stopping[0].gain, starts=False)

    def _made(self, goals: Sequence[Goal], gain: float, *, starts: bool, condition: str | None = None) -> Remedy:
        others = len(self.influences.other_variables(self.variable, self.part, self.thing))
        return Remedy(self.part, self.thing, tuple(goals), gain, others, starts, condition)

    @property
    def works(self) -> bool:
        """Whether the part is at work already."""
        return self._on is True

    @property
    def _on(self) -> bool | None:
        """Whether the part is at work; None where it cannot be switched."""
        props = self.thing.of_part(self.part.iri)
        gates = [prop for prop in props if self._is_gate(prop)]
        gates = gates or [prop for prop in props if of_kind(prop.kinds, ACTIVITY, self.site.vocabulary)]
        if not gates:
            return None
        return all(truth(self.site.state.get(prop.iri), prop, self.site.vocabulary) is True for prop in gates)

    def _is_gate(self, prop: Property) -> bool:
        return of_kind(prop.kinds, POWER, self.site.vocabulary)

    def _meant(self, prop: Property) -> bool:
        """Whether a property bears on the variable of a room: a screen's brightness does not, for kinds confined to
        other devices match by accident."""
        confined = [self.site.vocabulary.confined[k] for k in prop.kinds if k in self.site.vocabulary.confined]
        return all(any(self.site.vocabulary.is_a(c, of) for c in self.part.classes for of in some) for some in confined)

    def _starts(self, prop: Property, influence: Influence) -> bool:
        """Whether turning the part on, or into another mode, goes the wanted way."""
        if not self._is_gate(prop) or self.direction * influence.direction < 0:
            return False
        if self._holds(influence):
            return True
        return bool(self._established(influence))

    def _holds(self, influence: Influence) -> bool:
        return self.influences.holds(influence, self.part, self.thing, self.site.state, self.now)

    def _established(self, influence: Influence) -> list[tuple[str, Amount]]:
        """The states of the part that would make an influence hold which does not: the mode of an air conditioner."""
        if influence.when is None or self._holds(influence):
            return []
        condition = self.influences.condition(influence.when)
        if condition is None or condition.start is not None:
            return []
        return [(kind, _constant(value)) for kind, value in condition.states]

    def _outside(self, influences: Sequence[Influence]) -> str | None:
        """The condition of an influence that lies outside of the part."""
        for influence in influences:
            condition = self.influences.condition(influence.when) if influence.when else None
            if condition is not None and not condition.states:
                return condition.iri
        return None

    def _goal(self, kind: str, amount: Amount) -> Goal:
        return Goal(self.part.iri, kind, amount)

    def _levelled(self, prop: Property, influence: Influence, *, starting: bool) -> Goal | None:
        """The level that a property shall come to; None where it is there, or cannot be moved that way."""
        way = self.direction * influence.direction
        kind = _named_kind(prop, influence, self.site)
        known = self.site.vocabulary.kinds.get(self.variable)
        own = self.site.vocabulary.kinds.get(kind)
        if own is None or not own.settable:
            return None
        if self.wanted is not None:
            return self._goal(kind, self.wanted) if self._reaches(prop) else None
        if known is not None and own.unit is not None and own.unit == known.unit:
            amount = self._setpoint(prop, kind, way, starting=starting)
        else:
            amount = self._share(prop, way, starting=starting)
        return None if amount is None else self._goal(kind, amount)

    def _reaches(self, prop: Property) -> bool:
        """Whether a property can come to the level that was said."""
        level = self.wanted.value if self.wanted is not None else None
        limits = scale_of(prop, self.site.vocabulary).range
        return isinstance(level, int | float) and limits.clamp(level) == level

    def _setpoint(self, prop: Property, kind: str, way: int, *, starting: bool) -> Amount | None:
        """The setpoint of a remedy: where this person is comfortable, if that leads the wanted way or the part only
        goes to work now; else two steps on, and to where people in general are comfortable, if that is further.
        Whoever complains wants the variable to move whatever is measured, so it is a step beyond that at least; but
        where that is no further, never beyond comfort, and never beyond the range."""
        value = self.site.state.get(prop.iri)
        step = self.site.vocabulary.kinds[kind].default_step or 1.0
        low, high = self.tastes.comfort(self.variable)
        middle = (low + high) / 2
        present = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else middle
        chosen = self.tastes.chosen(self.variable)
        limits = scale_of(prop, self.site.vocabulary).range
        if chosen is not None and ((chosen - present) * way > 0 or (starting and self._on is False)):
            return Amount(Measure.NUMBER, limits.clamp(chosen))
        measured = self._measured()
        beyond = way * step + (present if measured is None else measured)
        if way > 0:
            wanted = min(max(middle, present + 2 * step, beyond), max(high, beyond))
        else:
            wanted = max(min(middle, present - 2 * step, beyond), min(low, beyond))
        wanted = limits.clamp(wanted)
        if measured is None or not starting:
            return Amount(Measure.NUMBER, wanted) if (wanted - present) * way > 0 else None
        return Amount(Measure.NUMBER, wanted) if wanted != present else None

    def _measured(self) -> float | None:
        """The measured value of the variable in the part's place; None without a sensor."""
        for sensor in self.influences.sensors(self.variable, self.thing.place):
            value = self.site.state.get(sensor.iri)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return float(value)
        return None

    def _share(self, prop: Property, way: int, *, starting: bool) -> Amount | None:
        place = position(self.site.state.get(prop.iri), prop, self.site.vocabulary)
        if of_kind(prop.kinds, POSITION, self.site.vocabulary):
            bound = "maximum" if way > 0 else "minimum"
            return None if place == float(way > 0) else Amount(Measure.BOUND, bound)
        off = starting and self._on is False
        if prop.schema.enum:
            moves = place is not None and place != float(way > 0) and not off
            return Amount(Measure.NUMBER, float(way), relative=True, steps=True) if moves else None
        if place is None or (off and way > 0 and place >= ENOUGH):
            return None
        if way > 0:
            return None if place > 0.99 else Amount(Measure.FRACTION, min(1.0, max(AMPLE, place + MUCH_MORE)))
        return None if place < 0.01 else Amount(Measure.FRACTION, round(place / 2, 2))


def _named_kind(prop: Property, influence: Influence, site: Site) -> str:
    """The kind of a property that has the influence."""
    kinds = sorted(prop.kinds & site.vocabulary.kinds.keys())
    return next((kind for kind in kinds if influence in site.vocabulary.kinds[kind].influences), kinds[0])


def _constant(value: Json) -> Amount:
    if isinstance(value, bool):
        return Amount(Measure.TRUTH, value)
    if isinstance(value, int | float):
        return Amount(Measure.NUMBER, value)
    return Amount(Measure.NAMED if "://" in str(value) else Measure.TEXT, cast(str, value))


def predicted(
    remedied: Remedies, changes: Mapping[str, Json], site: Site, influences: Influences
) -> tuple[float, float] | None:
    """The reading of the room's sensor now and after `changes`; None without a known one."""
    place = remedied.found[0].thing.place if remedied.found else None
    sensors = influences.sensors(remedied.variable, place)
    after = influences.consequences(site.state, changes, site.clock.now())
    for sensor in sensors:
        present = site.state.get(sensor.iri)
        if isinstance(present, int | float) and not isinstance(present, bool):
            then = after.get(sensor.iri, present)
            return float(present), float(cast(float, then))
    return None
