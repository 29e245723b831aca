"""What was said before in a conversation, as far as words can lead back to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.language.coordination import Goal
from engine.language.spans import Span
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
    """What changed is to be as it was before."""

    text: str
    changes: tuple[Change, ...]


Item = Goal | Undo
"""What a request comes to."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What was understood of one utterance, in its order, and what changed because of it."""

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
    """What is noted of a request while it is read. `corrects`: it begins by taking back what was said before it;
    `shifted`: from this place of the text on it is about something else; `reference`: it wants what was done before to
    what these words name; `retracted`: it takes itself back; `unsure`: it may well mean something else, and `shape` is
    that of the reading; `goals` by the IRI of their first intent."""

    corrects: bool = False
    shifted: int | None = None
    reference: tuple[Span, ...] | None = None
    retracted: bool = False
    unsure: bool = False
    shape: str = ""
    goals: dict[str, Item] = field(default_factory=dict)
