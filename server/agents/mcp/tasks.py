"""Calls that take long, as tasks of MCP: the caller gets a handle at once, and polls it for the result.

https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html (SEP-2663), the extension
`io.modelcontextprotocol/tasks` of revision 2026-07-28. Short calls are answered directly; so are all calls of clients
that do not know the extension. A task is its owner's alone, and is gone when the server ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import mcp_types as types
from mcp.server.mcpserver.server import require_client_extension
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter, ValidationError

EXTENSION = "io.modelcontextprotocol/tasks"
SOON = 3.0
"""Seconds within which what is done is answered without a task."""
KEPT = timedelta(hours=1)
POLL = 500
"""Milliseconds after which it is worth asking again."""
MOST = 100
"""How many tasks an owner may have."""
WORKING, INPUT, COMPLETED, FAILED, CANCELLED = "working", "input_required", "completed", "failed", "cancelled"
NAME = "mcp-name"
Work = Callable[[Any], Awaitable[Any]]
"""Does what a call with these parameters asks for."""


class _Named(types.RequestParams):
    """The parameters of a request on a task."""

    task_id: str


class _Answers(_Named):
    """Answers to a task's requests for input."""

    input_responses: dict[str, Any]


@dataclass(eq=False)
class Task:
    """One call, and its result so far."""

    owner: str
    id: str = field(default_factory=lambda: str(uuid4()))
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    status: str = WORKING
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    asked: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    handed: bool = False
    """Whether its owner has the handle."""
    updated: datetime = field(default_factory=lambda: datetime.now(UTC))
    news: asyncio.Event = field(default_factory=asyncio.Event)
    doing: asyncio.Task[Any] | None = None

    @property
    def over(self) -> bool:
        """Whether nothing comes of it any more."""
        return self.status in (COMPLETED, FAILED, CANCELLED)

    def become(self, status: str) -> None:
        """Notes that it stands otherwise than before."""
        self.status, self.updated = status, datetime.now(UTC)
        self.news.set()

    async def ask(self, requests: Mapping[str, Any]) -> dict[str, Any]:
        """Asks the client, and waits until each question is answered; the answers."""
        self.asked, self.answers = dict(requests), {}
        self.become(INPUT)
        while self.asked:
            self.news.clear()
            await self.news.wait()
        return self.answers

    def hear(self, answers: Mapping[str, Any]) -> None:
        """Takes answers in; it goes on when there are all."""
        self.answers |= {name: one for name, one in answers.items() if self.asked.pop(name, None) is not None}
        self.become(INPUT if self.asked else WORKING if self.status == INPUT else self.status)

    def told(self) -> dict[str, Any]:
        """How it stands, as it is told."""
        found: dict[str, Any] = {
            "taskId": self.id,
            "status": self.status,
            "createdAt": self.created.isoformat(),
            "lastUpdatedAt": self.updated.isoformat(),
            "ttlMs": int(KEPT.total_seconds() * 1000),
            "pollIntervalMs": POLL,
        }
        found |= {"result": self.result} if self.status == COMPLETED else {}
        found |= {"error": self.error} if self.status == FAILED else {}
        asked = {name: _plain(one) for name, one in self.asked.items()}
        return found | ({"inputRequests": asked} if self.status == INPUT else {})


_RESPONSE: TypeAdapter[Any] = TypeAdapter(types.InputResponse)
CURRENT: ContextVar[Task | None] = ContextVar("task", default=None)
"""The task that is being worked on."""


