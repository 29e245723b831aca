"""Earlier turns of a conversation, as far as words can refer to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.language.phrases.coordination import Goal
from engine.language.words.spans import Span
from engine.model.outcome import Change


@dataclass(frozen=True, slots=True)
class Said:
    """A goal of an earlier turn, the parts of things that were acted on or told about for it, by IRI, and the kinds of
    property that it was about."""

    goal: Goal
    parts: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Undo:
    """Changes to be reverted."""

    text: str
    changes: tuple[Change, ...]


Item = Goal | Undo
"""What a request comes to."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The goals understood in one utterance, in its order, and the changes they made."""

    said: tuple[Said, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """All parts that it was about, in the order in which they were named."""
        return tuple(dict.fromkeys(part for said in self.said for part in said.parts))


@dataclass(frozen=True, slots=True)
class Past:
    """The turns so far, the oldest first."""

    turns: tuple[Turn, ...] = ()

    @property
    def last(self) -> Turn | None:
        """The last turn in which something was understood."""
        return next((turn for turn in reversed(self.turns) if turn.said), None)

    @property
    def changed(self) -> Iterator[Turn]:
        """The turns that changed something, the latest first."""
        return (turn for turn in reversed(self.turns) if turn.changes)


NOTHING_SAID = Past()


@dataclass(slots=True)
class Hearing:
    """Notes on a request while it is read. `corrects`: it begins by revoking the turn before; `shifted`: from this
    place of the text on it has another subject; `reference`: it repeats the order for the things that these words
    name; `retracted`: it revokes itself; `unsure`: another reading is nearly as likely, and `shape` is that of this
    reading; `sure`: how likely it is, from 0 to 1, where readings were weighed; `told`: the
    parts of the text that were only told; `goals` by the IRI of their first intent."""

    corrects: bool = False
    shifted: int | None = None
    reference: tuple[Span, ...] | None = None
    retracted: bool = False
    unsure: bool = False
    sure: float = 0.0
    told: tuple[str, ...] = ()
    shape: str = ""
    goals: dict[str, Item] = field(default_factory=dict)
