"""The scenario of "Agentic Web", 4.2: an executor that knows nothing but the mechanism's MCP server moves an arm.

Goals come from an MCP server, formulas from an A2A agent, the arm from a proxy over WoT or UTCP. The executor has no
language model: it says in its profile what it is about to do, reads the signifiers that are shown for that, takes the
first, and fills in what it knows by the types that the tool asks for. `model_executor` has one instead.

Run: `python -m tests.integration.executor [utcp|wot] [times]`.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.agents import lab
from tests.agents.callers import ACTS, FORMALIZING, LOOKING, MOVING, TELLING, issued
from tests.agents.callers import client as client_of
from tests.agents.running import free_port, running
from tests.homes import filled
from tests.server.serving import Serving, serving

PAUSE = 0.3
"""Seconds before each step: the house lets an agent call only so often a second."""
OFFERED = {"utcp": ("cherrybot_utcp", "utcp"), "wot": ("cherrybot_proxy", "td")}
"""What the arm's proxy is called by each protocol, and where it says what it offers."""
A_TOKEN = 4
"""Characters that a token has, about."""


@dataclass
class Laboratory:
    """The house with the mechanism, and the services that are registered in it."""

    house: Serving
    goals: lab.Goals
    arm: lab.Arm
    proxy: str

    def register(self, kind: str, proxy: str = "") -> None:
        """Registers the arm's proxy by its manual or by its description, never both; `proxy` where it has moved to."""
        for other, (name, _) in OFFERED.items():
            if other != kind:
                self.house.client.delete(f"/artifacts/{name}")
        name, path = OFFERED[kind]
        address = f"{proxy or self.proxy}/{path}"
        answer = self.house.client.put(f"/artifacts/{name}", json={"kind": kind, "endpoint": address})
        assert answer.status_code in (200, 201), answer.text

    def morning(self, goal: str) -> None:
        """The goal is set, and the arm is where it was."""
        self.goals.__init__(goal)  # type: ignore[misc]
        self.arm.__init__()  # type: ignore[misc]


@contextmanager
def laboratory() -> Iterator[Laboratory]:
    """All of it, running on this machine."""
    goals, arm = lab.Goals(), lab.Arm()
    one, other = free_port(), free_port()
    proxy = f"http://127.0.0.1:{other}"
    with ExitStack() as stack:
        store = filled(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "store", "lab308.ttl")
        goal = stack.enter_context(running(lab.goal_app(goals)))
        agent = stack.enter_context(running(lab.formalizer_app(f"http://127.0.0.1:{one}"), one))
        stack.enter_context(running(lab.proxy_app(arm, proxy), other))
        house = stack.enter_context(serving(store, live=True))
        for kind, name, address in (("mcp", "goal_mcp", f"{goal}/mcp"), ("a2a", "formalizer", agent)):
            house.client.put(f"/artifacts/{name}", json={"kind": kind, "endpoint": address}).raise_for_status()
        yield Laboratory(house, goals, arm, proxy)


class Executor:
    """The agent. All that it knows of the world is one MCP server and a token for it. `told` is how many characters its
    tools took at each turn."""

    def __init__(self, house: Serving, mode: str = "2026-07-28", name: str = "executor") -> None:
        self._house, self._name, self._mode = house, name, mode
        self.used: list[str] = []
        self.told: list[int] = []

    async def run(self) -> str:
        """Reads the goal, says that it begins, has it formalized, has it done, says that it is done."""
        async with client_of(self._house, issued(self._house, self._name, ACTS), self._mode) as client:
            await client.call_tool("register_profile", {"name": self._name, "context": LOOKING})
            goal = await self._use(client, LOOKING)
            await self._use(client, TELLING, done=False, text="I have begun.")
            formal = await self._use(client, FORMALIZING, text=str(goal))
            await self._use(client, MOVING, text=str(formal))
            await self._use(client, TELLING, done=True, text="It is done.")
            return str(formal)

    async def _use(self, client: Any, context: str, *, text: str = "", done: bool = False) -> Any:
        await asyncio.sleep(PAUSE)
        await client.call_tool("update_profile", {"context": context})
        shown = (await client.call_tool("read_signifiers", {})).structured_content["signifiers"]
        first = shown[0]
        self.used.append(first["label"])
        tools = (await client.list_tools()).tools
        self.told.append(sum(len(one.model_dump_json(exclude_none=True)) for one in tools))
        tool = next(one for one in tools if one.description == first["context"])
        result = await client.call_tool(tool.name, arguments(tool.input_schema, text, done))
        found = result.structured_content
        if result.is_error or found["status"] not in ("done", "answered"):
            raise RuntimeError(f"{tool.name}: {found}")
        return found.get("result")


def arguments(schema: dict[str, Any], text: str, done: bool) -> dict[str, Any]:
    """What a tool takes, filled in by type: a text where one is asked for, whether it is done where a truth is."""
    known: dict[str, Any] = {"string": text, "boolean": done}
    members = schema.get("properties") or {}
    return {name: known[one["type"]] for name, one in members.items() if one.get("type") in known}


def succeeded(found: Laboratory, position: float, angle: float) -> bool:
    """Judged by the arm's pose, the order of the feedback, and whether the goal is cleared."""
    feedback = [achieved for achieved, _ in found.goals.feedback]
    pose = (round(found.arm.position, 6), round(found.arm.angle, 6))
    return pose == (position, angle) and feedback == [False, True] and not found.goals.current


def main(kinds: list[str], times: int) -> None:
    """Plays it so often over each protocol, and tells how often it came out."""
    with laboratory() as found:
        for kind in kinds:
            found.register(kind)
            right = 0
            for number in range(times):
                found.morning("Move the robot by 10 centimeters")
                executor = Executor(found.house, name=f"executor-{kind}-{number}")  # nobody may call without end
                formal = asyncio.run(executor.run())
                right += succeeded(found, 10.0, 0.0)
            sys.stdout.write(f"{kind}: {right} of {times}; last {formal}, by {', '.join(executor.used)}\n")
            sys.stdout.write(f"  tokens of tools a turn: {sum(executor.told) // len(executor.told) // A_TOKEN}\n")


if __name__ == "__main__":
    import logging

    from server.observation import configure_logs

    configure_logs(logging.ERROR)
    chosen = [one for one in sys.argv[1:] if one in ("utcp", "wot")] or ["wot", "utcp"]
    main(chosen, next((int(one) for one in sys.argv[1:] if one.isdigit()), 15))
