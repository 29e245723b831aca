"""SPARQL over HTTP, as the protocol's recommendation has it, asked by clients that others wrote."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from pyoxigraph import RdfFormat, parse
from rdflib import Graph, Literal, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore, SPARQLUpdateStore
from SPARQLWrapper import CSV, JSON, POST, POSTDIRECTLY, TURTLE, XML, SPARQLWrapper

from engine.graph.terms import NamedNode, graph
from tests.server.serving import HG, Serving, serving
from tests.waiting import eventually

TITLE = "https://www.w3.org/2019/wot/td#title"
TITLES = f"SELECT ?thing ?title {{ ?thing <{TITLE}> ?title }} ORDER BY ?title LIMIT 5"
HOSTILE = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


# The three operations and the formats


@pytest.mark.parametrize("operation", ["get", "form", "direct"])
def test_a_query_comes_in_by_each_of_the_three_operations(house: Serving, operation: str) -> None:
    if operation == "get":
        answer = house.stranger.get("/sparql", params={"query": TITLES})
    elif operation == "form":
        answer = house.stranger.post("/sparql", data={"query": TITLES})
    else:
        answer = house.stranger.post("/sparql", content=TITLES, headers={"Content-Type": "application/sparql-query"})
    assert answer.status_code == 200
    assert len(answer.json()["results"]["bindings"]) == 5


def test_results_come_as_json_xml_csv_and_tsv(house: Serving) -> None:
    def ask(accept: str) -> Any:
        answer = house.stranger.get("/sparql", params={"query": TITLES}, headers={"Accept": accept})
        assert answer.headers["content-type"].startswith(accept)
        return answer.text

    assert len(json.loads(ask("application/sparql-results+json"))["results"]["bindings"]) == 5
    assert ET.fromstring(ask("application/sparql-results+xml")).tag.endswith("sparql")
    assert len(list(csv.DictReader(io.StringIO(ask("text/csv"))))) == 5
    assert ask("text/tab-separated-values").startswith("?thing\t?title")


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("text/turtle", RdfFormat.TURTLE),
        ("application/n-triples", RdfFormat.N_TRIPLES),
        ("application/ld+json", RdfFormat.JSON_LD),
    ],
)
def test_graphs_come_as_turtle_ntriples_and_jsonld(house: Serving, accept: str, form: RdfFormat) -> None:
    query = f"CONSTRUCT {{ ?s <{TITLE}> ?t }} WHERE {{ ?s <{TITLE}> ?t }} LIMIT 3"
    answer = house.stranger.get("/sparql", params={"query": query}, headers={"Accept": accept})
    assert len(list(parse(answer.content, form))) == 3


def test_the_format_may_be_chosen_in_the_address(house: Serving) -> None:
    assert house.stranger.get("/sparql", params={"query": TITLES, "format": "csv"}).text.startswith("thing,title")


def test_what_nobody_accepts_is_said_to_be_unacceptable(house: Serving) -> None:
    for accept in ("image/png", "text/turtle"):
        answer = house.stranger.get("/sparql", params={"query": TITLES}, headers={"Accept": accept})
        assert (answer.status_code, answer.json()["reason"]) == (406, "not_acceptable")


def test_without_a_query_the_service_describes_itself(house: Serving) -> None:
    answer = house.stranger.get("/sparql")
    graph = Graph().parse(data=answer.text, format="turtle")
    sd = "http://www.w3.org/ns/sparql-service-description#"
    assert (None, URIRef(f"{sd}endpoint"), URIRef(f"{house.url}/sparql")) in graph
    assert (None, URIRef(f"{sd}name"), URIRef(f"{HG}graph/state")) in graph


@pytest.mark.parametrize("query", ["SELECT ?x {", "", "DROP ALL", "SELECT * { ?s hg:value ?o }"])
def test_what_does_not_parse_is_answered_with_the_parsers_words(house: Serving, query: str) -> None:
    answer = house.stranger.post("/sparql", data={"query": query})
    assert answer.status_code == 400
    assert "1:" in answer.json()["message"] or "Prefix" in answer.json()["message"]


def test_a_call_without_a_query_or_with_two_is_a_bad_one(house: Serving) -> None:
    assert house.stranger.post("/sparql", data={}).status_code == 400
    assert house.stranger.get(f"/sparql?query={'ASK{}'}&query={'ASK{}'}").status_code == 400
    assert house.stranger.put("/sparql").status_code == 405
    body = b"ASK { ?s ?p '\xff' }"
    direct = {"Content-Type": "application/sparql-query"}
    assert house.stranger.post("/sparql", content=body, headers=direct).status_code == 400


# The dataset


def test_the_dataset_is_that_of_the_protocol_else_that_of_the_query_else_all(house: Serving) -> None:
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    state = f"{HG}graph/state"
    whole = int(house.rows(count)[0]["n"])
    by_protocol = int(house.rows(count, **{"default-graph-uri": state})[0]["n"])
    by_query = int(house.rows(f"SELECT (COUNT(*) AS ?n) FROM <{state}> {{ ?s ?p ?o }}")[0]["n"])
    assert whole > by_protocol == by_query == len(house.service.store.graph(_graph("state")))
    places = f"SELECT DISTINCT ?g FROM <{HG}graph/places> {{ ?s ?p ?o }}"
    assert int(
        house.rows(places.replace("DISTINCT ?g", "(COUNT(*) AS ?n)"), **{"default-graph-uri": state})[0]["n"]
    ) == (by_protocol)
    named = {"named-graph-uri": state}
    assert house.rows("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }", **named) == [{"g": state}]
    assert house.rows(count, **named) == [{"n": "0"}]


def _graph(name: str) -> Any:
    return graph(name)


def test_a_graph_that_is_no_iri_is_a_bad_call(house: Serving) -> None:
    answer = house.stranger.get("/sparql", params={"query": "ASK {}", "default-graph-uri": "not an iri"})
    assert answer.status_code == 400


# Clients that others wrote


@pytest.mark.parametrize("form", [JSON, XML, CSV])
@pytest.mark.parametrize("operation", ["GET", POST])
def test_sparqlwrapper_reads_every_format(house: Serving, form: str, operation: str) -> None:
    client = SPARQLWrapper(f"{house.url}/sparql")
    client.setQuery(TITLES)
    client.setReturnFormat(form)
    client.setMethod(operation)
    client.setRequestMethod(POSTDIRECTLY if operation == POST else "urlencoded")
    found = client.query().convert()
    if form == JSON:
        assert len(found["results"]["bindings"]) == 5
    elif form == XML:
        assert len(found.getElementsByTagName("result")) == 5
    else:
        assert len(found.decode().splitlines()) == 6


def test_sparqlwrapper_constructs_and_updates(house: Serving) -> None:
    client = SPARQLWrapper(f"{house.url}/sparql", f"{house.url}/update")
    client.addCustomHttpHeader("Authorization", f"Bearer {house.token}")
    client.setMethod(POST)
    client.setQuery("INSERT DATA { GRAPH <urn:test:wrapper> { <urn:a> <urn:b> 'c' } }")
    assert client.query().response.status == 204
    client.setQuery("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <urn:test:wrapper> { ?s ?p ?o } }")
    client.setReturnFormat(TURTLE)
    assert len(Graph().parse(data=client.query().convert(), format="turtle")) == 1


def test_rdflibs_stores_read_and_write(house: Serving) -> None:
    headers = {"Authorization": f"Bearer {house.token}"}
    reading = Graph(SPARQLStore(f"{house.url}/sparql"))
    assert len(list(reading.triples((None, URIRef(TITLE), None)))) > 50
    store = SPARQLUpdateStore(f"{house.url}/sparql", f"{house.url}/update", headers=headers, context_aware=True)
    graph = Graph(store, identifier=URIRef("urn:test:rdflib"))
    triple = (URIRef("urn:a"), URIRef("urn:b"), Literal("c"))
    graph.add(triple)
    assert triple in graph
    graph.remove(triple)
    assert triple not in graph


def test_curl_does(house: Serving, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    command = ["curl", "-sf", f"{house.url}/sparql", "-H", "Accept: text/csv", "--data-urlencode", f"query={TITLES}"]
    subprocess.run([*command, "-o", out], check=True, timeout=20)
    assert len(out.read_text(encoding="utf-8").splitlines()) == 6


# Limits


@pytest.mark.slow
def test_a_query_is_stopped_at_its_deadline_and_others_go_on(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "served")
    with serving(tmp_path / "served", sparql_seconds=4.0, sparql_bytes=20_000, sparql_megabytes=1024) as served:
        with ThreadPoolExecutor(2) as pool:
            hostile = pool.submit(served.stranger.get, "/sparql", params={"query": HOSTILE})
            while not hostile.done():
                answer = served.stranger.get("/sparql", params={"query": "ASK {}"}).json()
                assert answer.get("boolean") is True, answer
        assert hostile.result().json()["reason"] == "query_stopped"
        everything = served.stranger.get("/sparql", params={"query": "SELECT * { ?s ?p ?o }"})
        assert (everything.status_code, everything.json()["reason"]) == (422, "too_much")
        greedy = "SELECT * { ?a ?b ?c . ?d ?e ?f } ORDER BY ?f ?a"
        assert served.stranger.get("/sparql", params={"query": greedy}).json()["reason"] == "query_stopped"
        assert "hearthgraph_queries_stopped 2" in served.stranger.get("/metrics").text
        assert served.stranger.get("/sparql", params={"query": "ASK {}"}).status_code == 200


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what addresses a process has reserved")
def test_a_process_that_answers_reserves_little_besides_what_it_needs(house: Serving) -> None:
    least = 1024 * 1024  # kB, what such a process may be given at the least
    assert house.rows("SELECT ?s { ?s ?p ?o } LIMIT 1")
    for process in house.service.pool.processes:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        assert int(status.partition("VmPeak:")[2].split()[0]) < 0.4 * least


def test_a_query_does_not_call_out_unless_that_address_is_allowed(
    house: Serving, tmp_path: Path, house_store: Path
) -> None:
    query = "SELECT * { SERVICE <" + f"{house.url}/sparql" + "> { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } } }"
    assert house.stranger.get("/sparql", params={"query": query}).status_code == 400
    shutil.copytree(house_store, tmp_path / "served")
    with serving(tmp_path / "served", sparql_services=f"{house.url}/sparql") as served:
        rows = served.client.get("/sparql", params={"query": query}).json()["results"]["bindings"]
        assert int(rows[0]["n"]["value"]) > 1000
        assert served.stranger.get("/sparql", params={"query": query}).status_code == 400
        other = query.replace("/sparql>", "/other>")
        assert served.client.get("/sparql", params={"query": other}).status_code == 400
        both = query[:-1] + " SERVICE ?where { ?s ?p ?o } }"
        assert served.client.get("/sparql", params={"query": both}).status_code == 400


def test_what_is_read_is_no_older_than_is_said(house: Serving) -> None:
    prop = next(iri for iri in house.service.home.state if iri.endswith("brightness"))
    query = f"SELECT ?v {{ GRAPH <{HG}graph/state> {{ <{prop}> <{HG}value> ?v }} }}"
    house.rows(query)
    house.client.post("/state", json={prop: 33}).raise_for_status()
    stale = house.stranger.get("/sparql", params={"query": query})
    age = float(stale.headers["Hearthgraph-Data-Age"])
    assert 0 <= age <= 1.5
    assert eventually(lambda: house.rows(query) == [{"v": "33"}])


# Updates


def test_an_update_needs_the_token(house: Serving) -> None:
    text = "INSERT DATA { GRAPH <urn:test:stranger> { <urn:a> <urn:b> 1 } }"
    answer = house.stranger.post("/update", data={"update": text})
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, 'Bearer realm="hearthgraph"')
    wrong = {"Authorization": "Bearer wrong"}
    assert house.stranger.post("/update", data={"update": text}, headers=wrong).status_code == 401
    assert house.rows("SELECT * { GRAPH <urn:test:stranger> { ?s ?p ?o } }") == []


def test_an_update_is_seen_by_the_next_query(house: Serving) -> None:
    for number in range(5):
        text = f"INSERT DATA {{ GRAPH <urn:test:seen> {{ <urn:a> <urn:b> {number} }} }}"
        assert house.client.post(
            "/update", content=text, headers={"Content-Type": "application/sparql-update"}
        ).is_success
        assert len(house.rows("SELECT * { GRAPH <urn:test:seen> { ?s ?p ?o } }")) == number + 1


OWN = "PREFIX g: <https://w3id.org/hearthgraph#graph/> "
GUARDED = [
    (OWN + "INSERT DATA { GRAPH g:state { <urn:a> <urn:b> 1 } }", 403),
    (OWN + "INSERT DATA { GRAPH g:st\\u0061te { <urn:a> <urn:b> 1 } }", 403),
    (OWN + "INSERT DATA { GRAPH <urn:x> { <urn:a> <urn:b> 1 } } ; CLEAR GRAPH g:ontology", 403),
    (OWN + "WITH g:places DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", 403),
    (OWN + "COPY <urn:x> TO g:policies", 403),
    (OWN + "MOVE g:requests TO <urn:x>", 403),
    ("PREFIX g: <https://w3id.org/hearthgraph#graph> INSERT DATA { GRAPH g:\\/state { <urn:a> <urn:b> 1 } }", 400),
    ("DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }", 400),
    ("DELETE WHERE { GRAPH ?g { ?s ?p ?o } }", 400),
    ("CLEAR ALL", 400),
    ("DROP NAMED", 400),
    ("CLEAR DEFAULT", 400),
    ("INSERT DATA { <urn:a> <urn:b> 1 }", 400),
    ("LOAD <http://127.0.0.1:9/> INTO GRAPH <urn:x>", 400),
    ("INSERT { GRAPH <urn:x> { ?s ?p ?o } } WHERE { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", 400),
    ("INSERT DATA { GRAPH <urn:x> { <urn:t> a <https://www.w3.org/2019/wot/td#Thing> } }", 403),
    ("DELETE DATA { GRAPH <http://house.example/things/hallway-light> { <urn:a> <urn:b> 1 } }", 403),
    ("INSERT DATA { GRAPH <urn:x> { oops } }", 400),
    ("", 400),
]


@pytest.mark.parametrize(("text", "status"), GUARDED)
def test_what_is_the_engines_changes_only_through_the_engine(
    house: Serving, text: str, status: int, tmp_path: Path
) -> None:
    before = house.dump(tmp_path / "before.nq")
    answer = house.client.post("/update", data={"update": text})
    assert answer.status_code == status, answer.text
    assert answer.json()["remedy"] or status == 400
    assert house.dump(tmp_path / "after.nq") == before


def test_an_update_that_takes_too_long_changes_nothing(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "served")
    with serving(tmp_path / "served", sparql_seconds=2.0) as served:
        where = "GRAPH ?g { ?a ?b ?c } GRAPH ?h { ?d ?e ?f } GRAPH ?i { ?j ?k ?l }"
        text = f"INSERT {{ GRAPH <urn:x> {{ ?a ?b ?l }} }} WHERE {{ {where} }}"
        assert served.client.post("/update", data={"update": text}).json()["reason"] == "query_stopped"
        assert NamedNode("urn:x") not in served.service.store.graphs()
