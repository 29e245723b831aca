"""Reads all time expressions in tokens: moments, days, repetitions, windows, delays and lengths, overlapping ones all
kept.

A pure function of tokens and words (`time_words`). Adjacent parts of one expression are found together ("7pm daily",
"tomorrow at nine"); separated ones are joined by `united`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.language.times.clock_times import TimeFound, introduced, lengths, parts_of_day, times_of_day
from engine.language.times.recurrences import days, recurrences
from engine.language.times.time_words import Said, Speech, TimeWords
from engine.language.words.tokens import Token
from engine.model.rule import After, Day, Daytime, Next, Part, Recurrence, Sky, Sun, Window

WHOLE, END_OF_NIGHT = 24, 6
"""Hours of a day, and the hour until which it is the night after midnight."""
_MOST = 5  # elements of one expression
_BETWEEN = (",", "on", "and")
_SMALL = frozenset(
    {"a", "an", "the", "on", "at", "in", "of", "by", "over", "during", "from", "this", "next", "coming", "always"}
)
"""What may stand before the first word of time."""


@dataclass(frozen=True, slots=True)
class Length:
    """A bare length of time, in seconds: "ten minutes"."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Duration:
    """For how long something lasts, in seconds: "for ten minutes"."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Until:
    """When something ends: "until noon", "till tomorrow at six"."""

    end: Next


Element = Daytime | Sun | Day | Part | Next | Recurrence
Meaning = Element | Window | After | Length | Duration | Until


@dataclass(frozen=True, slots=True)
class TimeItem:
    """An expression of time from token `start` until before token `end`. `plain`: it can hardly be anything else; "at
    20" can be."""

    start: int
    end: int
    meaning: Meaning
    plain: bool = True


def times(tokens: Sequence[Token], words: TimeWords) -> list[TimeItem]:
    """All expressions of time among the tokens, by where they start, the longest first."""
    said = Said(tokens, words)
    found: dict[tuple[int, int, Meaning], bool] = {}
    for place in (place for place in range(len(said)) if _begins(said, place)):
        for item in _at(said, place):
            key = (item.start, item.end, item.meaning)
            found[key] = found.get(key, False) or item.plain
    items = [TimeItem(*key, plain) for key, plain in found.items()]
    return sorted(items, key=lambda item: (item.start, -item.end))


def _begins(said: Said, place: int) -> bool:
    """Whether an expression can begin there: with a word of time or a number, or with a small word before one."""
    while said.text(place) in _SMALL and not said.phrases(place):
        place += 1
    return said.number(place) is not None or bool(said.phrases(place)) or said.text(place)[:1].isdigit()


def united(elements: Iterable[Element]) -> Element | None:
    """One expression of several that are said of the same: a time and its days. None where they do not go together."""
    kinds = list(elements)
    again: Recurrence | None = None
    for one in kinds:
        if isinstance(one, Recurrence):
            again = one if again is None else _both(again, one)
            if again is None:
                return None
    clock = [t for one in kinds if (t := _time(one)) is not None]
    days_said = {d for one in kinds if (d := _day(one)) is not None}
    day = next(iter(days_said), None)
    parts = [p for one in kinds if (p := _part(one)) is not None] + ([again.part] if again and again.part else [])
    if len(days_said) > 1 or not _fit(parts) or (again is None and len(set(clock)) > 1):
        return None
    part = _finest(parts)
    settled = tuple(dict.fromkeys(_settled(one, part) for one in clock))
    if again is not None:
        return None if day is not None else replace(again, times=(*again.times, *settled), part=part)
    if len(kinds) == 1:
        return kinds[0]
    if day is None:
        return settled[0] if settled else part
    return Next(settled[0] if settled else None, day, part)


def _time(one: Element) -> Daytime | Sun | None:
    if isinstance(one, Daytime | Sun):
        return one
    return one.time if isinstance(one, Next) else None


def _day(one: Element) -> Day | None:
    if isinstance(one, Day):
        return one
    return one.day if isinstance(one, Next) else None


def _part(one: Element) -> Part | None:
    if isinstance(one, Part):
        return one
    return one.part if isinstance(one, Next) else None


