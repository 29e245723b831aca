"""Neither slow clients nor many of them keep the household out, and nothing that waits holds a thread."""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

import server.listener as listening
from engine.hearthgraph import Hearthgraph
from tests.server.serving import Serving, serving
from tests.waiting import until


@pytest.fixture
def served(house_store: Path, tmp_path: Path) -> Iterator[Serving]:
    shutil.copytree(house_store, tmp_path / "served")
    with serving(tmp_path / "served") as found:
        yield found


def connect(served: Serving) -> socket.socket:
    host, _, port = served.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=60)


def test_slow_connections_of_one_stranger_leave_room_for_others(served: Serving) -> None:
    with ExitStack() as all_of_them:
        for _ in range(listening.CONNECTIONS + 20):
            slow = all_of_them.enter_context(connect(served))
            slow.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        with httpx.Client(
            base_url=served.url, headers={"Authorization": f"Bearer {served.token}"}, timeout=60
        ) as owner:
            assert owner.get("/state").status_code == 200
            for _ in range(listening.PER_ADDRESS + 20):
                slow = all_of_them.enter_context(connect(served))
                slow.sendall(b"G")
            assert owner.get("/state", extensions={}).status_code == 200
        assert served.stranger.get("/health").status_code == 200


def test_calls_sent_without_end_on_many_connections_hold_nobody_else_up(served: Serving) -> None:
    """One stranger has as many queries wait as it can, from the household's own address."""
    call = b"GET /sparql?query=ASK%20%7B%7D HTTP/1.1\r\nHost: localhost\r\n\r\n"
    owner = {"Authorization": f"Bearer {served.token}"}
    with ExitStack() as all_of_them:
        for _ in range(listening.PER_ADDRESS + 50):
            all_of_them.enter_context(connect(served)).sendall(call * 50)
        for _ in range(3):
            assert httpx.get(f"{served.url}/state", headers=owner, timeout=60).status_code == 200
        said = {"text": "is the front door locked?"}
        assert httpx.post(f"{served.url}/requests", json=said, headers=owner, timeout=90).status_code == 200


def test_calls_of_strangers_use_up_nothing_of_the_households(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "served")
    with serving(tmp_path / "served", calls_per_second=1) as served:
        until(lambda: served.stranger.get("/health").status_code == 429)
        assert served.client.get("/state").status_code == 200


def test_a_connection_of_the_household_is_not_the_one_that_makes_room(
    served: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "PER_ADDRESS", 3)
    with ExitStack() as all_of_them, connect(served) as owner:
        request = f"GET /state HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {served.token}\r\n\r\n".encode()
        owner.sendall(request)
        assert owner.recv(1 << 20).startswith(b"HTTP/1.1 200")
        for _ in range(10):
            all_of_them.enter_context(connect(served)).sendall(b"GET")
        time.sleep(0.1)
        owner.setblocking(False)
        for _ in range(1000):  # what is left of the first answer
            try:
                assert owner.recv(1 << 20), "the connection is closed"
            except BlockingIOError:
                break
        owner.settimeout(10)
        owner.sendall(request)
        assert owner.recv(1 << 20).startswith(b"HTTP/1.1 200")


def test_a_head_that_does_not_come_to_its_end_is_not_waited_for(
    served: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "HEADER_SECONDS", 0.5)
    with connect(served) as slow:
        for letter in b"GET / HTTP/1.1":
            try:
                slow.sendall(bytes((letter,)))
            except OSError:
                break
            time.sleep(0.2)
        else:
            assert slow.recv(100) == b""


def test_a_head_that_expects_to_be_told_to_go_on_is_answered_where_no_body_follows(served: Serving) -> None:
    with connect(served) as client:
        client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 200")
    with connect(served) as client:
        body = b'{"text": "is the front door locked?"}'
        client.sendall(
            f"POST /requests HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {served.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n".encode()
        )
        assert client.recv(1000).startswith(b"HTTP/1.1 100")
        client.sendall(body)
        assert client.recv(4000).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("host", ["203.0.113.7", "[2001:db8::1]", "10.0.0.1:8008", "[::1", "evil.example"])
def test_a_number_that_is_not_the_servers_own_is_no_name_of_it(served: Serving, host: str) -> None:
    assert served.stranger.get("/health", headers={"Host": host}).status_code in (400, 421)
    assert served.stranger.get("/health", headers={"Host": "127.0.0.1"}).status_code == 200


def chat(served: Serving, text: str, **more: object) -> httpx.Response:
    given = {"model": "hearthgraph-yes", "messages": [{"role": "user", "content": text}], **more}
    return served.client.post("/v1/chat/completions", json=given)


