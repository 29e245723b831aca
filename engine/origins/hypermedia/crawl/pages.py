"""Reads the statements of a page, in any of its syntaxes, and keeps those that it may make.

A page speaks for its own server: its statements on things elsewhere, on vocabularies and on this home's own are left
out. https://www.w3.org/TR/wot-discovery/ , https://purl.org/hmas/
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyoxigraph import RdfFormat

from engine.errors import BindingError, InputError, SyntaxFault
from engine.graph.terms import BlankNode, NamedNode, Triple, expand
from engine.origins.hypermedia import links
from engine.origins.hypermedia.crawl.fetching import Document
from engine.things.description import contexts, jsonld
from engine.things.description.turtle import Facts, facts_of, parse_text
from engine.things.partition import AFFORDANCES

_SYNTAXES = {
    "text/turtle": RdfFormat.TURTLE,
    "application/n-triples": RdfFormat.N_TRIPLES,
    "application/ld+json": RdfFormat.JSON_LD,
    "application/td+json": RdfFormat.JSON_LD,
    "application/json": RdfFormat.JSON_LD,
}
_COLLECTION = "ThingCollection"
_KNOWN_TD = frozenset(address for address, file in contexts.KNOWN.items() if file == "td")


@dataclass(frozen=True, slots=True)
class Page:
    """One page, read. `members` are descriptions that a directory lists in it, `next` leads to the rest of them.

    `claims` are things on other hosts that it describes as if it were them."""

    document: Document
    triples: Sequence[Triple] = ()
    warnings: tuple[str, ...] = ()
    members: tuple[Mapping[str, Any], ...] = ()
    next: str | None = None
    listed: bool = False
    facts: Facts = field(default_factory=dict)
    claims: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """Where it is."""
        return self.document.url


def read(document: Document) -> Page:
    """The page of a response. Raises BindingError (bad_answer) for a media type that cannot be read, SyntaxFault and
    other InputErrors for a body that is not of its media type."""
    kind = document.type.partition(";")[0].strip().lower()
    syntax = _SYNTAXES.get(kind)
    if syntax is None:
        raise BindingError(f"It is {kind or 'of no kind'}, which tells nothing of things.", reason="bad_answer")
    if syntax is not RdfFormat.JSON_LD:
        return _page(document, parse_text(document.body, source=document.url, base=document.url, syntax=syntax))
    content = jsonld.parse_text(document.body, source=document.url)
    members = _members(content)
    if members is not None:
        following = content.get("next") if isinstance(content, dict) else None
        return Page(document, members=members, next=_next(document, following), listed=True)
    if _is_td(content):
        return described(document, content)
    return _page(document, _linked(document))


def described(document: Document, content: Mapping[str, Any], listed: bool = False) -> Page:
    """A page that is a Thing Description, or one of those that a directory lists. Raises InputError."""
    own = dict(content)
    own.setdefault("id", document.url)
    own.setdefault("base", document.url)
    triples, warnings = jsonld.statements(own, name="thing", source=document.url)
    return _page(document, triples, tuple(warnings), listed)


def _page(document: Document, triples: Iterable[Triple], warnings: tuple[str, ...] = (), listed: bool = False) -> Page:
    kept, left, claims = _own(list(triples), document, listed)
    if left:
        some = ", ".join(sorted(left)[:3])
        warnings = (*warnings, f"{document.url}: left out is what it says of {some}: that is not its own.")
    return Page(document, kept, warnings, listed=listed, facts=facts_of(kept), claims=tuple(sorted(claims)))


def _own(triples: list[Triple], document: Document, listed: bool) -> tuple[list[Triple], set[str], set[str]]:
    """The statements that a page may make, the foreign nodes that it speaks of, and those of them that it describes: it
    may speak of things on its own server, of its own nodes, and of those that have no server. A list of things
    speaks for those that it lists."""
    home = links.origin(document.url)
    kept: list[Triple] = []
    left: set[str] = set()
    claims: set[str] = set()
    for triple in triples:
        subject = triple.subject
        if isinstance(subject, NamedNode) and not listed:
            elsewhere = links.origin(subject.value)
            if elsewhere and elsewhere != home:
                left.add(subject.value)
                claims |= {subject.value} if triple.predicate in AFFORDANCES else set()
                continue
        if isinstance(subject, (NamedNode, BlankNode)):
            kept.append(triple)
    return kept, left, claims


def _is_td(content: Any) -> bool:
    """Whether JSON is a Thing Description, and not another linked page: its context is that of TDs."""
    said = content.get("@context") if isinstance(content, dict) else None
    named = said if isinstance(said, list) else [said]
    return any(isinstance(one, str) and one in _KNOWN_TD for one in named)


def _members(content: Any) -> tuple[Mapping[str, Any], ...] | None:
    """The descriptions that a directory lists: as a bare list, or as a collection (WoT Discovery, section 7.3.2.1)."""
    if isinstance(content, dict):
        said = content.get("@type")
        if said != _COLLECTION and not (isinstance(said, list) and _COLLECTION in said):
            return None
        content = content.get("members", [])
    if not isinstance(content, list):
        return None
    return tuple(one for one in content if isinstance(one, dict))


def _next(document: Document, following: Any) -> str | None:
    """Where the list goes on: told in the head (`rel=next`), or in the collection itself."""
    told = links.of(document.links, "next")
    target = told[0] if told else following
    return links.canonical(target, document.url) if isinstance(target, str) else None


def _linked(document: Document) -> list[Triple]:
    """The statements of other linked data in JSON. Contexts elsewhere are not fetched."""
    try:
        return parse_text(document.body, source=document.url, base=document.url, syntax=RdfFormat.JSON_LD)
    except SyntaxFault as error:
        if "LoadDocumentCallback" in error.message:
            raise InputError(
                f"{document.url}: its context is elsewhere, and nothing is fetched for a page to be understood.",
                remedy="Ask for Turtle, or for a context within the page.",
            ) from error
        raise


def is_directory(page: Page) -> bool:
    """Whether a page describes a directory of things."""
    return _is_a(page, "ThingDirectory")


def is_link(page: Page) -> bool:
    """Whether a page only says where the description of a thing is."""
    return _is_a(page, "ThingLink")


def _is_a(page: Page, name: str) -> bool:
    known = {expand("rdf:type")}
    return any(
        triple.predicate.value in known and str(getattr(triple.object, "value", "")).endswith(f"#{name}")
        for triple in page.triples
    )


def values(body: bytes) -> dict[str, Any] | None:
    """A JSON object of values by name, or None for anything else."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