def _fit(parts: Sequence[Part]) -> bool:
    """Whether they can be said of the same time: evening and night can."""
    return len(set(parts)) < 2 or set(parts) == {Part.EVENING, Part.NIGHT}


def _finest(parts: Sequence[Part]) -> Part | None:
    return Part.EVENING if Part.EVENING in parts else next(iter(parts), None)


def _settled(time: Daytime | Sun, part: Part | None) -> Daytime | Sun:
    return time.within(part) if isinstance(time, Daytime) and part is not None else time


def _both(one: Recurrence, other: Recurrence) -> Recurrence | None:
    """The intersection of two repetitions; None where they contradict each other."""
    if one.period is not None or other.period is not None:
        return one if one == other else None
    weekdays = one.weekdays or other.weekdays
    if one.weekdays and other.weekdays:
        weekdays = tuple(sorted(set(one.weekdays) & set(other.weekdays)))
        if not weekdays:
            return None
    if not _fit([p for p in (one.part, other.part) if p is not None]):
        return None
    return replace(
        one,
        times=(*one.times, *(t for t in other.times if t not in one.times)),
        weekdays=weekdays,
        weeks=max(one.weeks, other.weeks),
        days=max(one.days, other.days),
        monthdays=one.monthdays or other.monthdays,
        months=one.months or other.months,
        ordinal=one.ordinal or other.ordinal,
        part=_finest([p for p in (one.part, other.part) if p is not None]),
    )


# What begins at a place


def _at(said: Said, place: int) -> Iterator[TimeItem]:
    for end, elements, plain in _rows(said, place, ()):
        meaning = united(elements)
        if meaning is not None:
            yield TimeItem(place, end, meaning, plain)
    yield from _windows(said, place)
    yield from _delays(said, place)
    for end, _ in said.at(place, Speech.END_INTRODUCTION):
        yield from (TimeItem(place, last, Until(ends), plain) for last, ends, plain in _ends(said, end))


def _ends(said: Said, place: int) -> Iterator[tuple[int, Next, bool]]:
    for end, elements, plain in _rows(said, place, (), bare=True):
        meaning = united(elements)
        if isinstance(meaning, Next | Daytime | Sun | Day | Part):
            yield end, Next(_time(meaning), _day(meaning), _part(meaning)), plain


def _delays(said: Said, place: int) -> Iterator[TimeItem]:
    for end, seconds in lengths(said, place):
        yield TimeItem(place, end, Length(seconds))
        for last, _ in said.at(end, Speech.DELAY_END):
            yield TimeItem(place, last, After(seconds))
    for end, _ in said.at(place, Speech.DELAY_INTRODUCTION):
        for last, seconds in lengths(said, end):
            yield TimeItem(place, said.past(last, Speech.TIME_FILLER, Speech.DELAY_END), After(seconds))
    for end, _ in said.at(place, Speech.EVENT_INTRODUCTION):  # "when two hours have passed"
        for last, seconds in lengths(said, end):
            passed = (ends for ends, _ in said.at(last, Speech.DELAY_END) if not any(said.at(ends, Speech.MEANTIME)))
            yield from (TimeItem(place, ends, After(seconds)) for ends in passed)
    for end, _ in said.at(place, Speech.LENGTH_INTRODUCTION):
        for last, seconds in lengths(said, end):
            yield TimeItem(place, last, Duration(seconds))


_Row = tuple[int, tuple[Element, ...], bool]


@dataclass(frozen=True, slots=True)
class _Piece:
    """One element that ends before the token `end`. `plain` as for an item; `alone`: it is one without others."""

    end: int
    element: Element
    plain: bool = True
    alone: bool = True


def _rows(said: Said, place: int, before: tuple[Element, ...], *, bare: bool = False) -> Iterator[_Row]:
    """Rows of elements side by side; a bare number is an hour only beside a day or a part of one."""
    for piece in _pieces(said, place):
        if before and _same_kind(before, piece.element):
            continue
        row = (*before, piece.element)
        beside = _is_day(before) if piece.alone else bool(before) and _is_day(before[-1:])
        if piece.alone or bare or beside:
            yield piece.end, row, piece.plain or beside
        if len(row) < _MOST:
            further = _rows(said, said.over(piece.end, *_BETWEEN), row)
            yield from (one for one in further if piece.alone or bare or beside or _is_day(one[1][len(row) :]))


