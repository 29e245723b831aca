"""News of what changed, for whoever listens: bounded queues, so that a slow listener holds nobody up."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType

from engine.graph.terms import Json


@dataclass(frozen=True, slots=True)
class Changed:
    """A property that has another value than before; `property` is its IRI."""

    property: str
    before: Json
    after: Json
    at: datetime


class Resynchronise(Exception):
    """The listener was too slow and missed something: it is no subscriber any more.

    It subscribes again and then reads the state afresh.
    """


class Subscription:
    """A bounded queue of changes. Use it as a context manager, or `close` it."""

    def __init__(self, hub: ChangeHub, limit: int) -> None:
        self._hub = hub
        self._limit = limit
        self._queue: deque[Changed] = deque()
        self._ready = threading.Condition()
        self._lost = False
        self._closed = False

    def take(self, timeout: float | None = None) -> Changed | None:
        """The next change, waited for `timeout` seconds (None: for ever); None when none came, or when closed.

        Raises Resynchronise when changes were missed.
        """
        with self._ready:
            self._ready.wait_for(lambda: self._queue or self._lost or self._closed, timeout)
            if self._lost:
                raise Resynchronise
            return self._queue.popleft() if self._queue else None

    def close(self) -> None:
        """Ends the subscription and wakes whoever waits for it."""
        self._hub.leave(self)
        with self._ready:
            self._closed = True
            self._ready.notify_all()

    def offer(self, changes: Iterable[Changed]) -> bool:
        """Queues the changes; False when they do not fit and the subscription is lost. For the hub alone."""
        with self._ready:
            self._queue.extend(changes)
            if len(self._queue) > self._limit:
                self._queue.clear()
                self._lost = True
            self._ready.notify_all()
            return not self._lost

    def __enter__(self) -> Subscription:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class ChangeHub:
    """Hands every change to every subscription. Publishing never waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscriptions: list[Subscription] = []

    def subscribe(self, limit: int = 1000) -> Subscription:
        """A subscription to all changes from now on, of which at most `limit` may wait."""
        subscription = Subscription(self, limit)
        with self._lock:
            self._subscriptions.append(subscription)
        return subscription

    def publish(self, changes: Iterable[Changed]) -> None:
        """Hands the changes on, in order; those that cannot take them are dropped."""
        batch = tuple(changes)
        if not batch:
            return
        with self._lock:
            self._subscriptions = [one for one in self._subscriptions if one.offer(batch)]

    def leave(self, subscription: Subscription) -> None:
        """Ends a subscription, if it is one still."""
        with self._lock:
            self._subscriptions = [one for one in self._subscriptions if one is not subscription]

    def __len__(self) -> int:
        return len(self._subscriptions)
