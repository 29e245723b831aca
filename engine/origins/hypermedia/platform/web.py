"""A home as seen from the web: the data that representations are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.environment.state import State
from engine.graph.store import GraphStore
from engine.model.place import Place
from engine.model.thing import Thing
from engine.origins.hypermedia.platform.addresses import Addresses, Names
from engine.origins.hypermedia.provenance import explored
from engine.things.index import Index
from engine.things.registry import Registry

MOST_BASES = 8
"""Of how many names of this server what was made is kept: a caller may make up as many as it likes."""


@dataclass(frozen=True, slots=True)
class Web:
    """A home at one moment, under the addresses of one base."""

    store: GraphStore
    state: State
    index: Index
    at: Addresses
    kept: dict[str, object] = field(default_factory=dict, compare=False)
    """What was made of the home and stays while nothing but values changes, by whoever made it."""

    @property
    def names(self) -> Names:
        """The names in addresses."""
        return self.at.names

    def place(self, name: str) -> tuple[bool, Place | None]:
        """Whether there is a workspace of that name, and the place that it is (None for that of things without one)."""
        if name not in self.names.workspaces:
            return False, None
        iri = self.names.workspaces[name]
        return True, None if iri is None else self.index.places.get(iri)

    def thing(self, workspace: str, artifact: str) -> Thing | None:
        """The thing by the names of its workspace and its own; None where there is none."""
        if workspace not in self.names.workspaces:
            return None
        found = self.names.artifacts.get(self.names.workspaces[workspace], {}).get(artifact)
        return None if found is None else self.index.things.get(found)

    def things_in(self, place: str | None) -> Mapping[str, Thing]:
        """The things that are in a place, and in no place within it, by their names."""
        return {name: self.index.things[iri] for name, iri in self.names.artifacts.get(place, {}).items()}


class Webs:
    """Gives the web of a home for a base. Names are made anew when things or places have changed.

    Explored things are for their own homes to show: they are no part of this web, so that two homes that explore each
    other do not find themselves.
    """

    def __init__(self, store: GraphStore, registry: Registry, state: State) -> None:
        self._store, self._registry, self._state = store, registry, state
        self._known: tuple[Index, int, Names] | None = None
        self._kept: dict[str, dict[str, object]] = {}

    def at(self, base: str) -> Web:
        """The home as it is now, under a base such as `http://127.0.0.1:8008`."""
        index, generation, known = self._registry.index, self._store.generation, self._known
        if known is None or known[0] is not index or known[1] != generation:
            theirs = explored(self._store)
            places = {iri: place for iri, place in index.places.items() if iri not in theirs}
            things = {iri: thing for iri, thing in index.things.items() if iri not in theirs}
            known = self._known = index, generation, Names(places, things)
            self._kept = {}
        kept, base = self._kept, base.rstrip("/")
        if base not in kept and len(kept) >= MOST_BASES:
            kept.clear()
        return Web(self._store, self._state, index, Addresses(base, known[2]), kept.setdefault(base, {}))
