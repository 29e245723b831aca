"""One visit to an MCP server: opened when something is to be done, closed after it, and never written down.

The stateless revision is tried first; a server that does not know it is shaken hands with, as 2025-11-25 has it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import httpx

from engine.environment.http.credentials import Secrets
from engine.environment.http.exchange import Exchange
from engine.environment.http.requests import Answer, Request
from engine.errors import BindingError
from engine.origins.mcp import wire

PAGES = 50
"""How many pages of a list are read."""
MOST = 1_000
"""How many tools or resources of one server are taken."""
ROUNDS = 3
_ANSWERED = frozenset((400, 404, 405, 406, 409, 422))
"""Statuses that come with an error of JSON-RPC, or tell an older server from a newer one."""


class Session:
    """A conversation with the server at `endpoint`. Use `open`, and `close` it."""

    def __init__(
        self,
        exchange: Exchange,
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
        self._count = 0

    @classmethod
    async def open(
        cls,
        exchange: Exchange,
        endpoint: str,
        secrets: Secrets | None = None,
        reach: frozenset[str] | None = None,
        version: str = "",
    ) -> Session:
        """A conversation that is ready, in the revision that was met before or else the newest that both know."""
        session = cls(exchange, endpoint, secrets, reach, version)
        if version >= wire.MODERN:
            return session
        if not version and await session._discovers():
            return session
        await session._shake_hands()
        return session

    async def close(self) -> None:
        """Says goodbye, where the server keeps a session."""
        if self._session:
            with suppress(BindingError):
                await self._exchange.send(self._request("DELETE", None, ()))
            self._session = ""

    async def ask(
        self, method: str, params: Mapping[str, Any] | None = None, schema: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The result of a request. Raises RpcFault, BindingError."""
        self._count += 1
        message = wire.request(method, params, self.version, self._count)
        answer = await self._post(message, wire.headers(method, params, self.version, schema))
        found = wire.messages(answer.body, answer.content_type) if answer.status < 400 or _is_json(answer) else []
        if answer.status >= 400 and not any("error" in one for one in found):
            raise BindingError(f"The MCP server reported a failure ({answer.status}).")
        return wire.outcome(found, self._count)

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
            result = await self.ask("server/discover")
        except BindingError as error:
            if error.reason in ("unavailable", "timeout", "host_not_allowed", "unauthorized"):
                raise
            return False
        known = result.get("supportedVersions")
        if not isinstance(known, list) or wire.MODERN not in known:
            return False
        self.about = result
        return True

    async def _shake_hands(self) -> None:
        self.version = wire.LEGACY
        said = {"protocolVersion": wire.LEGACY, "capabilities": wire.capabilities(), "clientInfo": wire.CLIENT}
        self._count += 1
        message = wire.request("initialize", said, wire.LEGACY, self._count)
        plain = (("Accept", wire.ACCEPT), ("Content-Type", "application/json"))
        answer = await self._post(message, plain)
        self.about = wire.outcome(wire.messages(answer.body, answer.content_type), self._count)
        self.version = str(self.about.get("protocolVersion", ""))
        if self.version not in wire.SPOKEN:
            raise BindingError("The MCP server speaks no revision that is known here.", reason="bad_answer")
        self._session = answer.headers.get(wire.SESSION_HEADER.lower(), "")
        await self._post({"jsonrpc": "2.0", "method": "notifications/initialized"}, (*plain, *self._own()))

    def _own(self) -> tuple[tuple[str, str], ...]:
        return ((wire.VERSION_HEADER, self.version),)

    async def _post(self, message: dict[str, Any], headers: tuple[tuple[str, str], ...]) -> Answer:
        return await self._exchange.send(self._request("POST", json.dumps(message).encode(), headers))

    def _request(self, method: str, body: bytes | None, headers: tuple[tuple[str, str], ...]) -> Request:
        session = ((wire.SESSION_HEADER, self._session),) if self._session else ()
        return Request(
            method, self._url, (*headers, *session), body, self._secrets, statuses=_ANSWERED, reach=self._reach
        )


def _is_json(answer: Answer) -> bool:
    return answer.content_type.partition(";")[0].strip().lower() == "application/json"
