"""Which parts a selection denotes now: the algebra compiled to one SPARQL query, and ranked where it says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from engine.environment.quantities import moved, position, realise, truth
from engine.environment.scales import number_of, scale_of
from engine.environment.schemas import is_number
from engine.environment.spelling import PERCENT
from engine.errors import ValueFault
from engine.graph import patterns
from engine.graph.store import GraphStore
from engine.graph.terms import Json, Literal, NamedNode, Term, expand, literal, python
from engine.model.intent import Amount, Measure
from engine.model.selection import Comparison, Condition, Rooms, Select, Test
from engine.model.thing import Property, scale_key
from engine.things.registry import Registry

DEVICE, ANYWHERE = expand("hg:Device"), expand("hg:Anywhere")
_ORDERED = {
    Comparison.ABOVE: "above",
    Comparison.AT_LEAST: "at_least",
    Comparison.BELOW: "below",
    Comparison.AT_MOST: "at_most",
}
_OPPOSITE = {
    Comparison.ABOVE: Comparison.BELOW,
    Comparison.AT_LEAST: Comparison.AT_MOST,
    Comparison.BELOW: Comparison.ABOVE,
    Comparison.AT_MOST: Comparison.AT_LEAST,
}


@dataclass(frozen=True, slots=True)
class _Scales:
    """The properties of each kind by the scale that their values are on, one for each scale; kept for a generation."""

    generation: int
    by_kind: dict[str, dict[str, Property]] = field(default_factory=dict)


_known: WeakKeyDictionary[GraphStore, _Scales] = WeakKeyDictionary()


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
        self._number = 0

    def select(self, wanted: Select) -> tuple[str, ...]:
        """The parts that are selected, by IRI: ranked where there is an order, else by IRI."""
        places = self._places(wanted)
        if places == ():
            return ()
        if wanted.order is not None:
            return self._ranked(wanted)
        query = patterns.around("selection/parts", self._groups(wanted, places), self._taken(wanted))
        found = sorted({row[0].value for row in self._store.select(query) if row[0] is not None})
        told = self._told(wanted.rooms)
        kept = (part for part in found if self._is_in(part, told) and self._is_whole(part, wanted.classes))
        return _share(tuple(kept), wanted)

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
        """What is measured of a kind in each of these rooms, on average, by a sensor where there is one."""
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
        places = self._places(wanted)
        if places == ():
            return []
        groups, taken = self._groups(wanted, places), self._taken(wanted)
        query = patterns.around("selection/values", groups, taken, kind=NamedNode(kind))
        found, told = [], self._told(wanted.rooms)
        for part, prop, value in self._store.select(query):
            known = self._registry.properties.get(prop.value) if prop is not None else None
            if part is None or known is None or value is None or not self._is_in(part.value, told):
                continue
            if not self._is_whole(part.value, wanted.classes):
                continue
            level = level_of(python(value), known, self._registry)  # type: ignore[arg-type]
            if level is not None:
                found.append((part.value, known, level))
        return found

    # The query

    def _groups(self, wanted: Select, places: Sequence[str]) -> list[str]:
        told = [self._any(t.conditions) for t in wanted.tests if not t.negated]
        return [*self._scope(wanted, places), *told, *self._known_values(wanted.tests)]

    def _scope(self, wanted: Select, places: Sequence[str]) -> list[str]:
        """The groups for things, places and classes, as far as any are given."""
        anywhere = tuple(places) == (ANYWHERE,)
        found = []
        if wanted.things:
            found.append(patterns.group("selection/of_thing", "part", self._next(), thing=_nodes(wanted.things)))
        if not anywhere:
            found.append(patterns.group("selection/in_place", "part", self._next(), place=_nodes(places)))
        if wanted.classes or not found:
            classes = {"class": _nodes(wanted.classes or (DEVICE,))}
            found.append(patterns.group("selection/of_class", "part", self._next(), **classes))
        return found

    def _known_values(self, tests: Sequence[Test]) -> Iterator[str]:
        """For what is said not to be: that it is known how it is."""
        for test in tests:
            if test.negated:
                kinds = _nodes(c.kind for c in test.conditions)
                yield patterns.group("selection/known", "part", self._next(), kind=kinds)

    def _any(self, conditions: Sequence[Condition]) -> str:
        return "{ " + " UNION ".join(self._condition(one) for one in conditions) + " }"

    def _condition(self, one: Condition) -> str:
        if one.comparison is Comparison.KNOWN or one.amount is None:
            return patterns.group("selection/known", "part", self._next(), kind=NamedNode(one.kind))
        rows = {kind: list(some) for kind, some in _by_pattern(self._rows(one)).items()}
        groups = [
            patterns.group(f"selection/{name}", "part", self._next(), **{slot: some})
            for (name, slot), some in rows.items()
        ]
        nothing = patterns.group("selection/known", "part", self._next(), kind=[])
        return "{ " + " UNION ".join(groups or [nothing]) + " }"

    def _rows(self, one: Condition) -> Iterator[tuple[str, tuple[Term, Term, Term]]]:
        """For each scale of the kind what its values are compared with, and how."""
        kind = NamedNode(one.kind)
        for key, prop in self._scales(one.kind).items():
            scale = Literal(key)
            for name, value in comparisons(one, prop, self._registry):
                yield name, (kind, scale, literal(value))

    def _taken(self, wanted: Select) -> list[str]:
        """The groups of what is taken away."""
        taken = [self._any(test.conditions) for test in wanted.tests if test.negated]
        for minus in wanted.minus:
            places = self._places(minus)
            if places != ():
                inner = " ".join(self._groups(minus, places))
                taken.append("{ " + inner + " }")
        return taken

    def _scales(self, kind: str) -> dict[str, Property]:
        known = _known.get(self._store)
        if known is None or known.generation != self._store.generation:
            known = _known[self._store] = _Scales(self._store.generation)
        if kind not in known.by_kind:
            vocabulary = self._registry.vocabulary
            found: dict[str, Property] = {}
            for prop in self._registry.properties.values():
                if any(vocabulary.is_a(k, kind) for k in prop.kinds):
                    found.setdefault(scale_key(prop), prop)
            known.by_kind[kind] = found
        return known.by_kind[kind]

    def _next(self) -> int:
        self._number += 1
        return self._number

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
        """The places that have directly in them what is asked for, and those that have what it could be asked of."""
        having = self._homes(self.select(rooms.has)) if rooms.has != Select() else frozenset(self._registry.places)
        if rooms.order is not None:
            having &= frozenset(self.levels_in(self._registry.places, rooms.order))
        if not rooms.has.tests:
            return having, having
        kinds = tuple(c for t in rooms.has.tests for c in t.conditions)
        known = Test(tuple(Condition(c.kind, Comparison.KNOWN) for c in kinds))
        return having, self._homes(self.select(Select(rooms.has.classes, rooms.has.things, tests=(known,))))

    def _homes(self, parts: Iterable[str]) -> frozenset[str]:
        homes = (self._registry.thing_of[part].place for part in parts)
        return frozenset(home for home in homes if home is not None)

    def _told(self, rooms: Sequence[Rooms]) -> list[_Told]:
        """What the conditions on rooms come to, each looked up once."""
        return [_Told(one.negated, *self._having(one)) for one in rooms if one.order is None]

    def _is_in(self, part: str, told: Sequence[_Told]) -> bool:
        """Whether the nearest room around a part that tells is as is said."""
        around = self._around(self._registry.thing_of[part].place)
        return all(one.holds(around) for one in told)

    def _is_whole(self, part: str, classes: Sequence[str]) -> bool:
        """Whether a part is what is meant by the classes: of a fan-light with a fan of its own that is "the fan"."""
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
        plain = Select(
            wanted.classes, wanted.things, wanted.places, tests=wanted.tests, rooms=wanted.rooms, minus=wanted.minus
        )
        levels: dict[str, float] = {}
        for part, _, level in self.levels(plain, wanted.order):
            levels.setdefault(part, level)
        ranked = sorted(levels, key=lambda part: (-levels[part] if wanted.descending else levels[part], part))
        return tuple(ranked[: wanted.limit])


def comparisons(one: Condition, prop: Property, registry: Registry) -> Iterator[tuple[str, Json]]:
    """How the values of a property satisfy a condition: a pattern, and a value or bound in its schema's terms."""
    assert one.amount is not None
    options = _options(prop)
    if options is not None:
        held = [option for option in options if _holds(one, option, prop, registry)]
        yield from (("equal" if is_number(option) else "is", option) for option in held)
        return
    bound = _bound(one.amount, prop, registry)
    if not is_number(bound):
        yield from [("is", bound)] if bound is not None and one.comparison is Comparison.IS else []
    elif one.amount.measure is Measure.TRUTH:
        falls = Comparison.ABOVE if one.amount.value else Comparison.AT_MOST
        yield _ORDERED[_turned(falls, prop, registry)], bound
    elif one.comparison is Comparison.IS:
        yield "equal", bound
    else:
        yield _ORDERED[_turned(one.comparison, prop, registry)], bound


