"""What a client of the directory hears when something is wrong, and that HEAD is GET without a body."""

from __future__ import annotations

import json
import random
from typing import Any

import httpx
import pytest

from tests.server.directory.lamps import TD, address, lamp, patch, post, put
from tests.server.serving import Serving

HALLWAY = "http://house.example/things/hallway-light"
MERGE = {"Content-Type": "application/merge-patch+json"}
GETS: list[tuple[str, dict[str, str]]] = [
    ("/.well-known/wot", {}),
    ("/things", {}),
    ("/things", {"format": "collection", "limit": "1"}),
    (address(HALLWAY), {}),
    ("/search/jsonpath", {"query": "$[0]"}),
    ("/search/sparql", {"query": "ASK {}"}),
    ("/events", {}),
    ("/events/thing_created", {}),
]
FAULTS: list[tuple[str, str, dict[str, Any], int]] = [
    ("GET", "/things/urn:none", {}, 404),
    ("GET", "/things?limit=0", {}, 400),
    ("GET", "/things?sort_by=nothing", {}, 501),
    ("GET", "/things", {"headers": {"Accept": "image/png"}}, 406),
    ("POST", "/things", {"content": "{", "headers": {"Content-Type": TD}}, 400),
    ("POST", "/things", {"content": "x", "headers": {"Content-Type": "text/html"}}, 415),
    ("POST", "/things", {"content": b" " * (9 << 20), "headers": {"Content-Type": TD}}, 413),
    ("PUT", "/things/urn:x", {"content": "[]"}, 400),
    ("PATCH", "/things/urn:none", {"content": "{}", "headers": MERGE}, 404),
    ("DELETE", "/things/urn:none", {}, 404),
    ("DELETE", "/things", {}, 405),
    ("GET", "/events/thing_lost", {}, 404),
    ("GET", "/events?type=thing_lost", {}, 400),
    ("GET", "/events?diff=maybe", {}, 400),
    ("GET", "/search/jsonpath", {}, 400),
    ("GET", "/search/jsonpath?query=title", {}, 400),
    ("GET", "/search/sparql?query=nonsense", {}, 400),
    ("GET", "/search/sparql", {}, 400),
    ("GET", "/search/xpath?query=x", {}, 501),
    ("GET", "/search", {}, 404),
]


def told(answer: httpx.Response) -> dict[str, Any]:
    """The problem, as it must be told."""
    assert answer.headers["content-type"].split(";")[0] == "application/problem+json"
    assert "Traceback" not in answer.text
    found: dict[str, Any] = json.loads(answer.content.decode("utf-8"))
    assert found["status"] == answer.status_code
    assert found["title"]
    return found


@pytest.mark.tdd("tdd-http-error-response")
@pytest.mark.parametrize(("method", "path", "more", "status"), FAULTS)
def test_a_fault_is_told_as_problem_details(
    house: Serving, method: str, path: str, more: dict[str, Any], status: int
) -> None:
    answer = house.client.request(method, path, **more)
    assert answer.status_code == status, answer.text
    told(answer)


@pytest.mark.tdd("tdd-http-error-response-utf-8", "tdd-validation-response-utf-8")
def test_faults_are_in_utf_8(house: Serving) -> None:
    name = "küche ☕ 灯"
    assert name in told(house.stranger.get(address(f"urn:{name}")))["message"]
    wrong = told(put(house.client, lamp("urn:lamp:odd", title={"ja": name})))
    assert name in wrong["validationErrors"][0]["description"]


@pytest.mark.tdd("tdd-http-head")
@pytest.mark.parametrize(("path", "parameters"), GETS)
def test_head_is_get_without_a_body(house: Serving, path: str, parameters: dict[str, str]) -> None:
    head = house.stranger.head(path, params=parameters)
    assert (head.status_code, head.content) == (200, b"")
    if not path.startswith("/events"):
        got = house.stranger.get(path, params=parameters)
        for name in ("content-type", "link", "vary", "etag"):
            assert head.headers.get(name) == got.headers.get(name)
    assert house.stranger.head("/things/urn:none").status_code == 404


@pytest.mark.tdd("tdd-http-unsupported-feature")
def test_what_is_not_offered_is_said_to_be_so(house: Serving) -> None:
    for path in ("/things?sort_by=nobodyKnows", "/search/xpath?query=//title"):
        answer = house.stranger.get(path)
        assert answer.status_code == 501
        assert told(answer)["remedy"]


# Validation


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in lamp().items() if key != name}


WRONG: list[tuple[Any, str]] = [
    ([], "$"),
    ("lamp", "$"),
    (None, "$"),
    (without("title"), "$"),
    (without("security"), "$"),
    (without("@context"), "$"),
    (lamp(title=1), "$.title"),
    (lamp(**{"@context": "https://example.org/other"}), "$['@context']"),
    (lamp(properties={"power": {"type": "bool", "forms": [{"href": "x"}]}}), "$.properties.power.type"),
    (lamp(properties={"power": {"type": "boolean"}}), "$.properties.power"),
    (lamp(properties={"power": {"forms": [{"op": "readproperty"}]}}), "$.properties.power.forms[0]"),
    (lamp(actions=[]), "$.actions"),
    (lamp(registration="x"), "$.registration"),
    (
        lamp(**{"@type": "tm:ThingModel", "tm:required": [], "links": [{"rel": "tm:extends", "href": "x"}]}),
        "$['@type']",
    ),
    (lamp(securityDefinitions={"nosec_sc": {"scheme": "basic"}}), "$.securityDefinitions.nosec_sc"),
]


