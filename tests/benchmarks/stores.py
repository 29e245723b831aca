"""What a request costs on each kind of store: its whole time, as a person waits for it, and its round trips."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from engine import settings
from engine.dialogue.assistant import Consent
from engine.environment.clock import SimulatedClock
from engine.graph.embedded import EmbeddedStore
from engine.graph.remote.access import at
from engine.graph.remote.store import RemoteStore
from engine.hearthgraph import Hearthgraph
from tests.benchmarks.figures import Figure, percentile, seconds
from tests.benchmarks.homes import synthetic_home
from tests.benchmarks.sentences import HOUSE
from tests.stores import start_oxigraph, start_virtuoso, virtuoso_access

TITLE = "A request, understood, planned, run and journalled, by store"
CASES = (
    "memory",
    "directory",
    "Oxigraph",
    "Oxigraph, no mirror",
    *(("Virtuoso",) if shutil.which("virtuoso-t") else ()),
)
NOON = datetime.fromisoformat("2026-03-01T12:00:00+01:00")
MOST_TRIPS = 5


def measure(case: str) -> list[Figure]:
    """Each sentence once, on the house of `data/`; in milliseconds and round trips."""
    with tempfile.TemporaryDirectory() as folder, _store(case, Path(folder)) as opening:
        times: list[float] = []
        trips: list[float] = []
        with opening() as store, Hearthgraph(store, SimulatedClock(NOON), settings.load()) as home:
            home.load([Path("data/house.ttl")])
            home.ask("good morning", consent=Consent.PLAN)  # the words of the home are read here, once
            for sentence in HOUSE:
                before = store.round_trips
                times.append(seconds(lambda text=sentence: home.ask(text, consent=Consent.ALL)) * 1000)  # type: ignore[misc]
                trips.append(store.round_trips - before)
            things = synthetic_home(135)
            loading = seconds(lambda: home.register(*things))
        again = seconds(lambda: opening().close())
    bound = MOST_TRIPS if case in ("Oxigraph", "Virtuoso") else None
    return [
        Figure(f"{len(times)} requests, p50", percentile(times, 0.5), "ms"),
        Figure(f"{len(times)} requests, p99", percentile(times, 0.99), "ms"),
        Figure("round trips, p50", percentile(trips, 0.5), ""),
        Figure("round trips, most", max(trips), "", bound),
        Figure("135 things registered", loading, "s"),
        Figure("opened again", again, "s"),
    ]


@contextmanager
def _store(case: str, folder: Path) -> Iterator:  # type: ignore[type-arg]
    """What opens the store of a case, for as long as its server runs."""
    if case in ("memory", "directory"):
        yield lambda: EmbeddedStore.open(folder / "store" if case == "directory" else None)
        return
    server = start_virtuoso(folder) if case == "Virtuoso" else start_oxigraph(folder, on_disk=True)
    access = virtuoso_access(server.base) if case == "Virtuoso" else at(server.base, mirrored="no" not in case)
    try:
        yield lambda: RemoteStore.open_at(access)
    finally:
        server.stop()
