"""Sentences that say several times are told apart: "on at eight, off at seven" is two rules, and of "open the blinds
and in ten minutes turn off the lamp" one thing is for now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.graph.terms import expand
from engine.language.chart.goals.prepared import heard_items, times_in, tokens_of
from engine.language.chart.heard.items import Item, Sort, clauses, function_words, includes, is_only_time
from engine.language.chart.heard.rule_lexicon import aspect_words, rule_words
from engine.language.chart.judging.reader import intents_of
from engine.language.chart.later.remarks import FOR_THAT, OF_HOMES, without_needless, without_timed_reason
from engine.language.chart.later.sentence import Sentence, is_goal, is_joint
from engine.language.meanings.context import Context
from engine.language.meanings.places import ANY_ROOM
from engine.language.meanings.readings import Alternatives
from engine.language.times.times import TimeItem, Until
from engine.language.words.lexicon import Entry
from engine.language.words.records import replace
from engine.language.words.tokens import TokenKind
from engine.model.intent import Category, Intent
from engine.model.rule import After, Day, Daytime, Next, Recurrence, Sun, Window

LIGHT = expand("hg:Light")
_AM, _PM, _CLOCK = "am", "pm", "o'clock"
_BARE = 2
_STOPS = (",", ".", ";", "?", "!")
HALF, WHOLE = 12, 24
"""The hours of half a day, and of a day."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause by the places of its tokens: all of them, and those that say when."""

    places: tuple[int, ...]
    times: tuple[TimeItem, ...] = ()
    now: bool = False

    @property
    def timed(self) -> tuple[int, ...]:
        """The places that say when."""
        return tuple(p for one in self.times for p in range(one.start, one.end))

    @property
    def rest(self) -> tuple[int, ...]:
        """The places that say what."""
        return tuple(p for p in self.places if p not in self.timed)


def says_where(text: str, context: Context) -> bool:
    """Whether it is said in which rooms by how it is there ("wherever", "anywhere"), and nothing of when."""
    sorts = {i.sort for own in heard_items(text, context) for i in own}
    return not sorts.isdisjoint(_WHERE) and sorts.isdisjoint(_WHEN) and not times_in(text, context)


def of_any_room(text: str, context: Context) -> bool:
    """Whether a condition is of any room, whichever ("if the sensor in a room sees nobody", "if it's damp somewhere"),
    and nothing says when."""
    items = heard_items(text, context)
    sorts = {i.sort for own in items for i in own}
    if Sort.If not in sorts or Sort.When in sorts or times_in(text, context):
        return False
    rooms = (i for own in items for i in own if is_room(i))
    return any(not includes(items[max(0, i.start - 1) : i.start], *_POINTING) and not i.plural for i in rooms)


def is_room(item: Item) -> bool:
    """Whether a word is for rooms as such, and the name of none."""
    return item.sort is Sort.PLACE and any(e.iri in ANY_ROOM for e in item.entries)


_POINTING = (Sort.Definite, Sort.Possessive, Sort.That, Sort.Which)


def in_rooms(intents: Sequence[Intent]) -> bool:
    """Whether all that is meant is done in rooms that are told by how it is there."""
    return all(i.category is Category.EXPLICIT and i.selection.rooms and i.fault is None for i in intents)


def waits_somewhere(text: str, context: Context) -> bool:
    """Whether something that comes about is waited for ("wherever somebody comes in"), and not how it is there now."""
    tokens, words = tokens_of(text, context), aspect_words(context.store)
    return any((term := words.at(tokens, p)) is not None and term[1] == _BECOMING for p in range(len(tokens)))


_BECOMING = "Becoming"
_WHERE, _WHEN = frozenset({Sort.Where, Sort.Wherever}), frozenset({Sort.If, Sort.When})


def says_when(text: str, context: Context) -> bool:
    """Whether a text says a time of day, or a length to wait, and more than one thing."""
    tokens, words = tokens_of(text, context), function_words(context.store)
    said = any(_is_moment(one.meaning) or isinstance(one.meaning, Until) for one in times_in(text, context))
    return said and any(t.text == "," or any(_joins(m.entries) for m in words.trie.at([t], 0)) for t in tokens)


