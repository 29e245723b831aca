"""What the words of a request may be: items on spans of its tokens, overlapping ones all kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from engine.graph.store import GraphStore
from engine.graph.terms import expand, python
from engine.language.chart.heard.sounds import sounds
from engine.language.times.time_words import TimeWords, time_words
from engine.language.words.dictionary import _SPEECH
from engine.language.words.lexicon import Entry, Lexicon, Role
from engine.language.words.morphology import superlative_of
from engine.language.words.spans import Span
from engine.language.words.tokens import Token


class Sort(Enum):
    """What an item is in a sentence: a function word of a class, or words that mean something in the graph."""

    __hash__ = object.__hash__  # a member is one object; the hash of its name is dear

    # function words; the names are those of the classes in `ontology/words/function.ttl`
    Definite = "Definite"
    Possessive = "Possessive"
    Indefinite = "Indefinite"
    Different = "Different"
    Sometime = "Sometime"
    Any = "Any"
    Every = "EachWord"
    Both = "Both"
    Everything = "Everything"
    Anything = "Anything"
    Everywhere = "Everywhere"
    No = "No"
    HalfOf = "HalfWord"
    Pair = "Pair"
    PronounOne = "PronounOne"
    PronounSeveral = "PronounSeveral"
    One = "One"
    FormerOne = "FormerOne"
    LatterOne = "LatterOne"
    Other = "Other"
    Others = "Others"
    Here = "Here"
    There = "There"
    To = "To"
    By = "By"
    On = "On"
    In = "In"
    Of = "Of"
    With = "With"
    Without = "Without"
    Than = "Than"
    From = "From"
    Above = "Above"
    Within = "Within"
    Below = "Below"
    AtLeast = "AtLeast"
    AtMost = "AtMost"
    OrMore = "OrMore"
    OrLess = "OrLess"
    Most = "Most"
    Least = "Least"
    And = "And"
    StopMark = "StopMark"
    PauseMark = "PauseMark"
    ReasonWord = "ReasonWord"
    HowMany = "HowMany"
    Which = "Which"
    What = "What"
    How = "How"
    Where = "Where"
    HowLong = "HowLong"
    WhenDid = "WhenDid"
    Whether = "Whether"
    Content = "Content"
    Food = "Food"
    Plain = "Plain"
    PastBeing = "PastBeing"
    WhenWill = "WhenWill"
    Sensing = "Sensing"
    Unsensing = "Unsensing"
    Witness = "Witness"
    Mean = "Mean"
    Total = "Total"
    Difference = "Difference"
    Reached = "Reached"
    Reaching = "Reaching"
    Utmost = "Utmost"
    UtmostOf = "UtmostOf"
    YesOrNo = "YesOrNo"
    Unreal = "Unreal"
    Copula = "Copula"
    Modal = "Modal"
    Requesting = "Requesting"
    Picking = "Picking"
    Not = "Not"
    Leave = "Leave"
    Sparing = "Sparing"
    Alone = "Alone"
    Letting = "Letting"
    Called = "Called"
    AskedOfSelf = "AskedOfSelf"
    That = "That"
    Whose = "Whose"
    Wherever = "Wherever"
    Still = "Still"
    Only = "Only"
    Except = "Except"
    Excepted = "Excepted"
    Including = "Including"
    Somebody = "Somebody"
    Nobody = "Nobody"
    Nothing = "Nothing"
    SpeakerWord = "SpeakerWord"
    If = "If"
    When = "When"
    Repair = "Repair"
    Fillers = "Fillers"
    Loose = "Loose"
    Added = "Added"
    Same = "Same"
    AsBefore = "AsBefore"
    Being = "Being"
    AuxiliaryNot = "AuxiliaryNot"
    Holding = "Holding"
    Oneself = "Oneself"
    PastVerb = "PastVerb"
    PastMark = "PastMark"
    Reporting = "Reporting"
    Pondering = "Pondering"
    AtTheTime = "AtTheTime"
    TagQuestion = "TagQuestion"
    Presuming = "Presuming"
    Gladly = "Gladly"
    Undertaking = "Undertaking"
    Habit = "Habit"
    Glad = "Glad"
    Ruling = "Ruling"
    Elsewhere = "Elsewhere"
    EitherState = "EitherState"
    Unwanted = "Unwanted"
    Cleft = "Cleft"
    Inverted = "Inverted"
    Taken = "Taken"
    Slightly = "Slightly"
    Upwards = "Upwards"
    Downwards = "Downwards"
    # words that mean something in the graph
    VERB = "verb"
    PARTICLE = "particle"
    NOUN = "noun"
    PLACE = "place"
    KIND = "kind"
    VALUE = "value"
    NUMBER = "number"
    RELATIVE = "relative"
    SUPERLATIVE = "superlative"
    GRADABLE = "gradable"
    DURATION = "duration"
    TIME = "time"
    TEXT = "text"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Item:
    """What the tokens from `start` to `end` (exclusive) may be. `said` is how a function word compares or which way it
    points. `owner` and `head` as in a Span; `surface` is the first word, for verbs whose particle stands apart."""

    start: int
    end: int
    sort: Sort
    text: str
    entries: tuple[Entry, ...] = ()
    number: float | None = None
    unit: str | None = None
    plural: bool = False
    of_current: bool = False
    said: str | int | None = None
    owner: tuple[Entry, ...] = ()
    head: tuple[Entry, ...] = ()
    time: object = None

    @property
    def length(self) -> int:
        """How many tokens it covers."""
        return self.end - self.start

    def having(self, *roles: Role) -> tuple[Entry, ...]:
        """The entries with one of these roles."""
        return tuple(e for e in self.entries if e.role in roles)


@dataclass(slots=True)
class FunctionWords:
    """The function words of the ontology, as a trie; `said` is the comparison or direction of a class."""

    trie: Lexicon = field(default_factory=Lexicon)
    heard: Lexicon = field(default_factory=Lexicon)
    said: dict[str, str | int] = field(default_factory=dict)
    marks: dict[str, Sort] = field(default_factory=dict)
    endings: dict[str, list[Sort]] = field(default_factory=dict)
    numbers: Lexicon = field(default_factory=Lexicon)
    time: TimeWords = field(default_factory=dict)
    of_time: frozenset[str] = frozenset()

    def knows(self, word: str) -> bool:
        """Whether it is a word of any of these."""
        return word in self.of_time or word in self.endings or self.trie.knows(word) or self.heard.knows(word)

    def sorts_in(self, tokens: Sequence[Token]) -> set[str]:
        """The classes, by IRI, of the function words that a text may have, wherever they stand."""
        matches = (match for place in range(len(tokens)) for match in self.trie.at(tokens, place))
        return {entry.iri for match in matches for entry in match.entries}


_PREFIX = expand("hg:")


def function_words(store: GraphStore) -> FunctionWords:
    """The function words of a store's ontology, and what else is heard for its terms."""
    return store.of_terms("language/function_words", lambda: _read(store))


