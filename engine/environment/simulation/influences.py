"""Computes sensor readings in a room from the states of its devices, by the ontology's influences on variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from math import prod
from typing import cast

from engine.environment.simulation.conditions import Condition, Conditions
from engine.environment.state import Overlay
from engine.environment.values.inputs import of_kind
from engine.environment.values.quantities import position, realise_on, transfer, truth
from engine.environment.values.scales import scale_of
from engine.errors import ValueFault
from engine.graph.store import GraphStore
from engine.graph.terms import Json, expand
from engine.model.intent import Amount, Measure
from engine.model.thing import Part, Property, Thing
from engine.model.vocabulary import Influence
from engine.things.index import Index
from engine.things.registry import Registry

POWER = expand("hg:Power")
_LARGE = tuple(expand(f"hg:{name}") for name in ("Home", "Building", "Floor"))
MUCH = 2.0
"""From which gain on an influence moves a whole room."""
_End = tuple[Property, Json]
Outputs = dict[tuple[str, int], float]  # by variable and direction


class Influences:
    """The consequences of changes, as a simulation sees them."""

    def __init__(self, store: GraphStore, registry: Registry) -> None:
        self._registry = registry
        self._conditions = Conditions(store)
        self._readings: _Readings | None = None

    def consequences(self, state: Mapping[str, Json], changes: Mapping[str, Json], now: datetime) -> dict[str, Json]:
        """The readings of sensors in the rooms of the changed devices after `changes`, by property IRI.

        A sensor moves by how much more or less a part puts out of its variable; sensors that changed by themselves, and
        those whose value is not known, are left alone.
        """
        after: dict[str, Json] = {}
        laid = Overlay(changes, state)
        for thing, part in self._parts_of(changes):
            before_output = self._outputs(thing, part, state, now)
            after_output = self._outputs(thing, part, laid, now)
            gated = self._switched(thing, part, state, laid)
            for variable, delta in _differences(before_output, after_output, gated).items():
                for sensor in self._sensors(variable, thing):
                    if sensor.iri not in changes:
                        self._move(sensor, delta, after, state, self._target(variable, part, thing, laid))
        return after

    def moves(self, state: Mapping[str, Json], changes: Mapping[str, Json], now: datetime) -> dict[str, float]:
        """By how much each variable moves after `changes`, roughly and in its unit, measured or not."""
        found: dict[str, float] = {}
        laid = Overlay(changes, state)
        for thing, part in self._parts_of(changes):
            before, after = self._outputs(thing, part, state, now), self._outputs(thing, part, laid, now)
            for variable, delta in _differences(before, after, self._switched(thing, part, state, laid)).items():
                found[variable] = found.get(variable, 0.0) + delta
        return found

    def as_time_passes(self, state: Mapping[str, Json], before: datetime, now: datetime) -> dict[str, Json]:
        """The readings of sensors at a moment where conditions of influences have begun or ended since an earlier one:
        it is day."""
        after: dict[str, Json] = {}
        if self.outside(state, before) == self.outside(state, now):
            return after
        for part in self._registry.parts.values():
            thing = self._registry.thing_of[part.iri]
            outputs = self._outputs(thing, part, state, before), self._outputs(thing, part, state, now)
            for variable, delta in _differences(*outputs, switched=False).items():
                for sensor in self._sensors(variable, thing):
                    self._move(sensor, delta, after, state, None)
        return after

    def drives(
        self, variable: str, place: str | None, state: Mapping[str, Json], now: datetime
    ) -> list[tuple[int, float | None]]:
        """The running influences on a variable in a place: the direction of each, and its target value, where it has
        one."""
        found: list[tuple[int, float | None]] = []
        for part in self._registry.parts.values():
            thing = self._registry.thing_of[part.iri]
            props = thing.of_part(part.iri)
            gates = self._gates(props)
            here = place is not None and place in self._around(thing.place)
            if not here or not any(truth(state.get(p.iri), p, self._registry.vocabulary) for p in gates):
                continue
            ways = {
                one.direction
                for prop in gates
                for one in self._influences(prop, part)
                if one.variable == variable and one.gain >= MUCH and self._holds(one, props, state, now)
            }
            target = self._target(variable, part, thing, state)
            end = float(target[1]) if target is not None else None  # type: ignore[arg-type]
            found += [(way, end) for way in sorted(ways)]
        return found

    def on_variable(self, variable: str, part: Part, thing: Thing) -> list[tuple[Property, Influence]]:
        """The properties of a part that influence a variable, whether they do so now or only under a condition."""
        return [
            (prop, influence)
            for prop in thing.of_part(part.iri)
            for influence in self._influences(prop, part)
            if influence.variable == variable
        ]

    def other_variables(self, variable: str, part: Part, thing: Thing) -> frozenset[str]:
        """The further variables on which a part bears."""
        found = {i.variable for prop in thing.of_part(part.iri) for i in self._influences(prop, part)}
        return frozenset(found - {variable})

    def holds(self, influence: Influence, part: Part, thing: Thing, state: Mapping[str, Json], now: datetime) -> bool:
        """Whether an influence of a part holds: it is bright outside, the air conditioner is cooling."""
        return self._holds(influence, thing.of_part(part.iri), state, now)

    def condition(self, iri: str) -> Condition | None:
        """A condition of influences, by IRI; None where nothing is known of it."""
        return self._conditions.get(iri)

    def outside(self, state: Mapping[str, Json], now: datetime) -> dict[str, Json]:
        """Each condition that is no part's own, and whether it holds: derived state."""
        return {iri: self.is_so(iri, state, now) for iri in self._conditions.general()}

    def is_so(self, condition: str, state: Mapping[str, Json], now: datetime) -> bool:
        """Whether a condition that is no part's own holds: it is dark outside."""
        told = self._read().of_kind.get(condition, ())
        return self._conditions.holds(condition, (), told, state, now, self._registry.vocabulary)

    def sensors(self, variable: str, place: str | None) -> list[Property]:
        """The readings of a variable in a place, or in a room around it."""
        found = self._read().sensors
        return [prop for around in self._around(place) for prop in found.get((variable, around), ())]

    def _parts_of(self, changes: Iterable[str]) -> list[tuple[Thing, Part]]:
        found: dict[str, tuple[Thing, Part]] = {}
        for iri in changes:
            prop, thing = self._registry.properties.get(iri), self._registry.thing_of.get(iri)
            part = self._registry.parts.get(prop.part) if prop else None
            if thing is not None and part is not None:
                found[part.iri] = (thing, part)
        return list(found.values())

    def _outputs(self, thing: Thing, part: Part, state: Mapping[str, Json], now: datetime) -> Outputs:
        """The output of a part: of each variable, up and down, the product of its influences, times the gain."""
        props = thing.of_part(part.iri)
        shares: dict[tuple[str, int], list[tuple[float, float]]] = {}
        for prop in props:
            place = position(state.get(prop.iri), prop, self._registry.vocabulary)
            for influence in self._influences(prop, part):
                if place is not None and self._holds(influence, props, state, now):
                    shares.setdefault((influence.variable, influence.direction), []).append((place, influence.gain))
        on = all(
            truth(state.get(prop.iri), prop, self._registry.vocabulary) is not False for prop in self._gates(props)
        )
        return {
            key: key[1] * max(gain for _, gain in found) * prod(place for place, _ in found) * on
            for key, found in shares.items()
        }

    def _influences(self, prop: Property, part: Part) -> list[Influence]:
        """The influences of a property's kinds that hold for this class of device."""
        vocabulary = self._registry.vocabulary
        return [
            influence
            for kind in sorted(prop.kinds & vocabulary.kinds.keys())
            for influence in vocabulary.kinds[kind].influences
            if influence.of is None or of_kind(part.classes, influence.of, vocabulary)
        ]

    def _holds(
        self, influence: Influence, props: tuple[Property, ...], state: Mapping[str, Json], now: datetime
    ) -> bool:
        if influence.when is None:
            return True
        told = self._read().of_kind.get(influence.when, ())
        return self._conditions.holds(influence.when, props, told, state, now, self._registry.vocabulary)

    def _gates(self, props: tuple[Property, ...]) -> list[Property]:
        return [prop for prop in props if of_kind(prop.kinds, POWER, self._registry.vocabulary)]

    def _switched(self, thing: Thing, part: Part, before: Mapping[str, Json], after: Mapping[str, Json]) -> bool:
        """Whether the part went on or off."""
        gates = self._gates(thing.of_part(part.iri))
        return any(before.get(prop.iri) != after.get(prop.iri) for prop in gates)

    def _sensors(self, variable: str, thing: Thing) -> list[Property]:
        """The readings of a variable where the thing is: in its place, or in a room around that."""
        return self.sensors(variable, thing.place)

    def _read(self) -> _Readings:
        index = self._registry.index
        if self._readings is None or self._readings.index is not index:
            self._readings = _Readings(index)
        return self._readings

    def _around(self, place: str | None) -> list[str]:
        """A place with the rooms around it; floors and homes are too large to feel it."""
        found: list[str] = []
        while place is not None and place not in found:
            known = self._registry.places.get(place)
            if found and known and any(of_kind(known.classes, one, self._registry.vocabulary) for one in _LARGE):
                break
            found.append(place)
            place = known.parent if known else None
        return found

    def _target(self, variable: str, part: Part, thing: Thing, state: Mapping[str, Json]) -> _End | None:
        """The setpoint of a part in the unit of the variable, where it stops."""
        kinds = self._registry.vocabulary.kinds
        unit = kinds[variable].unit if variable in kinds else None
        for prop, _ in self.on_variable(variable, part, thing):
            value = state.get(prop.iri)
            same_unit = unit is not None and any(kinds[k].unit == unit for k in prop.kinds if k in kinds)
            if same_unit and isinstance(value, int | float) and not isinstance(value, bool):
                return prop, value
        return None

    def _move(
        self,
        sensor: Property,
        delta: float,
        after: dict[str, Json],
        state: Mapping[str, Json],
        target: _End | None,
    ) -> None:
        """Moves a reading, for devices with a target no further than that."""
        current = after.get(sensor.iri, state.get(sensor.iri))
        scale = scale_of(sensor, self._registry.vocabulary)
        try:
            moved = realise_on(scale, Amount(Measure.NUMBER, delta, scale.sense.unit, relative=True), current)
            if target is not None:
                end = transfer(target[1], scale_of(target[0], self._registry.vocabulary), scale)
                moved = _no_further(current, moved, end)
        except ValueFault:
            return
        if moved != current:
            after[sensor.iri] = moved


