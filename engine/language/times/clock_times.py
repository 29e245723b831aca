"""Times of day and lengths of time among tokens: "half six", "22:30", "a quarter to seven", "an hour and a half"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.language.times.time_words import Said, Speech
from engine.model.rule import Daytime, Part, Sky, Sun

HOUR, DAY_LONG = 3600.0, 86400.0
_SHOWN = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")
_POINTED = re.compile(r"(\d{1,2})\.(\d{2})")
HALF, QUARTER = 12, 15
_ARTICLES = ("a", "an", "the")
_FIVE = 5


@dataclass(frozen=True, slots=True)
class TimeFound:
    """A time of day that ends before the token `end`. `plain`: it can hardly be anything else than a time; a bare
    number can be many things. `repeated`: it is said of many days ("in the mornings")."""

    end: int
    time: Daytime | Sun
    plain: bool = True
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class PartFound:
    """A part of the day that ends before the token `end`; `repeated`: it is said of many days; `led`: it stands behind
    a preposition."""

    end: int
    part: Part
    repeated: bool
    led: bool


# Lengths


def lengths(said: Said, place: int) -> Iterator[tuple[int, float]]:
    """The lengths of time, in seconds, that begin at a place, each with where it ends."""
    for end, seconds, unit in _simple(said, place):
        yield end, seconds
        joined = said.over(end, "and", ",")
        for further, more, smaller in _simple(said, joined):
            if smaller < unit:
                yield further, seconds + more


def _simple(said: Said, place: int) -> Iterator[tuple[int, float, float]]:
    number = said.number(place)
    if number is not None and number >= 0:
        start = said.past(place + 1, Speech.LENGTH_EMPHASIS)
        start += 1 if said.text(start) == "-" else 0
        yield from _of_units(said, start, number)
    if said.text(place) in ("a", "an"):
        yield from _of_units(said, said.past(place + 1, Speech.LENGTH_EMPHASIS), 1.0)
    for end, share in said.at(place, Speech.SHARE):
        start = said.over(end, "of", "-", *_ARTICLES)
        for unit_end, unit in said.at(start, Speech.TIME_UNIT):
            yield said.past(unit_end, Speech.LENGTH_EMPHASIS), share.counts * unit.counts, unit.counts


def _of_units(said: Said, place: int, number: float) -> Iterator[tuple[int, float, float]]:
    for end, unit in said.at(place, Speech.TIME_UNIT):
        whole = unit.counts * 2 if said.text(place) == "fortnight" else unit.counts
        yield said.past(end, Speech.LENGTH_EMPHASIS), number * whole, whole
        if said.text(end) == "and":
            for further, share in said.at(said.over(end + 1, "a"), Speech.SHARE):
                yield further, (number + share.counts) * whole, whole
            for further, share in said.at(end + 1, Speech.SHARE):
                yield further, (number + share.counts) * whole, whole


# Times of day


def times_of_day(said: Said, place: int) -> Iterator[TimeFound]:
    """The times of day that begin at a place: of the clock, with the half of the day said behind it, and of the sun."""
    for shown in _on_clock(said, place):
        end = _past_precision(said, shown.end)
        yield replace(shown, end=end)
        yield from _halved(said, replace(shown, end=end))
    yield from _behind_part(said, place)
    yield from _of_sun(said, place)


def _behind_part(said: Said, place: int) -> Iterator[TimeFound]:
    """ "Evening seven o'clock", "night 11"."""
    for part in parts_of_day(said, place):
        for shown in _on_clock(said, part.end) if not part.led else ():
            if isinstance(shown.time, Daytime) and not shown.time.sure:
                yield replace(shown, time=shown.time.within(part.part), repeated=part.repeated, plain=True)


def introduced(said: Said, place: int) -> Iterator[TimeFound]:
    """The times of day that begin at a place with a word that introduces one: "at seven", "come midday"."""
    for end, word in said.at(place, Speech.TIME_INTRODUCTION):
        start = said.past(said.over(end, "the"), Speech.PRECISION)
        for found in times_of_day(said, start):
            of_hours = any(True for _ in said.at(found.end - 1, Speech.DAY_HOURS))
            whole = found.end > start + 1 or isinstance(found.time, Sun)
            yield replace(found, plain=found.plain or of_hours or whole or word.counts > 0)


def _on_clock(said: Said, place: int) -> Iterator[TimeFound]:
    yield from _written(said, place)
    yield from _past_or_to(said, place)
    for end, named in said.at(place, Speech.NAMED_TIME):
        yield TimeFound(end, Daytime(int(named.counts)))
    hour = said.whole(place, 0, 24)
    if hour is None:
        yield from _military(said, place)
        return
    sure = hour > 12 or hour == 0
    yield TimeFound(place + 1, Daytime(hour, sure=sure), plain=False)
    for end, _ in said.at(place + 1, Speech.FULL_HOUR):
        yield TimeFound(end, Daytime(hour, sure=sure))
    for end, _ in said.at(place + 1, Speech.DAY_HOURS):
        yield TimeFound(end, Daytime(hour), plain=False)
    yield from _with_minutes(said, place, hour)


def _written(said: Said, place: int) -> Iterator[TimeFound]:
    """ "22:30", "7:05", and "6.45", which can be a number."""
    text = said.text(place)
    shown, pointed = _SHOWN.fullmatch(text), _POINTED.fullmatch(text)
    found = shown or pointed
    if found is None:
        return
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0) if shown else 0
    if hour <= 24 and minute < 60 and second < 60:
        sure = hour > 12 or hour == 0 or text.startswith("0")
        yield TimeFound(place + 1, Daytime(hour, minute, second, sure), plain=shown is not None)


def _with_minutes(said: Said, place: int, hour: int) -> Iterator[TimeFound]:
    """ "Ten thirty", "seven oh five", "19h30"."""
    start = place + 1
    if said.text(start) in ("-", "h", "oh", "o"):
        start += 1
    low = 1 if said.text(start - 1) in ("oh", "o") else 10
    minute = said.whole(start, low, 59)
    if minute is not None:
        spelt = not said.text(place).isdigit() or said.text(start - 1) in ("h", "oh", "o")
        mixed = said.text(place).isdigit() is not said.text(start)[:1].isdigit()  # "make that one 23"
        usual = minute % QUARTER == 0 or low == 1 or said.text(start - 1) == "h"  # "two ten" may be 210
        plain = spelt and hour <= HALF and not (mixed and said.text(start - 1) != "h") and usual
        yield TimeFound(start + 1, Daytime(hour, minute, sure=hour > HALF or hour == 0), plain=plain)


def _military(said: Said, place: int) -> Iterator[TimeFound]:
    """ "1900 hours", "0630"; "1900" alone may be a number, so it is a time only beside a day."""
    number = said.whole(place, 0, 2400)
    text = said.text(place)
    if number is None or number % 100 >= 60 or not (number >= 100 or len(text) == _SHOWN_DIGITS):
        return
    time = Daytime(number // 100, number % 100)
    if text.isdigit() and len(text) == _SHOWN_DIGITS and number < 100 * DAY_HOURS:
        yield TimeFound(place + 1, time, plain=text.startswith("0"))
    for end, _ in said.at(place + 1, Speech.DAY_HOURS):
        yield TimeFound(end, time)


_SHOWN_DIGITS, DAY_HOURS = 4, 24


def _past_or_to(said: Said, place: int) -> Iterator[TimeFound]:
    """ "Half past seven", "a quarter to nine", "ten past six", "half six"."""
    start = said.over(place, "a")
    for end, minutes, british in _minutes(said, start):
        if british:
            hour = said.whole(end, 1, 12)
            if hour is not None:
                yield TimeFound(end + 1, Daytime(hour, minutes, sure=False))
        for further, past in said.at(end, Speech.PAST):
            for last, hour, sure in _hours(said, further):
                if said.text(further).isdigit() and not said.text(start).isdigit() and said.number(start) is not None:
                    continue  # "the other one to 20"
                signed = hour * 60 + minutes * int(past.counts)
                at = signed % (24 * 60) if sure else (signed - 60) % (12 * 60) + 60
                yield TimeFound(last, Daytime(at // 60, at % 60, sure=sure))


def _minutes(said: Said, place: int) -> Iterator[tuple[int, int, bool]]:
    for end, share in said.at(place, Speech.SHARE):
        if share.counts < 1:
            yield end, round(share.counts * 60), share.counts == 0.5
    number = said.whole(place, 1, 59)
    if number is not None:
        ranges = said.text(place).isdigit() and said.text(place - 1) == "from"  # "from 25 to 20": how much
        if number % _FIVE == 0 and number <= _HALF and not ranges:  # "that one to twenty" is no time, nor "40 to 20"
            yield place + 1, number, False
        for end, unit in said.at(place + 1, Speech.TIME_UNIT):
            if unit.counts == 60:
                yield end, number, False


_HALF = 30  # minutes


def _hours(said: Said, place: int) -> Iterator[tuple[int, int, bool]]:
    for end, named in said.at(place, Speech.NAMED_TIME):
        yield end, int(named.counts), True
    hour = said.whole(place, 1, 24)
    if hour is not None:
        yield said.past(place + 1, Speech.FULL_HOUR), hour, hour > 12


def _past_precision(said: Said, place: int) -> int:
    """Behind "sharp", "-ish", "or so"."""
    behind = said.past(place + 1, Speech.PRECISION) if said.text(place) == "-" else place
    return behind if behind > place + 1 else said.past(place, Speech.PRECISION)


def _halved(said: Said, shown: TimeFound) -> Iterator[TimeFound]:
    """The time with "pm", "in the morning", "of an evening" behind it."""
    assert isinstance(shown.time, Daytime)
    for end, half in said.at(shown.end, Speech.HALF_DAY):
        if shown.time.hour <= 12:
            hour = shown.time.hour % 12 + int(half.counts)
            yield TimeFound(_past_precision(said, end), Daytime(hour, shown.time.minute, shown.time.second))
    for part in parts_of_day(said, shown.end):
        if part.led and not (shown.time.sure and shown.time.hour <= 12 and part.part is Part.AFTERNOON):
            yield TimeFound(part.end, shown.time.within(part.part), repeated=part.repeated)


def _of_sun(said: Said, place: int) -> Iterator[TimeFound]:
    """ "Sunset", "half an hour before sunrise"."""
    noun = place > 0 and said.text(place - 1)[-1:].isalnum() and not said.phrases(place - 1)
    for end, event in _events(said, place):
        yield TimeFound(end, Sun(event), plain=not noun or end > place + 1)  # "I need darkness" tells no time
    for length_end, seconds in lengths(said, place):
        for end, side in said.at(length_end, Speech.PAST):
            for last, event in _events(said, end):
                yield TimeFound(last, Sun(event, side.counts * seconds))


def _events(said: Said, place: int) -> Iterator[tuple[int, Sky]]:
    for start in dict.fromkeys((place, said.over(place, "the"))):
        for end, sky in said.at(start, Speech.SKY_TIME):
            yield end, Sky(sky.notation)


def parts_of_day(said: Said, place: int) -> Iterator[PartFound]:
    """The parts of the day that begin at a place: "in the morning", "of an evening", "at night", "evenings"."""
    led = said.text(place) in ("in", "of", "at", "during", "by", "on")
    start = said.over(place + 1 if led else place, *_ARTICLES)
    for end, word in said.at(start, Speech.DAY_PART):
        if word.part is not None:
            yield PartFound(end, word.part, word.plural, led)
