"""Sends the hub's requests to subscribers: verifications of intent, and content.

Every callback is an address that a stranger gave: names are resolved once, all of their addresses are checked, and the
connection goes to an address that was checked. Redirects are not followed, and of the response hardly anything is read.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlencode
from weakref import WeakValueDictionary

import httpx

from engine.environment.http.addresses import PublicHosts
from engine.errors import BindingError

_log = logging.getLogger(__name__)

METHOD = "sha256"
MOST_ANSWER = 4_096
"""Bytes of an answer that are read."""
GONE = 410


class Fate(Enum):
    """The outcome of a delivery."""

    TAKEN = "taken"
    GONE = "gone"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Content:
    """A version of a topic: its body and media type, its address and the hub's."""

    topic: str
    hub: str
    type: str
    body: bytes

    @property
    def headers(self) -> dict[str, str]:
        """The headers that go with it (W3C WebSub, section 7)."""
        return {"Content-Type": self.type, "Link": f'<{self.hub}>; rel="hub", <{self.topic}>; rel="self"'}


class Sender:
    """Sends from one event loop. `seconds` is how long a subscriber may take; at one host, `at_once` calls are open at
    the same time."""

    def __init__(self, hosts: PublicHosts, seconds: float, at_once: int) -> None:
        self._hosts, self._seconds = hosts, seconds
        self._at_once = at_once
        self._open: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=100, keepalive_expiry=30)
        self._client = httpx.AsyncClient(limits=limits, trust_env=False, follow_redirects=False, timeout=seconds)

    async def confirmed(self, callback: str, said: Mapping[str, str]) -> bool | None:
        """Whether the subscriber returns the challenge in `said`; None where it could not be reached."""
        try:
            async with self._answer("GET", _asked(callback, said), {}) as response:
                body = await _start(response)
                return response.is_success and hmac.compare_digest(body, said["hub.challenge"].encode())
        except (BindingError, httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            _log.info("a subscriber at %s was not reached: %s", callback.partition("?")[0], type(error).__name__)
            return None

    async def tell(self, callback: str, said: Mapping[str, str]) -> None:
        """Sends parameters to a subscriber, whatever it answers."""
        try:
            async with self._answer("GET", _asked(callback, said), {}):
                return
        except (BindingError, httpx.HTTPError, httpx.InvalidURL, TimeoutError):
            return

    async def deliver(self, callback: str, content: Content, secret: str | None) -> Fate:
        """Delivers a version of a topic, signed where there is a secret."""
        headers = content.headers
        if secret is not None:
            headers["X-Hub-Signature"] = f"{METHOD}={hmac.new(secret.encode(), content.body, METHOD).hexdigest()}"
        try:
            async with self._answer("POST", httpx.URL(callback), headers, content.body) as response:
                await _start(response)
                if response.status_code == GONE:
                    return Fate.GONE
                return Fate.TAKEN if response.is_success else Fate.FAILED
        except (BindingError, httpx.HTTPError, httpx.InvalidURL, TimeoutError):
            return Fate.FAILED

    async def close(self) -> None:
        """Lets all connections go."""
        await self._client.aclose()

    @asynccontextmanager
    async def _answer(
        self, method: str, url: httpx.URL, headers: Mapping[str, str], body: bytes | None = None
    ) -> AsyncIterator[httpx.Response]:
        free = self._open.setdefault(url.host, asyncio.Semaphore(self._at_once))
        async with free, asyncio.timeout(self._seconds):
            response = await self._sent(method, url, headers, body)
            try:
                yield response
            finally:
                await response.aclose()

    async def _sent(
        self, method: str, url: httpx.URL, headers: Mapping[str, str], body: bytes | None
    ) -> httpx.Response:
        """Sends to the first of the host's addresses that takes the connection."""
        own = {"Host": url.netloc.decode("ascii"), "User-Agent": "hearthgraph", "Accept-Encoding": "identity"}
        if url.scheme == "https":  # a connection is kept by address, and a certificate is for a name
            own["Connection"] = "close"
        addresses = await self._hosts.resolve(url)
        for address in addresses:
            sni = {} if url.host == address else {"sni_hostname": url.host}
            request = self._client.build_request(
                method, url.copy_with(host=address), headers={**own, **headers}, content=body, extensions=sni
            )
            try:
                return await self._client.send(request, stream=True)
            except httpx.ConnectError:
                if address == addresses[-1]:
                    raise
        raise httpx.ConnectError("There is no address.")


def _asked(callback: str, said: Mapping[str, str]) -> httpx.URL:
    """The callback with parameters added to its query."""
    return httpx.URL(f"{callback}{'&' if '?' in callback else '?'}{urlencode(said)}")


async def _start(response: httpx.Response) -> bytes:
    """The beginning of an answer; the connection can be used again where that is all."""
    body = b""
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MOST_ANSWER:
            break
    return body
