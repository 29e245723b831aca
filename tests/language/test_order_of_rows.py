"""What is understood does not depend on the order in which a store happens to have what it holds."""

from __future__ import annotations

from collections import defaultdict

import pytest
from pyoxigraph import Store

from engine.graph import knowledge
from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from engine.language.words.tokens import words_in
from engine.resources import folder

OF_A_HOME = {"conventions", "exists", "plurals"}
"""Queries that find nothing without a home."""
WORDS = [
    f"language/{file.stem}"
    for file in sorted((folder("queries") / "language").glob("*.rq"))
    if file.stem not in OF_A_HOME
]


@pytest.fixture(scope="module")
def stores() -> list[GraphStore]:
    """The ontology in three stores: as it is read, from its end, and from its middle."""
    quads = knowledge.shipped().quads
    middle = len(quads) // 2
    orders = (quads, quads[::-1], (*quads[middle:], *quads[:middle]))
    found: list[GraphStore] = []
    for several in orders:
        store = Store()
        for quad in several:
            store.add(quad)
        found.append(EmbeddedStore(store))
    return found


@pytest.mark.parametrize("query", [*WORDS, "memory/words", "memory/occasions", "memory/matters"])
def test_the_words_come_in_one_order(stores: list[GraphStore], query: str) -> None:
    first, *others = ([tuple(map(_without_name, row)) for row in store.select(query)] for store in stores)
    assert first
    assert others == [first, first]


def _without_name(term: object) -> str:
    return "_" if str(term).startswith("_:") else str(term)


@pytest.mark.parametrize("query", ["rule_words", "aspect_words", "difference_words"])
def test_a_word_of_a_condition_is_one_thing(stores: list[GraphStore], query: str) -> None:
    said = defaultdict[tuple[str, ...], set[str]](set)
    for term, label in stores[0].select(f"language/{query}"):
        assert term is not None
        assert label is not None
        name = term.value.rpartition("#")[2]
        said[words_in(label.value)] |= {name} - {"Courtesy"}  # which is only said beside what else it says
    assert not {words: names for words, names in said.items() if len(names) > 1}
