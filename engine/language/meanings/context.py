"""The context of understanding: the home, its dictionary, and the speaker's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.graph.store import GraphStore
from engine.graph.terms import expand
from engine.language.meanings.past import NOTHING_SAID, Hearing, Past
from engine.language.words.dictionary import Dictionary
from engine.model.vocabulary import Effect, Form, Vocabulary
from engine.things.registry import Registry


@dataclass(frozen=True, slots=True, repr=False)
class Context:
    """`location` is a place IRI or None; `setters` maps a kind to the commands that take it as input.

    `conventions` are those of speech that the home declares, by IRI. `past` are the turns before, `hearing` are notes
    on this request while it is read. `standing` gives the speaker's confirmations of readings, by their shape: above 0
    for confirmed ones, below 0 for rejected ones.
    """

    store: GraphStore
    registry: Registry
    dictionary: Dictionary
    location: str | None = None
    conventions: frozenset[str] = frozenset()
    setters: Mapping[str, frozenset[str]] = field(default_factory=dict)
    past: Past = NOTHING_SAID
    hearing: Hearing = field(default_factory=Hearing)
    standing: Callable[[], Mapping[str, int]] = dict

    def __repr__(self) -> str:
        return f"Context(location={self.location!r})"

    @property
    def exact_nouns(self) -> bool:
        """Whether the device inside a compound is meant, and nothing else ("fan" of "fan speed")."""
        return expand("hg:ExactNouns") in self.conventions

    @property
    def bare_numbers(self) -> bool:
        """Whether numbers are taken as they stand, whatever their unit."""
        return expand("hg:BareNumbers") in self.conventions

    @property
    def room_means_all(self) -> bool:
        """Whether a kind of device that is said with a place means all of them there."""
        return expand("hg:RoomMeansAll") in self.conventions

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the ontology."""
        return self.registry.vocabulary

    def effects(self, command: str | None) -> tuple[Effect, ...]:
        """The effects of a command class; none for None."""
        found = self.vocabulary.commands.get(command or "")
        return found.effects if found else ()


@dataclass(slots=True)
class _Kept:
    """Findings by one dictionary."""

    dictionary: Dictionary
    found: dict[Any, Any] = field(default_factory=dict)


MOST_KEPT = 4096


def kept_as(name: str, context: Context) -> dict[Any, Any]:
    """The findings under a name, for as long as the graph and the words stay; another dictionary of the same graph (a
    name was told) begins anew. Full, it is replaced, not cleared: another thread may be reading it."""
    held = context.store.derived(name, dict[str, _Kept])
    known = held.get("now")
    if known is None or known.dictionary is not context.dictionary or len(known.found) >= MOST_KEPT:
        known = held["now"] = _Kept(context.dictionary)
    return known.found


def setters(vocabulary: Vocabulary) -> dict[str, frozenset[str]]:
    """For each kind, the commands that copy an input to it."""
    found: dict[str, set[str]] = {}
    for command in vocabulary.commands.values():
        for effect in command.effects:
            if effect.form is Form.TO_INPUT:
                found.setdefault(effect.kind, set()).add(command.iri)
    return {kind: frozenset(commands) for kind, commands in found.items()}


def conventions(store: GraphStore) -> frozenset[str]:
    """The conventions of speech that a home declares, by IRI."""

    def read() -> frozenset[str]:
        return frozenset(term.value for (term,) in store.select("language/conventions") if term is not None)

    return store.derived("language/conventions", read, portable=True)
