"""The frames that a reading grows: noun phrases and clauses with slots that items fill in any order."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.graph.terms import expand
from engine.language.phrases.slots import HowMuch, PlaceName, Quality
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import Record, replace
from engine.language.words.spans import Restriction, Span
from engine.model.intent import Asks

OFF, ON = Entry(Role.STATE, expand("hg:IsOff")), Entry(Role.STATE, expand("hg:IsOn"))


@dataclass(frozen=True)
class Phrase(Record):
    """A noun phrase. `quantity` is "", "all", "any" or "plural"; `count` how many are meant; `pronoun` stands for what
    was spoken of; `owned`: "its"; `other`: not the one that was spoken of."""

    __hash__ = Record.__hash__

    entries: tuple[Entry, ...] = ()
    text: str = ""
    plural: bool = False
    head: tuple[Entry, ...] = ()
    quantity: str = ""
    count: int | None = None
    modifiers: tuple[str, ...] = ()
    places: tuple[PlaceName, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    qualities: tuple[Quality, ...] = ()
    pronoun: str = ""
    other: bool = False
    none: bool = False
    here: bool = False
    there: bool = False
    everywhere: bool = False
    determined: bool = False
    free: bool = False  # "any light": whichever there is
    plain: bool = False  # "the ordinary one"
    among: bool = False  # a ranking of all that is listed: "the loudest of the screen and the speakers"
    whole: Phrase | None = None
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def names(self) -> bool:
        """Whether it names something, and does not only point to it or say where."""
        return bool(self.entries or self.restrictions or self.modifiers or (self.text and not self.pronoun))


@dataclass(frozen=True)
class Before(Record):
    """What stands before a noun that has not come yet."""

    __hash__ = Record.__hash__

    quantity: str = ""
    count: int | None = None
    modifiers: tuple[str, ...] = ()
    places: tuple[PlaceName, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    order: Restriction | None = None
    values: tuple[Span, ...] = ()  # adjectives that may be values: "low fan speed", "running fans"
    preposition: str = ""
    other: bool = False
    owned: bool = False
    determined: bool = False
    article: bool = False  # "a", which says no more than that one follows
    free: bool = False  # "any", which leaves open which
    among: bool = False
    plain: bool = False
    joined: bool = False  # it began after the joint that still stands
    start: int = field(default=0, compare=False)

    @property
    def restricts(self) -> bool:
        """Whether it says which ones, and not only how many."""
        return bool(self.modifiers or self.places or self.values or self.restrictions)


@dataclass(frozen=True)
class Clause(Record):
    """A clause. `amounts` and `qualities` come with how many phrases were there before them."""

    __hash__ = Record.__hash__

    joint: str = "."
    start: int = field(default=0, compare=False)
    verbs: tuple[Entry, ...] = ()
    verb: str = ""
    phrases: tuple[Phrase, ...] = ()
    amounts: tuple[tuple[int, HowMuch], ...] = ()
    qualities: tuple[tuple[int, Quality], ...] = ()
    places: tuple[PlaceName, ...] = ()
    direction: int = 0
    slight: bool = False
    asks: Asks | None = None
    head: str = ""
    relation: Span | None = None
    predicate: tuple[Restriction, ...] = ()
    versus: tuple[Span, ...] = ()
    condition: str = ""
    negated: bool = False
    leave: bool = False
    only: bool = False
    unwanted: bool = False
    request: bool = False
    modal: bool = False
    copula: bool = False
    being: bool = False
    told: bool = False
    same: bool = False
    here: bool = False
    there: bool = False
    everywhere: bool = False
    exceptions: tuple[Restriction, ...] = ()
    unknown: tuple[str, ...] = ()
    duration: float | None = None
    times: tuple[object, ...] = ()
    either: bool = False
    now: bool = False
    including: bool = False
    more: bool = False  # what it names comes to what was named before: "…, the blind too"
    repaired: bool = False
    corrects: bool = False
    other: bool = False  # it shall have another value, which nobody said: "a different colour"
    later: bool = False  # nobody said when: "later today"

    @property
    def empty(self) -> bool:
        """Whether nothing in it means anything."""
        said = self.verbs or self.phrases or self.amounts or self.qualities or self.places or self.asks
        return not (
            said
            or self.direction
            or self.predicate
            or self.leave
            or self.same
            or self.duration
            or self.here
            or self.times
            or self.told
            or self.unwanted
        )

    @property
    def tells_what(self) -> bool:
        """Whether it says what is to be done or asked."""
        return bool(self.verbs or self.amounts or self.direction or self.asks or self.leave)


@dataclass(eq=False)
class State(Record):
    """A reading under way: finished clauses, the one that grows, and what waits for the next item. It is never changed
    once it has its score."""

    __hash__ = object.__hash__

    clauses: tuple[Clause, ...] = ()
    clause: Clause = field(default_factory=Clause)
    before: Before | None = None
    preposition: str = ""
    comparison: str = ""
    joint: str = ""
    open: str = ""  # where tests go: "" nowhere, "phrase", "place", "predicate"
    about: Span | None = None
    host: Span | None = None
    relation: Span | None = None
    negated: bool = False
    repair: bool = False
    target: str = ""  # "", "except", "versus"
    last: str = ""  # sort of the last item that was taken
    score: float = 0.0
    features: tuple[str, ...] = ()
    account: tuple[tuple[int, int, str], ...] = ()

    @property
    def held(self) -> Before | None:
        """What stands before the noun that is to come, with no joint since."""
        return self.before if self.before is not None and (not self.joint or self.before.joined) else None


_SURFACE: dict[str, object] = {"verb": "", "request": False, "copula": False, "being": False, "joint": ".", "start": 0}


def meaning(clause: Clause) -> Clause:
    """The clause without what only its words tell: readings that differ in these alone are one."""
    phrases = tuple(replace(p, determined=False) if p.determined else p for p in clause.phrases)
    return replace(clause, phrases=phrases, **_SURFACE)  # type: ignore[arg-type]
