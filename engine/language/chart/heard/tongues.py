"""Other languages than English: their words are Turtle under `ontology/words/`, a folder for each, and stand in the
place of the English ones in the ontology that a text is read against. The reader is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from pyoxigraph import Store

from engine.graph.embedded import EmbeddedStore
from engine.graph.knowledge import shipped, turtle
from engine.graph.store import GraphStore
from engine.graph.terms import ONTOLOGY, Literal, Quad
from engine.language.chart.heard.compounds import parted
from engine.language.chart.heard.items import FunctionWords, function_words
from engine.language.meanings.context import Context
from engine.language.words import dictionary
from engine.language.words.dictionary import Dictionary
from engine.language.words.lexicon import Lexicon
from engine.language.words.records import replace
from engine.language.words.tokens import MAX_CHARACTERS, Token, TokenKind, tokenize
from engine.resources import folder

_Value = TypeVar("_Value")
_QUERIES = frozenset(
    f"language/{name}"
    for name in (
        "words", "function_words", "heard_words", "heard_numbers", "time_words", "rule_words", "tellings",
        "taste_words", "scenes", "situations", "complaints", "examples", "plurals",
        "respellings",
    )
)  # fmt: skip
"""What asks for words."""


class _Words:
    """A store as a text of another language is read against it: that language's words, and all else as it is."""

    def __init__(self, store: GraphStore, language: str) -> None:
        self._store, self._language = store, language

    def select(self, query: str, **values: Any) -> list[tuple[Any, ...]]:
        asked = words_of(self._language) if query in _QUERIES else self._store
        return asked.select(query, **values)

    def derived(self, key: str, build: Callable[[], _Value], *, portable: bool = False) -> _Value:  # noqa: ARG002
        return self._store.derived(f"{self._language}/{key}", build, portable=False)

    def of_terms(self, key: str, build: Callable[[], _Value], *, kept: bool = True) -> _Value:
        return self._store.of_terms(f"{self._language}/{key}", build, kept=kept)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are words of, beside English, by their tags."""
    return tuple(sorted(one.name for one in (folder("ontology") / "words").iterdir() if one.is_dir()))


@cache
def words_of(language: str) -> GraphStore:
    """The ontology with the words of a language instead of the English ones."""
    own = [
        quad
        for file in sorted((folder("ontology") / "words" / language).glob("*.ttl"))
        for quad in turtle(file.read_bytes(), str(file), ONTOLOGY)
    ]
    store = Store()
    store.extend(quad for quad in (*shipped().quads, *own) if not _is_of_other(quad, language))
    return EmbeddedStore(store)


def _is_of_other(quad: Quad, language: str) -> bool:
    return isinstance(quad.object, Literal) and quad.object.language not in (None, language)


def speaking(context: Context, language: str) -> Context:
    """What a text of a language is read against."""
    store = cast(GraphStore, _Words(context.store, language))
    own = store.derived("language/dictionary", lambda: _dictionary(store, context))
    return replace(context, store=store, dictionary=own)


def _dictionary(store: GraphStore, context: Context) -> Dictionary:
    built = dictionary.build(store, context.registry)
    built.lexicon.foreign = True
    return built


def language_of(text: str, context: Context) -> str | None:
    """The language that more of a text's words are of than of English; None where it is English, or nobody knows."""
    words = [t for t in tokenize(text[:MAX_CHARACTERS]) if t.kind is TokenKind.WORD]
    english = _known(words, context.dictionary.lexicon, function_words(context.store))
    if english == len(words):
        return None
    for language in languages():
        other = speaking(context, language)
        lexicon, grammar = other.dictionary.lexicon, function_words(other.store)
        if _known(list(parted(words, lexicon, grammar)), lexicon, grammar) > english:
            return language
    return None


def _known(words: Sequence[Token], lexicon: Lexicon, grammar: FunctionWords) -> int:
    return sum(t.number is not None or lexicon.knows(t.text) or grammar.knows(t.text) for t in words)
