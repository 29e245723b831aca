"""A store on a server: shared with other engines and other data, promises found out, and nothing lost on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from engine.errors import StoreError, StoreUnreachableError
from engine.graph import queries
from engine.graph.remote.access import at
from engine.graph.remote.changes import MOST_QUADS, Change
from engine.graph.remote.promises import BOOKS
from engine.graph.remote.server import Server
from engine.graph.remote.store import RemoteStore
from engine.graph.remote.terms import coded, named, plain_quads
from engine.graph.terms import HISTORY, ONTOLOGY, PLACES, RDF_TYPE, REQUESTS, STATE, expand, literal, node
from tests.stores import Servers, start_oxigraph

HOME = NamedNode("http://example.org/home")
VALUE = node("hg:value")
REMOTE = ("oxigraph", "unmirrored", pytest.param("virtuoso", marks=pytest.mark.virtuoso))


def quad(subject: str, value: object, graph: NamedNode = HOME) -> Quad:
    return Quad(NamedNode(f"http://example.org/{subject}"), VALUE, literal(value), graph)


@pytest.fixture(params=REMOTE)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(name: str, servers: Servers) -> RemoteStore:
    found = servers.fresh(name)
    assert isinstance(found, RemoteStore)
    return found


@pytest.fixture
def other(name: str, servers: Servers, store: RemoteStore) -> Iterator[RemoteStore]:
    """Another engine on the same store."""
    with RemoteStore.open_at(servers.access(name)) as opened:
        assert isinstance(opened, RemoteStore)
        yield opened


# Others


def test_what_another_engine_learns_is_noticed_by_one_round_trip_and_read(
    store: RemoteStore, other: RemoteStore
) -> None:
    store.freshen()
    before, count = store.generation, store.round_trips
    assert not store.freshen()
    assert store.round_trips == count + 1
    other.write(insert=[quad("a", 1)])
    assert store.freshen()
    assert store.generation > before
    assert store.graph(HOME) == [quad("a", 1)]
    assert not store.freshen()
    assert not other.freshen(), "nobody's own writes are news"


def test_what_merely_happens_elsewhere_is_noticed_without_forgetting_what_is_known(
    store: RemoteStore, other: RemoteStore
) -> None:
    store.write(insert=[quad("a", 1, STATE)])
    store.freshen()
    other.freshen()
    before = store.generation
    other.write(delete=[quad("a", 1, STATE)], insert=[quad("a", 2, STATE)])
    assert store.freshen()
    assert store.generation == before
    assert store.graph(STATE) == [quad("a", 2, STATE)]


def test_engines_that_write_in_turn_each_see_what_the_other_wrote(store: RemoteStore, other: RemoteStore) -> None:
    for number in range(3):
        store.write(insert=[quad("a", number)])
        other.write(insert=[quad("b", number)])
    assert store.freshen()
    assert other.freshen()
    held = {quad(subject, number) for subject in "ab" for number in range(3)}
    assert set(store.graph(HOME)) == set(other.graph(HOME)) == held


def test_what_is_cleared_is_cleared_of_what_others_wrote_unnoticed_too(store: RemoteStore, other: RemoteStore) -> None:
    other.write(insert=[quad("theirs", 1)])
    store.write(clear=[HOME], insert=[quad("mine", 1)])
    assert store.freshen()
    assert other.freshen()
    assert store.graph(HOME) == other.graph(HOME) == [quad("mine", 1)]


def test_books_are_not_kept_of_ever_more_engines(store: RemoteStore, servers: Servers) -> None:
    server = Server(servers.access("oxigraph"))
    wrote = NamedNode("https://w3id.org/hearthgraph/store#wrote")
    entries = [Quad(NamedNode(f"urn:writer:{n:03d}"), wrote, Literal("1 0"), BOOKS) for n in range(100)]
    server.change((), (), entries)
    with RemoteStore.open_at(servers.access("oxigraph")):
        assert len(server.rows("store/books")) <= 70
    server.change((), entries, ())
    server.close()


# Other data


def test_what_stood_in_a_store_before_is_no_part_of_the_home_and_left_alone(tmp_path: Path) -> None:
    server = start_oxigraph(tmp_path)
    theirs = "http://example.org/theirs"
    try:
        answer = httpx.put(
            f"{server.base}store",
            params={"graph": theirs},
            content="<urn:a> <urn:b> _:c .",
            headers={"content-type": "application/n-triples"},
            trust_env=False,
        )
        assert answer.is_success
        for _ in range(2):
            with RemoteStore.open_at(at(server.base)) as store:
                assert NamedNode(theirs) not in store.graphs()
                store.write(insert=[quad("a", 1)])
                store.dump(tmp_path / "home.nq")
                assert theirs not in (tmp_path / "home.nq").read_text()
                store.restore(tmp_path / "home.nq")
                assert store.graph(HOME) == [quad("a", 1)]
                assert BOOKS not in store.graphs()
        assert "urn:a" in httpx.get(f"{server.base}store", params={"graph": theirs}, trust_env=False).text
    finally:
        server.stop()


# Nothing lost


def test_a_store_says_what_it_promises(store: RemoteStore, name: str) -> None:
    told = {what: kept for what, kept, _ in store.promises.told()}
    assert len(told) == 5
    assert store.promises.all_or_nothing == (name != "virtuoso")
    assert store.promises.graph_store
    if name == "virtuoso":
        assert expand("xsd:duration") in store.promises.recoded
        assert not store.promises.evaluates
        assert any("duration" in consequence for _, _, consequence in store.promises.told())
    else:
        assert all(told.values())
    assert not [graph for graph in store.graphs() if "scratch" in graph.value]


@pytest.mark.virtuoso
def test_a_store_that_does_not_evaluate_as_sparql_says_needs_a_mirror(servers: Servers) -> None:
    access = replace(servers.access("virtuoso"), mirrored=False)
    with pytest.raises(StoreError) as caught:
        RemoteStore.open_at(access)
    assert "store_mirror" in caught.value.remedy


KEPT = [
    quad("text", "h\u00e4user \U0001f3e0\n\t\"q\" 'a' \\ } ; DROP ALL"),
    quad("empty", ""),
    quad("long", "x" * 300_000),
    quad("truth", True),
    quad("untruth", False),
    quad("number", 7),
    quad("double", 21.5),
    quad("json", {"a": [1, None, "é"]}),
    Quad(NamedNode("http://example.org/odd%20(1)?x=1&y=ä'~"), VALUE, Literal("light", language="en"), HOME),
    Quad(HOME, VALUE, Literal("2026-03-01T06:00:00.5+01:00", datatype=node("xsd:dateTime")), HOME),
    Quad(HOME, VALUE, Literal("PT5M", datatype=node("xsd:duration")), HOME),
    Quad(HOME, VALUE, Literal("odd", datatype=NamedNode("http://example.org/type")), HOME),
    Quad(HOME, VALUE, BlankNode("one"), HOME),
    Quad(BlankNode("one"), VALUE, BlankNode("other.with-dots"), PLACES),
]


def test_what_was_written_comes_back_as_it_was_to_whoever_reads_it(
    store: RemoteStore, name: str, servers: Servers
) -> None:
    odd = NamedNode("http://example.org/rooms/K\u00fcche%20(2)?a=b&c='d'")
    quads = [*KEPT, quad("a", 1, odd)]
    store.write(insert=quads)
    with RemoteStore.open_at(servers.access(name)) as again:
        for seen in (store, again):
            assert {quad for graph in (HOME, PLACES, odd) for quad in seen.graph(graph)} == set(quads)
        rows = again.query_text("SELECT ?o { GRAPH <http://example.org/home> { <http://example.org/truth> ?p ?o } }")
        assert [row[0] for row in rows] == [literal(True)]
        rows = again.query_text("SELECT ?o { GRAPH <http://example.org/home> { <http://example.org/home> ?p ?o } }")
        assert BlankNode("one") in [row[0] for row in rows]
        graph = "GRAPH <http://example.org/home> { ?s ?p ?o }"
        found = again.query_text(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {graph} }}")
        assert BlankNode("one") in [triple.object for triple in found]


def test_a_graph_that_is_longer_than_any_result_is_read_whole(store: RemoteStore, tmp_path: Path) -> None:
    many = {quad(f"thing{number}", number, HISTORY) for number in range(12_000)}
    store.write(insert=many)
    assert set(store.graph(HISTORY)) == many
    store.write(clear=[HISTORY])
    assert store.graph(HISTORY) == []


def test_results_that_are_cut_short_are_never_taken_for_the_whole(
    store: RemoteStore, servers: Servers, name: str
) -> None:
    store.write(insert=[quad("a", 1)])
    server = Server(servers.access(name))
    with pytest.raises(StoreUnreachableError) as caught:
        server.fetch({HOME: 2})
    assert "cuts results short" in str(caught.value)
    server.close()


def test_a_query_of_a_persons_own_sees_what_its_dataset_says(store: RemoteStore) -> None:
    store.write(insert=[quad("a", 1), quad("a", 2, PLACES)])
    one = "SELECT ?v FROM <http://example.org/home> { <http://example.org/a> ?p ?v }"
    assert [row[0] for row in store.query_text(one)] == [literal(1)]  # type: ignore[union-attr]
    both = "SELECT ?v { <http://example.org/a> ?p ?v } ORDER BY ?v"
    assert [row[0] for row in store.query_text(both)] == [literal(1), literal(2)]  # type: ignore[union-attr]


def test_graphs_are_listed_for_a_store_that_cannot_see_them_all_at_once(servers: Servers) -> None:
    store = servers.fresh("oxigraph")
    assert isinstance(store, RemoteStore)
    promises = store.promises
    object.__setattr__(promises, "union_parameter", False)
    try:
        test_a_query_of_a_persons_own_sees_what_its_dataset_says(store)
    finally:
        object.__setattr__(promises, "union_parameter", True)


# The journal


def test_of_the_journal_what_was_written_here_is_read_here_and_all_else_there(store: RemoteStore, name: str) -> None:
    if name == "unmirrored":
        pytest.skip("without a mirror all is read there")
    ask = queries.read("t", f"SELECT ?v {{ VALUES ?s {{ UNDEF }} GRAPH {REQUESTS} {{ ?s {VALUE} ?v }} }}")
    every = queries.read("t", f"SELECT ?v {{ GRAPH {REQUESTS} {{ ?s {VALUE} ?v }} }}")
    mine = quad("mine", 1, REQUESTS)
    store.write(insert=[Quad(mine.subject, RDF_TYPE, node("hg:Intent"), REQUESTS), mine])
    count = store.round_trips
    assert store.select(ask, s=mine.subject) == [(literal(1),)]
    assert store.round_trips == count
    assert store.select(every) == [(literal(1),)]
    assert store.select(ask, s=NamedNode("urn:theirs")) == []
    assert store.round_trips == count + 2
    store.write(delete=[mine], insert=[quad("mine", 2, REQUESTS)])
    assert store.select(ask, s=mine.subject) == store.select(every) == [(literal(2),)]


# Changes


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=12))
def test_changes_that_are_gathered_do_what_they_do_one_by_one(steps: list[tuple[bool, int]]) -> None:
    held, gathered = {quad("a", 0), quad("a", 1)}, Change()
    begun = set(held)
    for insert, value in steps:
        change = Change.of((), () if insert else [quad("a", value)], [quad("a", value)] if insert else ())
        held = held - set(change.delete) | set(change.insert)
        gathered.add(change)
    assert begun - set(gathered.delete) | set(gathered.insert) == held


def test_a_change_is_cut_into_pieces_in_its_order() -> None:
    quads = [quad("a", number) for number in range(MOST_QUADS + 10)]
    pieces = list(Change.of([HOME], quads[:5], quads).pieces())
    assert [len(piece) for piece in pieces] == [MOST_QUADS, 15]
    assert (pieces[0].clear, pieces[1].clear) == ([HOME], [])
    assert list(pieces[0].delete) == quads[:5]
    assert [*pieces[0].insert, *pieces[1].insert] == quads
    long = Change.of((), (), [quad("a", "x" * 200_000), quad("b", "x" * 200_000)])
    assert [len(piece) for piece in long.pieces()] == [1, 1]
    assert [len(piece) for piece in Change.of([HOME], (), ()).pieces()] == [0]


TERMS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(Literal),
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]", fullmatch=True).map(BlankNode),
    st.sampled_from(["5", "PT1H", "x"]).map(lambda text: Literal(text, datatype=node("xsd:duration"))),
    st.sampled_from([literal(True), literal(3), node("hg:Light")]),
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TERMS, max_size=5))
def test_terms_come_back_from_their_journey_as_they_were(terms: list[Literal]) -> None:
    quads = [Quad(HOME, VALUE, term, HOME) for term in terms]
    away = coded(named(quads), {expand("xsd:duration")})
    assert not [q for q in away if isinstance(q.object, BlankNode)]
    assert plain_quads(away) == quads


def test_the_ontology_is_replaced_on_a_store_that_has_another_one(servers: Servers) -> None:
    servers.fresh("oxigraph")
    access = servers.access("oxigraph")
    server = Server(access)
    marker = [row for row in server.rows("store/version") if row[0] == node("hg:contentHash")]
    subject = NamedNode("https://w3id.org/hearthgraph")
    stale = Quad(subject, node("hg:contentHash"), Literal("old"), ONTOLOGY)
    junk = Quad(subject, node("rdfs:comment"), Literal("of an older version"), ONTOLOGY)
    server.change((), [Quad(subject, node("hg:contentHash"), marker[0][1], ONTOLOGY)], [stale, junk])  # type: ignore[arg-type]
    server.close()
    with RemoteStore.open_at(access) as store:
        assert junk not in store.graph(ONTOLOGY)
        assert stale not in store.graph(ONTOLOGY)
    first = servers.fresh("oxigraph")
    assert first.freshen(), "the others hear of it"
