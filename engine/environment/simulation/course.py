"""Simulates the passage of time in a home: runs end, rooms follow the air outside and their heating or cooling, the sun
moves.

How long devices run, how the air outside is and how fast a room follows it is knowledge (`ontology/properties.ttl`).
Time goes on in steps; a run ends at its own moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import cos, exp, pi, radians, sin

from engine.environment.simulation.influences import Influences
from engine.environment.state import State
from engine.environment.values.inputs import of_kind
from engine.environment.values.quantities import realise, truth
from engine.environment.values.schemas import is_number
from engine.errors import ValueFault
from engine.graph.store import GraphStore
from engine.graph.terms import Json, expand, python
from engine.model.intent import Amount, Measure
from engine.model.thing import Property
from engine.things.registry import Registry

STEP = 600.0
"""Seconds from one look at what drifts to the next."""
TEMPERATURE, ILLUMINANCE = expand("hg:Temperature"), expand("hg:Illuminance")
ACTIVITY, OUTDOORS = expand("hg:Activity"), expand("hg:Outdoors")
_ENDS = tuple(expand(f"hg:{name}") for name in ("Finished", "Docked", "Stopped"))
_HOUR, _DAY_HOURS = 3600.0, 24.0
Elevation = Callable[[datetime], float]
"""How high the sun stands at a moment, in degrees."""


@dataclass(frozen=True, slots=True)
class Nature:
    """The parameters of natural courses: by subject (a class, a kind, a variable) and name, a number."""

    said: Mapping[tuple[str, str], float]

    def of(self, subject: str, name: str) -> float | None:
        """The parameter of a subject; None where there is none."""
        return self.said.get((subject, name))


@dataclass(frozen=True, slots=True)
class Happening:
    """A change that came about by itself: the thing, its property, and the new value."""

    at: datetime
    thing: str
    property: str
    value: Json

    def to_json(self) -> dict[str, Json]:
        """The change as JSON, with the members of a rule's run."""
        return {"at": self.at.isoformat(), "text": self.thing, "status": str(self.value), "changes": []}


def nature_of(store: GraphStore) -> Nature:
    """The parameters of natural courses in a store."""
    return store.derived("environment/courses", lambda: _read(store))


def _read(store: GraphStore) -> Nature:
    said: dict[tuple[str, str], float] = {}
    for subject, name, value in store.select("environment/courses"):
        if subject is not None and name is not None and value is not None:
            said[subject.value, name.value.rpartition("#")[2]] = float(python(value))  # type: ignore[arg-type]
    return Nature(said)


