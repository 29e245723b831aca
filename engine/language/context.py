"""What words are read against: the home, its dictionary, and where the speaker is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.graph.store import GraphStore
from engine.graph.terms import expand
from engine.language.dictionary import Dictionary
from engine.language.past import NOTHING_SAID, Hearing, Past
from engine.model.vocabulary import Effect, Form, Vocabulary
from engine.things.registry import Registry


@dataclass(frozen=True, slots=True, repr=False)
class Context:
    """`location` is a place IRI or None; `setters` maps a kind to the commands that take it as input.

    `conventions` are those of speech that the home declares, by IRI. `past` is what was said before, `hearing` what is
    noted of this request while it is read. `standing` gives what the speaker said of readings before, by their shape:
    above 0 for what they mean, below 0 for what they do not.
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
        """Whether numbers are taken as they stand, whatever unit is said."""
        return expand("hg:BareNumbers") in self.conventions

    @property
    def room_means_all(self) -> bool:
        """Whether a kind of device that is said with a place means all of them there."""
        return expand("hg:RoomMeansAll") in self.conventions

    @property
    def vocabulary(self) -> Vocabulary:
        """What the ontology says."""
        return self.registry.vocabulary

    def effects(self, command: str | None) -> tuple[Effect, ...]:
        """The effects of a command class; none for None."""
        found = self.vocabulary.commands.get(command or "")
        return found.effects if found else ()


def setters(vocabulary: Vocabulary) -> dict[str, frozenset[str]]:
    """For each kind, the commands that copy an input to it."""
    found: dict[str, set[str]] = {}
    for command in vocabulary.commands.values():
        for effect in command.effects:
            if effect.form is Form.TO_INPUT:
                found.setdefault(effect.kind, set()).add(command.iri)
    return {kind: frozenset(commands) for kind, commands in found.items()}
