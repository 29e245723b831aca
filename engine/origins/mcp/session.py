"""One visit to an MCP server: opened when something is to be done, closed after it, and never written down.

The stateless revision is tried first; a server that does not know it is shaken hands with, as 2025-11-25 has it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any

import httpx

from engine.environment.http.credentials import Secrets
from engine.environment.http.exchange import Way
from engine.environment.http.requests import HttpRequest
from engine.errors import BindingError
from engine.origins.mcp import streaming, wire

Elicit = Callable[[Mapping[str, Any]], Awaitable[dict[str, Any]]]
"""Asks whoever is at the other end for what a server wants to know (`elicitation/create`), and gives what they say."""
PAGES = 50
"""How many pages of a list are read."""
MOST = 1_000
"""How many tools or resources of one server are taken."""
ROUNDS = 5
"""How often a server may ask back within one visit."""
PATIENCE, LONG = 60.0, 900.0
"""Seconds until an answer must be there; where a person may be asked meanwhile."""
RESUMED = 3
"""How often a stream that ended before its answer is asked for again."""
EVENTS, LISTEN = "text/event-stream", "subscriptions/listen"
SILENCE = 3600.0
"""Seconds for which a stream of changes may be silent."""
_ANSWERED = frozenset((400, 404, 405, 406, 409, 422))
"""Statuses that come with an error of JSON-RPC, or tell an older server from a newer one."""


class Session:
    """A conversation with the server at `endpoint`. Use `open`, and `close` it."""

    def __init__(
        self,
        exchange: Way,
        endpoint: str,
        secrets: Secrets | None = None,
        reach: frozenset[str] | None = None,
        version: str = "",
    ) -> None:
        self.version = version or wire.MODERN
        self.about: dict[str, Any] = {}
        self._exchange, self._url = exchange, httpx.URL(endpoint)
        self._secrets, self._reach = secrets or Secrets(), reach
        self._session = ""
        self._count = self._asked_for = 0
        self.elicit: Elicit | None = None
        self._overhearing: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        exchange: Way,
        endpoint: str,
        secrets: Secrets | None = None,
        reach: frozenset[str] | None = None,
        version: str = "",
        elicit: Elicit | None = None,
    ) -> Session:
        """A conversation that is ready, in the revision that was met before or else the newest that both know."""
        session = cls(exchange, endpoint, secrets, reach, version)
        session.elicit = elicit
        if version >= wire.MODERN:
            return session
        if not version and await session._discovers():
            return session
        await session._shake_hands()
        return session

    async def close(self) -> None:
        """Says goodbye, where the server keeps a session."""
        if self._overhearing is not None:
            self._overhearing.cancel()
        if self._session:
            with suppress(BindingError):
                await self._exchange.send(self._request("DELETE", None, ()))
            self._session = ""

    async def ask(
        self, method: str, params: Mapping[str, Any] | None = None, schema: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The result of a request. Raises RpcFault, BindingError."""
        self._count += 1
        number = self._count
        message = wire.request(method, params, self.version, number)
        headers = wire.headers(method, params, self.version, schema)
        return await self._answered(self._request("POST", json.dumps(message).encode(), headers), number)

    async def _answered(self, request: HttpRequest, number: int) -> dict[str, Any]:
        """The result that comes for a request, also where its stream has to be asked for again."""
        try:
            async with asyncio.timeout(PATIENCE if self.elicit is None else LONG):
                return await self._followed(request, number)
        except TimeoutError as error:
            raise BindingError("The MCP server did not answer in time.", reason="timeout") from error

    async def _followed(self, request: HttpRequest, number: int) -> dict[str, Any]:
        position = streaming.Position()
        for _ in range(RESUMED + 1):
            async with aclosing(self._messages(request, position)) as messages:
                async for message in messages:
                    if "method" in message:
                        await self._heard(message)
                    elif message.get("id") in (number, None):
                        return wire.outcome([message], number)
            if not position.last or self.version >= wire.MODERN:
                break
            await asyncio.sleep(position.retry)
            headers = (("Accept", "text/event-stream"), ("Last-Event-ID", position.last), *self._own())
            request = self._request("GET", None, headers)
        return wire.outcome([], number)

    async def _messages(self, request: HttpRequest, position: streaming.Position) -> AsyncGenerator[dict[str, Any]]:
        """The messages that a request is answered with, as they come. Raises BindingError."""
        async with self._exchange.stream(request) as response:
            status, kind = response.status_code, response.headers.get("content-type", "")
            self._session = self._session or response.headers.get(wire.SESSION_HEADER.lower(), "")
            if status < 400 and _media(kind) == EVENTS:
                async for text in streaming.events(response, self._exchange.limits, position):
                    for message in wire.messages(text.encode(), "application/json"):
                        yield message
                return
            body = await streaming.body(response, self._exchange.limits)
        found = wire.messages(body, kind) if status < 400 or _media(kind) == "application/json" else []
        if status >= 400 and not any("error" in one for one in found):
            raise BindingError(f"The MCP server reported a failure ({status}).")
        for message in found:
            yield message

    async def _heard(self, message: Mapping[str, Any]) -> None:
        """Answers what the server asks while it answers; what it merely tells is let pass."""
        number = message.get("id")
        if number is None:
            return
        params = message.get("params")
        said: dict[str, Any] = {"jsonrpc": "2.0", "id": number}
        if message["method"] == "elicitation/create" and self.elicit is not None and self._asked_for < ROUNDS:
            self._asked_for += 1
            said["result"] = await self.elicit(params if isinstance(params, dict) else {})
        elif message["method"] == "ping":
            said["result"] = {}
        else:
            said["error"] = {"code": wire.NO_METHOD, "message": "That is not done here."}
        plain = (("Accept", wire.ACCEPT), ("Content-Type", "application/json"), *self._own())
        await self._exchange.send(self._request("POST", json.dumps(said).encode(), plain))

    async def listed(self, method: str, member: str) -> tuple[list[dict[str, Any]], float]:
        """All that a list has, of all its pages, and how many seconds it is good for."""
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        seconds, seen = 0.0, set()
        for _ in range(PAGES):
            page = await self.ask(method, {"cursor": cursor} if cursor else None)
            found += [one for one in page.get(member) or [] if isinstance(one, dict)]
            given = page.get("ttlMs")
            seconds = given / 1000 if isinstance(given, int | float) and 0 <= given < 1e12 else seconds
            following = page.get("nextCursor")
            if not isinstance(following, str) or following in seen or len(found) > MOST:
                break
            seen.add(following)
            cursor = following
        return found[:MOST], seconds

    async def _discovers(self) -> bool:
        """Whether the server speaks the stateless revision; what it is then stands in `about`."""
        try:
            result = await self._discovered()
        except BindingError as error:
            if error.reason in ("unavailable", "timeout", "host_not_allowed", "unauthorized"):
                raise
            return False
        known = result.get("supportedVersions")
        if not isinstance(known, list) or wire.MODERN not in known:
            return False
        self.about = result
        return True

    async def _discovered(self) -> dict[str, Any]:
        """How the server tells of itself; one that names the versions that it knows is asked again in one of them."""
        try:
            return await self.ask("server/discover")
        except wire.RpcFault as fault:
            known = fault.data.get("supported") if isinstance(fault.data, dict) else None
            if fault.code != wire.UNSUPPORTED or not isinstance(known, list) or self.version not in known:
                raise
            return await self.ask("server/discover")

    async def _shake_hands(self) -> None:
        self.version = wire.LEGACY
        said = {"protocolVersion": wire.LEGACY, "capabilities": wire.capabilities(), "clientInfo": wire.CLIENT}
        self._count += 1
        message = wire.request("initialize", said, wire.LEGACY, self._count)
        plain = (("Accept", wire.ACCEPT), ("Content-Type", "application/json"))
        self.about = await self._answered(self._request("POST", json.dumps(message).encode(), plain), self._count)
        self.version = str(self.about.get("protocolVersion", ""))
        if self.version not in wire.SPOKEN:
            raise BindingError("The MCP server speaks no revision that is known here.", reason="bad_answer")
        told = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()
        await self._exchange.send(self._request("POST", told, (*plain, *self._own())))
        if self.elicit is not None and self._session:
            ready = asyncio.Event()
            self._overhearing = asyncio.create_task(self._overhear(ready))
            await ready.wait()

    async def changes(self) -> AsyncGenerator[str]:
        """What the server tells of changes of its lists, for as long as it does. Raises BindingError."""
        if self.version >= wire.MODERN:
            self._count += 1
            wanted = {"notifications": {"toolsListChanged": True, "resourcesListChanged": True}}
            said = json.dumps(wire.request(LISTEN, wanted, self.version, self._count)).encode()
            request = self._request("POST", said, wire.headers(LISTEN, wanted, self.version))
        else:
            request = self._request("GET", None, (("Accept", EVENTS), *self._own()))
        async with self._exchange.stream(request) as response:
            if response.status_code >= 400 or _media(response.headers.get("content-type", "")) != EVENTS:
                return
            limits = replace(self._exchange.limits, seconds=SILENCE)
            async for text in streaming.events(response, limits, streaming.Position()):
                for message in wire.messages(text.encode(), "application/json"):
                    if str(message.get("method", "")).endswith("/list_changed"):
                        yield str(message["method"])

    async def _overhear(self, ready: asyncio.Event) -> None:
        """Hears what the server asks beside its answers, where it has a stream for that."""
        request = self._request("GET", None, (("Accept", "text/event-stream"), *self._own()))
        position = streaming.Position()
        try:
            async with self._exchange.stream(request) as response:
                ready.set()
                if response.status_code >= 400 or _media(response.headers.get("content-type", "")) != EVENTS:
                    return
                limits = replace(self._exchange.limits, seconds=LONG)
                async for text in streaming.events(response, limits, position):
                    for message in wire.messages(text.encode(), "application/json"):
                        if "method" in message:
                            await self._heard(message)
        except BindingError:  # what is asked there is not heard; the answers come all the same
            return
        finally:
            ready.set()

    def _own(self) -> tuple[tuple[str, str], ...]:
        return ((wire.VERSION_HEADER, self.version),)

    def _request(self, method: str, body: bytes | None, headers: tuple[tuple[str, str], ...]) -> HttpRequest:
        session = ((wire.SESSION_HEADER, self._session),) if self._session else ()
        return HttpRequest(
            method, self._url, (*headers, *session), body, self._secrets, statuses=_ANSWERED, reach=self._reach
        )


def _media(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()