def _joins(entries: Sequence[Entry]) -> bool:
    return any(entry.iri == Sort.And.value for entry in entries)


def told_apart(sentence: Sentence) -> tuple[str, ...]:
    """The sentences that one is which says several times, or that something is for now and something for later; none
    where all of it is for one time."""
    clauses = _grouped(sentence, _clauses(sentence))
    if len(clauses) < 2 or _are_levels(sentence):
        return ()
    found: list[str] = []
    days = next((words for one in clauses if (words := _days(sentence, one))), "")
    before: Clause | None = None
    for number, clause in enumerate(clauses):
        if number + 1 < len(clauses) and _goes_on(sentence, clause, clauses[number + 1]):
            ends = until(sentence, clause.places) or ()
            clause = replace(clause, places=tuple(p for p in clause.places if p not in ends))
        when, what = _when(sentence, clause, before, days), _said(sentence, clause, before)
        found.append(", ".join(" ".join(words) for words in (when, what) if words))
        if number and _goes_on(sentence, clauses[number - 1], clauses[number]):
            ends = until(sentence, clauses[number - 1].places) or ()
            found[-1] = f"at {' '.join(sentence.word(p) for p in ends[1:])}, {found[-1]}"
        whole = is_goal(sentence, clause.rest) and names(sentence, clause.rest)
        before = clause if whole or before is None else replace(before, times=clause.times)
    return tuple(found)


def _are_levels(sentence: Sentence) -> bool:
    """Whether a bare number behind "at" is a level as another of the sentence is, which is no hour: "the study at 24,
    the hall at 22"."""
    bare = {p for p, t in enumerate(sentence.tokens[1:], 1) if t.number is not None and _is_bare(sentence, p)}
    hours = {p for one in sentence.times if one.end - one.start == _BARE for p in range(one.start, one.end)}
    return bool(bare & hours) and not bare <= hours


def _is_bare(sentence: Sentence, place: int) -> bool:
    ends = place + 1 == len(sentence.tokens) or is_joint(sentence, place + 1)
    return ends and sentence.tokens[place - 1].text == "at"


def in_full(text: str, context: Context) -> str:
    """The text, with the units of its times, and without the times of things that are due elsewhere."""
    for one in (without_needless, with_units, with_minutes, with_hour, without_due, without_timed_reason):
        text = one(text, context)
    return text


def with_units(text: str, context: Context) -> str:
    """The text, with the unit that a later length leaves unsaid: "this in five minutes and that in ten"."""
    tokens = tokens_of(text, context)
    said = times_in(text, context)
    waits = [one for one in said if isinstance(one.meaning, After) and one.end - one.start > _BARE]
    if not waits:
        return text
    first, unit = tokens[waits[0].start].text, tokens[waits[0].end - 1].text
    for place in range(len(tokens) - _BARE, waits[0].end - 1, -1):
        bare = tokens[place].text == first and tokens[place + 1].number is not None
        ends = place + _BARE == len(tokens) or tokens[place + _BARE].text in (*_STOPS, "and", "then", "but")
        if bare and ends:
            at = tokens[place + 1].end
            text = f"{text[:at]} {unit}{text[at:]}"
    return text


def with_minutes(text: str, context: Context) -> str:
    """The text, with the unit of a bare length after which something is to be off or on: "lamp off in twenty"."""
    tokens = tokens_of(text, context)
    for place in range(2, len(tokens)):
        led = tokens[place - 1].text == "in" and tokens[place - 2].text in _SWITCHED
        number, ends = tokens[place].number, place + 1 == len(tokens) or tokens[place + 1].text in _STOPS
        if led and ends and number is not None and number >= 1 and number == int(number):
            return f"{text[: tokens[place].end]} minutes{text[tokens[place].end :]}"
    return text


_SWITCHED = frozenset({"off", "on", "out"})


def begins_later(text: str, context: Context) -> bool:
    """Whether a text says from when on something shall be so, or between which hours: nothing of it is for now."""
    tokens = tokens_of(text, context)
    said = (one for one in times_in(text, context) if one.plain)
    return any(isinstance(one.meaning, Window) and tokens[one.start].text in _FROM for one in said)


