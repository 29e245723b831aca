"""The explorer: finds its way through the web of another home from one address, and knows that home afterwards.

In the four phases of AmI HMAS (section 3.3): workspaces, artifacts, affordances, state.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

import httpx

from engine.environment.hands import live_binding
from engine.environment.http.addresses import is_this_machine
from engine.environment.http.binding import HttpBinding
from engine.environment.http.credentials import Credentials
from engine.environment.http.loop import LoopThread
from engine.environment.state import State
from engine.errors import BindingError, HearthgraphError, InputError
from engine.origins.hypermedia import links, provenance
from engine.origins.hypermedia.crawl import introduction
from engine.origins.hypermedia.crawl.crawler import PLACES, THINGS, Before, Crawl
from engine.origins.hypermedia.crawl.fetching import Fetcher, Traffic
from engine.origins.hypermedia.crawl.frontier import Limits
from engine.origins.hypermedia.crawl.ingest import Ingest, Ingested
from engine.origins.hypermedia.crawl.result import CrawlResult, Listener, Progress, Trouble
from engine.origins.hypermedia.crawl.scope import CrawlScope
from engine.origins.hypermedia.websub.follower import Follower
from engine.origins.hypermedia.websub.subscriber import News, Subscriber, Subscription
from engine.settings import Settings
from engine.things.registry import Registry

_log = logging.getLogger(__name__)

LOOPBACK = ("localhost", "127.0.0.1", "::1")
AGAIN_SECONDS = 0.5
"""How long a change of what there is, and not only of values, is let rest before a home is explored again."""
AFFORDANCES, STATE = "affordances", "state"
PHASES = (PLACES, THINGS, AFFORDANCES, STATE)


@dataclass(frozen=True, slots=True)
class Exploration:
    """The result of an exploration: the IRIs of new, updated, unchanged and retired things; the number of their
    affordances; the traffic; and the pages that could not be used. `seconds` has the time of each phase."""

    start: str
    places: tuple[str, ...]
    new: tuple[str, ...]
    updated: tuple[str, ...]
    same: tuple[str, ...]
    retired: tuple[str, ...]
    affordances: int
    values: int
    unread: int
    requests: int
    bytes: int
    hosts: int
    seconds: dict[str, float]
    troubles: tuple[Trouble, ...] = ()
    warnings: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()

    @property
    def things(self) -> tuple[str, ...]:
        """The things that are known of it now."""
        return self.new + self.updated + self.same

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON."""
        return asdict(self)


@dataclass(slots=True)
class _Clocked:
    """Notes how long each phase takes, and passes on how far it is."""

    listen: Listener
    seconds: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.monotonic)

    def heard(self, progress: Progress) -> None:
        now = time.monotonic()
        self.seconds[progress.phase] = self.seconds.get(progress.phase, 0.0) + now - self._since
        self._since = now
        self.listen(progress)


