"""How long it takes to explore homes of 135 devices that another process serves, and what is asked of it for that."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.cli.through import ADDRESS, beside
from engine.hearthgraph import Hearthgraph
from engine.settings import load
from tests.benchmarks.figures import Figure
from tests.benchmarks.homes import synthetic_home

TITLE = "Exploring homes of 135 devices over HTTP: all pages, descriptions and state"
CASES = ("1 home", "3 homes", "10 homes")
DEVICES = 135
PATIENCE = 120.0
REQUESTS, SECONDS = 3.0, 1.0
"""Bounds for each thing: a description and its state, with the rooms around it; and how long that may take, also where
the machine is busy with other things."""


def measure(case: str) -> list[Figure]:
    """The figures of one case: exploring, and exploring again when nothing has changed."""
    things = int(case.split()[0]) * DEVICES
    settings = load(live=True, device_seconds=60.0)
    with served(things) as url, Hearthgraph.open(None, settings=settings) as home:
        first = home.explorer.explore(f"{url}/workspaces")
        again = home.explorer.explore(f"{url}/workspaces")
        assert len(first.new) == len(again.same) == things, (len(first.new), first.troubles[:3], again.troubles[:3])
        assert first.unread == 0
        spent, later = sum(first.seconds.values()), sum(again.seconds.values())
        return [
            Figure("explored", spent, "s"),
            Figure("a thing", spent / things, "s", SECONDS),
            *(Figure(f"  of that: {phase}", seconds, "s") for phase, seconds in first.seconds.items()),
            Figure("requests", first.requests, ""),
            Figure("requests a thing, state by its own", (first.requests + things) / things, "", REQUESTS),
            Figure("fetched", first.bytes / 2**20, "MB"),
            Figure("explored again", later, "s"),
            Figure("fetched again", again.bytes / 2**20, "MB"),
        ]


@contextmanager
def served(things: int) -> Iterator[str]:
    """So many things, served by a process of its own until the end of the block; where it answers."""
    with TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        with Hearthgraph.open(store) as home:
            home.register(*synthetic_home(things))
        environment = {**os.environ, "HEARTHGRAPH_STORE": str(store), "HEARTHGRAPH_PORT": "0"}
        command = [sys.executable, "-m", "engine.cli.main", "serve"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield _address(beside(store) / ADDRESS)
        finally:
            process.terminate()
            process.wait(30)


def _address(file: Path) -> str:
    end = time.monotonic() + PATIENCE
    while not file.is_file():
        assert time.monotonic() < end, "the server does not begin"
        time.sleep(0.1)
    url: str = json.loads(file.read_text(encoding="utf-8"))["url"]
    return url
