"""Whoever waits for the home goes before whoever asks about it, and nobody may call too often."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from server.rates import Window
from server.strangers import priority
from tests.homes import filled
from tests.server.serving import Serving, serving

HOSTILE = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
pytestmark = pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="the system has no idle class of processes")


def free(served: Serving) -> int:
    """The one process that answers queries, once it is free."""
    while not served.service.pool.processes:
        time.sleep(0.02)
    return served.service.pool.processes[0]


@pytest.mark.slow
def test_a_query_that_takes_long_runs_only_where_nobody_else_wants_to(tmp_path: Path) -> None:
    with (
        serving(filled(tmp_path / "store"), sparql_seconds=6.0, sparql_processes=1) as served,
        ThreadPoolExecutor() as at,
    ):
        quick = served.stranger.get("/sparql", params={"query": "ASK { ?a ?b ?c }"})
        process = free(served)
        assert quick.json()["boolean"] is True
        assert (os.sched_getscheduler(process), os.getpriority(os.PRIO_PROCESS, process)) == (
            os.SCHED_OTHER,
            priority.NICENESS,
        )
        hostile = at.submit(served.stranger.get, "/sparql", params={"query": HOSTILE}, timeout=60)
        while os.sched_getscheduler(process) != os.SCHED_IDLE:
            assert not hostile.done()
            time.sleep(0.05)
        assert hostile.result().json()["reason"] == "query_stopped"
        assert free(served) != process


def test_a_process_that_was_set_back_comes_forward_again_where_that_is_allowed() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        priority.set_back(process.pid)
        assert os.sched_getscheduler(process.pid) == os.SCHED_IDLE
        forward = priority.bring_forward(process.pid)
        assert forward == (os.sched_getscheduler(process.pid) == os.SCHED_OTHER)
        assert 0.0 <= priority.spent(process.pid) < 60.0
        process.communicate(b"\n")
    assert priority.spent(process.pid) == float("inf")


def test_a_window_counts_by_key_and_forgets_when_it_is_over() -> None:
    now = [100.0]
    window = Window(2, 1.0, lambda: now[0])
    assert [window.hit("a") for _ in range(3)] == [True, True, False]
    assert window.hit("b")
    now[0] += 1.0
    assert window.hit("a")
