"""The sentence that a reading is read from: the tokens of a text, with their meanings by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.graph.terms import expand
from engine.language.chart.heard.items import Item, span_of
from engine.language.words.lexicon import Entry, Lexicon, Match, Role
from engine.language.words.morphology import singular
from engine.language.words.spans import Span
from engine.language.words.tokens import Token, TokenKind

OFF = expand("hg:IsOff")


@dataclass(frozen=True)
class Sentence:
    """What a reading is read from: tokens, the lexicon for verbs whose particle stands apart, and whether it asks.

    `bare`: it only names a property of something, which asks how that is; `as_asked`: it tells how it is in rooms, as
    one who asks for them does."""

    tokens: Sequence[Token]
    lexicon: Lexicon
    heard: Lexicon
    states: Mapping[str, tuple[Entry, ...]]
    talking: bool = False
    openings: frozenset[int] = frozenset()
    pointers: frozenset[int] = frozenset()
    rankings: frozenset[int] = frozenset()
    bounds: frozenset[int] = frozenset()
    targets: frozenset[int] = frozenset()
    several: frozenset[int] = frozenset()
    bare: bool = False
    as_asked: bool = False

    @cached_property
    def asks(self) -> bool:
        return self.bare or (bool(self.tokens) and self.tokens[-1].text == "?")

    @cached_property
    def _spans(self) -> dict[int, tuple[Item, Span]]:
        return {}

    def span(self, item: Item) -> Span:
        """An item as the span of a restriction; made once for each, which is kept with it."""
        known = self._spans.get(id(item))
        if known is None:
            known = self._spans[id(item)] = (item, span_of(item, self.tokens))
        return known[1]

    @cached_property
    def _matches(self) -> dict[int, tuple[Match, ...]]:
        return {}

    def matches_at(self, place: int) -> tuple[Match, ...]:
        """The matches of the words from this token on, in the lexicon or in the words that are heard for its terms."""
        found = self._matches.get(place)
        if found is None:
            found = (*self.lexicon.at(self.tokens, place), *self.heard.at(self.tokens, place))
            self._matches[place] = found
        return found

    @cached_property
    def _meant(self) -> dict[int, str]:
        return {}

    def meant_at(self, place: int) -> str:
        """What sort of meaning the word at this place has by itself, if any: a value that is left out is missed."""
        if place not in self._meant:
            roles = {e.role for m in self.matches_at(place) if m.end == place + 1 for e in m.entries}
            self._meant[place] = next((name for name, some in _MEANT.items() if roles & some), "")
        return self._meant[place]

    def says_nothing_at(self, place: int) -> bool:
        """Whether the word at this place is no number, and means nothing in the graph by itself."""
        number = place < len(self.tokens) and self.tokens[place].number is not None
        return not number and not self.meant_at(place)

    def puts_out(self, item: Item) -> bool:
        """Whether a word says that something is off."""
        return any(e.iri == OFF for m in self.lexicon.at(self.tokens, item.start) for e in m.entries)

    def ends_at(self, place: int) -> bool:
        """Whether nothing more is said there, or not without a pause."""
        return place >= len(self.tokens) or self.tokens[place].kind is TokenKind.PUNCTUATION

    def is_last(self, place: int) -> bool:
        """Whether no more words come from this token on."""
        return all(token.kind is TokenKind.PUNCTUATION for token in self.tokens[place:])

    def opens_at(self, place: int) -> bool:
        """Whether a name begins at this token: with an article or the like, or by itself."""
        return place in self.openings or self.names_at(place)

    def names_at(self, place: int) -> bool:
        """Whether a device or thing is named from this token on."""
        known = self._named.get(place)
        if known is None:
            entries = (e for m in self.matches_at(place) for e in m.entries) if place < len(self.tokens) else ()
            known = self._named[place] = any(e.role in (Role.DEVICE, Role.THING) for e in entries)
        return known

    @cached_property
    def _named(self) -> dict[int, bool]:
        return {}

    def acts_at(self, item: Item) -> bool:
        """Whether these very words may also be a verb, or name a thing."""
        return any(e.role in _ACTING for m in self.matches_at(item.start) if m.end == item.end for e in m.entries)

    def ranks_at(self, place: int) -> bool:
        """Whether a ranking stands there: "(set) the coldest", "(set) to the lowest temperature"."""
        place += place < len(self.tokens) and self.tokens[place].text == "to"
        return place in self.rankings or (place in self.openings and place + 1 in self.rankings)

    def says_how_at(self, place: int) -> bool:
        """Whether words for a value, a property or a number come from this token on, or behind an article there."""
        start = place + (place in self.openings and not self.matches_at(place))
        if start >= len(self.tokens) or self.tokens[start].number is not None:
            return start < len(self.tokens)
        return any(e.role in _HOW for m in self.matches_at(start) for e in m.entries)

    def compares_at(self, place: int) -> bool:
        """Whether the word at this place says more or less of something: "brighter", "less"."""
        found = self.matches_at(place) if place < len(self.tokens) else ()
        return any(e.role is Role.RELATIVE for m in found for e in m.entries)

    def names_or_points_at(self, place: int) -> bool:
        """Whether something is named, counted or pointed to from this token on."""
        return self.opens_at(place) or place in self.pointers or self.meant_at(place) == "place"

    def names_alone(self, item: Item) -> bool:
        """Whether these very words are the name of a class of device."""
        return any(e.role is Role.DEVICE for m in self.matches_at(item.start) if m.end == item.end for e in m.entries)

    def phrasal(self, verb: str, particle: str) -> tuple[Entry, ...]:
        """What a verb and a particle mean together."""
        first = verb.split()[0]
        return tuple(dict.fromkeys((*self.lexicon.phrasal(first, particle), *self.heard.phrasal(first, particle))))

    @cached_property
    def _tails(self) -> dict[str, dict[int, list[tuple[int, tuple[Entry, ...]]]]]:
        return {}

    def tails(self, verb: str, place: int) -> list[tuple[int, tuple[Entry, ...]]]:
        """What words from this token on make with a verb that stands apart from them ("send … home"): where they end,
        and what both mean."""
        first = verb.split()[0]
        if first not in self._tails:
            found: dict[int, list[tuple[int, tuple[Entry, ...]]]] = {}
            words = [singular(t.text) for t in self.tokens]
            for rest, entries in (*self.lexicon.halves(first), *self.heard.halves(first)):
                for start in range(len(words)):
                    end = start
                    for one in rest:
                        while end < len(words) and end > start and words[end] in ("the", "it", "its", "a"):
                            end += 1
                        if end >= len(words) or words[end] != one:
                            break
                        end += 1
                    else:
                        found.setdefault(start, []).append((end, entries))
            self._tails[first] = found
        return self._tails[first].get(place, [])


_HOW = frozenset({Role.VALUE, Role.STATE, Role.OPTION, Role.COLOUR, Role.PROPERTY, Role.RELATIVE, Role.SUPERLATIVE})
_ACTING = frozenset({Role.COMMAND, Role.LIGHT_VERB, Role.DEVICE, Role.THING})
_MEANT = {
    "noun": {Role.DEVICE, Role.THING},
    "place": {Role.PLACE, Role.PLACE_CLASS},
    "value": {Role.VALUE, Role.STATE, Role.OPTION, Role.COLOUR},
    "kind": {Role.PROPERTY},
    "verb": {Role.COMMAND},
    "relative": {Role.RELATIVE, Role.SUPERLATIVE},
}