class Tasks:
    """The tasks of a server. `owner` says whose a call is. All of it happens on one event loop."""

    def __init__(self, owner: Callable[[Any], str], soon: float | None = None) -> None:
        self._owner, self._soon = owner, SOON if soon is None else soon
        self._all: dict[str, Task] = {}

    def install(self, server: Any) -> None:
        """Offers the extension on a server of the kit."""
        server.extensions[EXTENSION] = {}
        server.add_request_handler("tasks/get", _Named, self._get)
        server.add_request_handler("tasks/update", _Answers, self._update)
        server.add_request_handler("tasks/cancel", _Named, self._cancel)

    async def answered(self, ctx: Any, params: Any, work: Work) -> Any:
        """The result of a call, or a task where it takes long."""
        if not declared(ctx):
            return await work(params)
        task = self._begun(self._owner(ctx))
        task.doing = asyncio.create_task(self._worked(task, params, work))
        news = asyncio.create_task(task.news.wait())
        await asyncio.wait({task.doing, news}, timeout=self._soon, return_when=asyncio.FIRST_COMPLETED)
        news.cancel()
        if task.doing.done():
            del self._all[task.id]
            return task.doing.result()
        task.handed = True
        task.doing.add_done_callback(lambda done: _settled(task, done))
        told = task.told()
        return {"resultType": "task", **{name: told[name] for name in told if name != "inputRequests"}}

    async def _worked(self, task: Task, params: Any, work: Work) -> Any:
        """Works until there is a result; input requested before the handle is given out is requested in the response
        itself."""
        CURRENT.set(task)
        while True:
            result = await work(params)
            if not (task.handed and isinstance(result, types.InputRequiredResult)):
                return result
            answers = await task.ask(result.input_requests or {})
            said = {"input_responses": answers, "request_state": result.request_state}
            params = params.model_copy(update=said)

    def _begun(self, owner: str) -> Task:
        until = datetime.now(UTC) - KEPT
        self._all = {name: one for name, one in self._all.items() if one.updated > until}
        if sum(one.owner == owner for one in self._all.values()) >= MOST:
            raise MCPError(types.INVALID_REQUEST, "There are too many tasks.")
        task = Task(owner)
        self._all[task.id] = task
        return task

    async def _get(self, ctx: Any, params: _Named) -> dict[str, Any]:
        return self._known(ctx, params).told()

    async def _update(self, ctx: Any, params: _Answers) -> dict[str, Any]:
        task = self._known(ctx, params)
        meant = {name: one for name, one in params.input_responses.items() if name in task.asked}
        try:
            task.hear({name: _RESPONSE.validate_python(one) for name, one in meant.items()})
        except ValidationError:
            raise MCPError(types.INVALID_PARAMS, "That is no answer.") from None
        return {}

    async def _cancel(self, ctx: Any, params: _Named) -> dict[str, Any]:
        task = self._known(ctx, params)
        if not task.over and task.doing is not None:
            task.become(CANCELLED)
            task.doing.cancel()
        return {}

    def _known(self, ctx: Any, params: _Named) -> Task:
        """Raises MCPError for a task that is nobody's, or another's."""
        require_client_extension(ctx, EXTENSION)
        header = ctx.request.headers.get(NAME) if ctx.request is not None else None
        if header is not None and header.strip() != params.task_id:
            raise MCPError(types.HEADER_MISMATCH, "The header Mcp-Name names another task.")
        task = self._all.get(params.task_id)
        if task is None or task.owner != self._owner(ctx) or not task.handed:
            raise MCPError(types.INVALID_PARAMS, "There is no such task.")
        return task


def declared(ctx: Any) -> bool:
    """Whether the client declares the extension for tasks, in a revision that has it."""
    able = ctx.session.client_capabilities
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    return modern and able is not None and EXTENSION in (able.extensions or {})


def _settled(task: Task, done: asyncio.Task[Any]) -> None:
    """Records the result or fault of a task."""
    if done.cancelled():
        task.become(CANCELLED)
        return
    fault = done.exception()
    if fault is None:
        task.result = _plain(done.result())
        task.become(COMPLETED)
        return
    code = fault.error.code if isinstance(fault, MCPError) else types.INTERNAL_ERROR
    message = fault.error.message if isinstance(fault, MCPError) else "Something went wrong that should not."
    task.error = {"code": code, "message": message}
    task.become(FAILED)


def _plain(given: Any) -> dict[str, Any]:
    """As it is sent."""
    if isinstance(given, Mapping):
        return dict(given)
    found: dict[str, Any] = given.model_dump(by_alias=True, mode="json", exclude_none=True)
    return found
