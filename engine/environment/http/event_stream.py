"""Answers that may be streams of server-sent events, read by httpx-sse, within limits of size and silence.

https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import httpx
from httpx_sse import EventSource, ServerSentEvent

from engine.environment.http import content
from engine.errors import BindingError

MEDIA_TYPE = "text/event-stream"
_HEADERS = {"content-type": MEDIA_TYPE}  # without a charset: such streams are UTF-8, whatever else is said
_END = b"\n\n"  # what breaks off after its last event is taken for whole


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bytes that one event may have, or `in_all` the stream, and seconds that the stream may be silent."""

    most: int
    seconds: float
    in_all: bool = False


async def events(response: httpx.Response, bounds: Bounds) -> AsyncIterator[ServerSentEvent]:
    """One event after the other, those without data too. Raises BindingError: bad_answer (compressed, or more than
    `bounds` allow), timeout (silent for too long)."""
    pieces = _Pieces(response, bounds, _END)
    async for event in EventSource(httpx.Response(200, headers=_HEADERS, stream=pieces)).aiter_sse():
        if not bounds.in_all:
            pieces.length = 0
        yield event


async def whole(response: httpx.Response, bounds: Bounds) -> bytes:
    """All of an answer, undecoded. Raises BindingError: bad_answer (compressed, more than `bounds` allow), timeout."""
    return b"".join([piece async for piece in _Pieces(response, bounds)])


def texts(body: bytes, content_type: str) -> list[str]:
    """What an answer that has come whole says: the data of each event of a stream, else its body; nothing that is
    empty."""
    if content.media_type(content_type) == MEDIA_TYPE:
        return [*_in_body(body)]
    return [body.decode("utf-8", "replace")] if body.strip() else []


def _in_body(body: bytes) -> Iterator[str]:
    for event in EventSource(httpx.Response(200, headers=_HEADERS, content=body + _END)).iter_sse():
        if event.data.strip():
            yield event.data


class _Pieces(httpx.AsyncByteStream):
    """The chunks of a response, undecoded, and `end` after them; `length` counts their bytes."""

    def __init__(self, response: httpx.Response, bounds: Bounds, end: bytes = b"") -> None:
        self._response, self._bounds, self._end, self.length = response, bounds, end, 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._response.headers.get("content-encoding", "identity").lower() != "identity":
            raise BindingError("The answer is compressed, which nobody asked for.", reason="bad_answer")
        chunks = self._response.aiter_raw()
        while True:
            try:
                async with asyncio.timeout(self._bounds.seconds):
                    piece = await anext(chunks)
            except StopAsyncIteration:
                yield self._end
                return
            except TimeoutError as error:
                raise BindingError("No more of the answer came in time.", reason="timeout") from error
            self.length += len(piece)
            if self.length > self._bounds.most:
                raise BindingError("The answer is too long.", reason="bad_answer")
            yield piece