def _no_further(current: Json, moved: Json, end: Json) -> Json:
    """A reading on its way to an end: there at most, and where it is, if it is past that."""
    if not all(isinstance(one, int | float) for one in (current, moved, end)):
        return moved
    first, then, last = (cast(float, one) for one in (current, moved, end))
    return min(then, max(first, last)) if then > first else max(then, min(first, last))


class _Readings:
    """The sensors of each variable in each place, and the properties of each kind, of one moment."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.sensors: dict[tuple[str, str], list[Property]] = {}
        self.of_kind: dict[str, list[Property]] = {}
        for thing in index.things.values():
            for prop in thing.properties:
                self._add(prop, thing)

    def _add(self, prop: Property, thing: Thing) -> None:
        for kind in prop.kinds:
            self.of_kind.setdefault(kind, []).append(prop)
            known = self.index.vocabulary.kinds.get(kind)
            if known and known.measures and thing.place:
                self.sensors.setdefault((known.measures, thing.place), []).append(prop)


def _differences(before: Outputs, after: Outputs, switched: bool) -> dict[str, float]:
    """By how much each variable moves.

    A part that can move a variable both ways (an air conditioner that cools towards a target) moves it, when it is
    switched, the way that power alone does: down; its target then moves it while it stays on.
    """
    found: dict[str, float] = {}
    for variable in {key[0] for key in (*before, *after)}:
        ways = [way for way in (-1, 1) if (variable, way) in before or (variable, way) in after]
        counted = ways[:1] if switched and len(ways) == 2 else ways
        delta = sum(after.get((variable, way), 0.0) - before.get((variable, way), 0.0) for way in counted)
        if delta:
            found[variable] = delta
    return found