def _read(store: GraphStore) -> FunctionWords:
    found = FunctionWords()
    for term, label, comparison, direction in store.select("language/function_words"):
        sort, text = term.value.removeprefix(_PREFIX), label.value  # type: ignore[union-attr]
        if not any(c.isalnum() for c in text):
            found.marks[text] = Sort(sort)
            continue
        if text.startswith("'"):
            found.endings.setdefault(text, []).append(Sort(sort))
        found.trie.add(text, Entry(Role.FILLER, sort))
        for value in (comparison, direction):
            if value is not None:
                found.said[sort] = python(value)  # type: ignore[assignment]
    for term, speech, label in store.select("language/heard_words"):
        assert speech is not None
        assert term is not None
        assert label is not None
        role, iri = _SPEECH[speech.value], term.value
        found.heard.add(label.value, Entry(role, iri))
        if role is Role.RELATIVE and (superlative := superlative_of(label.value)):
            found.heard.add(superlative, Entry(Role.SUPERLATIVE, iri))
    found.numbers = sounds(store)
    found.time = time_words(store)
    found.of_time = frozenset(word for phrase in found.time for word in phrase)
    return found


def includes(items: Sequence[Sequence[Item]], *sorts: Sort) -> bool:
    """Whether an item of one of these sorts begins at any of these places."""
    return any(item.sort in sorts for own in items for item in own)


