"""The words of time, as the ontology has them (`ontology/words/times.ttl`), to be looked up in a row of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from engine.graph.store import GraphStore
from engine.graph.terms import NAMESPACES, Term, python
from engine.language.words.tokens import Token, words_in
from engine.model.rule import Part

LONGEST = 6


class Speech(Enum):
    """The parts of speech of time: local names of the classes of `hg:TimeWord`."""

    DAY_PART = "DayPart"
    HALF_DAY = "HalfDay"
    FULL_HOUR = "FullHour"
    DAY_HOURS = "DayHours"
    PRECISION = "Precision"
    PAST = "Past"
    NAMED_TIME = "NamedTime"
    SKY_TIME = "SkyTime"
    TIME_INTRODUCTION = "TimeIntroduction"
    EVENT_INTRODUCTION = "EventIntroduction"
    HOUR_COMING = "HourComing"
    MEANTIME = "Meantime"
    DELAY_INTRODUCTION = "DelayIntroduction"
    DELAY_END = "DelayEnd"
    TIME_FILLER = "TimeFiller"
    LENGTH_INTRODUCTION = "LengthIntroduction"
    LENGTH_EMPHASIS = "LengthEmphasis"
    WINDOW_START = "WindowStart"
    WINDOW_LINK = "WindowLink"
    END_INTRODUCTION = "EndIntroduction"
    SIDE_OF_TIME = "SideOfTime"
    NAMED_WINDOW = "NamedWindow"
    DARK_HOURS = "DarkHours"
    TIME_UNIT = "TimeUnit"
    SHARE = "Share"
    WEEKDAY = "WeekdayName"
    DAY_GROUP = "DayGroup"
    MONTH = "MonthName"
    RELATIVE_DAY = "RelativeDay"
    REPETITION = "Repetition"
    REPEATED_DAYS = "RepeatedDays"
    REPEATED_PERIOD = "RepeatedPeriod"
    WEEKLY = "Weekly"
    MONTHLY = "Monthly"
    ORDINAL = "Ordinal"
    ORDINAL_ENDING = "OrdinalEnding"
    EXCEPTION = "Exception"


@dataclass(frozen=True, slots=True)
class TimeWord:
    """One sense of a phrase. `counts`, `through` and `part` as the ontology has them; `name` is the term's local name,
    `notation` its code in programs; `plural`: the word is in the plural ("mondays")."""

    speech: Speech
    name: str
    counts: float = 0.0
    through: float = 0.0
    part: Part | None = None
    notation: str = ""
    plural: bool = False


TimeWords = Mapping[tuple[str, ...], tuple[TimeWord, ...]]
PARTS = {f"{NAMESPACES['hg']}{part.value.capitalize()}": part for part in Part}
_PLURAL = frozenset((Speech.DAY_PART, Speech.WEEKDAY, Speech.DAY_GROUP))


def time_words(store: GraphStore) -> TimeWords:
    """The phrases of time by their words, as tokens are spelt."""
    found: dict[tuple[str, ...], dict[TimeWord, None]] = {}
    for row in store.select("language/time_words"):
        label, word = str(row[2].value if row[2] is not None else ""), _word(row)
        for spelt, plural in _spellings(label, word):
            senses = found.setdefault(spelt, {})
            senses[TimeWord(*_fields(word), plural)] = None
    return {spelt: tuple(senses) for spelt, senses in found.items()}


def _fields(word: TimeWord) -> tuple[Speech, str, float, float, Part | None, str]:
    return word.speech, word.name, word.counts, word.through, word.part, word.notation


def _word(row: Sequence[Term | None]) -> TimeWord:
    kind, term, _, counts, through, part, notation = row
    assert kind is not None
    assert term is not None
    name = term.value.rpartition("#")[2]
    own = PARTS.get(term.value) if part is None else PARTS.get(part.value)
    return TimeWord(
        Speech(kind.value.rpartition("#")[2]), name, _number(counts), _number(through), own, _text(notation)
    )


def _number(term: Term | None) -> float:
    return 0.0 if term is None else float(str(python(term)))


def _text(term: Term | None) -> str:
    return "" if term is None else term.value


def _spellings(label: str, word: TimeWord) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The words of a label, and of its plural where it can have one."""
    yield words_in(label), False
    if word.speech in _PLURAL:
        yield words_in(f"{label}s"), True


@dataclass(frozen=True, slots=True)
class Said:
    """A row of tokens, to be looked at from any place; `kept` caches matches by place."""

    tokens: Sequence[Token]
    words: TimeWords
    kept: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    _phrases: dict[int, tuple[tuple[int, TimeWord], ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.tokens)

    def at(self, place: int, *speech: Speech) -> Iterator[tuple[int, TimeWord]]:
        """The phrases of these parts of speech that begin at a place, each with where it ends, the longest first."""
        return (found for found in self.phrases(place) if found[1].speech in speech)

    def phrases(self, place: int) -> tuple[tuple[int, TimeWord], ...]:
        """All phrases of time that begin at a place, each with where it ends, the longest first."""
        if place not in self._phrases:
            self._phrases[place] = tuple(self._looked_up(place))
        return self._phrases[place]

    def _looked_up(self, place: int) -> Iterator[tuple[int, TimeWord]]:
        spelt = tuple(token.text for token in self.tokens[place : place + LONGEST])
        for length in range(len(spelt), 0, -1):
            for word in self.words.get(spelt[:length], ()):
                yield place + length, word

    def past(self, place: int, *speech: Speech) -> int:
        """Behind any phrases of these parts of speech."""
        while (found := next(self.at(place, *speech), None)) is not None:
            place = found[0]
        return place

    def text(self, place: int) -> str:
        """The word at a place, empty behind the end."""
        return self.tokens[place].text if 0 <= place < len(self.tokens) else ""

    def number(self, place: int) -> float | None:
        """The number at a place, None where there is none."""
        return self.tokens[place].number if 0 <= place < len(self.tokens) else None

    def whole(self, place: int, low: int, high: int) -> int | None:
        """The whole number at a place, where it is within bounds."""
        number = self.number(place)
        fits = number is not None and number.is_integer() and low <= number <= high
        return int(number) if fits and number is not None else None

    def over(self, place: int, *words: str) -> int:
        """Behind the words at a place that are any of these."""
        while self.text(place) in words:
            place += 1
        return place
