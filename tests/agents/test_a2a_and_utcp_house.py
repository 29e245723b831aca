"""The house as an A2A agent and as a UTCP manual, used by the official clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.agents.callers import ACTS, ASKS, issued, lamp, power_of, switched
from tests.homes import filled
from tests.server.serving import Serving, serving

pytest.importorskip("a2a", reason="a2a-sdk is not installed")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("house") / "store")


@pytest.fixture(scope="module")
def house(store: Path) -> Iterator[Serving]:
    with serving(store) as served:
        yield served


def spoken(house: Serving, token: str | None, method: str, params: Any, version: str = "1.0") -> dict[str, Any]:
    """What a request of JSON-RPC is answered."""
    headers = {"A2A-Version": version} | ({"Authorization": f"Bearer {token}"} if token else {})
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    answer: dict[str, Any] = httpx.post(f"{house.url}/a2a", json=body, headers=headers, timeout=60).json()
    return answer


def message(text: str, **more: Any) -> dict[str, Any]:
    return {"message": {"messageId": "m-1", "role": "ROLE_USER", "parts": [{"text": text}], **more}}


def test_the_official_client_plays_a_request_with_consent(house: Serving) -> None:
    from a2a.client import ClientConfig, create_client
    from a2a.helpers.proto_helpers import new_text_message
    from a2a.types.a2a_pb2 import Role, SendMessageRequest

    thing = house.service.home.registry.things[lamp(house)]
    power = power_of(thing)
    house.service.home.state.write({power.iri: switched(power, False)})
    token = issued(house, "a2a-client", ACTS)

    async def said(client: Any, text: str, task: Any = None) -> Any:
        more = {"context_id": task.context_id, "task_id": task.id} if task is not None else {}
        found = None
        async for event in client.send_message(
            SendMessageRequest(message=new_text_message(text, role=Role.ROLE_USER, **more))
        ):
            if event.HasField("task"):
                found = event.task
            elif event.HasField("status_update"):
                found = found or event.status_update
                latest = event.status_update.status.state
                states.append(latest)
        return found

    states: list[int] = []

    async def play() -> None:
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(headers=headers, timeout=60) as http:
            client = await create_client(house.url, ClientConfig(httpx_client=http, streaming=True))
            task = await said(client, f"turn on the {thing.title}")
            assert house.service.home.state[power.iri] == switched(power, False)
            await said(client, "yes", task)

    asyncio.run(asyncio.wait_for(play(), 60))
    assert house.service.home.state[power.iri] == switched(power, True)
    assert states[-1] == 3, "completed"


@pytest.mark.parametrize(("version", "method"), [("1.0", "SendMessage"), ("0.3", "message/send")])
def test_both_versions_are_spoken(house: Serving, version: str, method: str) -> None:
    token = issued(house, f"old-{version}", ASKS)
    params = message("which lights are on?")
    if version == "0.3":
        params["message"] |= {"role": "user", "kind": "message", "parts": [{"kind": "text", "text": "is it on?"}]}
    result = spoken(house, token, method, params, version)["result"]
    task = result["task"] if version == "1.0" else result
    assert ("kind" in task) == (version == "0.3")
    assert task["status"]["state"] in ("TASK_STATE_COMPLETED", "completed", "TASK_STATE_REJECTED", "rejected",
                                       "input-required", "TASK_STATE_INPUT_REQUIRED")  # fmt: skip


def test_a_card_for_each_version(house: Serving) -> None:
    new = house.stranger.get("/.well-known/agent-card.json")
    assert [one["protocolVersion"] for one in new.json()["supportedInterfaces"]] == ["1.0", "0.3"]
    old = house.stranger.get("/.well-known/agent-card.json", headers={"A2A-Version": "0.3"}).json()
    assert old["protocolVersion"] == "0.3.0"
    again = house.stranger.get("/.well-known/agent-card.json", headers={"If-None-Match": new.headers["etag"]})
    assert again.status_code == 304


def test_a_strangers_message_does_nothing(house: Serving) -> None:
    before = dict(house.service.home.state)
    refused = spoken(house, None, "SendMessage", message("turn on all the lights"))
    assert (refused["status"], refused["reason"]) == (401, "no_token")
    assert dict(house.service.home.state) == before


def test_a_task_is_its_owners(house: Serving) -> None:
    one, other = (issued(house, name, ASKS) for name in ("one", "other"))
    task = spoken(house, one, "SendMessage", message("which lights are on?"))["result"]["task"]
    assert spoken(house, one, "GetTask", {"id": task["id"]})["result"]["id"] == task["id"]
    assert spoken(house, other, "GetTask", {"id": task["id"]})["error"]["code"] == -32001
    assert task["id"] not in json.dumps(spoken(house, other, "ListTasks", {}))


def test_tasks_survive_a_restart(tmp_path: Path) -> None:
    store = filled(tmp_path / "store")
    with serving(store) as served:
        token = issued(served, "keeper", ASKS)
        task = spoken(served, token, "SendMessage", message("which lights are on?"))["result"]["task"]
    with serving(store) as served:
        found = spoken(served, token, "GetTask", {"id": task["id"]})["result"]
        assert found["status"]["state"] == task["status"]["state"]
        assert found["artifacts"] == task["artifacts"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"[]", -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "GetTask"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "Nothing"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "x"}}', -32001),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "GetExtendedAgentCard", "params": {}}', -32004),
    ],
)
def test_what_is_wrong_is_told_by_its_code(house: Serving, body: bytes, code: int) -> None:
    answer = httpx.post(f"{house.url}/a2a", content=body, headers={"Content-Type": "application/json"})
    assert answer.json()["error"]["code"] == code


def test_every_tool_of_the_manual_is_called_by_the_official_client(house: Serving) -> None:
    pytest.importorskip("utcp_http", reason="utcp-http is not installed")
    import aiohttp
    from utcp.utcp_client import UtcpClient
    from utcp_http.http_call_template import HttpCallTemplate

    token = issued(house, "utcp", ACTS)
    thing = house.service.home.registry.things[lamp(house)]
    power = power_of(thing)
    arguments: dict[str, dict[str, Any]] = {
        "find_signifiers": {"goal": "turn on a light"},
        "register_profile": {"context": "The agent wants to look around."},
        "update_profile": {"context": "The agent wants to control a robot."},
        "read_signifiers": {},
        "use_signifier": {"label": "nothing"},
        "ask": {"text": f"turn on the {thing.title}"},
        "consent": {"plan_id": "urn:uuid:none/plan"},
        "control_device": {"thing": thing.iri, "name": power.name, "value": switched(power, False)},
        "query_things": {"room": "kitchen"},
        "state": {"thing": thing.iri},
        "why": {"request": "urn:uuid:none"},
        "rules": {},
        "change_rule": {"rule": "urn:none", "how": "pause"},
    }
    refused = {"use_signifier", "consent", "why", "change_rule"}

    async def play() -> set[str]:
        config = {"variables": {"house_HEARTHGRAPH_TOKEN": token, "HEARTHGRAPH_TOKEN": token}}
        client = await UtcpClient.create(config=config)
        registered = await client.register_manual(HttpCallTemplate(name="house", url=f"{house.url}/utcp"))
        assert registered.success, registered.errors
        names = [tool.name.removeprefix("house.") for tool in registered.manual.tools]
        for name in sorted(names, key=lambda one: one != "register_profile"):
            try:
                found = await client.call_tool(f"house.{name}", {"body": arguments[name]})
                assert isinstance(found, dict)
                assert name not in refused
            except aiohttp.ClientResponseError:
                assert name in refused, name
        return set(names)

    assert asyncio.run(asyncio.wait_for(play(), 60)) == set(arguments)
