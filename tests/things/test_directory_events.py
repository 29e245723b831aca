"""The log of events: bounded, in order, and where a reader goes on."""

from __future__ import annotations

import threading

from engine.things.directory.events import Kind, Log


def filled(count: int, kept: int = 10) -> Log:
    log = Log(kept)
    for number in range(count):
        log.add(Kind.CREATED, f"urn:{number}")
    return log


def test_the_last_events_are_kept_and_no_more() -> None:
    log = filled(25)
    assert [event.number for event in log.after(0)] == list(range(16, 26))
    assert [event.iri for event in log.after(23)] == ["urn:23", "urn:24"]
    assert log.after(25) == []


def test_a_reader_goes_on_where_it_was() -> None:
    log = filled(5)
    assert log.cursor(None) == 5
    assert log.cursor(log.id(3)) == 3
    assert log.cursor(log.id(99)) == 5
    for other in (Log().id(3), "", "3", "-", "x-y", f"{log.id(3)}x", f"{log.id(3)[:-1]}²", "-" * 1000):
        assert log.cursor(other) == 0
    assert Log().state != Log().state


def test_a_reader_waits_for_news_and_is_woken_by_the_end() -> None:
    log = filled(1)
    assert log.after(1, seconds=0.05) == []
    threading.Timer(0.05, log.add, (Kind.DELETED, "urn:x")).start()
    assert [event.kind for event in log.after(1, seconds=90)] == [Kind.DELETED]
    threading.Timer(0.05, log.close).start()
    assert log.after(2, seconds=90) == []
    assert log.after(2, seconds=90) == []
