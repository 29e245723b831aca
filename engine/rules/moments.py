"""When a schedule falls due, in the time of the home and right across changes of the clocks; the windows of the day.

A time that the clocks skip falls due as much later; one that they show twice falls due the first time alone. Moments
are compared in UTC, for two times of one zone compare by what the clock shows.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from astral import Observer
from astral.sun import dawn, dusk, noon, sunrise, sunset
from cronsim import CronSim, CronSimError

from engine.errors import InputError
from engine.model.rule import At, Cron, Daytime, Recurrence, Schedule, Sky, Sun, Window

_FAR = 366 * 9
"""How many days ahead a day is looked for: the 29th of February is eight years away at most."""
_WHEN: Mapping[Sky, Callable[..., datetime]] = {
    Sky.SUNRISE: sunrise,
    Sky.SUNSET: sunset,
    Sky.DAWN: dawn,
    Sky.DUSK: dusk,
    Sky.NOON: noon,
}
_WEEK = 7


@dataclass(frozen=True, slots=True)
class Ground:
    """Where the home lies, in degrees, and its time zone. A place that nobody told is guessed from the zone."""

    zone: tzinfo
    latitude: float | None = None
    longitude: float | None = None

    def observer(self, day: date) -> Observer:
        """Who sees the sun rise."""
        if self.latitude is not None and self.longitude is not None:
            return Observer(self.latitude, self.longitude)
        offset = datetime(day.year, 1, 1, tzinfo=self.zone).utcoffset() or timedelta()
        return Observer(47.0, offset.total_seconds() / 240)


def first_after(schedule: Schedule, after: datetime, made_at: datetime, ground: Ground) -> datetime | None:
    """The first moment after `after` at which a schedule falls due, None where there is none. `made_at` is what
    repetitions by a length of time count from. Raises InputError for a cron expression that is none."""
    if isinstance(schedule, At):
        return schedule.moment if utc(schedule.moment) > utc(after) else None
    if isinstance(schedule, Cron):
        return _by_cron(schedule, after.astimezone(ground.zone))
    if not isinstance(schedule, Recurrence):
        raise InputError("A rule is to be taken up before it is scheduled.", reason="internal")
    if schedule.period is not None:
        return _by_period(schedule.period, after, made_at, ground)
    start = after.astimezone(ground.zone).date()
    for number in range(-1, _FAR):
        day = start + timedelta(days=number)
        if fits(schedule, day):
            due = sorted(utc(m) for t in schedule.times if (m := at_time(day, t, ground)) is not None)
            found = next((moment for moment in due if moment > utc(after)), None)
            if found is not None:
                return found.astimezone(ground.zone)
    return None


def fits(schedule: Recurrence, day: date) -> bool:
    """Whether a repetition falls on a day."""
    if schedule.since is not None and day < schedule.since:
        return False
    since = schedule.since or date(2000, 1, 3)
    weeks = (day - day_of_week(day) - (since - day_of_week(since))).days // _WEEK
    last = monthrange(day.year, day.month)[1]
    return (
        (not schedule.weekdays or day.weekday() in schedule.weekdays)
        and (schedule.weeks == 1 or weeks % schedule.weeks == 0)
        and (schedule.days == 1 or (day - since).days % schedule.days == 0)
        and (not schedule.months or day.month in schedule.months)
        and (not schedule.monthdays or day.day in schedule.monthdays or day.day - last - 1 in schedule.monthdays)
        and (
            schedule.ordinal is None or schedule.ordinal in ((day.day - 1) // _WEEK + 1, (day.day - last - 1) // _WEEK)
        )
    )


def day_of_week(day: date) -> timedelta:
    """How long the week of a day has gone on."""
    return timedelta(days=day.weekday())


def at_time(day: date, time: Daytime | Sun, ground: Ground) -> datetime | None:
    """The moment of a time of day on a day; None for what the sun does not do there on that day."""
    if isinstance(time, Sun):
        try:
            moment = _WHEN[time.event](ground.observer(day), date=day, tzinfo=ground.zone)
        except ValueError:  # a polar night, a polar day
            return None
        return later(moment, time.offset)
    days, hour = divmod(time.hour, 24)
    shown = datetime(day.year, day.month, day.day, hour, time.minute, time.second, tzinfo=ground.zone)
    shown = (shown + timedelta(days=days)).replace(fold=0)
    return shown.astimezone(UTC).astimezone(ground.zone)


def later(moment: datetime, seconds: float) -> datetime:
    """The moment so many seconds later, in its own zone, whatever the clocks do in between."""
    return (utc(moment) + timedelta(seconds=seconds)).astimezone(moment.tzinfo)


def utc(moment: datetime) -> datetime:
    """The moment in UTC, in which moments compare."""
    return moment.astimezone(UTC)


def within(windows: Iterable[Window], now: datetime, ground: Ground) -> bool:
    """Whether a moment lies in one of the windows; in any, where there are none."""
    some = tuple(windows)
    return not some or any(_in(one, now, ground) for one in some)


def _in(window: Window, now: datetime, ground: Ground) -> bool:
    return any(begin <= utc(now) < end for begin, end in spans(window, now.astimezone(ground.zone).date(), ground))


def spans(window: Window, day: date, ground: Ground) -> Iterator[tuple[datetime, datetime]]:
    """From when until when a window is open that begins on a day or on the one before, in UTC."""
    for first in (day - timedelta(days=1), day):
        if window.weekdays and first.weekday() not in window.weekdays:
            continue
        begin, end = at_time(first, window.start, ground), at_time(first, window.end, ground)
        if begin is None or end is None:
            continue
        if utc(end) <= utc(begin):
            end = at_time(first + timedelta(days=1), window.end, ground) or end
        yield utc(begin), utc(end)


def check_cron(expression: str) -> None:
    """Raises InputError for a cron expression that is none."""
    try:
        CronSim(expression, datetime(2026, 1, 1, tzinfo=UTC))
    except CronSimError as error:
        raise InputError(
            f"“{expression[:80]}” is no cron expression: {error}.",
            remedy="Five fields: minute, hour, day of the month, month, day of the week.",
            reason="invalid_value",
        ) from error


def _by_cron(schedule: Cron, after: datetime) -> datetime | None:
    check_cron(schedule.expression)
    return next(iter(CronSim(schedule.expression, after)), None)


def _by_period(period: float, after: datetime, made_at: datetime, ground: Ground) -> datetime:
    gone = max(0.0, (utc(after) - utc(made_at)).total_seconds())
    found = utc(made_at) + timedelta(seconds=(gone // period + 1) * period)
    return found.astimezone(ground.zone)
