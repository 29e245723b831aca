"""Thing Descriptions one by one: created, read, replaced, patched, deleted."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
import pytest
from rdflib import Graph

from tests.server.directory.lamps import MERGE_PATCH, TD, address, lamp, patch, post, put
from tests.server.serving import Serving

TD_NS = "https://www.w3.org/2019/wot/td#"


def read(served: Serving, iri: str) -> dict[str, Any]:
    found: dict[str, Any] = served.stranger.get(address(iri)).raise_for_status().json()
    return found


@pytest.mark.tdd("tdd-things-crud", "tdd-things-crudl")
def test_all_five_can_be_done(house: Serving) -> None:
    iri = "urn:lamp:crudl"
    assert put(house.client, lamp(iri)).status_code == 201
    assert read(house, iri)["title"] == "desk lamp"
    assert put(house.client, lamp(iri, title="other lamp")).status_code == 204
    assert iri in [td["id"] for td in house.stranger.get("/things").json()]
    assert house.client.delete(address(iri)).status_code == 204
    assert iri not in [td["id"] for td in house.stranger.get("/things").json()]


@pytest.mark.tdd("tdd-things-read-only-auth")
def test_who_has_no_token_reads_and_does_not_write(house: Serving) -> None:
    assert put(house.client, lamp("urn:lamp:mine")).status_code == 201
    for answer in (
        post(house.stranger, lamp()),
        put(house.stranger, lamp("urn:lamp:mine", title="yours")),
        patch(house.stranger, "urn:lamp:mine", {"title": "yours"}),
        house.stranger.delete(address("urn:lamp:mine")),
    ):
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
        assert answer.headers["content-type"] == "application/problem+json"
    assert read(house, "urn:lamp:mine")["title"] == "desk lamp"


@pytest.mark.tdd("tdd-things-default-representation")
def test_json_is_what_is_taken_and_given_by_default(house: Serving) -> None:
    iri = "urn:lamp:json"
    made = house.client.put(address(iri), content=json.dumps(lamp(iri)))
    assert made.status_code == 201
    for path, parameters in [
        (address(iri), {}),
        ("/things", {}),
        ("/.well-known/wot", {}),
        ("/search/sparql", {"query": "ASK {}"}),
        ("/search/jsonpath", {"query": "$"}),
    ]:
        answer = house.stranger.get(path, params=parameters, headers={"Accept": "*/*"})
        assert "json" in answer.headers["content-type"]
        assert answer.json() is not None
    triples = Graph().parse(data=house.stranger.get(address(iri), headers={"Accept": "text/turtle"}).text)
    assert len(triples) > 10


@pytest.mark.tdd("tdd-things-representation-alternate-input", "tdd-http-representation-alternate-output")
def test_turtle_is_taken_and_given_where_it_is_asked_for(house: Serving) -> None:
    text = f'@prefix td: <{TD_NS}> . <urn:lamp:turtle> a td:Thing ; td:title "turtle lamp" .'
    made = house.client.post("/things", content=text, headers={"Content-Type": "text/turtle"})
    assert made.status_code == 201
    answer = house.stranger.get(address("urn:lamp:turtle"), headers={"Accept": "text/turtle"})
    assert answer.headers["content-type"].startswith("text/turtle")
    assert answer.headers["vary"] == "Accept"
    assert "turtle lamp" in answer.text
    assert read(house, "urn:lamp:turtle")["title"] == "turtle lamp"
    assert house.stranger.get(address("urn:lamp:turtle"), headers={"Accept": "image/png"}).status_code == 406
    squeezed = {"Content-Type": TD, "Content-Encoding": "gzip"}
    assert house.client.put(address("urn:lamp:gzip"), content=b"\x1f\x8b", headers=squeezed).status_code == 415


# Create


@pytest.mark.tdd("tdd-things-create-known-vs-anonymous", "tdd-things-create-known-td", "tdd-things-create-anonymous-td")
def test_what_has_an_id_is_put_and_what_has_none_is_posted(house: Serving) -> None:
    wrong = post(house.client, lamp("urn:lamp:posted"))
    assert (wrong.status_code, wrong.json()["validationErrors"][0]["field"]) == (400, "$.id")
    wrong = put(house.client, lamp(), "urn:lamp:noid")
    assert (wrong.status_code, wrong.json()["validationErrors"][0]["field"]) == (400, "$.id")
    wrong = put(house.client, lamp("urn:lamp:one"), "urn:lamp:other")
    assert (wrong.status_code, wrong.json()["validationErrors"][0]["field"]) == (400, "$.id")
    for iri in ("urn:lamp:posted", "urn:lamp:noid", "urn:lamp:one", "urn:lamp:other"):
        assert house.stranger.get(address(iri)).status_code == 404
    assert put(house.client, lamp("urn:lamp:known")).status_code == 201
    assert post(house.client, lamp()).status_code == 201


@pytest.mark.tdd("tdd-things-create-known-contenttype", "tdd-things-create-anonymous-contenttype")
@pytest.mark.tdd("tdd-things-update-contenttype")
def test_the_media_type_is_that_of_descriptions_or_of_json(house: Serving) -> None:
    for kind in (TD, f"{TD}; charset=utf-8", "application/json"):
        iri = f"urn:lamp:type:{len(kind)}"
        assert post(house.client, lamp(), kind).status_code == 201
        assert put(house.client, lamp(iri), kind=kind).status_code == 201
        assert put(house.client, lamp(iri), kind=kind).status_code == 204
    for kind in ("text/html", "application/xml", "application/x-www-form-urlencoded"):
        assert post(house.client, lamp(), kind).status_code == 415
        assert put(house.client, lamp("urn:lamp:type:x"), kind=kind).status_code == 415


@pytest.mark.tdd("tdd-things-create-known-td-resp", "tdd-things-create-anonymous-td-resp")
def test_what_is_new_is_told_with_201_and_where_it_is(house: Serving) -> None:
    assert put(house.client, lamp("urn:lamp:new")).status_code == 201
    made = post(house.client, lamp())
    assert (made.status_code, made.content) == (201, b"")
    assert house.stranger.get(made.headers["location"]).status_code == 200


@pytest.mark.parametrize(
    "iri",
    [
        "http://lamp.example/a/b?c=d&e=f#it",
        "http://lamp.example//double//slash/",
        "http://lamp.example/per%20cent",
        "urn:lampe:küche",
        "urn:dev:ops:32473-Lamp",
        "did:example:123/path..",
        "https://lamp.example/things/../up",
    ],
)
def test_any_iri_can_be_an_id(house: Serving, iri: str) -> None:
    assert put(house.client, lamp(iri)).status_code == 201, iri
    assert read(house, iri)["id"] == iri
    assert patch(house.client, iri, {"title": "found"}).status_code == 204
    assert house.stranger.head(address(iri)).status_code == 200
    assert house.client.delete(address(iri)).status_code == 204
    assert house.stranger.get(address(iri)).status_code == 404


@pytest.mark.parametrize("iri", ["lamp", "a b", "urn:a b", "<urn:x>", "urn:x\ny", "%", "../x"])
def test_what_is_no_iri_can_be_no_id(house: Serving, iri: str) -> None:
    answer = put(house.client, lamp(iri))
    assert 400 <= answer.status_code < 500, answer.text
    assert put(house.client, lamp(iri), "urn:lamp:else").status_code == 400


# Retrieve


@pytest.mark.tdd("tdd-things-retrieve", "tdd-things-retrieve-resp")
def test_a_description_is_read_at_its_address_with_all_that_was_in_it(house: Serving) -> None:
    more = {
        "@context": ["https://www.w3.org/2022/wot/td/v1.1", {"ex": "http://ex.example/"}],
        "description": "of many words",
        "ex:colour": "red",
        "nobodyKnows": {"this": [1, 2.5, None, {"deep": True}]},
        "links": [{"href": "http://lamp.example/manual", "rel": "help"}],
        "events": {"burnt": {"data": {"type": "string"}, "forms": [{"href": "http://lamp.example/burnt"}]}},
    }
    assert put(house.client, lamp("urn:lamp:all", **more)).status_code == 201
    answer = house.stranger.get(address("urn:lamp:all"))
    assert answer.status_code == 200
    found = answer.json()
    for name in ("title", "description", "ex:colour", "nobodyKnows", "links", "security", "securityDefinitions"):
        assert found[name] == lamp(**more)[name], name
    assert found["properties"]["power"]["forms"][0]["href"] == "http://lamp.example/power"
    assert found["events"]["burnt"]["data"] == {"type": "string"}
    assert house.stranger.get(address("urn:lamp:none")).status_code == 404


@pytest.mark.tdd("tdd-things-retrieve-resp-content-type")
def test_a_description_says_that_it_is_one(house: Serving) -> None:
    assert put(house.client, lamp("urn:lamp:kind")).status_code == 201
    path = address("urn:lamp:kind")
    assert house.stranger.get(path).headers["content-type"] == TD
    for media in (TD, "application/json", "application/ld+json"):
        answer = house.stranger.get(path, headers={"Accept": media})
        assert answer.headers["content-type"] == media
        assert answer.json()["id"] == "urn:lamp:kind"


def test_what_has_not_changed_is_not_sent_again(house: Serving) -> None:
    assert put(house.client, lamp("urn:lamp:etag")).status_code == 201
    path = address("urn:lamp:etag")
    tag = house.stranger.get(path).headers["etag"]
    assert house.stranger.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert patch(house.client, "urn:lamp:etag", {"title": "new"}).status_code == 204
    assert house.stranger.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_a_change_of_what_is_not_as_it_was_read_is_refused(house: Serving) -> None:
    iri = "urn:lamp:meant"
    path = address(iri)
    absent, there = {"If-Match": "*"}, {"If-None-Match": "*"}
    assert house.client.put(path, json=lamp(iri), headers=absent).status_code == 412
    assert house.client.put(path, json=lamp(iri), headers=there).status_code == 201
    assert house.client.put(path, json=lamp(iri), headers=there).status_code == 412
    read = {"If-Match": house.stranger.get(path).headers["etag"]}
    assert house.client.put(path, json=lamp(iri, title="first"), headers=read).status_code == 204
    late = house.client.put(path, json=lamp(iri, title="second"), headers=read)
    assert (late.status_code, late.json()["reason"]) == (412, "precondition_failed")
    changing = {**read, "Content-Type": "application/merge-patch+json"}
    assert house.client.patch(path, content='{"title": "third"}', headers=changing).status_code == 412
    assert house.client.delete(path, headers=read).status_code == 412
    assert house.stranger.get(path).json()["title"] == "first"
    assert house.client.delete(path, headers=absent).status_code == 204
    assert house.client.delete(path, headers=absent).status_code == 404


def test_of_two_who_replace_what_both_read_one_is_told_so(house: Serving) -> None:
    iri = "urn:lamp:both"
    path = address(iri)
    assert put(house.client, lamp(iri)).status_code == 201
    for number in range(5):
        read = {"If-Match": house.stranger.get(path).headers["etag"]}
        start = Barrier(4)

        def replace(name: str, read: dict[str, str] = read, start: Barrier = start) -> int:
            start.wait()
            return house.client.put(path, json=lamp(iri, title=name), headers=read).status_code

        with ThreadPoolExecutor(4) as pool:
            codes = sorted(pool.map(replace, [f"{number} of {n}" for n in range(4)]))
        assert codes == [204, 412, 412, 412]


# Update


@pytest.mark.tdd("tdd-things-update", "tdd-things-update-resp")
def test_a_description_that_is_put_replaces_the_one_that_is_there(house: Serving) -> None:
    assert put(house.client, lamp("urn:lamp:put", description="first", actions={})).status_code == 201
    answer = put(house.client, lamp("urn:lamp:put", title="second"))
    assert (answer.status_code, answer.content) == (204, b"")
    found = read(house, "urn:lamp:put")
    assert found["title"] == "second"
    assert "description" not in found


def test_what_was_read_can_be_put_again_and_changes_nothing_but_its_time(house: Serving) -> None:
    for iri in ("http://house.example/things/hallway-light", "urn:lamp:again"):
        if iri.startswith("urn:"):
            assert put(house.client, lamp(iri, odd={"a": 1})).status_code == 201
        before = read(house, iri)
        assert put(house.client, before).status_code == 204
        after = read(house, iri)
        assert {**after, "registration": 0} == {**before, "registration": 0}
    home = house.service.home
    assert home.registry.things["http://house.example/things/hallway-light"].place == "http://house.example/hallway"


@pytest.mark.tdd("tdd-things-update-partial", "tdd-things-update-partial-mergepatch", "tdd-things-update-partial-resp")
def test_a_merge_patch_changes_what_it_names_and_takes_away_what_it_says_is_null(house: Serving) -> None:
    iri = "urn:lamp:patch"
    assert put(house.client, lamp(iri, description="old", extra={"a": 1, "b": {"c": 2}})).status_code == 201
    change = {
        "title": "new title",
        "description": None,
        "extra": {"a": None, "b": {"d": [3]}},
        "properties": {"dim": {"type": "integer", "forms": [{"href": "http://lamp.example/dim"}]}},
    }
    answer = patch(house.client, iri, change)
    assert (answer.status_code, answer.content) == (204, b"")
    found = read(house, iri)
    assert found["title"] == "new title"
    assert "description" not in found
    assert found["extra"] == {"b": {"c": 2, "d": [3]}}
    assert found["properties"].keys() == {"power", "dim"}
    assert f"{iri}#properties/dim" in house.service.home.registry.properties
    assert patch(house.client, iri, {}).status_code == 204
    assert patch(house.client, "urn:lamp:nobody", {"title": "x"}).status_code == 404


@pytest.mark.tdd("tdd-things-update-partial-contenttype")
def test_a_patch_has_the_media_type_of_merge_patches(house: Serving) -> None:
    iri = "urn:lamp:patchtype"
    assert put(house.client, lamp(iri)).status_code == 201
    for kind in (TD, "application/json", "application/json-patch+json", ""):
        answer = patch(house.client, iri, {"title": "x"}, kind)
        assert answer.status_code == 415
        assert answer.headers["accept-patch"] == MERGE_PATCH
    assert patch(house.client, iri, {"title": "x"}).status_code == 204


@pytest.mark.tdd("tdd-things-update-partial-partialtd")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": 7}, "$.title"),
        ({"title": None}, "$"),
        ({"properties": {"power": {"forms": {"href": "x"}}}}, "$.properties.power.forms"),
        ({"id": "urn:lamp:else"}, "$.id"),
        ({"id": None}, "$.id"),
        (["title"], "$"),
        ("title", "$"),
        (None, "$"),
    ],
)
def test_a_patch_that_leaves_no_description_is_refused_whole(house: Serving, change: Any, field: str) -> None:
    iri = "urn:lamp:partial"
    assert put(house.client, lamp(iri)).is_success
    before = read(house, iri)
    answer = patch(house.client, iri, change)
    assert answer.status_code == 400
    assert answer.json()["validationErrors"][0]["field"] == field
    after = read(house, iri)
    assert {**after["registration"], "retrieved": 0} == {**before["registration"], "retrieved": 0}
    assert {**after, "registration": 0} == {**before, "registration": 0}


# Delete


@pytest.mark.tdd("tdd-things-delete", "tdd-things-delete-resp")
def test_a_description_is_deleted_once(house: Serving) -> None:
    assert put(house.client, lamp("urn:lamp:delete")).status_code == 201
    answer: httpx.Response = house.client.delete(address("urn:lamp:delete"))
    assert (answer.status_code, answer.content) == (204, b"")
    assert house.stranger.get(address("urn:lamp:delete")).status_code == 404
    assert house.client.delete(address("urn:lamp:delete")).status_code == 404
