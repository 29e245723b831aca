"""Reading a document again only where it is another one than the last time (RFC 9110, section 13)."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import replace

import httpx

from engine.environment.http.exchange import Limits, Way
from engine.environment.http.requests import HttpRequest, HttpResponse

NOT_MODIFIED = 304


class Unchanged(Exception):
    """The document is unchanged since it was last fetched."""


class Unless(Way):
    """A way to a document that is asked for unless it still has this entity tag; without a tag, the way as it is."""

    def __init__(self, way: Way, tag: str) -> None:
        self._way, self._tag = way, tag

    @property
    def limits(self) -> Limits:
        """Those of the way."""
        return self._way.limits

    async def send(self, request: HttpRequest, seconds: float | None = None) -> HttpResponse:
        """The answer to a request. Raises Unchanged, BindingError."""
        if not self._tag or request.method != "GET":
            return await self._way.send(request, seconds)
        headers = (*request.headers, ("If-None-Match", self._tag))
        asked = replace(request, headers=headers, statuses=request.statuses | {NOT_MODIFIED})
        answer = await self._way.send(asked, seconds)
        if answer.status == NOT_MODIFIED:
            raise Unchanged
        return answer

    def stream(self, request: HttpRequest) -> AbstractAsyncContextManager[httpx.Response]:
        """The answer as it comes."""
        return self._way.stream(request)
