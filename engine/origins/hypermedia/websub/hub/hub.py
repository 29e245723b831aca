"""The hub: takes and verifies subscriptions, and pushes new versions of topics to subscribers.

https://www.w3.org/TR/websub/ . Topics are the resources below `/workspaces`; the content pushed is the content read
there.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2s
from pathlib import Path
from time import monotonic, time
from urllib.parse import urlsplit

import httpx

from engine.environment.changes import Resynchronise
from engine.environment.http.addresses import PublicHosts
from engine.environment.http.loop import LoopThread
from engine.environment.state import State
from engine.errors import BindingError, HearthgraphError, InputError
from engine.graph.store import GraphStore
from engine.origins.hypermedia.platform.resources import Resource, find
from engine.origins.hypermedia.platform.web import Webs
from engine.origins.hypermedia.websub.hub import wishes
from engine.origins.hypermedia.websub.hub.deliveries import Deliveries, Patience
from engine.origins.hypermedia.websub.hub.sender import Content, Sender
from engine.origins.hypermedia.websub.hub.subscriptions import NoRoom, Room, Subscription, Subscriptions
from engine.origins.hypermedia.websub.hub.wishes import SUBSCRIBE, Wish

_log = logging.getLogger(__name__)
LOOK = 0.25
"""Seconds after which things that came and went are noticed."""


@dataclass(frozen=True, slots=True)
class Leases:
    """How long subscriptions last, in seconds; none lasts for ever."""

    least: int = 60
    most: int = 864_000
    usual: int = 86_400

    def granted(self, asked: int | None) -> int:
        """The lease in seconds for the number asked for, within the limits; the usual one for None."""
        return self.usual if asked is None else max(self.least, min(asked, self.most))


@dataclass(frozen=True, slots=True)
class Limits:
    """`gap` seconds lie between two versions of a topic at least, and more where there are many subscribers, so that no
    more than `rate` calls go out a second; a subscriber has `seconds` to answer. `asked` requests may be in
    verification, and `at_once` calls at one host; expired subscriptions are dropped every `sweep` seconds."""

    leases: Leases = field(default_factory=Leases)
    room: Room = field(default_factory=Room)
    patience: Patience = field(default_factory=Patience)
    gap: float = 0.05
    rate: float = 400.0
    seconds: float = 10.0
    at_once: int = 100
    asked: int = 200
    sweep: float = 1.0


@dataclass(slots=True)
class _Topic:
    """A subscribed topic: the properties in its content, and its last content and time."""

    address: str
    properties: frozenset[str] = field(default_factory=frozenset)
    last: float = 0.0
    said: bytes = b""
    waiting: bool = False


class Hub:
    """The hub of one home. Its thread begins with the first subscription. Close it.

    Raises SettingError where the file `kept` of its subscriptions cannot be used."""

    def __init__(
        self,
        webs: Webs,
        state: State,
        store: GraphStore,
        *,
        hosts: PublicHosts,
        kept: Path | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._webs, self._state, self._store, self._hosts = webs, state, store, hosts
        self.limits = limits or Limits()
        self.subscriptions = Subscriptions(kept, self.limits.room)
        self._topics: dict[str, _Topic] = {}
        self._loop = LoopThread("hearthgraph-hub")
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._listener: threading.Thread | None = None
        self.asked = 0  # wishes that are being verified
        self._sender: Sender | None = None
        self._deliveries: Deliveries | None = None
        self._saving = False
        self._tasks: set[asyncio.Task[None]] = set()
        if len(self.subscriptions):
            self._begin()

    def accept(self, form: Mapping[str, str], base: str) -> None:
        """Accepts a subscription request, to be verified. `base` is this platform's address as the subscriber knows it.

        Raises InputError (no_such_topic for a topic that is none here), BindingError (host_not_allowed) for a callback
        in a private place, NoRoom.
        """
        wish = wishes.read(form)
        self._hosts.check(httpx.URL(wish.callback))
        if wish.mode == SUBSCRIBE:
            if find(self._webs.at(base), wish.topic) is None:
                raise InputError(
                    "There is no such topic here.", remedy="Take the one of the self link.", reason="no_such_topic"
                )
            self.subscriptions.check_room((wish.topic, wish.callback))
        if self.asked >= self.limits.asked:
            raise NoRoom("Too many subscriptions wait to be verified.", remedy="Ask again later.")
        self._begin()
        self.asked += 1
        self._submit(self._verified(wish))

    def close(self) -> None:
        """Lets subscribers go until the next start."""
        self._ending.set()
        if self._listener is not None:
            self._listener.join(5)
        self._loop.close(self._ended)
        with suppress(OSError):
            self.subscriptions.save()

    # The event loop

    def _begin(self) -> None:
        with self._lock:
            if self._listener is not None:
                return
            self._submit(self._started()).result(10)
            self._listener = threading.Thread(target=self._listen, name="hearthgraph-hub-news", daemon=True)
            self._listener.start()

    def _submit(self, work: object) -> Future[None]:
        return self._loop.submit(work)  # type: ignore[arg-type]

    async def _started(self) -> None:
        limits = self.limits
        self._sender = Sender(self._hosts, limits.seconds, limits.at_once)
        self._deliveries = Deliveries(self.subscriptions, self._sender, limits.patience, self._over)
        for address in self.subscriptions.topics():
            self._follow(address)
        self._wake(self._topics.values())
        self._tasks.add(asyncio.get_running_loop().create_task(self._sweep()))

    async def _ended(self) -> None:
        if self._sender is not None:
            await self._sender.close()

    async def _sweep(self) -> None:
        """Drops expired subscriptions, again and again."""
        while True:
            await asyncio.sleep(self.limits.sweep)
            for one in self.subscriptions.drop_expired(time()):
                self._left(one)

    # Verification

    async def _verified(self, wish: Wish) -> None:
        """Asks the subscriber whether it meant it, once more where it could not be reached; then it is so."""
        try:
            lease = self.limits.leases.granted(wish.lease)
            asked, meant = time(), await self._meant(wish, lease)
            if meant is None:
                await asyncio.sleep(self.limits.patience.first_pause)
                asked, meant = time(), await self._meant(wish, lease)
            if not meant:
                return
            if wish.mode == SUBSCRIBE:
                await self._join(Subscription(wish.topic, wish.callback, asked + lease, wish.secret))
            elif (known := self.subscriptions.find((wish.topic, wish.callback))) is not None:
                self._leave(known)
        except Exception:  # noqa: BLE001 - one subscriber's fault is nobody else's
            _log.exception("a subscription could not be verified")
        finally:
            self.asked -= 1

    async def _meant(self, wish: Wish, lease: int) -> bool | None:
        assert self._sender is not None
        said = {"hub.mode": wish.mode, "hub.topic": wish.topic, "hub.challenge": secrets.token_urlsafe(24)}
        if wish.mode == SUBSCRIBE:
            said["hub.lease_seconds"] = str(lease)
        return await self._sender.confirmed(wish.callback, said)

    async def _join(self, subscription: Subscription) -> None:
        try:
            self.subscriptions.put(subscription)
        except NoRoom as full:
            await self._denied(subscription, str(full))
            return
        self._follow(subscription.topic)
        self._save_soon()

    def _leave(self, subscription: Subscription) -> None:
        self.subscriptions.drop(subscription.key)
        self._left(subscription)

    def _left(self, subscription: Subscription) -> None:
        assert self._deliveries is not None
        self._deliveries.forget(subscription.key)
        if not self.subscriptions.of(subscription.topic):
            self._topics.pop(subscription.topic, None)
        self._save_soon()

    def _over(self, subscription: Subscription, said: bool) -> None:
        """A subscriber that said that it is gone, or that takes nothing any more."""
        self._leave(subscription)
        if not said:
            _log.info("a subscriber of %s is given up", subscription.topic)
            self._deny(subscription, "Nothing could be delivered for too long.")

    def _deny(self, subscription: Subscription, reason: str) -> None:
        task = asyncio.get_running_loop().create_task(self._denied(subscription, reason))
        self._tasks.add(task)  # the loop itself keeps none
        task.add_done_callback(self._tasks.discard)

    async def _denied(self, subscription: Subscription, reason: str) -> None:
        assert self._sender is not None
        said = {"hub.mode": "denied", "hub.topic": subscription.topic, "hub.reason": reason}
        await self._sender.tell(subscription.callback, said)

    # Distribution

    def _follow(self, address: str) -> None:
        """Knows from now on when a topic changes."""
        if address not in self._topics:
            found = self._found(address)
            told = found[0].properties if found is not None else frozenset()
            self._topics[address] = _Topic(address, told)

    def _found(self, address: str) -> tuple[Resource, str] | None:
        parts = urlsplit(address)
        return find(self._webs.at(f"{parts.scheme}://{parts.netloc}"), address)

    def _wake(self, topics: Iterable[_Topic]) -> None:
        """Has topics looked at, none more often than there is time for."""
        loop = asyncio.get_running_loop()
        gap = max(self.limits.gap, len(self.subscriptions) / self.limits.rate)
        for topic in topics:
            if not topic.waiting:
                topic.waiting = True
                loop.call_later(max(0.0, topic.last + gap - monotonic()), self._look, topic)

    def _look(self, topic: _Topic) -> None:
        """Pushes the content of a topic to its subscribers, where it is new."""
        topic.waiting, topic.last = False, monotonic()
        if self._topics.get(topic.address) is not topic:
            return
        try:
            content = self._content(topic)
        except HearthgraphError:
            _log.exception("a topic could not be written")
            return
        if content is None:
            self._gone(topic)
            return
        mark = blake2s(content.body, digest_size=16).digest()
        if mark != topic.said:
            topic.said = mark
            assert self._deliveries is not None
            for one in self.subscriptions.of(topic.address):
                self._deliveries.offer(one.key, content)

    def _content(self, topic: _Topic) -> Content | None:
        found = self._found(topic.address)
        if found is None:
            return None
        resource, media = found
        topic.properties = resource.properties
        parts = urlsplit(topic.address)
        hub = self._webs.at(f"{parts.scheme}://{parts.netloc}").at.hub
        return Content(resource.topic(media), hub, resource.type(media), resource.forms[media]().encode())

    def _gone(self, topic: _Topic) -> None:
        """Ends the subscriptions to a topic whose resource is gone, and tells the subscribers."""
        for one in self.subscriptions.of(topic.address):
            self._leave(one)
            self._deny(one, "What this was about is gone.")

    # News

    def _listen(self) -> None:
        """Hears of changes and hands them to the event loop, many at once."""
        generation = self._store.generation
        news = self._state.hub.subscribe(limit=10_000)
        while not self._ending.is_set():
            changed: set[str] | None = set()
            try:
                first = news.take(LOOK)
                while first is not None and changed is not None:
                    changed.add(first.property)
                    first = news.take(0)
            except Resynchronise:
                news, changed = self._state.hub.subscribe(limit=10_000), None
            if self._store.generation != generation:
                generation, changed = self._store.generation, None
            if changed is None or changed:
                with suppress(BindingError):  # closed in between
                    self._submit(self._changed(changed))
        news.close()

    async def _changed(self, properties: set[str] | None) -> None:
        """Wakes the topics that tell of properties; all of them for None."""
        topics = [one for one in self._topics.values() if properties is None or one.properties & properties]
        self._wake(topics)

    def _save_soon(self) -> None:
        """Writes the subscriptions down in a moment, many changes at once."""
        if not self._saving:
            self._saving = True
            asyncio.get_running_loop().call_later(0.2, self._save)

    def _save(self) -> None:
        self._saving = False
        try:
            self.subscriptions.save()
        except OSError:
            _log.exception("the subscriptions could not be written down")
