"""The resources that were registered: fetched, described in the graph as a thing and as a profile, and kept up to date.

The description is a record in hg:graph/artifacts; the profile has a graph of its own, hg:graph/profiles/<id>.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import httpx

from engine.environment.http.addresses import Hosts, place_of
from engine.environment.http.credentials import Credentials, Secrets
from engine.environment.http.exchange import Exchange, Limits, Way
from engine.environment.http.loop import LoopThread
from engine.environment.http.oauth.admitted import Doorkeeper
from engine.environment.http.oauth.kept import Kept
from engine.environment.state import State
from engine.errors import InputError
from engine.graph.terms import (
    ARTIFACTS,
    EXPLORED,
    ONTOLOGY,
    Json,
    Literal,
    NamedNode,
    Quad,
    Triple,
    expand,
    graph,
    literal,
    node,
    python,
)
from engine.model import exposure_rdf
from engine.model.exposure import RESOURCE, Artifact, Exposed, Offer
from engine.origins import offered
from engine.origins.a2a import calling as a2a
from engine.origins.a2a.card import card_address
from engine.origins.conditional import Unchanged, Unless
from engine.origins.mcp import calling as mcp
from engine.origins.utcp import manual as utcp
from engine.origins.wot import description as wot
from engine.settings import Settings
from engine.things import door
from engine.things.registry import ADDED_TERMS, Registry

_log = logging.getLogger(__name__)
RECORD, READ_AT, REACH = node("hg:record"), node("prov:generatedAtTime"), node("hg:reach")
PROFILES = f"{expand('hg:')}graph/profiles/"
KINDS = ("mcp", "a2a", "utcp", "wot")
_WORD = re.compile(r"[#/](commands/|kinds/|class$)")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
PATIENCE = 60.0
SHORTEST = 30.0
"""Seconds after which something is read again at the earliest, whatever its author says."""

ABILITIES = "abilities"
_READ: Mapping[str, Json] = {"type": "string"}
"""What comes back of a resource of which nothing more is said."""
Needs = Mapping[str, Sequence[str]]
NONE: Needs = MappingProxyType({})
Described = Callable[[Way, str, str, Secrets | None, frozenset[str] | None], Coroutine[Any, Any, Artifact]]
_DESCRIBED: dict[str, Described] = {"mcp": mcp.described, "a2a": a2a.described, "utcp": utcp.described}


@dataclass(frozen=True, slots=True)
class Registered:
    """An artifact, and when it was read."""

    artifact: Artifact
    at: datetime


class Artifacts:
    """The artifacts of one home, and the way to them. To be closed. It may be shared between threads."""

    def __init__(
        self,
        registry: Registry,
        state: State,
        settings: Settings,
        now: Callable[[], datetime],
        tokens: Path | None = None,
    ) -> None:
        self._registry, self._state, self._now = registry, state, now
        self._hosts = Hosts(settings.allowed_hosts)
        self._credentials = Credentials.load(settings.credentials_file)
        self._limits = Limits(settings.device_seconds, settings.device_bytes)
        self._loop = LoopThread("hearthgraph-artifacts")
        self._made: Exchange | None = None
        self.doorkeeper = Doorkeeper(lambda: self.exchange, self._credentials, Kept(tokens))
        self._lock, self._reading = threading.RLock(), threading.Lock()
        self._known: dict[str, Registered] | None = None

    # What there is

    @property
    def all(self) -> Mapping[str, Registered]:
        """The artifacts by name."""
        with self._lock:
            if self._known is None:
                self._known = dict(_read(self._registry))
            return dict(self._known)

    def find(self, name: str) -> Artifact:
        """The artifact of a name. Raises InputError (no_such_artifact)."""
        found = self.all.get(name)
        if found is None:
            raise InputError(f"There is no artifact {name}.", remedy="Register it.", reason="no_such_artifact")
        return found.artifact

    def offer(self, affordance: str) -> tuple[Artifact, Offer] | None:
        """The artifact and the offer behind an affordance; None for one of other things."""
        for one in self.all.values():
            if affordance.startswith(one.artifact.iri) and (offer := one.artifact.offer(affordance)) is not None:
                return one.artifact, offer
        return None

    def signifiers(self) -> list[Exposed]:
        """All that are exposed."""
        return [signifier for one in self.all.values() for signifier in one.artifact.signifiers]

    # Registering

    def register(self, kind: str, name: str, endpoint: str, needs: Needs | None = None) -> Artifact:
        """Fetches the description at an address, and registers it under a name, in place of a former one. `needs` are
        the abilities that agents should have, by tool; None for those that were said before.

        Raises InputError for a name or an address that cannot be used, BindingError where it cannot be reached.
        """
        _check(kind, name, endpoint)
        known = self.all.get(name)
        if known is not None and known.artifact.kind != kind:
            raise InputError(f"{name} is a {known.artifact.kind} already.", remedy="Give it another name.")
        described = self.run(self._described(kind, name, endpoint))
        if kind == "a2a":
            self.run(self._knocked(described))
        if needs is None:
            needs = _needs(known.artifact if known is not None else None)
        _check_needs(described, needs)
        return self.take_in(described, needs)

    def take_in(self, described: Artifact, needs: Needs = NONE) -> Artifact:
        """Writes an artifact: its thing, its profile, its record. Raises ThingRefused."""
        with self._lock:
            before = self.all.get(described.id)
            artifact = _needing(self._admitted(described), needs)
            if before is not None and before.artifact.iri != artifact.iri:
                self._drop_thing(before.artifact)
            self._write(artifact)
            return artifact

    def refresh(self, name: str) -> Artifact:
        """Reads an artifact again; an unchanged one is left alone. Signifiers of its affordances stay, as they keep
        their addresses. Raises as `register` does."""
        with self._reading:
            known = self.find(name)
            try:
                described = self.run(self._described(known.kind, name, known.endpoint, known.tag))
            except Unchanged:
                described = known
            needs = _needs(known)
            same = (described, _needing(_with_addresses(described), needs))
            if known.iri in self._registry.things and known in same:
                self._note_read(known)
                return known
            return self.take_in(described, needs)

    def due(self) -> list[str]:
        """The artifacts whose descriptions have expired; those without an expiry are never read again."""
        now = self._now()
        return [
            name
            for name, one in self.all.items()
            if one.artifact.seconds > 0 and (now - one.at).total_seconds() > max(one.artifact.seconds, SHORTEST)
        ]

    def remove(self, name: str) -> None:
        """Forgets an artifact, with its thing, its profile and its words. Raises InputError (no_such_artifact)."""
        with self._lock:
            artifact = self.find(name)
            self._drop_thing(artifact)
            store, subject = self._registry.store, NamedNode(artifact.iri)
            gone = [quad for quad in store.graph(ARTIFACTS) if quad.subject == subject]
            gone += [quad for quad in store.graph(EXPLORED) if quad.subject == subject]
            store.write(clear=[profile_graph(name)], delete=gone)
            self._known = None

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Has something done on the loop, and waits for it."""
        return self._loop.submit(work).result(PATIENCE)

    def submit(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Has something done on the loop; a future."""
        return self._loop.submit(work)

    def close(self) -> None:
        """Cancels calls under way."""
        self._loop.close(self._made.close if self._made is not None else None)

    # The way to them

    @property
    def exchange(self) -> Exchange:
        """The client; to be asked for on the loop."""
        if self._made is None:
            self._made = Exchange(self._hosts, self._limits)
        return self._made

    @property
    def credentials(self) -> Credentials:
        """The credentials of the file of secrets."""
        return self._credentials

    def way(self, address: str, endpoint: str) -> Way:
        """The sender of requests to an address of an artifact from an endpoint, with the token that its host asks
        for."""
        return self.doorkeeper.to(httpx.URL(address), reach_of(endpoint))

    def came_back(self, redirected: str) -> str:
        """Takes the redirect of a person's consent; returns the resource. Raises BindingError."""
        found: str = self.run(self.doorkeeper.came_back(redirected))
        return found

    def secrets(self, endpoint: str) -> Secrets | None:
        """The credentials for the host of an address, if they are in the file."""
        return self._credentials.of_host(httpx.URL(endpoint))

    def secrets_at(self, address: str, reach: frozenset[str]) -> Secrets | None:
        """The credentials for an address of an artifact: none for other places than the artifact's own."""
        return self.secrets(address) if reach_of(address) == reach else None

    async def _described(self, kind: str, name: str, endpoint: str, tag: str = "") -> Artifact:
        reach = reach_of(endpoint)
        if kind == "wot":
            way = Unless(self.exchange, tag)
            return await wot.described(way, name, endpoint, self.secrets(endpoint), reach)
        asked = card_address(endpoint) if kind == "a2a" else endpoint
        way = Unless(self.way(asked, endpoint), tag)
        return await _DESCRIBED[kind](way, name, endpoint, self.secrets(endpoint), reach)

    async def _knocked(self, described: Artifact) -> None:
        address = str(described.facts["url"])
        reach = reach_of(described.endpoint)
        await a2a.knock(self.way(address, described.endpoint), described, self.secrets_at(address, reach), reach)

    # Into the graph

    def _admitted(self, described: Artifact) -> Artifact:
        """The artifact with the addresses that its offers have, after its thing has come in."""
        self._reach(described)
        if described.kind == "wot":
            artifact = wot.admitted(described, self._registry, self._now())
            self._reach(artifact)
        else:
            triples = offered.statements(described, self._registry)
            self._keep_words(described.iri, triples)
            door.admit(self._registry, triples, source=described.endpoint, now=self._now(), words=False)
            artifact = _with_addresses(described)
        self._state.refresh()
        return artifact

    def _reach(self, artifact: Artifact) -> None:
        """Says where the forms of its thing may lead: to where it was registered from."""
        store, subject = self._registry.store, NamedNode(artifact.iri)
        old = [q for q in store.graph(EXPLORED) if q.subject == subject and q.predicate == REACH]
        said = [Quad(subject, REACH, Literal(place), EXPLORED) for place in reach_of(artifact.endpoint)]
        store.write(delete=[quad for quad in old if quad not in said], insert=said)

    def _write(self, artifact: Artifact) -> None:
        subject, now = NamedNode(artifact.iri), self._now()
        profile = profile_graph(artifact.id)
        triples = exposure_rdf.profile_triples(profile.value, artifact.iri, artifact.signifiers)
        store = self._registry.store
        old = [quad for quad in store.graph(ARTIFACTS) if quad.subject == subject]
        record = cast(Json, asdict(artifact))
        said = [
            Quad(subject, node("rdf:type"), node("hmas:Artifact"), ARTIFACTS),
            Quad(subject, node("hmas:hasProfile"), profile, ARTIFACTS),
            Quad(subject, READ_AT, literal(now), ARTIFACTS),
            Quad(subject, RECORD, literal(record), ARTIFACTS),
        ]
        insert = [*said, *(Quad(t.subject, t.predicate, t.object, profile) for t in triples)]
        store.write(clear=[profile], delete=old, insert=insert)
        self._known = {**self.all, artifact.id: Registered(artifact, now)}

    def _note_read(self, artifact: Artifact) -> None:
        """It is as it was, as of now."""
        subject, now = NamedNode(artifact.iri), self._now()
        with self._lock:
            store = self._registry.store
            old = [q for q in store.graph(ARTIFACTS) if q.subject == subject and q.predicate == READ_AT]
            store.write(delete=old, insert=[Quad(subject, READ_AT, literal(now), ARTIFACTS)])
            self._known = {**self.all, artifact.id: Registered(artifact, now)}

    def _drop_thing(self, artifact: Artifact) -> None:
        if artifact.iri in self._registry.things:
            self._registry.remove(artifact.iri)
        self._drop(self._terms(artifact.iri))
        self._state.refresh()

    def _keep_words(self, thing: str, triples: Iterable[Triple]) -> None:
        """Drops the words of an artifact that it has no more; those that stay hold all the while."""
        own = {str(getattr(one.subject, "value", "")) for one in triples}
        self._drop(quad for quad in self._terms(thing) if _word_of(quad) not in own)

    def _terms(self, thing: str) -> list[Quad]:
        """The words of an artifact's tools as the vocabulary has them, with their effects."""
        added, own = self._registry.store.graph(ADDED_TERMS), offered.below(thing)
        quads = [quad for quad in added if str(getattr(quad.subject, "value", "")).startswith(own)]
        return [Quad(q.subject, q.predicate, q.object, name) for q in quads for name in (ONTOLOGY, ADDED_TERMS)]

    def _drop(self, quads: Iterable[Quad]) -> None:
        gone = list(quads)
        if gone:
            self._registry.store.write(delete=gone)


def profile_graph(name: str) -> NamedNode:
    """The graph that holds an artifact's profile; it is the profile's address, too."""
    return graph(f"profiles/{name}")


def reach_of(endpoint: str) -> frozenset[str]:
    """The places to which requests of an artifact from an address may lead: that very host and port."""
    return frozenset((place_of(httpx.URL(endpoint)),))


def _check(kind: str, name: str, endpoint: str) -> None:
    if kind not in KINDS:
        raise InputError(f"There are no artifacts of kind {kind[:40]}.", remedy=f"Take one of {', '.join(KINDS)}.")
    if not _ID.fullmatch(name):
        raise InputError("A name has letters, digits, - and _ alone, 64 at most.", remedy="Choose another name.")
    try:
        url = httpx.URL(endpoint)
    except (httpx.InvalidURL, TypeError) as error:
        raise InputError("The address is not one.", remedy="Give one of http or https.") from error
    if url.scheme not in ("http", "https") or not url.host or url.userinfo:
        raise InputError("The address is not one of http or https.", remedy="Give one without a password in it.")


def _check_needs(described: Artifact, needs: Needs) -> None:
    """Raises InputError for abilities that are said of no tool. Those of a thing are known when it has come in."""
    names = {offer.name for offer in described.offers}
    unknown = sorted(set(needs) - names) if names else []
    if unknown:
        raise InputError(f"It has no {unknown[0][:64]}.", remedy=f"It has {', '.join(sorted(names)[:20])}.")


def _word_of(quad: Quad) -> str:
    """The command, kind or class that a statement is about, or about an effect of which; nothing for others."""
    subject = str(getattr(quad.subject, "value", ""))
    return subject.partition("/nodes/")[0] if _WORD.search(subject) else ""


def _with_addresses(described: Artifact) -> Artifact:
    return replace(described, offers=tuple(_addressed(described, offer) for offer in described.offers))


def _addressed(artifact: Artifact, offer: Offer) -> Offer:
    iri = offered.affordance_iri(artifact, offer)
    given = offer.output or (_READ if offer.sort == RESOURCE else None)
    return replace(offer, exposed=replace(offer.exposed, affordance=iri, takes=offer.input, gives=given))


def _needing(artifact: Artifact, needs: Needs) -> Artifact:
    """An artifact whose tools want abilities, by the name of the tool, beside those that it tells itself."""
    if not needs:
        return artifact
    offers = []
    for offer in artifact.offers:
        abilities = sorted({*offer.exposed.abilities, *needs.get(offer.name, ())})
        offers.append(replace(offer, exposed=replace(offer.exposed, abilities=tuple(abilities))))
    said = {name: list(several) for name, several in needs.items()}
    return replace(artifact, offers=tuple(offers), facts={**artifact.facts, ABILITIES: cast("Json", said)})


def _needs(artifact: Artifact | None) -> Needs:
    """The abilities that were said for the tools of an artifact when it was registered."""
    return cast("Needs", artifact.facts.get(ABILITIES) or {}) if artifact is not None else {}


def _read(registry: Registry) -> Iterator[tuple[str, Registered]]:
    """The artifacts as the graph has them."""
    facts: dict[str, dict[str, Any]] = {}
    for quad in registry.store.graph(ARTIFACTS):
        facts.setdefault(str(quad.subject.value), {})[quad.predicate.value] = quad.object  # type: ignore[union-attr]
    for about in facts.values():
        record, at = about.get(RECORD.value), about.get(READ_AT.value)
        if record is None or at is None:
            continue
        try:
            artifact = _artifact(cast("dict[str, Any]", python(record)))
            moment = python(at)
            moment = moment if isinstance(moment, datetime) else datetime.fromisoformat(str(moment))
        except (LookupError, TypeError, ValueError):  # of a foreign dump, or another version's
            _log.warning("a registered artifact cannot be read, and is left out: register it again")
            continue
        yield artifact.id, Registered(artifact, moment.astimezone())


def _artifact(record: dict[str, Any]) -> Artifact:
    offers = tuple(_offer(one) for one in record["offers"])
    return Artifact(**{**record, "offers": offers})


def _offer(record: dict[str, Any]) -> Offer:
    given = record["exposed"]
    headers = tuple((str(name), str(value)) for name, value in given["headers"])
    exposed = Exposed(**{**given, "headers": headers, "abilities": tuple(given["abilities"])})
    return Offer(**{**record, "exposed": exposed})
