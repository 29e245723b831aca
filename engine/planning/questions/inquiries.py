"""Answers to questions about sets, values and rooms: selected, counted and compared, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.environment.comparisons import level_of
from engine.environment.retrieval import candidates as retrieved
from engine.environment.selection import Selector
from engine.graph.terms import NamedNode, expand
from engine.language.replies import answers
from engine.language.replies.answers import Finding
from engine.language.replies.replies import place_name
from engine.model.intent import Asks, Intent, Query
from engine.model.outcome import IntentOutcome, Reading, Status
from engine.model.selection import Select, Test
from engine.model.thing import Property
from engine.planning.orders.templates import property_of
from engine.planning.site import Site

ROOM, WHEREABOUTS = expand("hg:Room"), expand("hg:Whereabouts")
FEW = 3  # of so many things their state is told, too
TOLERANCE = 0.5  # how near to its target a reading counts as there


@dataclass(frozen=True, slots=True)
class _Unanswerable(Exception):
    reason: str


def inquire(intent: Intent, site: Site) -> IntentOutcome:
    """The outcome of a question: answered, or refused with the reason why it cannot be."""
    assert intent.query is not None
    selector = Selector(site.store, site.registry)
    try:
        found = (
            _of_rooms(intent, intent.query, selector, site)
            if intent.query.rooms
            else _ANSWERS[intent.query.asks](intent, intent.query, selector, site)
        )
    except _Unanswerable as error:
        return IntentOutcome(intent, Status.REFUSED, error.reason)
    answer = answers.said(intent, found, site.registry)
    things = tuple(dict.fromkeys(site.registry.thing_of[part].iri for part in found.parts))
    properties = tuple(reading.property.iri for reading in found.readings)
    plainly = intent.property is not None and intent.selection.plain
    candidates = retrieved(site.store, NamedNode(intent.iri)) if plainly else ()
    found_by = tuple(one.affordance for one in candidates)
    return IntentOutcome(intent, Status.ANSWERED, None, "", things, properties, found_by, answer=answer)


# Rooms


def _of_rooms(intent: Intent, query: Query, selector: Selector, site: Site) -> Finding:
    among = _rooms_in(intent.selection.places, site, nested=query.asks in (Asks.WHETHER, Asks.EVERY))
    found = selector.rooms(intent.selection.rooms, among) if intent.selection.rooms else tuple(among)
    level = None
    if intent.property is not None and found:
        level = selector.levels_in(found, intent.property).get(found[0])
    return Finding(places=found, asked=len(among), value=level, kind=intent.property)


def _rooms_in(places: Sequence[str], site: Site, *, nested: bool) -> list[str]:
    """The rooms in these places, themselves included; all rooms where none is given. A place inside a room counts as a
    room of its own only where the query is not `nested`."""
    rooms = [p.iri for p in site.registry.places.values() if any(site.vocabulary.is_a(c, ROOM) for c in p.classes)]
    if not places:
        return rooms or list(site.registry.places)
    if not nested and all(place in rooms for place in places):
        return list(places)
    return [p for p in dict.fromkeys((*places, *rooms)) if set(places) & site.enclosing(p)]


# Sets


def _set(intent: Intent, query: Query, selector: Selector, site: Site) -> Finding:
    """How many, which, whether any, whether all."""
    if query.versus is not None and intent.property is not None:
        return _beyond(intent, query, selector, site)
    scope = selector.select(intent.selection)
    if not scope and (query.tests or intent.selection.things) and not _can_be_none(intent, query, selector):
        raise _Unanswerable("no_such_device")
    if not query.tests:
        return Finding(parts=_things(scope, site), asked=len(scope))
    found = selector.select(replace(intent.selection, tests=(*intent.selection.tests, *query.tests)))
    if scope and not found and not _known(intent.selection, query.tests, selector):
        raise _Unanswerable("unknown_state")
    kinds = [c.kind for test in query.tests for c in test.conditions]
    if query.asks is Asks.EVERY:  # "all devices are plugged in" is said of those that could be
        scope = tuple(p for p in scope if p in found or any(_readings([p], kind, site) for kind in kinds))
    told = [r for kind in kinds for r in _readings(scope, kind, site)] if len(scope) <= FEW else []
    return Finding(
        readings=tuple(r for r in told if r.value is not None),
        parts=_things(found, site),
        others=_things([p for p in scope if p not in found], site),
        asked=len(scope),
    )


def _beyond(intent: Intent, query: Query, selector: Selector, site: Site) -> Finding:
    """Which of several have more, or less, of a kind than one other: "which lights are brighter than the desk lamp",
    "which rooms are warmer than the study"."""
    assert query.versus is not None
    bound = _level(query.versus, intent, selector, site)
    levels = selector.levels(intent.selection, intent.property or "")
    beyond = [part for part, _, level in levels if (level - bound) * (query.direction or 1) > 0]
    if intent.selection.classes or intent.selection.things:
        return Finding(parts=_things(beyond, site), asked=len(levels), kind=intent.property)
    rooms = dict.fromkeys(site.registry.thing_of[part].place for part in beyond)
    return Finding(places=tuple(room for room in rooms if room is not None), asked=len(levels))


def _anything(intent: Intent, selector: Selector) -> bool:
    """Whether anything matches the classes, things and places of the selection, whatever its tests."""
    wanted = intent.selection
    return bool(selector.select(Select(wanted.classes, wanted.things, wanted.places)))


def _can_be_none(intent: Intent, query: Query, selector: Selector) -> bool:
    """Whether "none" is an answer: there are such things, but none as is said of them, or none in that place."""
    if _anything(intent, selector):
        return True
    wanted = intent.selection
    elsewhere = bool(wanted.places) and query.asks is not Asks.EVERY
    return elsewhere and bool(selector.select(Select(wanted.classes, wanted.things)))


def _known(select: Select, tests: Sequence[Test], selector: Selector) -> bool:
    kinds = [c.known for test in tests for c in test.conditions]
    return bool(selector.select(replace(select, tests=(Test(tuple(kinds)),))))


def _things(parts: Sequence[str], site: Site) -> tuple[str, ...]:
    """The parts, of each thing the whole where several of it are meant."""
    whole = {part for part in parts if part in site.registry.things}
    return tuple(p for p in parts if p in whole or site.registry.thing_of[p].iri not in whole)


# Values


def _value(intent: Intent, query: Query, selector: Selector, site: Site) -> Finding:
    assert intent.property is not None
    select = intent.selection
    if not (select.classes or select.things) and select.order is None:
        return _measured(intent, selector, site)
    parts = selector.select(select)
    if not parts:
        raise _Unanswerable("no_such_device" if not _anything(intent, selector) else "unknown_state")
    readings = [r for kind in (intent.property, *query.also) for r in _readings(parts, kind, site)]
    if not readings:
        raise _Unanswerable("no_such_property")
    known = [r for r in readings if r.value is not None]
    if not known:
        raise _Unanswerable("unknown_state")
    return Finding(parts=tuple(parts), readings=tuple(known), kind=intent.property, asides=_asides(known, site))


def _asides(readings: Sequence[Reading], site: Site) -> tuple[Reading, ...]:
    """Readings in words beside a number, of the same thing and kind: a blind at 40 % is "open"."""
    found = []
    for read in readings:
        for prop in read.thing.properties:
            value = site.state.get(prop.iri)
            same = prop is not read.property and prop.kinds & read.property.kinds and prop.part == read.property.part
            if same and isinstance(value, str) and not isinstance(read.value, str):
                found.append(Reading(read.thing, prop, value))
    return tuple(found)


def _readings(parts: Sequence[str], kind: str, site: Site) -> list[Reading]:
    found: dict[str, Reading] = {}
    for part in parts:
        thing = site.registry.thing_of[part]
        prop = property_of(kind, part, thing, site.vocabulary)
        if prop is not None:
            found.setdefault(prop.iri, Reading(thing, prop, site.state.get(prop.iri)))
    return list(found.values())


def _measured(intent: Intent, selector: Selector, site: Site) -> Finding:
    """The measured values in a place: of the sensors that are directly there, else of those inside."""
    assert intent.property is not None
    places = intent.selection.places
    here = places or ((site.location,) if site.location else ())
    levels = selector.levels(replace(intent.selection, places=tuple(here)), intent.property)
    levels = levels or (selector.levels(intent.selection, intent.property) if not places else [])
    if not levels and (told := _told(intent, site)):
        return Finding(tuple(one.property.part for one in told), readings=tuple(told), kind=intent.property)
    if not levels:
        raise _Unanswerable("unknown_state" if _readable(intent, site) else "no_such_property")
    direct = [one for one in levels if site.registry.thing_of[one[0]].place in here] or levels
    readings = [Reading(site.registry.thing_of[part], prop, site.state.get(prop.iri)) for part, prop, _ in direct]
    rooms = {r.thing.place for r in readings}
    mean = sum(level for _, _, level in direct) / len(direct) if len(rooms) == 1 else None
    return Finding(tuple(one[0] for one in direct), readings=tuple(readings), value=mean, kind=intent.property)


def _told(intent: Intent, site: Site) -> list[Reading]:
    """What is told of a kind that is no number, in the places that are meant: a goal, a title."""
    found = []
    for prop in site.registry.properties.values():
        value, thing = site.state.get(prop.iri), site.registry.thing_of[prop.iri]
        here = not intent.selection.places or set(intent.selection.places) & site.enclosing(thing.place)
        if value is not None and here and any(site.vocabulary.is_a(k, intent.property or "") for k in prop.kinds):
            found.append(Reading(thing, prop, value))
    return found


def _readable(intent: Intent, site: Site) -> bool:
    return any(
        site.vocabulary.is_a(k, intent.property or "") for p in site.registry.properties.values() for k in p.kinds
    )


def _mean(intent: Intent, query: Query, selector: Selector, site: Site) -> Finding:
    levels = selector.levels(intent.selection, intent.property or "")
    if not levels:
        raise _Unanswerable("unknown_state" if _readable(intent, site) else "no_such_property")
    if not (intent.selection.classes or intent.selection.things):
        levels = _by_sensors(levels, site) or levels
    numbers = [level for _, _, level in levels]
    value = sum(numbers) / (len(numbers) if query.asks is Asks.MEAN else 1)
    return Finding(tuple(part for part, _, _ in levels), value=value, kind=intent.property, asked=len(numbers))


def _by_sensors(levels: list[tuple[str, Property, float]], site: Site) -> list[tuple[str, Property, float]]:
    sensor = expand("hg:Sensor")
    return [one for one in levels if any(site.vocabulary.is_a(c, sensor) for c in site.registry.parts[one[0]].classes)]


def _difference(intent: Intent, query: Query, selector: Selector, site: Site) -> Finding:
    assert query.versus is not None
    one, other = (_level(select, intent, selector, site) for select in (intent.selection, query.versus))
    ahead = (one - other) * (query.direction or 1)
    more = ahead if query.direction else abs(ahead)  # of a gap nobody says which way
    greater, lesser = (intent.selection, query.versus) if ahead >= 0 else (query.versus, intent.selection)
    names = tuple(_selection_label(select, site) for select in (greater, lesser))
    return Finding(value=more, levels=(one, other), kind=intent.property, names=names)


def _selection_label(select: Select, site: Site) -> str:
    """The label of a selection of one thing or place."""
    if select.things:
        return answers.part_names(select.things[:1], site.registry)[0]
    if select.places:
        return place_name(select.places[0], site.registry)
    return site.vocabulary.name(select.classes[0]) if select.classes else ""


def _level(select: Select, intent: Intent, selector: Selector, site: Site) -> float:
    """How much there is of the kind in a place, or of a thing."""
    kind = intent.property or ""
    if not (select.classes or select.things) and select.places:
        levels = selector.levels_in(select.places, kind)
        if levels:
            return sum(levels.values()) / len(levels)
    found = [level for _, _, level in selector.levels(select, kind)]
    if not found:
        raise _Unanswerable("unknown_state" if _readable(intent, site) else "no_such_property")
    return sum(found) / len(found)


def _reached(intent: Intent, query: Query, selector: Selector, site: Site) -> Finding:
    """Whether a reading has come to the target of the same thing, or how far it is from that, in its unit."""
    pairs = [pair for part in selector.select(intent.selection) if (pair := _target(part, site)) is not None]
    if query.asks is Asks.REMAINING:
        pairs = [(target, reading) for target, reading in pairs if target.schema.unit == reading.schema.unit]
    if not pairs:
        raise _Unanswerable("no_such_property")
    target, reading = pairs[0]
    goal, now = (level_of(site.state.get(p.iri), p, site.registry) for p in (target, reading))
    if goal is None or now is None:
        raise _Unanswerable("unknown_state")
    thing = site.registry.thing_of[reading.iri]
    cooling = any(str(site.state.get(p.iri)).startswith("cool") for p in thing.properties)
    there = now <= goal + TOLERANCE if cooling else now >= goal - TOLERANCE
    readings = (
        Reading(thing, reading, site.state.get(reading.iri)),
        Reading(thing, target, site.state.get(target.iri)),
    )
    if query.asks is Asks.REMAINING:
        left = max(0.0, now - goal if cooling else goal - now)
        return Finding((thing.iri,), readings=readings, value=left, kind=reading_kind(reading))
    return Finding((thing.iri,), readings=readings, holds=there, kind=reading_kind(reading))


def reading_kind(prop: Property) -> str | None:
    """The first kind of a property."""
    return next(iter(sorted(prop.kinds)), None)


def _target(part: str, site: Site) -> tuple[Property, Property] | None:
    """The property that is set and the one that is read, of the same variable."""
    kinds = site.vocabulary.kinds
    thing = site.registry.thing_of[part]
    for target in thing.properties:
        variables = {i.variable for k in target.kinds if k in kinds and kinds[k].settable for i in kinds[k].influences}
        for reading in thing.properties:
            measured = {kinds[k].measures for k in reading.kinds if k in kinds and not kinds[k].settable}
            if variables & measured or (_is_target(target, reading)):
                return target, reading
    return None


def _is_target(target: Property, reading: Property) -> bool:
    """ "target_water_temperature" and "current_water_temperature"."""
    words = target.name.casefold()
    return "target" in words and reading.name.casefold() in (
        words.replace("target", "current"), words.replace("target_", ""), words.replace("target", "actual")
    )  # fmt: skip


# Places and times


def _place(intent: Intent, query: Query, selector: Selector, site: Site) -> Finding:
    del query
    parts = selector.select(intent.selection)
    if not parts:
        raise _Unanswerable("no_such_device")
    readings = [r for r in _readings(parts, WHEREABOUTS, site) if r.value is not None]
    places = tuple(dict.fromkeys(p for part in parts if (p := site.registry.thing_of[part].place) is not None))
    if not places and not readings:
        raise _Unanswerable("unknown_state")
    return Finding(_things(parts, site), places=() if readings else places, readings=tuple(readings))


def _since(intent: Intent, query: Query, selector: Selector, site: Site) -> Finding:
    """For how long it has been so; or when it last changed."""
    parts = selector.select(intent.selection)
    if not parts:
        raise _Unanswerable("no_such_device")
    kinds = [c.kind for test in query.tests for c in test.conditions]
    kinds = kinds or list(site.vocabulary.main_kinds.get(next(iter(intent.selection.classes), ""), ()))
    readings = [r for part in parts for kind in kinds for r in _readings([part], kind, site)]
    changed = [(at, r) for r in readings if (at := site.state.changed_at(r.property.iri)) is not None]
    if not changed:
        raise _Unanswerable("unknown_state")
    if query.tests and query.asks is Asks.SINCE:
        so = set(selector.select(replace(intent.selection, tests=query.tests)))
        if not so:
            return Finding(_things(parts, site), readings=(changed[0][1],), holds=False)
    at, reading = max(changed, key=lambda one: one[0])
    seconds = (site.clock.now() - at).total_seconds()
    return Finding(_things(parts, site), readings=(reading,), value=seconds, moment=at)


_ANSWERS: dict[Asks, Callable[[Intent, Query, Selector, Site], Finding]] = {
    Asks.COUNT: _set,
    Asks.LIST: _set,
    Asks.WHETHER: _set,
    Asks.EVERY: _set,
    Asks.VALUE: _value,
    Asks.MEAN: _mean,
    Asks.TOTAL: _mean,
    Asks.DIFFERENCE: _difference,
    Asks.COMPARE: _difference,
    Asks.WHICH: _difference,
    Asks.REACHED: _reached,
    Asks.REMAINING: _reached,
    Asks.PLACE: _place,
    Asks.SINCE: _since,
    Asks.LAST: _since,
}
