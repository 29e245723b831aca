"""A way to one endpoint that shows the token for it, and gets one where it is asked for."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import httpx

from engine.environment.http.credentials import Credentials, Secrets
from engine.environment.http.exchange import Exchange, Limits
from engine.environment.http.oauth import tokens
from engine.environment.http.oauth.discovery import Authority, Protected, authority, challenge, protected
from engine.environment.http.oauth.kept import Kept
from engine.environment.http.oauth.tokens import Asked, Client, Held
from engine.environment.http.requests import HttpRequest, HttpResponse
from engine.errors import BindingError

SHUT = frozenset((401, 403))
TRIES = 2
"""How often one request may be the cause that a token is asked for."""
WAITING, PATIENCE = 50, 600.0
"""How many consents may be waited for, and for how many seconds each."""
Person = Callable[[str], Awaitable[str]]
"""Brings a person to an address, and gives the address to which they were sent back."""


class PersonNeeded(BindingError):
    """Someone has to consent first, at `url`."""

    def __init__(self, url: str) -> None:
        super().__init__("The host wants a person's consent.", remedy=f"Open {url}", reason="consent_needed")
        self.url = url


class Doorkeeper:
    """The tokens of one home. `redirect` is where people are sent back to, `document` tells of this client;
    without `person`, who is to consent is told where by PersonNeeded."""

    def __init__(self, exchange: Callable[[], Exchange], credentials: Credentials, kept: Kept | None = None) -> None:
        self.redirect, self.document = "", ""
        self.person: Person | None = None
        self.kept = kept or Kept()
        self._exchange, self._credentials = exchange, credentials
        self._waiting: OrderedDict[str, Asked] = OrderedDict()
        self._turns: dict[str, asyncio.Lock] = {}

    def to(self, endpoint: httpx.URL, reach: frozenset[str] | None) -> Admitted:
        """The way to an endpoint."""
        return Admitted(self, self._exchange(), endpoint, reach)

    def turn(self, endpoint: str) -> asyncio.Lock:
        """Who asks for the token of an endpoint does so alone."""
        return self._turns.setdefault(endpoint, asyncio.Lock())

    async def asked(
        self,
        endpoint: httpx.URL,
        said: Mapping[str, str],
        before: Held | None,
        reach: frozenset[str] | None,
    ) -> Held | None:
        """Another token for an endpoint; None where it does not say who gives them. Raises BindingError."""
        send = self._exchange().send
        resource = await protected(send, endpoint, said.get("resource_metadata", ""), reach)
        if resource is None or not resource.issuers:
            return None
        server = await authority(send, resource.issuers[0], endpoint, reach)
        more = said.get("error") == "insufficient_scope"
        if before is not None and before.authority.issuer == server.issuer and before.refresh and not more:
            with suppress(BindingError):  # one that is good no more: a new one is asked for
                return await tokens.refreshed(send, self._again(before, server, endpoint), reach)
        return await self._new(server, resource, _scopes(said, resource, before if more else None), endpoint, reach)

    async def _new(
        self,
        server: Authority,
        resource: Protected,
        scopes: tuple[str, ...],
        endpoint: httpx.URL,
        reach: frozenset[str] | None,
    ) -> Held:
        send = self._exchange().send
        entry = self._credentials.registered(endpoint, server.issuer)
        client = None if entry is None else tokens.known(entry, server)
        if client is not None and (client.secret or client.key) and "client_credentials" in server.grants:
            return await tokens.own(send, server, client, resource.resource, scopes, reach)
        if not self.redirect:
            raise BindingError(
                "The host wants a person's consent, and there is no server here that could hear of it.",
                remedy="Register it through the server, or put a token into the credentials file.",
                reason="unauthorized",
            )
        client = client or await self._registered(server, reach)
        wished = (*scopes, "offline_access") if "offline_access" in server.scopes else scopes
        asked = tokens.begin(server, client, resource.resource, tuple(dict.fromkeys(wished)), self.redirect, reach)
        if self.person is None:
            self._await(asked)
            raise PersonNeeded(asked.url)
        return await tokens.consented(send, asked, await self.person(asked.url))

    def _again(self, before: Held, server: Authority, endpoint: httpx.URL) -> Held:
        """A token with who has it: the secrets of the credentials file stand there alone, and are read again."""
        entry = self._credentials.registered(endpoint, server.issuer) if before.client.known else None
        client = before.client if entry is None else tokens.known(entry, server)
        return replace(before, authority=server, client=client)

    async def _registered(self, server: Authority, reach: frozenset[str] | None) -> Client:
        """The client that this home is at an issuer: each issuer has one of its own."""
        found = self.kept.clients.get(f"{server.issuer} {self.redirect}")
        if found is None:
            found = await tokens.registered(self._exchange().send, server, self.redirect, self.document, reach)
            self.kept.keep_client(f"{server.issuer} {self.redirect}", found)
        return found

    def _await(self, asked: Asked) -> None:
        self._waiting[asked.state] = asked
        while len(self._waiting) > WAITING:
            self._waiting.popitem(last=False)

    async def came_back(self, redirected: str) -> str:
        """Takes the redirect of a person's consent; returns the resource for which there is a token now. Raises
        BindingError."""
        state = httpx.URL(redirected).params.get("state", "")
        asked = self._waiting.pop(state, None)
        if asked is None or time.time() - asked.at > PATIENCE:
            raise BindingError("Nobody waits for that consent.", remedy="Begin again.", reason="unauthorized")
        held = await tokens.consented(self._exchange().send, asked, redirected)
        self.kept.keep(held)
        return held.resource


class Admitted:
    """Sends to one endpoint as `Exchange` does, with the token for it. Requests to others are left as they are."""

    def __init__(self, keeper: Doorkeeper, exchange: Exchange, endpoint: httpx.URL, reach: frozenset[str] | None):
        self._keeper, self._exchange, self._endpoint, self._reach = keeper, exchange, endpoint, reach

    @property
    def limits(self) -> Limits:
        """Those of the client."""
        return self._exchange.limits

    async def send(self, request: HttpRequest, seconds: float | None = None) -> HttpResponse:
        """The answer to a request. Raises BindingError, PersonNeeded."""
        for _ in range(TRIES):
            shown, held = await self._shown(request)
            answer = await self._exchange.send(shown, seconds)
            if answer.status not in SHUT or answer.status in request.statuses:
                return answer
            await self._let_in(answer.status, answer.headers, held)
        shown, _ = await self._shown(request, last=True)
        return await self._exchange.send(shown, seconds)

    @asynccontextmanager
    async def stream(self, request: HttpRequest) -> AsyncIterator[httpx.Response]:
        """The answer as it comes. Raises BindingError, PersonNeeded."""
        for _ in range(TRIES):
            shown, held = await self._shown(request)
            async with self._exchange.stream(shown) as response:
                if response.status_code not in SHUT or response.status_code in request.statuses:
                    yield response
                    return
                status, headers = response.status_code, dict(response.headers)
            await self._let_in(status, headers, held)
        shown, _ = await self._shown(request, last=True)
        async with self._exchange.stream(shown) as response:
            yield response

    async def _shown(self, request: HttpRequest, *, last: bool = False) -> tuple[HttpRequest, Held | None]:
        """The request with the present token, if there is one. An entry in the credentials file is preferred."""
        if request.secrets.headers or request.url.copy_with(query=None) != self._endpoint.copy_with(query=None):
            return request, None
        held = self._keeper.kept.of(self._endpoint)
        statuses = request.statuses if last else request.statuses | SHUT
        if held is None:
            return replace(request, statuses=statuses), None
        if not held.good() and held.refresh:
            await self._let_in(401, {}, held)
            held = self._keeper.kept.of(self._endpoint) or held
        own = Secrets(headers=(("Authorization", f"Bearer {held.access}"),), texts=(held.access,))
        return replace(request, statuses=statuses, secrets=request.secrets + own), held

    async def _let_in(self, status: int, headers: Mapping[str, str], held: Held | None) -> None:
        """Gets another token, unless someone else has got one meanwhile. Raises BindingError (unauthorized)."""
        said = challenge(headers)
        async with self._keeper.turn(str(self._endpoint)):
            now = self._keeper.kept.of(self._endpoint)
            if now is not None and held is not None and now.access != held.access:
                return
            found = None
            if status == 401 or said.get("error") == "insufficient_scope":
                found = await self._keeper.asked(self._endpoint, said, held, self._reach)
            if found is None:
                raise BindingError(
                    f"The device does not let Hearthgraph in ({status}).",
                    remedy="Put its password, token or key into the file that the setting credentials_file names.",
                    reason="unauthorized",
                )
            self._keeper.kept.keep(found)


def _scopes(said: Mapping[str, str], resource: Protected, before: Held | None) -> tuple[str, ...]:
    """The scopes to ask for: those of the host's challenge, else of its metadata; and those of the former token."""
    wanted = tuple(said["scope"].split()) if "scope" in said else resource.scopes
    return tuple(dict.fromkeys((*(before.scopes if before is not None else ()), *wanted)))
