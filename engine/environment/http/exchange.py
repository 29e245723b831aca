"""One request and its answer, within limits: of time, of size, of redirects, of retries.

Retries are made by a loop, not by stamina: one clock runs for all tries of a request, a try fails for reasons that only
`_Again` knows, and stamina tells its hooks and the log the arguments of calls, which may hold secrets.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

import httpx

from engine.environment.http.addresses import Hosts, is_this_machine
from engine.environment.http.content import failure
from engine.environment.http.credentials import Secrets
from engine.environment.http.requests import HttpRequest, HttpResponse
from engine.environment.http.tokens import Tokens
from engine.errors import BindingError

SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
REDIRECTS = 5
"""How often one request may be sent elsewhere."""
PAUSES = (0.1, 0.4)
"""Seconds before a safe request is sent again."""
LANES = 6
"""How many calls a host gets at once; small devices take few connections, and more would time out in their queue."""

_MOVED, _KEEP_METHOD = frozenset((301, 302, 303, 307, 308)), frozenset((307, 308))
_BUSY = frozenset((429, 502, 503))


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` for the whole of a call, retries included; `most` bytes of an answer."""

    seconds: float = 10.0
    most: int = 1_048_576


class Way(Protocol):
    """A sender of requests: the client, or one that adds a token to them."""

    @property
    def limits(self) -> Limits:
        """Of time and of size."""

    async def send(self, request: HttpRequest, seconds: float | None = None) -> HttpResponse:
        """As `Exchange.send`."""

    def stream(self, request: HttpRequest) -> AbstractAsyncContextManager[httpx.Response]:
        """As `Exchange.stream`."""


class _Again(Exception):
    """A failure that may have passed when a safe request is sent again; `error` is raised when it has not."""

    def __init__(self, error: BindingError) -> None:
        super().__init__(str(error))
        self.error = error


