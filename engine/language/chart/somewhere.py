"""Rooms that are told by how it is there, apart from the order for them: "any room over 25 degrees: close its
curtains", "volume twenty, wherever music is playing".

The words for the rooms are read like a question for them, the rest as if said after that question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.halves import (
    MARKS,
    Read,
    are_told,
    asked,
    does_something,
    each,
    is_for_now,
    is_settled,
    ordered,
    taken,
    ways,
)
from engine.language.chart.heard.items import Item, Sort, includes, is_unknown
from engine.language.chart.judging.reader import Candidate, intents_of
from engine.language.chart.judging.telling import EMPTY
from engine.language.chart.later.timewise import is_room, of_any_room
from engine.language.meanings.conditions import OCCUPANCY
from engine.language.meanings.context import Context
from engine.language.meanings.past import Said
from engine.language.meanings.places import is_inside, places_named
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.coordination import Goal
from engine.language.phrases.slots import PlaceName
from engine.language.words.records import replace
from engine.model.intent import Category, Intent
from engine.model.selection import Quantity, Rooms
from engine.things.registry import Registry

MOST_CLASSES = 3
"""How many classes one name of what is in a room may stand for."""
_JOINING = (
    Sort.Definite, Sort.Possessive, Sort.In, Sort.And, Sort.With, Sort.Of, Sort.To, Sort.Added, Sort.Including,
    Sort.PronounOne, Sort.PauseMark, Sort.Fillers, Sort.Loose, Sort.Requesting, Sort.That, Sort.Which, Sort.Modal,
)  # fmt: skip
_WHERE = (Sort.Wherever, Sort.Where)
_FILLING = ("filler", "loose")
_LED = 3
"""Among how many first words of an order nobody is who is only sensed."""


@dataclass(frozen=True, slots=True)
class _Told:
    """Rooms that are told: the question for them, the conditions on them, and the places among which they are."""

    goal: Goal
    rooms: tuple[Rooms, ...]
    places: tuple[str, ...]


def with_rooms_told(
    text: str, request: str, context: Context, goals: tuple[Alternatives, ...], read: Read
) -> tuple[Alternatives, ...]:
    """The goals of a text; where it is not understood as a whole, those of an order in rooms that are told by how it is
    there, or one by one."""
    if not _tells_rooms(text, context) or (is_settled(goals, context) and not _passes_over_rooms(text, goals, context)):
        return goals
    for half, rest in ways(text, context, _names_a_place, _names_rooms):
        told = _without_if(half, context)
        rooms = _rooms(told, request, context) if _names_any_room(heard_items(told, context)) else None
        if rooms is None:
            behind = heard_items(rest, context)
            named = includes(behind, Sort.NOUN) and not includes(behind, Sort.PLACE)
            rooms = _listed(told, context) if named else None
        if rooms is None or includes(heard_items(rest, context)[:_LED], Sort.Nobody, Sort.Somebody):
            continue  # nor "a room's motion sensor | says nobody's in, …"
        order = ordered(rest, context, read, Said(rooms.goal))
        if order is None:
            continue
        made = each(order[0], partial(_within, told=rooms))
        if all(does_something(intent, context) for intent in intents_of(made)):
            taken(context, order[1])
            return made
    return goals


def _without_if(text: str, context: Context) -> str:
    """Words that tell rooms without the "if" that begins them: "so *if* a room is above 26 degrees"."""
    items = heard_items(text, context)
    begun = next((n for n, own in enumerate(items) if not includes((own,), *EMPTY)), len(items))
    first = next((i for own in items[begun : begun + 1] for i in own if i.sort is Sort.If), None)
    return text if first is None else text[tokens_of(text, context)[first.end - 1].end :].strip(MARKS)


def _within(intent: Intent, told: _Told) -> Intent:
    """An order, in the rooms that are told where it says no other."""
    select = intent.selection
    if select.places or select.rooms:
        return intent
    inside = replace(select, rooms=told.rooms, places=told.places, quantity=Quantity.ALL)
    return replace(intent, selection=inside)


def _tells_rooms(text: str, context: Context) -> bool:
    """Whether a text may tell rooms by how it is there, and says nothing of when."""
    items = heard_items(text, context)
    if not is_for_now(text, context) or (includes(items, Sort.If) and not of_any_room(text, context)):
        return False
    listed = sum(includes((own,), Sort.PLACE) for own in items) > 1
    return listed or _names_any_room(items)


def _passes_over_rooms(text: str, goals: Sequence[Alternatives], context: Context) -> bool:
    """Whether rooms are told by how it is there, and nothing that is meant is in any room."""
    intents = intents_of(goals)
    unsaid = all(
        i.category is Category.EXPLICIT and i.fault is None and not (i.selection.rooms or i.selection.places)
        for i in intents
    )
    return bool(intents) and unsaid and _names_any_room(heard_items(text, context))


def _names_any_room(items: Sequence[Sequence[Item]]) -> bool:
    """Whether words stand for rooms, and for none that was spoken of: not "that room"."""
    pointed = {n for own in items for i in own if i.sort is Sort.There for n in range(i.start, i.end)}
    return any(_names_rooms(own) for n, own in enumerate(items) if n not in pointed)


def _names_rooms(own: Sequence[Item]) -> bool:
    """Whether words stand for rooms, whichever."""
    return any(i.sort in _WHERE or is_room(i) for i in own)


def _names_a_place(own: Sequence[Item]) -> bool:
    return _names_rooms(own) or includes((own,), Sort.PLACE)


def _listed(text: str, context: Context) -> _Told | None:
    """The places that a text names, and says no more than that they go together; None where it names no several."""
    items = heard_items(text, context)
    names: list[PlaceName] = []
    place = 0
    while place < len(items):
        found = max((i for i in items[place] if i.sort is Sort.PLACE), key=lambda i: i.length, default=None)
        if found is None and not _joins(place, items, behind=bool(names)):
            return None
        if found is not None:
            names.append(PlaceName(found.entries, found.text, found.plural, introduced=True, added=bool(names)))
        place = found.end if found is not None else place + 1
    places = _one_each(names, context.registry) if len(names) > 1 else ()
    return _Told(Goal(text, 0, len(text), places=tuple(names)), (), places) if places else None


def _one_each(names: Sequence[PlaceName], registry: Registry) -> tuple[str, ...]:
    """The places of a list, one for each name: of several that are called so the one that belongs to another of the
    list; none where that does not tell which."""
    named = [places_named(name, registry) for name in names]
    known = [places[0] for places in named if len(places) == 1]
    found = []
    for places in named:
        near = [one for one in places if len(places) == 1 or any(_belong(one, other, registry) for other in known)]
        if len(near) != 1:
            return ()
        found.append(near[0])
    return tuple(dict.fromkeys(found))


def _belong(one: str, other: str, registry: Registry) -> bool:
    """Whether one of two places lies within the other, or both within a third that is a room."""
    return is_inside(one, other, registry) or is_inside(other, one, registry)


def _joins(place: int, items: Sequence[Sequence[Item]], *, behind: bool) -> bool:
    """Whether a word only joins the names of places, or tells `behind` one that they go together: "which belong to
    it", "off it"."""
    if includes((items[place],), *_JOINING):
        return True
    points = includes(items[place + 1 : place + 2], Sort.PronounOne, Sort.To)
    return behind and (is_unknown(items[place]) or points)