def _bound(amount: Amount, prop: Property, registry: Registry) -> Json:
    """What the values of a property are compared with: a number need not be one that it can have. None: nothing."""
    if amount.measure is Measure.TRUTH and prop.schema.type != "string":
        amount = Amount(Measure.BOUND, "minimum")
    try:
        return moved(amount, prop, registry.vocabulary, None)
    except ValueFault:
        pass
    try:
        return realise(amount, prop, registry.vocabulary)
    except ValueFault:
        return 0 if amount.measure is Measure.BOUND else None


def _turned(comparison: Comparison, prop: Property, registry: Registry) -> Comparison:
    return _OPPOSITE[comparison] if _is_opposed(prop, registry) else comparison


def level_of(value: Json, prop: Property, registry: Registry) -> float | None:
    """How much a value is in the sense of its kind: a number in the kind's unit, else its place from 0 to 1."""
    scale = scale_of(prop, registry.vocabulary)
    number = number_of(value)
    if scale.schema.enum or number is None or isinstance(value, bool):
        return position(value, prop, registry.vocabulary)
    unit = scale.sense.unit
    if unit in (None, PERCENT) and scale.range.complete:
        place = position(value, prop, registry.vocabulary)
        return None if place is None else place * 100
    return scale.out_of(scale.flipped(number), unit)


