"""Rooms that are told by how it is there, apart from what is to be done in them: "any room over 25 degrees: close its
curtains", "volume twenty, wherever music is playing".

The words for the rooms are read like a question for them, the rest like what is said after that question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.graph.terms import expand
from engine.language.chart.around import MOST_TOKENS, is_doubted, selected
from engine.language.chart.goals.prepared import heard_items, times_in, tokens_of
from engine.language.chart.heard.items import Item, Sort, includes
from engine.language.chart.judging.asides import likely, may_be_left, segments
from engine.language.chart.judging.reader import Candidate, heard, intents_of
from engine.language.chart.later.timewise import of_any_room
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing, Past, Said, Turn
from engine.language.meanings.places import is_inside, places_named
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.coordination import Goal
from engine.language.phrases.slots import PlaceName
from engine.language.words.records import replace
from engine.model.amount import Measure
from engine.model.intent import Category, Intent
from engine.model.selection import Comparison, Condition, Quantity, Rooms
from engine.things.registry import Registry

Read = Callable[[str, Context], tuple[Alternatives, ...]]
MOST_WAYS = 12
"""In how many ways a text is parted."""
MOST_CLASSES = 3
"""How many classes one name of what is in a room may stand for."""
TOLD = 0.5
"""How likely what stands before the rooms is only told, for it to be left out."""
_MARKS = " ,.;:!?–—-…"
ANY_ROOM = frozenset({expand("hg:Room"), expand("hg:Place")})
OCCUPANCY = expand("hg:Occupancy")
_NO_MEASURES = (Measure.TEXT, Measure.BOUND)
_EXCEPTING = (Sort.Except, Sort.Excepted, Sort.Sparing, Sort.Leave)
_JOINING = (
    Sort.Definite, Sort.Possessive, Sort.In, Sort.And, Sort.With, Sort.Of, Sort.To, Sort.Added, Sort.Including,
    Sort.PronounOne, Sort.PauseMark, Sort.Fillers, Sort.Loose, Sort.Requesting, Sort.That, Sort.Which, Sort.Modal,
)  # fmt: skip
_PAUSES = (Sort.PauseMark, Sort.StopMark)
_WHERE = (Sort.Wherever, Sort.Where)


@dataclass(frozen=True, slots=True)
class _Told:
    """Rooms that are told: the question for them, the conditions on them, and the places among which they are."""

    goal: Goal
    rooms: tuple[Rooms, ...]
    places: tuple[str, ...]


def with_rooms_told(
    text: str, request: str, context: Context, goals: tuple[Alternatives, ...], read: Read
) -> tuple[Alternatives, ...]:
    """The goals of a text; where it is not understood as a whole, or something would be done elsewhere, those of an
    order in rooms that are told by how it is there."""
    if not _tells_rooms(text, context) or _is_settled(goals, context):
        return goals
    for told, rest in _ways(text, context):
        rooms = _rooms(told, request, context) if any(map(_names_rooms, heard_items(told, context))) else None
        if rooms is None:
            behind = heard_items(rest, context)
            named = includes(behind, Sort.NOUN) and not includes(behind, Sort.PLACE)
            rooms = _listed(told, context) if named else None
        if rooms is None:
            continue
        own = replace(context, hearing=Hearing(), past=Past((*context.past.turns, Turn((Said(rooms.goal),)))))
        found = read(rest, own)
        if is_doubted(found, own.hearing) or not all(map(is_order, intents_of(found))):
            continue
        made = tuple(tuple(tuple(_within(i, rooms) for i in way) for way in goal) for goal in found)
        if not all(_does_something(intent, context) for intent in intents_of(made)):
            continue
        context.hearing.unsure, context.hearing.shape, context.hearing.sure = False, "", own.hearing.sure
        context.hearing.goals, context.hearing.told = own.hearing.goals, ()
        return made
    return goals


def _is_settled(goals: Sequence[Alternatives], context: Context) -> bool:
    """Whether a text is understood as it is, and makes no rule of what is so now."""
    return not (is_doubted(goals, context.hearing) or any(intent.rule is not None for intent in intents_of(goals)))


def is_order(intent: Intent) -> bool:
    """Whether an intent is an order that is understood, for now."""
    return intent.category is Category.EXPLICIT and intent.fault is None and intent.timing is None


def _does_something(intent: Intent, context: Context) -> bool:
    """Whether an order names what it is for, or a property, and there is any."""
    select = intent.selection
    return bool(select.classes or select.things or intent.property) and bool(selected(select, context))


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
    if len(items) > MOST_TOKENS or includes(items, Sort.When) or _says_when(text, context):
        return False
    if includes(items, Sort.If) and not of_any_room(text, context):
        return False
    listed = sum(includes((own,), Sort.PLACE) for own in items) > 1
    return listed or any(map(_names_rooms, items))


def _says_when(text: str, context: Context) -> bool:
    """Whether a time is said, and no amount: "at 20", not "at 20 percent"."""
    numbers = [i for own in heard_items(text, context) for i in own if i.sort is Sort.NUMBER]
    return any(not any(time.start <= i.start < time.end < i.end for i in numbers) for time in times_in(text, context))


def _names_rooms(own: Sequence[Item]) -> bool:
    """Whether words stand for rooms, whichever."""
    return any(i.sort in _WHERE or (i.sort is Sort.PLACE and any(e.iri in ANY_ROOM for e in i.entries)) for i in own)


def _names_a_place(own: Sequence[Item]) -> bool:
    return _names_rooms(own) or includes((own,), Sort.PLACE)


def _ways(text: str, context: Context) -> Iterator[tuple[str, str]]:
    """The ways to part a text: the words that tell the rooms, and the rest."""
    tokens, items = tokens_of(text, context), heard_items(text, context)

    def words(start: int, end: int) -> str:
        return text[tokens[start].start : tokens[end - 1].end].strip(_MARKS) if start < end else ""

    found: dict[tuple[str, str], None] = {}
    for start in _starts(text, context):
        first = next((n for n in range(start, len(items)) if _names_a_place(items[n])), len(items))
        for end in _ends(first, items):
            found[words(start, end), words(end, len(items))] = None
    for start in _lasts(items):
        found[words(start, len(items)), words(0, start)] = None
    yield from [one for one in found if all(one)][:MOST_WAYS]


def _starts(text: str, context: Context) -> Iterator[int]:
    """Where a text begins, or what is not likely to be only told before the rest."""
    yield 0
    told = segments(text, context)
    for one, odd, behind in zip(told, likely(told), told[1:], strict=False):
        if odd < TOLD or not may_be_left(one):
            return
        yield behind.start


def _ends(first: int, items: Sequence[Sequence[Item]]) -> Iterator[int]:
    """Where words that tell rooms may end: at a pause or before "there"; else before a verb."""
    behind = range(first + 1, len(items))
    yield from (place for place in behind if includes((items[place],), *_PAUSES, Sort.There))
    yield from (place for place in behind if includes((items[place],), Sort.VERB))


def _lasts(items: Sequence[Sequence[Item]]) -> Iterator[int]:
    """Where words that tell rooms may begin that stand last: "…, wherever it is damp", "… in rooms that are empty"."""
    for place in range(len(items) - 1, 0, -1):
        led = _names_rooms(items[place]) and not includes(items[max(0, place - 3) : place], Sort.In)
        if led or (includes((items[place],), Sort.In) and any(map(_names_rooms, items[place + 1 : place + 3]))):
            yield place


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
    return behind and (all(i.sort is Sort.WORD for i in items[place]) or points)


def _rooms(text: str, request: str, context: Context) -> _Told | None:
    """The likeliest reading of all words of a text as a question for the rooms where it is so; None where there is
    none."""
    if includes(heard_items(text, context), *_EXCEPTING):
        return None
    found = heard(text, request, replace(context, hearing=Hearing(), past=Past()), of_rooms=True)
    told = (one for one in found.candidates if _is_for_rooms(one, context))
    best = max(told, key=lambda one: one.score, default=None)
    goal = best.items[0] if best is not None else None
    if best is None or not isinstance(goal, Goal):
        return None
    return _Told(goal, best.intents[0].selection.rooms, best.intents[0].selection.places)


def _is_for_rooms(one: Candidate, context: Context) -> bool:
    """Whether a reading that leaves nothing out tells rooms by how it is there."""
    left = any(part in ("skipped", "aside") for _, _, part in one.account)
    if left or len(one.intents) != 1 or len(one.items) != 1 or _senses_by_name(one):
        return False
    intent = one.intents[0]
    asks = intent.query is not None and intent.query.rooms and intent.fault is None
    rooms = intent.selection.rooms
    occupied = [c for room in rooms for c in _conditions(room) if context.vocabulary.is_a(c.kind, OCCUPANCY)]
    return asks and bool(rooms) and len(occupied) <= 1 and all(map(_is_told, rooms))


def _senses_by_name(one: Candidate) -> bool:
    """Whether a reading takes the motion of "motion sensor" for what it senses."""
    presence = [n for n, (_, _, part) in enumerate(one.account) if part == "presence"]
    named = [n for n in presence if any(part == "witness" for _, _, part in one.account[max(0, n - 2) : n + 2])]
    return bool(presence) and named == presence and not any(part == "sensing" for _, _, part in one.account)


def _conditions(rooms: Rooms) -> list[Condition]:
    return [one for test in rooms.has.tests for one in test.conditions]


def _is_told(rooms: Rooms) -> bool:
    """Whether rooms are told by what is there, or by what is measured or found there."""
    has, conditions = rooms.has, _conditions(rooms)
    amounts = [one.amount for one in conditions if one.amount is not None]
    if any(amount.measure in _NO_MEASURES for amount in amounts) or len(has.classes) > MOST_CLASSES:
        return False
    exact = any(
        one.comparison is Comparison.IS and one.amount is not None and one.amount.measure is Measure.NUMBER
        for one in conditions
    )
    denied = [c.amount for test in has.tests if test.negated for c in test.conditions]
    twice = any(amount is not None and amount.value is False for amount in denied)  # "ain't … no"
    return not (exact or twice) and bool(has.classes or has.things or rooms.order is not None or conditions)