class Course:
    """The course of one simulated home from a moment on."""

    def __init__(self, registry: Registry, state: State, now: datetime, elevation: Elevation) -> None:
        self._registry, self._state, self._elevation = registry, state, elevation
        self._nature = nature_of(state.store)
        self._influences = Influences(state.store, registry)
        self._since = now
        self._exact: dict[str, float] = {}

    @property
    def gradual(self) -> frozenset[str]:
        """The sensors whose readings follow their targets gradually."""
        return frozenset(sensor.iri for sensor, _, _ in self._sensors(TEMPERATURE))

    def next(self, now: datetime) -> datetime:
        """When something is to be looked at next: something ends, or the next step is due."""
        ends = [end for _, end in self._running() if end > now]
        return min([*ends, now + timedelta(seconds=STEP)])

    def step(self, before: datetime, now: datetime) -> list[Happening]:
        """Writes the state of the home at `now`, where nothing but time passed since `before`; returns the runs that
        ended meanwhile."""
        ended = [prop for prop, end in self._running() if end <= now]
        changes = {prop.iri: value for prop in ended if (value := self._ended(prop)) is not None}
        found = [Happening(now, self._registry.thing_of[iri].title, iri, value) for iri, value in changes.items()]
        felt = self._influences.as_time_passes(self._state, before, now)
        drifted = dict(self._drifted((now - before).total_seconds(), now))
        lit = dict(self._sunlit(now))
        self._state.write({**felt, **drifted, **lit, **changes})
        return found

    # What runs out

    def _running(self) -> Iterator[tuple[Property, datetime]]:
        """The activities under way, each with its end."""
        for prop in self._registry.properties.values():
            if not of_kind(prop.kinds, ACTIVITY, self._registry.vocabulary):
                continue
            if truth(self._state.get(prop.iri), prop, self._registry.vocabulary) is not True:
                continue
            length = self._length(prop)
            since = self._state.changed_at(prop.iri) or self._since
            if length is not None and self._ended(prop) is not None:
                yield prop, since + timedelta(seconds=length)

    def _length(self, prop: Property) -> float | None:
        """For how many seconds a device runs: as it says itself, else as its class does."""
        thing = self._registry.thing_of[prop.iri]
        for own in thing.of_part(prop.part):
            value = self._state.get(own.iri)
            if any(self._nature.of(kind, "tellsLength") for kind in own.kinds) and is_number(value) and value:
                return float(value)  # type: ignore[arg-type]
        part = self._registry.parts.get(prop.part)
        lengths = (self._nature.of(cls, "runsFor") for cls in (part.every_class if part is not None else ()))
        return next((one for one in lengths if one is not None), None)

    def _ended(self, prop: Property) -> Json:
        """How a device says that it is finished, or no longer at work; None where it has no word for it."""
        present = self._state.get(prop.iri)
        for end in _ENDS:
            try:
                value = realise(Amount(Measure.NAMED, end), prop, self._registry.vocabulary, present)
            except ValueFault:
                continue
            if value != present:
                return value
        return None

    # What drifts

    def _drifted(self, seconds: float, now: datetime) -> Iterator[tuple[str, Json]]:
        """The readings of thermometers after so many seconds."""
        outside = self._outside(TEMPERATURE, now)
        slowness = self._nature.of(TEMPERATURE, "followsIn")
        if outside is None or not slowness:
            return
        share = 1 - exp(-seconds / slowness)
        for sensor, place, present in self._sensors(TEMPERATURE):
            held = self._exact.get(sensor.iri, present)
            if abs(held - present) >= 0.1:  # somebody else moved it
                held = present
            after = outside
            if not self._is_outdoors(place):
                after = self._moved(held + (outside - held) * share, place, seconds, now)
            self._exact[sensor.iri] = after
            if round(after, 1) != round(present, 1):
                yield sensor.iri, self._fitting(sensor, after)

    def _moved(self, level: float, place: str | None, seconds: float, now: datetime) -> float:
        """A temperature after heating and cooling in its room, no further than they are set to."""
        by = (self._nature.of(TEMPERATURE, "perHour") or 0.0) * seconds / _HOUR
        for way, target in self._influences.drives(TEMPERATURE, place, self._state, now):
            if target is None:
                level += way * by
            elif (target - level) * way > 0:
                level = min(level + by, target) if way > 0 else max(level - by, target)
        return level

    def _sunlit(self, now: datetime) -> Iterator[tuple[str, Json]]:
        """The readings of light sensors outdoors."""
        most = self._nature.of(ILLUMINANCE, "swing") or 0.0
        light = most * max(0.0, sin(radians(self._elevation(now))))
        for sensor, place, present in self._sensors(ILLUMINANCE):
            if self._is_outdoors(place) and round(light) != round(present):
                yield sensor.iri, self._fitting(sensor, light)

    def _outside(self, variable: str, now: datetime) -> float | None:
        """The value of a variable outdoors at an hour of the day."""
        mean, swing = self._nature.of(variable, "mean"), self._nature.of(variable, "swing") or 0.0
        warmest = self._nature.of(variable, "warmestAt") or 0.0
        if mean is None:
            return None
        hour = now.hour + now.minute / 60 - warmest
        return mean + swing * cos(2 * pi * hour / _DAY_HOURS)

    def _sensors(self, variable: str) -> Iterator[tuple[Property, str | None, float]]:
        """The sensors of a variable, each with its place and reading."""
        for prop in self._registry.properties.values():
            known = (self._registry.vocabulary.kinds.get(kind) for kind in prop.kinds)
            value = self._state.get(prop.iri)
            if is_number(value) and any(kind is not None and kind.measures == variable for kind in known):
                yield prop, self._registry.thing_of[prop.iri].place, float(value)  # type: ignore[arg-type]

    def _is_outdoors(self, place: str | None) -> bool:
        known = self._registry.places.get(place) if place is not None else None
        return known is not None and of_kind(known.classes, OUTDOORS, self._registry.vocabulary)

    def _fitting(self, sensor: Property, value: float) -> Json:
        """A reading as its sensor can show it."""
        schema = sensor.schema
        low = schema.minimum if schema.minimum is not None else value
        high = schema.maximum if schema.maximum is not None else value
        kept = min(max(value, low), high)
        return round(kept) if schema.type == "integer" else round(kept, 1)
