"""Graphs and things over HTTP: what is put, what comes back, and what does not get in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rdflib import Graph

from tests.server.serving import HG, Serving

TURTLE = {"Content-Type": "text/turtle"}
FREE = "urn:test:free"
LIGHT = "http://house.example/things/hallway-light"
LAMP = """
@prefix td: <https://www.w3.org/2019/wot/td#> .
@prefix hg: <https://w3id.org/hearthgraph#> .
@prefix hmas: <https://purl.org/hmas/> .
@prefix js: <https://www.w3.org/2019/wot/json-schema#> .

<http://new.example/lamp> a td:Thing, hg:Light ;
  td:title "reading lamp"@en ;
  hmas:isContainedIn <http://house.example/study> ;
  td:hasPropertyAffordance [ a hg:Brightness, js:IntegerSchema ; td:name "level" ; js:minimum 0 ; js:maximum 100 ] .
"""
BROKEN = LAMP.replace("js:minimum 0", 'js:minimum "low"')


def graphs(iri: str) -> dict[str, str]:
    return {"graph": iri}


def test_a_graph_of_ones_own_is_put_read_extended_and_deleted(house: Serving) -> None:
    put = house.client.put("/graphs", params=graphs(FREE), content="<urn:a> <urn:b> 1 .", headers=TURTLE)
    assert put.status_code == 201
    again = house.client.put("/graphs", params=graphs(FREE), content="<urn:a> <urn:b> 2 .", headers=TURTLE)
    assert again.status_code == 204
    nt = {"Content-Type": "application/n-triples"}
    assert house.client.post("/graphs", params=graphs(FREE), content="<urn:c> <urn:d> <urn:e> .", headers=nt).is_success
    read = house.stranger.get("/graphs", params=graphs(FREE))
    assert sorted(Graph().parse(data=read.text, format="turtle").objects(None, None))[0].toPython() in (2, "urn:e")
    assert len(Graph().parse(data=read.text, format="turtle")) == 2
    head = house.stranger.head("/graphs", params=graphs(FREE))
    assert (head.status_code, head.text, head.headers["content-type"]) == (200, "", "text/turtle; charset=utf-8")
    assert house.client.delete("/graphs", params=graphs(FREE)).status_code == 204
    assert house.client.delete("/graphs", params=graphs(FREE)).status_code == 404
    assert house.stranger.get("/graphs", params=graphs(FREE)).status_code == 404


def test_a_graph_may_be_named_by_its_own_address(house: Serving) -> None:
    assert house.client.put("/graphs/notes/today", content="<> <urn:b> <#x> .", headers=TURTLE).status_code == 201
    assert house.rows("SELECT ?s ?g { GRAPH ?g { ?s <urn:b> ?o } }") == [
        {"s": f"{house.url}/graphs/notes/today", "g": f"{house.url}/graphs/notes/today"}
    ]
    assert "notes/today#x" in house.stranger.get("/graphs/notes/today").text
    assert house.client.delete("/graphs/notes/today").status_code == 204


def test_the_default_graph_is_the_union_of_all(house: Serving) -> None:
    everything = house.stranger.get("/graphs?default", headers={"Accept": "application/n-triples"})
    assert len(everything.text.splitlines()) > 5000
    assert house.client.put("/graphs?default", content="", headers=TURTLE).status_code == 403
    assert house.stranger.get("/graphs").status_code == 400
    assert house.stranger.get("/graphs", params=graphs("no iri")).status_code == 400


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_a_stranger_changes_no_graph(house: Serving, method: str, tmp_path: Path) -> None:
    before = house.dump(tmp_path / "before.nq")
    for iri in (FREE, LIGHT, f"{HG}graph/state"):
        answer = house.stranger.request(method, "/graphs", params=graphs(iri), content="<a> <b> 1 .", headers=TURTLE)
        assert answer.status_code == 401
    assert house.dump(tmp_path / "after.nq") == before


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
@pytest.mark.parametrize("name", ["ontology", "state", "requests", "policies", "inferred"])
def test_the_engines_graphs_are_read_only(house: Serving, method: str, name: str) -> None:
    iri = f"{HG}graph/{name}"
    answer = house.client.request(method, "/graphs", params=graphs(iri), content="<a:a> <a:b> 1 .", headers=TURTLE)
    assert (answer.status_code, answer.json()["reason"]) == (403, "engine_graph")
    assert "POST" in answer.json()["remedy"]


def test_a_thing_is_put_to_its_document_and_can_be_spoken_to(house: Serving) -> None:
    iri = "http://new.example/lamp"
    assert house.client.put("/graphs", params=graphs(iri), content=LAMP, headers=TURTLE).status_code == 201
    assert [row["title"] for row in house.stranger.get("/home/things").json() if row["iri"] == iri] == ["reading lamp"]
    outcome = house.service.home.ask("set the reading lamp to 40", consent=True)
    assert outcome.status.value == "done"
    turtle = house.stranger.get("/graphs", params=graphs(iri))
    assert '"reading lamp"@en' in turtle.text
    td = house.stranger.get("/graphs", params=graphs(iri), headers={"Accept": "application/ld+json"}).json()
    assert td["title"] == "reading lamp"
    assert (
        house.client.put(
            "/graphs", params=graphs(iri), content=json.dumps(td), headers={"Content-Type": "application/ld+json"}
        ).status_code
        == 204
    )
    assert house.client.delete("/graphs", params=graphs(iri)).status_code == 204
    assert iri not in house.service.home.registry.things
    assert house.service.home.ask("set the reading lamp to 40", consent=True).status.value == "refused"


@pytest.mark.parametrize(
    ("iri", "body"),
    [
        ("http://elsewhere.example/x", LAMP),
        ("http://new.example/lamp", BROKEN),
        (LIGHT, "<urn:a> <urn:b> 1 ."),
        (LIGHT, LAMP),
        (LIGHT, ""),
        ("http://new.example/lamp", LAMP + LAMP.replace("/lamp>", "/lamp2>")),
        ("urn:x", "<urn:a> <urn:b"),
    ],
)
def test_what_is_not_the_description_of_one_thing_is_refused_whole(
    house: Serving, iri: str, body: str, tmp_path: Path
) -> None:
    before = house.dump(tmp_path / "before.nq")
    answer = house.client.put("/graphs", params=graphs(iri), content=body, headers=TURTLE)
    assert answer.status_code in (400, 422), answer.text
    assert house.dump(tmp_path / "after.nq") == before
    assert house.client.post("/graphs", params=graphs(LIGHT), content=LAMP, headers=TURTLE).status_code == 403


# /things


def test_several_things_are_posted_and_listed_and_described(house: Serving) -> None:
    two = LAMP + LAMP.replace("/lamp>", "/lamp2>").replace("reading", "floor")
    report = house.client.post("/things", content=two, headers=TURTLE, params={"name": "../../etc/two.ttl"})
    assert report.status_code == 201
    assert {thing["title"] for thing in report.json()["things"]} == {"reading lamp", "floor lamp"}
    td = house.stranger.get("/home/things", params={"iri": "http://new.example/lamp2"})
    assert (td.headers["content-type"], td.json()["title"]) == ("application/td+json", "floor lamp")
    other = house.stranger.get("/home/things", params={"iri": "http://new.example/lamp2", "profile": "yggdrasil"})
    assert "Artifact" in other.text
    for iri in ("http://new.example/lamp", "http://new.example/lamp2"):
        assert house.client.delete(f"/things/{iri}").status_code == 204
    assert house.client.delete("/things/http://new.example/lamp").status_code == 404


def test_a_check_says_what_would_be_loaded_and_loads_nothing(house: Serving, tmp_path: Path) -> None:
    before = house.dump(tmp_path / "before.nq")
    report = house.client.post("/things", content=LAMP, headers=TURTLE, params={"check": "1"})
    assert (report.status_code, report.json()["things"][0]["title"]) == (200, "reading lamp")
    assert house.dump(tmp_path / "after.nq") == before


@pytest.mark.parametrize(("body", "line"), [(BROKEN, 10), (LAMP.replace("a td:Thing,", "a td:Thing,,"), 7)])
def test_a_fault_is_told_with_its_line(house: Serving, body: str, line: int, tmp_path: Path) -> None:
    before = house.dump(tmp_path / "before.nq")
    answer = house.client.post("/things", content=body, headers=TURTLE)
    assert answer.status_code in (400, 422)
    assert answer.json()["line"] == line, answer.text
    assert "/tmp" not in answer.text
    assert house.dump(tmp_path / "after.nq") == before


def test_bodies_of_other_types_and_sizes_are_refused(house: Serving) -> None:
    assert house.client.post("/things", content="x", headers={"Content-Type": "text/html"}).status_code == 415
    assert house.client.post("/things", content=b" " * (17 << 20), headers=TURTLE).status_code == 413


def test_values_are_told_and_wrong_ones_refused_whole(house: Serving) -> None:
    prop = next(iri for iri in house.service.home.state if iri.endswith("brightness"))
    assert house.client.post("/state", json={prop: 12}).status_code == 200
    assert house.stranger.get("/state").json()[prop] == 12
    for wrong in ({prop: "x"}, {prop: 13, "urn:none": 1}, [1]):
        assert house.client.post("/state", json=wrong).status_code in (400, 422)
    assert house.client.post("/state", content="{", headers={"Content-Type": "application/json"}).status_code == 400
    assert house.stranger.post("/state", json={prop: 14}).status_code == 401
    assert house.stranger.get("/state").json()[prop] == 12
