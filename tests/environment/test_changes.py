"""The hub of changes: everybody hears everything, nobody holds anybody up."""

from __future__ import annotations

import queue
import threading
from datetime import UTC, datetime

import pytest

from engine.environment.changes import Changed, ChangeHub, Resynchronise

NOON = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)


def changes(count: int) -> list[Changed]:
    return [Changed(f"urn:p{number}", None, number, NOON) for number in range(count)]


def test_every_subscriber_hears_every_change_in_order() -> None:
    hub = ChangeHub()
    with hub.subscribe() as one, hub.subscribe() as other:
        hub.publish(changes(3))
        for subscription in (one, other):
            assert [subscription.take(0) for _ in range(4)] == [*changes(3), None]
    assert len(hub) == 0


def test_a_slow_subscriber_is_dropped_and_told_and_the_others_go_on() -> None:
    hub = ChangeHub()
    slow, quick = hub.subscribe(limit=2), hub.subscribe(limit=10)
    hub.publish(changes(3))
    with pytest.raises(Resynchronise):
        slow.take(0)
    assert quick.take(0) == changes(1)[0]
    assert len(hub) == 1


def test_whoever_waits_is_woken_by_a_change_and_by_the_end() -> None:
    hub, heard = ChangeHub(), queue.Queue[Changed | None]()
    subscription = hub.subscribe()

    def listen() -> None:
        for _ in range(2):
            heard.put(subscription.take(5))

    listener = threading.Thread(target=listen)
    listener.start()
    hub.publish(changes(1))
    assert heard.get(timeout=5) == changes(1)[0]
    subscription.close()
    assert heard.get(timeout=5) is None
    listener.join(5)
