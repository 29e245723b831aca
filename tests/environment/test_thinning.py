"""The past of a property grows thinner with age, and can be asked for a moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from engine.environment.past import Entry, Past, Series
from engine.environment.thinning import HOURLY, thinned

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Change:
    at: datetime


def past(minutes: list[int]) -> list[Change]:
    moments = sorted(NOW - timedelta(minutes=one) for one in minutes)
    return [Change(at) for at in moments]


@given(st.lists(st.integers(0, 60 * 24 * 60), max_size=80), st.integers(0, 20), st.sampled_from([0, 20, 400]))
def test_the_latest_stay_and_each_hour_or_day_before_them_has_one(minutes: list[int], length: int, days: int) -> None:
    entries = past(minutes)
    cut = max(0, len(entries) - length)
    last_of = {}
    for one in entries[:cut]:
        at = one.at
        if days and NOW - at <= timedelta(days=days):
            last_of[at.strftime("%F %H" if NOW - at < HOURLY else "%F")] = one
    gone = thinned(entries, length, days, NOW)
    assert [id(one) for one in entries if not any(one is other for other in gone)] == [
        id(one) for one in [*last_of.values(), *entries[cut:]]
    ]


def test_a_year_of_changes_every_ten_minutes_is_some_hundred_entries() -> None:
    entries: list[Change] = []
    for number in range(365 * 24 * 6):
        at = NOW - timedelta(days=365) + timedelta(minutes=10 * number)
        entries.append(Change(at))
        if len(entries) > 100 and number % 16 == 0:
            gone = {one.at for one in thinned(entries, 100, 400, at)}
            entries = [one for one in entries if one.at not in gone]
    assert len(entries) < 100 + 14 * 24 + 365 + 16


def test_a_full_past_takes_one_more_without_being_copied() -> None:
    past_of = Series(Entry(n, n, Past(n, n + 1, NOW + timedelta(minutes=n))) for n in range(100))
    before = past_of.entries
    for n in range(100, 250):
        past_of.take(past_of.next(Past(n, n + 1, NOW + timedelta(minutes=n))), [past_of.entries[0]])
    assert past_of.entries is before
    assert [one.number for one in past_of.entries] == list(range(150, 250))
    assert len({one.place for one in past_of.entries}) == 100
    past_of.take(past_of.next(Past(250, 251, NOW)), [past_of.entries[0], past_of.entries[50]])
    assert [one.number for one in past_of.entries] == [*range(151, 200), *range(201, 251)]
