"""News of changed values and of events, for any number of listeners: bounded queues, so that a slow one holds nobody
up."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Generic, TypeVar

from engine.graph.terms import Json


@dataclass(frozen=True, slots=True)
class Changed:
    """A property that has another value than before; `property` is its IRI."""

    property: str
    before: Json
    after: Json
    at: datetime


@dataclass(frozen=True, slots=True)
class Happened:
    """An event from a device; `event` is its IRI, `data` its payload (None: nothing)."""

    event: str
    data: Json
    at: datetime


News = TypeVar("News")


class Resynchronise(Exception):
    """The listener was too slow and missed something: it is no subscriber any more.

    It subscribes again and then reads the state afresh.
    """


class Subscription(Generic[News]):
    """A bounded queue of news. Use it as a context manager, or `close` it."""

    def __init__(self, hub: Hub[News], limit: int) -> None:
        self._hub = hub
        self._limit = limit
        self._queue: deque[News] = deque()
        self._ready = threading.Condition()
        self._lost = False
        self._closed = False

    def take(self, timeout: float | None = None) -> News | None:
        """The next of the news, waited for `timeout` seconds (None: for ever); None when none came, or when closed.

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

    def offer(self, changes: Iterable[News]) -> bool:
        """Queues the changes; False when they do not fit and the subscription is lost. For the hub alone."""
        with self._ready:
            self._queue.extend(changes)
            if len(self._queue) > self._limit:
                self._queue.clear()
                self._lost = True
            self._ready.notify_all()
            return not self._lost

    def __enter__(self) -> Subscription[News]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Hub(Generic[News]):
    """Hands all news to every subscription. Publishing never waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscriptions: list[Subscription[News]] = []
        self.closed = False

    def subscribe(self, limit: int = 1000) -> Subscription[News]:
        """A subscription to all news from now on, of which at most `limit` may wait."""
        subscription = Subscription(self, limit)
        with self._lock:
            self._subscriptions.append(subscription)
        if self.closed:
            subscription.close()
        return subscription

    def close(self) -> None:
        """Ends all subscriptions, those to come as well."""
        self.closed = True
        for subscription in self._subscriptions:
            subscription.close()

    def publish(self, changes: Iterable[News]) -> None:
        """Hands the changes on, in order; those that cannot take them are dropped."""
        batch = tuple(changes)
        if not batch:
            return
        with self._lock:
            self._subscriptions = [one for one in self._subscriptions if one.offer(batch)]

    def leave(self, subscription: Subscription[News]) -> None:
        """Ends a subscription, if it is one still."""
        with self._lock:
            self._subscriptions = [one for one in self._subscriptions if one is not subscription]

    def __len__(self) -> int:
        return len(self._subscriptions)


class ChangeHub(Hub[Changed]):
    """News of properties."""


class EventHub(Hub[Happened]):
    """News of events."""
