"""Schedules fall due as a clock on the wall shows them, as somebody finds who looks at every minute."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.rule import Cron, Day, Daytime, Next, Part, Recurrence, Sky, Sun, Window
from engine.rules.adoption import moment_of, settled
from engine.rules.moments import Ground, first_after, utc, within

ZURICH = ZoneInfo("Europe/Zurich")
GROUND = Ground(ZURICH, 47.37, 8.54)
SPRING, AUTUMN = date(2026, 3, 29), date(2026, 10, 25)
"""When the clocks skip 2:00 to 3:00, and when they show it twice."""


def dues(schedule: Recurrence | Cron, begin: datetime, end: datetime) -> list[datetime]:
    """When a schedule falls due, one after the other."""
    found, moment = [], begin
    while (following := first_after(schedule, moment, begin, GROUND)) is not None and utc(following) <= utc(end):
        found.append(following)
        moment = following
    return found


def minutes(begin: datetime, end: datetime) -> Iterator[datetime]:
    """Every minute, as a clock on the wall shows it."""
    moment = utc(begin) + timedelta(minutes=1)
    while moment <= utc(end):
        yield moment.astimezone(ZURICH)
        moment += timedelta(minutes=1)


def looked_for(schedule: Recurrence, begin: datetime, end: datetime) -> list[datetime]:
    """The naive way: each minute is looked at, and each shown time counts the first time that it is shown."""
    seen: set[tuple[date, int, int]] = set()
    found = []
    for moment in minutes(begin, end):
        shown = (moment.date(), moment.hour, moment.minute)
        if shown in seen:
            continue
        seen.add(shown)
        wanted = [(t.hour, t.minute) for t in schedule.times if isinstance(t, Daytime)]
        weekday = not schedule.weekdays or moment.weekday() in schedule.weekdays
        day = not schedule.monthdays or moment.day in schedule.monthdays
        if weekday and day and (moment.hour, moment.minute) in wanted:
            found.append(moment)
    return found


schedules = st.builds(
    Recurrence,
    st.lists(
        st.builds(Daytime, st.integers(0, 23).filter(lambda h: h != 2), st.integers(0, 59)), min_size=1, max_size=3
    ).map(tuple),
    st.lists(st.integers(0, 6), max_size=3, unique=True).map(tuple),
    monthdays=st.lists(st.integers(1, 31), max_size=2, unique=True).map(tuple),
)


@given(schedules, st.sampled_from([SPRING, AUTUMN, date(2028, 2, 28), date(2026, 12, 31)]))
def test_a_schedule_falls_due_as_one_finds_who_looks_at_every_minute(schedule: Recurrence, day: date) -> None:
    begin = datetime(day.year, day.month, day.day, tzinfo=ZURICH) - timedelta(days=1)
    end = begin + timedelta(days=3)
    assert [utc(m) for m in dues(schedule, begin, end)] == [utc(m) for m in looked_for(schedule, begin, end)]


def test_a_time_that_the_clocks_skip_comes_as_much_later() -> None:
    at = Recurrence((Daytime(2, 30),))
    begin = datetime(2026, 3, 28, 12, tzinfo=ZURICH)
    assert [f"{m:%d %H:%M}" for m in dues(at, begin, begin + timedelta(days=2))] == ["29 03:30", "30 02:30"]


def test_a_time_that_the_clocks_show_twice_comes_once() -> None:
    at = Recurrence((Daytime(2, 30),))
    begin = datetime(2026, 10, 24, 12, tzinfo=ZURICH)
    found = dues(at, begin, begin + timedelta(days=2))
    assert [m.astimezone(UTC) for m in found] == [
        datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        datetime(2026, 10, 26, 1, 30, tzinfo=UTC),
    ]


def test_a_period_is_as_long_as_it_is_whatever_the_clocks_do() -> None:
    begin = datetime(2026, 10, 25, 0, 0, tzinfo=ZURICH)
    found = dues(Recurrence(period=3600.0), begin, begin + timedelta(hours=5))
    assert {utc(b) - utc(a) for a, b in pairwise(found)} == {timedelta(hours=1)}


def test_the_leap_day_is_waited_for() -> None:
    at = Recurrence((Daytime(9),), months=(2,), monthdays=(29,))
    assert first_after(
        at, datetime(2026, 3, 1, tzinfo=ZURICH), datetime(2026, 3, 1, tzinfo=ZURICH), GROUND
    ) == datetime(2028, 2, 29, 9, tzinfo=ZURICH)


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (Recurrence((Daytime(8),), (1,), weeks=2, since=date(2026, 3, 3)), ["03 Mar", "17 Mar", "31 Mar"]),
        (Recurrence((Daytime(8),), days=10, since=date(2026, 3, 2)), ["02 Mar", "12 Mar", "22 Mar"]),
        (Recurrence((Daytime(8),), (0,), ordinal=1), ["02 Mar", "06 Apr", "04 May"]),
        (Recurrence((Daytime(8),), (4,), ordinal=-1), ["27 Mar", "24 Apr", "29 May"]),
        (Recurrence((Daytime(8),), monthdays=(-1,)), ["31 Mar", "30 Apr", "31 May"]),
        (Recurrence((Daytime(24),)), ["02 Mar", "03 Mar", "04 Mar"]),
        (Cron("15 6 * * 1-5"), ["02 Mar", "03 Mar", "04 Mar"]),
    ],
)
def test_repetitions_of_many_kinds_have_their_days(schedule: Recurrence | Cron, expected: list[str]) -> None:
    begin = datetime(2026, 3, 1, 12, tzinfo=ZURICH)
    found = dues(schedule, begin, begin + timedelta(days=100))[:3]
    assert [f"{m:%d %b}" for m in found] == expected


def test_the_sun_sets_where_the_home_lies() -> None:
    midsummer = datetime(2026, 6, 21, 12, tzinfo=ZURICH)
    dusk = Recurrence((Sun(Sky.SUNSET, -1800.0),))
    found = first_after(dusk, midsummer, midsummer, GROUND)
    assert found is not None
    assert f"{found:%H}" in ("20", "21")
    north = Ground(ZoneInfo("Europe/Oslo"), 78.2, 15.6)
    polar = first_after(Recurrence((Sun(Sky.SUNSET),)), midsummer, midsummer, north)
    assert polar is not None
    assert polar.month in (8, 9), "the sun does not set before"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (Next(Daytime(7, sure=False)), "02 19:00"),
        (Next(Daytime(7)), "03 07:00"),
        (Next(Daytime(11, sure=False), Day(ahead=0), Part.NIGHT), "02 23:00"),
        (Next(Daytime(2, sure=False), Day(ahead=0), Part.NIGHT), "03 02:00"),
        (Next(Daytime(7, sure=False), Day(ahead=1)), "03 07:00"),
        (Next(Daytime(5, sure=False), Day(weekday=4)), "06 17:00"),
        (Next(Daytime(24)), "03 00:00"),
        (Next(Daytime(9), Day(day=1)), "01 09:00"),
    ],
)
def test_words_of_time_become_the_moment_that_is_meant(said: Next, expected: str) -> None:
    now = datetime(2026, 3, 2, 12, 0, tzinfo=ZURICH)
    assert f"{moment_of(said, now, GROUND):%d %H:%M}" == expected


def test_every_other_week_counts_from_the_first_that_is_to_come() -> None:
    now = datetime(2026, 3, 3, 12, tzinfo=ZURICH)  # a Tuesday noon
    said = settled(Recurrence((Daytime(8),), (1,), weeks=2), now, GROUND)
    assert isinstance(said, Recurrence)
    assert said.since == date(2026, 3, 10)


@given(st.integers(0, 23), st.integers(0, 24), st.integers(0, 47))
def test_a_window_is_open_as_one_finds_who_counts_the_hours(start: int, end: int, hour: int) -> None:
    window = Window(Daytime(start), Daytime(end))
    now = datetime(2026, 6, 1, tzinfo=ZURICH) + timedelta(hours=hour, minutes=30)
    shown = now.hour + 0.5
    length = (end - start - 1) % 24 + 1
    assert within((window,), now, GROUND) is ((shown - start) % 24 < length)
