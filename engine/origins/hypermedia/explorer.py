"""The explorer: finds its way through the web of another home from one address, and knows that home afterwards.

In the four phases of AmI HMAS (section 3.3): workspaces, artifacts, affordances, state.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from engine.environment.hands import live_binding
from engine.environment.http.binding import HttpBinding
from engine.environment.http.credentials import Credentials
from engine.environment.http.loop import LoopThread
from engine.environment.state import State
from engine.origins.hypermedia import introduction, links, provenance
from engine.origins.hypermedia.crawl import PLACES, THINGS, Before, Crawl
from engine.origins.hypermedia.fetching import Fetcher, Traffic
from engine.origins.hypermedia.findings import Findings, Listener, Progress, Trouble
from engine.origins.hypermedia.frontier import Limits
from engine.origins.hypermedia.settling import Settled, Settling
from engine.origins.hypermedia.territory import Territory
from engine.settings import Settings
from engine.things.registry import Registry

_log = logging.getLogger(__name__)

AFFORDANCES, STATE = "affordances", "state"
PHASES = (PLACES, THINGS, AFFORDANCES, STATE)


@dataclass(frozen=True, slots=True)
class Exploration:
    """What came of an exploration: things by IRI as they are new, otherwise than before, the same, or no more; how much
    they offer; how much was asked for; and what could not be used. `seconds` has the time of each phase."""

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
    which are never explored; `now` tells the time."""

    def __init__(self, registry: Registry, state: State, settings: Settings, now: Callable[[], datetime]) -> None:
        self.own: set[str] = set()
        self._registry, self._state, self._settings, self._now = registry, state, settings, now
        self._credentials = Credentials.load(settings.credentials_file)
        self._loop = LoopThread("hearthgraph-explorer")
        self._turn = asyncio.Lock()
        self._reading: HttpBinding | None = None

    def explore(self, start: str, limits: Limits | None = None, listen: Listener = lambda _: None) -> Exploration:
        """What there is from an address on, taken in: its places, its things, and how they are. What was found from the
        same address before is brought up to date.

        Raises InputError for an address that is none of HTTP, BindingError or InputError where the first page cannot be
        used; what is wrong with others is told in the result."""
        return self._loop.submit(self._explore(start, limits or Limits(), listen)).result()

    def close(self) -> None:
        """Gives up what is under way."""
        self._loop.close()
        if self._reading is not None:
            self._reading.close()

    def is_own(self, url: str) -> bool:
        """Whether an address is one of this home's own."""
        return links.origin(url) in {links.origin(own) for own in self.own}

    async def _explore(self, start: str, limits: Limits, listen: Listener) -> Exploration:
        async with self._turn:
            lead = introduction.direct(start)
            clocked = _Clocked(listen)
            territory = Territory([lead.url], self._settings.allowed_hosts, limits.hosts)
            fetcher = Fetcher(territory, self._credentials, self._settings.device_seconds)
            before = self._before(lead.url)
            crawl = Crawl(
                fetcher, self._registry.vocabulary, limits, before=before, own=self.is_own, listen=clocked.heard
            )
            try:
                findings = await crawl.run([lead])
            finally:
                await fetcher.close()
            settled = await asyncio.to_thread(self._settle, lead.url, findings, clocked)
            values, unread = await self._read(settled, crawl.seconds_left)
            clocked.heard(Progress(STATE, values, values + unread))
            return self._told(lead.url, settled, (values, unread), fetcher.traffic, clocked.seconds, findings)

    def _settle(self, start: str, findings: Findings, clocked: _Clocked) -> Settled:
        """Writes what was found, and says how far it is."""
        settling = Settling(
            self._registry, start, self._now(), lambda done, all_: clocked.heard(Progress(AFFORDANCES, done, all_))
        )
        settled = settling.take_in(findings)
        clocked.heard(Progress(AFFORDANCES, len(settled.things), len(settled.things)))
        return settled

    def _told(
        self,
        start: str,
        settled: Settled,
        values: tuple[int, int],
        traffic: Traffic,
        seconds: dict[str, float],
        findings: Findings,
    ) -> Exploration:
        return Exploration(
            start,
            tuple(settled.places),
            tuple(settled.new),
            tuple(settled.updated),
            tuple(settled.same),
            tuple(settled.retired),
            self._affordances(settled.things),
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

    async def _read(self, settled: Settled, seconds: float) -> tuple[int, int]:
        """Reads how the things are, by their own forms; how many values came, and how many did not."""
        known = self._registry.things
        wanted = [p for iri in settled.things if iri in known for p in known[iri].properties if not p.schema.write_only]
        began = self._now()
        await asyncio.to_thread(self._state.refresh)
        await asyncio.wrap_future(self._binding().refresh([p.iri for p in wanted], seconds))
        heard = [p for p in wanted if (at := self._state.observed_at(p.iri)) is not None and at >= began]
        return len(heard), len(wanted) - len(heard)

    def _binding(self) -> HttpBinding:
        """What reads properties: also in a home whose own things are simulated."""
        if self._reading is None:
            self._reading = live_binding(self._registry, self._state, self._settings)
        return self._reading
