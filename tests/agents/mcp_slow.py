"""Tools that take their time, which MCP's conformance suite calls by name: they become tasks of this server's kind."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp_types as types
from mcp.server.extension import Extension
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.server import require_client_extension
from mcp.shared.exceptions import MCPError

from server.agents.mcp.tasks import CURRENT, EXTENSION, Tasks
from tests.agents.mcp_asking import asked, form, given

SOON = 0.3
REQUIRED = frozenset(("failing_job", "test_tool_with_task"))


class Slow(Extension):
    """Has calls that take their time become tasks; there are tools that only those may call who know of tasks."""

    identifier = EXTENSION

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    async def intercept_tool_call(self, params: Any, ctx: Any, call_next: Any) -> Any:
        if params.name in REQUIRED:
            require_client_extension(ctx, EXTENSION)
        return await self._tasks.answered(ctx, params, lambda _: call_next(ctx))


def extension() -> tuple[Slow, Tasks]:
    """The extension for a server, and the tasks to be installed on it."""
    tasks = Tasks(lambda _: "", SOON)
    return Slow(tasks), tasks


def add(server: MCPServer) -> None:
    """Adds the tools to a server."""

    @server.tool()
    def greet(name: str) -> str:
        """Greets."""
        return f"Hello, {name}!"

    @server.tool()
    async def slow_compute(seconds: float, label: str = "") -> str:
        """Computes for a while."""
        await asyncio.sleep(seconds)
        return f"{label} took {seconds:g} seconds."

    @server.tool()
    async def failing_job() -> str:
        """Fails after a while."""
        await asyncio.sleep(1)
        raise RuntimeError("It does not work.")

    @server.tool()
    async def protocol_error_job() -> str:
        """Breaks down after a while."""
        await asyncio.sleep(1)
        raise MCPError(types.INTERNAL_ERROR, "It broke down.")

    @server.tool()
    async def confirm_delete(filename: str) -> str:
        """Asks before it deletes."""
        answers = await _asked_in_task(confirm=form(f"Delete {filename}?", "confirm", "boolean"))
        return f"{filename}: {answers['confirm'].content}"

    @server.tool()
    async def multi_input() -> str:
        """Asks for two things at once."""
        answers = await _asked_in_task(first=form("Who?", "name"), second=form("Where?", "name"))
        return ", ".join(answers)

    @server.tool()
    async def test_tool_with_task(ctx: Context) -> str | types.InputRequiredResult:
        """Asks for a name, and then takes its time."""
        answer = given(ctx, "user_name")
        if not answer:
            return asked(user_name=form("Who?", "name"))
        await asyncio.sleep(1)
        return f"Hello, {answer['name']}!"


async def _asked_in_task(**requests: Any) -> dict[str, Any]:
    task = CURRENT.get()
    assert task is not None
    return await task.ask(requests)
