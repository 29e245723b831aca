"""Errands: something for a machine to work on is named, and how, and no order is given to the machine: "I've got
potatoes here for the oven, baking, two hundred". It is to be set to work, and asks for the inputs that it lacks."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from engine.graph.store import GraphStore
from engine.language.chart.around import selected
from engine.language.chart.goals.prepared import heard_items
from engine.language.chart.heard.items import OPERATORS, Item, Sort, includes, longest
from engine.language.chart.judging.reader import intents_of
from engine.language.meanings.command_inputs import taken
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.meanings.property_kinds import akin
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.coordination import Goal
from engine.language.phrases.slots import HowMuch, Noun, PlaceName
from engine.language.talk.discourse import interpreted
from engine.language.words.lexicon import Entry, Role
from engine.language.words.morphology import is_progressive
from engine.language.words.records import replace
from engine.model.intent import Category, Intent

_MISSING, _PAST, _MODE = "missing_value", "ed", "mode"
_ORDERS = (Category.EXPLICIT, Category.IMPLICIT)
_NUMBERS = (Sort.NUMBER, Sort.DURATION)
_SORTS = (Sort.NOUN, Sort.PLACE, Sort.VALUE, *_NUMBERS)


@dataclass(frozen=True, slots=True)
class _Told:
    """The words of an errand: the machines, the rooms, how they are to work, and numbers for that."""

    nouns: tuple[Item, ...]
    places: tuple[Item, ...]
    ways: tuple[HowMuch, ...]
    numbers: tuple[HowMuch, ...]


def with_errand(text: str, request: str, context: Context, goals: tuple[Alternatives, ...]) -> tuple[Alternatives, ...]:
    """The goals of a text; where it names something for a machine to work on, and how, and they do not set it to work,
    the order to do so. Where nothing is missing for that, it is asked about first."""
    goal = _errand(text, context, intents_of(goals))
    if goal is None:
        return goals
    own = replace(context, hearing=Hearing())
    found = (interpreted(goal, f"{request}/intent-1", own),)
    faults = {intent.fault for intent in intents_of(found)}
    if faults - {None, _MISSING}:
        return goals
    context.hearing.goals, context.hearing.told = own.hearing.goals, ()
    context.hearing.unsure, context.hearing.shape = _MISSING not in faults, ""
    return found


def _errand(text: str, context: Context, intents: Sequence[Intent]) -> Goal | None:
    """The order to set a machine to work; None where the text says something else."""
    items = heard_items(text, context)
    sort, command = next(((s, c) for s, c in _works(context.store) if includes(items, s)), (None, None))
    if sort is None or command is None or includes(items, *OPERATORS, Sort.Every, Sort.Both):
        return None
    machines = _machines(command, context)
    if not machines or not _may_be(intents, command, machines, context):
        return None
    told = _told(items, sort, command, context)
    wished = any(intent.category is Category.IMPLICIT for intent in intents)
    if not _is_for_one(told, machines, context) or (wished and not told.nouns):
        return None
    entries = told.nouns[0].entries if told.nouns else tuple(Entry(Role.THING, iri) for iri in machines)
    noun = Noun(entries, told.nouns[0].text if told.nouns else text)
    places = tuple(PlaceName(item.entries, item.text, introduced=True) for item in told.places)
    verbs = (Entry(Role.COMMAND, command),)
    return Goal(text, 0, len(text), verbs, "", noun, amounts=(*told.ways, *told.numbers), places=places)


def _is_for_one(told: _Told, machines: Set[str], context: Context) -> bool:
    """Whether one way to work is told, and no more than one machine, which is among those."""
    classes = [e for item in told.nouns for e in item.entries]
    several = len(told.nouns) > 1 or (not told.nouns and len(machines) > 1) or any(i.plural for i in told.nouns)
    return len(told.ways) == 1 and not several and all(_is_of(e, machines, context) for e in classes)


def _works(store: GraphStore) -> Sequence[tuple[Sort, str]]:
    """The sorts of the words for things that machines work on, with the command for that."""
    return store.of_terms("language/worked_on", lambda: _read(store))


def _read(store: GraphStore) -> tuple[tuple[Sort, str], ...]:
    rows = store.select("language/worked_on")
    return tuple((Sort(s.value.rpartition("#")[2]), c.value) for s, c in rows if s is not None and c is not None)


def _machines(command: str, context: Context) -> frozenset[str]:
    """The things here that can do a command."""
    things = context.registry.thing_of.values()
    return frozenset(thing.iri for thing in things if any(command in action.commands for action in thing.actions))


def _may_be(intents: Sequence[Intent], command: str, machines: Set[str], context: Context) -> bool:
    """Whether the readings of a text may stand for an errand: nothing that asks, waits, is the command, or is about
    other things."""
    if [i.command for i in intents if i.fault is None] == [command]:
        return False
    thing_of = context.registry.thing_of
    for intent in intents:
        if intent.category not in _ORDERS or intent.rule is not None or _waits(intent):
            return False
        if intent.command is not None and not context.vocabulary.is_a(command, intent.command):
            return False
        acts = intent.fault is None and intent.category is Category.EXPLICIT
        if acts and any(thing_of[part].iri not in machines for part in selected(intent.selection, context)):
            return False
    return True


def _waits(intent: Intent) -> bool:
    """Whether an intent is for another time than now."""
    return intent.timing is not None and (intent.timing.start is not None or intent.timing.end is not None)


def _told(items: Sequence[Sequence[Item]], sort: Sort, command: str, context: Context) -> _Told:
    kinds = taken(command, context)
    nouns, places, numbers, modes = [], [], [], False
    ways: dict[frozenset[str], HowMuch] = {}
    for item in longest(items, range(len(items)), lambda i: i.sort in _SORTS):
        itself = any(i.sort is sort and i.end == item.end for i in items[item.start])  # "we're having *pizza*"
        way = () if itself else _way(items[item.start], item.end, kinds, context)
        if way and _is_told(item, items):
            return _Told((), (), (), ())
        modes = modes or (bool(way) and _is_mode(item, items))
        if way:
            ways.setdefault(frozenset(e.iri for e in way), HowMuch("", item.text, way))
        elif item.sort is Sort.NOUN:
            nouns.append(item)
        elif item.sort is Sort.PLACE:
            places.append(item)
        elif (
            item.sort in _NUMBERS
            and not includes(items[item.end : item.end + 1], sort)
            and not includes((items[item.start],), Sort.One)
        ):
            numbers.append(HowMuch("to", item.text, number=item.number, unit=item.unit))
    only_set = modes and not numbers
    return _Told(tuple(nouns), tuple(places), () if only_set else tuple(ways.values()), tuple(numbers))


def _way(own: Sequence[Item], end: int, kinds: Sequence[str], context: Context) -> tuple[Entry, ...]:
    """The ways to work that words name, of those that a command takes."""
    spelt = context.dictionary.spelt
    values = (e for i in own if i.sort is Sort.VALUE and i.end == end for e in i.having(Role.VALUE))
    return tuple(e for e in values if any(akin(kind, k, context) for k in spelt.get(e.iri, ()) for kind in kinds))


def _is_mode(way: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether only the mode is said: "air fry *mode*", "set it *to* reheat"."""
    return (
        includes(items[max(0, way.start - 1) : way.start], Sort.To)
        or way.text.endswith(_MODE)
        or any(i.text == _MODE for own in items[way.end : way.end + 1] for i in own)
    )


def _is_told(way: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether it is told that something works so now, or that somebody had it so: "they *are baking*", "*I baked*"."""
    before = items[way.start - 1 : way.start]
    if is_progressive(way.text):
        return includes(before, Sort.Copula, Sort.Being)
    return way.text.endswith(_PAST) and includes(before, Sort.SpeakerWord, Sort.Somebody)


def _is_of(entry: Entry, machines: Set[str], context: Context) -> bool:
    """Whether a name is that of one of the machines, or of their class."""
    if entry.role is Role.THING:
        thing = context.registry.thing_of.get(entry.iri)
        return thing is not None and thing.iri in machines
    parts = (part for iri in machines for part in context.registry.thing_of[iri].parts)
    return any(context.vocabulary.is_a(own, entry.iri) for part in parts for own in part.every_class)