def test_chats_whose_plans_wait_hold_no_thread(served: Serving) -> None:
    with ThreadPoolExecutor(30) as at:
        said = list(at.map(lambda _: chat(served, "turn on the hallway light in 6 minutes"), range(26)))
        assert served.stranger.get("/health").status_code == 200
    replies = [answer.json()["choices"][0]["message"]["content"] for answer in said]
    assert all(reply == "It is under way." or "turn on the hallway light" in reply for reply in replies), replies


def test_a_request_whose_plan_waits_is_answered_at_once(served: Serving) -> None:
    answer = served.client.post("/requests", json={"text": "turn on the hallway light in 6 minutes", "consent": "all"})
    assert answer.status_code == 200
    assert "turn on the hallway light" in answer.json()["reply"]
    assert not answer.json()["changes"]


def test_a_streamed_chat_needs_no_stream_of_events(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "served")
    with serving(tmp_path / "served", open_streams=1) as served, served.client.stream("GET", "/events") as held:
        assert held.status_code == 200
        answer = chat(served, "turn on the hallway light", stream=True)
        assert answer.status_code == 200
        assert "[DONE]" in answer.text


def test_strangers_leave_a_stream_for_the_household(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "served")
    with ExitStack() as opened:
        served = opened.enter_context(serving(tmp_path / "served", open_streams=4))
        found = [opened.enter_context(served.stranger.stream("GET", "/events")).status_code for _ in range(5)]
        assert found == [200, 200, 200, 429, 429]
        assert opened.enter_context(served.client.stream("GET", "/events")).status_code == 200


@pytest.mark.parametrize("wait", ["²", "٣", "1e3", "-1", "", "9" * 400])
def test_a_wait_that_is_no_number_does_no_harm(served: Serving, wait: str) -> None:
    headers = {"Prefer": f"wait={wait}".encode()}
    answer = served.client.post(
        "/requests",
        json={"text": "is the front door locked?"},
        headers=headers,  # type: ignore[arg-type]
    )
    assert answer.status_code == 200, answer.text


def test_of_several_who_decide_at_the_same_time_one_does(served: Serving) -> None:
    for _ in range(3):
        served.client.post("/requests", json={"text": "turn off the hallway light", "consent": "all"})
        asked = served.client.post("/requests", json={"text": "turn on the hallway light", "consent": "ask"}).json()
        body = {"plan_id": asked["plan_id"]}
        with ThreadPoolExecutor(8) as at:
            path = f"/requests/{asked['id']}/consent"
            found = list(at.map(lambda _, path=path, body=body: served.client.post(path, json=body), range(8)))
        assert sorted(answer.status_code for answer in found) == [200, *[409] * 7]
        won = next(answer.json() for answer in found if answer.status_code == 200)
        assert won["status"] == "done"


def test_strangers_have_the_next_day_worked_out_no_more_than_once(
    house: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes a copy of the home: twelve strangers who asked for it again and again held the household up for
    seconds."""
    times: list[float] = []
    foresee = Hearthgraph.foresee
    monkeypatch.setattr(
        Hearthgraph, "foresee", lambda home, seconds: (times.append(seconds), foresee(home, seconds))[1]
    )
    with ThreadPoolExecutor(12) as at:
        found = list(at.map(lambda _: house.stranger.get("/rules/tomorrow").status_code, range(24)))
    assert set(found) <= {200, 429}
    assert len(times) == 1
    told = house.stranger.get("/rules/tomorrow")
    assert told.status_code == 200
    assert len(times) == 1
    house.client.post("/requests", json={"text": "turn on the pantry light at half past three every day"})
    assert "pantry light" in house.client.get("/rules/tomorrow").text
    assert len(times) == 2


@pytest.mark.slow
def test_strangers_long_queries_do_not_hold_up_the_households_updates(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "served")
    hostile = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    with serving(tmp_path / "served", sparql_seconds=6.0) as served, ThreadPoolExecutor(12) as at:
        asked = [at.submit(served.stranger.get, "/sparql", params={"query": hostile}) for _ in range(12)]
        while served.service.pool.busy < 3:
            time.sleep(0.01)
        for number in range(3):
            text = f"INSERT DATA {{ GRAPH <urn:mine> {{ <urn:a> <urn:b> {number} }} }}"
            assert served.client.post("/update", data={"update": text}).status_code == 204
            answer = served.client.get("/sparql", params={"query": "ASK { GRAPH <urn:mine> { ?a ?b ?c } }"})
            assert answer.json()["boolean"] is True
        assert not all(one.done() for one in asked), "the household did not wait for them"
        assert {one.result().status_code for one in asked} == {503}
