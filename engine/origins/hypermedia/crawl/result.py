"""The result of a crawl: places, things with their statements, and troubles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.errors import HearthgraphError
from engine.graph.terms import NamedNode, Triple


@dataclass(frozen=True, slots=True)
class Topic:
    """A WebSub topic: the address it is published under, and its hubs."""

    url: str
    hubs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A thing, or a place, as one page describes it. `source` is that page, `linked_from` the page that led to it;
    `own` says that it is the page of that very thing, which is believed before others; `digest` is a hash of its
    statements without values."""

    iri: str
    triples: tuple[Triple, ...]
    source: str
    linked_from: str = ""
    within: str | None = None
    own: bool = True
    etag: str = ""
    modified: str = ""
    digest: str = ""
    topic: Topic | None = None

    @property
    def said(self) -> str:
        """The hash of the statements, without that of the place."""
        return self.digest.partition(":")[0]

    @property
    def subject(self) -> NamedNode:
        """Its IRI as a term."""
        return NamedNode(self.iri)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A page, or a description on one, that could not be used, and why."""

    url: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an exploration is: the phase, how much of it is done, and how much there is as far as is known."""

    phase: str
    done: int
    total: int


Listener = Callable[[Progress], None]


@dataclass(slots=True)
class CrawlResult:
    """All of it. `read` are the pages that were read or had not changed, `gone` those that are no more, `limits` the
    limits that were reached."""

    places: dict[str, Found] = field(default_factory=dict)
    things: dict[str, Found] = field(default_factory=dict)
    same: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    links: dict[str, set[str]] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    limits: tuple[str, ...] = ()

    def trouble(self, url: str, error: HearthgraphError) -> None:
        """Notes a page that could not be used."""
        self.troubles.append(Trouble(url, error.reason, error.message))

    def add_thing(self, found: Found) -> None:
        """Adds a description of a thing; its own page is believed before others, and the first of several others."""
        known = self.things.get(found.iri)
        if known is not None and known.source != found.source and known.own == found.own:
            self.warnings.append(f"{found.iri}: {found.source} says otherwise than {known.source}, which is believed.")
        if known is None or (found.own and not known.own):
            self.things[found.iri] = found

    def add_place(self, found: Found) -> None:
        """Adds a description of a place, by the same rule."""
        known = self.places.get(found.iri)
        if known is None or (found.own and not known.own):
            self.places[found.iri] = found
