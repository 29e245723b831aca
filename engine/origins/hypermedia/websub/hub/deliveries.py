"""Delivers versions of a topic to one subscriber: the newest one, again where it failed, until patience is at its end.

Each subscription has a task of its own while there is something to send, and of waiting versions only the newest is
kept: a slow subscriber holds up nobody, and a dead one costs one call now and then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic, time

from engine.origins.hypermedia.websub.hub.sender import Content, Fate, Sender
from engine.origins.hypermedia.websub.hub.subscriptions import Key, Subscription, Subscriptions

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one goes on with a subscriber that fails, in seconds: a version is sent `tries` times, each pause twice
    as long as the one before it, up to `longest_pause`; who has taken nothing for `dead` is given up."""

    tries: int = 5
    first_pause: float = 1.0
    longest_pause: float = 300.0
    dead: float = 3_600.0


@dataclass(slots=True)
class _Line:
    """The delivery queue of one subscriber, one version long."""

    pending: Content | None = None
    tries: int = 0
    failures: int = 0
    failing_since: float = 0.0
    not_before: float = 0.0
    task: asyncio.Task[None] | None = field(default=None)


class Deliveries:
    """Runs in one event loop. `lost` is told of a subscription that is over, and whether its subscriber said so."""

    def __init__(
        self,
        subscriptions: Subscriptions,
        sender: Sender,
        patience: Patience,
        lost: Callable[[Subscription, bool], None],
    ) -> None:
        self._subscriptions, self._sender, self._patience, self._lost = subscriptions, sender, patience, lost
        self._lines: dict[Key, _Line] = {}

    def offer(self, key: Key, content: Content) -> None:
        """Has a version sent, in the place of one that waits still."""
        line = self._lines.setdefault(key, _Line())
        line.pending, line.tries = content, 0
        if line.task is None:
            line.task = asyncio.get_running_loop().create_task(self._run(key, line))

    def forget(self, key: Key) -> None:
        """Drops the queue of a subscription; a delivery under way is finished."""
        self._lines.pop(key, None)

    async def _run(self, key: Key, line: _Line) -> None:
        try:
            while line.pending is not None and self._lines.get(key) is line:
                await asyncio.sleep(max(0.0, line.not_before - monotonic()))
                subscription = self._subscriptions.find(key)
                if subscription is None or subscription.until <= time():
                    self._lines.pop(key, None)
                    return
                await self._send(subscription, line)
        except Exception:  # noqa: BLE001 - the others hear all the same
            _log.exception("a subscriber could not be told")
        finally:
            line.task = None

    async def _send(self, subscription: Subscription, line: _Line) -> None:
        content = line.pending
        assert content is not None
        fate = await self._sender.deliver(subscription.callback, content, subscription.secret)
        if fate is Fate.FAILED:
            self._failed(subscription, line, content)
            return
        line.failures = 0
        if line.pending is content:
            line.pending = None
        if fate is Fate.GONE:
            self._give_up(subscription, said=True)

    def _failed(self, subscription: Subscription, line: _Line, content: Content) -> None:
        now, patience = monotonic(), self._patience
        if line.failures == 0:
            line.failing_since = now
        line.failures += 1
        line.tries += 1
        pause = min(patience.first_pause * 2 ** min(line.failures - 1, 30), patience.longest_pause)
        line.not_before = now + pause
        if now - line.failing_since >= patience.dead:
            self._give_up(subscription, said=False)
        elif line.pending is content and line.tries >= patience.tries:
            line.pending = None  # of this version; the next one is tried again

    def _give_up(self, subscription: Subscription, *, said: bool) -> None:
        self._lines.pop(subscription.key, None)
        self._lost(subscription, said)
