"""Extracts the places and things that a page describes, where they are, and the links to further pages.

https://purl.org/hmas/ (`hosts`, `contains`, `isProfileOf`), https://www.w3.org/TR/wot-discovery/#exploration-mech
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2s

from engine.errors import HearthgraphError, ThingRefused
from engine.graph.terms import RDF_TYPE, BlankNode, Literal, NamedNode, Node, Triple, expand, node
from engine.model import thing_rdf as rdf
from engine.model.vocabulary import Vocabulary
from engine.origins.hypermedia import links
from engine.origins.hypermedia.crawl import pages
from engine.origins.hypermedia.crawl.frontier import Lead
from engine.origins.hypermedia.crawl.pages import Page
from engine.origins.hypermedia.crawl.result import Found, Topic
from engine.things.description.dialects import STATE_TERMS
from engine.things.description.turtle import Facts, facts_of
from engine.things.partition import AFFORDANCES, CONTAINS, INSIDE, PROFILE_OF, WORKSPACES, Partition, closure, partition

ARTIFACT = node("hmas:Artifact")
HAS_LINK, RELATION, MEDIA_TYPE = node("td:hasLink"), node("hctl:hasRelationType"), node("hctl:hintsAtMediaType")
LEADING = frozenset(("describedby", "item", "service-desc", expand("hmas:hosts"), expand("hmas:contains")))
"""The relations of a link that lead to what a page is about, and no further."""
LISTING = "things"
"""What a directory calls its list (WoT Discovery, section 7.3.2.1)."""
_DATA = ("text/turtle", "application/td+json", "application/ld+json", "application/n-triples", "application/json", "")
_STATE = frozenset(STATE_TERMS)
_WHERE = frozenset((*CONTAINS, *INSIDE))


@dataclass(slots=True)
class Content:
    """The contents of a page. `directory` is the address of a list of things."""

    places: list[Found] = field(default_factory=list)
    things: list[Found] = field(default_factory=list)
    leads: list[Lead] = field(default_factory=list)
    directory: str | None = None
    refused: list[tuple[str, HearthgraphError]] = field(default_factory=list)


def read(page: Page, lead: Lead, vocabulary: Vocabulary) -> Content:
    """The places and things of a page that a lead led to. Raises InputError for places that go round in circles."""
    return _Reader(page, lead, vocabulary).content()


def identified(page: Page) -> Page:
    """The same page, where things that it gives no address have one below the page's own."""
    nameless = [n for n, about in page.facts.items() if isinstance(n, BlankNode) and _is_thing(about)]
    if not nameless:
        return page
    names: dict[Node, NamedNode] = {}
    for number, n in enumerate(nameless):
        names[n] = NamedNode(f"{page.url}#{'thing' if number == 0 else f'thing-{number}'}")
    triples = [
        Triple(names.get(t.subject, t.subject), t.predicate, names.get(t.object, t.object))  # type: ignore[arg-type]
        for t in page.triples
    ]
    return replace(page, triples=triples, facts=facts_of(triples))


def _is_thing(about: dict[NamedNode, list[object]] | object) -> bool:
    assert isinstance(about, dict)
    types = about.get(RDF_TYPE, ())
    return ARTIFACT in types or node("td:Thing") in types


