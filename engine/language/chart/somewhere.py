"""Rooms that are told by how it is there, apart from what is to be done in them: "any room over 25 degrees: close its
curtains", "volume twenty, wherever music is playing".

The words for the rooms are read like a question for them, the rest like what is said after that question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.graph.terms import expand
from engine.language.chart.around import MOST_TOKENS, is_doubted
from engine.language.chart.goals.prepared import heard_items, times_in, tokens_of
from engine.language.chart.heard.items import Item, Sort, includes
from engine.language.chart.judging.asides import likely, may_be_left, segments
from engine.language.chart.judging.reader import Candidate, heard, intents_of
from engine.language.chart.later.timewise import of_any_room
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing, Past, Said, Turn
from engine.language.meanings.readings import Alternatives
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.model.intent import Category, Intent
from engine.model.amount import Measure
from engine.model.selection import Comparison, Condition, Quantity, Rooms

Read = Callable[[str, Context], tuple[Alternatives, ...]]
MOST_WAYS = 12
"""In how many ways a text is parted."""
MOST_CLASSES = 3
"""How many classes one name of what is in a room may stand for."""
TOLD = 0.5
"""How likely what stands before the rooms is only told, for it to be left out."""
_MARKS = " ,.;:!?–—-…"
OCCUPANCY = expand("hg:Occupancy")
_NO_MEASURES = (Measure.TEXT, Measure.BOUND)
_EXCEPTING = (Sort.Except, Sort.Excepted, Sort.Sparing, Sort.Leave)
_PAUSES = (Sort.PauseMark, Sort.StopMark)
_WHERE = (Sort.Wherever, Sort.Where)


def with_rooms_told(
    text: str, request: str, context: Context, goals: tuple[Alternatives, ...], read: Read
) -> tuple[Alternatives, ...]:
    """The goals of a text; where it is not understood as a whole, or something would be done elsewhere, those of an
    order in rooms that are told by how it is there."""
    if not _tells_rooms(text, context) or _is_settled(goals, context):
        return goals
    for told, rest in _ways(text, context):
        rooms = _rooms(told, request, context)
        if rooms is None:
            continue
        said = Said(rooms.items[0])
        own = replace(context, hearing=Hearing(), past=Past((*context.past.turns, Turn((said,)))))
        found = read(rest, own)
        if is_doubted(found, own.hearing) or not all(map(is_order, intents_of(found))):
            continue
        context.hearing.unsure, context.hearing.shape, context.hearing.sure = False, "", own.hearing.sure
        context.hearing.goals, context.hearing.told = own.hearing.goals, ()
        return tuple(tuple(tuple(_within(i, rooms) for i in way) for way in goal) for goal in found)
    return goals


def _is_settled(goals: Sequence[Alternatives], context: Context) -> bool:
    """Whether a text is understood as it is: something is done in rooms that are told by how it is there."""
    intents = intents_of(goals)
    ruled = any(intent.rule is not None for intent in intents)
    return not (ruled or is_doubted(goals, context.hearing)) and any(intent.selection.rooms for intent in intents)


def is_order(intent: Intent) -> bool:
    """Whether an intent is an order that is understood, for now."""
    return intent.category is Category.EXPLICIT and intent.fault is None and intent.timing is None


def _within(intent: Intent, rooms: Candidate) -> Intent:
    """An order, in the rooms that are told where it says no other."""
    select = intent.selection
    if select.places or select.rooms:
        return intent
    told = rooms.intents[0].selection
    inside = replace(select, rooms=told.rooms, places=told.places, quantity=Quantity.ALL)
    return replace(intent, selection=inside)


def _tells_rooms(text: str, context: Context) -> bool:
    """Whether a text may tell rooms by how it is there, and says nothing of when."""
    items = heard_items(text, context)
    if len(items) > MOST_TOKENS or includes(items, Sort.When) or times_in(text, context):
        return False
    if includes(items, Sort.If) and not of_any_room(text, context):
        return False
    return any(_names_rooms(own) for own in items)


def _names_rooms(own: Sequence[Item]) -> bool:
    """Whether words stand for rooms, whichever."""
    return any(i.sort in _WHERE or (i.sort is Sort.PLACE and i.having(Role.PLACE_CLASS)) for i in own)


def _ways(text: str, context: Context) -> Iterator[tuple[str, str]]:
    """The ways to part a text: the words that tell the rooms, and the rest."""
    tokens, items = tokens_of(text, context), heard_items(text, context)

    def words(start: int, end: int) -> str:
        return text[tokens[start].start : tokens[end - 1].end].strip(_MARKS) if start < end else ""

    found: dict[tuple[str, str], None] = {}
    for start in _starts(text, context):
        first = next((n for n in range(start, len(items)) if _names_rooms(items[n])), len(items))
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
        rooms = _names_rooms(items[place])
        if rooms and not any(i.sort is Sort.In and i.end <= place for own in items[max(0, place - 3) : place] for i in own):
            yield place
        if includes((items[place],), Sort.In) and any(map(_names_rooms, items[place + 1 : place + 3])):
            yield place


def _rooms(text: str, request: str, context: Context) -> Candidate | None:
    """The likeliest reading of all words of a text as a question for the rooms where it is so; None where there is
    none."""
    if includes(heard_items(text, context), *_EXCEPTING):
        return None
    found = heard(text, request, replace(context, hearing=Hearing(), past=Past()), of_rooms=True)
    told = (one for one in found.candidates if _is_for_rooms(one, context))
    return max(told, key=lambda one: one.score, default=None)


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
    twice = any(test.negated and c.amount is not None and c.amount.value is False for test in has.tests for c in test.conditions)
    return not (exact or twice) and bool(has.classes or has.things or rooms.order is not None or conditions)
