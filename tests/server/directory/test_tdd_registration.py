"""What the directory knows of a registration, when it ends, and what an anonymous description is called."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tests.server.directory.lamps import DISCOVERY, address, lamp, patch, post, put
from tests.server.serving import Serving, serving
from tests.waiting import eventually

BEGIN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HALLWAY = "http://house.example/things/hallway-light"


@pytest.fixture
def timed(house_store: Path, tmp_path: Path) -> Iterator[Serving]:
    """A house whose time is moved by hand."""
    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store", now=BEGIN, sparql_processes=1) as served:
        yield served


def about(served: Serving, iri: str) -> dict[str, Any]:
    found: dict[str, Any] = served.stranger.get(address(iri)).raise_for_status().json()["registration"]
    return found


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.tdd("tdd-context-injection")
def test_every_description_with_a_registration_has_the_context_of_discovery(house: Serving) -> None:
    one = lamp("urn:lamp:context")
    assert put(house.client, one).status_code == 201
    contexts = [["https://www.w3.org/2022/wot/td/v1.1", {"ex": "http://ex.example/"}], [one["@context"], DISCOVERY]]
    for number, context in enumerate(contexts):
        assert put(house.client, lamp(f"urn:lamp:context:{number}", **{"@context": context})).status_code == 201
    listed = house.stranger.get("/things").json()
    assert len(listed) > 60
    for td in [*listed, house.stranger.get(address("urn:lamp:context")).json()]:
        assert "registration" in td
        assert td["@context"].count(DISCOVERY) == 1, td["id"]
    kept = house.stranger.get(address("urn:lamp:context:0")).json()["@context"]
    assert kept == [contexts[0][0], DISCOVERY, contexts[0][1]]


@pytest.mark.tdd("tdd-absolute-time")
@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("2096-01-31T12:00:00Z", "2096-01-31T12:00:00+00:00"),
        ("2096-01-31T12:00:00+02:00", "2096-01-31T10:00:00+00:00"),
        ("2096-01-31t12:00:00.5-00:30", "2096-01-31T12:30:00.500+00:00"),
    ],
)
def test_times_are_those_of_rfc_3339(house: Serving, given: str, meant: str) -> None:
    assert put(house.client, lamp("urn:lamp:time", registration={"expires": given})).is_success
    assert at(about(house, "urn:lamp:time")["expires"]) == at(meant)


@pytest.mark.tdd("tdd-absolute-time", "tdd-validation-jsonschema")
@pytest.mark.parametrize(
    "given", ["2096-01-31", "2096-01-31T12:00:00", "tomorrow", 4_000_000_000, "2096-13-31T12:00:00Z"]
)
@pytest.mark.parametrize("name", ["expires", "created"])
def test_other_times_are_refused(house: Serving, name: str, given: object) -> None:
    answer = put(house.client, lamp("urn:lamp:notime", registration={name: given}))
    assert answer.status_code == 400
    assert answer.json()["validationErrors"][0]["field"] == f"$.registration.{name}"


@pytest.mark.tdd("tdd-registrationinfo-vocab-created", "tdd-registrationinfo-vocab-modified")
def test_created_and_modified_are_the_directorys_own(timed: Serving) -> None:
    said = {"created": "2001-01-01T00:00:00Z", "modified": "2001-01-01T00:00:00Z", "retrieved": "2001-01-01T00:00:00Z"}
    assert put(timed.client, lamp("urn:lamp:own", registration=said)).status_code == 201
    first = about(timed, "urn:lamp:own")
    assert at(first["created"]) == at(first["modified"]) == BEGIN
    timed.service.home.pass_time(60)
    assert put(timed.client, lamp("urn:lamp:own", registration=said)).status_code == 204
    assert patch(timed.client, "urn:lamp:own", {"registration": {"created": "2001-01-01T00:00:00Z"}}).status_code == 204
    second = about(timed, "urn:lamp:own")
    assert at(second["created"]) == BEGIN
    assert at(second["modified"]) == BEGIN + timedelta(seconds=60)


@pytest.mark.tdd("tdd-registrationinfo-vocab-expires", "tdd-registrationinfo-vocab-ttl")
def test_the_end_is_counted_from_the_last_registration_and_goes_before_what_a_client_says(timed: Serving) -> None:
    given = {"ttl": 100, "expires": "2096-01-01T00:00:00Z"}
    assert put(timed.client, lamp("urn:lamp:ttl", registration=given)).status_code == 201
    first = about(timed, "urn:lamp:ttl")
    assert (first["ttl"], at(first["expires"])) == (100, BEGIN + timedelta(seconds=100))
    timed.service.home.pass_time(50)
    assert patch(timed.client, "urn:lamp:ttl", {"title": "other"}).status_code == 204
    assert at(about(timed, "urn:lamp:ttl")["expires"]) == BEGIN + timedelta(seconds=150)
    assert patch(timed.client, "urn:lamp:ttl", {"registration": {"expires": "2096-01-01T00:00:00Z"}}).status_code == 204
    assert about(timed, "urn:lamp:ttl").keys() == {"created", "modified", "retrieved", "expires"}
    assert patch(timed.client, "urn:lamp:ttl", {"registration": {"ttl": 10}}).status_code == 204
    assert at(about(timed, "urn:lamp:ttl")["expires"]) == BEGIN + timedelta(seconds=60)
    assert patch(timed.client, "urn:lamp:ttl", {"registration": {"ttl": None}}).status_code == 204
    assert "expires" not in about(timed, "urn:lamp:ttl")


@pytest.mark.tdd("tdd-registrationinfo-vocab-ttl", "tdd-registrationinfo-vocab-expires")
@pytest.mark.parametrize(
    "given", [{"ttl": 0}, {"ttl": -1}, {"ttl": 1.5}, {"ttl": "60"}, {"ttl": True}, {"ttl": 10**12}]
)
def test_a_time_to_live_is_a_number_of_seconds(house: Serving, given: dict[str, Any]) -> None:
    answer = post(house.client, lamp(registration=given))
    assert answer.status_code == 400
    assert answer.json()["validationErrors"][0]["field"] == "$.registration.ttl"


def test_what_has_expired_before_it_comes_is_refused(house: Serving) -> None:
    answer = post(house.client, lamp(registration={"expires": "2001-01-01T00:00:00Z"}))
    assert answer.json()["validationErrors"][0]["field"] == "$.registration.expires"
    assert post(house.client, lamp(registration=[1])).json()["validationErrors"][0]["field"] == "$.registration"


@pytest.mark.tdd("tdd-registrationinfo-vocab-retrieved")
def test_it_is_said_when_a_description_was_read_also_of_what_was_loaded_otherwise(timed: Serving) -> None:
    assert put(timed.client, lamp("urn:lamp:read")).status_code == 201
    timed.service.home.pass_time(7)
    assert at(about(timed, "urn:lamp:read")["retrieved"]) == BEGIN + timedelta(seconds=7)
    assert about(timed, HALLWAY) == {"retrieved": "2026-03-01T12:00:07.000Z"}


@pytest.mark.tdd("tdd-registrationinfo-expiry-purge")
def test_what_has_expired_is_shown_no_more_and_taken_out_soon(timed: Serving) -> None:
    assert put(timed.client, lamp("urn:lamp:short", registration={"ttl": 30})).status_code == 201
    assert put(timed.client, lamp("urn:lamp:long", registration={"ttl": 300})).status_code == 201
    timed.service.home.pass_time(29)
    assert timed.stranger.get(address("urn:lamp:short")).status_code == 200
    timed.service.home.pass_time(2)
    # Nobody asks: the server takes it out by itself.
    assert eventually(lambda: "urn:lamp:short" not in timed.service.home.registry.things)
    assert "urn:lamp:short" not in timed.service.home.registry.things
    assert timed.stranger.get(address("urn:lamp:short")).status_code == 404
    assert timed.stranger.get(address("urn:lamp:long")).status_code == 200
    assert not timed.rows("SELECT * { GRAPH <urn:lamp:short> { ?s ?p ?o } }")


def test_a_registration_survives_a_restart_and_is_in_the_graph_as_rdf(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store", now=BEGIN, sparql_processes=1) as served:
        assert put(served.client, lamp("urn:lamp:kept", registration={"ttl": 600})).status_code == 201
        before = about(served, "urn:lamp:kept")
    with serving(tmp_path / "store", now=BEGIN + timedelta(seconds=10), sparql_processes=1) as served:
        after = about(served, "urn:lamp:kept")
        assert {**after, "retrieved": before["retrieved"]} == before
        query = "SELECT ?t { ?x <https://www.w3.org/2021/wot/discovery#hasRegistrationInformation> [ ?p ?t ] }"
        assert len(served.rows(query)) == 4
    with serving(tmp_path / "store", now=BEGIN + timedelta(seconds=601), sparql_processes=1) as served:
        assert served.stranger.get(address("urn:lamp:kept")).status_code == 404


def test_a_registration_goes_with_the_thing(house: Serving) -> None:
    assert put(house.client, lamp("urn:lamp:gone", registration={"ttl": 600})).status_code == 201
    turtle = house.stranger.get(address("urn:lamp:gone"), headers={"Accept": "text/turtle"}).text
    assert "urn:lamp:gone#registration" in turtle
    assert house.client.delete(address("urn:lamp:gone")).status_code == 204
    assert not house.rows("SELECT * { <urn:lamp:gone#registration> ?p ?o }")


@pytest.mark.tdd("tdd-anonymous-td-identifier", "tdd-anonymous-td-local-uuid", "tdd-things-create-anonymous-id")
def test_an_anonymous_description_has_an_id_of_its_own_wherever_it_is_shown(house: Serving) -> None:
    made = post(house.client, lamp(title="nameless"))
    iri = made.headers["location"].removeprefix("/things/")
    given = UUID(iri)
    assert (given.version, given.urn) == (4, iri)
    found = house.stranger.get("/search/jsonpath", params={"query": "$[?@.title=='nameless']"}).json()
    listed = [td for td in house.stranger.get("/things").json() if td["title"] == "nameless"]
    for td in (house.stranger.get(made.headers["location"]).json(), *found, *listed):
        assert td["id"] == iri
    assert len(found) == len(listed) == 1
    other = post(house.client, lamp(title="nameless")).headers["location"]
    assert other != made.headers["location"]
