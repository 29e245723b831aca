"""Numbers that were heard as other words: "for tea five percent" is 45 %, "the too lamps" are two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.graph.store import GraphStore
from engine.graph.terms import python
from engine.language.words.lexicon import Entry, Lexicon, Role
from engine.language.words.morphology import is_plural
from engine.language.words.spans import unit_at
from engine.language.words.tokens import Token, TokenKind

_TEN, _HUNDRED = 10.0, 100.0


def sounds(store: GraphStore) -> Lexicon:
    """What numbers are heard as, by the ontology; the IRI of an entry is the number."""
    found = Lexicon()
    for number, label in store.select("language/heard_numbers"):
        assert number is not None
        assert label is not None
        found.add(label.value, Entry(Role.VALUE, str(python(number))))
    return found


def numbers_said(
    tokens: Sequence[Token], place: int, trie: Lexicon, lexicon: Lexicon
) -> Iterator[tuple[int, float, str | None, bool]]:
    """The numbers that the words from a token on may be by their sound: where each ends, the number, its unit, and
    whether it was heard as other words."""
    yield from ((*one, False) for one in _digits(tokens, place, lexicon))
    yield from ((*one, True) for one in _heard(tokens, place, trie, lexicon))


def _heard(
    tokens: Sequence[Token], place: int, trie: Lexicon, lexicon: Lexicon
) -> Iterator[tuple[int, float, str | None]]:
    """The numbers that the words from a token on may sound like: where each ends, the number, its unit.

    They are numbers only where one is wanted: before a unit, after "to" or "at", or between an article and several
    things; for tea one may want the light on.
    """
    before = tokens[place - 1].text if place else ""
    for end, number in _sounding(tokens, place, trie):
        if number >= _TEN:
            found = _with_ones(tokens, end, number, trie, lexicon)
            yield from (one for one in found if one[2] is not None or before in _LEADING)
        elif before in _COUNTING and end < len(tokens) and is_plural(tokens[end].text) and lexicon.at(tokens, end):
            yield end, number, None
    tens = tokens[place].number
    if tokens[place].kind is TokenKind.NUMBER and tens is not None and 2 * _TEN <= tens < _HUNDRED and not tens % _TEN:
        for end, ones in _sounding(tokens, place + 1, trie):
            unit, after = unit_at(tokens, end, lexicon)
            if ones < _TEN and (unit is not None or end == len(tokens)):
                yield after, tens + ones, unit


def _digits(tokens: Sequence[Token], place: int, lexicon: Lexicon) -> Iterator[tuple[int, float, str | None]]:
    """The number that is said in parts from a token on, where it ends and its unit: "one-ninety" is 190, as people say
    it of ovens; "one five", digit by digit, 15."""
    after = place + 2 if place + 1 < len(tokens) and tokens[place + 1].text == "-" else place + 1
    high, low = tokens[place].number, tokens[after].number if after < len(tokens) else None
    if high is None or low is None or not (1 <= high < _TEN and 0 <= low < _HUNDRED):
        return
    if high == int(high) and low == int(low):
        unit, end = unit_at(tokens, after + 1, lexicon)
        yield end, (_HUNDRED if low >= _TEN else _TEN) * high + low, unit


_LEADING = frozenset({"to", "at"})
_COUNTING = frozenset({"the", "those", "these", "whichever", "all", "my", "our", "any"})


def _sounding(tokens: Sequence[Token], place: int, trie: Lexicon) -> list[tuple[int, float]]:
    """Where the words that sound like a number end, and which."""
    if place >= len(tokens):
        return []
    return [(m.end, float(e.iri)) for m in trie.at(tokens, place) if m.end > place for e in m.entries]


def _with_ones(
    tokens: Sequence[Token], end: int, tens: float, trie: Lexicon, lexicon: Lexicon
) -> Iterator[tuple[int, float, str | None]]:
    """Tens alone, and with the ones that follow: spelt, or heard as another word."""
    unit, after = unit_at(tokens, end, lexicon)
    yield after, tens, unit
    if tens % _TEN or end >= len(tokens):
        return
    ones = [(end + 1, number)] if (number := tokens[end].number) is not None else _sounding(tokens, end, trie)
    for stop, one in ones:
        unit, after = unit_at(tokens, stop, lexicon)
        if 0 < one < _TEN and (unit is not None or tokens[end].number is not None):
            yield after, tens + one, unit