class _Reader:
    def __init__(self, page: Page, lead: Lead, vocabulary: Vocabulary) -> None:
        self._page, self._lead = identified(page), lead
        self._facts = _without_controls(self._page.facts)
        self._parts: Partition = partition(self._facts, vocabulary)
        self._topic = _topic(page)

    def content(self) -> Content:
        found = Content(refused=[(self._page.url, _claimed(self._page.url, iri)) for iri in self._page.claims])
        if pages.is_directory(self._page):
            found.directory = self._listing()
        if found.directory is None and not pages.is_link(self._page):
            for n in self._parts.things:
                self._thing(n, found)
            found.places = [_bare(self._place(n)) for n in self._parts.places]
        found.leads = list(self._leads())
        if found.leads:  # a page that leads on is read again even where it has not changed
            found.things = [replace(thing, etag="", modified="") for thing in found.things]
        return found

    def _thing(self, n: Node, found: Content) -> None:
        assert isinstance(n, NamedNode)
        if not (self._page.listed or self._is_own(n) or any(link in self._facts[n] for link in AFFORDANCES)):
            return  # it is only named here; what it is, its own page says
        document = self._page.document
        found.things.append(replace(self._place(n), etag=document.etag, modified=document.modified))

    def _place(self, n: NamedNode) -> Found:
        said, within, own = tuple(self._said(n)), self._within(n), self._is_own(n)
        return Found(
            n.value,
            said,
            self._page.url,
            self._lead.source,
            within,
            own,
            digest=_digest(said, within),
            topic=self._topic if own else None,
        )

    def _said(self, n: NamedNode) -> Iterator[Triple]:
        """The statements on a thing or place, without values, which are read from itself, and without its place."""
        home, own = links.origin(self._page.url), rdf.document_iri(n.value)
        for subject, predicate, value in closure(self._facts, n, self._parts.claimed):
            foreign = isinstance(subject, NamedNode) and not subject.value.startswith((n.value, own))
            if foreign and links.origin(subject.value) != home:
                continue
            if predicate not in _STATE and not (subject == n and predicate in _WHERE):
                yield Triple(subject, predicate, value)

    def _within(self, n: NamedNode) -> str | None:
        """The place that contains it: by this page, else by the one that led here. Only one of the same server."""
        said = self._parts.within.get(n)
        if said is not None and links.origin(said.value) == links.origin(self._page.url):
            return said.value
        return self._lead.within if self._is_own(n) else None

    def _is_own(self, n: NamedNode) -> bool:
        """Whether the page is that of this very node: at its address, or as its profile."""
        if self._page.listed:
            return False
        if links.canonical(n.value) in (self._page.url, self._page.document.asked):
            return True
        profiled = [v for about in self._facts.values() for v in about.get(PROFILE_OF, ())]
        return n in profiled or (not links.origin(n.value) and len(self._parts.things) == 1)

    # Where it leads

    def _leads(self) -> Iterator[Lead]:
        for n, target in self._contained():
            place = any(t in WORKSPACES for t in self._facts.get(target, {}).get(RDF_TYPE, ()))
            hosted = target in self._facts.get(n, {}).get(node("hmas:hosts"), ())
            yield from self._lead_to(target.value, within=n.value, place=place or hosted)
        for relation, address, kind in self._linked():
            if relation in LEADING and kind.partition(";")[0].strip().lower() in _DATA:
                yield from self._lead_to(address, within=self._lead.within, place=relation == expand("hmas:hosts"))

    def _contained(self) -> Iterator[tuple[NamedNode, NamedNode]]:
        """Pairs of a container and a contained node, of the places of this page alone."""
        for n, about in self._facts.items():
            for predicate, values in about.items():
                if predicate in CONTAINS and isinstance(n, NamedNode):
                    yield from ((n, value) for value in values if isinstance(value, NamedNode))

    def _linked(self) -> Iterator[tuple[str, str, str]]:
        """The links of the things in the page and of its head: relation, target, type of the target."""
        for about in self._facts.values():
            for link in about.get(HAS_LINK, ()):
                said = {} if isinstance(link, Literal) else self._facts.get(link, {})
                address, relation, kind = (_first(said.get(p)) for p in (rdf.TARGET, RELATION, MEDIA_TYPE))
                if address and relation:
                    yield relation, address, kind
        for one in self._page.document.links:
            yield one.relation, one.target, one.type

    def _lead_to(self, target: str, within: str | None, place: bool) -> Iterator[Lead]:
        url = links.canonical(target, self._page.url)
        if url is not None and url != self._page.url:
            yield Lead(url, self._lead.depth + 1, self._page.url, within, place)

    def _listing(self) -> str | None:
        """Where a directory lists its things: the form by which its property `things` is read."""
        for about in self._facts.values():
            for prop in about.get(rdf.HAS_PROPERTY, ()):
                said = {} if isinstance(prop, Literal) else self._facts.get(prop, {})
                if any(name.value == LISTING for name in said.get(rdf.NAME, ())):
                    for form in said.get(rdf.HAS_FORM, ()):
                        target = "" if isinstance(form, Literal) else _first(self._facts.get(form, {}).get(rdf.TARGET))
                        return links.canonical(target.partition("{")[0], self._base(about))
        return None

    def _base(self, about: dict[NamedNode, list[object]] | object) -> str:
        assert isinstance(about, dict)
        return _first(about.get(rdf.BASE)) or self._page.url


def _bare(place: Found) -> Found:
    """A place with the statements of which it is the subject: nodes linked from it, such as a form to join it, are left
    out."""
    said = tuple(triple for triple in place.triples if triple.subject == place.subject)
    return replace(place, triples=said, digest=_digest(said, place.within))


def _claimed(url: str, iri: str) -> ThingRefused:
    return ThingRefused(
        f"{url} claims to be {iri}, which is on another host.",
        node=iri,
        shape=expand("hg:OwnAddressShape"),
        remedy="Ask whoever runs it for an id of its own.",
    )


def _without_controls(facts: Facts) -> Facts:
    """A workspace that can be joined is a place still: its own affordances make no thing of it."""
    found: Facts = {}
    for n, about in facts.items():
        if any(t in WORKSPACES for t in about.get(RDF_TYPE, ())):
            about = {predicate: values for predicate, values in about.items() if predicate not in AFFORDANCES}
        found[n] = about
    return found


def _topic(page: Page) -> Topic | None:
    """The WebSub topic in the page's Link header (WebSub, section 4); None without a hub."""
    hubs, own = links.of(page.document.links, "hub"), links.of(page.document.links, "self")
    return Topic(own[0] if own else page.url, hubs)


def _digest(said: Iterable[Triple], within: str | None) -> str:
    """A hash of the statements, the same for the same statements in the same order (blank nodes are numbered), and,
    behind a colon, one of the place."""
    numbers: dict[BlankNode, str] = {}

    def text(term: object) -> str:
        return numbers.setdefault(term, f"_:{len(numbers)}") if isinstance(term, BlankNode) else str(term)

    lines = (" ".join(map(text, (one.subject, one.predicate, one.object))) for one in said)
    where = blake2s((within or "").encode(), digest_size=8).hexdigest()
    return f"{blake2s(chr(10).join(lines).encode(), digest_size=16).hexdigest()}:{where}"


def _first(values: Iterable[object] | None) -> str:
    return next((str(getattr(value, "value", "")) for value in values or ()), "")
