"""Acting through the platform: the same checks as for what is said, and a status for what takes its time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.planning.policies import store as policy_store
from tests.homes import filled
from tests.server.serving import Serving, serving

LIGHT = "/workspaces/lab308/artifacts/light308"
BLINDS = "/workspaces/lab308/artifacts/blinds308"
SENSOR = "/workspaces/lab308/artifacts/lightSensor308"
POLICY = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix hg: <https://w3id.org/hearthgraph#> .
<urn:policy:dim> a sh:NodeShape ; sh:targetClass hg:Light ;
    sh:property [ sh:path hg:Brightness ; sh:maxInclusive 50 ; sh:message "Lights stay dim here." ] .
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(filled(tmp_path_factory.mktemp("lab") / "store", "lab308.ttl")) as served:
        yield served


def values(lab: Serving, artifact: str = LIGHT) -> dict[str, Any]:
    found: dict[str, Any] = lab.stranger.get(f"{artifact}/properties").raise_for_status().json()
    return found


def test_an_action_does_what_it_says_and_is_journalled(lab: Serving) -> None:
    answer = lab.client.post(f"{LIGHT}/actions/set_brightness", json={"brightness": 80})
    assert (answer.status_code, answer.content) == (204, b"")
    assert values(lab)["brightness"] == 80
    assert lab.client.post(f"{LIGHT}/actions/turn_off").status_code == 204
    assert values(lab)["on_off"] == "off"
    journal = lab.rows(
        "PREFIX hg: <https://w3id.org/hearthgraph#> SELECT ?payload WHERE "
        "{ ?call hg:ofAffordance ?action ; hg:payload ?payload FILTER(CONTAINS(STR(?action), 'set_brightness')) }"
    )
    assert [json.loads(row["payload"]) for row in journal] == [{"brightness": 80}]


def test_a_property_is_written_where_something_can_set_it(lab: Serving) -> None:
    assert lab.client.put(f"{LIGHT}/properties/on_off", json="on").status_code == 204
    assert lab.stranger.get(f"{LIGHT}/properties/on_off").json() == "on"
    assert lab.client.put(f"{LIGHT}/properties/brightness", json=35).status_code == 204
    assert values(lab)["brightness"] == 35
    assert lab.client.put(f"{BLINDS}/properties/closedPercentage", json=40).status_code == 204
    assert values(lab, BLINDS) == {"closedPercentage": 40}
    refused = lab.client.put(f"{SENSOR}/properties/luminosity", json=3)
    assert (refused.status_code, set(refused.headers["Allow"].split(", "))) == (405, {"GET", "HEAD"})


def test_nothing_is_written_without_the_token(lab: Serving) -> None:
    before = values(lab)
    for answer in (
        lab.stranger.post(f"{LIGHT}/actions/toggle"),
        lab.stranger.put(f"{LIGHT}/properties/on_off", json="off"),
        lab.stranger.post(f"{LIGHT}/actions/toggle", headers={"Authorization": "Bearer wrong"}),
    ):
        assert (answer.status_code, answer.json()["reason"]) == (401, "no_token")
        assert "Bearer" in answer.headers["WWW-Authenticate"]
    assert values(lab) == before


@pytest.mark.parametrize(
    ("payload", "status", "reason"),
    [
        (b'{"brightness": 500}', 422, "value_out_of_range"),
        (b'{"brightness": "bright"}', 422, "wrong_type"),
        (b'{"brightness": NaN}', 422, "wrong_type"),
        (b'{"brightness": 1' + b"0" * 400 + b"}", 422, "wrong_type"),
        (b'{"brightness": 1e400}', 422, "wrong_type"),
        (b"{}", 422, "missing_value"),
        (b'{"brightness": 5, "speed": 3}', 422, "invalid_value"),
        (b"[]", 422, "wrong_type"),
        (b"null", 422, "wrong_type"),
        (b"", 422, "wrong_type"),
        (b'{"brightness": ', 400, "bad_request"),
        (b"\xff\xfe", 400, "bad_request"),
        (b"[" * 100_000, 400, "bad_input"),
        (b"1" + b"0" * 10_000, 400, "bad_request"),
    ],
)
def test_what_an_action_does_not_take_is_refused(lab: Serving, payload: bytes, status: int, reason: str) -> None:
    before = values(lab)
    answer = lab.client.post(
        f"{LIGHT}/actions/set_brightness", content=payload, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert values(lab) == before


def test_other_bad_calls_are_refused(lab: Serving) -> None:
    post = lab.client.post
    assert post(f"{LIGHT}/actions/set_brightness", content="brightness=3").status_code == 415
    assert post(f"{LIGHT}/actions/explode", json={}).status_code == 404
    assert post("/workspaces/lab308/artifacts/nothing/actions/toggle").status_code == 404
    assert post("/workspaces/attic/artifacts/light308/actions/toggle").status_code == 404
    assert post(f"{LIGHT}/actions/toggle", json={"hard": True}).json()["reason"] == "invalid_value"
    assert lab.client.get(f"{LIGHT}/actions/toggle").status_code == 405
    assert lab.client.get(f"{LIGHT}/actions/toggle/no-such-call").status_code == 404
    assert lab.client.put(f"{LIGHT}/properties/on_off", json="dimmed").json()["reason"] == "invalid_value"
    assert lab.client.put(f"{LIGHT}/properties/nothing", json=1).status_code == 404


def test_a_property_is_written_only_where_it_is_as_it_was_read(lab: Serving) -> None:
    address = f"{LIGHT}/properties/brightness"
    lab.client.put(address, json=20)
    read = lab.stranger.get(address).headers["ETag"]
    assert lab.client.put(address, json=30, headers={"If-Match": read}).status_code == 204
    late = lab.client.put(address, json=40, headers={"If-Match": read})
    assert (late.status_code, late.json()["reason"]) == (412, "precondition_failed")
    assert lab.client.put(address, json=40, headers={"If-None-Match": "*"}).status_code == 412
    assert lab.stranger.get(address).json() == 30
    assert lab.client.put(address, json=50, headers={"If-Match": "*"}).status_code == 204


def test_what_a_policy_forbids_is_not_done(tmp_path: Path) -> None:
    store = filled(tmp_path / "store", "lab308.ttl")
    (tmp_path / "policy.ttl").write_text(POLICY, encoding="utf-8")
    with serving(store) as lab:
        policy_store.add(lab.service.home.registry, tmp_path / "policy.ttl")
        bright = lab.client.post(f"{LIGHT}/actions/set_brightness", json={"brightness": 80})
        assert (bright.status_code, bright.json()["reason"]) == (403, "policy_violation")
        assert "Lights stay dim here." in bright.text
        assert lab.client.put(f"{LIGHT}/properties/brightness", json=90).status_code == 403
        assert values(lab)["brightness"] == 0
        assert lab.client.post(f"{LIGHT}/actions/set_brightness", json={"brightness": 40}).status_code == 204


def test_what_a_person_would_regret_waits_for_consent(house: Serving) -> None:
    pages = [row["page"] for row in doors(house)]
    assert pages
    address = pages[0]
    before = house.stranger.get(f"{address}/properties").json()
    answer = house.client.post(f"{address}/actions/unlock")
    assert (answer.status_code, answer.json()["reason"]) == (409, "needs_consent")
    assert house.stranger.get(f"{address}/properties").json() == before
    told = answer.json()
    assert house.client.post(told["consent"], json={"plan_id": told["plan_id"]}).json()["status"] == "done"
    assert house.stranger.get(f"{address}/properties").json() != before


def doors(house: Serving) -> list[dict[str, str]]:
    """The pages of artifacts that can be unlocked."""
    web = house.service.webs.at(house.url)
    things = house.service.home.registry.things.values()
    return [{"page": web.at.artifact(t)} for t in things if any(a.name == "unlock" for a in t.actions)]


def toggle(lab: Serving) -> str:
    return next(iri for iri in lab.service.home.registry.actions if iri.endswith("light308#actions/toggle"))


@pytest.mark.parametrize(("fault", "status"), [("fail", 502), ("unavailable", 503)])
def test_a_device_that_fails_is_told_of(lab: Serving, fault: Any, status: int) -> None:
    lab.service.home.faults[toggle(lab)] = fault
    try:
        answer = lab.client.post(f"{LIGHT}/actions/toggle")
        assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    finally:
        del lab.service.home.faults[toggle(lab)]


def test_a_long_action_has_a_status_and_can_be_cancelled(lab: Serving) -> None:
    action = toggle(lab)
    lab.service.home.faults[action] = "hang"
    try:
        answer = lab.client.post(f"{LIGHT}/actions/toggle", headers={"Prefer": "respond-async"})
        assert answer.status_code == 201
        address = answer.headers["Location"]
        assert answer.json() == {"status": "running", "href": address}
        assert lab.stranger.get(address).json()["status"] == "running"
        assert lab.stranger.delete(address).status_code == 401
        assert lab.client.delete(address).status_code == 204
        until = time.monotonic() + 90
        while (told := lab.stranger.get(address).json())["status"] == "running" and time.monotonic() < until:
            time.sleep(0.05)
        assert (told["status"], told["error"]["reason"]) == ("failed", "cancelled")
    finally:
        del lab.service.home.faults[action]
