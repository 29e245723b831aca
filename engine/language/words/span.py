"""A span: a stretch of the text with its meanings, and the restrictions of the noun that it is."""

from __future__ import annotations

from dataclasses import dataclass

from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import Record
from engine.model.intent import Asks


@dataclass(frozen=True)
class Restriction(Record):
    """One restriction of a noun.

    `comparison` is one of `= > >= < <=`, `most`, `least` (the `count` first of a ranking), `has` (a room with such a
    thing), `share` (half of them) and `except` (an exception, in the room `where`). `amount` is the value to compare
    with: a number with its unit, or a word that describes. `about` names the property, `relation` are words for more or
    less that imply it, `host` the thing in a room that is restricted.
    """

    __hash__ = Record.__hash__

    comparison: str
    amount: Span | None = None
    about: Span | None = None
    relation: Span | None = None
    host: Span | None = None
    negated: bool = False
    count: int | None = None
    where: Span | None = None


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question: its form, the restrictions of the noun (`predicate`), a word for more or less that implies the
    property (`relation`), and for a comparison the words of its other side (`versus`); `of_settings`: it is about a
    setting, and not a measurement."""

    asks: Asks
    predicate: tuple[Restriction, ...] = ()
    relation: Span | None = None
    versus: tuple[Span, ...] = ()
    of_settings: bool = False


@dataclass(frozen=True)
class Span(Record):
    """A stretch of the text. `entries` are its meanings (empty: none known); `number` and `unit` make it an amount.

    `owner` is the device that the first words of a compound name ("fan" in "fan speed"), `head` the class that the last
    words of a name are ("light" of "hallway light"), `restrictions` those of a noun; `of_current`: the share is one of
    the present value. `start` and `end` are places in the text.
    """

    __hash__ = Record.__hash__

    text: str
    start: int
    end: int
    entries: tuple[Entry, ...] = ()
    number: float | None = None
    unit: str | None = None
    plural: bool = False
    quoted: bool = False
    owner: tuple[Entry, ...] = ()
    head: tuple[Entry, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    of_current: bool = False

    def having(self, *roles: Role) -> tuple[Entry, ...]:
        """The entries with one of these roles."""
        return tuple(e for e in self.entries if e.role in roles)

    def can_be(self, *roles: Role) -> bool:
        """Whether any entry has one of these roles."""
        return any(e.role in roles for e in self.entries)
