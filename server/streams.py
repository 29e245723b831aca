"""Server-sent events: how a client hears of something as it happens.

https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from flask import Response, current_app

from server.guard import household
from server.listener import came_by
from server.service import Service, service

BEAT = 10.0
"""Seconds of silence after which a comment is sent, so that nobody on the way takes the stream for dead."""
HEARTBEAT = ": still here\n\n"


def event(data: Any, name: str | None = None, *, number: str | None = None) -> str:
    """One event, with its id where it has a `number`. Its data is JSON in one line."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    lines = [f"event: {name}"] if name else []
    lines += [f"id: {number}"] if number else []
    return "\n".join([*lines, f"data: {text}", "", ""])


def stream(events: Iterator[str]) -> Response:
    """A stream of events; as many may be open as the settings allow. Raises TooMany."""
    streams = current_app.extensions["hearthgraph-streams"]
    known, left = household(), False
    streams.enter(known=known)
    lasting()

    def leave() -> None:
        nonlocal left
        if not left:
            left = True
            streams.leave(known=known)

    response = Response(_until(events, service()), content_type="text/event-stream; charset=utf-8")
    response.headers["Cache-Control"] = "no-store"
    response.call_on_close(leave)
    return response


def lasting() -> None:
    """Says that the present call goes on for long."""
    connection = came_by()
    if connection is not None:
        connection.lasts()


def _until(events: Iterator[str], served: Service) -> Iterator[str]:
    """The events, until the server ends."""
    for one in events:
        if served.ending.is_set():
            return
        yield one
