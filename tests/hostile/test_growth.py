"""What is written again and again takes no more and no more memory and disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import RdfFormat, Store, parse

from engine.graph import flushing
from engine.graph.flushing import Flusher
from engine.hearthgraph import Hearthgraph
from tests.homes import filled
from tests.waiting import until

MEGABYTE = 1_000_000
LOGS = 32 * MEGABYTE  # what is written and not merged yet, which does not grow with the data
SOAK = """
import json, sys
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from engine.environment.clock import SimulatedClock
from engine.graph.embedded import EmbeddedStore
from engine.hearthgraph import Hearthgraph
from engine.settings import load

store, seconds, at_once = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
memory = lambda: int(Path("/proc/self/statm").read_text().split()[1]) * 4096
def size(file):
    try:
        return file.stat().st_size
    except FileNotFoundError:  # a compaction has just taken it away
        return 0
disk = lambda: sum(size(file) for file in store.rglob("*"))
clock = SimulatedClock(datetime(2026, 1, 1, tzinfo=UTC))
with Hearthgraph(EmbeddedStore.open(store), clock, load(store=store)) as home:
    numbers = [i for i, v in home.state.items() if isinstance(v, (int, float)) and not isinstance(v, bool)]
    most_memory, most_disk, number, changes, curve = 0, 0, count(), 0, []
    for second in range(seconds):
        left = at_once
        while left > 0:
            clock.advance(1 / at_once)
            wanted = [(n % len(numbers), n) for n in (next(number) for _ in range(min(left, len(numbers))))]
            changes += len(home.state.write({numbers[place]: 1 + n % 37 for place, n in wanted}))
            left -= len(wanted)
        if second % 100 == 0:
            most_memory, most_disk = max(most_memory, memory()), max(most_disk, disk())
        if (second + 1) % max(1, seconds // 24) == 0:
            curve.append([changes, memory() // 10**6, disk() // 10**6])
            print(curve[-1], file=sys.stderr, flush=True)
    now = disk()
print(json.dumps({"memory": most_memory, "disk": most_disk, "end": now, "changes": changes, "curve": curve}))
"""


def size(store: Path) -> int:
    return sum(file.stat().st_size for file in store.rglob("*") if file.is_file())


def soaked(store: Path, seconds: int, at_once: int) -> tuple[dict[str, Any], int, float]:
    """What a process takes that writes so often in so many simulated seconds; the live data in bytes, and how many
    seconds a start takes."""
    command = [sys.executable, "-c", SOAK, str(store), str(seconds), str(at_once)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0
    began = time.perf_counter()
    with Hearthgraph.open(store) as home:
        start = time.perf_counter() - began
        home.store.dump(store.with_name("live.nq"))
    return json.loads(done.stdout), alone(store.with_name("live.nq")), start


def alone(dump: Path) -> int:
    """The bytes of a store that what is in a dump was written to once, in the way in which a home writes, and that was
    put in order since: what the data takes where nothing was ever written over."""
    path = dump.with_name("live")
    live = Store(str(path))
    live.extend(parse(path=str(dump), format=RdfFormat.N_QUADS))
    live.flush()
    del live
    Store(str(path)).optimize()  # opened anew, it has no log of what is in its files by now
    return size(path)


def test_a_store_that_is_written_to_stays_within_twice_its_data(tmp_path: Path) -> None:
    taken, live, _ = soaked(filled(tmp_path / "store"), 4000, 1)
    print(f"{taken}, live data {live}")
    assert taken["changes"] == 4000
    assert taken["disk"] <= 2 * live + LOGS
    assert taken["memory"] <= 400 * MEGABYTE


@pytest.mark.slow
def test_hours_of_a_hundred_changes_a_second_grow_nothing(tmp_path: Path) -> None:
    """One hour, or as many as SOAK_HOURS says: a day takes a quarter of an hour and more."""
    hours = int(os.environ.get("SOAK_HOURS", "1"))
    taken, live, start = soaked(filled(tmp_path / "store"), hours * 3600, 100)
    print(f"{taken}, live data {live}, start {start:.2f} s")
    assert taken["changes"] == hours * 3600 * 100
    assert taken["disk"] <= 2 * live + LOGS
    assert taken["memory"] <= 400 * MEGABYTE


class Flushed:
    def __init__(self) -> None:
        self.times = 0
        self.broken = False

    def flush(self) -> None:
        self.times += 1
        if self.broken:
            raise OSError("no space left")


def test_a_store_is_flushed_after_so_many_writes_and_after_so_long(caplog: pytest.LogCaptureFixture) -> None:
    store = Flushed()
    flusher = Flusher(store.flush, writes=10, seconds=3600)
    flusher.count(9)
    assert store.times == 0
    flusher.count(1)
    until(lambda: store.times == 1)
    flusher.close()
    patient = Flusher(store.flush, writes=10, seconds=0.05)
    patient.count(1)
    until(lambda: store.times == 2)
    store.broken = True
    patient.count(1)
    until(lambda: store.times == 3)
    patient.count(1)
    until(lambda: store.times == 4)
    patient.close()
    assert "could not be flushed" in caplog.text


def test_who_writes_faster_than_the_disk_takes_it_waits() -> None:
    """A flush that lasts holds no more than so many writes; the next ones wait until it is done."""

    class Slow:
        def __init__(self) -> None:
            self.begun, self.done = threading.Event(), threading.Event()

        def flush(self) -> None:
            self.begun.set()
            self.done.wait()

    store = Slow()
    flusher = Flusher(store.flush, writes=10, seconds=3600, ahead=30)
    flusher.count(10)
    assert store.begun.wait(60)
    flusher.count(29)
    flusher.wait()  # not far enough ahead yet
    flusher.count(1)
    through = threading.Event()
    writer = threading.Thread(target=lambda: (flusher.wait(), through.set()))
    writer.start()
    assert not through.wait(0.2)
    store.done.set()
    assert through.wait(60)
    writer.join()
    flusher.close()


def test_a_disk_that_hangs_stops_no_write_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hanging:
        def __init__(self) -> None:
            self.done = threading.Event()

        def flush(self) -> None:
            self.done.wait()

    monkeypatch.setattr(flushing, "LONGEST", 0.05)
    store = Hanging()
    flusher = Flusher(store.flush, writes=1, seconds=3600, ahead=1)
    flusher.count(1)
    flusher.count(5)
    flusher.wait()
    store.done.set()
    flusher.close()
