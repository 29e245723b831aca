"""How long things take to be loaded from Turtle and validated, to be registered, and to be read back from the store."""

from __future__ import annotations

from engine.graph.embedded import EmbeddedStore
from engine.things import door
from engine.things.description import turtle
from engine.things.registry import Registry
from tests.benchmarks.figures import Figure, seconds
from tests.benchmarks.homes import synthetic_home, turtle_home

TITLE = "Loading things"
CASES = ("135 devices", "1000 devices", "10000 devices")
BOUNDS = {135: 1.0, 10_000: 60.0}  # seconds, validated


def measure(case: str) -> list[Figure]:
    """Each way into a store of its own, in memory; in seconds."""
    devices = int(case.split()[0])
    content = turtle_home(devices)
    registry = Registry(EmbeddedStore.open(None))
    loaded = seconds(lambda: door.admit(registry, turtle.parse_text(content)))
    again = Registry(registry.store)
    read = seconds(lambda: again.things)
    assert len(registry.things) == len(again.things) == devices
    made = Registry(EmbeddedStore.open(None))
    things, quads = synthetic_home(devices)
    put = seconds(lambda: made.put(things, quads))
    return [
        Figure(f"from Turtle ({len(content) / 1e6:.1f} MB), validated", loaded, "s", BOUNDS.get(devices)),
        Figure("registered from Python", put, "s"),
        Figure("read back from the store", read, "s"),
    ]
