"""Subscribers for tests: real servers on the loopback that answer as they are told to, and keep what they hear."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Heard:
    """A call of the hub."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    at: float


@dataclass
class Subscriber:
    """What a subscriber answers, and what it has heard. `answers` is the status that it gives to what is delivered, by
    path; `agrees` says whether it meant a subscription; a path in `silent` is never answered."""

    url: str = ""
    answers: dict[str, int] = field(default_factory=dict)
    agrees: Callable[[dict[str, str]], bool] = lambda _: True
    silent: set[str] = field(default_factory=set)
    calls: list[Heard] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def delivered(self, path: str = "/") -> list[Heard]:
        """What was delivered to a path."""
        return [call for call in self.calls if call.method == "POST" and call.path == path]

    def asked(self, path: str = "/") -> list[Heard]:
        """What was asked or told by GET."""
        return [call for call in self.calls if call.method == "GET" and call.path == path]


@contextmanager
def subscriber() -> Iterator[Subscriber]:
    """A subscriber that listens until the end of the block."""
    own = Subscriber()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Says nothing."""

        def do_GET(self) -> None:
            heard = self._heard(b"")
            agreed = own.agrees(heard.query)
            self._answer(200 if agreed else 404, heard.query.get("hub.challenge", "").encode() if agreed else b"")

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = self.rfile.read(length)
            if len(body) < length:
                return  # the hub waits no longer for an answer
            heard = self._heard(body)
            self._answer(own.answers.get(heard.path, 204), b"")

        def _heard(self, body: bytes) -> Heard:
            parts = urlsplit(self.path)
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            heard = Heard(self.command, parts.path, query, dict(self.headers.items()), body, time.monotonic())
            own.calls.append(heard)
            if parts.path in own.silent:
                own.ended.wait(60)
            return heard

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

        def handle_error(self, *_: object) -> None:
            """A caller that has gone is no fault."""

    server = Server(("127.0.0.1", 0), Handler)
    own.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield own
    finally:
        own.ended.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
