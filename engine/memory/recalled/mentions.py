"""The names in a sentence: things and classes with their places, and kinds of property."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.graph.store import GraphStore
from engine.language.meanings.context import Context
from engine.language.words.lexicon import Role
from engine.language.words.tokens import words_in
from engine.memory.recalled.recall import is_of
from engine.memory.said.words import Sentence
from engine.model.thing import Thing

_NEAR = 4
"""How many words may stand between a thing and its place."""


@dataclass(frozen=True, slots=True)
class Mention:
    """The things that a stretch of words from the token at `start` on may name, by IRI; `vague` where a class alone
    was said of several."""

    things: frozenset[str]
    vague: bool
    start: int = 0


def mentions_in(sentence: Sentence, context: Context) -> Iterator[Mention]:
    """The mentions of a sentence: a thing or a class with its place, whichever comes first; a place alone."""
    names = list(_names(sentence))
    used: set[int] = set()
    for number, (start, _, role, iris) in enumerate(names):
        if role is Role.PLACE or number in used:
            continue
        place = _place_beside(number, names, used)
        things = frozenset(_things(role, iris, names[place][3] if place is not None else (), context))
        elsewhere = place is not None and place < number and role is Role.THING and not things
        if elsewhere:  # the place of something else: "what I said for the hall, the den heater, too"
            place, things = None, frozenset(_things(role, iris, (), context))
        used |= {number} | ({place} if place is not None else set())
        yield Mention(things, role is Role.DEVICE and len(things) > 1, start)
    classes = frozenset(i for _, _, role, iris in names if role is Role.DEVICE for i in iris)
    for number, (start, _, role, iris) in enumerate(names):
        if role is Role.PLACE and number not in used:
            inside_ = [t for t in context.registry.things.values() if any(is_in(t, p, context) for p in iris)]
            alike = [t.iri for t in inside_ if not classes or is_of(t, classes, context)]
            yield Mention(frozenset(alike), False, start)


def _place_beside(number: int, names: Sequence[tuple[int, int, Role, frozenset[str]]], used: set[int]) -> int | None:
    """The place that belongs to a thing: just before it, or soon after it."""
    start, end = names[number][0], names[number][1]
    for other in (number - 1, number + 1):
        if 0 <= other < len(names) and other not in used and names[other][2] is Role.PLACE:
            gap = start - names[other][1] if other < number else names[other][0] - end
            if gap <= (2 if other < number else _NEAR):
                return other
    return None


def _names(sentence: Sentence) -> Iterator[tuple[int, int, Role, frozenset[str]]]:
    """The names in a sentence in their order, the longest at each place: a very thing before a class."""
    place = 0
    while place < len(sentence.tokens):
        found = next((one for one in sentence.at[place] if one.names), None)
        if found is None:
            place += 1
            continue
        for role in (Role.THING, Role.PLACE, Role.DEVICE):
            iris = frozenset(iri for own, iri in found.named if own is role)
            if iris:
                yield found.start, found.end, role, iris
                break
        place = found.end


def _things(role: Role, iris: Iterable[str], places: Iterable[str], context: Context) -> Iterator[str]:
    wanted, where = frozenset(iris), list(places)
    for thing in context.registry.things.values():
        named = thing.iri in wanted if role is Role.THING else is_of(thing, wanted, context)
        if named and (not where or any(is_in(thing, place, context) for place in where)):
            yield thing.iri


def is_in(thing: Thing, place: str, context: Context) -> bool:
    """Whether a thing is in a place, or in one within it."""
    here: str | None = thing.place
    while here is not None:
        if here == place:
            return True
        known = context.registry.places.get(here)
        here = known.parent if known else None
    return False


def kinds_in(sentence: Sentence, context: Context) -> frozenset[str]:
    """The kinds of property that words name: "volume", "how loud", "that mode"."""
    by_word = context.store.of_terms("memory/kinds", lambda: _kinds(context.store))
    return frozenset(kind for token in sentence.tokens for kind in by_word.get(token.text, ()))


def _kinds(store: GraphStore) -> dict[str, frozenset[str]]:
    """The kinds of property by their words."""
    by_word: dict[str, set[str]] = {}
    for kind, label in store.select("memory/kinds"):
        if kind is not None and label is not None:
            by_word.setdefault(" ".join(words_in(label.value)), set()).add(kind.value)
    return {word: frozenset(kinds) for word, kinds in by_word.items()}
