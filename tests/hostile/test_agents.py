"""What agents and strangers at the doors for agents may not do: reach out of their rooms with a word, fill the house,
or take the places of others."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

import server.agents.house as houses
import server.agents.mcp.face as mcp_face
from engine.errors import InputError
from server.agents import tools
from server.agents.callers import Caller, OutOfScope
from server.agents.house import House
from tests.homes import filled
from tests.server.serving import Serving, serving

SENDING = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
NEW = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"}
ABOUT = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
LISTEN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "subscriptions/listen",
    "params": {"_meta": ABOUT, "notifications": {"resourceSubscriptions": ["house://things"]}},
}
BEGIN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}


@pytest.fixture
def served(tmp_path: Any) -> Iterator[Serving]:
    pytest.importorskip("mcp", reason="the extra agents is not installed")
    with serving(filled(tmp_path / "store"), calls_per_second=1000) as found:
        yield found


@pytest.fixture
def house(served: Serving, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(houses, "WAIT", 300.0)  # on a machine that has other things to do
    return House(served.service.home, served.service.talks, served.service.agents)


def agent(house: House, *rooms: str, scopes: tuple[str, ...] = ("read", "ask", "act")) -> Caller:
    places = [house.home.place(room) for room in rooms]
    return Caller("porter", frozenset(scopes), frozenset(str(one) for one in places) if rooms else None)


def said(house: House, caller: Caller, text: str) -> Any:
    return tools.use(house, caller, "ask", {"text": text})


# What is said by an agent


@pytest.mark.parametrize(
    "text", ["turn on the study light", "turn everything off", "when the kitchen light is on turn on all lights"]
)
def test_a_yes_in_words_reaches_no_further_than_a_consent(house: House, text: str) -> None:
    caller, before = agent(house, "kitchen"), dict(house.home.state)
    proposed = said(house, caller, text)
    assert proposed["status"] == "proposed"
    with pytest.raises(OutOfScope):
        said(house, caller, "yes")
    with pytest.raises(OutOfScope):  # it waits on, and so does what keeps the agent from it
        said(house, caller, "go ahead, please do it")
    assert dict(house.home.state) == before
    assert tools.use(house, caller, "rules", {})["rules"] == []


def test_a_yes_within_its_rooms_is_one(house: House) -> None:
    caller = agent(house, "kitchen")
    assert said(house, caller, "turn off the kitchen light")["status"] == "proposed"
    assert said(house, caller, "yes")["status"] == "done"


@pytest.mark.parametrize(
    "text",
    ["unlock the front door", "unlock the front door in 10 minutes", "every day at 8 pm unlock the front door"],
)
def test_what_people_would_regret_takes_leave_to_consent_now_later_and_by_rule(house: House, text: str) -> None:
    caller = agent(house)
    proposed = said(house, caller, text)
    assert proposed["status"] == "proposed"
    with pytest.raises(OutOfScope):
        tools.use(house, caller, "consent", {"plan_id": proposed["plan_id"]})
    with pytest.raises(OutOfScope):
        said(house, caller, "yes")
    assert tools.use(house, caller, "rules", {})["rules"] == []
    allowed = agent(house, scopes=("read", "ask", "act", "consent"))
    agreed = tools.use(house, allowed, "consent", {"plan_id": proposed["plan_id"]})
    assert agreed["status"] in ("done", "scheduled")


def test_two_agents_have_no_conversation_in_common(house: House) -> None:
    first, second = (Caller(name, frozenset(("read", "ask", "act"))) for name in ("anna", "anna:b"))
    tools.use(house, first, "ask", {"text": "turn on the study light", "conversation": "b:c"})
    with pytest.raises(InputError):
        tools.use(house, second, "consent", {"plan_id": "urn:nobody/plan"})
    assert tools.use(house, second, "ask", {"text": "yes", "conversation": "c"})["status"] != "done"


# Strangers at the doors for agents


def test_a_stranger_leaves_nothing_behind_over_a2a_and_takes_nobodys_task_away(served: Serving) -> None:
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "is the study light on?"}]}
    call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    assert "task" in served.client.post("/a2a", json=call).json()["result"]
    before = served.service.store.writes
    for method in ("SendMessage", "SendStreamingMessage"):
        assert served.stranger.post("/a2a", json=call | {"method": method}).status_code == 401
    assert served.service.store.writes == before


def test_tasks_of_one_agent_take_no_place_of_anothers(served: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    from server.agents.a2a import tasks as a2a_tasks

    monkeypatch.setattr(a2a_tasks, "MOST", 3)
    tasks = a2a_tasks.Tasks(served.service.store)
    kept = tasks.begin("quiet", None, {"parts": []})
    for _ in range(5):
        tasks.begin("loud", None, {"parts": []})
    assert tasks.find(kept.id, "quiet") is kept
    assert len(tasks.all("loud")) == 3
    assert len(list(a2a_tasks.Tasks(served.service.store).all("loud"))) == 3


@pytest.mark.parametrize("written", ["plain", "escaped", "late"])
def test_streams_of_strangers_leave_threads_for_the_household(served: Serving, written: str) -> None:
    """However the call for a stream is written: what counts is that its answer goes on."""
    text = json.dumps(LISTEN)
    text = {"plain": text, "escaped": text.replace("ns/li", "ns\\/li"), "late": " " * 20_000 + text}[written]
    host, _, port = served.url.removeprefix("http://").partition(":")
    heads = "".join(f"{name}: {value}\r\n" for name, value in (SENDING | NEW).items())
    head = f"POST /mcp HTTP/1.1\r\nHost: {host}:{port}\r\n{heads}Content-Length: {len(text)}\r\n\r\n"
    with ExitStack() as held:
        for _ in range(served.service.settings.server_threads + 6):
            stream = held.enter_context(socket.create_connection((host, int(port)), timeout=60))
            stream.sendall((head + text).encode())
        assert served.client.get("/state").status_code == 200


def test_sessions_of_strangers_take_no_place_of_those_who_have_a_token(
    served: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_face, "OF_STRANGERS", 2)
    monkeypatch.setattr(mcp_face, "SESSIONS", 3)
    opened = [served.stranger.post("/mcp", json=BEGIN, headers=SENDING).status_code for _ in range(5)]
    assert opened == [200, 200, 503, 503, 503]
    assert served.client.post("/mcp", json=BEGIN, headers=SENDING).status_code == 200


def test_nobody_subscribes_to_what_is_not_there(served: Serving) -> None:
    opened = served.stranger.post("/mcp", json=BEGIN, headers=SENDING)
    session = {"Mcp-Session-Id": opened.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25"}
    served.stranger.post(
        "/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=SENDING | session
    )
    known = next(iter(served.service.home.registry.things))
    for uri, refused in (("house://things/" + "x" * 5000, True), ("house://things/" + known, False)):
        asked = {"jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": {"uri": uri}}
        answer = served.stranger.post("/mcp", json=asked, headers=SENDING | session)
        assert ('"error"' in answer.text) is refused


@pytest.mark.parametrize(
    ("method", "path", "headers", "body"),
    [
        ("GET", "/signifiers?profile=http://[::1", {}, ""),
        ("POST", "/hub", {"Origin": "http://[::1", "Content-Type": "application/x-www-form-urlencoded"}, "a=b"),
        ("POST", "/a2a", {"Content-Type": "application/json"}, '{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}'),
        (
            "POST",
            "/a2a",
            {"Content-Type": "application/json"},
            '{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": {"messageId": "m", "role": '
            '"ROLE_USER", "contextId": "\\ud800", "parts": [{"text": "hello"}]}}}',
        ),
    ],
)
def test_what_cannot_be_read_breaks_no_door_for_agents(
    served: Serving, method: str, path: str, headers: dict[str, str], body: str
) -> None:
    assert served.client.request(method, path, headers=headers, content=body).status_code < 500
