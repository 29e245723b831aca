"""Servers in processes of their own, to be stopped and killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from engine.cli.through import beside

ROOT = Path(__file__).resolve().parents[2]


def start(store: Path, *, heard: bool = False) -> tuple[subprocess.Popen[bytes], str, str]:
    """A server of its own that answers, its address and its token; what it complains of can be read where it is
    `heard`."""
    address = beside(store) / "address.json"
    address.unlink(missing_ok=True)
    command = [sys.executable, "-m", "engine.cli.main", "--store", str(store), "serve"]
    variables = os.environ | {"HEARTHGRAPH_PORT": "0", "PYTHONPATH": str(ROOT)}
    errors = subprocess.PIPE if heard else subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=variables)
    deadline = time.perf_counter() + 300  # on a machine that has other things to do
    while not address.exists():
        if process.poll() is not None or time.perf_counter() > deadline:
            process.kill()
            said = process.communicate()[1]
            raise AssertionError(f"the server did not start: {said!r}")
        time.sleep(0.02)
    url = json.loads(address.read_text(encoding="utf-8"))["url"]
    return process, url, (beside(store) / "token").read_text().strip()


def most_memory(process: int) -> int:
    """The most bytes of memory that a process has had so far."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) << 10
