"""The words of rules, and of the conditions in them, read from the ontology."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.graph.store import GraphStore
from engine.language.words.tokens import Token, words_in


@dataclass(frozen=True, slots=True)
class RuleWords:
    """The words of rules, by their class (`ontology/words/rules.ttl`)."""

    terms: Mapping[tuple[str, ...], str]
    longest: Mapping[str, int] = field(init=False)
    """How many words the phrases that begin with a word have at most."""

    def __post_init__(self) -> None:
        longest: dict[str, int] = {}
        for phrase in self.terms:
            longest[phrase[0]] = max(longest.get(phrase[0], 0), len(phrase))
        object.__setattr__(self, "longest", longest)

    def at(self, tokens: Sequence[Token], place: int) -> tuple[int, str] | None:
        """The longest phrase that begins at a token: where it ends, and its class."""
        most = self.longest.get(tokens[place].text, 0) if place < len(tokens) else 0
        if not most:
            return None
        said = tuple(token.text for token in tokens[place : place + most])
        for length in range(len(said), 0, -1):
            term = self.terms.get(said[:length])
            if term is not None:
                return place + length, term
        return None


def rule_words(store: GraphStore) -> RuleWords:
    """The words of rules in a store."""
    return store.of_terms("language/rule_words", lambda: _read(store))


def aspect_words(store: GraphStore) -> RuleWords:
    """The words of a condition that tell how something stands from those that tell what comes about."""
    return store.of_terms("language/aspect_words", lambda: _read(store, "language/aspect_words"))


def difference_words(store: GraphStore) -> RuleWords:
    """The words with which the difference between two things is asked for, and those that join the two."""
    return store.of_terms("language/difference_words", lambda: _read(store, "language/difference_words"))


def _read(store: GraphStore, query: str = "language/rule_words") -> RuleWords:
    return RuleWords(
        {
            words_in(label.value): term.value.rpartition("#")[2]
            for term, label in store.select(query)
            if term is not None and label is not None
        }
    )
