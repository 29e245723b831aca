"""Searches in the directory: SPARQL and JSONPath, and how the directory introduces itself."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from pyoxigraph import RdfFormat, parse

from engine.resources import folder
from engine.things.description import jsonld
from tests.server.directory.lamps import DISCOVERY, TD, address, lamp, put
from tests.server.serving import Serving, serving

TITLES = "SELECT ?title { ?thing <https://www.w3.org/2019/wot/td#title> ?title }"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def sparql(served: Serving, query: str, **headers: str) -> Any:
    return served.stranger.get("/search/sparql", params={"query": query}, headers=headers)


@pytest.mark.tdd("tdd-search-sparql", "tdd-search-sparql-version", "tdd-search-sparql-method-get")
@pytest.mark.tdd("tdd-search-large-tdds")
def test_descriptions_are_found_by_sparql(house: Serving) -> None:
    assert put(house.client, lamp("urn:lamp:found", title="sparkling lamp")).is_success
    query = """PREFIX td: <https://www.w3.org/2019/wot/td#> PREFIX js: <https://www.w3.org/2019/wot/json-schema#>
    SELECT ?thing (COUNT(?p) AS ?n) {
      ?thing a td:Thing ; td:title ?title ; td:hasPropertyAffordance ?p . ?p a js:BooleanSchema
      FILTER(STRSTARTS(?title, "sparkling")) MINUS { ?thing td:title "no" } } GROUP BY ?thing"""
    (row,) = sparql(house, query).json()["results"]["bindings"]
    assert (row["thing"]["value"], row["n"]["value"]) == ("urn:lamp:found", "1")


@pytest.mark.tdd("tdd-search-sparql-method-post")
def test_a_query_may_be_posted(house: Serving) -> None:
    path = "/search/sparql"
    posted = house.stranger.post(path, content="ASK {}", headers={"Content-Type": "application/sparql-query"})
    assert posted.json()["boolean"] is True
    assert house.stranger.post(path, data={"query": "ASK {}"}, headers=FORM).json()["boolean"] is True
    assert house.stranger.post(path, data={"other": "ASK {}"}, headers=FORM).status_code == 400


@pytest.mark.tdd("tdd-search-sparql-resp-select-ask")
def test_tables_and_truth_values_are_json(house: Serving) -> None:
    for query, part in ((f"{TITLES} LIMIT 1", "results"), ("ASK {}", "boolean")):
        answer = sparql(house, query)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
        assert part in answer.json()
    table = sparql(house, TITLES, Accept="text/csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert sparql(house, TITLES, Accept="application/sparql-results+json").headers["content-type"].endswith("s+json")
    assert sparql(house, TITLES, Accept="image/png").status_code == 406


@pytest.mark.tdd("tdd-search-sparql-resp-describe-construct")
def test_graphs_are_json_ld(house: Serving) -> None:
    for query in ("CONSTRUCT { ?s a ?o } WHERE { ?s a ?o } LIMIT 5", "DESCRIBE <http://house.example/hallway>"):
        answer = sparql(house, query)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/ld+json")
        assert len(list(parse(answer.content, RdfFormat.JSON_LD))) >= 3
        assert sparql(house, query, Accept="text/turtle").headers["content-type"].startswith("text/turtle")


@pytest.mark.tdd("tdd-search-sparql-error")
@pytest.mark.parametrize(
    "query",
    [
        "INSERT DATA { <urn:a> <urn:b> 1 }",
        "DELETE WHERE { ?s ?p ?o }",
        "CLEAR ALL",
        "LOAD <http://x/>",
        "",
        "nonsense {",
    ],
)
def test_what_is_no_query_is_refused(house: Serving, query: str) -> None:
    assert sparql(house, query).status_code == 400
    assert house.stranger.post("/search/sparql", data={"query": query}).status_code == 400
    assert house.stranger.get("/search/sparql?query=ASK{}&query=ASK{}").status_code == 400


@pytest.mark.tdd("tdd-search-sparql-federation", "tdd-search-sparql-federation-version")
def test_a_query_calls_another_directory_where_the_settings_name_it(house: Serving, tmp_path: Path) -> None:
    there = f"{house.url}/search/sparql"
    query = "SELECT ?n { SERVICE <" + there + "> { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } } }"
    assert sparql(house, query).status_code == 400
    with serving(tmp_path / "other", sparql_services=there, sparql_processes=1) as other:
        assert sparql(other, query).status_code == 400, "strangers call nobody"
        answer = other.client.get("/search/sparql", params={"query": query})
        assert answer.status_code == 200, answer.text
        assert int(answer.json()["results"]["bindings"][0]["n"]["value"]) > 1000


# JSONPath


def found(served: Serving, path: str) -> Any:
    answer = served.stranger.get("/search/jsonpath", params={"query": path})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


@pytest.mark.tdd("tdd-search-large-tdds")
def test_descriptions_are_found_by_jsonpath(house: Serving) -> None:
    assert put(house.client, lamp("urn:lamp:path", title="path lamp", weight=3.5)).is_success
    assert found(house, "$[?@.title=='path lamp'].id") == ["urn:lamp:path"]
    assert found(house, "$[?@.weight > 3 && @.properties.power].title") == ["path lamp"]
    assert found(house, "$[?match(@.id, 'urn:lamp:.*')].title")[-1] == "path lamp"
    assert found(house, "$[?@.title=='nothing']") == []
    assert len(found(house, "$[*]")) == len(house.service.home.registry.things)
    assert found(house, "$[?length(@.title) == count(@.*)]") is not None
    (whole,) = found(house, "$[?@.id=='urn:lamp:path']")
    assert whole["registration"]["created"]


@pytest.mark.parametrize(
    "path",
    ["", "title", "$[", "$[?", "$..[?(@.a", "$[?@.a==]", "$" + "[?@" * 3000, "x" * 10_000, "$[?nofunction(@)]", "☕"],
)
def test_what_is_no_path_is_refused(house: Serving, path: str) -> None:
    answer = house.stranger.get("/search/jsonpath", params={"query": path})
    assert answer.status_code in (400, 414, 431), answer.text
    assert "Traceback" not in answer.text


@pytest.mark.slow
def test_a_path_that_takes_too_long_is_ended_and_one_that_finds_too_much_is_cut_off(
    house_store: Path, tmp_path: Path
) -> None:
    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store", sparql_seconds=3.0, sparql_bytes=10_000, sparql_processes=1) as served:
        assert put(served.client, lamp("urn:lamp:regex", title="a" * 60 + "!")).status_code == 201
        answer = served.stranger.get("/search/jsonpath", params={"query": "$[?match(@.title, '(a|a|aa)+')]"})
        assert answer.status_code == 503, answer.text
        much = served.stranger.get("/search/jsonpath", params={"query": "$[*]"})
        assert much.status_code == 422
        assert served.stranger.get("/search/jsonpath", params={"query": "$[0].id"}).status_code == 200


# How it introduces itself


def test_the_directory_describes_itself_as_a_thing(house: Serving, shared: Path) -> None:
    answer = house.stranger.get("/.well-known/wot")
    assert (answer.status_code, answer.headers["content-type"]) == (200, TD)
    assert answer.headers["access-control-allow-origin"] == "*"
    td = answer.json()
    assert td["@type"] == "ThingDirectory"
    assert DISCOVERY in td["@context"]
    assert td["base"] == f"{house.url}/"
    jsonld.check(td)
    schema = json.loads((shared / "w3c" / "td-json-schema-validation.json").read_text(encoding="utf-8"))
    Draft7Validator(schema).validate(td)
    assert td["properties"].keys() == {"things"}
    assert td["events"].keys() == {"thingCreated", "thingUpdated", "thingDeleted"}
    assert {"createThing", "createAnonymousThing", "retrieveThing", "updateThing"} < td["actions"].keys()


def test_the_description_says_what_needs_the_token(house: Serving) -> None:
    td = house.stranger.get("/.well-known/wot").json()
    assert td["security"] == ["nosec_sc"]
    for name, action in td["actions"].items():
        for form in action["forms"]:
            writes = form["htv:methodName"] in ("PUT", "PATCH", "DELETE") or name.startswith("create")
            assert form.get("security", td["security"]) == (["bearer_sc"] if writes else ["nosec_sc"]), name


def test_every_form_of_the_description_leads_somewhere(house: Serving) -> None:
    td = house.stranger.get("/.well-known/wot").json()
    assert put(house.client, lamp("urn:lamp:form")).is_success
    affordances = [*td["properties"].values(), *td["actions"].values(), *td["events"].values()]
    for form in (form for affordance in affordances for form in affordance["forms"]):
        path = "/" + form["href"].partition("{?")[0].replace("{id}", "urn:lamp:form")
        method = form.get("htv:methodName", "HEAD").replace("GET", "HEAD")
        answer = house.stranger.request(method, path)
        assert answer.status_code in (200, 400, 401), (method, path, answer.status_code)
    assert house.stranger.get(address("urn:lamp:form")).status_code == 200


def test_only_the_introduction_may_be_read_by_pages_of_other_origins(house: Serving) -> None:
    for path in ("/things", "/events/thing_created", "/search/jsonpath?query=$", "/search/sparql?query=ASK{}"):
        headers = house.stranger.head(path, headers={"Origin": "http://elsewhere.example"}).headers
        assert "access-control-allow-origin" not in headers
        assert headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.tdd("tdd-validation-jsonschema")
def test_what_comes_out_is_valid_as_w3c_has_it(house: Serving, shared: Path) -> None:
    schema = json.loads((shared / "w3c" / "td-json-schema-validation.json").read_text(encoding="utf-8"))
    own = json.loads((folder("shapes") / "td.schema.json").read_text(encoding="utf-8"))
    assert put(house.client, lamp("urn:lamp:valid", registration={"ttl": 60})).is_success
    for td in house.stranger.get("/things").json():
        Draft7Validator(schema).validate(td)
        Draft202012Validator(own).validate(td)
