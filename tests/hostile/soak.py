"""A day of changes through the door of a server: what it takes of memory and disk, and how long it starts after a kill.

`python -m tests.hostile.soak HOURS [STORE]` prints a line for each simulated hour, and fails where one took more than
400 MB of memory; a day takes about an hour. `make soak` takes the first half hour of one, some minutes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from tests.homes import filled
from tests.hostile.processes import ROOT, start

RATE = 100  # changes in a second of the home's time
LOOK = 20  # seconds of the home's time from one look at memory and disk to the next
KILL = 3 * 3600  # seconds of the home's time from one kill to the next
MOST_MEMORY = 400_000_000
SERVER = """
import os, sys
from pathlib import Path
from tests.server.serving import serving
with serving(Path(sys.argv[1]), now="2026-01-01T00:00:00+00:00") as house:
    print(house.url, house.token, flush=True)
    house.service.home.assistant.refresh()
    house.service.store.keep_derived()  # as `hearthgraph serve` does
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads the log
    for line in sys.stdin:
        house.service.home.clock.advance(1)
"""


@dataclass(slots=True)
class Taken:
    """The most of a stretch of time, in bytes, and the slowest call in seconds."""

    changes: int = 0
    memory: int = 0
    disk: int = 0
    slowest: float = 0.0

    def look(self, memory: int, disk: int) -> None:
        self.memory, self.disk = max(self.memory, memory), max(self.disk, disk)

    def told(self) -> str:
        return (
            f"{self.changes:>8} changes, memory {self.memory / 1e6:4.0f} MB, disk {self.disk / 1e6:4.0f} MB, "
            f"slowest call {self.slowest:.2f} s"
        )


class Writer:
    """A server with a clock that is moved by hand, and one connection that writes to it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        url, token = process.stdout.readline().split()
        self.process = process
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=120)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        state = json.loads(self._call("GET", None))
        self._numbers = [iri for iri, value in state.items() if type(value) in (int, float)]
        self._next = count()

    def second(self) -> int:
        """A second's changes are written; how many there were."""
        changes, left = 0, RATE
        while left > 0:
            wanted = [next(self._next) for _ in range(min(left, len(self._numbers)))]
            values = {self._numbers[n % len(self._numbers)]: 1 + n % 37 for n in wanted}
            changes += len(json.loads(self._call("POST", json.dumps(values))))
            left -= len(wanted)
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return changes

    def _call(self, method: str, body: str | None) -> bytes:
        self._connection.request(method, "/state", body, self._headers)
        answer = self._connection.getresponse()
        text = answer.read()
        assert answer.status == 200, text
        return text

    def memory(self) -> int:
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * 4096


@contextmanager
def writer(store: Path) -> Iterator[Writer]:
    """Serves a store in a process that is killed at the end."""
    command = [sys.executable, "-c", SERVER, str(store)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Writer(process)
        finally:
            process.kill()


def disk(store: Path) -> int:
    """The bytes of a store that is being written to."""
    total = 0
    for file in store.rglob("*"):
        try:
            total += file.stat().st_size
        except FileNotFoundError:  # a compaction has just taken it away
            continue
    return total


def soaked(store: Path, seconds: int) -> Iterator[Taken]:
    """What each hour of so many seconds of changes takes; the process is killed now and then."""
    done = 0
    hour = Taken()
    while done < seconds:
        with writer(store) as written:
            for second in range(done, min(seconds, done + KILL)):
                began = time.perf_counter()
                hour.changes += written.second()
                hour.slowest = max(hour.slowest, time.perf_counter() - began)
                if second % LOOK == 0:
                    hour.look(written.memory(), disk(store))
                if (second + 1) % 3600 == 0 or second + 1 == seconds:
                    yield hour
                    hour = Taken()
            done = second + 1
        print(f"killed; a server answers after {started(store):.2f} s", file=sys.stderr, flush=True)


def started(store: Path) -> float:
    """Seconds until a server of its own answers over a store."""
    began = time.perf_counter()
    process, _, _ = start(store)
    taken = time.perf_counter() - began
    process.terminate()
    process.wait()
    return taken


def main(hours: float, store: Path) -> None:
    for number, hour in enumerate(soaked(store, int(hours * 3600)), 1):
        print(f"{time.strftime('%H:%M:%S')} hour {number:>2}: {hour.told()}", flush=True)
        if hour.memory > MOST_MEMORY:
            sys.exit(f"more than {MOST_MEMORY / 1e6:.0f} MB of memory")


if __name__ == "__main__":
    given = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(tempfile.mkdtemp(prefix="soak-")) / "store"
    main(float(sys.argv[1]), given if given.exists() else filled(given))