class _NoQueries(logging.Filter):
    """httpx logs each URL; a key may stand in its query."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(a.copy_with(query=None) if isinstance(a, httpx.URL) else a for a in record.args)
        return True


logging.getLogger("httpx").addFilter(_NoQueries())


class Exchange:
    """A client for devices. To be used on one event loop; nothing of its environment (proxies, .netrc) counts."""

    def __init__(self, hosts: Hosts, limits: Limits) -> None:
        self.limits = limits
        self._hosts = hosts
        self._tokens = Tokens(self._once)
        self._lanes: dict[str, asyncio.Semaphore] = {}
        # No connection is kept: a request that must not be sent twice cannot be tried again when a kept one has died.
        self._client = httpx.AsyncClient(
            verify=_trusted(),
            trust_env=False,
            timeout=httpx.Timeout(limits.seconds, read=None),  # `send` limits the whole
            limits=httpx.Limits(max_connections=64, max_keepalive_connections=0),
        )

    async def close(self) -> None:
        """Ends all connections."""
        await self._client.aclose()

    async def send(self, request: HttpRequest, seconds: float | None = None) -> HttpResponse:
        """The answer to a request. `seconds` are for one that is meant to wait, and takes nobody's turn.

        Raises BindingError: host_not_allowed, unavailable, timeout, unauthorized, bad_answer, device_failed.
        """
        try:
            async with asyncio.timeout(self.limits.seconds if seconds is None else seconds):
                if seconds is not None:
                    return await self._persist(request)
                async with self._lanes.setdefault(request.url.host, asyncio.Semaphore(LANES)):
                    return await self._persist(request)
        except TimeoutError as error:
            raise BindingError("The device did not answer in time.", reason="timeout") from error

    @asynccontextmanager
    async def stream(self, request: HttpRequest) -> AsyncIterator[httpx.Response]:
        """The answer as it comes, for as long as it comes. Raises BindingError as `send` does, and as it breaks off."""
        try:
            with _spoken(request):
                async with asyncio.timeout(self.limits.seconds):
                    _, response = await self._follow(request)
                try:
                    yield response
                finally:
                    await response.aclose()
        except _Again as again:
            raise again.error from again.__cause__
        except TimeoutError as error:
            raise BindingError("The device did not answer in time.", reason="timeout") from error

    async def _persist(self, request: HttpRequest) -> HttpResponse:
        """Sends a safe request again when it fails in a way that may pass, any other one once."""
        pauses = PAUSES if request.method in SAFE else ()
        for pause in pauses:
            try:
                return await self._once(request)
            except _Again:
                await asyncio.sleep(pause)
        try:
            return await self._once(request)
        except _Again as again:
            raise again.error from again.__cause__

    async def _once(self, request: HttpRequest) -> HttpResponse:
        with _spoken(request):
            last, response = await self._follow(request)
            try:
                body = await self._body(response)
            finally:
                await response.aclose()
            kind = response.headers.get("content-type", "")
            return HttpResponse(response.status_code, kind, body, dict(response.headers), str(last.url))

    async def _body(self, response: httpx.Response) -> bytes:
        """The body, undecoded: no encoding was allowed, so that nothing unfolds in memory."""
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise BindingError("The device's answer is compressed, which nobody asked for.", reason="bad_answer")
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > self.limits.most:
                raise BindingError("The device's answer is too long.", reason="bad_answer")
        return bytes(body)

    async def _follow(self, request: HttpRequest) -> tuple[HttpRequest, httpx.Response]:
        """The last request and its answer at the end of all redirects; raises BindingError unless it is a success."""
        renewed = False
        for _ in range(REDIRECTS + 1):
            response = await self._connect(request)
            if response.status_code == 401 and not renewed and self._tokens.forget(request.secrets.grant):
                renewed = True  # a token that has run out: nothing was done yet
                await response.aclose()
                continue
            if response.status_code not in _MOVED:
                return request, await self._accepted(request, response)
            await response.aclose()
            request = _moved(request, response)
        raise BindingError("The device sends from one address to another without end.", reason="bad_answer")

    async def _connect(self, request: HttpRequest) -> httpx.Response:
        """Sends to the first of the host's addresses that takes the connection."""
        addresses = await self._hosts.resolve(request.url, request.reach)
        if request.secrets.grant is not None:
            request = replace(request, secrets=await self._tokens.of(request.secrets.grant, request.reach))
        for address in addresses[:-1]:
            try:
                return await self._sent(request, address)
            except httpx.ConnectError:
                continue
        return await self._sent(request, addresses[-1])

    async def _sent(self, request: HttpRequest, address: str) -> httpx.Response:
        """Sends a request; for digest authentication (RFC 7616) it is sent again with the response to the device's
        challenge."""
        message = self._message(request, address)
        if request.secrets.digest is None:
            return await self._client.send(message, stream=True)
        challenge = httpx.DigestAuth(*request.secrets.digest).auth_flow(message)
        response = await self._client.send(next(challenge), stream=True)
        try:
            message = challenge.send(response)
        except StopIteration:
            return response
        except (httpx.ProtocolError, KeyError, ValueError, NotImplementedError) as error:
            await response.aclose()
            raise BindingError("The device asks for a digest that is not known.", reason="bad_answer") from error
        finally:
            challenge.close()
        await response.aclose()
        return await self._client.send(message, stream=True)

    def _message(self, request: HttpRequest, address: str) -> httpx.Request:
        """The request to an address that was checked, so that the name cannot be rebound in between."""
        url, secrets = request.url, request.secrets
        if secrets.query:
            url = url.copy_merge_params(list(secrets.query))
        headers = [("Host", url.netloc.decode("ascii")), ("User-Agent", "hearthgraph")]
        headers += [("Accept-Encoding", "identity"), ("Connection", "close")]
        headers += [*request.headers, *secrets.headers]
        if secrets.cookies:
            headers.append(("Cookie", "; ".join(f"{name}={value}" for name, value in secrets.cookies)))
        sni = {} if url.host == address else {"sni_hostname": url.host}
        return self._client.build_request(
            request.method, url.copy_with(host=address), headers=headers, content=request.body, extensions=sni
        )

    async def _accepted(self, request: HttpRequest, response: httpx.Response) -> httpx.Response:
        if response.is_success or response.status_code in request.statuses:
            return response
        try:
            said = request.secrets.hidden(failure(await self._body(response)))
        except (BindingError, httpx.HTTPError):
            said = ""
        finally:
            await response.aclose()
        raise _refusal(response.status_code, said)


