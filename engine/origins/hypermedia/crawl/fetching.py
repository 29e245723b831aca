"""Fetches pages of other servers one by one within limits; media types and sizes are checked, not believed."""

from __future__ import annotations

from dataclasses import dataclass, field

import httpx

from engine.environment.http import exchange
from engine.environment.http.credentials import Credentials, Secrets
from engine.environment.http.exchange import Exchange
from engine.environment.http.requests import HttpRequest, HttpResponse
from engine.errors import BindingError
from engine.origins.hypermedia.crawl.scope import CrawlScope
from engine.origins.hypermedia.links import Link, canonical, read

ACCEPT = (
    "text/turtle, application/td+json;q=0.9, application/ld+json;q=0.8, application/n-triples;q=0.7, "
    "application/json;q=0.4"
)
LARGEST = 8 * 2**20
"""Bytes of one page; as much as one file of things may have."""
GONE = frozenset((404, 410))
_EXPECTED = GONE | {304, 401}


@dataclass(frozen=True, slots=True)
class Document:
    """The response of an address. `url` is the address at the end of all redirects, in its canonical spelling; `status`
    a success, 304 (unchanged), 404 or 410 (gone)."""

    asked: str
    url: str
    status: int
    type: str = ""
    body: bytes = b""
    links: tuple[Link, ...] = ()
    etag: str = ""
    modified: str = ""

    @property
    def gone(self) -> bool:
        """Whether nothing is there any more."""
        return self.status in GONE

    @property
    def unchanged(self) -> bool:
        """Whether it is as it was."""
        return self.status == 304


@dataclass(slots=True)
class Traffic:
    """Counts of requests, bytes and hosts."""

    requests: int = 0
    bytes: int = 0
    hosts: set[str] = field(default_factory=set)


class Fetcher:
    """Fetches pages from within the crawl scope; `seconds` is how long one may take. To be used on one loop."""

    def __init__(self, scope: CrawlScope, credentials: Credentials, seconds: float, most: int = LARGEST) -> None:
        self.scope = scope
        self.traffic = Traffic()
        self._credentials = credentials
        self._exchange = Exchange(scope, exchange.Limits(seconds, most))
        self._asking: set[str] = set()

    async def close(self) -> None:
        """Ends all connections."""
        await self._exchange.close()

    async def get(self, url: str, *, etag: str = "", modified: str = "", accept: str = ACCEPT) -> Document:
        """The page at an address; with the tag that it had, or when it was changed, perhaps only that it is the same.

        Raises BindingError: host_not_allowed, limit_reached, unavailable, timeout, unauthorized, bad_answer,
        device_failed."""
        headers = [("Accept", accept)]
        headers += [("If-None-Match", etag)] if etag else []
        headers += [("If-Modified-Since", modified)] if modified and not etag else []
        answer = await self.send(HttpRequest("GET", httpx.URL(url), tuple(headers), statuses=_EXPECTED))
        found = answer.headers
        final = canonical(answer.url) or url
        links = read(found.get("link", ""), final)
        said = found.get("etag", ""), found.get("last-modified", "")
        return Document(url, final, answer.status, answer.content_type, answer.body, links, *said)

    async def send(self, request: HttpRequest) -> HttpResponse:
        """The response to a request, with credentials of the credentials file for its host once the host asks for
        them."""
        host = request.url.netloc.decode("ascii")
        if host in self._asking:
            request = self._signed(request)
        answer = await self._counted(request)
        if answer.status == 401 and not request.secrets.texts:
            request = self._signed(request)
            self._asking.add(host)
            answer = await self._counted(request)
        if answer.status == 401:
            raise BindingError(f'"{request.url.host}" does not take what the file has for it.', reason="unauthorized")
        return answer

    async def _counted(self, request: HttpRequest) -> HttpResponse:
        self.traffic.requests += 1
        answer = await self._exchange.send(request)
        self.traffic.bytes += len(answer.body)
        self.traffic.hosts.add(request.url.host)
        return answer

    def _signed(self, request: HttpRequest) -> HttpRequest:
        secrets: Secrets | None = self._credentials.of_host(request.url)
        if secrets is None:
            raise BindingError(
                f'"{request.url.host}" does not let Hearthgraph in.',
                remedy="Put its password or token into the file that the setting credentials_file names.",
                reason="unauthorized",
            )
        return HttpRequest(
            request.method, request.url, request.headers, request.body, secrets, request.statuses, request.reach
        )