def _is_day(row: Sequence[Element]) -> bool:
    return any(isinstance(one, Day | Part | Recurrence | Next) for one in row)


def _same_kind(before: Sequence[Element], element: Element) -> bool:
    """A second time of day, day or part; several times of day are said of a repetition alone."""
    if isinstance(element, Daytime | Sun):
        again = any(isinstance(one, Recurrence) for one in before)
        return not again and any(isinstance(one, Daytime | Sun) for one in before)
    return any(type(one) is type(element) for one in before) and not isinstance(element, Recurrence)


def _pieces(said: Said, place: int) -> tuple[_Piece, ...]:
    """The elements that begin at a place, looked for once."""
    if place not in said.kept:
        said.kept[place] = tuple(dict.fromkeys(_found(said, place)))
    return said.kept[place]


def _found(said: Said, place: int) -> Iterator[_Piece]:
    for again in recurrences(said, place):
        yield _Piece(again.end, again.meaning)
    yield from _of_day(said, place)
    for found in introduced(said, place):
        yield _Piece(found.end, _repeated(found), found.plain)
    for found in times_of_day(said, place):
        yield _Piece(found.end, _repeated(found), found.plain, alone=found.plain)
    for end, _ in said.at(place, Speech.EVENT_INTRODUCTION):
        for found in times_of_day(said, end):
            if isinstance(found.time, Sun):
                yield _Piece(found.end, Recurrence((found.time,)))
            else:
                yield from (_Piece(last, _repeated(found)) for last, _ in said.at(found.end, Speech.HOUR_COMING))


def _of_day(said: Said, place: int) -> Iterator[_Piece]:
    """Days, and the part of one."""
    for one in days(said, place):
        yield _Piece(one.end, one.day if one.part is None else Next(None, one.day, one.part))
        for part in parts_of_day(said, one.end):
            if not part.repeated and one.part is None:
                yield _Piece(part.end, Next(None, one.day, part.part))
    for part in parts_of_day(said, place):
        if part.led:
            yield _Piece(part.end, part.part)


def _repeated(found: TimeFound) -> Element:
    return Recurrence((found.time,)) if found.repeated else found.time


# Windows


def _windows(said: Said, place: int) -> Iterator[TimeItem]:
    yield from _in_part(said, place)
    for item in _hours(said, place):
        yield item
        yield from (TimeItem(place, end, window) for end, window in _on_days(said, said.over(item.end, ","), item))
    for again in recurrences(said, place):
        if again.meaning == Recurrence(weekdays=again.meaning.weekdays):
            for item in _hours(said, said.over(again.end, ","), opened=True):
                if isinstance(item.meaning, Window):
                    yield TimeItem(place, item.end, replace(item.meaning, weekdays=again.meaning.weekdays))


def _in_part(said: Said, place: int) -> Iterator[TimeItem]:
    """Hours of a part of the day that was said before them: "afternoons between one and five"."""
    for part in (one for one in parts_of_day(said, place) if one.part is not Part.NIGHT):
        for end, _ in said.at(said.over(part.end, ","), Speech.WINDOW_START):
            for start in times_of_day(said, end):
                yield from _linked(said, place, start, opened=True, led=part.part)


def _on_days(said: Said, place: int, item: TimeItem) -> Iterator[tuple[int, Window]]:
    for again in recurrences(said, place):
        if again.meaning == Recurrence(weekdays=again.meaning.weekdays) and isinstance(item.meaning, Window):
            yield again.end, replace(item.meaning, weekdays=again.meaning.weekdays)


