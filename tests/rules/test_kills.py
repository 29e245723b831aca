"""Killed at any instant and started again, nothing is done twice and nothing is forgotten."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest

from engine import settings
from engine.environment.clock import SimulatedClock
from engine.graph.terms import REQUESTS, NamedNode
from engine.hearthgraph import Hearthgraph
from engine.model.rule import After, Daytime, Recurrence
from engine.rules import book as book_module
from engine.rules.book import State
from tests.rules.homes import BEGAN, house, is_on, make, put, turn, when

KILLS = int(os.environ.get("KILLS", "10"))
RULES, WAITS = int(os.environ.get("RULES", "40")), int(os.environ.get("WAITS", "20"))
"""KILLS=200 RULES=900 WAITS=100 is the long series."""
BEGAN_AT = NamedNode("http://www.w3.org/ns/prov#startedAtTime")


class Killed(BaseException):
    """What no code of ours catches: from here on nothing is carried out any more."""


@contextmanager
def killed_at(engine: Hearthgraph, writes: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The engine dies before its so manieth write to the store, or before the next command to a device."""
    left = [writes]
    write, send = engine.store.write, engine.assistant.binding.start

    def before(real: Any) -> Any:
        def wrapped(*args: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] <= 0:
                raise Killed
            return real(*args, **options)

        return wrapped

    with monkeypatch.context() as patched:
        patched.setattr(engine.store, "write", before(write))
        patched.setattr(engine.assistant.binding, "start", before(send))
        yield


@pytest.mark.slow
def test_kills_at_any_instant_lose_nothing_and_double_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_module, "REMEMBERED", 100_000)
    dice = random.Random(200)
    engine = house()
    for number in range(RULES):
        trigger: Any = Recurrence((Daytime(dice.randrange(24), dice.randrange(60)),))
        trigger = when(is_on("study-heater")) if number % 10 == 0 else trigger
        make(engine, trigger, turn("desk-lamp", number % 2 == 0), text=f"rule {number}")
    for number in range(WAITS):
        make(engine, After(dice.randrange(60, 86400 * 3)), turn("pantry-light"), text=f"wait {number}")
    now, kills = BEGAN, 0
    while kills < KILLS:
        now += timedelta(minutes=dice.randrange(1, 90))
        try:
            with killed_at(engine, dice.randrange(1, 40), monkeypatch):
                engine.pass_time((now - engine.clock.now()).total_seconds())
                put(engine, "study-heater#state", dice.choice(["on", "off"]))
        except Killed:
            kills += 1
            engine = Hearthgraph(engine.store, SimulatedClock(now), settings.load())
            engine.rules.attend()
    engine.pass_time(4 * 86400)
    book = engine.rules.book
    states = Counter(one.status for one in book.firings.values())
    assert states[State.BEGUN] == 0, "each has come to its end, or is told"
    assert len({one.text for one in book.firings.values() if one.text.startswith("wait")}) == WAITS, "none is lost"
    waits = Counter(one.text for one in book.firings.values() if one.text.startswith("wait"))
    assert set(waits.values()) == {1}, "none is doubled"
    began = begun_runs(engine)
    assert set(began.values()) <= {1}, "nothing is carried out twice"
    daily = Counter((one.text, one.due.date()) for one in book.firings.values() if one.text.startswith("rule"))
    timed = {key: number for key, number in daily.items() if int(key[0].split()[1]) % 10}
    assert set(timed.values()) == {1}


def begun_runs(engine: Hearthgraph) -> Counter[str]:
    """How often each run began, by its IRI."""
    found = engine.store.graph(REQUESTS)
    return Counter(quad.subject.value for quad in found if quad.predicate == BEGAN_AT)  # type: ignore[union-attr]
