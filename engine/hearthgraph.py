"""The engine, wired: a store, what is in it, its state, its hands, and the conversation with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from engine.dialogue.assistant import Assistant, Consent, Request
from engine.environment.changes import ChangeHub
from engine.environment.clock import Clock, SimulatedClock, SystemClock
from engine.environment.simulated import SimulatedBinding
from engine.environment.state import State
from engine.graph.store import GraphStore
from engine.graph.terms import Json
from engine.model.outcome import Outcome
from engine.origins.sources import load_sources
from engine.things.door import LoadReport
from engine.things.registry import Registry


class Hearthgraph:
    """One home. Use it as a context manager; `open(None)` keeps it in memory."""

    def __init__(self, store: GraphStore, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self.registry = Registry(store)
        self.hub = ChangeHub()
        self.state = State(store, self.registry, clock, self.hub)
        self.binding = SimulatedBinding(self.registry, self.state, clock)
        self.assistant = Assistant(store, self.registry, self.state, clock, self.binding)

    @classmethod
    def open(cls, path: Path | None = None, *, now: datetime | None = None, simulated: bool = False) -> Hearthgraph:
        """Opens the store in a directory, or one in memory. With `now`, or `simulated`, time is simulated.

        Raises StoreError."""
        clock: Clock = SimulatedClock(now or datetime.now(UTC)) if now or simulated else SystemClock()
        return cls(GraphStore.open(path), clock)

    def load(self, paths: Sequence[Path | str]) -> LoadReport:
        """Loads files (Turtle, or what an origin reads); each is taken whole or refused whole. Raises InputError."""
        report = load_sources([Path(p) for p in paths], self.store, self.registry, self.state)
        return report

    def ask(
        self, text: str, *, consent: bool | Consent = Consent.ASK, user: str | None = None, location: str | None = None
    ) -> Outcome:
        """What came of a request. `consent=True` is consent to everything; `location` is a room's name or IRI."""
        if isinstance(consent, bool):
            consent = Consent.ALL if consent else Consent.ASK
        request = Request(text, f"urn:uuid:{uuid4()}", user, self.place(location))
        return self.assistant.handle(request, consent)

    def place(self, name: str | None) -> str | None:
        """The IRI of a place given by IRI or name; None for None or an unknown one."""
        if name is None or name in self.registry.places:
            return name
        wanted = name.casefold()
        for place in self.registry.places.values():
            if wanted in (n.casefold() for n in (place.name, *place.aliases)) or place.iri.endswith(f"/{name}"):
                return place.iri
        return None

    def values(self) -> Mapping[str, Json]:
        """The present value of every property, by IRI."""
        return self.state

    def close(self) -> None:
        """Closes the store."""
        self.store.close()

    def __enter__(self) -> Hearthgraph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
