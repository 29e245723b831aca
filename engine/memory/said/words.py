"""Words into types: which stretches of a sentence speak of habits, occasions, people, what was, and what is here."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.graph.store import GraphStore
from engine.graph.terms import compact, expand
from engine.language.meanings.context import Context
from engine.language.words.lexicon import Entry, Role
from engine.language.words.morphology import forms
from engine.language.words.tokens import Token, TokenKind, tokenize, words_in

NAMING = frozenset({Role.THING, Role.DEVICE, Role.PLACE, Role.PLACE_CLASS})
LONGEST = 8
"""How many words a phrase of these has at most."""
_ENDS = frozenset({".", "?", "!"})
_FEW = 2
"""How many words are too few for a sentence."""
_MOST_LATELY = 256
"""How many sentences are kept as they were read."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """What the tokens from `start` to `end` (exclusive) may be: classes of words and occasions, by IRI, and what they
    name here, by role."""

    start: int
    end: int
    terms: frozenset[str] = frozenset()
    named: tuple[tuple[Role, str], ...] = ()

    def can(self, term: str) -> bool:
        """Whether it may be a word of this class (`hg:UsualWord`)."""
        return expand(term) in self.terms

    @property
    def names(self) -> bool:
        """Whether it names a thing, a class of things, or a place."""
        return bool(self.named)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its tokens and all stretches that are known of it, by where they begin, the longest first."""

    text: str
    tokens: tuple[Token, ...]
    at: tuple[tuple[Stretch, ...], ...]

    def word(self, place: int) -> str:
        """The word at a place; "" beyond the end."""
        return self.tokens[place].text if 0 <= place < len(self.tokens) else ""

    def stretches(self) -> Iterator[Stretch]:
        """All of them."""
        return (one for several in self.at for one in several)

    def find(self, term: str, start: int = 0) -> Stretch | None:
        """The first and longest stretch of a class of words from a place on."""
        return next((one for place in self.at[start:] for one in place if one.can(term)), None)

    def here(self, term: str, place: int) -> Stretch | None:
        """The longest stretch of a class of words that begins at a place."""
        return next((one for one in self.at[place] if one.can(term)), None) if place < len(self.at) else None

    @property
    def has_number(self) -> bool:
        """Whether it says a number: not "that one", nor what is a word of memory ("b4")."""
        known = {n for one in self.stretches() if one.terms for n in range(one.start, one.end)}
        return any(t.kind is TokenKind.NUMBER and t.text != "one" and n not in known for n, t in enumerate(self.tokens))

    def said(self, start: int, end: int) -> str:
        """The words from one place to another, as they were said."""
        if start >= end:
            return ""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]

    @property
    def names_a_thing(self) -> bool:
        """Whether it names a thing of the home."""
        return bool(self.named(Role.THING))

    def named(self, *roles: Role, apart: Container[int] = ()) -> dict[str, Role]:
        """What it names of these roles, by IRI; of what lies within a longer name only the name; nothing that lies
        `apart` from the start."""
        found: dict[str, Role] = {}
        place = 0
        while place < len(self.tokens):
            several = [one for one in self.at[place] if one.names and one.end - 1 not in apart]
            for role, iri in (pair for one in several[:1] for pair in one.named if pair[0] in roles):
                found.setdefault(iri, role)
            place = several[0].end if several else place + 1
        return found


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases that statements of people are read by, by their first word, and the occasions among their terms."""

    by_first: dict[str, list[tuple[tuple[str, ...], str]]]
    occasions: frozenset[str]


@dataclass(slots=True)
class _Lately:
    """The sentences that were read lately with the words of a home: one request is read by many."""

    dictionary: object = None
    sentences: dict[str, Sentence] = field(default_factory=dict)


def read(text: str, context: Context) -> Sentence:
    """A sentence with what its words may be."""
    lately = context.store.derived("memory/lately", _Lately)
    if lately.dictionary is not context.dictionary or len(lately.sentences) >= _MOST_LATELY:
        lately.dictionary, lately.sentences = context.dictionary, {}
    sentences = lately.sentences
    if text not in sentences:
        sentences[text] = _read(text, words_of_people(context.store), context)
    return sentences[text]


def _read(text: str, phrases: Phrases, context: Context) -> Sentence:
    tokens = tuple(tokenize(text))
    at = []
    for place in range(len(tokens)):
        terms = _terms(tokens, place, phrases)
        names = _names(tokens, place, context)
        ends = sorted({*terms, *names}, reverse=True)
        at.append(tuple(Stretch(place, end, frozenset(terms.get(end, ())), tuple(names.get(end, ()))) for end in ends))
    return Sentence(text, tokens, _without_parts_of_phrases(at))


def _without_parts_of_phrases(at: Sequence[tuple[Stretch, ...]]) -> tuple[tuple[Stretch, ...], ...]:
    """The stretches without those that are a part of a set phrase: "never mind" is no "never"."""
    phrases = [one for several in at for one in several if one.can("hg:SetPhrase")]
    if not phrases:
        return tuple(at)
    return tuple(
        tuple(s for s in several if s in phrases or not any(p.start <= s.start and s.end <= p.end for p in phrases))
        for several in at
    )


def last_of(sentence: Sentence, context: Context) -> Sentence:
    """The last of several sentences: a question before it is only its subject."""
    last = len(sentence.tokens)
    ends = [n + 1 for n in range(last) if sentence.word(n) in _ENDS and n + 1 < last - _FEW]
    return read(sentence.said(ends[-1], last), context) if ends else sentence


def without_fillers(text: str, context: Context) -> str:
    """A text without what is said between two commas and says nothing: "do the fan, like, my way"."""
    sentence = read(text, context) if "," in text else None
    while sentence is not None and (found := _filler(sentence)) is not None:
        begin = sentence.tokens[found.start - 1].start if found.start else sentence.tokens[0].start
        text = f"{text[:begin]}{',' if found.start else ''}{text[sentence.tokens[found.end].end :]}".strip()
        sentence = read(text, context)
    return text


def _filler(sentence: Sentence) -> Stretch | None:
    """The first stretch that stands alone between commas, or before one, and says nothing."""
    for place in range(len(sentence.tokens)):
        one = sentence.here("hg:FillingWord", place)
        alone = one is not None and sentence.word(one.end) == "," and sentence.word(place - 1) in ("", ",")
        if alone:
            return one
    return None


def without_remark(text: str, context: Context) -> str | None:
    """A text without a last clause that names nothing here and says no number: "…, it is most comfortable so"; None
    where there is none."""
    sentence = read(text, context)
    comma = max((n for n in range(len(sentence.tokens)) if sentence.word(n) == ","), default=0)
    behind = [one for several in sentence.at[comma:] for one in several]
    numbers = any(token.kind is TokenKind.NUMBER for token in sentence.tokens[comma:])
    told = comma > _FEW and not numbers and not any(one.names for one in behind)
    return sentence.said(0, comma) if told else None


def without_leads(text: str, context: Context) -> str:
    """A text without what stands before or behind what is told, and says only that it is told: "by the way, …"."""
    sentence = read(text, context)
    place, last = 0, len(sentence.tokens)
    while (lead := sentence.here("hg:LeadWord", place)) is not None:
        place = lead.end + (sentence.word(lead.end) in (",", ":", "-"))
    while last > place and sentence.word(last - 1) in _ENDS:
        last -= 1
    behind = next((one for one in sentence.stretches() if one.end == last and _is_behind(sentence, one)), None)
    if behind is not None:
        last = behind.start - (sentence.word(behind.start - 1) == ",")
    whole = place == 0 and behind is None
    return text if whole or last - place < _FEW else sentence.said(place, last)


def _is_behind(sentence: Sentence, one: Stretch) -> bool:
    """Whether words at the end only say that something was told: after a comma, or in letters that are no word."""
    alone = sentence.word(one.start - 1) == "," or sentence.word(one.start) in ("btw", "fyi")
    return alone and one.can("hg:LeadWord")


def occasions_in(
    sentence: Sentence, context: Context, start: int = 0, end: int | None = None, *, also_named: bool = False
) -> dict[str, int]:
    """The occasions that words tell of, and how many words tell of each. What names a place or a thing here tells of
    none, unless `also_named`; of what overlaps the longest counts."""
    known, covered = words_of_people(context.store).occasions, set() if also_named else _of_names(sentence)
    last = len(sentence.tokens) if end is None else end
    inside = [one for one in sentence.stretches() if start <= one.start and one.end <= last and one.terms & known]
    found: dict[str, int] = {}
    taken: set[int] = set()
    for one in sorted(inside, key=lambda stretch: (stretch.start - stretch.end, stretch.start)):
        own = set(range(one.start, one.end))
        if own & taken or own <= covered:
            continue
        taken |= own
        for term in one.terms & known:
            found[term] = found.get(term, 0) + len(own)
    return found


def told_of_occasions(sentence: Sentence, occasions: Iterable[str]) -> set[int]:
    """The places of the words that tell of these occasions."""
    wanted = set(occasions)
    return {n for one in sentence.stretches() if one.terms & wanted for n in range(one.start, one.end)}


def _of_names(sentence: Sentence) -> set[int]:
    """The places that belong to names of what is here: "the study" is a room, and no work."""
    found: set[int] = set()
    for one in sentence.stretches():
        proper = any(role in (Role.THING, Role.PLACE) for role, _ in one.named)
        marked = sentence.word(one.start - 1) in ("the", "my", "our", "in", "her", "his", "their")
        if proper and (one.end - one.start > 1 or marked):
            found |= set(range(one.start, one.end))
    return found


def is_kind(term: str, name: str) -> bool:
    """Whether a term is the one of this name (`hg:Lamp`)."""
    return compact(term) == name


def _terms(tokens: Sequence[Token], place: int, phrases: Phrases) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for first in _forms(tokens[place]):
        for words, term in phrases.by_first.get(first, ()):
            end = place + len(words)
            if end <= len(tokens) and all(
                w in _forms(t) for w, t in zip(words[1:], tokens[place + 1 : end], strict=True)
            ):
                found.setdefault(end, set()).add(term)
    return found


def _forms(token: Token) -> tuple[str, ...]:
    return forms(token.text) if token.kind is TokenKind.WORD else (token.text,)


def _names(tokens: Sequence[Token], place: int, context: Context) -> dict[int, list[tuple[Role, str]]]:
    found: dict[int, list[tuple[Role, str]]] = {}
    for match in context.dictionary.lexicon.at(tokens, place):
        entries = [entry for entry in match.entries if entry.role in NAMING]
        proper = any(entry.role is Role.PLACE for entry in entries)
        named = [pair for entry in entries for pair in _meant(entry, context, alone=not proper)]
        if named:
            found[match.end] = list(dict.fromkeys(named))
    return found


def _meant(entry: Entry, context: Context, *, alone: bool) -> Iterator[tuple[Role, str]]:
    """What an entry names; a class of places names the places here that are of it."""
    yield entry.role, entry.iri
    if entry.role is Role.PLACE_CLASS and alone:
        is_a = context.vocabulary.is_a
        for place in context.registry.places.values():
            if any(is_a(cls, entry.iri) for cls in place.classes):
                yield Role.PLACE, place.iri


def words_of_people(store: GraphStore) -> Phrases:
    """The phrases that statements of people are read by."""
    return store.of_terms("memory/words", lambda: _phrases(store))


def _phrases(store: GraphStore) -> Phrases:
    occasions = frozenset(row[0].value for row in store.select("memory/occasions") if row[0] is not None)
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for term, label in store.select("memory/words"):
        words = words_in(label.value) if label is not None else ()
        if term is not None and words and len(words) <= LONGEST:
            by_first.setdefault(words[0], []).append((words, term.value))
    return Phrases(by_first, occasions)
