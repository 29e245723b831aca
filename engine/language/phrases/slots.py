"""The slots of a clause: nouns, places, amounts and verbs."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.language.phrases.temporal import NO_TIME, When
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import Record, replace
from engine.language.words.spans import Inquiry, Restriction, Span


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase for a device or thing. `modifiers` are words that may be of its name ("printer plug", "the lamp on
    the desk"); `unknown` are those of them that the lexicon does not have; `head` is the class at the end of a name
    ("light" of "hallway light"); `restrictions` are its conditions; `plain`: the one with exactly this name ("the
    ordinary kettle"); `whole`: the device that it is a part of."""

    entries: tuple[Entry, ...]
    text: str
    plural: bool = False
    unknown: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    head: tuple[Entry, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    plain: bool = False
    whole: Noun | None = None


def described(noun: Noun, *words: str) -> Noun:
    """The noun with more words that may be of its name."""
    return replace(noun, modifiers=(*noun.modifiers, *words))


def compound(first: Noun, entries: tuple[Entry, ...], span: Span) -> Noun:
    """A noun of two in a row: the last is the head, the first a modifier ("printer plug"); a name is kept."""
    text = f"{first.text} {span.text}"
    if any(e.role is Role.THING for e in first.entries):
        return replace(first, text=text, plural=span.plural)
    modifiers = (*first.modifiers, *first.text.split())
    return Noun(entries, text, span.plural, first.unknown, modifiers, restrictions=span.restrictions)


@dataclass(frozen=True)
class Quality(Record):
    """A property that is named; `owner` is the device inside a compound ("fan" of "fan speed"); `joined`: it is one
    more, "the temperature *and the humidity*"."""

    __hash__ = Record.__hash__

    entries: tuple[Entry, ...]
    text: str
    owner: tuple[Entry, ...] = ()
    joined: bool = False


@dataclass(frozen=True)
class PlaceName(Record):
    """A place or class of place that is named; `modifiers` are words before it that must be of its name;
    `introduced`: a preposition stands before it; `added`: it is one more, and those before do not lie within it;
    `last`: it is the last of a list, "the kitchen *and the hall*"."""

    __hash__ = Record.__hash__

    entries: tuple[Entry, ...]
    text: str
    plural: bool = False
    modifiers: tuple[str, ...] = ()
    introduced: bool = False
    restrictions: tuple[Restriction, ...] = ()
    added: bool = False
    last: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """The other side of a comparison: a thing, a place, or a thing in a place."""

    noun: Noun | None = None
    places: tuple[PlaceName, ...] = ()


MOST_STEPPED = 15
"""A number up to this may be by how much something shall change, though a pause parts it from its verb."""


@dataclass(frozen=True)
class HowMuch(Record):
    """A number with unit, a named value, a quote, or a word for more or less; `preposition` introduced it. `about` is
    the property that stands right beside it, where it is one of several ("26 with low fan speed"). `of_current`: it
    is a share of the present value. `beside`: it is joined to a verb that has its object: "turn the fan on, natural
    wind"."""

    __hash__ = Record.__hash__

    preposition: str
    text: str
    entries: tuple[Entry, ...] = ()
    number: float | None = None
    unit: str | None = None
    about: tuple[Entry, ...] = ()
    of_current: bool = False
    beside: bool = False


def apart(how: HowMuch) -> HowMuch:
    """A number that a pause parts from its verb, as where that leads: "louder, seventy" is no seventy more."""
    level = how.number is not None and how.number > MOST_STEPPED and not how.of_current
    return replace(how, preposition="to") if level and not how.preposition else how


@dataclass(slots=True)
class Frame:
    """The slots of one segment, or of a clause once segments are joined."""

    joint: str = "."
    start: int = 0
    end: int = 0
    verbs: tuple[Entry, ...] = ()
    verb: str = ""
    nouns: list[Noun] = field(default_factory=list)
    qualities: list[Quality] = field(default_factory=list)
    places: list[PlaceName] = field(default_factory=list)
    amounts: list[HowMuch] = field(default_factory=list)
    direction: int = 0
    pronoun: str = ""
    quantity: str = ""
    here: bool = False
    there: bool = False
    everywhere: bool = False
    negated: bool = False
    fronted: bool = False
    unknown: list[str] = field(default_factory=list)
    exceptions: list[Restriction] = field(default_factory=list)
    inputs: list[PlaceName] = field(default_factory=list)
    question: bool = False
    imperative: bool = False
    inquiry: Inquiry | None = None
    slight: bool = False
    only: bool = False
    when: When = NO_TIME

    @property
    def empty(self) -> bool:
        """Whether nothing in it means anything."""
        return self.inquiry is None and not (
            self.verbs or self.has_object or self.amounts or self.direction or self.unknown or not self.when.empty
        )

    @property
    def is_time_alone(self) -> bool:
        """Whether it says when, and nothing else."""
        return not (self.has_object or self.verbs or self.amounts or self.unknown or self.direction)

    @property
    def has_object(self) -> bool:
        """Whether it names something to act on."""
        return bool(self.nouns or self.qualities or self.places or self.pronoun or self.there)
