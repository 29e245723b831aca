"""Calls of the house over MCP that take their time become tasks of whoever knows of tasks, and of nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from time import sleep
from typing import Any

import httpx
import pytest

pytest.importorskip("mcp", reason="the extra agents is not installed")
from engine.origins.mcp import wire
from server.agents.mcp import tasks as mcp_tasks
from tests.agents.callers import ACTS, issued, lamp, power_of, switched
from tests.homes import filled
from tests.server.serving import Serving, serving
from tests.waiting import until

META = "io.modelcontextprotocol/"
REVISION = "2026-07-28"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with pytest.MonkeyPatch.context() as patched, serving(filled(tmp_path_factory.mktemp("house") / "store")) as served:
        patched.setattr(mcp_tasks, "SOON", 0.0)  # whatever is asked takes its time
        yield served


@pytest.fixture(scope="module")
def token(house: Serving) -> str:
    return issued(house, "patient", ACTS)


def said(house: Serving, token: str, method: str, *, knows: bool = True, **params: Any) -> dict[str, Any]:
    """What a message is answered, by whoever knows of tasks or does not."""
    able: dict[str, Any] = {"elicitation": {}} | ({"extensions": {mcp_tasks.EXTENSION: {}}} if knows else {})
    about = {"protocolVersion": REVISION, "clientCapabilities": able, "clientInfo": {"name": "t", "version": "1"}}
    body = {**params, "_meta": {f"{META}{name}": value for name, value in about.items()}}
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": method,
        "Mcp-Name": str(params.get("name") or params.get("taskId") or ""),
    }
    return dict(posted(house, {"jsonrpc": "2.0", "id": 1, "method": method, "params": body}, headers).json())


def posted(house: Serving, message: dict[str, Any], headers: dict[str, str]) -> httpx.Response:
    """The answer to a message: who asked again and again how a task stands is told to wait, and waits."""
    while (answer := httpx.post(f"{house.url}/mcp", json=message, headers=headers, timeout=60)).status_code == 429:
        sleep(0.5)
    return answer


def asked(house: Serving, token: str, text: str) -> str:
    """The task that a request in words becomes."""
    answer = said(house, token, "tools/call", name="ask", arguments={"text": text})["result"]
    assert answer["resultType"] == "task"
    return str(answer["taskId"])


def came(house: Serving, token: str, task: str, status: str) -> dict[str, Any]:
    """How a task stands as soon as it stands so."""
    until(lambda: said(house, token, "tasks/get", taskId=task)["result"]["status"] == status)
    return dict(said(house, token, "tasks/get", taskId=task)["result"])


def test_who_knows_of_tasks_gets_a_handle_and_asks_what_came_of_it(house: Serving, token: str) -> None:
    thing = house.service.home.registry.things[lamp(house)]
    power = power_of(thing)
    house.service.home.state.write({power.iri: switched(power, False)})
    proposed = came(house, token, asked(house, token, f"turn on the {thing.title}"), "completed")
    plan = proposed["result"]["structuredContent"]
    assert plan["status"] == "proposed"
    done = said(house, token, "tools/call", name="consent", arguments={"plan_id": plan["plan_id"]})["result"]
    assert came(house, token, done["taskId"], "completed")["result"]["structuredContent"]["status"] == "done"
    assert house.service.home.state[power.iri] == switched(power, True)


def test_who_does_not_know_of_tasks_waits(house: Serving, token: str) -> None:
    call = {"name": "ask", "arguments": {"text": "which lights are on?"}}
    assert said(house, token, "tools/call", knows=False, **call)["result"]["resultType"] == "complete"
    refused = said(house, token, "tasks/get", knows=False, taskId="x")["error"]
    assert refused["code"] == -32021
    assert mcp_tasks.EXTENSION in refused["data"]["requiredCapabilities"]["extensions"]


def test_the_earlier_revision_has_no_tasks_whatever_the_client_declares(house: Serving, token: str) -> None:
    """Its results have no other shape: a handle would be refused by the client as no result."""
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}

    def sent(method: str, params: dict[str, Any], **more: Any) -> httpx.Response:
        return posted(house, {"jsonrpc": "2.0", "method": method, "params": params, **more}, headers)

    able = {"extensions": {mcp_tasks.EXTENSION: {}}}
    about = {"protocolVersion": wire.LEGACY, "capabilities": able, "clientInfo": {"name": "t", "version": "1"}}
    headers[wire.SESSION_HEADER] = sent("initialize", about, id=1).headers[wire.SESSION_HEADER]
    headers[wire.VERSION_HEADER] = wire.LEGACY
    sent("notifications/initialized", {})
    answer = sent("tools/call", {"name": "ask", "arguments": {"text": "which lights are on?"}}, id=2)
    (said,) = wire.messages(answer.content, answer.headers["content-type"])
    assert said["result"]["structuredContent"]["status"] == "answered"


def test_a_task_that_asks_waits_for_the_answer(house: Serving, token: str) -> None:
    task = asked(house, token, "turn on the light")
    waiting = came(house, token, task, "input_required")
    (name,) = waiting["inputRequests"]
    assert "Which" in waiting["inputRequests"][name]["params"]["message"]
    wrong = said(house, token, "tasks/update", taskId=task, inputResponses={name: {"no": "answer"}})
    assert wrong["error"]["code"] == -32602
    answer = {"action": "accept", "content": {"answer": "all"}}
    assert said(house, token, "tasks/update", taskId=task, inputResponses={name: answer})["result"]["resultType"]
    found = came(house, token, task, "completed")["result"]["structuredContent"]
    assert found["status"] in ("proposed", "done"), found


def test_a_task_is_its_owners(house: Serving, token: str) -> None:
    task = asked(house, token, "which lights are on?")
    other = issued(house, "nosy", ACTS)
    for method in ("tasks/get", "tasks/cancel"):
        assert said(house, other, method, taskId=task)["error"]["code"] == -32602
    assert "result" in said(house, token, "tasks/get", taskId=task)


def test_a_task_that_waits_is_called_off(house: Serving, token: str) -> None:
    task = asked(house, token, "turn on the light")
    came(house, token, task, "input_required")
    for _ in range(2):  # once more changes nothing
        assert set(said(house, token, "tasks/cancel", taskId=task)["result"]) <= {"resultType", "_meta"}
    assert came(house, token, task, "cancelled")["status"] == "cancelled"