@pytest.mark.tdd("tdd-validation-syntactic", "tdd-validation-result", "tdd-validation-response")
@pytest.mark.parametrize(("document", "field"), WRONG)
def test_a_fault_of_a_description_is_told_with_its_place(house: Serving, document: Any, field: str) -> None:
    before = set(house.service.home.registry.things)
    answer = post(house.client, document)
    assert answer.status_code == 400, answer.text
    faults = told(answer)["validationErrors"]
    assert faults[0]["field"] == field, faults
    for fault in faults:
        assert fault.keys() == {"field", "description"}
        assert all(isinstance(value, str) and value for value in fault.values())
    assert set(house.service.home.registry.things) == before


@pytest.mark.tdd("tdd-validation-jsonschema")
def test_all_faults_are_told_at_once(house: Serving) -> None:
    wrong = lamp("urn:lamp:wrong", title=1, description=2, base=3, properties={"a": {"forms": []}})
    fields = {fault["field"] for fault in told(put(house.client, wrong))["validationErrors"]}
    assert {"$.title", "$.description", "$.base", "$.properties.a.forms"} <= fields
    many = lamp(properties={f"p{number}": 1 for number in range(1000)})
    assert len(told(post(house.client, many))["validationErrors"]) == 100


def test_what_the_shapes_refuse_is_told_of_the_json_that_it_is_about(house: Serving) -> None:
    wrong = lamp("urn:lamp:shapes", properties={"p": {"type": "boolean", "forms": [{"href": "javascript:alert(1)"}]}})
    faults = told(put(house.client, wrong))["validationErrors"]
    assert faults[0]["field"].startswith("$.properties.p"), faults


def test_a_description_of_several_things_is_refused(house: Serving) -> None:
    victim = {"@id": HALLWAY, "@type": "Thing", "title": "mine now"}
    for name in ("ex:also", "td:also"):
        answer = put(house.client, lamp("urn:lamp:two", **{name: victim}))
        assert answer.status_code in (201, 204, 400)
    assert house.stranger.get(address(HALLWAY)).json()["title"] == "hallway light"


BODIES = [
    b"",
    b"{",
    b"\xff\xfe",
    b"NaN",
    b'{"title": NaN}',
    b"[" * 200,
    b'{"a":' * 5000 + b"1" + b"}" * 5000,
    b"null",
    b'"\\ud800"',
    b'{"id": {"$ref": 1}}',
    b'{"@context": [[]], "title": "x", "security": [], "securityDefinitions": {}}',
    json.dumps(lamp(registration={"ttl": 1e308})).encode(),
    json.dumps(lamp("\ud800")).encode(),
    json.dumps(lamp(title="\ud800")).encode(),
    json.dumps(lamp(**{"\ud800": "x"})).encode(),
    json.dumps(lamp(**{"@type": ["\x00", "a b", "<>"]})).encode(),
    json.dumps(lamp(**{"@id": "urn:x"})).encode(),
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_bodies_that_nothing_can_be_made_of_break_nothing(house: Serving, body: bytes) -> None:
    before = house.stranger.get(address(HALLWAY)).json()
    for answer in (
        post(house.client, body),
        put(house.client, body, "urn:lamp:bad"),
        patch(house.client, HALLWAY, body),
    ):
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            told(answer)
        elif answer.status_code == 201 and "location" in answer.headers:
            assert house.stranger.get(answer.headers["location"]).status_code == 200
    assert house.client.delete(address("urn:lamp:bad")).status_code in (204, 404)
    after = house.stranger.get(address(HALLWAY)).json()
    assert after["id"] == before["id"]


def test_random_changes_of_a_description_never_break_the_directory(house: Serving) -> None:
    chance = random.Random(308)
    odd: list[Any] = [
        None,
        True,
        -1,
        1e300,
        "",
        "x",
        [],
        {},
        [None],
        {"@id": "urn:x"},
        {"@value": 1},
        "\x00",
        "urn:a b",
    ]
    known = [
        "@context",
        "@type",
        "id",
        "title",
        "titles",
        "security",
        "securityDefinitions",
        "properties",
        "forms",
        "links",
    ]
    known += [
        "version",
        "base",
        "created",
        "registration",
        "uriVariables",
        "@graph",
        "@base",
        "schemaDefinitions",
        "profile",
    ]
    for _ in range(40):
        document = lamp("urn:lamp:fuzz")
        for _ in range(chance.randrange(1, 4)):
            target: dict[str, Any] = chance.choice([document, document["properties"]["power"]])  # type: ignore[index]
            target[chance.choice(known)] = chance.choice(odd)
            if not isinstance(document.get("properties"), dict) or "power" not in document["properties"]:
                break
        answer = put(house.client, document, "urn:lamp:fuzz")
        assert answer.status_code in (201, 204, 400), (document, answer.text)
        if answer.is_success:
            assert house.stranger.get(address("urn:lamp:fuzz")).status_code == 200, document
            assert house.stranger.get("/things", params={"limit": 3}).status_code == 200, document
