"""Translates questions to intents: the selection, the kind of property, and the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.graph.terms import expand
from engine.language.meanings import property_kinds as kinds_of
from engine.language.meanings.conditions import exceptions, restricted, rooms, said_of_devices, sensed
from engine.language.meanings.context import Context
from engine.language.meanings.names import denotations
from engine.language.meanings.places import ANYWHERE, ROOM, whereabouts
from engine.language.meanings.property_of_noun import told_by
from engine.language.meanings.tasks import classes_of
from engine.language.phrases.coordination import Goal, goals
from engine.language.phrases.frames import read_frame
from engine.language.phrases.predicates import OCCUPIED, UNOCCUPIED
from engine.language.phrases.segments import Segment
from engine.language.phrases.slots import Compared, Noun, PlaceName
from engine.language.questions.people import PERSON
from engine.language.words.dictionary import Relation
from engine.language.words.lexicon import Entry, Role
from engine.language.words.spans import Inquiry, Restriction, Span
from engine.model.intent import Asks, Category, Intent, Operation, Query
from engine.model.selection import Comparison, Condition, Quantity, Select, Test

_PERCENT = expand("hg:Percent")
TITLE, SENSOR, AWAY = expand("hg:MediaTitle"), expand("hg:Sensor"), expand("hg:IsAway")
OF_SETS = frozenset({Asks.COUNT, Asks.LIST, Asks.WHETHER, Asks.EVERY, Asks.PLACE, Asks.SINCE, Asks.LAST})


def inquiry(goal: Goal, iri: str, context: Context) -> Intent | None:
    """The intent of a question; None where a restriction of its noun has no meaning here."""
    assert goal.inquiry is not None
    asked = _in_number(goal.inquiry, goal)
    noun = goal.noun or (goal.antecedent if goal.refers else None)
    if noun is None and goal.unknown and not goal.places:
        noun = Noun((), " ".join(goal.unknown))  # "the water" is the water heater where nothing else is called so
    several = asked.asks in (Asks.LIST, Asks.COUNT) and noun is None  # "which bedroom": of all of that class
    names = tuple(replace(n, plural=n.plural or several) for n in goal.places if not _is_room(n))
    named = replace(goal, places=names)
    where = whereabouts(named, context.registry, None if noun is None and not goal.here else context.location)[0]
    where = where if named.places or not goal.places else ANYWHERE
    if where.missing is not None:
        return _fault(goal, iri, "no_such_room", where.missing)
    of_rooms = noun is None and bool(goal.places) and not goal.qualities and asked.relation is None
    known = noun is not None and (not noun.entries or bool(denotations(noun, "all", context)))
    if noun is not None and known and _asks_which_rooms(goal, asked):
        having = _having(_by_name(noun, context), asked)
        rooms_only = replace(asked, predicate=())
        held = replace(goal, places=tuple(replace(n, restrictions=having) if _is_room(n) else n for n in goal.places))
        return _of_rooms(held, iri, rooms_only, where.places, context)
    if of_rooms and asked.asks in OF_SETS:
        return _of_rooms(goal, iri, asked, where.places, context)
    if noun is not None and any(e.iri == PERSON for e in noun.entries) and PERSON not in context.dictionary.held:
        return _of_occupants(goal, iri, asked, where.places, context)
    if noun is not None and not goal.refers and not denotations(noun, goal.quantity, context):
        return _fault(goal, iri, "no_such_device", " ".join(dict.fromkeys((*noun.modifiers, *noun.text.split()))))
    found = [
        intent
        for classes, things in denotations(noun, goal.quantity, context)
        if (intent := _of_things(goal, iri, asked, noun, classes, things, context)) is not None
    ]
    return found[0] if found else None


def _in_number(asked: Inquiry, goal: Goal) -> Inquiry:
    """The total of things, of which nothing is asked, as how many there are: "our total inventory of heaters"."""
    bare = goal.noun is not None and not (goal.qualities or goal.unknown or asked.relation)
    return replace(asked, asks=Asks.COUNT) if asked.asks is Asks.TOTAL and bare else asked


def _asks_which_rooms(goal: Goal, asked: Inquiry) -> bool:
    """Whether it is asked in which rooms something is: "which rooms have an air conditioner running?"."""
    room = next((n for n in goal.places if _is_room(n)), None)
    named = room is not None and room.plural and not room.introduced and not room.restrictions
    return named and asked.asks in (Asks.LIST, Asks.COUNT) and not (goal.refers or goal.qualities or asked.relation)


def _by_name(noun: Noun, context: Context) -> Noun:
    """A noun with words before it as the things that are so called: "a *ceiling* fan"."""
    things = (one for _, named in denotations(noun, "all", context) for one in named) if noun.modifiers else ()
    return replace(noun, entries=tuple(Entry(Role.THING, one) for one in things) or noun.entries)


def _having(noun: Noun, asked: Inquiry) -> tuple[Restriction, ...]:
    """That a room has such a thing, of which all that is said is so."""
    host = Span(noun.text, 0, 0, noun.entries, plural=noun.plural)
    said = tuple(r for r in (*noun.restrictions, *asked.predicate) if r.amount is not None)
    return tuple(replace(r, host=host) for r in said) or (Restriction("has", host=host),)


def _of_occupants(goal: Goal, iri: str, asked: Inquiry, places: tuple[str, ...], context: Context) -> Intent | None:
    """Whether somebody is at home where nobody is known by name: whether rooms are occupied."""
    said = tuple(replace(one, amount=_occupied(one.amount)) for one in asked.predicate)
    return _of_rooms(goal, iri, replace(asked, predicate=said), places, context)


def _occupied(home: Span | None) -> Span | None:
    """ "At home" as a state of rooms."""
    away = home is not None and any(e.iri == AWAY for e in home.entries)
    return replace(home, entries=((UNOCCUPIED if away else OCCUPIED),)) if home is not None else None


def _is_room(name: PlaceName) -> bool:
    """Whether it is "rooms", whichever."""
    return any(e.iri == ROOM for e in name.entries) and not name.modifiers


def _fault(goal: Goal, iri: str, reason: str, subject: str) -> Intent:
    return Intent(iri, goal.text, Category.CHECK, Operation.CHECK, fault=reason, subject=subject)


def _of_rooms(goal: Goal, iri: str, asked: Inquiry, places: tuple[str, ...], context: Context) -> Intent | None:
    """A question whose answer is rooms, or yes or no about them."""
    own = rooms([r for name in goal.places for r in name.restrictions], context)
    said = rooms(asked.predicate, context)
    if own is None or said is None:
        return None
    select = Select(places=places, quantity=Quantity.ALL, rooms=(*own, *said))
    kind = next((r.order for r in select.rooms if r.order), None)
    return _intent(goal, iri, select, kind, Query(asked.asks, rooms=True))


def _of_things(
    goal: Goal,
    iri: str,
    asked: Inquiry,
    noun: Noun | None,
    classes: tuple[str, ...],
    things: tuple[str, ...],
    context: Context,
) -> Intent | None:
    where = whereabouts(goal, context.registry, context.location if goal.here else None)[0] if goal.places else ANYWHERE
    if noun is None and not classes:  # "is it dark in here?" asks about the lights
        classes = tuple(dict.fromkeys(cls for one in asked.predicate for cls in said_of_devices(one, context)))
    owned = classes or tuple(classes_of(things, context))
    in_rooms = rooms([r for name in goal.places for r in name.restrictions], context)
    if in_rooms is None:
        return None
    sensing = _is_sensor(classes)
    minus = exceptions(goal.exceptions, context)
    base = Select(classes, things, where.places, _quantity(goal, noun), rooms=in_rooms, minus=minus)
    if sensing and goal.qualities:
        known = tuple(Condition(e.iri, Comparison.KNOWN) for e in goal.qualities[0].entries)
        base = replace(base, tests=(Test(known),))
    ranks = tuple(r for r in asked.predicate if r.comparison in ("most", "least"))
    select = restricted(base, (*(noun.restrictions if noun else ()), *ranks), owned, context)
    tests = restricted(Select(), _said(goal, asked, noun, sensing=sensing), owned, context)
    if tests is None and classes == (kinds_of.DEVICE,):  # "which devices are running?": those of which that is said
        said = tuple(dict.fromkeys(cls for one in asked.predicate for cls in said_of_devices(one, context)))
        return _of_things(goal, iri, asked, noun, said, things, context) if said else None
    if select is None or tests is None:
        return None
    if asked.asks is Asks.VALUE and tests.tests:
        return _at_work(goal, iri, select, tests.tests, context)
    ranks_or_compares = bool(ranks) or (asked.relation is not None and bool(asked.versus))
    kind = _kind(goal, asked, owned, noun, context) if asked.asks not in OF_SETS or ranks_or_compares else None
    if things and not classes and asked.asks not in OF_SETS:
        kind = told_by(things, kind, goal.qualities, context)
    if kind is None and asked.asks not in OF_SETS:
        return None
    query = Query(asked.asks, tests.tests, versus=_versus(asked, goal, context), direction=_direction(asked, context))
    return _intent(goal, iri, select, kind, query)


def _said(goal: Goal, asked: Inquiry, noun: Noun | None, *, sensing: bool) -> tuple[Restriction, ...]:
    """The restrictions of the noun, apart from rankings; for a property alone, that there is any."""
    said = tuple(_about(r, goal, sensing=sensing) for r in asked.predicate if r.comparison not in ("most", "least"))
    if noun is None and goal.qualities and not said and asked.asks in (Asks.WHETHER, Asks.COUNT, Asks.LIST):
        return (Restriction("=", about=_quality_span(goal)),)
    return said


def _at_work(goal: Goal, iri: str, select: Select, tests: Sequence[Test], context: Context) -> Intent:
    """A question for the activity of a thing: for its title where it has one ("what's playing"), else its state."""
    kinds = [c.kind for test in tests for c in test.conditions]
    title = [TITLE] if kinds_of.at_home(TITLE, (), context) else []
    query = Query(Asks.VALUE, also=tuple(dict.fromkeys(kinds)) if title else ())
    return _intent(goal, iri, select, next(iter([*title, *kinds])), query)


def _is_sensor(classes: Sequence[str]) -> bool:
    return bool(classes) and all(c == SENSOR for c in classes)


def _quality_span(goal: Goal) -> Span:
    """The property that is named, as words that restrict."""
    quality = goal.qualities[0]
    return Span(quality.text, goal.start, goal.end, quality.entries)


def _about(said: Restriction, goal: Goal, *, sensing: bool) -> Restriction:
    """A restriction with the property named beside the noun: "which batteries are below 40?"."""
    if said.about is not None or not goal.qualities or said.amount is None:
        return said
    if said.amount.number is None and goal.noun is not None and not sensing:
        return said
    return replace(said, about=_quality_span(goal))


def _intent(goal: Goal, iri: str, select: Select, kind: str | None, query: Query) -> Intent:
    return Intent(iri, goal.text, Category.CHECK, Operation.CHECK, select, property=kind, query=query)


def _quantity(goal: Goal, noun: Noun | None) -> Quantity:
    several = goal.quantity in ("all", "plural", "any") or (noun is not None and noun.plural)
    return Quantity.ALL if several else Quantity.ONE


def _kind(goal: Goal, asked: Inquiry, classes: Sequence[str], noun: Noun | None, context: Context) -> str | None:
    """The kind of property that is asked about: the one named, that of an adjective, the main one of the device."""
    named = kinds_of.named(goal.qualities, classes, context)
    about = [r.about for e in (asked.relation.entries if asked.relation else ()) for r in _relations(e.iri, context)]
    said = [*named, *(kind for kind in about if kind is not None)]
    if noun is None:
        meant = [kind for kind in about if kind is not None]
        said = [*(k for k in named if not _is_setting(k, context)), *named, *sensed(meant, context), *meant]
    elif not said:
        said = kinds_of.main(classes, context)
    elif asked.relation is not None and asked.asks is Asks.VALUE and not named and not asked.of_settings:
        said = [*_measured(said, context), *said]  # "how hot is the water": what it is now
    said = sorted(said, key=lambda k: not _is_setting(k, context)) if asked.of_settings else said
    here = [k for k in said if kinds_of.at_home(k, classes, context)]
    here = here or [k for k in sensed(said, context) if kinds_of.at_home(k, classes, context)]
    return next(iter(here or said), None)


def _measured(kinds: Sequence[str], context: Context) -> list[str]:
    """The kinds that are measured in the units of these, and never set."""
    known = context.vocabulary.kinds
    units = {known[k].unit for k in kinds if k in known} - {None, _PERCENT}
    return [iri for iri, kind in known.items() if kind.unit in units and not kind.settable]


def _is_setting(kind: str, context: Context) -> bool:
    known = context.vocabulary.kinds.get(kind)
    return known is None or known.settable


def _relations(iri: str, context: Context) -> Sequence[Relation]:
    return context.dictionary.relations.get(iri, ())


def _direction(asked: Inquiry, context: Context) -> int:
    """Which of two is to be more for a difference to be one; 0: whichever is."""
    entries = asked.relation.entries if asked.relation is not None else ()
    either = 0 if asked.asks is Asks.DIFFERENCE else 1
    return next((r.direction for e in entries for r in _relations(e.iri, context)), either)


def _versus(asked: Inquiry, goal: Goal, context: Context) -> Select | None:
    """The selection to compare with."""
    if goal.against is not None:
        return _compared(goal.against, goal, context)
    if not asked.versus:
        return None
    frame = read_frame(Segment(asked.versus, "."), context.dictionary.lexicon)
    other = next(iter(goals([frame], goal.text)), None)
    if other is None:
        return None
    noun = other.noun or (goal.noun if other.places else None)
    if noun is not None and not noun.entries and goal.noun is not None:
        noun = replace(noun, entries=goal.noun.head or goal.noun.entries)  # "the left lamp or the right one"
    return _one(noun, other, context)


def _compared(other: Compared, goal: Goal, context: Context) -> Select:
    """The selection of the other of two that are named alike; of its kind where only a word of its name is said."""
    noun = other.noun
    if noun is not None and not noun.entries and goal.noun is not None:
        noun = replace(noun, entries=goal.noun.head or goal.noun.entries, modifiers=(*noun.modifiers, noun.text))
    return _one(noun, replace(goal, places=other.places, quantity="", here=False, everywhere=False), context)


def _one(noun: Noun | None, said: Goal, context: Context) -> Select:
    """The selection of the one thing that a noun names, where a goal says it is."""
    classes, things = next(iter(denotations(noun, said.quantity, context)), ((), ()))
    where = whereabouts(said, context.registry, None)[0] if said.places else ANYWHERE
    return Select(classes, things, where.places, Quantity.ONE)