_FROM = frozenset({"from", "between"})


def is_done_early(text: str, context: Context, goals: Sequence[Alternatives]) -> bool:
    """Whether goals would be carried out at once, and the words say that it is to be a rule, or how long to wait."""
    intents = intents_of(goals)
    waits = any((i.timing is not None and i.timing.start) or i.rule is not None or i.inputs for i in intents)
    does = any(i.fault is None and i.category in (Category.EXPLICIT, Category.IMPLICIT) for i in intents)
    return does and not waits and _is_for_later(heard_items(text, context))


def with_hour(text: str, context: Context) -> str:
    """The text, with the hour that somebody wants light at said as one: "I need light in the kitchen at eight"."""
    tokens = tokens_of(text, context)
    end = next((n for n in range(len(tokens), 0, -1) if tokens[n - 1].kind is not TokenKind.PUNCTUATION), 0)
    number = tokens[end - 1].number if end > _BARE else None
    if number is None or number not in range(1, HALF + 1) or tokens[end - 1].end - tokens[end - 1].start < _BARE:
        return text
    items = heard_items(text, context)
    at = any(i.sort is Sort.To and i.length == 1 for i in items[end - 2])
    sorts = {i.sort for own in items for i in own}
    lights = any(e.iri == LIGHT for own in items for i in own if i.sort is Sort.NOUN for e in i.entries)
    wanted = includes((items[0],), Sort.Requesting)
    if not (at and lights and wanted) or sorts & {Sort.KIND, Sort.RELATIVE}:
        return text
    return f"{text[: tokens[end - 1].end]} {_CLOCK}{text[tokens[end - 1].end :]}"


def without_due(text: str, context: Context) -> str:
    """The text without a clause that says when a thing outside of the home is due: "lamp on, essay due 9am"."""
    tokens, words = tokens_of(text, context), rule_words(context.store)
    due = {p: term[0] for p in range(len(tokens)) if (term := words.at(tokens, p)) is not None and term[1] == _DUE}
    if not due:
        return text
    items = heard_items(text, context)
    for time in (i for own in items for i in own if i.sort is Sort.TIME):
        word = next((p for p, end in due.items() if end == time.start), 0)
        begun = next((n + 1 for n in range(word - 1, -1, -1) if _stops(items[n])), 0)
        ends = time.end == len(tokens) or _stops(items[time.end])
        if word > begun and ends and not includes(items[begun:word], *OF_HOMES):
            after = time.end + (time.end < len(tokens) and begun == 0)
            rest = f"{text[: tokens[begun].start]}{text[tokens[after].start :] if after < len(tokens) else ''}"
            return rest if any(c.isalnum() for c in rest) else text
    return text


_DUE = "Due"


def _stops(own: Sequence[Item]) -> bool:
    return any(i.sort in (Sort.PauseMark, Sort.StopMark, Sort.And, Sort.ReasonWord) for i in own)


def _clauses(sentence: Sentence) -> list[Clause]:
    """What stands between joints, each with what is said of when."""
    inside = {p for one in sentence.times for p in range(one.start, one.end)}
    cuts = [p for p in range(len(sentence.tokens)) if p not in inside and is_joint(sentence, p)]
    edges = [-1, *cuts, len(sentence.tokens)]
    spans = [tuple(range(start + 1, end)) for start, end in pairwise(edges)]
    return [_clause(sentence, span) for span in spans if span]


def _clause(sentence: Sentence, places: tuple[int, ...]) -> Clause:
    times = tuple(one for one in sentence.times if one.start in places)
    now = {p for p in places if (term := sentence.term(p)) is not None and term[1] == "Immediately"}
    return Clause(tuple(p for p in places if p not in now), times, bool(now))


