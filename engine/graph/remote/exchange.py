"""HTTP to a SPARQL store: one request and its answer, within a time that holds, over connections that are kept."""

from __future__ import annotations

import asyncio
import re
import ssl
import threading
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from engine.errors import QueryError, StoreError, StoreUnreachableError
from engine.graph.remote.access import Access

MOST = 512 * 2**20
"""Bytes of an answer; a longer one is refused."""
CONNECTIONS = 8
_WORDS = 200
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class StoreRequest:
    """A request to a store. `again`: it is idempotent, and may be sent once more where a connection breaks."""

    method: str
    url: str
    body: bytes = b""
    content_type: str = ""
    accept: str = "*/*"
    parameters: tuple[tuple[str, str], ...] = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful response: its media type, its body, the server's name for itself, and the row limit where the server
    has cut its result short (Virtuoso says so)."""

    media_type: str
    body: bytes
    server: str
    most_rows: str


class _Counted(httpx.AsyncHTTPTransport):
    """Counts requests on the wire, those included that only bring a challenge back."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.count = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.count += 1
        return await super().handle_async_request(request)


class Exchange:
    """A client for one store, to be used from any thread. Nothing of its environment (proxies, .netrc) counts."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="store", daemon=True)
        self._thread.start()
        limits = httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
        self._transport = _Counted(verify=ssl.create_default_context(), trust_env=False, limits=limits)
        self._client = httpx.AsyncClient(
            transport=self._transport, auth=access.secret.auth(), trust_env=False, timeout=None, follow_redirects=False
        )

    @property
    def round_trips(self) -> int:
        """How many requests were sent."""
        return self._transport.count

    def send(self, request: StoreRequest) -> Answer:
        """The response to a request.

        Raises StoreUnreachableError where it is not known whether the request took effect (no connection, no answer in
        time, an answer that is none), QueryError where the server finds fault with the SPARQL, StoreError where it
        refuses otherwise; each says what to do.
        """
        return self._wait(self._sent(request))

    def send_all(self, requests: list[StoreRequest]) -> list[Answer]:
        """The answers to several, which go side by side. Raises as `send`."""

        async def all_of_them() -> list[Answer]:
            return await asyncio.gather(*map(self._sent, requests))

        return self._wait(all_of_them())

    def close(self) -> None:
        """Ends all connections. Doing it again does nothing."""
        if not self._loop.is_closed():
            self._wait(self._client.aclose())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _sent(self, request: StoreRequest) -> Answer:
        seconds = self._access.seconds + len(request.body) / 2**20
        try:
            async with asyncio.timeout(seconds):
                return await self._persisted(request)
        except TimeoutError as error:
            raise StoreUnreachableError(
                f"The store at {self._access.place} did not answer within {round(seconds, 1):g} seconds.",
                remedy="See how it is, or raise store_seconds.",
            ) from error
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error

    async def _persisted(self, request: StoreRequest) -> Answer:
        try:
            return await self._once(request)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            if not request.again:
                raise
            return await self._once(request)  # a kept connection may have been closed since: on a new one, then

    async def _once(self, request: StoreRequest) -> Answer:
        headers = {"Accept": request.accept} | ({"Content-Type": request.content_type} if request.content_type else {})
        url = httpx.URL(request.url).copy_merge_params(dict(request.parameters)) if request.parameters else request.url
        async with self._client.stream(request.method, url, content=request.body or None, headers=headers) as response:
            body = await self._read(response)
        self._check(response, body)
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return Answer(
            media_type, body, response.headers.get("server", ""), response.headers.get("x-sparql-maxrows", "")
        )

    async def _read(self, response: httpx.Response) -> bytes:
        pieces, size = [], 0
        async for piece in response.aiter_bytes():
            pieces.append(piece)
            size += len(piece)
            if size > MOST:
                raise StoreError(f"The answer of the store is longer than {MOST // 2**20} megabytes.")
        return b"".join(pieces)

    def _check(self, response: httpx.Response, body: bytes) -> None:
        if response.is_success:
            return
        status, place = response.status_code, self._access.place
        if response.is_redirect:
            raise StoreError(
                f"The store at {place} sends to another address.", remedy="Give the address that it is really at."
            )
        if status in (401, 403):
            raise StoreError(
                f"The store at {place} does not let us in ({status}).",
                remedy="See what the file that store_credentials_file names says.",
            )
        if status in (404, 405):
            raise StoreError(
                f"There is no such endpoint at {response.request.url.copy_with(query=None)} ({status}).",
                remedy="Set store_query_url, store_update_url and store_graphs_url as the server has them.",
            )
        said = self._access.secret.hidden(_words(body))
        if status == 507:
            raise StoreError(f"The store at {place} is full: {said}.", remedy="Give it more room.")
        if status == 400:
            raise QueryError(f"The store finds fault with the SPARQL: {said}.")
        raise StoreError(f"The store at {place} refused ({status}): {said}.", remedy="Its log may say more.")

    def _unreachable(self, error: httpx.HTTPError) -> StoreUnreachableError:
        said = self._access.secret.hidden(" ".join(str(error).split())) or type(error).__name__
        return StoreUnreachableError(
            f"The store at {self._access.place} cannot be reached: {said.rstrip('.')}.",
            remedy="See whether it runs there.",
        )


def _words(body: bytes) -> str:
    """The server's message on a fault, in one short line and without its markup."""
    text = re.sub(r"<[^>]*>", " ", body[:20_000].decode("utf-8", "replace"))
    line = " ".join(text.split())
    return (line[:_WORDS] + "…" if len(line) > _WORDS else line).rstrip(".") or "it does not say why"
