"""Tokens of OAuth 2.0, got with a client's own name and password where a scheme's flow is `client`, and kept in memory.

https://www.rfc-editor.org/rfc/rfc6749#section-4.4
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from time import monotonic
from urllib.parse import urlencode

import httpx

from engine.environment.http.credentials import Grant, Secrets
from engine.environment.http.requests import HttpRequest, HttpResponse
from engine.errors import BindingError

MARGIN, SHORTEST, UNSAID = 10.0, 1.0, 300.0
"""Seconds: how long before its end a token is not used any more; how long at least; how long where nothing is said."""


class Tokens:
    """The tokens that were got, each until it runs out. `send` sends a request, its host checked as any other's."""

    def __init__(self, send: Callable[[HttpRequest], Awaitable[HttpResponse]]) -> None:
        self._send = send
        self._known: dict[Grant, tuple[str, float]] = {}
        self._turns: dict[Grant, asyncio.Lock] = {}

    async def of(self, grant: Grant, reach: frozenset[str] | None = None) -> Secrets:
        """The secrets with a token for a request; the token is asked for within the same `reach`.

        Raises BindingError: unauthorized where no token is given; as `send`.
        """
        async with self._turns.setdefault(grant, asyncio.Lock()):
            token, until = self._known.get(grant, ("", 0.0))
            if monotonic() >= until:
                token, seconds = await self._ask(grant, reach)
                self._known[grant] = (token, monotonic() + max(seconds - MARGIN, SHORTEST))
        if token not in grant.issued:
            grant.issued.append(token)
        return Secrets(headers=(("Authorization", f"Bearer {token}"),), texts=(token,))

    def forget(self, grant: Grant | None) -> bool:
        """Gives up the token of a grant; whether there was one."""
        return grant is not None and self._known.pop(grant, None) is not None

    async def _ask(self, grant: Grant, reach: frozenset[str] | None) -> tuple[str, float]:
        asked = {"grant_type": "client_credentials"} | ({"scope": " ".join(grant.scopes)} if grant.scopes else {})
        headers = (("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded"))
        try:
            url = httpx.URL(grant.url)
        except httpx.InvalidURL as error:
            raise BindingError("The address that gives tokens is none.", reason="no_usable_form") from error
        body = urlencode(asked).encode()
        answer = await self._send(HttpRequest("POST", url, headers, body, grant.basic(), reach=reach))
        return _token(answer.body)


def _token(body: bytes) -> tuple[str, float]:
    """The token in an answer, and for how many seconds it holds. Raises BindingError where there is none."""
    try:
        said = json.loads(body)
        token, kind, seconds = said["access_token"], said.get("token_type", "bearer"), said.get("expires_in", UNSAID)
        sound = isinstance(token, str) and token.isprintable() and token.isascii() and str(kind).lower() == "bearer"
        if sound and token:
            return token, float(seconds)
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    raise BindingError(
        "The address that gives tokens gave none.",
        remedy="Check client_id and client_secret in the file that the setting credentials_file names.",
        reason="unauthorized",
    )