def _options(prop: Property) -> list[Json] | None:
    if prop.schema.type == "boolean" and not prop.schema.enum:
        return [True, False]
    return list(prop.schema.enum) or None


def _holds(one: Condition, option: Json, prop: Property, registry: Registry) -> bool:
    """Whether an option is as is said."""
    assert one.amount is not None
    vocabulary, amount = registry.vocabulary, one.amount
    if amount.measure is Measure.TRUTH:
        return truth(option, prop, vocabulary) is amount.value
    try:
        wanted = realise(amount, prop, vocabulary)
    except ValueFault:
        return False
    if one.comparison is Comparison.IS:
        return option == wanted
    here, there = position(option, prop, vocabulary), position(wanted, prop, vocabulary)
    if here is None or there is None:
        return False
    return _COMPARED[one.comparison](here, there)


_COMPARED = {
    Comparison.ABOVE: float.__gt__,
    Comparison.AT_LEAST: float.__ge__,
    Comparison.BELOW: float.__lt__,
    Comparison.AT_MOST: float.__le__,
}


def _is_opposed(prop: Property, registry: Registry) -> bool:
    """Whether greater values are less of the kind."""
    scale = scale_of(prop, registry.vocabulary)
    try:
        return scale.flipped(scale.into(10, scale.sense.unit)) > scale.flipped(scale.into(20, scale.sense.unit))
    except ValueFault:
        return prop.inverted


def _by_pattern(rows: Iterable[tuple[str, tuple[Term, Term, Term]]]) -> dict[tuple[str, str], list[tuple[Term, ...]]]:
    found: dict[tuple[str, str], list[tuple[Term, ...]]] = {}
    for name, row in rows:
        slot = "kind_scale_value" if name == "is" else "kind_scale_bound"
        found.setdefault((name, slot), []).append(row)
    return found


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
