"""Facts that people have told of themselves, of each other and of the home: likes, routines, settings, and the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from engine.model.intent import Intent


class Statement(Enum):
    """The kind of statement that a fact is."""

    LIKING = "liking"  # classes of devices, or a value of a variable, that somebody likes or dislikes
    ROUTINE = "routine"  # what somebody wants, or is used to, on an occasion; goals
    SETTING = "setting"  # how somebody wants a thing whenever they ask for it; goals
    FREE = "free"  # anything else: a team, a birthday, where the dresser stands


class Daytime(Enum):
    """A part of the day for which a fact holds."""

    MORNING = "morning"
    NOON = "noon"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"


@dataclass(frozen=True, slots=True)
class Occasion:
    """When a fact counts. `kinds` are occasions of the ontology (hg:Occasion, hg:Situation among them) by IRI, `words`
    the words for it that name none, `who` the words for those who are about to do it where it is not the speaker
    ("the kids"); `daytimes` and `days` (0 is Monday) confine it."""

    kinds: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    daytimes: tuple[Daytime, ...] = ()
    days: tuple[int, ...] = ()

    @property
    def named(self) -> bool:
        """Whether it is about something that people do."""
        return bool(self.kinds or self.words)


ANY_TIME = Occasion()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who said it (None: unknown), when, in which words, in which request; until when it holds (None: for good)."""

    teller: str | None
    at: datetime
    text: str
    request: str | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement. `person` is its subject, "" for everybody.

    `goals` are the states that shall hold, as intents. `liked` and `disliked` are classes of devices, for the
    `variable`, of which `number` is the value that somebody is comfortable at. `topics` are its content words in their
    dictionary form, by which it is found.
    """

    iri: str
    person: str
    statement: Statement
    source: Provenance
    occasion: Occasion = ANY_TIME
    goals: tuple[Intent, ...] = ()
    liked: tuple[str, ...] = ()
    disliked: tuple[str, ...] = ()
    variable: str | None = None
    number: float | None = None
    topics: tuple[str, ...] = field(default=())

    @property
    def text(self) -> str:
        """The words in which it was said."""
        return self.source.text

    @property
    def audience(self) -> frozenset[str]:
        """Who may hear of it, by name in small letters: whom it is about and who told it; "" is everybody."""
        teller = self.source.teller
        told = () if teller is None or not self.person else (teller.casefold(),)
        return frozenset({self.person.casefold(), *told})

    def open_to(self, user: str | None) -> bool:
        """Whether somebody may hear of it."""
        return bool({"", (user or "").casefold()} & self.audience)

    def about(self, user: str | None) -> bool:
        """Whether it is theirs, or everybody's."""
        return self.person.casefold() in ("", (user or "").casefold())

    def holds_at(self, now: datetime) -> bool:
        """Whether it has not run out."""
        return self.source.until is None or now < self.source.until
