"""What is understood does not depend on the order in which a store happens to have what it holds."""

from __future__ import annotations

from collections import defaultdict

import pytest
from pyoxigraph import QuerySolutions, Store

from engine.graph import knowledge, queries
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


@pytest.mark.parametrize("query", [*WORDS, "memory/words", "memory/occasions", "memory/matters"])
def test_the_order_is_the_one_that_the_query_asks_for(stores: list[GraphStore], query: str) -> None:
    asked = stores[0].query_text(queries.load(query).text)
    assert isinstance(asked, QuerySolutions)
    assert [tuple(row) for row in asked] == stores[0].select(query)


def test_terms_of_each_sort_are_in_the_order_of_sparql() -> None:
    terms = (
        '"b" "a" "a"@en <urn:b> <urn:a> 10 9 2.5 -1.5 true false UNDEF '
        '"many"^^xsd:integer "yesterday"^^xsd:dateTime "0001-01-01T00:00:00+14:00"^^xsd:dateTime '
        '"2026-05-01T10:00:00+02:00"^^xsd:dateTime "2026-05-01T09:00:00Z"^^xsd:dateTime'
    )
    prefix = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>"
    rows = Store().query(f"{prefix} SELECT ?x WHERE {{ VALUES ?x {{ {terms} }} }}")
    assert isinstance(rows, QuerySolutions)
    said = [str(term) if term is not None else "" for (term,) in queries.ordered(map(tuple, rows), (0,))]
    plain = [one.partition("^^")[0].strip('"<>') for one in said]
    assert plain[:3] == ["", "urn:a", "urn:b"]
    assert plain[3:7] == ["-1.5", "2.5", "9", "10"]
    assert plain[7:10] == ["0001-01-01T00:00:00+14:00", "2026-05-01T10:00:00+02:00", "2026-05-01T09:00:00Z"]
    assert plain[10:] == ["a", 'a"@en', "b", "false", "many", "true", "yesterday"]


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
