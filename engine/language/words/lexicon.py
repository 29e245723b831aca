"""The lexicon: which words name which terms of the graph. Built from labels in the ontology and names in the home.

The part of speech is the kind of the term (DESIGN, "Knowledge that makes Python unnecessary").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import pairwise

from jellyfish import metaphone
from rapidfuzz import process
from rapidfuzz.distance import OSA

from engine.language.words.morphology import forms, singular
from engine.language.words.tokens import Token, TokenKind, fold, tokenize


class Role(Enum):
    """The syntactic role of an entry."""

    __hash__ = object.__hash__  # a member is one object; the hash of its name is dear

    COMMAND = "command"
    LIGHT_VERB = "light verb"
    RELATIVE = "relative"
    SUPERLATIVE = "superlative"
    GRADABLE = "gradable adjective"
    COMPLAINT = "complaint"
    DEVICE = "device"
    THING = "thing"
    PROPERTY = "property"
    PLACE_CLASS = "class of place"
    PLACE = "place"
    STATE = "state"
    VALUE = "value"
    OPTION = "option"
    COLOUR = "colour"
    FILLER = "filler"
    EDITING = "editing term"
    SHIFT = "change of subject"
    DISMISSAL = "dismissal"
    ASIDE = "aside"
    DEGREE = "phrase of degree"
    UNIT = "unit"


@dataclass(frozen=True, slots=True)
class Entry:
    """One meaning of a word or phrase. `iri` is the term; for OPTION the text of the option, for COLOUR `#rrggbb`."""

    role: Role
    iri: str

    def __hash__(self) -> int:
        """The hash of the term alone, which a text keeps: entries are hashed many thousand times a sentence."""
        return hash(self.iri)


@dataclass(frozen=True, slots=True)
class Match:
    """Entries that the tokens from `start` to `end` (exclusive) may mean."""

    start: int
    end: int
    entries: tuple[Entry, ...]


@dataclass(slots=True)
class _Node:
    children: dict[str, _Node] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)


PARTICLES = frozenset({"on", "off", "up", "down", "out", "in", "away", "back", "over", "through", "open", "shut"})
SIGNS = frozenset({"%", "°"})
_SKIPPED = frozenset({"'s", "-"})
_DETERMINERS = frozenset({"the", "its", "their", "this", "that", "my", "our", "a", "an"})


class Lexicon:
    """A trie over dictionary forms. `add` labels, then look phrases up with `at`; `phrasal` finds verbs with a particle
    that stands apart ("turn the light on")."""

    def __init__(self) -> None:
        self._root = _Node()
        self._phrasal: dict[tuple[str, str], list[Entry]] = {}
        self._halves: dict[str, dict[tuple[str, ...], tuple[Entry, ...]]] = {}
        self._words: set[str] = set()
        self._names: set[str] = set()
        self._beside: dict[str, set[str]] = {}
        self._nominal: set[str] = set()
        self._sounds: dict[str, set[str]] = {}
        self._corrections: dict[str, str] = {}
        self._nouns: dict[str, bool] = {}
        self.plurals: set[str] = set()
        self.written: dict[str, tuple[str, ...]] = {}  # how others write a word
        self.foreign = False  # of another language than English, whose forms and articles it has not

    def add(self, label: str, entry: Entry) -> None:
        """Makes `label` mean `entry`, in the singular and as it stands."""
        words = phrase(label)
        if not words:
            return
        self._nouns.clear()
        node = self._root
        for word in words:
            node = node.children.setdefault(word, _Node())
        if entry not in node.entries:
            node.entries.append(entry)
        self._words.update(words)
        if entry.role in _PROPER:
            self._names.update(words)
        if entry.role in _NOMINAL:
            self._nominal.update(words)
            for one, other in pairwise(words):
                self._beside.setdefault(f"{one} ", set()).add(other)
                self._beside.setdefault(f" {other}", set()).add(one)
        if len(words) > 1 and entry.role in (Role.COMMAND, Role.RELATIVE):
            halves = self._halves.setdefault(words[0], {})
            halves[words[1:]] = (*halves.get(words[1:], ()), entry)
        if len(words) == 2 and words[1] in PARTICLES and entry.role in _VERBS:
            entries = self._phrasal.setdefault((words[0], words[1]), [])
            if entry not in entries:
                entries.append(entry)

    def at(self, tokens: Sequence[Token], start: int) -> list[Match]:
        """All phrases that begin at `start`, longest first."""
        if start >= len(tokens) or self._root.children.keys().isdisjoint(forms(tokens[start].text)):
            return []
        found: dict[int, list[Entry]] = {}
        self._descend(tokens, start, self._root, found, started=False, inflected=False)
        return [Match(start, end, tuple(found[end])) for end in sorted(found, reverse=True)]

    def _descend(
        self,
        tokens: Sequence[Token],
        place: int,
        node: _Node,
        found: dict[int, list[Entry]],
        *,
        started: bool,
        inflected: bool,
    ) -> None:
        entries = [e for e in node.entries if not inflected or e.role in _INFLECTED]
        if entries:
            known = found.setdefault(place, [])
            known.extend(e for e in entries if e not in known)
        if place >= len(tokens):
            return
        token = tokens[place]
        if token.kind is TokenKind.QUOTE:
            return
        if started and token.text in _SKIPPED:
            bare = _Node(children=node.children)
            self._descend(tokens, place + 1, bare, found, started=True, inflected=inflected)
            return
        if started and token.text in _DETERMINERS and place + 1 < len(tokens):  # "return to its dock"
            objects = {w: c for w, c in node.children.items() if w not in PARTICLES and not self._is_noun(w)}
            inside = _Node(objects)
            self._descend(tokens, place + 1, inside, found, started=True, inflected=inflected)
        plain = (token.text, singular(token.text))
        for form in forms(token.text):
            child = node.children.get(form)
            if child is not None:
                stem = inflected or form not in plain
                self._descend(tokens, place + 1, child, found, started=True, inflected=stem)

    def halves(self, verb: str) -> list[tuple[tuple[str, ...], tuple[Entry, ...]]]:
        """The commands that begin with a verb: the words that follow it, and the entries of both; longer ones first.
        Particles are left to `phrasal`."""
        found = [(rest, e) for form in forms(verb) for rest, e in self._halves.get(form, {}).items()]
        told = [(rest, e) for rest, e in found if len(rest) > 1 or rest[0] not in PARTICLES - {"back"}]
        return sorted(told, key=lambda one: -len(one[0]))

    def _is_noun(self, word: str) -> bool:
        """Whether a word is, or begins, the name of a property, or tells one from others: in "set the brightness" and
        "make the warmer match it" a noun follows a verb."""
        known = self._nouns.get(word)
        if known is None:
            known = self._nouns[word] = self._names_or_tells(self._root.children.get(word))
        return known

    def _names_or_tells(self, node: _Node | None) -> bool:
        if node is None:
            return False
        if any(entry.role is Role.RELATIVE for entry in node.entries):
            return True
        return any(entry.role is Role.PROPERTY for one in (node, *node.children.values()) for entry in one.entries)

    def phrasal(self, verb: str, particle: str) -> tuple[Entry, ...]:
        """The entries of a phrasal verb: ("turn", "on")."""
        for form in forms(verb):
            entries = self._phrasal.get((form, particle))
            if entries:
                return tuple(entries)
        return ()

    def knows(self, word: str) -> bool:
        """Whether the word, in some form, stands in any label."""
        return any(form in self._words for form in forms(word))

    def has(self, word: str) -> bool:
        """Whether the word itself, or its singular, stands in any label."""
        return word in self._words or singular(word) in self._words

    def respell(self, heard: str, words: str) -> None:
        """Makes a word one of others', where nothing here has it in its name."""
        if not self.names(heard):
            self.written[heard] = tuple(words.split())

    def names(self, word: str) -> bool:
        """Whether the word stands in the name of a thing or place."""
        return singular(word) in self._names

    def following(self, word: str) -> Iterable[str]:
        """The words that follow a word in names of things, devices, properties and places."""
        return self._beside.get(f"{singular(word)} ", ())

    def preceding(self, word: str) -> Iterable[str]:
        """The words before a word in such names."""
        return self._beside.get(f" {singular(word)}", ())

    def sounding(self, sound: str) -> Iterable[str]:
        """The words of such names that sound so, by Metaphone."""
        if not self._sounds:
            for word in self._nominal:
                self._sounds.setdefault(metaphone(word), set()).add(word)
        return self._sounds.get(sound, ())

    def correct(self, word: str, known: frozenset[str]) -> str:
        """The word of the lexicon, or of `known`, that an unknown word is a slip for; the word itself where none is
        near: one edit in words of five letters or more (two letters swapped, in words of four), two from eight on. It
        begins alike: "deactivate" is no slip for "activate"."""
        if word in self._corrections:
            return self._corrections[word]
        corrected = self._nearest(word, known)
        self._corrections[word] = corrected
        return corrected

    def _nearest(self, word: str, known: frozenset[str]) -> str:
        if len(word) < 4 or word in known or self.knows(word):
            return word
        near = [w for w in self._words | known if len(w) > 3 and (w[0] == word[0] or w[1::-1] == word[:2])]
        near.sort(key=lambda w: (w not in known, w))  # of two that are as near, a word of the grammar
        allowed = 2 if len(word) >= 8 else 1
        for form in (word, singular(word)):
            best = process.extractOne(form, near, scorer=OSA.distance, score_cutoff=allowed)
            if best is not None and (len(form) > 4 or sorted(form) == sorted(best[0])) and self._is_near(form, best[0]):
                return best[0]
        return word

    def _is_near(self, word: str, other: str) -> bool:
        """Of words that end in the same word, only one letter of the rest may be wrong: a ballroom is no bathroom."""
        for place in range(1, min(len(word), len(other)) - 3):
            if word[place:] == other[-len(word[place:]) :] and word[place:] in self._words:
                return OSA.distance(word[:place], other[: len(other) - len(word[place:])]) <= 1
        return True


