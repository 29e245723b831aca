"""An ASGI application within this server: a call is handed to its event loop, and its answer back as it comes.

https://asgi.readthedocs.io/en/latest/specs/www.html ; so the checks of this server hold for it as well.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, suppress
from time import monotonic
from typing import Any

from flask import Response, request

from engine.environment.http.loop import LoopThread
from engine.errors import HearthgraphError
from server.listener import came_by

FIRST = 120.0
"""Seconds until an answer must have begun."""
BEAT = 0.5
"""Seconds after which a stream looks whether the server is about to end, or the client has gone."""
SOON = 2.0
"""Seconds after which an answer that still goes on holds a thread, for which it needs leave."""
HELD = 64
"""How many pieces of an answer may wait to be sent."""


class NoAnswer(HearthgraphError):
    """The application did not answer in time."""

    reason = "timeout"


class Ending(HearthgraphError):
    """The server is about to end, and begins nothing any more."""

    reason = "stopping"

    def __init__(self) -> None:
        super().__init__("The server is stopping.", remedy="Try again later.")


class Bridge:
    """Runs one ASGI application, from the first call until `close`, within its `lifespan`."""

    def __init__(self, app: Callable[..., Any], lifespan: Callable[[], AbstractAsyncContextManager[Any]]) -> None:
        self._app, self._lifespan = app, lifespan
        self._loop = LoopThread("hearthgraph-agents")
        self._lock = threading.Lock()
        self._begun = False
        self._ending: asyncio.Event | None = None
        self._living: Future[None] | None = None
        self.closed = threading.Event()

    def call(self, extra: dict[str, Any], may_last: Callable[[], bool]) -> Response:
        """The application's response to the present call; `extra` goes into its scope. A response that goes on asks
        once whether it `may_last`, and ends where it may not, whatever was called for. Raises NoAnswer, Ending."""
        self._begin()
        exchange = _Exchange(request.get_data())
        scope = {**_scope(), **extra}
        work = self._loop.submit(exchange.run(self._app, scope))
        status, headers = exchange.begun(work)
        response = Response(exchange.pieces(work, self.closed, _gone(), may_last), status=status)
        response.headers.clear()
        response.headers.extend([(n, v) for n, v in headers if n.lower() not in ("connection", "transfer-encoding")])
        if "Content-Type" not in response.headers and status >= 400:
            response.headers["Content-Type"] = "application/json"
        response.call_on_close(lambda: exchange.leave(self._loop))
        return response

    def submit(self, work: Any) -> Any:
        """Has something done on the loop. Raises Ending."""
        try:
            self._begin()
        except BaseException:
            work.close()
            raise
        return self._loop.submit(work)

    def close(self) -> None:
        """Ends the application and its streams."""
        self.closed.set()
        if self._begun and self._ending is not None:
            with suppress(HearthgraphError):
                self._loop.submit(_set(self._ending))
            if self._living is not None:
                with suppress(Exception):
                    self._living.result(5)
        self._loop.close()

    def _begin(self) -> None:
        with self._lock:
            if self._begun:
                return
            ready: Future[None] = Future()

            def over(_: Future[None]) -> None:
                if not ready.done():
                    ready.set_exception(Ending())

            self._living = self._loop.submit(self._live(ready))
            self._living.add_done_callback(over)
            ready.result(FIRST)
            self._begun = True

    async def _live(self, ready: Future[None]) -> None:
        """Runs the application's lifespan in one task, so that it ends in the task in which it began."""
        self._ending = asyncio.Event()
        try:
            async with self._lifespan():
                ready.set_result(None)
                await self._ending.wait()
        except Exception as error:
            if not ready.done():
                ready.set_exception(error)
            raise


async def _set(event: asyncio.Event) -> None:
    event.set()


class _Exchange:
    """One call and its answer, between a thread of the server and the loop."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self._start: Future[tuple[int, list[tuple[str, str]]]] = Future()
        self._pieces: queue.Queue[bytes | None] = queue.Queue()
        self._gone = asyncio.Event()
        self._left = threading.Event()

    async def run(self, app: Callable[..., Any], scope: dict[str, Any]) -> None:
        try:
            await app(scope, self._receive, self._send)
        finally:
            self._pieces.put(None)

    async def _receive(self) -> dict[str, Any]:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in message.get("headers", [])]
            if not self._start.done():
                self._start.set_result((message["status"], headers))
        elif message["type"] == "http.response.body":
            if self._left.is_set():
                raise OSError("whoever asked has gone")
            while self._pieces.qsize() > HELD and not self._left.is_set():
                await asyncio.sleep(0.01)
            if message.get("body"):
                self._pieces.put(message["body"])
            if not message.get("more_body"):
                self._pieces.put(None)

    def begun(self, work: Future[None]) -> tuple[int, list[tuple[str, str]]]:
        """Status and headers. Raises NoAnswer, Ending."""

        def over(done: Future[None]) -> None:
            if not self._start.done():
                fault = Ending() if done.cancelled() else done.exception()
                self._start.set_exception(fault or NoAnswer("There was no answer.", remedy="Try again."))

        work.add_done_callback(over)
        try:
            return self._start.result(FIRST)
        except TimeoutError:
            work.cancel()
            raise NoAnswer("There was no answer in time.", remedy="Try again.") from None

    def pieces(
        self, work: Future[None], closed: threading.Event, gone: Callable[[], bool], may_last: Callable[[], bool]
    ) -> Iterator[bytes]:
        """The body as it comes, until the server ends, whoever asked has gone, or it may not go on."""
        until, allowed = monotonic() + SOON, False
        while True:
            if not allowed and monotonic() > until:
                allowed = may_last()
                if not allowed:
                    work.cancel()
                    return
            try:
                piece = self._pieces.get(timeout=BEAT)
            except queue.Empty:
                if closed.is_set():
                    work.cancel()
                    return
                if gone():  # what was asked for goes on to its end: nobody called it off
                    return
                continue
            if piece is None:
                return
            yield piece

    def leave(self, loop: LoopThread) -> None:
        """Whoever called has the answer, or is gone."""
        self._left.set()
        with suppress(HearthgraphError):
            loop.submit(_set(self._gone))


def _gone() -> Callable[[], bool]:
    """Whether whoever makes the present call has gone."""
    connection = came_by()
    return lambda: connection is not None and connection.gone()


def _scope() -> dict[str, Any]:
    """The present call as ASGI has it."""
    host, _, port = request.host.rpartition(":")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": request.query_string,
        "root_path": "",
        "headers": [
            (n.lower().encode("latin-1"), v.strip(" \t").encode("latin-1", "replace")) for n, v in request.headers
        ],
        "client": (request.remote_addr or "", 0),
        "server": (host or request.host, int(port) if port.isdigit() else 80),
    }