def is_unknown(own: Sequence[Item]) -> bool:
    """Whether a word means nothing here, and is none of grammar: a name, it may be."""
    return bool(own) and all(i.sort is Sort.WORD for i in own)


def is_command(own: Sequence[Item]) -> bool:
    """Whether a word is a command to a machine, and nothing else but a state that is called so: "play"."""
    known = [i for i in own if i.sort is not Sort.WORD]
    only = all(i.sort in (Sort.VERB, Sort.VALUE) for i in known)
    return only and any(i.having(Role.COMMAND) for i in known)


UTMOST, UTMOST_OF, HEARD = Sort.Utmost.value, Sort.UtmostOf.value, "heard"
INVERTED, COUNTED = "inverted", "counted"


OTHER = "other"
"""What an item says of a kind that shall have another value, whichever."""
PAUSES = (Sort.PauseMark, Sort.StopMark)
ARTICLES = frozenset({Sort.Definite, Sort.Indefinite, Sort.Possessive})
OPERATORS = frozenset(
    {
        Sort.If, Sort.When, Sort.Not, Sort.Except, Sort.Leave, Sort.Unwanted, Sort.Without, Sort.PastMark, Sort.Other,
        Sort.Reporting, Sort.Pondering,
    }
)  # fmt: skip
"""What may never be skipped."""
PARTICLES = frozenset({"on", "off", "up", "down", "out", "in", "away", "back", "over", "through", "open", "shut"})


def clauses(items: Sequence[Sequence[Item]], marks: Sequence[Sort] = PAUSES) -> Iterator[range]:
    """The places of each stretch between pauses, or between these marks."""
    start = 0
    for place, own in enumerate([*items, None]):
        if own is None or includes((own,), *marks):
            if place > start:
                yield range(start, place)
            start = place + 1


def longest(items: Sequence[Sequence[Item]], places: range, fits: Callable[[Item], bool]) -> Iterator[Item]:
    """The longest item that fits at each of some places, one behind the other."""
    place = places.start
    while place < places.stop:
        found = max(filter(fits, items[place]), key=lambda item: item.length, default=None)
        if found is not None:
            yield found
        place = found.end if found is not None else place + 1


def span_of(item: Item, tokens: Sequence[Token]) -> Span:
    """An item as the spans that the meanings of restrictions are made of."""
    return Span(
        item.text,
        tokens[item.start].start,
        tokens[item.end - 1].end,
        item.entries,
        item.number,
        item.unit,
        plural=item.plural,
        of_current=item.of_current,
        owner=item.owner,
        head=item.head,
    )


_OF_TIME = (Sort.DURATION, Sort.TIME)
_BESIDE_TIME = (*_OF_TIME, *PAUSES, Sort.NUMBER, Sort.Fillers, Sort.Loose, Sort.In, Sort.By, Sort.And)


def is_only_time(stretch: Sequence[Sequence[Item]]) -> bool:
    """Whether a stretch of words says for how long or when, and nothing else."""
    ends, place = False, 0
    while place < len(stretch):
        told = max((i for i in stretch[place] if i.sort in _OF_TIME), key=lambda i: i.length, default=None)
        if told is None and not includes(stretch[place : place + 1], *_BESIDE_TIME):
            return False
        ends, place = ends or told is not None, place + (told.length if told is not None else 1)
    return ends