class Explorer:
    """Explores other homes into this one. To be closed. `own` are the addresses under which this home is served itself,
    which are never explored; `callbacks` is the address of this home below which hubs can call, None where they cannot;
    `now` tells the time."""

    def __init__(self, registry: Registry, state: State, settings: Settings, now: Callable[[], datetime]) -> None:
        self.own: set[str] = set()
        self._registry, self._state, self._settings, self._now = registry, state, settings, now
        self._credentials = Credentials.load(settings.credentials_file)
        self._loop = LoopThread("hearthgraph-explorer")
        self._turn = asyncio.Lock()
        self.callbacks: str | None = None
        self.subscriber = Subscriber(self._hear, self._stands)
        self._followers: dict[str, Follower] = {}
        self._soon: dict[str, asyncio.Task[None]] = {}
        self._reading: HttpBinding | None = None

    def explore(self, start: str, limits: Limits | None = None, listen: Listener = lambda _: None) -> Exploration:
        """Crawls from an address and takes the places and things found, with their state, into the home. Results of an
        earlier exploration from the same address are updated.

        Raises InputError for an address that is none of HTTP; faults of pages are in the result.
        """
        return self._loop.submit(self._explore(start, limits or Limits(), listen)).result()

    def follow(self, start: str) -> None:
        """Keeps the results of an exploration up to date until it is closed: by hubs where `callbacks` gives an address
        of ours that they can call, else by polling.

        Raises InputError for an address that is none of HTTP.
        """
        url = introduction.direct(start).url
        provenance.follow(self._registry.store, url, True)
        self._loop.submit(self._follow(url)).result()

    def served(self, url: str) -> None:
        """Says at which address this home is served: there it is not explored by itself, and hubs can call it, unless
        the setting `public_url` says where."""
        public, here = self._settings.public_url or url, httpx.URL(url)
        names = [*self._settings.server_names, *(LOOPBACK if is_this_machine(here) else ())]
        self.own |= {url, public, *(str(here.copy_with(host=name)) for name in names)}
        if self.callbacks is None or self._settings.public_url:
            self.callbacks = f"{public.rstrip('/')}/callbacks"

    def resume(self) -> None:
        """Follows again all explorations that were followed when the home was closed, as soon as it can."""
        for start in provenance.followed(self._registry.store):
            self._loop.submit(self._follow(start))

    def unfollow(self, start: str) -> None:
        """Ends the updates of an exploration. Raises InputError where it was not followed."""
        url = introduction.direct(start).url
        if url not in self._followers:
            raise InputError(f"{url} is not followed.", remedy="Ask which are.", reason="no_such_thing")
        provenance.follow(self._registry.store, url, False)
        self._loop.submit(self._followers.pop(url).close()).result()

    @property
    def followed(self) -> frozenset[str]:
        """The properties that are kept up to date here."""
        return frozenset(prop for one in list(self._followers.values()) for prop in one.properties)

    def standing(self) -> list[dict[str, Any]]:
        """The followed topics: the first page of the exploration, the topic's address, whether a hub pushes it, and the
        numbers of pushes and polls."""
        return [
            {"start": start, "topic": url, "push": one.by_push, "told": one.told, "asked": one.polls}
            for start, follower in list(self._followers.items())
            for url, one in list(follower.followed.items())
        ]

    def close(self) -> None:
        """Cancels running work, and unsubscribes at hubs."""
        self._loop.close(self._leave)
        if self._reading is not None:
            self._reading.close()

    async def _leave(self) -> None:
        for follower in self._followers.values():
            await follower.close()

    async def _follow(self, start: str) -> None:
        if start not in self._followers:
            scope = CrawlScope([start], self._settings.allowed_hosts, Limits().hosts)
            fetcher = Fetcher(scope, self._credentials, self._settings.device_seconds)
            self._followers[start] = Follower(
                start,
                fetcher,
                self.subscriber,
                self._registry,
                self._state,
                callbacks=lambda: self.callbacks,
                poll_seconds=self._settings.poll_seconds,
                read=lambda properties: self._binding().refresh(properties, self._settings.device_seconds),
                again=self._explore_soon,
            )
        self._followers[start].renew()

    def _explore_soon(self, start: str) -> None:
        """Has a home explored again in a moment: changes seldom come alone."""
        if start not in self._soon:
            self._soon[start] = asyncio.get_running_loop().create_task(self._explore_again(start))

    async def _explore_again(self, start: str) -> None:
        await asyncio.sleep(AGAIN_SECONDS)
        del self._soon[start]
        try:
            await self._explore(start, Limits(), lambda _: None)
        except HearthgraphError as error:
            _log.info("%s cannot be explored again at present: %s", start, error)

    def _hear(self, news: News) -> None:
        def heard() -> None:
            for one in self._followers.values():
                one.hear(news)

        self._later(heard)

    def _stands(self, subscription: Subscription) -> None:
        def stood() -> None:
            for one in self._followers.values():
                one.stands(subscription)

        self._later(stood)

    def _later(self, work: Callable[[], None]) -> None:
        async def done() -> None:
            work()

        with suppress(BindingError):  # it is closed
            self._loop.submit(done())

    def is_own(self, url: str) -> bool:
        """Whether an address is one of this home's own."""
        return links.origin(url) in {links.origin(own) for own in self.own}

    async def _explore(self, start: str, limits: Limits, listen: Listener) -> Exploration:
        async with self._turn:
            lead = introduction.direct(start)
            clocked = _Clocked(listen)
            scope = CrawlScope([lead.url], self._settings.allowed_hosts, limits.hosts)
            fetcher = Fetcher(scope, self._credentials, self._settings.device_seconds)
            before = self._before(lead.url)
            crawl = Crawl(
                fetcher, self._registry.vocabulary, limits, before=before, own=self.is_own, listen=clocked.heard
            )
            try:
                findings = await crawl.run([lead])
            finally:
                await fetcher.close()
            ingested = await asyncio.to_thread(self._ingest, lead.url, findings, clocked)
            values, unread = await self._read(ingested, crawl.seconds_left)
            clocked.heard(Progress(STATE, values, values + unread))
            for follower in self._followers.values():
                follower.renew()
            return self._told(lead.url, ingested, (values, unread), fetcher.traffic, clocked.seconds, findings)

    def _ingest(self, start: str, findings: CrawlResult, clocked: _Clocked) -> Ingested:
        """Writes the results of a crawl, and reports progress."""
        ingest = Ingest(
            self._registry,
            start,
            self._now(),
            tuple(self._followers),
            lambda done, all_: clocked.heard(Progress(AFFORDANCES, done, all_)),
        )
        ingested = ingest.take_in(findings)
        clocked.heard(Progress(AFFORDANCES, len(ingested.things), len(ingested.things)))
        return ingested

    def _told(
        self,
        start: str,
        ingested: Ingested,
        values: tuple[int, int],
        traffic: Traffic,
        seconds: dict[str, float],
        findings: CrawlResult,
    ) -> Exploration:
        return Exploration(
            start,
            tuple(ingested.places),
            tuple(ingested.new),
            tuple(ingested.updated),
            tuple(ingested.same),
            tuple(ingested.retired),
            self._affordances(ingested.things),
            *values,
            traffic.requests,
            traffic.bytes,
            len(traffic.hosts),
            seconds,
            tuple(findings.troubles),
            tuple(dict.fromkeys(findings.warnings)),
            findings.limits,
        )

    def _before(self, start: str) -> dict[str, Before]:
        known = provenance.explored(self._registry.store)
        return {
            origin.source: Before(iri, origin.etag, origin.modified)
            for iri, origin in known.items()
            if origin.start == start and origin.etag + origin.modified and iri in self._registry.things
        }

    def _affordances(self, things: Iterable[str]) -> int:
        known = self._registry.things
        found = (known[iri] for iri in things if iri in known)
        return sum(len(one.properties) + len(one.actions) + len(one.events) for one in found)

    async def _read(self, ingested: Ingested, seconds: float) -> tuple[int, int]:
        """Reads how the things are, by their own forms; how many values came, and how many did not."""
        known = self._registry.things
        things = [known[iri] for iri in ingested.things if iri in known]
        wanted = [p for thing in things for p in thing.properties if not p.schema.write_only]
        began = self._now()
        await asyncio.to_thread(self._state.refresh)
        await asyncio.wrap_future(self._binding().refresh([p.iri for p in wanted], seconds))
        heard = [p for p in wanted if (at := self._state.observed_at(p.iri)) is not None and at >= began]
        return len(heard), len(wanted) - len(heard)

    def _binding(self) -> HttpBinding:
        """The binding that reads properties, made when first needed: also in a home whose own things are simulated."""
        if self._reading is None:
            self._reading = live_binding(self._registry, self._state, self._settings)
        return self._reading
