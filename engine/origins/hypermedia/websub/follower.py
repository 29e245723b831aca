"""Keeps explored homes up to date: by WebSub where there are hubs, else by polling."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import cast

from engine.environment.state import VALUE, State
from engine.errors import HearthgraphError
from engine.graph.terms import Json, NamedNode, python
from engine.origins.hypermedia import links, provenance
from engine.origins.hypermedia.crawl import pages, reading
from engine.origins.hypermedia.crawl.fetching import Document, Fetcher
from engine.origins.hypermedia.crawl.frontier import Lead
from engine.origins.hypermedia.crawl.pages import Page
from engine.origins.hypermedia.crawl.result import Topic
from engine.origins.hypermedia.provenance import Origin
from engine.origins.hypermedia.websub.subscriber import News, Standing, Subscriber, Subscription
from engine.things.registry import Registry

_log = logging.getLogger(__name__)

DRAIN_SECONDS = 0.02
"""How long values are gathered before they are written together."""
VERIFY_SECONDS = 15.0
"""How long a hub may take to ask whether a subscription was meant; then the topic is polled."""
RENEW = 0.8
"""The part of a lease after which it is renewed."""
QUIET = 10
"""How many times rarer a topic is looked at that a hub tells of: whether the hub is silent, and should not be."""
GRACE_SECONDS = 1.0
"""How long news may be on their way."""
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 600.0
"""Seconds before a hub that refused or kept silent is asked again; each time twice as long."""


@dataclass(slots=True)
class Followed:
    """A followed topic: its things, its subscription, and its last content."""

    topic: Topic
    start: str
    things: frozenset[str]
    subscription: Subscription | None = None
    document: Document | None = None
    shape: frozenset[str] | None = None
    heard: float = 0.0
    polls: int = 0
    told: int = 0
    pause: float = FIRST_PAUSE
    stands: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def by_push(self) -> bool:
        """Whether a hub tells of changes."""
        return self.subscription is not None and self.subscription.active


class Follower:
    """Follows all topics that one exploration, named by its first page, has found. To be used on one loop.

    `read` reads the properties of things by their own forms; `again` has the home explored again, where more than
    values has changed.
    """

    def __init__(
        self,
        start: str,
        fetcher: Fetcher,
        subscriber: Subscriber,
        registry: Registry,
        state: State,
        *,
        callbacks: Callable[[], str | None],
        poll_seconds: float,
        read: Callable[[Iterable[str]], object],
        again: Callable[[str], object],
    ) -> None:
        self.start, self.followed = start, dict[str, Followed]()
        self._fetcher, self._subscriber, self._registry, self._state = fetcher, subscriber, registry, state
        self._callbacks, self._poll_seconds, self._read, self._again = callbacks, poll_seconds, read, again
        self._pending: dict[str, Json] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._drainer: asyncio.Task[None] | None = None
        self._origins: Mapping[str, Origin] = {}

    # What is followed

    def renew(self) -> None:
        """Follows topics found since, and ends those that are gone."""
        self._origins = {
            iri: one for iri, one in provenance.explored(self._registry.store).items() if one.start == self.start
        }
        wanted = {one.topic.url: one for one in self._topics()}
        for url in [url for url in self.followed if url not in wanted]:
            self._tasks.pop(url).cancel()
            self._drop(self.followed.pop(url))
        for url, one in wanted.items():
            if url in self.followed:
                self.followed[url].things = one.things
            else:
                self.followed[url] = one
                self._tasks[url] = asyncio.get_running_loop().create_task(self._follow(one))

    def _topics(self) -> Iterable[Followed]:
        """The topics to follow: workspaces with hubs, then the artifacts that are in none of these."""
        things = {iri: one for iri, one in self._origins.items() if iri in self._registry.things}
        joined = {
            one.source: one
            for iri, one in self._origins.items()
            if iri in self._registry.places and one.topic is not None and one.topic.hubs
        }
        for place in joined.values():
            inside = frozenset(iri for iri, one in things.items() if one.linked_from == place.source)
            if place.topic is not None:
                yield Followed(place.topic, self.start, inside)
        for iri, one in things.items():
            if one.linked_from not in joined:
                yield Followed(one.topic or Topic(one.source), self.start, frozenset((iri,)))

    @property
    def properties(self) -> frozenset[str]:
        """The properties that are kept up to date."""
        known = self._registry.things
        things = {iri for one in self.followed.values() for iri in one.things}
        return frozenset(prop.iri for iri in things if iri in known for prop in known[iri].properties)

    async def close(self) -> None:
        """Ends it, and tells hubs that nobody listens any more."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(2.0):
                await asyncio.gather(*(self._leave(one) for one in self.followed.values()), return_exceptions=True)
        self.followed.clear()
        await self._fetcher.close()

    async def _leave(self, one: Followed) -> None:
        callbacks = self._callbacks()
        if one.subscription is not None and one.subscription.active and callbacks is not None:
            await self._fetcher.send(self._subscriber.request(one.subscription, callbacks, "unsubscribe"))

    def _drop(self, one: Followed) -> None:
        if one.subscription is not None:
            self._subscriber.end(one.subscription)

    # One topic

    async def _follow(self, one: Followed) -> None:
        """Follows a topic for ever: by push as long as a hub stands by it, else by polling."""
        while True:
            try:
                if await self._subscribed(one):
                    await self._listen(one)
                else:
                    await self._poll_for_a_while(one)
            except HearthgraphError as error:
                _log.info("%s cannot be followed at present: %s", one.topic.url, error)
                await asyncio.sleep(self._poll_seconds)

    async def _subscribed(self, one: Followed) -> bool:
        """Asks the hubs in turn; whether one of them has verified."""
        callbacks = self._callbacks()
        for hub in one.topic.hubs if callbacks is not None else ():
            subscription = self._fresh(one, hub)
            one.stands.clear()
            try:
                assert callbacks is not None
                await self._fetcher.send(self._subscriber.request(subscription, callbacks))
                async with asyncio.timeout(VERIFY_SECONDS):
                    await one.stands.wait()
            except (HearthgraphError, TimeoutError) as error:
                _log.info("the hub %s does not tell of %s: %s", hub, one.topic.url, error)
            if subscription.active:
                one.pause = FIRST_PAUSE
                return True
            self._subscriber.end(subscription)
            one.subscription = None
        return False

    def _fresh(self, one: Followed, hub: str) -> Subscription:
        """The subscription at a hub: the one that there is, to be renewed, else a new one."""
        held = one.subscription
        if held is None or held.hub != hub or held.standing in (Standing.ENDED, Standing.DENIED):
            if held is not None:
                self._subscriber.end(held)
            one.subscription = self._subscriber.open(one.topic.url, hub)
        assert one.subscription is not None
        return one.subscription

    async def _listen(self, one: Followed) -> None:
        """Watches a topic until its lease is to be renewed: reads once for changes before it began, and polls now and
        then to see whether the hub is silent although there is news."""
        assert one.subscription is not None
        await self._look(one)
        renewal = monotonic() + one.subscription.lease * RENEW
        while one.by_push and (left := renewal - monotonic()) > 0:
            one.stands.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, self._poll_seconds * QUIET)):
                    await one.stands.wait()
                continue
            if monotonic() < renewal and await self._is_silent(one):
                _log.warning("the hub of %s is silent; it is polled", one.topic.url)
                self._drop(one)
                one.subscription = None
                await self._poll_for_a_while(one)
                return

    async def _is_silent(self, one: Followed) -> bool:
        """Whether there is something new of which nothing was told in time."""
        told = one.told
        if not await self._look(one):
            return False
        await asyncio.sleep(GRACE_SECONDS)
        return one.told == told

    async def _poll_for_a_while(self, one: Followed) -> None:
        """Asks again and again; where there is a hub, until it is time to try it again."""
        until = monotonic() + one.pause if one.topic.hubs and self._callbacks() is not None else float("inf")
        one.pause = min(2 * one.pause, LONGEST_PAUSE)
        while monotonic() < until:
            await asyncio.sleep(min(self._poll_seconds, max(0.05, until - monotonic())))
            await self._look(one)

    async def _look(self, one: Followed) -> bool:
        """Reads the topic where it has changed; whether it had."""
        before = one.document
        etag, modified = (before.etag, before.modified) if before is not None else ("", "")
        document = await self._fetcher.get(one.topic.url, etag=etag, modified=modified)
        one.polls += 1
        if document.unchanged:
            return False
        if document.gone:
            self._again(self.start)
            return False
        changed = before is None or before.body != document.body
        one.document = document
        if changed:
            self.take_in(one, document)
        elif not (document.etag or document.modified):
            self._read(self._properties_of(one))
        return changed and before is not None

    # News

    def hear(self, news: News) -> None:
        """Takes the content of a topic that a hub pushed."""
        one = self.followed.get(news.subscription.topic)
        if one is None or one.subscription is not news.subscription:
            return
        one.told += 1
        one.heard = monotonic()
        url = links.canonical(one.topic.url) or one.topic.url
        before = one.document
        one.document = Document(url, url, 200, news.type, news.body, before.links if before else ())
        self.take_in(one, one.document)

    def stands(self, subscription: Subscription) -> None:
        """A hub has verified a subscription, or denied it."""
        one = self.followed.get(subscription.topic)
        if one is not None and one.subscription is subscription:
            one.stands.set()

    def take_in(self, one: Followed, document: Document) -> None:
        """Takes values out of a topic's content; where there are none, the things are asked. Where it leads elsewhere
        or describes otherwise than before, the home is explored again."""
        try:
            page = pages.read(document)
        except HearthgraphError as error:
            _log.info("what was told of %s cannot be read: %s", one.topic.url, error)
            self._read(self._properties_of(one))
            return
        values = self._values(one, page)
        if values:
            self._pending.update(values)
            self._drain_soon()
        elif one.things:
            self._read(self._properties_of(one))
        if self._differs(one, page):
            self._again(self.start)

    def _values(self, one: Followed, page: Page) -> dict[str, Json]:
        """The values that a page says, of properties of things that are found through it."""
        mine = self._properties_of(one)
        return {
            n.value: cast(Json, python(about[VALUE][0]))
            for n, about in page.facts.items()
            if VALUE in about and isinstance(n, NamedNode) and n.value in mine
        }

    def _properties_of(self, one: Followed) -> frozenset[str]:
        known = self._registry.things
        return frozenset(prop.iri for iri in one.things if iri in known for prop in known[iri].properties)

    def _differs(self, one: Followed, page: Page) -> bool:
        """Whether a page says something else than values otherwise than it did, or than when it was explored."""
        content = reading.read(page, Lead(page.url), self._registry.vocabulary)
        own = [found for found in (*content.places, *content.things) if found.own]
        led = frozenset(lead.url for lead in content.leads)
        shape = led | {found.iri + found.said for found in own}
        before, one.shape = one.shape, shape
        if before is not None:
            return shape != before
        inside = {origin.source for origin in self._origins.values() if origin.linked_from == page.url}
        told = {iri: origin.said for iri, origin in self._origins.items()}
        otherwise = any(told.get(found.iri) != found.said for found in own)
        return otherwise or bool(inside - led) or bool(led - inside - self._sources())

    def _sources(self) -> set[str]:
        return {origin.source for origin in self._origins.values()} | {self.start}

    # Writing

    def _drain_soon(self) -> None:
        if self._drainer is None or self._drainer.done():
            self._drainer = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        """Writes the gathered values in one update; where one is refused, the others are written one by one."""
        await asyncio.sleep(DRAIN_SECONDS)
        batch, self._pending = self._pending, {}
        known = self._registry.properties
        batch = {iri: value for iri, value in batch.items() if iri in known}
        if not self._written(batch):
            for iri, value in batch.items():
                self._written({iri: value})

    def _written(self, batch: Mapping[str, Json]) -> bool:
        try:
            self._state.write(batch)
        except HearthgraphError as error:
            _log.info("what was told is left out: %s", error)
            return False
        return True
