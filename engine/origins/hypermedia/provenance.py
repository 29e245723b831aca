"""Where things and places were found: the statements of hg:graph/explored, written and read.

Explored things are not this home's own: they are not offered to others as if they were, and their forms lead only to
where they were found. https://www.w3.org/TR/prov-o/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

import httpx

from engine.environment.http.addresses import place_of
from engine.graph.store import GraphStore
from engine.graph.terms import EXPLORED, Literal, NamedNode, Quad, literal, node
from engine.model.thing_rdf import ANY_URI
from engine.origins.hypermedia.crawl.result import Found, Topic

SOURCE, AT = node("prov:hadPrimarySource"), node("prov:generatedAtTime")
START, LINKED, REACH = node("hg:foundFrom"), node("hg:linkedFrom"), node("hg:reach")
TAG, MODIFIED, DIGEST = node("hg:entityTag"), node("hg:lastModified"), node("hg:digest")
TOPIC, HUB, FOLLOWS = node("hg:topic"), node("hg:hub"), node("hg:follows")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a thing or a place was found, and by which exploration, named by its first page."""

    subject: str
    source: str
    start: str
    linked_from: str = ""
    etag: str = ""
    modified: str = ""
    digest: str = ""
    topic: Topic | None = None

    @property
    def said(self) -> str:
        """The hash of the statements on it, without that of its place."""
        return self.digest.partition(":")[0]


def explored(store: GraphStore) -> dict[str, Origin]:
    """All that was found by exploring, by its IRI."""
    found: dict[str, Origin] = {}
    for row in store.select("hypermedia/explored"):
        subject, source, start, linked, etag, modified, digest, topic, hub = ("" if v is None else v.value for v in row)
        before = found[subject].topic if subject in found else None
        hubs = (*(before.hubs if before else ()), *([hub] if hub else []))
        told = Topic(topic, tuple(sorted(set(hubs)))) if topic else None
        found[subject] = Origin(subject, source, start, linked, etag, modified, digest, told)
    return found


def describe(found: Found, start: str, at: datetime) -> Iterator[Quad]:
    """Where it was found, as quads."""
    said: list[tuple[NamedNode, object]] = [(SOURCE, NamedNode(found.source)), (START, _address(start))]
    said += [(LINKED, _address(found.linked_from))] if found.linked_from else []
    said += [(REACH, Literal(place_of(httpx.URL(found.source)))), (AT, literal(at))]
    for predicate, text in ((TAG, found.etag), (MODIFIED, found.modified), (DIGEST, found.digest)):
        said += [(predicate, Literal(text))] if text else []
    if found.topic is not None:
        said.append((TOPIC, _address(found.topic.url)))
        said += [(HUB, _address(hub)) for hub in found.topic.hubs]
    for predicate, value in said:
        yield Quad(found.subject, predicate, value, EXPLORED)  # type: ignore[arg-type]


def replace(store: GraphStore, gone: Iterable[str], new: Iterable[Quad] = ()) -> None:
    """Replaces the provenance of the subjects of `new` in one update; that of `gone` is removed."""
    fresh = dict.fromkeys(new)
    subjects = {quad.subject for quad in fresh} | set(map(NamedNode, gone))
    old = [quad for quad in store.graph(EXPLORED) if quad.subject in subjects]
    if fresh or old:
        store.write(delete=[quad for quad in old if quad not in fresh], insert=fresh)


def followed(store: GraphStore) -> list[str]:
    """The first pages of the explorations that are followed."""
    return sorted(str(quad.object.value) for quad in store.graph(EXPLORED) if quad.predicate == FOLLOWS)  # type: ignore[union-attr]


def follow(store: GraphStore, start: str, wanted: bool) -> None:
    """Records whether the exploration from an address is followed."""
    said = [Quad(EXPLORED, FOLLOWS, _address(start), EXPLORED)]
    store.write(delete=() if wanted else said, insert=said if wanted else ())


def _address(url: str) -> Literal:
    return Literal(url, datatype=ANY_URI)
