"""The directory: Thing Descriptions in and out as WoT Discovery has it, each one a thing of the home.

https://www.w3.org/TR/wot-discovery/#exploration-directory-api-things
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import datetime
from typing import Any
from uuid import uuid4

from engine.errors import InputError, ThingRefused
from engine.graph.store import GraphStore
from engine.graph.terms import Literal, NamedNode
from engine.model import thing_rdf as rdf
from engine.model.thing import Thing
from engine.things import door
from engine.things.description import emission, jsonld
from engine.things.directory import faults, registration
from engine.things.directory.events import Kind, Log
from engine.things.directory.faults import Fault, Invalid
from engine.things.directory.listing import Order, Page, page_of
from engine.things.directory.patch import difference, merged
from engine.things.directory.registration import EXPIRES, MEMBER, TTL, Registration, enriched, moment, stamp
from engine.things.index import Change
from engine.things.registry import Registry

KEPT = 20_000
"""How many descriptions are kept as texts, so that a page or a search does not write them anew."""
Document = dict[str, Any]
Condition = Callable[[Document | None], bool]
"""Whether a description is as somebody means it who changes it; None where there is none."""


class Directory:
    """The directory of a registry. `now` tells the time, `settled` is called after each change that it makes.

    It may be shared between threads. Changes that others make to the registry show in it at once, and in its events.
    """

    def __init__(
        self, registry: Registry, now: Callable[[], datetime], settled: Callable[[], None] = lambda: None
    ) -> None:
        self.events = Log()
        self._registry, self._now, self._settled = registry, now, settled
        self._lock = threading.RLock()
        self._stale_lock = threading.Lock()
        self._stale: set[str] | None = None  # None: all of them
        self._registrations: dict[str, Registration] = {}
        self._texts: OrderedDict[str, tuple[Thing, str]] = OrderedDict()
        self._writer: int | None = None
        registry.watch(self._heard)

    @property
    def store(self) -> GraphStore:
        """Where it is all kept."""
        return self._registry.store

    # Reading

    def retrieve(self, iri: str) -> Document:
        """A description with its registration. Raises InputError (no_such_thing)."""
        self.purge()
        return self._with_time(self._thing(iri), stamp(self._now()))

    def page(self, offset: int, limit: int, order: Order) -> Page:
        """Some of the descriptions, in an order. Raises Unsupported for an order that there is not."""
        self.purge()
        things = self._registry.things
        iris = page_of(things, self._known(), offset, limit, order)
        at = stamp(self._now())
        documents = tuple(self._with_time(things[iri], at) for iri in iris)
        return Page(documents, offset, limit, len(things), order)

    def texts(self) -> list[str]:
        """All descriptions with their registrations, as JSON, by their ids."""
        self.purge()
        return [self._text(thing) for _, thing in sorted(self._registry.things.items())]

    def registration(self, iri: str) -> Registration | None:
        """The registration of a thing; None where it came in by another way."""
        return self._known().get(iri)

    # Writing

    def create(self, document: Any) -> str:
        """Takes in a description without an id; the address that it gets. Raises Invalid."""
        faults.check_object(document)
        if "id" in document or "@id" in document:
            raise Invalid([Fault("$.id", "What has an id is PUT to /things/{id}; without one it gets an id here.")])
        iri = f"urn:uuid:{uuid4()}"
        self.put(iri, {**document, "id": iri})
        return iri

    def put(self, iri: str, document: Any, provided: Condition | None = None) -> bool:
        """Takes in the description of that id, in place of the one that is there; whether it is new. Raises Invalid,
        InputError (precondition_failed)."""
        faults.check_object(document)
        _refuse_other(iri, document)
        with self._as_meant(iri, provided) as before:
            self._replace(iri, document, before)
            return before is None

    def patch(self, iri: str, patch: Any, provided: Condition | None = None) -> None:
        """Changes parts of a description by a merge patch. Raises InputError (no_such_thing, precondition_failed),
        Invalid."""
        if not isinstance(patch, dict):
            raise Invalid([Fault("$", "A merge patch of a Thing Description is a JSON object.")])
        with self._present(iri, provided) as before:
            document = merged(_without_computed(before, patch), patch)
            _refuse_other(iri, document)
            self._replace(iri, document, before)

    def remove(self, iri: str, provided: Condition | None = None) -> None:
        """Takes a thing out. Raises InputError (no_such_thing, precondition_failed)."""
        with self._present(iri, provided):
            self._registry.remove(iri)
        self._settled()

    def purge(self) -> list[str]:
        """Takes out the things whose registration has expired, and says which."""
        now = self._now()
        if not any(_over(one, now) for one in self._known().values()):
            return []
        with self._lock:
            expired = [iri for iri, one in self._known().items() if _over(one, now) and iri in self._registry.things]
            for iri in expired:
                self._registry.remove(iri)
        self._settled()
        return expired

    # Within

    @contextmanager
    def _as_meant(self, iri: str, provided: Condition | None) -> Iterator[Document | None]:
        """Gives the description that is there, for the next one to be written while it is still so. Raises InputError
        (precondition_failed)."""
        with self._lock, nullcontext() if provided is None else self._registry.alone():
            self.purge()
            thing = self._registry.things.get(iri)
            before = None if thing is None else self._document(thing)
            if provided is not None and not provided(before):
                raise InputError(
                    f"{iri} is not as it was when it was read.",
                    remedy="Read it again, and send the change with its new entity tag.",
                    reason="precondition_failed",
                )
            yield before

    @contextmanager
    def _present(self, iri: str, provided: Condition | None) -> Iterator[Document]:
        """As `_as_meant`, of a thing that has to be there, whatever else is provided. Raises InputError (no_such_thing,
        precondition_failed)."""

        def meant(found: Document | None) -> bool:
            if found is None:
                raise _nothing(iri)
            return provided is None or provided(found)

        with self._as_meant(iri, meant) as before:
            assert before is not None
            yield before

    def _replace(self, iri: str, document: Document, before: Document | None) -> None:
        known = self._known().get(iri)
        now = self._now()
        created = now if before is None else known.created if known is not None else None
        told = registration.registered(document, created, now)
        with self._silent():
            self._admit(iri, document, told)
        thing = self._registry.things.get(iri)  # None where somebody else has taken it out since
        if before is None:
            self.events.add(Kind.CREATED, iri)
        else:
            self.events.add(Kind.UPDATED, iri, difference(before, self._document(thing)) if thing else None)
        self._settled()

    def _admit(self, iri: str, document: Document, about: Registration) -> None:
        try:
            triples, _ = jsonld.statements(enriched(document, about.told()))
            door.admit(self._registry, triples, only=iri)
        except ThingRefused as error:
            faults.check(document)
            raise faults.of(error, iri) from error

    def _thing(self, iri: str) -> Thing:
        thing = self._registry.things.get(iri)
        if thing is None:
            raise _nothing(iri)
        return thing

    def _with_time(self, thing: Thing, at: str) -> Document:
        document = self._document(thing)
        return enriched(document, {**document.get(MEMBER, {}), "retrieved": at})

    def _document(self, thing: Thing) -> Document:
        found: Document = json.loads(self._text(thing))
        return found

    def _text(self, thing: Thing) -> str:
        held = self._texts.get(thing.iri)
        if held is not None and held[0] is thing:
            return held[1]
        text = json.dumps(emission.as_jsonld(self._registry.store, thing), ensure_ascii=False)
        self._texts[thing.iri] = thing, text
        while len(self._texts) > KEPT:
            self._texts.popitem(last=False)
        return text

    # What is registered, and what happens

    def _known(self) -> Mapping[str, Registration]:
        """The registrations by thing, those that have changed read anew."""
        with self._stale_lock:
            stale, self._stale = self._stale, set()
            if stale is None or stale:
                found = dict(self._registrations) if stale is not None else {}
                for iri in stale or ():
                    found.pop(iri, None)
                found.update(self._read(stale))
                self._registrations = found
            return self._registrations

    def _read(self, things: set[str] | None) -> Iterator[tuple[str, Registration]]:
        bound = {} if things is None else {"thing": [NamedNode(iri) for iri in sorted(things)]}
        for iri, *said in self._registry.store.select("things/registrations", **bound):
            created, modified, expires, ttl = (term.value if isinstance(term, Literal) else None for term in said)
            lasts = int(ttl) if ttl is not None and ttl.isdecimal() else None
            if isinstance(iri, NamedNode):
                yield iri.value, Registration(moment(created), moment(modified), moment(expires), lasts)

    @contextmanager
    def _silent(self) -> Iterator[None]:
        """Within it, the registry's news of this thread's writes are not logged; the caller logs them with their
        patch."""
        self._writer = threading.get_ident()
        try:
            yield
        finally:
            self._writer = None

    def _heard(self, change: Change) -> None:
        with self._stale_lock:
            if change.anew:
                self._stale = None
            elif self._stale is not None:
                self._stale.update(change.created, change.updated, change.deleted)
        for iri in change.deleted:
            self._texts.pop(iri, None)
        if self._writer == threading.get_ident():
            return
        for kind, iris in zip(Kind, (change.created, change.updated, change.deleted), strict=True):
            for iri in iris:
                self.events.add(kind, iri)


def _nothing(iri: str) -> InputError:
    return InputError(f"There is no thing {iri}.", remedy="GET /things lists them.", reason="no_such_thing")


def _over(one: Registration, now: datetime) -> bool:
    return one.expires is not None and one.expires <= now


def _refuse_other(iri: str, document: Document) -> None:
    """Raises Invalid for a document of another id than the one that it is sent to."""
    given = document.get("id", document.get("@id"))
    if given is None:
        raise Invalid([Fault("$.id", "It is missing; POST to /things what has no id.")])
    if given != iri or not rdf.is_iri(iri):
        what = f"It is not {iri}, to which it was sent." if given != iri else "It is no absolute IRI."
        raise Invalid([Fault("$.id", what)])


def _without_computed(document: Document, patch: Document) -> Document:
    """A document without the computed members of its registration; a patch of `expires` stands instead of an old
    `ttl`."""
    about = dict(document.get(MEMBER, {}))
    given = patch.get(MEMBER)
    if about.get(TTL) is not None:
        about.pop(EXPIRES, None)
        if isinstance(given, dict) and EXPIRES in given and TTL not in given:
            about.pop(TTL)
    return {**document, MEMBER: about}
