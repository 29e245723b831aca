"""A real HTTP server on loopback whose every path does as a test says, and things whose forms lead there."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from engine.environment.clock import SimulatedClock
from engine.environment.http.addresses import Hosts
from engine.environment.http.binding import HttpBinding
from engine.environment.http.credentials import Credentials
from engine.environment.http.exchange import Limits
from engine.environment.state import State
from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from engine.things.door import load
from engine.things.registry import Registry

DOCUMENT = "http://device.example/thing"
PREFIXES = """
@prefix td: <https://www.w3.org/2019/wot/td#> .
@prefix hctl: <https://www.w3.org/2019/wot/hypermedia#> .
@prefix htv: <http://www.w3.org/2011/http#> .
@prefix js: <https://www.w3.org/2019/wot/json-schema#> .
@prefix wotsec: <https://www.w3.org/2019/wot/security#> .
@prefix hg: <https://w3id.org/hearthgraph#> .
"""


@dataclass
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    headers: Message
    body: bytes


class Handler(BaseHTTPRequestHandler):
    """Answers as the server's routes say, and 404 for anything else."""

    protocol_version = "HTTP/1.1"
    server: Server

    def answer(self, body: object = None, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """Sends an answer: bytes as they are, anything else as JSON."""
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def raw(self, data: bytes) -> None:
        """Sends bytes and closes the connection, HTTP or not."""
        self.wfile.write(data)
        self.wfile.flush()
        self.close_connection = True

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append(Seen(self.command, self.path, self.headers, body))
        key = (self.command, self.path.partition("?")[0])
        route = self.server.routes.get(key)
        try:
            if key not in self.server.routes:
                self.answer(status=404)
            elif callable(route):
                route(self)
            else:
                self.answer(route)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 8  # as small as a device's

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.routes: dict[tuple[str, str], Any] = {}
        self.seen: list[Seen] = []
        self.stopping = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def route(self, method: str, path: str, answer: object | Callable[[Handler], object]) -> None:
        """`answer` is a JSON value, or a function that is given the handler."""
        self.routes[(method, path)] = answer

    def count(self, method: str, path: str) -> int:
        return sum(one.method == method and one.path.partition("?")[0] == path for one in self.seen)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


@dataclass
class Setup:
    """A home with one thing, whose devices are real."""

    registry: Registry
    state: State
    binding: HttpBinding
    store: GraphStore
    made: list[HttpBinding] = field(default_factory=list)

    def property(self, name: str) -> str:
        return f"{DOCUMENT}#properties/{name}"

    def action(self, name: str) -> str:
        return f"{DOCUMENT}#actions/{name}"


def form(target: str, *, method: str = "", kind: str = "", operation: str = "", more: str = "") -> str:
    """A form in Turtle."""
    said = [f'hctl:hasTarget "{target}"']
    said += [f'htv:methodName "{method}"'] if method else []
    said += [f'hctl:forContentType "{kind}"'] if kind else []
    said += [f"hctl:hasOperationType td:{operation}"] if operation else []
    return f"td:hasForm [ {' ; '.join([*said, more] if more else said)} ]"


def prop(name: str, schema: str, *rest: str) -> str:
    """A property affordance in Turtle."""
    return f'td:hasPropertyAffordance [ td:name "{name}" ; a td:PropertyAffordance, {" ; ".join((schema, *rest))} ]'


def action(name: str, cls: str, *rest: str) -> str:
    """An action affordance in Turtle."""
    return f'td:hasActionAffordance [ td:name "{name}" ; a td:ActionAffordance, {" ; ".join((cls, *rest))} ]'


def event(name: str, *rest: str) -> str:
    """An event affordance in Turtle."""
    return f'td:hasEventAffordance [ td:name "{name}" ; {" ; ".join(("a td:EventAffordance", *rest))} ]'


INTEGER = "js:IntegerSchema ; js:minimum 0 ; js:maximum 100"


@contextmanager
def living(
    folder: Path,
    base: str,
    *affordances: str,
    security: str = 'td:hasSecurityConfiguration "nosec_sc"',
    hosts: Hosts | None = None,
    credentials: Credentials | None = None,
    limits: Limits | None = None,
) -> Iterator[Setup]:
    """A home with one lamp, described in Turtle and loaded through the door, and the HTTP binding to it."""
    said = " ;\n ".join(('td:title "Lamp" ; a hg:Light', f"td:baseURI <{base}/>", security, *affordances))
    path = folder / "thing.ttl"
    path.write_text(f"{PREFIXES}\n<{DOCUMENT}> a td:Thing ; {said} .\n", encoding="utf-8")
    store = EmbeddedStore.open(None)
    registry = Registry(store)
    load(store, [path], registry=registry)
    clock = SimulatedClock(datetime(2026, 5, 14, 12, 0, tzinfo=UTC))
    state = State(store, registry, clock)
    binding = HttpBinding(registry, state, hosts, credentials, limits or Limits(seconds=3.0, most=10_000))
    try:
        yield Setup(registry, state, binding, store)
    finally:
        binding.close()
