"""Translates restrictions of a noun to tests, rooms and an order of the selection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.graph.terms import expand
from engine.language.meanings import property_kinds as kinds_of
from engine.language.meanings.amounts import Meaning, meanings
from engine.language.meanings.context import Context
from engine.language.meanings.names import denotations
from engine.language.meanings.places import places_named
from engine.language.meanings.property_kinds import Words
from engine.language.meanings.tasks import classes_of
from engine.language.phrases.slots import HowMuch, Noun, PlaceName
from engine.language.words.dictionary import Relation, StateMeaning
from engine.language.words.lexicon import Entry, Role
from engine.language.words.spans import Restriction, Span
from engine.model.intent import Amount, Measure
from engine.model.selection import Comparison, Condition, Quantity, Rooms, Select, Test

SENSOR, TEMPERATURE = expand("hg:Sensor"), expand("hg:Temperature")
_DEGREE, _CELSIUS, _PERCENT = expand("hg:Degree"), expand("hg:Celsius"), expand("hg:Percent")
OCCUPANCY = expand("hg:Occupancy")
_RANKS = ("most", "least")
_COMPARISONS = {
    "=": Comparison.IS,
    ">": Comparison.ABOVE,
    ">=": Comparison.AT_LEAST,
    "<": Comparison.BELOW,
    "<=": Comparison.AT_MOST,
}


def restricted(select: Select, said: Sequence[Restriction], classes: Sequence[str], context: Context) -> Select | None:
    """The selection with the restrictions of its noun, whose classes are given; None where one has no meaning here."""
    if any(one.comparison == "share" for one in said):
        select = replace(select, share=0.5, quantity=Quantity.ALL)
    spared = [one for one in said if one.comparison == "except"]
    minus = exceptions(spared, context)
    tests = [_told(one, classes, context) for one in said if one.comparison not in (*_RANKS, "share", "except")]
    if any(test is None for test in tests) or len(minus) < len(spared):
        return None
    select = replace(select, minus=(*select.minus, *minus), tests=(*select.tests, *(t for t in tests if t is not None)))
    for one in said:
        if one.comparison in _RANKS:
            ranked = _order(one, classes, context)
            if ranked is None:
                return None
            kind, descending = ranked
            several = select.quantity if one.count is None else Quantity.ALL
            select = replace(select, order=kind, descending=descending, limit=one.count or 1, quantity=several)
    return select


def _told(one: Restriction, classes: Sequence[str], context: Context) -> Test | None:
    """The test of a restriction; one on a part is a test of that part: "whose fan is off"."""
    of = tuple(e.iri for e in one.host.entries if e.role is Role.DEVICE) if one.host is not None else ()
    if not of:
        return _test(one, classes, context)
    test = _test(replace(one, host=None), of, context)
    return test and replace(test, conditions=tuple(replace(c, of=of) for c in test.conditions))


def rooms(said: Sequence[Restriction], context: Context) -> tuple[Rooms, ...] | None:
    """The conditions on rooms that are said of a noun for rooms; None where they say nothing here."""
    found: list[Rooms] = []
    for one in said:
        room = _room(one, context)
        if room is None:
            return None
        found.append(room)
    return tuple(found)


def exceptions(said: Sequence[Restriction], context: Context) -> tuple[Select, ...]:
    """Exceptions, as selections."""
    found = []
    for one in said:
        names = one.host.entries if one.host is not None else ()
        things = tuple(e.iri for e in names if e.role is Role.THING)
        classes = () if things else tuple(e.iri for e in names if e.role is Role.DEVICE)
        things = things or (_called(one.about, classes, context) if one.about is not None else ())
        where = one.where
        places = places_named(PlaceName(where.entries, where.text, where.plural), context.registry) if where else ()
        if not (things or classes or places) and where is not None:  # "all lamps except the desk": so is one called
            things = _called(where, (), context)
        if things or classes or places:
            left = Select(classes, things, places, Quantity.ALL)
            of = one.host.restrictions if one.host is not None else ()
            so = restricted(left, of, classes or tuple(classes_of(things, context)), context) if of else left
            if so is not None:
                found.append(so)
    return tuple(found)


def _called(words: Span, classes: Sequence[str], context: Context) -> tuple[str, ...]:
    """The things in whose names the words stand."""
    entries = tuple(Entry(Role.DEVICE, cls) for cls in classes or (kinds_of.DEVICE,))
    noun = Noun(entries, "", modifiers=tuple(words.text.split()))
    return next((things for _, things in denotations(noun, "all", context)), ())


def _room(one: Restriction, context: Context) -> Rooms | None:
    if one.comparison in _RANKS:
        ranked = _order(one, (), context)
        return None if ranked is None else Rooms(order=ranked[0], descending=ranked[1], limit=one.count or 1)
    base = Select(quantity=Quantity.ALL)
    if one.host is not None:
        things = tuple(e.iri for e in one.host.entries if e.role is Role.THING)
        classes = tuple(e.iri for e in one.host.entries if e.role is Role.DEVICE)
        if things and classes and one.comparison == "has":  # "a blind or shutters": of the sort that those are
            classes = (*classes, *classes_of(things, context))
        base = replace(base, classes=() if things and not classes else classes)
        if classes and not things and not any(cls in context.dictionary.held for cls in classes):
            called = _so_called(one.host, context)
            base = replace(base, classes=() if called else classes, things=called)
    if one.comparison == "has":
        return Rooms(replace(base, classes=_sensors(base.classes, context)), negated=one.negated)
    if not base.classes and one.host is None:
        base = replace(base, classes=said_of_devices(one, context))
    owned = tuple(classes_of(base.things, context)) or base.classes
    test = _test(replace(one, host=None), owned, context, measured=True)
    if test is None:
        return None
    test = replace(test, conditions=_told_of_rooms(test.conditions, base, context))
    if base.things:
        return Rooms(replace(base, classes=(), tests=(test,)))
    if not any(kinds_of.at_home(c.kind, base.classes, context) for c in test.conditions):
        base = replace(base, classes=())  # "the motion sensor" is whatever here tells of motion
    return Rooms(replace(base, tests=(test,)))


def _told_of_rooms(conditions: tuple[Condition, ...], of: Select, context: Context) -> tuple[Condition, ...]:
    """Those of some conditions that tell of a room itself, and of nothing in it: an empty room has nobody in it, and no
    empty battery."""
    if of.classes or of.things:
        return conditions
    known, is_a = context.vocabulary.kinds, context.vocabulary.is_a
    own = [c for c in conditions if is_a(c.kind, OCCUPANCY) or (c.kind in known and known[c.kind].measures is not None)]
    return tuple(own) or conditions


def _so_called(host: Span, context: Context) -> tuple[str, ...]:
    """The things that a word names by their names, where none is of that class: a contact sensor is the window."""
    noun = Noun(host.entries, host.text.removesuffix("s") if host.plural else host.text)
    return next((things for _, things in denotations(noun, "all", context) if things), ())


def _sensors(classes: tuple[str, ...], context: Context) -> tuple[str, ...]:
    """The classes of "a motion sensor": any that senses people, where nothing more special is here."""
    if not classes or any(cls in context.dictionary.held for cls in classes):
        return classes
    above = {a for cls in classes for a in context.vocabulary.ancestors.get(cls, ())}
    sensing = {a for a in above if a != SENSOR and context.vocabulary.is_a(a, SENSOR) and a in context.dictionary.held}
    return tuple(sorted(sensing)) or classes


def _test(one: Restriction, classes: Sequence[str], context: Context, *, measured: bool = False) -> Test | None:
    """The test of a restriction on parts of these classes; for `measured` variables of a room, on kinds of sensors."""
    found: list[Condition] = []
    for condition in _conditions(one, classes, context, measured=measured):
        if condition not in found:
            found.append(condition)
    return Test(tuple(found), one.negated) if found else None


def _conditions(one: Restriction, classes: Sequence[str], context: Context, *, measured: bool) -> Iterator[Condition]:
    named = _named_kinds(one.about, classes, context)
    if one.amount is None:
        yield from (Condition(k, Comparison.IS, Amount(Measure.TRUTH, True)) for k in _present(named, (), context))
        return
    states = one.amount.having(Role.STATE)
    for entries in (
        (states, tuple(e for e in one.amount.entries if e not in states)) if states else (one.amount.entries,)
    ):
        found = list(
            _conditions_of(
                replace(one, amount=replace(one.amount, entries=entries)), named, classes, context, measured=measured
            )
        )
        yield from found
        if found:
            return


def _conditions_of(
    one: Restriction, named: list[str], classes: Sequence[str], context: Context, *, measured: bool
) -> Iterator[Condition]:
    """The conditions that the readings of an amount make."""
    assert one.amount is not None
    how = HowMuch("at", one.amount.text, one.amount.entries, one.amount.number, one.amount.unit)
    meant = meanings(how, context, directed=False, named=bool(named))
    said = [meaning for meaning in meant if _is_said_of(meaning, classes, context)]
    for meaning in said or (meant if kinds_of.DEVICE in classes else ()):  # "anything that is playing"
        for kind in _kinds(one, _switched(named, meaning, context), meaning, classes, context, measured=measured):
            way = _way(one, kind, context)
            if way is not None and (way is Comparison.IS or meaning.amount.measure is not Measure.TRUTH):
                yield _from_its_end(Condition(kind, way, meaning.amount), one.about, context)


def _from_its_end(said: Condition, about: Span | None, context: Context) -> Condition:
    """A condition on a share; of one that is counted from the low end ("more than 80 percent closed") the other way
    round."""
    states = [s for e in (about.having(Role.STATE) if about is not None else ()) for s in _states(e.iri, context)]
    low = any(s.kind == said.kind and (s.to is False or s.bound == "minimum") for s in states)
    share = said.amount.value if said.amount is not None else None
    if not low or said.amount is None or isinstance(share, bool) or not isinstance(share, int | float):
        return said
    return replace(said, comparison=said.comparison.turned, amount=replace(said.amount, value=100.0 - share))


def _states(iri: str, context: Context) -> Sequence[StateMeaning]:
    return context.dictionary.states.get(iri, ())


def _switched(named: list[str], meaning: Meaning, context: Context) -> list[str]:
    """The kinds that are named of which yes or no can be said: batteries may be charging, but no percentage is."""
    if meaning.amount.measure is not Measure.TRUTH:
        return named
    known = context.vocabulary.kinds
    return [
        kind
        for kind in named
        if any(kinds_of.akin(kind, other, context) for other in meaning.kinds) or (kind in known and known[kind].high)
    ]


def _is_said_of(meaning: Meaning, classes: Sequence[str], context: Context) -> bool:
    """Whether a word applies to things of these classes: "running" to a washer, and not to any device."""
    if not meaning.classes or not classes:
        return True
    return any(context.vocabulary.is_a(cls, of) for cls in classes for of in meaning.classes)


def said_of_devices(one: Restriction, context: Context) -> tuple[str, ...]:
    """The classes of device of which a state of a room is said: a room is dark whose lights are off."""
    states = one.amount.having(Role.STATE) if one.amount is not None else ()
    said = {cls for e in states for s in context.dictionary.states.get(e.iri, ()) for cls in s.classes}
    return tuple(sorted(cls for cls in said if context.vocabulary.is_a(cls, kinds_of.DEVICE)))


def _named_kinds(about: Span | None, classes: Sequence[str], context: Context) -> list[str]:
    """The kinds that a word for a property names, those that are here first."""
    entries = about.having(Role.PROPERTY) if about is not None else ()
    if about is not None and not entries:  # "80 percent open"
        states = (s for e in about.having(Role.STATE) for s in _states(e.iri, context))
        return [k for k in dict.fromkeys(s.kind for s in states) if kinds_of.at_home(k, classes, context)]
    found = [e.iri for e in entries if kinds_of.concerns(e.iri, classes, context)] or [e.iri for e in entries]
    return sorted(found, key=lambda kind: not kinds_of.at_home(kind, classes, context))


def _kinds(
    one: Restriction, named: list[str], meaning: Meaning, classes: Sequence[str], context: Context, *, measured: bool
) -> list[str]:
    """The kinds that an amount may be of: those named, those of the word for more or less, the amount's own, the main
    ones of the device. For a state all alternatives count, for a number the first that is here."""
    relations = [r.about for r in _relations(one, context) if r.about is not None]
    found = named or relations or kinds_of.candidates(Words((), (), (), tuple(classes), 0), meaning, context)
    if measured and meaning.amount.measure is Measure.NUMBER:
        found = sensed(found, context) or _of_rooms(meaning, context) or found
    here = _present(found, classes, context) or _present(found, (), context)
    several = meaning.amount.measure in (Measure.TRUTH, Measure.NAMED, Measure.TEXT) and not named
    several = several and one.comparison in _COMPARING_EQUAL  # "less than half" is of a level: of the main one
    return here if several else here[:1]


_COMPARING_EQUAL = ("=", "!=")


def _of_rooms(meaning: Meaning, context: Context) -> list[str]:
    """The kinds that are measured in rooms in the unit of a number: "wherever it's over 26 degrees"."""
    unit = meaning.amount.unit
    if unit is None:
        return [TEMPERATURE]
    units = {_CELSIUS if unit == _DEGREE else unit}
    known = context.vocabulary.kinds
    return [iri for iri, kind in known.items() if kind.measures is not None and kind.unit in units - {_PERCENT}]


def _present(kinds: Sequence[str], classes: Sequence[str], context: Context) -> list[str]:
    return [kind for kind in dict.fromkeys(kinds) if kinds_of.at_home(kind, classes, context)]


def sensed(kinds: Sequence[str], context: Context) -> list[str]:
    """The sensor kinds of the variables that these kinds bear on: warmth of a room is its temperature, and no
    target."""
    known = context.vocabulary.kinds
    variables = [i.variable for k in kinds if k in known for i in known[k].influences]
    variables += [measures for k in kinds if k in known and (measures := known[k].measures) is not None]
    return [iri for v in dict.fromkeys(variables) for iri, kind in known.items() if kind.measures == v]


def _relations(one: Restriction, context: Context) -> list[Relation]:
    entries = one.relation.entries if one.relation is not None else ()
    return [r for e in entries for r in context.dictionary.relations.get(e.iri, ())]


def _way(one: Restriction, kind: str, context: Context) -> Comparison | None:
    """How values of a kind are compared: "warmer than" is above, "dimmer than" below."""
    if one.comparison != "more":
        return _COMPARISONS.get(one.comparison)
    relations = _relations(one, context)
    own = [r for r in relations if r.about is not None and _bears(r.about, kind, context)] or relations
    if not own:
        return None
    return Comparison.ABOVE if own[0].direction > 0 else Comparison.BELOW


def _bears(about: str, kind: str, context: Context) -> bool:
    return kinds_of.akin(about, kind, context) or kind in sensed([about], context)


def _highest_first(one: Restriction, kind: str, context: Context) -> bool:
    """Whether a ranking by a kind begins with the highest: "the most water", not "the weakest battery"."""
    relations = _relations(one, context)
    own = next((r for r in relations if r.about is not None and _bears(r.about, kind, context)), None)
    told = own or next(iter(relations), None)
    return (told is None or told.direction > 0) == (one.comparison == "most")


def _order(one: Restriction, classes: Sequence[str], context: Context) -> tuple[str, bool] | None:
    """By which kind to rank, and whether the highest come first."""
    named = _named_kinds(one.about, classes, context)
    if named:
        kinds = sensed(named, context) if not classes else named
        here = _present(kinds or named, classes, context) or _present(named, (), context)
        return (here[0], _highest_first(one, here[0], context)) if here else None
    if one.relation is None:
        here = _present(kinds_of.main(classes, context), classes, context)
        return (here[0], one.comparison == "most") if here else None
    for relation in _relations(one, context):
        about = [relation.about] if relation.about else kinds_of.main(classes, context)
        kinds = _present(sensed(about, context) if not classes else about, classes, context)
        if kinds:
            return kinds[0], (relation.direction > 0) == (one.comparison == "most")
    return None