def _grouped(sentence: Sentence, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses, those put together that have one time in common."""
    found: list[Clause] = []
    for clause in clauses:
        if found and not _is_apart(sentence, found[-1], clause, named=len(found) > 1):
            both = (*found[-1].places, *clause.places)
            found[-1] = Clause(both, (*found[-1].times, *clause.times), found[-1].now or clause.now)
        else:
            found.append(clause)
    return found


def _is_apart(sentence: Sentence, first: Clause, second: Clause, *, named: bool) -> bool:
    """Whether two clauses are for different times; `named`: a clause before them names a device."""
    if not is_goal(sentence, first.rest) or not (named or names(sentence, first.rest)):
        return False
    led = second.places[0]
    hence = any((term := sentence.term(p)) is not None and term[1] == FOR_THAT for p in range(max(0, led - 1), led + 1))
    if hence and sentence.is_at(first.places[0], Sort.VERB) is None:
        return False  # "my guest drops off to the radio, so in two hours …"
    if _goes_on(sentence, first, second):
        return True
    own, other = _moments(first), _moments(second)
    if own and other:
        return own != other
    leads = bool(other) and min(one.start for one in second.times) == second.places[0]
    return is_goal(sentence, second.rest) and (
        (first.now and bool(other)) or (bool(own) and second.now) or (leads and not own)
    )


def _goes_on(sentence: Sentence, first: Clause, second: Clause) -> bool:
    """Whether something is so until a time, and then something else is done: "on until midnight, then off"."""
    then = second.places[0] > 0 and sentence.tokens[second.places[0] - 1].text == "then"
    return then and until(sentence, first.places) is not None and not second.times and is_goal(sentence, second.rest)


def until(sentence: Sentence, places: Sequence[int]) -> range | None:
    """The places of the time until which something is so, with the word before it; None where none is said."""
    items = (i for p in places for i in sentence.items[p] if i.sort is Sort.TIME and isinstance(i.time, Until))
    longest = max(items, key=lambda item: item.length, default=None)
    return range(longest.start, longest.end) if longest is not None else None


def _moments(clause: Clause) -> list[object]:
    """The times of day, and the lengths to wait, that a clause says."""
    return [one.meaning for one in clause.times if _is_moment(one.meaning)]


def _is_moment(meaning: object) -> bool:
    if isinstance(meaning, Recurrence):
        return bool(meaning.times) or meaning.period is not None
    return isinstance(meaning, Daytime | Sun | After) or (isinstance(meaning, Next) and meaning.time is not None)


def _does(sentence: Sentence, places: Sequence[int]) -> bool:
    """Whether words say how something is to be; "light" in the name of a device says nothing of that."""
    inside = {p for start in places for p in range(start, sentence.is_at(start, Sort.NOUN) or start)}
    return is_goal(sentence, [p for p in places if p not in inside])


def names(sentence: Sentence, places: Sequence[int]) -> bool:
    """Whether words name a device; a verb with a pronoun behind it does not: "switch it off"."""
    verbs = {p for p in places if sentence.is_at(p + 1, *_PRONOUNS) is not None and sentence.is_at(p, Sort.VERB)}
    return any(sentence.is_at(p, Sort.NOUN) is not None for p in places if p not in verbs)


# What is left unsaid


def _said(sentence: Sentence, clause: Clause, before: Clause | None) -> list[str]:
    """What is to be done, in words; with what the clause before said of it where it is left unsaid."""
    rest = [p for p in clause.rest if not is_joint(sentence, p)]
    words = [sentence.word(p) for p in rest]
    if before is None:
        return words
    of_before = [p for p in before.rest if not is_joint(sentence, p)]
    start, end = _object(sentence, of_before)
    subject = [sentence.word(p) for p in of_before[start:end]]
    if not _does(sentence, rest):
        named = words if names(sentence, rest) else subject
        return [
            *(sentence.word(p) for p in of_before[:start]),
            *named,
            *(sentence.word(p) for p in of_before[end:]),
        ]
    if names(sentence, rest):
        return words
    pronoun = next((n for n, p in enumerate(rest) if sentence.is_at(p, *_PRONOUNS) is not None), None)
    return [*subject, *words] if pronoun is None else [*words[:pronoun], *subject, *words[pronoun + 1 :]]


def subject(sentence: Sentence, places: Sequence[int]) -> list[str]:
    """The words for the first device that an order names, with its room; none where it names none."""
    said = [p for p in places if not is_joint(sentence, p)]
    start, end = _object(sentence, said)
    return [sentence.word(p) for p in said[start:end]]


_PRONOUNS = (Sort.PronounOne, Sort.PronounSeveral)


def _object(sentence: Sentence, places: Sequence[int]) -> tuple[int, int]:
    """Where the first device that is named begins, with its room and article, and where it ends."""
    first = next((n for n, p in enumerate(places) if sentence.is_at(p, Sort.NOUN) is not None), len(places))
    end = first + 1
    while end < len(places) and places[end] < (sentence.is_at(places[first], Sort.NOUN) or 0):
        end += 1
    where = next((p for p in places[end:] if sentence.is_at(p, Sort.PLACE) is not None), None)
    if where is not None and where - places[end - 1] <= _NEAR:  # "the light in the hall"
        last = sentence.is_at(where, Sort.PLACE) or 0
        end = next((n for n, p in enumerate(places) if p >= last), len(places))
    small = (Sort.Definite, Sort.PLACE, Sort.Every, Sort.Both, Sort.Possessive, Sort.Of)
    while first and sentence.is_at(places[first - 1], *small) is not None:
        first -= 1
    return first, end


_NEAR = 3


def _when(sentence: Sentence, clause: Clause, before: Clause | None, days: str) -> list[str]:
    """When, in words: with the days that are said of another clause, in the half of the day that comes next."""
    words = [sentence.word(p) for one in clause.times for p in range(one.start, one.end)]
    if clause.now or not clause.times:
        return words
    moments = _moments(clause)
    half = _half(before, moments) if before is not None and len(moments) == 1 else ""
    waits = any(isinstance(one, After) for one in moments)
    own = [days] if days and not waits and not _days(sentence, clause) else []
    last = sentence.tokens[clause.times[-1].end - 1]
    number = words[-1].isdigit() or (len(words) == _BARE and last.number is not None)
    bare = not half and len(moments) == 1 and number  # read by itself, "at 8" could be a level
    return [*words, *([half] if half else [_CLOCK] if bare else []), *own]


def _half(before: Clause, moments: Sequence[object]) -> str:
    """Which half of the day a time is in that does not say so: the one that comes next after the time before."""
    earlier = next((t for one in before.times if (t := _daytime(one.meaning)) is not None), None)
    own = _daytime(moments[0])
    if own is None or own.sure or earlier is None or not earlier.sure:
        return ""
    waits = [((hour - earlier.hour) % WHOLE or WHOLE, hour) for hour in (own.hour % HALF, own.hour % HALF + HALF)]
    return _AM if min(waits)[1] < HALF else _PM


def _daytime(meaning: object) -> Daytime | None:
    if isinstance(meaning, Recurrence):
        return next((t for t in meaning.times if isinstance(t, Daytime)), None)
    time = meaning.time if isinstance(meaning, Next) else meaning
    return time if isinstance(time, Daytime) else None


def _days(sentence: Sentence, clause: Clause) -> str:
    """The words for the days that a clause says."""
    own: list[Item] = [
        i for one in clause.times for p in range(one.start, one.end) for i in sentence.items[p]
        if i.sort is Sort.TIME and i.end <= one.end and _is_of_days(i.time)
    ]  # fmt: skip
    longest = max(own, key=lambda item: item.length, default=None)
    return longest.text if longest is not None else ""


def _is_of_days(meaning: object) -> bool:
    if isinstance(meaning, Recurrence):
        return not meaning.times and meaning.period is None
    return isinstance(meaning, Day)


def _is_for_later(items: Sequence[Sequence[Item]]) -> bool:
    """Whether words say that it is to be a rule, or begin with a length of time alone: "*forty minutes*, then off"."""
    for first, second in pairwise(clauses(items)):
        own = items[first.start : first.stop]
        if includes(own, Sort.DURATION) and is_only_time(own) and includes((items[second.start],), Sort.And):
            return True
    return includes(items, Sort.Ruling)
