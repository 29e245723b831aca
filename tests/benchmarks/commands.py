"""Running `hearthgraph` as a person does, with the time and the memory that it took."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended well: wall-clock seconds, the most memory that it held, and what it printed."""

    seconds: float
    megabytes: float
    output: str


def run(*arguments: str) -> Done:
    """Runs `hearthgraph` with arguments. Raises RuntimeError where it fails."""
    return python("-m", "engine.cli.main", *arguments)


def python(*arguments: str) -> Done:
    """Runs this Python with arguments. Raises RuntimeError where it fails."""
    start = time.perf_counter()
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    taken = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with status {process.returncode}.")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Done(taken, usage.ru_maxrss / unit, output)
