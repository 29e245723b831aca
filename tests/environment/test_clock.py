"""Clocks: of the system, and moved by hand."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from engine.environment.clock import SimulatedClock, SystemClock, aware

NOON = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)


def test_a_simulated_clock_stands_still_until_it_is_moved() -> None:
    clock = SimulatedClock(NOON)
    assert clock.now() == NOON
    clock.advance(90)
    assert clock.now() == NOON + timedelta(seconds=90)
    clock.advance_to(NOON)
    assert clock.now() == NOON + timedelta(seconds=90)
    with pytest.raises(ValueError, match="backwards"):
        clock.advance(-1)


def test_a_moment_without_a_timezone_is_in_utc() -> None:
    assert SimulatedClock(datetime(2026, 5, 14, 12, 0)).now() == NOON  # noqa: DTZ001
    assert aware(NOON) is NOON


def test_what_falls_due_is_called_in_order_and_at_its_time() -> None:
    clock = SimulatedClock(NOON)
    seen: list[tuple[str, datetime]] = []
    clock.call_later(20, lambda: seen.append(("later", clock.now())))

    def first() -> None:
        seen.append(("first", clock.now()))
        clock.call_later(5, lambda: seen.append(("nested", clock.now())))

    clock.call_later(10, first)
    assert clock.next_deadline() == NOON + timedelta(seconds=10)
    clock.advance(19)
    assert [name for name, _ in seen] == ["first", "nested"]
    clock.advance(100)
    assert [(name, (at - NOON).seconds) for name, at in seen] == [("first", 10), ("nested", 15), ("later", 20)]
    assert clock.next_deadline() is None


def test_the_system_clock_knows_its_timezone_and_calls_back() -> None:
    clock, done = SystemClock(), threading.Event()
    assert clock.now().tzinfo is not None
    clock.call_later(0.001, done.set)
    assert done.wait(5)
