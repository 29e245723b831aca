"""How many requests a second `hearthgraph batch` answers on one core, start and loading included."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.commands import run
from tests.benchmarks.figures import Figure
from tests.benchmarks.homes import turtle_home
from tests.benchmarks.sentences import HOUSE, SYNTHETIC

TITLE = "hearthgraph batch, on one core"
CASES = ("135 devices", "135 devices --execute", "data/house.ttl", "data/house.ttl --execute")
ROUNDS = 20
LEAST = 150.0  # requests a second


def measure(case: str) -> list[Figure]:
    """One batch of all sentences, so many times over, each line on the home as it was loaded."""
    name, *flags = case.removesuffix(" --execute"), *(["--execute"] if case.endswith(" --execute") else [])
    with TemporaryDirectory() as folder:
        home, sentences = _home(name, Path(folder))
        requests, results = Path(folder) / "requests.jsonl", Path(folder) / "results.jsonl"
        lines = [json.dumps({"id": f"{i}", "text": text}) for i, text in enumerate(sentences * ROUNDS)]
        requests.write_text("\n".join(lines) + "\n", encoding="utf-8")
        _one_core()
        done = run("batch", str(requests), "--home", str(home), "--out", str(results), *flags)
        answered = len(results.read_text(encoding="utf-8").splitlines())
    assert answered == len(lines)
    return [
        Figure(f"{answered} requests", answered / done.seconds, "a second", LEAST, at_least=True),
        Figure("memory", done.megabytes, "MB"),
    ]


def _home(name: str, folder: Path) -> tuple[Path, tuple[str, ...]]:
    if name.startswith("data/"):
        return Path(name), HOUSE
    path = folder / "home.ttl"
    path.write_bytes(turtle_home(int(name.split()[0])))
    return path, SYNTHETIC


def _one_core() -> None:
    """This process, and what it starts, on one core, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