def _rooms(text: str, request: str, context: Context) -> _Told | None:
    """The likeliest reading of all words of a text as a question for the rooms where it is so, those first that take
    music for something that plays and for no player; None where there is none."""
    ways = [one for one in asked(text, request, context) if _is_for_rooms(one, context)]
    best = max(ways, key=lambda one: any(part == "content" for _, _, part in one.account), default=None)
    goal = best.items[0] if best is not None else None
    if best is None or not isinstance(goal, Goal):
        return None
    return _Told(goal, best.intents[0].selection.rooms, best.intents[0].selection.places)


def _is_for_rooms(one: Candidate, context: Context) -> bool:
    """Whether a reading tells rooms by how it is there."""
    intent = one.intents[0]
    rooms = intent.selection.rooms
    if intent.query is None or not intent.query.rooms or _senses_by_name(one) or _names_things_first(one):
        return False
    tests = [test for room in rooms for test in room.has.tests]
    occupied = [one for one in tests if any(context.vocabulary.is_a(c.kind, OCCUPANCY) for c in one.conditions)]
    return bool(rooms) and len(occupied) <= 1 and all(map(_is_told, rooms))


def _names_things_first(one: Candidate) -> bool:
    """Whether a reading names a thing before any room: "*anything* playing in an empty room"; not "motion sensor
    rooms"."""
    named = [part for _, _, part in one.account if part not in ("before", *_FILLING)]
    first = next((n for n, part in enumerate(named) if part in ("noun", "place", "where")), len(named))
    return named[first : first + 1] == ["noun"] and named[first + 1 : first + 2] != ["place"]


def _senses_by_name(one: Candidate) -> bool:
    """Whether a reading takes the motion of "motion sensor" for motion that it senses."""
    presence = [n for n, (_, _, part) in enumerate(one.account) if part == "presence"]
    named = [n for n in presence if any(part == "witness" for _, _, part in one.account[max(0, n - 2) : n + 2])]
    return bool(presence) and named == presence and not any(part == "sensing" for _, _, part in one.account)


def _is_told(rooms: Rooms) -> bool:
    """Whether rooms are told by things that are there, or by measurements and states."""
    has = rooms.has
    told = has.classes or has.things or has.tests or rooms.order is not None
    return bool(told) and len(has.classes) <= MOST_CLASSES and are_told(has.tests)
