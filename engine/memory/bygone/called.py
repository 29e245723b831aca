"""Which of some things words may name: by a name or a part of it, by their class, or by where they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.graph.terms import expand
from engine.language.chart.heard.items import PARTICLES, FunctionWords, Sort, function_words
from engine.language.meanings.context import Context
from engine.language.words.lexicon import Entry, Match, Role
from engine.language.words.morphology import singular
from engine.language.words.tokens import Token, tokenize

_ROOM = (expand("hg:Room"), expand("hg:Place"))


def matches_of(tokens: Sequence[Token], context: Context) -> list[Match]:
    """All that the words name or say."""
    heard = function_words(context.store).heard
    places = range(len(tokens))
    return [m for n in places for lexicon in (context.dictionary.lexicon, heard) for m in lexicon.at(tokens, n)]


def named(
    tokens: Sequence[Token], matches: Sequence[Match], among: frozenset[str], context: Context
) -> Iterator[tuple[int, frozenset[str]]]:
    """Where each word, or each name, stands, and which parts of these it may be of."""
    for match in matches:
        yield match.start, frozenset(part for part in among if _is_called(part, match.entries, context))
    words = function_words(context.store)
    names = {part: names_of(part, context) for part in among}
    for place, token in enumerate(tokens):
        if token.text.isalpha() and not _says_nothing(token, words, context):
            yield place, frozenset(part for part, own in names.items() if singular(token.text) in own)


def of_class(matches: Sequence[Match], among: frozenset[str], context: Context) -> Iterator[frozenset[str]]:
    """Which parts of these each name of a class may be of."""
    is_a, parts = context.vocabulary.is_a, context.registry.parts
    for match in matches:
        classes = [e.iri for e in match.entries if e.role is Role.DEVICE]
        if classes:
            yield frozenset(i for i in among if any(is_a(own, c) for own in parts[i].every_class for c in classes))


def _says_nothing(token: Token, words: FunctionWords, context: Context) -> bool:
    """Whether a word is one of grammar, or of a class: what may be left out may be of a name, too."""
    sorts = {e.iri for m in words.trie.at([token], 0) for e in m.entries}
    entries = {e for m in context.dictionary.lexicon.at([token], 0) for e in m.entries}
    generic = token.text in PARTICLES or any(e.role is Role.DEVICE or e.iri in _ROOM for e in entries)
    return generic or bool(sorts - {Sort.Loose.value, Sort.Copula.value, Sort.Fillers.value})


def _is_called(part: str, entries: Iterable[Entry], context: Context) -> bool:
    """Whether entries name a part, its thing, or where it is."""
    thing = context.registry.thing_of[part]
    for entry in entries:
        if entry.role is Role.THING and entry.iri in (part, thing.iri):
            return True
        if (
            entry.role in (Role.PLACE, Role.PLACE_CLASS)
            and entry.iri not in _ROOM
            and _is_in(thing.place, entry, context)
        ):
            return True
    return False


def _is_in(place: str | None, entry: Entry, context: Context) -> bool:
    while place is not None:
        known = context.registry.places.get(place)
        if place == entry.iri or (known is not None and entry.iri in known.classes):
            return True
        place = known.parent if known is not None else None
    return False


def names_of(part: str, context: Context) -> frozenset[str]:
    """The words of the names of a part and of where it is."""
    thing = context.registry.thing_of[part]
    room = context.registry.places.get(thing.place or "")
    names = (thing.title, *thing.aliases, *((room.name, *room.aliases) if room is not None else ()))
    return frozenset(singular(t.text) for name in names for t in tokenize(name))
