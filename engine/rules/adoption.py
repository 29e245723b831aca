"""Taking a rule up: what was said of time becomes moments, now that there is a clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from engine.errors import InputError
from engine.model.rule import (
    After,
    At,
    Cron,
    Day,
    Daytime,
    Next,
    Part,
    Recurrence,
    Rule,
    Sun,
    Trigger,
)
from engine.rules.moments import Ground, at_time, check_cron, fits, later, utc

LONGEST = 366 * 86400.0 * 10
SHORTEST = 1.0
"""How long, and how short, in seconds, something that is repeated or waited for may be."""
_SMALL_HOURS = 6


def adopt(rule: Rule, iri: str, now: datetime, ground: Ground) -> Rule:
    """The rule with moments in the place of words of time. Raises InputError: missing_time where no time was said,
    past_time for one that is over, invalid_value for one that cannot be, nothing_to_do for a rule without effect."""
    if not rule.actions and rule.notice is None:
        raise InputError("The rule does nothing.", remedy="Say what is to be done.", reason="nothing_to_do")
    if not rule.triggers:
        raise InputError("Nothing sets the rule off.", remedy="Say when.", reason="missing_time")
    triggers = tuple(settled(one, now, ground) for one in rule.triggers)
    windows = tuple(replace(w, start=_sure(w.start), end=_sure(w.end)) for w in rule.windows)
    once = rule.once or all(isinstance(one, At) for one in triggers)
    return replace(rule, iri=iri, made_at=now, triggers=triggers, windows=windows, once=once)


def settled(trigger: Trigger, now: datetime, ground: Ground) -> Trigger:
    """A trigger without words that need a clock; events as they are. Raises InputError."""
    if isinstance(trigger, After):
        if not 0 <= trigger.seconds <= LONGEST:
            raise InputError("Nothing waits so long.", remedy="Say a shorter time.", reason="invalid_value")
        return At(later(now, trigger.seconds))
    if isinstance(trigger, Next):
        return At(moment_of(trigger, now, ground))
    if isinstance(trigger, Recurrence):
        return _recurrence(trigger, now, ground)
    if isinstance(trigger, Cron):
        check_cron(trigger.expression)
    if isinstance(trigger, At) and utc(trigger.moment) <= utc(now):
        raise InputError("That time is over.", remedy="Say one that is to come.", reason="past_time")
    return trigger


def _recurrence(said: Recurrence, now: datetime, ground: Ground) -> Recurrence:
    if said.period is not None:
        if not SHORTEST <= said.period <= LONGEST:
            raise InputError("Nothing is repeated like that.", remedy="Say another time.", reason="invalid_value")
        return said
    if not said.times:
        raise InputError("At what time?", remedy="Say at what time of day.", reason="missing_time")
    times = tuple(dict.fromkeys(_sure(one, said.part) for one in said.times))
    counted = said.weeks > 1 or said.days > 1
    settled_ = replace(said, times=times)
    since = said.since or (_first_day(settled_, now, ground) if counted else None)
    return replace(settled_, since=since)


def _first_day(said: Recurrence, now: datetime, ground: Ground) -> date:
    """The day from which "every other" counts: the first that fits and is still to come."""
    plain = replace(said, weeks=1, days=1)
    day = now.astimezone(ground.zone).date()
    for _ in range(366):
        moments = [m for t in said.times if (m := at_time(day, t, ground)) is not None]
        if fits(plain, day) and any(utc(m) > utc(now) for m in moments):
            return day
        day += timedelta(days=1)
    return day


def _sure(time: Daytime | Sun, part: Part | None = None) -> Daytime | Sun:
    """The time in the half of the day that is meant where nobody said which: the small hours are those of the
    afternoon, all others those of the morning, and twelve is noon."""
    if isinstance(time, Sun) or time.sure:
        return time
    if part is not None:
        return time.within(part)
    hour = time.hour + 12 if time.hour < _SMALL_HOURS and time.hour else time.hour
    return Daytime(hour, time.minute, time.second)


def moment_of(said: Next, now: datetime, ground: Ground) -> datetime:
    """The moment that words mean, which is to come. Raises InputError: missing_time, past_time."""
    if said.time is None:
        raise InputError("At what time?", remedy="Say at what time of day.", reason="missing_time")
    today = now.astimezone(ground.zone).date()
    first = today if said.day is None else day_of(said.day, today)
    if said.part is Part.NIGHT and _is_small(said.time) and said.day is not None:
        first += timedelta(days=1)  # "at two tonight"
    times = _candidates(said, first == today)
    days = [first] if said.day is not None else [today + timedelta(days=n) for n in range(8)]
    found = [m for day in days for t in times if (m := at_time(day, t, ground)) is not None]
    coming = [m for m in found if utc(m) > utc(now)]
    if not coming:
        raise InputError("That time is over.", remedy="Say one that is to come.", reason="past_time")
    return min(coming, key=utc)


def _is_small(time: Daytime | Sun) -> bool:
    return isinstance(time, Daytime) and time.hour < _SMALL_HOURS


def _candidates(said: Next, is_today: bool) -> list[Daytime | Sun]:
    """The times that words can mean: of a clock that shows twelve hours both, where it is today."""
    time = said.time
    assert time is not None
    if isinstance(time, Sun) or time.sure:
        return [time]
    if said.part is not None or not is_today:
        return [_sure(time, said.part)]
    return [replace(time, hour=time.hour % 12 + half, sure=True) for half in (0, 12)]


def day_of(said: Day, today: date) -> date:
    """The day that words mean. Raises InputError for one that there is not."""
    if said.ahead is not None:
        return today + timedelta(days=said.ahead)
    if said.weekday is not None:
        return today + timedelta(days=(said.weekday - today.weekday()) % 7 + 7 * said.weeks)
    for months in range(12 * 9 if said.day == 29 else 13):
        year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
        if said.month in (None, month + 1) and said.year in (None, year):
            try:
                found = date(year, month + 1, said.day or 1)
            except ValueError:
                continue
            if found >= today:
                return found
    raise InputError("There is no such day to come.", remedy="Say another day.", reason="past_time")
