"""Messages of MCP as they come: one JSON, or events of which one answers, within limits of size and time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx

from engine.environment.http import event_stream
from engine.environment.http.exchange import Limits

LONGEST_RETRY = 60.0
"""Seconds that a server may have us wait before we go on with its stream."""


@dataclass(slots=True)
class Position:
    """How far a stream was read: the last event, and after how many seconds it may be asked for again."""

    last: str = ""
    retry: float = 0.0


async def events(response: httpx.Response, limits: Limits, position: Position) -> AsyncIterator[str]:
    """The data of one event after the other; `position` is kept. Raises BindingError: bad_answer, timeout."""
    bounds = event_stream.Bounds(limits.most, limits.seconds, in_all=True)
    async for event in event_stream.events(response, bounds):
        if event.id.isprintable():  # it becomes a header
            position.last = event.id
        if event.retry is not None:
            position.retry = max(0.0, min(event.retry, 1000 * LONGEST_RETRY) / 1000)
        if event.data.strip():
            yield event.data


async def body(response: httpx.Response, limits: Limits) -> bytes:
    """All of an answer. Raises BindingError: bad_answer (compressed, too long), timeout."""
    return await event_stream.whole(response, event_stream.Bounds(limits.most, limits.seconds))
