"""The context of planning: one home, as it is now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.environment.clock import Clock
from engine.environment.state import State
from engine.experience.memory import Memory
from engine.graph.store import GraphStore
from engine.graph.terms import Json
from engine.model.vocabulary import Vocabulary
from engine.planning.model.prompting import Planner
from engine.planning.wishes.tastes import Tastes
from engine.things.registry import Registry


@dataclass(frozen=True, slots=True)
class Site:
    """A home with its state and its clock. `location` is where the speaker is, a place IRI, or None.

    `relative_to_start`: amounts that are added count from the state before the request, not from the values that the
    same request sets first. `likes` gives the tastes of the speaker, which few requests ask for; `experience` the
    signifiers, None where they are not to be used; `planner` the language model, None where none is asked; `user` the
    name of the speaker.
    """

    store: GraphStore
    registry: Registry
    state: State
    clock: Clock
    location: str | None = None
    relative_to_start: bool = False
    likes: Callable[[], Tastes] = Tastes
    experience: Memory | None = None
    planner: Planner | None = None
    user: str | None = None

    @property
    def tastes(self) -> Tastes:
        """The tastes of the speaker."""
        return self.likes()

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the ontology."""
        return self.registry.vocabulary

    def enclosing(self, place: str | None) -> frozenset[str]:
        """A place and those around it; none for None."""
        found: set[str] = set()
        while place and place not in found:
            found.add(place)
            known = self.registry.places.get(place)
            place = known.parent if known else None
        return frozenset(found)


Values = Mapping[str, Json]
