"""The store: reading, writing whole or not at all, owning its directory, keeping and restoring."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, Store

from engine.errors import QueryError, StoreError, StoreInUseError, StoreVersionError, SyntaxFault
from engine.graph import knowledge, queries
from engine.graph.embedded import EmbeddedStore
from engine.graph.remote.store import RemoteStore
from engine.graph.terms import HISTORY, ONTOLOGY, PLACES, REQUESTS, STATE, literal, node
from tests.stores import EVERY

HOME = NamedNode("http://example.org/home")
VALUE = node("hg:value")


def quad(subject: str, value: object, graph: NamedNode = HOME) -> Quad:
    return Quad(NamedNode(f"http://example.org/{subject}"), VALUE, literal(value), graph)


@pytest.fixture(params=["disk", *EVERY])
def store(request, tmp_path, servers):
    if request.param == "disk":
        with EmbeddedStore.open(tmp_path / "store") as opened:
            yield opened
    else:
        yield servers.fresh(request.param)


def ontology() -> set[Quad]:
    """The shipped ontology as a store holds it: literals in their canonical form, and each quad once."""
    return set(EmbeddedStore.open().graph(ONTOLOGY))


# Reading


def test_a_new_store_knows_the_ontology(store):
    assert store.graphs() == [ONTOLOGY]
    assert Quad(node("hg:Light"), node("rdfs:subClassOf"), node("hg:Device"), ONTOLOGY) in store.graph(ONTOLOGY)


def test_queries_come_back_as_terms_answers_and_triples(store):
    store.write(insert=[quad("a", 1)])
    select = queries.read(
        "t", "SELECT ?s ?v ?none { VALUES ?s { UNDEF } GRAPH <http://example.org/home> { ?s ?p ?v } }"
    )
    ask = queries.read("t", "ASK { VALUES ?s { UNDEF } GRAPH ?g { ?s ?p ?v } }")
    construct = queries.read("t", "CONSTRUCT { ?s a ?v } { GRAPH <http://example.org/home> { ?s ?p ?v } }")
    assert store.select(select) == [(quad("a", 1).subject, literal(1), None)]
    assert store.ask(ask, s=quad("a", 1).subject)
    assert not store.ask(ask, s=quad("b", 1).subject)
    assert [triple.object for triple in store.construct(construct)] == [literal(1)]
    with pytest.raises(QueryError):
        store.ask(select)


def test_a_persons_query_sees_all_graphs_and_its_fault_is_told_in_one_line(store):
    store.write(insert=[quad("a", 1)])
    assert store.query_text("ASK { <http://example.org/a> ?p 1 }")
    with pytest.raises(QueryError) as caught:
        store.query_text("SELECT * { ?s ?p ")
    assert "\n" not in str(caught.value)
    with pytest.raises(QueryError):
        store.query_text("SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }")
    with pytest.raises(QueryError):
        store.query_text("DROP ALL")


# Writing


def test_a_write_clears_then_deletes_then_inserts(store):
    store.write(insert=[quad("a", 1), quad("b", 2), quad("c", 3, PLACES)])
    store.write(clear=[HOME], delete=[quad("c", 3, PLACES)], insert=[quad("a", 9), quad("c", 3, PLACES)])
    assert store.graph(HOME) == [quad("a", 9)]
    assert store.graph(PLACES) == [quad("c", 3, PLACES)]


def test_a_cleared_graph_is_no_graph(store):
    store.write(insert=[quad("a", 1)])
    store.write(clear=[HOME, NamedNode("http://example.org/nothing")])
    assert store.graphs() == [ONTOLOGY]


def test_blank_nodes_can_be_written_beside_a_clearance_and_stay_one_node(store):
    blank = BlankNode()
    store.write(insert=[quad("a", 1)])
    store.write(clear=[HOME], insert=[Quad(HOME, VALUE, blank, HOME), Quad(blank, VALUE, literal("x"), HOME)])
    first, second = sorted(store.graph(HOME), key=lambda one: isinstance(one.subject, BlankNode))
    assert first.object == second.subject


@pytest.mark.parametrize(
    "change",
    [
        {"delete": [Quad(BlankNode(), VALUE, literal(1), HOME)]},
        {"insert": [quad("b", 1), Quad(HOME, VALUE, literal(1))]},
    ],
)
def test_a_write_that_is_refused_changes_nothing(store, change):
    store.write(insert=[quad("a", 1)])
    before, generation = store.graph(HOME), store.generation
    with pytest.raises(QueryError):
        store.write(clear=[HOME], **change)
    assert (store.graph(HOME), store.generation) == (before, generation)


def test_a_write_that_fails_in_the_middle_changes_nothing(store, monkeypatch):
    if isinstance(store, RemoteStore) and not store.promises.all_or_nothing:
        pytest.skip("this store says that it does not promise it")
    load = queries.load
    broken = queries.read("t", load("graph/write").text + ";\nCLEAR GRAPH <http://example.org/nothing>")
    store.write(insert=[quad("a", 1)])
    monkeypatch.setattr(queries, "load", lambda name: broken if name == "graph/write" else load(name))
    with pytest.raises(StoreError):
        store.write(clear=[HOME], insert=[quad("b", 2)])
    assert store.graph(HOME) == [quad("a", 1)]


def test_a_literal_with_hostile_text_is_only_a_literal(store):
    hostile = quad("a", '" } } ; DROP ALL ; INSERT DATA { GRAPH <x:x> { <x:x> <x:x> "\n\\')
    store.write(insert=[quad("b", 1)])
    store.write(delete=[quad("b", 1)], insert=[hostile])
    assert store.graph(HOME) == [hostile]
    find = queries.read("t", "SELECT ?s { VALUES ?v { UNDEF } GRAPH ?g { ?s ?p ?v } }")
    assert store.select(find, v=hostile.object) == [(hostile.subject,)]
    assert ONTOLOGY in store.graphs()


def test_the_generation_counts_what_touches_knowledge_and_not_what_merely_happens(store):
    start = store.generation
    store.write(insert=[quad("a", 1, STATE), quad("a", 1, HISTORY), quad("a", 1, REQUESTS)])
    store.write(delete=[quad("a", 1, STATE)], insert=[quad("a", 2, STATE)])
    store.write(clear=[REQUESTS])
    store.write(clear=[PLACES])
    assert store.generation == start
    store.write(insert=[quad("a", 1, PLACES)])
    store.write(clear=[PLACES], insert=[quad("a", 3, STATE)])
    assert store.generation == start + 2


def test_compacting_forgets_what_it_is_told_to_and_keeps_all_else(store):
    store.write(insert=[quad("a", 1), quad("a", 1, STATE), quad("b", 2, REQUESTS), quad("c", 3, HISTORY)])
    store.write(delete=[quad("a", 1, STATE)], insert=[quad("a", 2, STATE)])
    before, generation = set(store.graph(ONTOLOGY)), store.generation
    store.compact(forgotten=[REQUESTS, HISTORY])
    assert (store.graph(HOME), store.graph(STATE)) == ([quad("a", 1)], [quad("a", 2, STATE)])
    assert (store.graph(REQUESTS), store.graph(HISTORY)) == ([], [])
    assert set(store.graph(ONTOLOGY)) == before
    assert store.generation == generation


def test_concurrent_writers_on_disk_lose_nothing(tmp_path):
    with EmbeddedStore.open(tmp_path / "store") as store:
        store.write(insert=[quad(f"thing{writer}", 0) for writer in range(4)])

        def count(writer: int) -> None:
            for step in range(100):
                store.write(
                    delete=[quad(f"thing{writer}", step)],
                    insert=[quad(f"thing{writer}", step + 1), quad(f"log{writer}-{step}", step)],
                )

        threads = [threading.Thread(target=count, args=(writer,)) for writer in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        held = set(store.graph(HOME))
    assert held == {quad(f"thing{w}", 100) for w in range(4)} | {
        quad(f"log{w}-{step}", step) for w in range(4) for step in range(100)
    }


# Owning a directory


def test_a_directory_that_another_process_owns_is_refused_with_a_remedy(tmp_path):
    owner = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path; from engine.graph.embedded import EmbeddedStore\n"
            "store = EmbeddedStore.open(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()",
            str(tmp_path / "store"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with owner:
        assert owner.stdout.readline() == "open\n"
        with pytest.raises(StoreInUseError) as caught:
            EmbeddedStore.open(tmp_path / "store")
        owner.stdin.close()
        owner.wait(10)
    assert str(tmp_path) in caught.value.message
    assert "HEARTHGRAPH_STORE" in caught.value.remedy
    EmbeddedStore.open(tmp_path / "store").close()


def test_a_place_that_cannot_hold_a_store_is_refused_with_a_remedy(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    for path in (file, file / "below"):
        with pytest.raises(StoreError) as caught:
            EmbeddedStore.open(path)
        assert caught.value.remedy


def test_what_was_written_is_there_after_closing_and_opening_again(tmp_path):
    with EmbeddedStore.open(tmp_path / "new" / "store") as store:
        store.write(insert=[quad("a", 1)])
        store.flush()
    store.close()
    with pytest.raises(StoreError):
        store.graph(HOME)
    with EmbeddedStore.open(tmp_path / "new" / "store") as again:
        assert again.graph(HOME) == [quad("a", 1)]
        assert set(again.graph(ONTOLOGY)) == ontology()


def test_a_directory_that_this_process_has_open_already_is_refused_too(tmp_path):
    with EmbeddedStore.open(tmp_path / "store"), pytest.raises(StoreInUseError):
        EmbeddedStore.open(tmp_path / "store")


# Versions of the ontology


def mark(store: Store, version: str) -> None:
    """Makes `store` one that was written with `version` of the ontology."""
    store.clear_graph(ONTOLOGY)
    store.add(Quad(knowledge.SUBJECT, knowledge.VERSION, Literal(version), ONTOLOGY))
    store.add(quad("a", 1))


def test_the_same_version_with_other_content_is_refreshed_silently(tmp_path):
    mark(Store(str(tmp_path)), knowledge.shipped().version)
    with EmbeddedStore.open(tmp_path) as store:
        assert set(store.graph(ONTOLOGY)) == ontology()
        assert store.graph(HOME) == [quad("a", 1)]


def test_an_older_version_is_refused_with_a_remedy_and_left_alone(tmp_path):
    mark(Store(str(tmp_path)), "0.1")
    with pytest.raises(StoreVersionError) as caught:
        EmbeddedStore.open(tmp_path)
    assert "0.1" in caught.value.message
    assert "HEARTHGRAPH_STORE" in caught.value.remedy
    raw = Store(str(tmp_path))
    assert set(raw) == {quad("a", 1), Quad(knowledge.SUBJECT, knowledge.VERSION, Literal("0.1"), ONTOLOGY)}


def test_an_older_version_is_migrated_where_files_lead_from_it_to_this_one(tmp_path):
    version = knowledge.shipped().version
    step = (
        "DELETE {{ GRAPH ?g {{ ?s ?p {} }} }} INSERT {{ GRAPH ?g {{ ?s ?p {} }} }} WHERE {{ GRAPH ?g {{ ?s ?p {} }} }}"
    )
    (tmp_path / "0.1_to_0.2.rq").write_text("# Ones are twos.\n" + step.format(1, 2, 1) + " # done")
    (tmp_path / f"0.2_to_{version}.rq").write_text(step.format(2, 3, 2))
    store = Store()
    mark(store, "0.1")
    knowledge.migrate(store, "0.1", tmp_path)
    assert quad("a", 3) in store


def test_migrations_that_go_in_a_circle_are_refused(tmp_path):
    (tmp_path / "0.1_to_0.1.rq").write_text("CLEAR ALL")
    with pytest.raises(StoreVersionError):
        knowledge.migrate(Store(), "0.1", tmp_path)


# Keeping


def test_a_dump_restores_all_but_the_ontology_which_stays_this_versions(store, tmp_path):
    file = tmp_path / "home.nq"
    store.write(insert=[quad("a", 1), quad("b", "häuser\n", STATE)])
    store.dump(file)
    store.write(clear=[STATE], delete=[quad("a", 1)], insert=[quad("c", 3)])
    generation = store.generation
    store.restore(file)
    assert store.graph(HOME) == [quad("a", 1)]
    assert store.graph(STATE) == [quad("b", "häuser\n", STATE)]
    assert set(store.graph(ONTOLOGY)) == ontology()
    assert store.generation == generation + 1


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (None, StoreError),
        ("", StoreVersionError),
        ("<http://example.org/a> <http://example.org/b> 'half", SyntaxFault),
        (f'{knowledge.SUBJECT} {knowledge.VERSION} "0.1" {ONTOLOGY} .', StoreVersionError),
        (
            f'{knowledge.SUBJECT} {knowledge.VERSION} "{knowledge.shipped().version}" {ONTOLOGY} .\n<x:x> <x:x> "" .',
            QueryError,
        ),
    ],
    ids=["missing", "empty", "broken", "older", "default graph"],
)
def test_restoring_a_file_that_cannot_be_used_changes_nothing(store, tmp_path, content, error):
    file = tmp_path / "home.nq"
    if content is not None:
        file.write_text(content)
    store.write(insert=[quad("a", 1)])
    before = set(store.graph(HOME))
    with pytest.raises(error) as caught:
        store.restore(file)
    assert set(store.graph(HOME)) == before
    assert set(store.graph(ONTOLOGY)) == ontology()
    if error is SyntaxFault:
        assert caught.value.line == 1
        assert "home.nq:1" in str(caught.value)


def test_a_dump_that_fails_leaves_the_file_that_was_there(store, tmp_path):
    file = tmp_path / "home.nq"
    file.write_text("kept")
    with pytest.raises(StoreError):
        store.dump(file, RdfFormat.TURTLE)
    with pytest.raises(StoreError):
        store.dump(tmp_path / "missing" / "home.nq")
    assert [path.name for path in tmp_path.glob("home*")] == ["home.nq"]
    assert file.read_text() == "kept"
