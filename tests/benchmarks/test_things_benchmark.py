"""How long things take to load, to register and to be read back; `make bench` prints the table."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from engine.graph.store import GraphStore
from engine.things import door, turtle
from engine.things.registry import Registry
from tests.benchmarks.homes import synthetic_home, turtle_home

BOUNDS = {135: 1.0, 10_000: 60.0}
"""Seconds within which so many things are loaded, validated (DESIGN, Numbers to design for)."""


def seconds(work: Callable[[], object]) -> float:
    """The processor time that `work` takes: other programs on the machine do not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


@pytest.mark.parametrize("devices", [135, pytest.param(10_000, marks=pytest.mark.slow)])
def test_loading(devices: int, capsys: pytest.CaptureFixture[str]) -> None:
    content = turtle_home(devices)
    registry = Registry(GraphStore.open(None))
    loaded = seconds(lambda: door.admit(registry, turtle.parse_text(content)))
    again = Registry(registry.store)
    read = seconds(lambda: again.things)
    made = Registry(GraphStore.open(None))
    things, quads = synthetic_home(devices)
    put = seconds(lambda: made.put(things, quads))
    assert len(registry.things) == len(again.things) == devices
    with capsys.disabled():
        print(f"\n{devices:6} things: load {loaded:.2f} s, put {put:.2f} s, read back {read:.2f} s")
    assert loaded <= BOUNDS[devices]
