"""The halves of a text: words that tell which rooms or things are meant by how they are, and the order for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from engine.graph.terms import expand
from engine.language.chart.around import MOST_TOKENS, is_doubted, selected
from engine.language.chart.goals.prepared import heard_items, times_in, tokens_of
from engine.language.chart.heard.items import PAUSES, Item, Sort, includes
from engine.language.chart.judging.asides import likely, may_be_left, segments
from engine.language.chart.judging.fits import ENDS
from engine.language.chart.judging.reader import Candidate, Heard, heard, intents_of
from engine.language.chart.judging.torn import tears_a_witness
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing, Past, Said, Turn
from engine.language.meanings.readings import Alternatives
from engine.language.words.records import replace
from engine.model.amount import Measure
from engine.model.intent import Category, Intent
from engine.model.selection import Comparison, Test

Read = Callable[[str, Context], tuple[Alternatives, ...]]
Names = Callable[[Sequence[Item]], bool]
MOST_WAYS = 12
"""In how many ways a text is parted."""
SURE, TOLD = 0.65, 0.5
"""How sure the order has to be; how likely a story before the first half is only told, for it to be left out."""
_ORDERING = frozenset({"skipped", "aside", "value", "change", "verb", "modal"})
"""The parts that an account has that leaves something out, or in which something is ordered."""
_LEADING = frozenset({"that", "preposition", "joint", "before", "copula"})
"""The parts with which no words end that tell which."""
EXCEPTING = (Sort.Except, Sort.Excepted, Sort.Sparing)
MARKS = " ,.;:!?–—-…"
_FORBIDDEN = "nothing_to_do"
_FILLING = frozenset({"filler", "loose", "request", "joint", "speaker"})
_POWER = expand("hg:Power")
_NO_MEASURES = (Measure.TEXT, Measure.BOUND)


def is_settled(goals: Sequence[Alternatives], context: Context) -> bool:
    """Whether a text is understood as it is, and makes no rule of a state of now; also where it forbids something."""
    intents = intents_of(goals)
    if any(intent.fault == _FORBIDDEN for intent in intents):
        return True
    return not (is_doubted(goals, context.hearing) or any(intent.rule is not None for intent in intents))


def is_for_now(text: str, context: Context) -> bool:
    """Whether a text is short enough to be parted, and says nothing of when."""
    items = heard_items(text, context)
    return len(items) <= MOST_TOKENS and not includes(items, Sort.When) and not _says_when(text, context)


def _says_when(text: str, context: Context) -> bool:
    """Whether a time is said, and no amount: "at 20", not "at 20 percent"."""
    numbers = [i for own in heard_items(text, context) for i in own if i.sort is Sort.NUMBER]
    return any(not any(time.start <= i.start < time.end < i.end for i in numbers) for time in times_in(text, context))


def ordered(
    text: str, context: Context, read: Read, asked_before: Said | None = None
) -> tuple[tuple[Alternatives, ...], Context] | None:
    """The goals of a half, after a question where one is given, and the context in which they were read; None where
    they are not all orders and sure."""
    if includes(heard_items(text, context), Sort.Without, Sort.Except):
        return None
    past = Past((*context.past.turns, Turn((asked_before,)))) if asked_before is not None else context.past
    own = replace(context, hearing=Hearing(), past=past)
    found = read(text, own)
    begins = any(text.startswith(story) for story in own.hearing.told)  # what is said first is for those that are told
    if (
        begins
        or own.hearing.sure < SURE
        or is_doubted(found, own.hearing)
        or not all(map(_is_order, intents_of(found)))
    ):
        return None
    return found, own


def _is_order(intent: Intent) -> bool:
    """Whether an intent is an order that is understood, for now."""
    return intent.category is Category.EXPLICIT and intent.fault is None and intent.timing is None


def taken(context: Context, own: Context) -> None:
    """Takes the notes on a half for those on the whole."""
    context.hearing.unsure, context.hearing.shape, context.hearing.sure = False, "", own.hearing.sure
    context.hearing.goals, context.hearing.told = own.hearing.goals, own.hearing.told


def each(goals: Sequence[Alternatives], change: Callable[[Intent], Intent]) -> tuple[Alternatives, ...]:
    """Goals with each of their intents changed."""
    return tuple(tuple(tuple(map(change, way)) for way in goal) for goal in goals)


def does_something(intent: Intent, context: Context) -> bool:
    """Whether an order names its things, or a property that not all things have, and there is any."""
    select = intent.selection
    named = select.classes or select.things or intent.property not in (None, _POWER)
    return bool(named) and bool(selected(select, context))


def ways(text: str, context: Context, names: Names, leads: Names | None = None) -> Iterator[tuple[str, str]]:
    """The ways to part a text: the words that tell which, from the first that `names` them, and the rest. Also the
    words that stand last, where one that `leads` begins them."""
    tokens, items = tokens_of(text, context), heard_items(text, context)

    def words(start: int, end: int) -> str:
        return text[tokens[start].start : tokens[end - 1].end].strip(MARKS) if start < end else ""

    found: dict[tuple[str, str], None] = {}
    for start in _starts(text, context):
        first = next((n for n in range(start, len(items)) if names(items[n])), len(items))
        for end in _ends(first, items):
            found[words(start, end), words(end, len(items))] = None
    for start in _lasts(items, leads) if leads is not None else ():
        found[words(start, len(items)), words(0, start)] = None
    yield from [one for one in found if all(one)][:MOST_WAYS]


def _starts(text: str, context: Context) -> Iterator[int]:
    """Where a text begins, with and without the stories before its first half."""
    yield 0
    told, items = segments(text, context), heard_items(text, context)
    for one, odd, behind in zip(told, likely(told), told[1:], strict=False):
        if odd < TOLD or not may_be_left(one) or includes(items[one.start : one.end], Sort.NOUN, Sort.PLACE):
            return
        yield behind.start


def _ends(first: int, items: Sequence[Sequence[Item]]) -> Iterator[int]:
    """Where the words that tell which may end: at a pause or before "there"; else before a verb or "should", the last
    first, and not amid "light up"."""
    behind = range(first + 1, len(items))
    yield from (place for place in behind if includes((items[place],), *PAUSES, Sort.There))
    amid = {n for own in items for i in own if i.sort is Sort.VERB for n in range(i.start + 1, i.end)}
    verbs = (place for place in reversed(behind) if includes((items[place],), Sort.VERB, Sort.Modal))
    yield from (place for place in verbs if place not in amid)


def _lasts(items: Sequence[Sequence[Item]], leads: Names) -> Iterator[int]:
    """Where words that tell which may begin that stand last: "…, wherever it is damp", "… in rooms that are empty"."""
    for place in range(len(items) - 1, 0, -1):
        led = leads(items[place]) and not includes(items[max(0, place - 3) : place], Sort.In)
        if led or (includes((items[place],), Sort.In) and any(map(leads, items[place + 1 : place + 3]))):
            yield place


def asked(text: str, request: str, context: Context) -> list[Candidate]:
    """The readings of all words of a text as a question for the rooms or things where it is so, likeliest first."""
    items = heard_items(text, context)
    if any(includes((own,), *EXCEPTING, Sort.Leave) and not _is_of_nobody(n, items) for n, own in enumerate(items)):
        return []
    found = heard(text, request, replace(context, hearing=Hearing(), past=Past()), as_asked=True)
    whole = [one for one in found.candidates if _takes_all(one) and not _says_how_all_are(one, found)]
    kept = (one for one in whole if not any(tears_a_witness(*two, items) for two in pairwise(one.account)))
    return sorted(kept, key=lambda one: -one.score)


def _is_of_nobody(place: int, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a word begins to say that nobody is there: "rooms *without* anybody"."""
    return includes((items[place],), Sort.Without) and includes((items[place],), Sort.Nobody)


