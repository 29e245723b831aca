"""Crawls another home: from one address along links, places before their contents, until no link is left or a limit is
reached."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import BindingError, HearthgraphError
from engine.model.vocabulary import Vocabulary
from engine.origins.hypermedia import links
from engine.origins.hypermedia.crawl import introduction, pages, reading
from engine.origins.hypermedia.crawl.fetching import Document, Fetcher
from engine.origins.hypermedia.crawl.frontier import Frontier, Lead, Limits
from engine.origins.hypermedia.crawl.pages import Page
from engine.origins.hypermedia.crawl.result import CrawlResult, Listener, Progress

WORKERS = 12
"""How many pages are under way at once."""
PLACES, THINGS = "workspaces", "artifacts"
AGAIN = 3
"""How often a place is read again because it changed while what is in it was read."""


@dataclass(frozen=True, slots=True)
class Before:
    """The result of the last visit to an address: the thing, the page's entity tag and time of change, and a digest of
    its statements."""

    thing: str
    etag: str = ""
    modified: str = ""
    digest: str = ""
    source: str = ""
    within: str | None = None


class Crawl:
    """One crawl. `before` has the results of the last one by address; `own` says which addresses are this home's own,
    which is not explored; `listen` hears of progress."""

    def __init__(
        self,
        fetcher: Fetcher,
        vocabulary: Vocabulary,
        limits: Limits,
        *,
        before: Mapping[str, Before] | None = None,
        own: Callable[[str], bool] = lambda _: False,
        listen: Listener = lambda _: None,
    ) -> None:
        self.findings = CrawlResult()
        self._fetcher, self._vocabulary = fetcher, vocabulary
        self._frontier = Frontier(limits, fetcher.traffic)
        self._before, self._own, self._listen = before or {}, own, listen
        self._tags: dict[str, tuple[Lead, Document]] = {}

    @property
    def seconds_left(self) -> float:
        """How long the rest of the exploration may take."""
        return self._frontier.seconds_left

    async def run(self, starts: list[Lead]) -> CrawlResult:
        """Crawls from these pages. Faults of pages are in the result, never raised."""
        self._frontier.add(starts)
        await self._work(PLACES, places=True)
        await self._work(THINGS, places=False)
        for _ in range(AGAIN):
            if not await self._changed_meanwhile():
                break
            await self._work(THINGS, places=False)
        self.findings.limits = tuple(self._frontier.reached)
        return self.findings

    # Pages

    async def _work(self, phase: str, *, places: bool) -> None:
        """Takes leads until none is left, several at once: each may bring more."""
        running: set[asyncio.Task[None]] = set()
        done = 0
        while True:
            while len(running) < WORKERS and (lead := self._frontier.take(places=places)) is not None:
                running.add(asyncio.create_task(self._look(lead)))
            if not running:
                break
            finished, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in finished:
                task.result()
            done += len(finished)
            self._listen(Progress(phase, done, done + len(running) + self._frontier.waiting))
        self._listen(Progress(phase, done, done))

    async def _look(self, lead: Lead) -> None:
        """Fetches and reads one page; faults are noted."""
        if self._own(lead.url):
            return
        known = self._before.get(lead.url)
        try:
            document = await self._fetcher.get(
                lead.url, etag=known.etag if known else "", modified=known.modified if known else ""
            )
            await self._take_in(lead, document, known)
        except HearthgraphError as error:
            await self._missed(lead, error)

    async def _missed(self, lead: Lead, error: HearthgraphError) -> None:
        """A page that cannot be used. The first one may be a server's front door: then it is asked where its things
        are, at the address that is agreed on for that."""
        if lead.introduced and (door := introduction.well_known(lead.url)) not in self._frontier.seen:
            self._frontier.add([replace(lead, url=door, source=lead.url, depth=lead.depth + 1, introduced=False)])
            return
        self.findings.trouble(lead.url, error)

    async def _take_in(self, lead: Lead, document: Document, known: Before | None) -> None:
        if document.url != lead.url and (self._own(document.url) or not self._frontier.meet(document.url)):
            return
        if document.gone:
            self.findings.gone.add(lead.url)
            raise BindingError("Nothing is there any more.", reason="no_such_thing")
        self.findings.read |= {lead.url, document.url}
        if document.unchanged and known is not None:
            self._as_before(lead, known)
            return
        page = pages.read(document)
        if page.listed:
            await self._list(lead, page)
        else:
            self._read(lead, page)

    def _as_before(self, lead: Lead, known: Before) -> None:
        self.findings.same.add(known.thing)
        self.findings.links.setdefault(lead.source, set()).add(lead.url)

    def _read(self, lead: Lead, page: Page) -> None:
        content = reading.read(page, lead, self._vocabulary)
        found = self.findings
        found.warnings += page.warnings
        for url, error in content.refused:
            found.trouble(url, error)
        for place in content.places:
            if not self._own(place.iri):
                found.add_place(place)
        for thing in content.things:
            if not self._own(thing.iri):
                found.add_thing(thing)
        if any(place.own for place in content.places) and page.document.etag:
            self._tags[page.url] = lead, page.document
        self._follow(lead, page, content)
        if lead.introduced and not (content.things or content.places or content.leads or content.directory):
            raise BindingError("There is nothing on this page that could be explored.", reason="bad_answer")

    def _follow(self, lead: Lead, page: Page, content: reading.Content) -> None:
        self.findings.links.setdefault(page.url, set()).update(one.url for one in content.leads)
        self._frontier.add(content.leads)
        if content.directory is not None:
            self._frontier.add([Lead(content.directory, lead.depth + 1, page.url, lead.within, place=True)])

    # Lists

    async def _list(self, lead: Lead, page: Page) -> None:
        """Reads the members of a directory's page one by one, and follows the link to the next page."""
        for number, content in enumerate(page.members):
            self._member(lead, page, content, number)
        if page.next is not None and page.next not in self._frontier.seen:
            self._frontier.add([replace(lead, url=page.next, place=True, introduced=False)])

    def _member(self, lead: Lead, page: Page, content: Mapping[str, Any], number: int) -> None:
        """One description of a list. A thing that has a page of its own on the same server is looked at there."""
        identity = content.get("id", content.get("@id"))
        where = f"{page.url}#{number}" if not isinstance(identity, str) else identity
        self.findings.links.setdefault(page.url, set()).add(where)
        if links.origin(where) and self._own(where):
            return
        try:
            self._read(lead, pages.described(page.document, content, listed=True))
        except HearthgraphError as error:
            self.findings.trouble(where, error)

    # What changes under it

    async def _changed_meanwhile(self) -> bool:
        """Asks once more for the places that have entity tags and reads changed ones anew. Returns whether any has new
        leads."""
        again = [(lead, document) for lead, document in self._tags.values() if not self._frontier.exhausted()]
        self._tags = {}
        found = await _several([self._ask_again(lead, document) for lead, document in again])
        return any(found)

    async def _ask_again(self, lead: Lead, before: Document) -> bool:
        try:
            document = await self._fetcher.get(before.url, etag=before.etag)
            if document.unchanged or document.etag == before.etag:
                return False
            led = self.findings.links.get(before.url)
            self._forget(before.url)
            if document.gone:
                self.findings.gone.add(before.url)
                return True
            self._read(lead, pages.read(document))
            return self.findings.links.get(before.url) != led
        except HearthgraphError as error:
            self.findings.trouble(before.url, error)
            return False

    def _forget(self, url: str) -> None:
        """Drops the places and links read from a page, so that pages it alone led to are no longer linked."""
        self.findings.links.pop(url, None)
        places = self.findings.places
        for iri in [iri for iri, place in places.items() if place.source == url]:
            del places[iri]


async def _several(work: list[Awaitable[bool]]) -> list[bool]:
    turn = asyncio.Semaphore(WORKERS)

    async def one(task: Awaitable[bool]) -> bool:
        async with turn:
            return await task

    return list(await asyncio.gather(*map(one, work)))
