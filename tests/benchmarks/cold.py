"""How long `hearthgraph ask` takes from a cold start to its end, on a home that is stored on disk."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.commands import run
from tests.benchmarks.figures import Figure, percentile
from tests.benchmarks.homes import turtle_home

TITLE = "hearthgraph ask, from a cold start"
CASES = ("135 devices", "data/house.ttl")
RUNS = 5
BOUND = 1.5  # seconds


def measure(case: str) -> list[Figure]:
    """The home is loaded once; then each run is a process of its own."""
    with TemporaryDirectory() as folder:
        home = Path(case)
        if not case.startswith("data/"):
            home = Path(folder) / "home.ttl"
            home.write_bytes(turtle_home(int(case.split()[0])))
        store = str(Path(folder) / "store")
        run("--store", store, "load", str(home))
        runs = [
            run("--store", store, "ask", "--yes", f"set the kitchen light to {10 + number} percent")
            for number in range(RUNS)
        ]
    taken = [one.seconds for one in runs]
    return [
        Figure(f"{RUNS} runs, p50", percentile(taken, 0.5), "s", BOUND),
        Figure(f"{RUNS} runs, longest", max(taken), "s", BOUND),
        Figure("memory", max(one.megabytes for one in runs), "MB"),
    ]
