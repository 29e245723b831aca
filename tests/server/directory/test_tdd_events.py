"""What the directory tells of, as it happens and to whoever was away."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.things.directory.events import Kind
from engine.things.directory.patch import merged
from tests.server.directory.lamps import address, following, lamp, patch, post, put
from tests.server.serving import Serving, serving

NAMES = [kind.value for kind in Kind]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A home without things."""
    # A stream that a client left is noticed at its next beat: there is room for those that linger.
    with serving(
        tmp_path_factory.mktemp("events") / "store", open_streams=60, server_threads=70, sparql_processes=1
    ) as served:
        yield served


def life(served: Serving, iri: str) -> None:
    """Three things happen to a description."""
    assert put(served.client, lamp(iri)).status_code == 201
    assert patch(served.client, iri, {"title": "other", "description": "said"}).status_code == 204
    assert served.client.delete(address(iri)).status_code == 204


def take(events: Iterator[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    return [next(events) for _ in range(count)]


@pytest.mark.tdd("tdd-notification", "tdd-notification-sse", "tdd-notification-event-types")
@pytest.mark.tdd("tdd-notification-data", "tdd-notification-data-td-id")
def test_what_happens_is_told_as_server_sent_events(home: Serving) -> None:
    with following(home) as events:
        life(home, "urn:lamp:life")
        found = take(events, 3)
    assert [one["event"] for one in found] == NAMES
    assert [one["data"] for one in found] == [{"id": "urn:lamp:life"}] * 3


@pytest.mark.tdd("tdd-notification-event-types")
def test_what_comes_in_by_another_way_and_what_expires_is_told_too(home: Serving) -> None:
    turtle = '@prefix td: <https://www.w3.org/2019/wot/td#> . <urn:lamp:loaded> a td:Thing ; td:title "lamp" .'
    kind = {"Content-Type": "text/turtle"}
    with following(home) as events:
        for _ in range(2):
            home.client.post("/things", content=turtle, headers=kind).raise_for_status()
        home.client.delete("/graphs", params={"graph": "urn:lamp:loaded"}).raise_for_status()
        assert post(home.client, lamp(registration={"ttl": 1})).status_code == 201
        found = take(events, 5)
    assert [one["event"] for one in found] == [*NAMES, NAMES[0], NAMES[2]]
    assert {one["data"]["id"] for one in found[:3]} == {"urn:lamp:loaded"}


@pytest.mark.tdd("tdd-notification-filter-type")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("path", ["/events/{}", "/events?type={}", "/events?type={0}&type={0}&diff=false"])
def test_who_asks_for_one_kind_hears_of_it_alone(home: Serving, name: str, path: str) -> None:
    begin = home.service.directory.events.id(home.service.directory.events.last)
    life(home, "urn:lamp:one")
    life(home, "urn:lamp:two")
    with following(home, path.format(name), last=begin) as events:
        found = take(events, 2)
    assert [(one["event"], one["data"]["id"]) for one in found] == [(name, "urn:lamp:one"), (name, "urn:lamp:two")]


@pytest.mark.tdd("tdd-notification-event-id")
def test_who_comes_back_hears_what_was_missed_and_nothing_twice(home: Serving) -> None:
    with following(home) as events:
        assert put(home.client, lamp("urn:lamp:first")).status_code == 201
        last = next(events)["id"]
    life(home, "urn:lamp:missed")
    with following(home, last=last) as events:
        missed = take(events, 3)
        life(home, "urn:lamp:after")
        after = take(events, 3)
    assert [one["data"]["id"] for one in missed + after] == ["urn:lamp:missed"] * 3 + ["urn:lamp:after"] * 3
    assert len({one["id"] for one in missed + after}) == 6
    assert home.client.delete(address("urn:lamp:first")).status_code == 204


@pytest.mark.parametrize("last", ["0", "", "x", "-", "deadbeef-1", "é", "9" * 5000, "☕-3"])
def test_an_id_that_is_not_of_this_start_brings_what_has_happened_since(home: Serving, last: str) -> None:
    life(home, "urn:lamp:since")
    with following(home, last=last.encode("utf-8")) as events:  # type: ignore[arg-type]
        first = next(events)
    assert first["id"].endswith("-1")


def test_an_id_that_is_still_to_come_brings_nothing_old(home: Serving) -> None:
    log = home.service.directory.events
    with following(home, last=log.id(log.last + 1000)) as events:
        life(home, "urn:lamp:coming")
        assert next(events)["data"]["id"] == "urn:lamp:coming"


@pytest.mark.tdd("tdd-notification-data-create-full", "tdd-notification-data-update-diff")
@pytest.mark.tdd("tdd-notification-data-update-id", "tdd-notification-data-delete-diff")
def test_with_diff_it_is_told_what_is_new(home: Serving) -> None:
    iri = "urn:lamp:diff"
    with following(home, "/events?diff=true") as events:
        assert put(home.client, lamp(iri, description="one", extra={"a": 1, "b": 2})).status_code == 201
        created = next(events)["data"]
        before = home.stranger.get(address(iri)).json()
        assert put(home.client, lamp(iri, title="two", extra={"b": 2, "c": [3]})).status_code == 204
        after = home.stranger.get(address(iri)).json()
        updated = next(events)["data"]
        assert home.client.delete(address(iri)).status_code == 204
        deleted = next(events)["data"]
    assert {**created, "registration": 0} == {**before, "registration": 0}
    assert updated["id"] == iri
    assert (updated["title"], updated["description"]) == ("two", None)
    assert updated["extra"] == {"a": None, "c": [3]}
    assert "properties" not in updated
    for name in ("retrieved",):
        before["registration"].pop(name)
        after["registration"].pop(name)
    assert merged(before, updated) == after
    assert deleted == {"id": iri}


@pytest.mark.tdd("tdd-notification-data-create-full")
def test_a_new_thing_that_has_gone_again_is_told_by_its_id(home: Serving) -> None:
    log = home.service.directory.events
    begin = log.id(log.last)
    life(home, "urn:lamp:brief")
    with following(home, "/events?diff=true", last=begin) as events:
        assert next(events)["data"] == {"id": "urn:lamp:brief"}


def test_many_listeners_hear_the_same_in_the_same_order(home: Serving) -> None:
    log, heard = home.service.directory.events, [[] for _ in range(5)]  # type: ignore[var-annotated]
    begin = log.id(log.last)

    def listen(found: list[str]) -> None:
        with following(home, last=begin) as events:
            found += [one["id"] for one in take(events, 60)]

    threads = [threading.Thread(target=listen, args=(found,)) for found in heard]
    for thread in threads:
        thread.start()
    for number in range(20):
        life(home, f"urn:lamp:many:{number}")
    for thread in threads:
        thread.join(timeout=20)
    assert all(found == heard[0] and len(found) == 60 for found in heard)


@pytest.mark.slow
def test_as_many_streams_as_the_settings_allow_and_no_more(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "store", open_streams=3, sparql_processes=1) as served,  # one is kept for those with a token
        following(served),
        following(served),
    ):
        refused = served.stranger.get("/events")
        assert (refused.status_code, refused.json()["reason"]) == (429, "too_many")