def _hours(said: Said, place: int, *, opened: bool = False) -> Iterator[TimeItem]:
    for end, named in said.at(place, Speech.NAMED_WINDOW):
        window = Window(Daytime(int(named.counts)), Daytime(int(named.through)))
        yield TimeItem(place, end, window)
        for start in times_of_day(said, said.over(end, ",")):  # "during the night, ten to six"
            yield from _linked(said, place, start, opened=True, near=window)
    for end, _ in said.at(place, Speech.DARK_HOURS):
        yield TimeItem(place, end, Window(Sun(Sky.SUNSET), Sun(Sky.SUNRISE)))
    for end, _ in said.at(place, Speech.WINDOW_START):
        for start in times_of_day(said, end):
            yield from _linked(said, place, start, opened=True)
    for start in times_of_day(said, place):
        yield from _linked(said, place, start, opened=opened)
    for end, side in said.at(place, Speech.SIDE_OF_TIME):
        for bound in (*times_of_day(said, end), *introduced(said, end)):
            if bound.plain:
                yield TimeItem(place, bound.end, _side(bound.time, before=side.counts < 0))


def _side(time: Daytime | Sun, *, before: bool) -> Window:
    """The hours of a day before or after a time; those after midnight, and after sunset, are of the night."""
    if before:
        return Window(Daytime(0), time)
    if isinstance(time, Sun) and time.event in (Sky.SUNSET, Sky.DUSK):
        return Window(time, Sun(Sky.SUNRISE))
    midnight = isinstance(time, Daytime) and not time.hour % WHOLE and not time.minute
    return Window(Daytime(0), Daytime(END_OF_NIGHT)) if midnight else Window(time, Daytime(WHOLE))


def _linked(
    said: Said, place: int, start: TimeFound, *, opened: bool, near: Window | None = None, led: Part | None = None
) -> Iterator[TimeItem]:
    """A window whose beginning was found: "… till six in the morning"; `near` is the part of the day it is in, `led`
    that which was said before it."""
    for first, _ in said.at(said.over(start.end, ","), Speech.WINDOW_LINK):
        link_end = said.past(first, Speech.WINDOW_LINK)
        for end in (*times_of_day(said, link_end), *introduced(said, link_end)):
            if said.text(start.end) == "," and said.text(end.end) == "at":
                continue  # "to 21 at 10 pm, to 19 at midnight"
            plain = start.plain or end.plain
            if opened or (plain and said.text(first - 1) != "and" and not _counted(said, start)):
                yield TimeItem(place, end.end, _window(start.time, end.time, led, near), opened or plain)
                for part in parts_of_day(said, end.end):
                    yield TimeItem(place, part.end, _window(start.time, end.time, part.part))


def _counted(said: Said, start: TimeFound) -> bool:
    """ "Ten to eight" is one time, and no window; "2200 to 0600" is one."""
    sure = isinstance(start.time, Daytime) and start.time.sure
    return not start.plain and not sure and said.text(start.end) == "to"


def _window(start: Daytime | Sun, end: Daytime | Sun, part: Part | None, near: Window | None = None) -> Window:
    """The window; of the halves of the day that were not said those that make it the shortest, and near another."""
    if part is not None:
        start, end = _settled(start, part), _settled(end, part)
    starts, ends = _halves(start), _halves(end)
    pairs = [(one, other) for one in starts for other in ends]
    return Window(*min(pairs, key=lambda pair: (_span(*pair), 0 if near is None else _apart(pair[0], near.start))))


def _apart(one: Daytime | Sun, other: Daytime | Sun) -> int:
    """How many hours lie between two times of day, the shorter way round."""
    if isinstance(one, Sun) or isinstance(other, Sun):
        return 0
    hours = (one.hour - other.hour) % 24
    return min(hours, 24 - hours)


def _halves(time: Daytime | Sun) -> list[Daytime | Sun]:
    if isinstance(time, Sun) or time.sure or time.hour > 12:
        return [time]
    hour = time.hour % 12
    return [replace(time, hour=hour, sure=True), replace(time, hour=hour + 12, sure=True)]


def _span(start: Daytime | Sun, end: Daytime | Sun) -> int:
    if isinstance(start, Sun) or isinstance(end, Sun):
        return 0
    minutes = (end.hour - start.hour) * 60 + end.minute - start.minute
    return (minutes - 1) % (24 * 60) + 1