_INFLECTED = frozenset({Role.COMMAND, Role.RELATIVE, Role.LIGHT_VERB, Role.STATE, Role.VALUE, Role.COMPLAINT})
"""What may be inflected: "locked" is a form of a verb, and never of the lock."""
_VERBS = frozenset({Role.COMMAND, Role.RELATIVE, Role.LIGHT_VERB})
_PROPER = frozenset({Role.THING, Role.PLACE})
_NOMINAL = frozenset({Role.THING, Role.DEVICE, Role.PROPERTY, Role.PLACE, Role.PLACE_CLASS})


@lru_cache(maxsize=65_536)
def phrase(label: str) -> tuple[str, ...]:
    """A label as the trie keeps it: dictionary forms, without possessive endings and punctuation."""
    return tuple(singular(t.text) for t in tokenize(split_identifier(label)) if _counts(t))


def _counts(token: Token) -> bool:
    return token.text in SIGNS or (token.kind is not TokenKind.PUNCTUATION and token.text != "'s")


def owner_of(name: str) -> str:
    """`Ada's room` → `ada's`, as people call it for short; "" for a name that has no owner in it."""
    owner, possessive, rest = fold(split_identifier(name)).partition("'s ")
    return f"{owner}'s" if possessive and owner and rest else ""


def split_identifier(label: str) -> str:
    """`fan_only` → `fan only`; a label with spaces stays as it is."""
    return label.replace("_", " ").replace("-", " ")
