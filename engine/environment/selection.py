"""Evaluates selections: the parts that one denotes now, by SPARQL, and ranked where it says so.

Parts by the structure of the home (classes, places, things) are cached for as long as that stays as it is; values are
asked for each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.environment.comparisons import level_of
from engine.environment.holding import FEW_KNOWN, holding
from engine.environment.scopes import owners, scopes_of
from engine.graph import patterns
from engine.graph.store import GraphStore
from engine.graph.terms import NamedNode, Term, expand, python
from engine.model.selection import Rooms, Select, Test
from engine.model.thing import Property
from engine.things.registry import Registry

DEVICE, ANYWHERE = expand("hg:Device"), expand("hg:Anywhere")


@dataclass(frozen=True, slots=True)
class _Told:
    """A condition on rooms: the places where it holds, and those where it could."""

    negated: bool
    having: frozenset[str]
    asked: frozenset[str]

    def holds(self, around: Sequence[str]) -> bool:
        """Whether it holds in the nearest of these places, outwards, that tells."""
        nearest = next((place for place in around if place in self.asked), None)
        return (nearest in self.having) != self.negated if nearest is not None else self.negated


class Selector:
    """Evaluates selections on one home."""

    def __init__(self, store: GraphStore, registry: Registry) -> None:
        self._store, self._registry = store, registry

    def select(self, wanted: Select) -> tuple[str, ...]:
        """The parts that are selected, by IRI: ranked where there is an order, else by IRI."""
        if wanted.order is not None:
            return self._ranked(wanted)
        return _share(tuple(sorted(self._denoted(wanted))), wanted)

    def rooms(self, wanted: Sequence[Rooms], among: Iterable[str] = ()) -> tuple[str, ...]:
        """The places, of `among` where any are given, that satisfy every condition on rooms."""
        allowed = list(among) or list(self._registry.places)
        for rooms in wanted:
            having, asked = self._having(rooms)
            allowed = [p for p in allowed if (p in having) != rooms.negated and (p in asked or rooms.negated)]
            if rooms.order is not None:
                levels = self.levels_in(allowed, rooms.order)
                ranked = sorted(levels, key=lambda p: (levels[p], p), reverse=rooms.descending)
                allowed = ranked[: rooms.limit or 1]
        return tuple(allowed)

    def levels_in(self, places: Iterable[str], kind: str) -> dict[str, float]:
        """The measurements of a kind in each of these rooms, on average, by a sensor where there is one."""
        wanted = set(places)
        found: dict[str, list[tuple[bool, float]]] = {}
        for part, _, level in self.levels(Select(), kind):
            place = self._registry.thing_of[part].place
            if place in wanted:
                sensor = any(
                    self._registry.vocabulary.is_a(c, expand("hg:Sensor")) for c in self._registry.parts[part].classes
                )
                found.setdefault(str(place), []).append((sensor, level))
        return {place: _mean(levels) for place, levels in found.items()}

    def levels(self, wanted: Select, kind: str) -> list[tuple[str, Property, float]]:
        """Part, property and level in the kind's sense, for each part selected that has such a property whose value is
        known and counts."""
        denoted, registry = self._denoted(wanted), self._registry
        scales = scopes_of(self._store).scales(kind, registry)
        own = [prop for scale in scales for prop in scale.within(denoted)]
        if not own:
            return []
        few = {"property": [NamedNode(prop) for prop in own]} if len(own) * FEW_KNOWN < len(registry.properties) else {}
        rows = self._store.select("selection/values", **few)
        values = {prop.value: value for prop, value in rows if prop is not None and value is not None}
        found = []
        for scale in scales:
            known: dict[Term, float | None] = {}  # on one scale the same values are as much
            for prop in scale.within(denoted) if values else ():
                value = values.get(prop)
                if value is None:
                    continue
                if value not in known:
                    known[value] = level_of(python(value), scale.example, registry)  # type: ignore[arg-type]
                level = known[value]
                if level is not None:
                    of = (o for o in dict.fromkeys(owners(prop, registry)) if o in denoted)
                    found += [(owner, registry.properties[prop], level) for owner in of]
        return found

    # The parts

    def _denoted(self, wanted: Select) -> frozenset[str]:
        """The parts that are as is said, in rooms that are as is said, without order."""
        places = self._places(wanted)
        if places == ():
            return frozenset()
        among = self._scope(wanted, places, whole=True)
        told = self._told(wanted.rooms)
        if told:
            homes = {part: self._registry.thing_of[part].place for part in among}
            allowed = {home for home in set(homes.values()) if self._is_as_told(home, told)}
            among = frozenset(part for part, home in homes.items() if home in allowed)
        return self._tested(wanted, among)

    def _scope(self, wanted: Select, places: Sequence[str], *, whole: bool = False) -> frozenset[str]:
        """The parts of the classes and things in the places, as far as any are given; `whole`: as they are meant."""
        key = (wanted.classes, wanted.things, tuple(places), ("whole",) if whole else ())
        if not whole:
            return scopes_of(self._store).parts(key, lambda: self._found(wanted, places))
        found = self._scope(wanted, places)
        kept = (part for part in found if self._is_whole(part, wanted.classes))
        return scopes_of(self._store).parts(key, lambda: kept)

    def _found(self, wanted: Select, places: Sequence[str]) -> list[str]:
        """The parts in the store by groups for things, places and classes."""
        groups = []
        if wanted.things:
            groups.append(patterns.group("selection/of_thing", "part", 1, thing=_nodes(wanted.things)))
        if tuple(places) != (ANYWHERE,):
            groups.append(patterns.group("selection/in_place", "part", 2, place=_nodes(places)))
        if wanted.classes or not groups:
            classes = {"class": _nodes(wanted.classes or (DEVICE,))}
            groups.append(patterns.group("selection/of_class", "part", 3, **classes))
        rows = self._store.select(patterns.around("selection/parts", groups))
        return [part.value for (part,) in rows if part is not None and part.value in self._registry.parts]

    def _tested(self, wanted: Select, scope: frozenset[str]) -> frozenset[str]:
        """The parts that pass all tests, without excepted ones. For a denied test the value must be known."""
        denied = [test for test in wanted.tests if test.negated]
        known = [[c.known for c in test.conditions] for test in denied]
        kept = scope
        if wanted.tests:
            asked = [*(test.conditions for test in wanted.tests), *known]
            held = holding(asked, scope, self._store, self._registry)
            for test, passed in zip(wanted.tests, held, strict=False):
                kept = kept - passed if test.negated else kept & passed
            for passed in held[len(wanted.tests) :]:
                kept &= passed
        for minus in wanted.minus:
            kept -= self._left_out(minus, kept)
        return kept

    def _left_out(self, minus: Select, kept: frozenset[str]) -> frozenset[str]:
        """The parts of those kept that an exception is about; of a ranked one the first."""
        places = self._places(minus) if kept else ()
        if places == ():
            return frozenset()
        found = self._tested(minus, self._scope(minus, places) & kept)
        if minus.order is None or not found:
            return found
        among = Select(things=tuple(sorted(found)), order=minus.order, descending=minus.descending, limit=minus.limit)
        return frozenset(self._ranked(among))

    # Rooms

    def _places(self, wanted: Select) -> tuple[str, ...]:
        """The places to look in; none where no room is as is said."""
        if not wanted.rooms:
            return wanted.places or (ANYWHERE,)
        if any(r.order for r in wanted.rooms):
            return self.rooms(wanted.rooms, wanted.places)
        if any(r.negated for r in wanted.rooms):
            return wanted.places or (ANYWHERE,)
        rooms = self.rooms(wanted.rooms)
        return self._both(wanted, rooms) if wanted.places and rooms else rooms

    def _both(self, wanted: Select, rooms: Sequence[str]) -> tuple[str, ...]:
        """The rooms that lie in the places, and the places that lie in the rooms."""
        inner = [r for r in rooms if set(wanted.places) & set(self._around(r))]
        return tuple(dict.fromkeys([*inner, *(p for p in wanted.places if set(rooms) & set(self._around(p)))]))

    def _having(self, rooms: Rooms) -> tuple[frozenset[str], frozenset[str]]:
        """The places that directly contain the selected parts, and those that contain parts for which the condition is
        known."""
        having = self._homes(self.select(rooms.has)) if rooms.has != Select() else frozenset(self._registry.places)
        if rooms.order is not None:
            having &= frozenset(self.levels_in(self._registry.places, rooms.order))
        if not rooms.has.tests:
            return having, having
        kinds = tuple(c for t in rooms.has.tests for c in t.conditions)
        known = Test(tuple(c.known for c in kinds))
        return having, self._homes(self.select(Select(rooms.has.classes, rooms.has.things, tests=(known,))))

    def _homes(self, parts: Iterable[str]) -> frozenset[str]:
        homes = (self._registry.thing_of[part].place for part in parts)
        return frozenset(home for home in homes if home is not None)

    def _told(self, rooms: Sequence[Rooms]) -> list[_Told]:
        """The conditions on rooms with their places, each looked up once."""
        return [_Told(one.negated, *self._having(one)) for one in rooms if one.order is None]

    def _is_as_told(self, place: str | None, told: Sequence[_Told]) -> bool:
        """Whether the nearest room around, outwards from a place, that tells is as is said."""
        around = self._around(place)
        return all(one.holds(around) for one in told)

    def _is_whole(self, part: str, classes: Sequence[str]) -> bool:
        """Whether a part is the one that is meant by the classes: of a fan-light with a fan of its own that is "the
        fan"."""
        thing = self._registry.things.get(part)
        if thing is None or len(thing.parts) == 1 or not classes:
            return True
        is_a = self._registry.vocabulary.is_a
        return not any(is_a(c, cls) for other in thing.parts[1:] for c in other.every_class for cls in classes)

    def _around(self, place: str | None) -> list[str]:
        """A place and those around it, outwards."""
        found: list[str] = []
        while place and place not in found and place in self._registry.places:
            found.append(place)
            place = self._registry.places[place].parent
        return found

    # Order

    def _ranked(self, wanted: Select) -> tuple[str, ...]:
        assert wanted.order is not None
        levels: dict[str, float] = {}
        for part, _, level in self.levels(wanted, wanted.order):
            levels.setdefault(part, level)
        ranked = sorted(levels, key=lambda part: (-levels[part] if wanted.descending else levels[part], part))
        return tuple(ranked[: wanted.limit])


def _share(found: tuple[str, ...], wanted: Select) -> tuple[str, ...]:
    if wanted.share is not None:
        return found[: round(len(found) * wanted.share)]
    return found[: wanted.limit] if wanted.limit is not None else found


def _mean(levels: Sequence[tuple[bool, float]]) -> float:
    """The average, of sensors alone where there is any."""
    of_sensors = [level for sensor, level in levels if sensor]
    counted = of_sensors or [level for _, level in levels]
    return sum(counted) / len(counted)


def _nodes(iris: Iterable[str]) -> list[NamedNode]:
    return [NamedNode(iri) for iri in iris]
