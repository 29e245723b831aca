"""What is told without naming a device, by words of the ontology: "soaked … sweat", "watch … film", "hit the hay"."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cache

from engine.graph.store import GraphStore
from engine.graph.terms import expand
from engine.language.words.morphology import forms
from engine.language.words.tokens import Token, TokenKind, words_in

MOST_BETWEEN = 5
"""How many tokens may stand between the two halves of a telling."""
_LONGEST = 7
Phrase = tuple[str, ...]
OF_SPEAKER, OF_OTHERS = expand("hg:OfSpeaker"), expand("hg:OfOthers")
OF_THEM, OTHER_TIMES, HABIT = (expand(f"hg:{name}") for name in ("OfThem", "OfOtherTimes", "OfHabit"))
HOME = expand("hg:Home")


@dataclass(slots=True)
class Telling:
    """One way of telling a term; `follows`: one of these must follow, where there are any."""

    term: str
    follows: set[Phrase] = field(default_factory=set)


@dataclass(slots=True)
class Tellings:
    """All tellings of a store: by the phrases that they begin with; the terms that may be told of others, the degrees
    by their direction, and the situations that are of all of a home."""

    begins: dict[Phrase, list[Telling]] = field(default_factory=dict)
    follows: set[Phrase] = field(default_factory=set)
    of_others: set[str] = field(default_factory=set)
    degrees: dict[str, int] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    first: set[str] = field(default_factory=set)  # words that a phrase begins with, be it the first or a further one
    of_home: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Told:
    """A term that tokens tell: those at `places`, from `start` to `end` (exclusive)."""

    term: str
    start: int
    end: int
    places: frozenset[int]

    @property
    def paired(self) -> bool:
        """Whether something else stands between its words."""
        return len(self.places) < self.end - self.start


def tellings(store: GraphStore) -> Tellings:
    """The tellings of a store's ontology."""
    return store.of_terms("language/tellings", lambda: _read(store))


def _read(store: GraphStore) -> Tellings:
    found, known = Tellings(), dict[str, Telling]()
    for term, node, phrase, follows, others, way, usual in store.select("language/tellings"):
        if term is None or node is None or phrase is None:
            continue
        telling = known.setdefault(str(node), Telling(term.value))
        found.words.update(words_in(phrase.value))
        for words in _variants(phrase.value):
            found.first.add(words[0])
            if follows is not None and follows.value == "true":
                telling.follows.add(words)
                found.follows.add(words)
            elif telling not in (own := found.begins.setdefault(words, [])):
                own.append(telling)
        if others is not None:
            found.of_others.add(term.value)
        if way is not None:
            found.degrees[term.value] = int(way.value)
        if usual is not None and usual.value == HOME:
            found.of_home.add(term.value)
    return found


def _variants(label: str) -> set[Phrase]:
    """A phrase as it stands, as people type it who leave out apostrophes, and with its first word in the base form."""
    plain = {words_in(text) for text in (label, label.replace("'", ""))}
    return plain | {(one, *words[1:]) for words in plain if words[0].endswith("ing") for one in forms(words[0])}


def told(tokens: Sequence[Token], known: Tellings) -> list[Told]:
    """What tokens tell; of what begins at one token and tells one term, that of most words."""
    found: dict[tuple[int, str], Told] = {}
    follow = cache(lambda place: tuple(_phrases(tokens, place, known.follows, known.first)))
    for start in range(len(tokens)):
        for end, phrase in _phrases(tokens, start, known.begins, known.first):
            for telling in known.begins[phrase]:
                one = _whole(tokens, start, end, telling, follow)
                before = found.get((start, telling.term))
                if one is not None and (before is None or len(before.places) < len(one.places)):
                    found[start, telling.term] = one
    return list(found.values())


def _whole(
    tokens: Sequence[Token],
    start: int,
    end: int,
    telling: Telling,
    follow: Callable[[int], Sequence[tuple[int, Phrase]]],
) -> Told | None:
    """A telling that begins with these tokens, with what must follow: the longest that does, of those that `follow`
    tells at a place."""
    if not telling.follows:
        return Told(telling.term, start, end, frozenset(range(start, end)))
    best: Told | None = None
    for place in range(end, min(len(tokens), end + MOST_BETWEEN + 1)):
        if tokens[place].text in _STOPS:
            break
        for last, phrase in follow(place):
            if phrase in telling.follows and (best is None or last - place + end - start > len(best.places)):
                best = Told(telling.term, start, last, frozenset((*range(start, end), *range(place, last))))
    return best


_STOPS = frozenset(".!?;")


def _phrases(
    tokens: Sequence[Token], start: int, known: Container[Phrase], first: Set[str]
) -> Iterator[tuple[int, Phrase]]:
    """The known phrases that begin at a token, the first or the last word in any form but one of the past; `first`: the
    words that they begin with."""
    if tokens[start].kind is not TokenKind.WORD or first.isdisjoint((tokens[start].text, *_forms(tokens[start].text))):
        return
    said = [token.text for token in tokens[start : start + _LONGEST]]
    for length in range(len(said), 0, -1):
        plain = tuple(said[:length])
        some = {plain, *((one, *plain[1:]) for one in _forms(said[0]))}
        if length > 1:
            some |= {(*plain[:-1], one) for one in _forms(plain[-1])}
        yield from ((start + length, phrase) for phrase in some if phrase in known)


def _forms(word: str) -> tuple[str, ...]:
    return (word,) if word.endswith("ed") else forms(word)
