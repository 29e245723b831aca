"""Times of the clock within a stretch of the past: "at three last night", "between eight and nine yesterday"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from engine.language.meanings.context import Context
from engine.language.times.clock_times import TimeFound, introduced, times_of_day
from engine.language.times.time_words import Said, Speech, time_words
from engine.memory.said.words import Sentence
from engine.model.rule import Daytime

AROUND = timedelta(minutes=15)
"""How long before and after a time of the clock is meant by it, where something happened then."""
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Clocked:
    """A stretch of time that was said by the clock, and the places of its words; `at`: it is a moment."""

    start: datetime
    end: datetime
    places: frozenset[int]
    at: datetime | None = None


def clocked(
    sentence: Sentence, start: datetime, end: datetime, apart: frozenset[int], context: Context
) -> Clocked | None:
    """The stretch or the moment between two moments that a sentence tells by the clock, beside the words that lie
    `apart`; None where it tells none, and where there was no such time between them."""
    store = context.store
    said = Said(sentence.tokens, store.of_terms("memory/time_words", lambda: time_words(store)))
    for place in (n for n in range(len(sentence.tokens)) if n not in apart):
        for first, last, stop in _windows(said, place):
            begin = _between(first, start, end)
            until = _between(last, begin, end + _DAY) if begin is not None else None
            if begin is not None and until is not None:
                return Clocked(begin, min(until, end), frozenset(range(place, stop)))
    for place in (n for n in range(len(sentence.tokens)) if n not in apart):
        found = [one for one in _moments(said, place) if apart.isdisjoint(range(place, one.end))]
        for one in sorted(found, key=lambda moment: -moment.end):
            at = _between(one.time, start, end) if isinstance(one.time, Daytime) else None
            if at is not None:
                return Clocked(at - AROUND, at + AROUND, frozenset(range(place, one.end)), at)
    return None


def _windows(said: Said, place: int) -> Iterator[tuple[Daytime, Daytime, int]]:
    """ "Between eight and nine", "from 20:00 to 21:30": both times, and where the words end."""
    for begin, _ in said.at(place, Speech.WINDOW_START):
        for first in times_of_day(said, begin):
            for link, _ in said.at(first.end, Speech.WINDOW_LINK):
                for last in sorted(times_of_day(said, link), key=lambda one: -one.end):
                    if isinstance(first.time, Daytime) and isinstance(last.time, Daytime):
                        yield first.time, last.time, last.end


def _moments(said: Said, place: int) -> Iterator[TimeFound]:
    yield from introduced(said, place)
    yield from (one for one in times_of_day(said, place) if one.plain)


def _between(one: Daytime, start: datetime, end: datetime) -> datetime | None:
    """The first such time from one moment to another; of a time of which the half of the day was not said, either."""
    hours = {one.hour % 24} if one.sure else {one.hour % 12, one.hour % 12 + 12}
    days = (start.date() + timedelta(days=n) for n in range((end.date() - start.date()).days + 1))
    several = (datetime.combine(day, time(hour, one.minute), tzinfo=start.tzinfo) for day in days for hour in hours)
    return min((at for at in several if start <= at <= end), default=None)


def lately(sentence: Sentence, now: datetime, context: Context) -> Clocked | None:
    """The last such time before now that a sentence tells by the clock alone."""
    for back in (timedelta(hours=12), _DAY):
        found = clocked(sentence, now - back, now, frozenset(), context)
        if found is not None:
            return replace(found, end=min(found.end, now))
    return None
