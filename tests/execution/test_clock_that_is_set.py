"""Somebody sets the clock of the home while a plan waits: durations stay what they are, times of day are its own."""

from __future__ import annotations

from datetime import datetime, timedelta

from engine.environment.clock import SystemClock
from engine.execution import behaviours
from engine.execution.behaviours import RunContext
from engine.execution.runner import Execution, Runner
from engine.model.plan import Plan


class Settable(SystemClock):
    """The system's clock, so many hours fast."""

    fast = timedelta()

    def now(self) -> datetime:
        return super().now() + self.fast


def test_a_duration_is_as_long_where_the_clock_is_set_back(home, t) -> None:
    clock, runner = Settable(), Runner()
    tree = t.sequence(t.wait(0.5), t.action("lamp"))
    future = runner.submit(Execution(Plan("urn:a", tree), RunContext(home, home.state, clock), ticks=100, seconds=60))
    clock.fast = timedelta(hours=-1)
    assert future.result(timeout=20).success
    clock.fast = timedelta()
    waiting = Execution(Plan("urn:b", t.wait(1000)), RunContext(home, home.state, clock), ticks=100, seconds=6000)
    future = runner.submit(waiting)
    clock.fast = timedelta(hours=5)
    runner._wake.set()
    assert not future.done()
    waiting.cancel()
    assert future.result(timeout=20).reason == "cancelled"
    runner.close()


def test_a_time_of_day_comes_when_the_clock_shows_it(home, t, monkeypatch) -> None:
    monkeypatch.setattr(behaviours, "LOOK_AT_CLOCK", timedelta(seconds=0.05))
    clock, runner = Settable(), Runner()
    at = (clock.now() + timedelta(hours=1)).isoformat()
    tree = t.sequence({"type": "wait_until", "at": at}, t.action("lamp"))
    future = runner.submit(
        Execution(Plan("urn:a", tree), RunContext(home, home.state, clock), ticks=1000, seconds=9000)
    )
    clock.fast = timedelta(hours=1)
    assert future.result(timeout=20).success
    runner.close()