def _says_how_all_are(one: Candidate, found: Heard) -> bool:
    """Whether a reading says how all of a kind are, or are to be, and not which: "every fan is on"."""
    parts = [part for _, _, part in one.account]
    which = "copula" not in parts or not {"that", "head"}.isdisjoint(parts[: parts.index("copula")])
    return not which and includes(found.items, Sort.Every, Sort.Both, Sort.Everything)


def _takes_all(one: Candidate) -> bool:
    """Whether a reading leaves nothing out, and is one question."""
    left = any(part in _ORDERING for _, _, part in one.account)
    left = left or any(part in _LEADING for _, _, part in one.account[-1:])
    left = left or next((part for _, _, part in one.account if part not in _FILLING), "") == "not"
    if left or len(one.intents) != 1 or len(one.items) != 1:
        return False
    return one.intents[0].query is not None and one.intents[0].fault is None


def are_told(tests: Sequence[Test]) -> bool:
    """Whether tests tell by measurements and states, and not by a bare number, a title, an end of a scale, or a
    denial that is said twice ("ain't … no")."""
    conditions = [one for test in tests for one in test.conditions]
    amounts = [one.amount for one in conditions if one.amount is not None]
    exact = any(
        one.comparison is Comparison.IS and one.amount is not None and one.amount.measure is Measure.NUMBER
        for one in conditions
    )
    denied = [c.amount for test in tests if test.negated for c in test.conditions]
    twice = any(amount is not None and amount.value is False for amount in denied)
    ends = any(amount.measure in _NO_MEASURES or amount.value in ENDS for amount in amounts)
    return not (exact or twice or ends)
