"""Threads that are used again, and copies of the store that are given out when they are ready."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import STATE, Literal, NamedNode, Quad
from server.strangers.copies import Copies
from server.workers import MOST_IDLE, Workers


def names(prefix: str) -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == prefix]


def soon(so: Callable[[], bool]) -> None:
    until = time.monotonic() + 90
    while not so():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_a_thread_that_has_nothing_to_do_takes_what_comes_next() -> None:
    workers, seen = Workers("again"), list[int]()
    for number in range(20):
        workers.do(lambda: seen.append(threading.get_ident()))
        soon(lambda number=number: len(seen) > number and workers.idle == 1)  # type: ignore[misc]
    assert len(set(seen)) == 1


def test_nothing_waits_for_a_thread_that_is_busy_and_few_are_kept() -> None:
    workers, over, under_way = Workers("busy"), threading.Event(), threading.Semaphore(0)

    def work() -> None:
        under_way.release()
        over.wait(30)

    for _ in range(MOST_IDLE + 10):
        workers.do(work)
    assert all(under_way.acquire(timeout=10) for _ in range(MOST_IDLE + 10))
    over.set()
    soon(lambda: len(names("busy")) == MOST_IDLE)


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    return EmbeddedStore.open(tmp_path / "store")


def changed(store: EmbeddedStore, value: str) -> None:
    store.write(insert=[Quad(NamedNode("urn:p"), NamedNode("urn:v"), Literal(value), STATE)])


def test_a_copy_is_given_to_nobody_before_it_is_published(
    store: EmbeddedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 100.0
    monkeypatch.setattr("server.strangers.copies.monotonic", lambda: seconds)
    copies = Copies(store, tmp_path / "copies", staleness=10)
    first = copies.current()
    assert copies.renewed() is None
    changed(store, "new")
    seconds = 108.0
    fresh = copies.renewed()
    assert fresh is not None
    assert copies.current() == first
    copies.publish(fresh)
    assert copies.current() == fresh
    copies.publish(first)
    assert copies.current() == fresh
    copies.close()


def test_what_is_written_now_is_seen_by_whoever_asks_next(store: EmbeddedStore, tmp_path: Path) -> None:
    copies = Copies(store, tmp_path / "copies", staleness=60)
    first = copies.current()
    changed(store, "new")
    assert copies.current() == first
    copies.expire()
    assert copies.current().writes == store.writes
    copies.close()
