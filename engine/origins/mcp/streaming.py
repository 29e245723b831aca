"""Messages of MCP as they come: one JSON, or events of which one answers, within limits of size and time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx

from engine.environment.http.exchange import Limits
from engine.errors import BindingError


@dataclass(slots=True)
class Position:
    """How far a stream was read: the last event, and after how many seconds it may be asked for again."""

    last: str = ""
    retry: float = 0.0


@dataclass(slots=True)
class _Event:
    data: list[str] = field(default_factory=list)
    id: str | None = None


async def events(response: httpx.Response, limits: Limits, position: Position) -> AsyncIterator[str]:
    """The data of one event after the other; `position` is kept. Raises BindingError: bad_answer, timeout."""
    event = _Event()
    async for line in _lines(response, limits):
        if line:
            _take(line, event, position)
            continue
        if event.id is not None:
            position.last = event.id
        if text := "\n".join(event.data).strip():
            yield text
        event = _Event()
    if text := "\n".join(event.data).strip():
        yield text


def _take(line: str, event: _Event, position: Position) -> None:
    name, _, value = line.partition(":")
    value = value.removeprefix(" ")
    if name == "data":
        event.data.append(value)
    elif name == "id" and value.isprintable():
        event.id = value
    elif name == "retry" and value.isascii() and value.isdigit():
        position.retry = min(int(value[:7]) / 1000, 60.0)


async def body(response: httpx.Response, limits: Limits) -> bytes:
    """All of an answer. Raises BindingError (bad_answer) for one that is too long."""
    return b"".join([piece async for piece in _pieces(response, limits)])


async def _lines(response: httpx.Response, limits: Limits) -> AsyncIterator[str]:
    rest = b""
    async for piece in _pieces(response, limits):
        rest = (rest + piece).replace(b"\r\n", b"\n")
        held = rest.endswith(b"\r")  # its other half may be still to come
        *lines, rest = (rest[:-1] if held else rest).replace(b"\r", b"\n").split(b"\n")
        rest += b"\r" if held else b""
        for line in lines:
            yield line.decode("utf-8", "replace")
    if rest.strip():
        yield rest.decode("utf-8", "replace").rstrip("\r")


async def _pieces(response: httpx.Response, limits: Limits) -> AsyncIterator[bytes]:
    """What comes, undecoded, `limits.most` bytes at most, none of them later than the limit after the one before."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise BindingError("The server's answer is compressed, which nobody asked for.", reason="bad_answer")
    length, chunks = 0, response.aiter_raw()
    while True:
        try:
            async with asyncio.timeout(limits.seconds):
                piece = await anext(chunks)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise BindingError("The server did not answer in time.", reason="timeout") from error
        length += len(piece)
        if length > limits.most:
            raise BindingError("The server's answer is too long.", reason="bad_answer")
        yield piece
