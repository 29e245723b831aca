"""Days and their repetition among tokens: "tomorrow", "on Friday", "every other Tuesday", "mon to fri", "weekends"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.language.times.clock_times import DAY_LONG, lengths, parts_of_day
from engine.language.times.time_words import Said, Speech, TimeWord
from engine.model.rule import Day, Part, Recurrence

WEEK = (0, 1, 2, 3, 4, 5, 6)
_AND = frozenset({",", "and", "&", "n", "or", "+", "/", "plus"})
_AGAIN = ("on", "of", "every", "each", "a", "all")
_ALL_OF_IT = ("both", "alike", "too")
_LEAD = ("on", "at", "in", "over", "during", "of")


@dataclass(frozen=True, slots=True)
class DayFound:
    """A day that ends before the token `end`, with the part of it that was said."""

    end: int
    day: Day
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class AgainFound:
    """A repetition that ends before the token `end`."""

    end: int
    meaning: Recurrence


# Days


def days(said: Said, place: int) -> Iterator[DayFound]:
    """The single days that begin at a place."""
    for end, word in said.at(place, Speech.RELATIVE_DAY):
        yield DayFound(end, Day(ahead=int(word.counts)), word.part)
    for end, _ in said.at(place, Speech.DELAY_INTRODUCTION):
        for length_end, seconds in lengths(said, end):
            if seconds >= DAY_LONG and seconds % DAY_LONG == 0:
                yield DayFound(said.past(length_end, Speech.TIME_FILLER), Day(ahead=int(seconds / DAY_LONG)))
    start = said.over(place, "on", "this", "next", "coming", "the")
    for end, word in said.at(start, Speech.WEEKDAY):
        if not word.plural:
            yield DayFound(end, Day(weekday=int(word.counts)))
            if said.text(end) == "week":
                yield DayFound(end + 1, Day(weekday=int(word.counts), weeks=1))
    yield from _dates(said, said.over(place, "on", "the"))


def _dates(said: Said, place: int) -> Iterator[DayFound]:
    for end, day, ended in _numbered(said, place):
        for further, month in said.at(said.over(end, "of"), Speech.MONTH):
            yield from _with_year(said, further, Day(day=day, month=int(month.counts)))
        if ended and said.text(place).isdigit():
            yield DayFound(end, Day(day=day))
    for end, month in said.at(place, Speech.MONTH):
        for further, day, _ in _numbered(said, said.over(end, "the")):
            yield from _with_year(said, further, Day(day=day, month=int(month.counts)))
    year, month_, day_ = said.whole(place, 2000, 2999), said.whole(place + 2, 1, 12), said.whole(place + 4, 1, 31)
    dashes = said.text(place + 1) == "-" and said.text(place + 3) == "-"
    if dashes and year is not None and month_ is not None and day_ is not None:
        yield DayFound(place + 5, Day(day=day_, month=month_, year=year))


def _numbered(said: Said, place: int) -> Iterator[tuple[int, int, bool]]:
    """ "3", "3rd", "third": where it ends, the number, whether it has the ending of an ordinal."""
    number = said.whole(place, 1, 31)
    if number is not None:
        yield place + 1, number, False
        for end, _ in said.at(place + 1, Speech.ORDINAL_ENDING):
            yield end, number, True
    for end, ordinal in said.at(place, Speech.ORDINAL):
        yield end, int(ordinal.counts), True


def _with_year(said: Said, place: int, day: Day) -> Iterator[DayFound]:
    yield DayFound(place, day)
    year_at = said.over(place, ",")
    year = said.whole(year_at, 2000, 2999)
    if year is not None:
        yield DayFound(year_at + 1, replace(day, year=year))


# Repetition


def recurrences(said: Said, place: int) -> Iterator[AgainFound]:
    """The repetitions that begin at a place, those with an exception ("but not on Sundays") too."""
    ways = (_by_word, _of_days, _each, _of_months, _but_some)
    found = dict.fromkeys(one for way in ways for one in way(said, place))
    for one in found:
        yield one
        yield from _with_exception(said, one)


def _by_word(said: Said, place: int) -> Iterator[AgainFound]:
    for end, word in said.at(place, Speech.REPEATED_DAYS):
        yield AgainFound(end, Recurrence(part=word.part))
    for end, word in said.at(place, Speech.REPEATED_PERIOD):
        yield AgainFound(end, Recurrence(period=word.counts))
    for end, word in said.at(place, Speech.WEEKLY):
        yield AgainFound(end, Recurrence(weeks=int(word.counts)))
    for part in parts_of_day(said, place):
        if part.repeated:
            yield AgainFound(part.end, Recurrence(part=part.part))


def _of_days(said: Said, place: int) -> Iterator[AgainFound]:
    """ "Mondays, Wednesdays and Fridays", "at weekends", "at the weekend", "mon to fri", "saturday mornings"."""
    start = said.over(place, *_LEAD)
    if start > place and said.text(start) == "the":
        for end, group in said.at(start + 1, Speech.DAY_GROUP):
            if not _is_whole(group):
                yield AgainFound(end, Recurrence(weekdays=_through(group.counts, group.through)))
    start = said.over(start, "the", "from", "always")
    for end, weekdays, repeated in _weekdays(said, start):
        if repeated:
            yield AgainFound(end, Recurrence(weekdays=weekdays))
            yield AgainFound(said.over(end, *_ALL_OF_IT), Recurrence(weekdays=weekdays))
        for part in parts_of_day(said, end):
            if not part.led and (repeated or part.repeated):
                yield AgainFound(part.end, Recurrence(weekdays=weekdays, part=part.part))


def _weekdays(said: Said, place: int) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    """The list of weekdays that begins at a place, as long as it goes on; whether it is said of many weeks."""
    first = next(_one_or_range(said, place), None)
    if first is None:
        return
    end, own, repeated = first
    while (more := next(_one_or_range(said, said.over(said.over(end, *_AND), *_AGAIN)), None)) is not None:
        repeated = repeated or more[2] or bool(set(more[1]) - set(own))
        end, own = more[0], tuple(sorted({*own, *more[1]}))
    yield end, own, repeated


def _one_or_range(said: Said, place: int) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    for end, group in said.at(place, Speech.DAY_GROUP):
        if group.plural and not _is_whole(group):
            yield end, _through(group.counts, group.through), True
    for end, first in said.at(place, Speech.WEEKDAY):
        for link_end, _ in said.at(end, Speech.WINDOW_LINK):
            if said.text(end) != "and":
                for last, other in said.at(link_end, Speech.WEEKDAY):
                    yield last, _through(first.counts, other.counts), True
        yield end, (int(first.counts),), first.plural


def _is_whole(group: TimeWord) -> bool:
    """Whether a group of days is the whole week."""
    return group.counts + group.through == len(WEEK) - 1


def _through(first: float, last: float) -> tuple[int, ...]:
    return tuple(sorted((int(first) + n) % 7 for n in range(int(last - first) % 7 + 1)))


def _each(said: Said, place: int) -> Iterator[AgainFound]:
    """ "Every weekday", "each morning", "every other Tuesday", "every twenty minutes"."""
    for end, word in said.at(said.over(place, "on", "at", "of"), Speech.REPETITION):
        nth = int(word.counts)
        for list_end, weekdays, _ in _weekdays(said, end):
            yield from _partly(said, list_end, Recurrence(weekdays=weekdays, weeks=nth))
        for group_end, group in said.at(end, Speech.DAY_GROUP):
            weekdays = _through(group.counts, group.through)
            every = weekdays == WEEK
            again = Recurrence(days=nth) if every else Recurrence(weekdays=weekdays, weeks=nth)
            yield from _partly(said, group_end, again)
        for part in parts_of_day(said, end):
            if not part.led:
                yield AgainFound(part.end, Recurrence(part=part.part, days=nth))
        yield from _periods(said, end, nth)


def _partly(said: Said, end: int, again: Recurrence) -> Iterator[AgainFound]:
    """The repetition, and with a part of the day behind it: "every weekday morning"."""
    yield AgainFound(end, again)
    for part in parts_of_day(said, end):
        if not part.led:
            yield AgainFound(part.end, replace(again, part=part.part))


def _periods(said: Said, place: int, nth: int) -> Iterator[AgainFound]:
    for end, unit in said.at(place, Speech.TIME_UNIT):
        yield AgainFound(end, _again_after(unit.counts * nth))
    for end, seconds in lengths(said, place):
        if nth == 1:
            yield AgainFound(end, _again_after(seconds))


def _again_after(seconds: float) -> Recurrence:
    """A length of time as a repetition: whole days and weeks keep their time of day."""
    if seconds % (7 * DAY_LONG) == 0:
        return Recurrence(weeks=int(seconds / (7 * DAY_LONG)))
    if seconds % DAY_LONG == 0:
        return Recurrence(days=int(seconds / DAY_LONG))
    return Recurrence(period=seconds)


def _of_months(said: Said, place: int) -> Iterator[AgainFound]:
    """ "The first Monday of the month", "on the 1st of every month", "every month on the last day", "every 24 May"."""
    for end, _ in said.at(place, Speech.REPETITION):
        yield from (
            AgainFound(found.end, Recurrence(months=(found.day.month,), monthdays=(found.day.day,)))
            for found in _dates(said, end)
            if found.day.month is not None and found.day.day is not None and found.day.year is None
        )
    start = said.over(place, "on", "the")
    for end, again in _in_month(said, start):
        for last, _ in said.at(said.over(end, "of", "in"), Speech.MONTHLY):
            yield AgainFound(last, again)
    for end, _ in said.at(place, Speech.MONTHLY):
        for last, again in _in_month(said, said.over(end, ",", "on", "the")):
            yield AgainFound(last, again)


def _in_month(said: Said, place: int) -> Iterator[tuple[int, Recurrence]]:
    for end, number, ended in _numbered(said, place):
        if ended or said.text(place).isdigit():
            yield end, Recurrence(monthdays=(number,))
        for last, weekday in said.at(end, Speech.WEEKDAY):
            yield last, Recurrence(weekdays=(int(weekday.counts),), ordinal=number)
        if said.text(end) == "day":
            yield end + 1, Recurrence(monthdays=(number,))


def _but_some(said: Said, place: int) -> Iterator[AgainFound]:
    """All days but some, where nothing else is said of days: "at six, but not on Sundays"."""
    for end, _ in said.at(place, Speech.EXCEPTION):
        for last, taken, repeated in _weekdays(said, said.over(end, "on", "the", "at")):
            left = tuple(day for day in WEEK if day not in taken)
            if left and repeated:
                yield AgainFound(last, Recurrence(weekdays=left))


def _with_exception(said: Said, found: AgainFound) -> Iterator[AgainFound]:
    for end, _ in said.at(said.over(found.end, ","), Speech.EXCEPTION):
        for last, taken, _ in _weekdays(said, said.over(end, "on", "the", "at")):
            left = tuple(day for day in found.meaning.weekdays or WEEK if day not in taken)
            if left:
                yield AgainFound(last, replace(found.meaning, weekdays=left))
