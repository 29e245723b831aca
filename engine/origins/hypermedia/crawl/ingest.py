"""Ingests the result of a crawl into the graph: admits valid descriptions, updates known ones, retires those that are
gone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from engine.errors import InputError, ThingRefused
from engine.graph.terms import NamedNode, Triple, expand, node
from engine.model import thing_rdf as rdf
from engine.origins.hypermedia import links, provenance
from engine.origins.hypermedia.crawl.result import CrawlResult, Found
from engine.origins.hypermedia.provenance import Origin
from engine.things import door
from engine.things.registry import Registry

SAME = node("owl:sameAs")
BATCH = 64
"""How many things go through the door together; where one of them is refused, the others go again without it."""


@dataclass(slots=True)
class Ingested:
    """The outcome of an ingest: IRIs of new, updated, unchanged and retired things, and of places."""

    new: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)

    @property
    def things(self) -> list[str]:
        """The things that are here now."""
        return [*self.new, *self.updated, *self.same]


class Ingest:
    """Ingests the results of one exploration, named by its first page. `listen` hears how many things have come in.

    Things that are `followed` from another first page stay with that.
    """

    def __init__(
        self,
        registry: Registry,
        start: str,
        now: datetime,
        followed: Collection[str] = (),
        listen: Callable[[int, int], None] = lambda *_: None,
    ) -> None:
        self._registry, self._start, self._now, self._listen = registry, start, now, listen
        self._followed = frozenset(followed)
        self._known = provenance.explored(registry.store)
        self._done = 0

    def take_in(self, findings: CrawlResult) -> Ingested:
        """Writes new and changed descriptions. Refused ones are noted in the result of the crawl."""
        self._drop_unlinked(findings)
        self._drop_doubles(findings)
        ingested = Ingested(same=sorted(findings.same & self._registry.things.keys()))
        places = self._sound_places(findings)
        ingested.places = sorted(places)
        self._admit([place for place in places.values() if self._differs(place)], findings, places)
        fresh: list[Found] = []
        for thing in findings.things.values():
            if thing.iri in findings.same or not self._may_be(thing, findings):
                continue
            if self._has_better(thing, findings):
                ingested.same.append(thing.iri)
            elif self._differs(thing) or thing.iri not in self._registry.things:
                fresh.append(thing)
            else:
                ingested.same.append(thing.iri)
        before = set(self._registry.things)
        for number in range(0, len(fresh), BATCH):
            taken = self._admit(fresh[number : number + BATCH], findings, places)
            ingested.new += [iri for iri in taken if iri not in before]
            ingested.updated += [iri for iri in taken if iri in before]
            self._listen(min(number + BATCH, len(fresh)), len(fresh))
        ingested.retired = self._retire(findings)
        return ingested

    # What may come in

    def _drop_unlinked(self, findings: CrawlResult) -> None:
        """Drops things whose link was gone once all pages had been read."""
        linked = {url for urls in findings.links.values() for url in urls}
        for iri, thing in list(findings.things.items()):
            lost = thing.linked_from in findings.read and thing.source not in linked
            if lost and thing.own and thing.linked_from not in findings.gone:
                del findings.things[iri]

    def _drop_doubles(self, findings: CrawlResult) -> None:
        """A thing that a directory lists, and that says on its own page on the same server that it is the same, is one
        thing: that of its own page."""
        own = [thing for thing in findings.things.values() if thing.own]
        said = {(links.origin(one.source), t.object) for one in own for t in one.triples if t.predicate == SAME}
        for iri, thing in list(findings.things.items()):
            if not thing.own and (links.origin(thing.source), thing.subject) in said:
                del findings.things[iri]

    def _may_be(self, found: Found, findings: CrawlResult) -> bool:
        """Whether a thing may come in under its address: nobody else has it, or had it from a less sure source."""
        known, origin = self._registry.things.get(found.iri), self._known.get(found.iri)
        if known is None or (origin is not None and _surer(found, origin)):
            return True
        holder = "this home" if origin is None else origin.source
        error = ThingRefused(
            f"{found.source} calls a thing {found.iri}, and so does {holder}.",
            node=found.iri,
            shape=expand("hg:OneThingShape"),
            remedy="Ask whoever runs it for an id of its own.",
        )
        findings.trouble(found.source, error)
        return False

    def _has_better(self, found: Found, findings: CrawlResult) -> bool:
        """Whether a thing's own page, which told more before, is only not to be read at present."""
        origin = self._known.get(found.iri)
        if origin is None or found.own or origin.source == found.source:
            return False
        return origin.source not in findings.gone and found.iri in self._registry.things

    def _differs(self, found: Found) -> bool:
        known = self._known.get(found.iri)
        return known is None or known.digest != found.digest or known.source != found.source

    def _sound_places(self, findings: CrawlResult) -> dict[str, Found]:
        """The places, of which none is this home's own, none contains itself, and none is in one that is not there."""
        own = self._registry.places.keys() - self._known.keys()
        return {iri: place for iri, place in findings.places.items() if iri not in own}

    # Through the door

    def _admit(self, found: Sequence[Found], findings: CrawlResult, places: dict[str, Found]) -> list[str]:
        """Lets them in together; where some are refused, the halves by themselves, down to the culprits.

        Where a thing is from is written before the thing is there: it never has more reach than it should."""
        if not found:
            return []
        store = self._registry.store
        self._note([replace(one, etag="", modified="", digest="") for one in found])
        triples = [triple for one in found for triple in self._triples(one, places)]
        try:
            report = door.admit(self._registry, triples, now=self._now, words=False)
        except InputError as error:
            provenance.replace(store, [one.iri for one in found if one.iri not in self._known])
            if len(found) == 1:
                findings.trouble(found[0].source, error)
                return []
            half = len(found) // 2
            return [*self._admit(found[:half], findings, places), *self._admit(found[half:], findings, places)]
        self._note(found)
        findings.warnings += report.warnings
        self._known.update({one.iri: _origin(one, self._start_of(one)) for one in found})
        return [one.iri for one in found]

    def _note(self, found: Sequence[Found]) -> None:
        said = (quad for one in found for quad in provenance.describe(one, self._start_of(one), self._now))
        provenance.replace(self._registry.store, (), said)

    def _start_of(self, found: Found) -> str:
        known = self._known.get(found.iri)
        return known.start if known is not None and known.start in self._followed else self._start

    def _triples(self, found: Found, places: dict[str, Found]) -> Iterable[Triple]:
        yield from found.triples
        around = self._around(found, places)
        if around is not None:
            yield Triple(found.subject, rdf.PLACE, NamedNode(around))

    def _around(self, found: Found, places: dict[str, Found]) -> str | None:
        """The place that it is in: one that was found, and for a place one that is not within it."""
        around, seen = found.within, {found.iri}
        if around not in places:
            return None
        step: str | None = around
        while step is not None and step in places:
            if step in seen:
                return None
            seen.add(step)
            step = places[step].within
        return around

    # What is no more

    def _retire(self, findings: CrawlResult) -> list[str]:
        """Removes things that this exploration found before and that are gone. Those that could not be visited stay:
        where a limit was reached, or where the page that leads to them could not be read."""
        seen = findings.things.keys() | findings.same | findings.places.keys()
        known = {
            iri: one
            for iri, one in self._known.items()
            if iri not in seen and (one.start == self._start or one.source in findings.gone)
        }
        gone: list[str] = []
        lost = set(findings.gone)
        while more := [iri for iri, one in known.items() if iri not in gone and self._is_gone(one, findings, lost)]:
            gone += more
            lost |= {known[iri].source for iri in more}
        things = [iri for iri in gone if iri in self._registry.things]
        if gone:
            self._registry.put((), without=gone)
            provenance.replace(self._registry.store, gone)
        return things

    def _is_gone(self, origin: Origin, findings: CrawlResult, lost: set[str]) -> bool:
        """Whether its page is no more, or nothing leads to it any more that did."""
        if origin.source in findings.gone:
            return True
        unread = {trouble.url for trouble in findings.troubles}
        if findings.limits or {origin.source, origin.linked_from} & unread - lost:
            return False
        return not origin.linked_from or origin.linked_from in findings.read | lost


def _surer(found: Found, before: Origin) -> bool:
    """Whether a thing that was found elsewhere before is rather this: on the same server, or at its own address."""
    home = links.origin(found.source)
    return links.origin(before.source) == home or (found.own and links.origin(found.iri) == home)


def _origin(found: Found, start: str) -> Origin:
    return Origin(
        found.iri, found.source, start, found.linked_from, found.etag, found.modified, found.digest, found.topic
    )