@cache
def _trusted() -> ssl.SSLContext:
    """Whom this machine trusts; a home's own authority is added to the machine's, or named by SSL_CERT_FILE."""
    return ssl.create_default_context()


def _moved(request: HttpRequest, response: httpx.Response) -> HttpRequest:
    """The request to make instead. Raises BindingError where it must not be followed."""
    status = response.status_code
    if request.method not in SAFE and status not in _KEEP_METHOD and status != 303:
        raise BindingError("The device sends what it should do elsewhere.", reason="bad_answer")
    try:
        url = request.url.join(response.headers["location"])
    except (KeyError, httpx.InvalidURL) as error:
        raise BindingError("The device sends to an address that is none.", reason="bad_answer") from error
    downgraded = request.url.scheme == "https" and url.scheme != "https"
    if url.scheme not in ("http", "https") or downgraded:
        raise BindingError("The device sends to an address that is not as safe as its own.", reason="bad_answer")
    if is_this_machine(url) and not is_this_machine(request.url):
        raise BindingError("The device sends to an address of this machine.", reason="host_not_allowed")
    if _origin(url) != _origin(request.url):
        if request.method not in SAFE and status != 303:
            raise BindingError("The device sends what it should do to another host.", reason="bad_answer")
        request = replace(request, secrets=Secrets(), headers=_impersonal(request.headers))
    if status == 303 and request.method not in SAFE:
        request = replace(request, method="GET", body=None)
    return replace(request, url=url)


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host.lower(), url.port


def _impersonal(headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Of the headers those that any host may see."""
    return tuple(header for header in headers if header[0].lower() in ("accept", "content-type"))


def _refusal(status: int, said: str) -> BindingError | _Again:
    if status in (401, 403):
        return BindingError(
            f"The device does not let Hearthgraph in ({status}).",
            remedy="Put its password, token or key into the file that the setting credentials_file names.",
            reason="unauthorized",
        )
    if status in (408, 504):
        return BindingError(f"The device did not answer in time ({status}).", reason="timeout")
    if status in _BUSY:
        return _Again(BindingError(f"The device cannot be reached ({status}){said}.", reason="unavailable"))
    return BindingError(f"The device reported a failure ({status}){said}.")


def _untrusted(device: str) -> BindingError:
    return BindingError(
        f"{device} shows a certificate that is not trusted here.",
        remedy="Make its authority known to this machine, or name it by SSL_CERT_FILE.",
        reason="unavailable",
    )


@contextmanager
def _spoken(request: HttpRequest) -> Iterator[None]:
    """Turns the exceptions of httpx into ours, which name the host and nothing else of the address."""
    device = f'The device at "{request.url.host}"'
    try:
        yield
    except httpx.TimeoutException as error:
        raise BindingError(f"{device} did not answer in time.", reason="timeout") from error
    except httpx.ConnectError as error:
        if "CERTIFICATE" in str(error):
            raise _untrusted(device) from error
        raise _Again(BindingError(f"{device} cannot be reached.", reason="unavailable")) from error
    except httpx.TransportError as error:
        raise _Again(BindingError(f"{device} broke off its answer.")) from error
    except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL) as error:
        raise BindingError(f"{device} answered in a way that is not HTTP.", reason="bad_answer") from error
