"""A store on a server that dies, lies, refuses, or takes for ever: what is said, and that nothing here is half done."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from pyoxigraph import NamedNode, Quad

from engine.errors import QueryError, SettingError, StoreError, StoreUnreachableError
from engine.graph.remote import access as remote_access
from engine.graph.remote import store as remote
from engine.graph.remote.access import Secret, at
from engine.graph.remote.store import RemoteStore
from engine.graph.store import GraphStore
from engine.graph.terms import ONTOLOGY, PLACES, STATE, literal, node
from tests.stores import Servers, Started, start_oxigraph, virtuoso_access

HOME = NamedNode("http://example.org/home")
SECRET = Secret("hearth", "hunter2")
PATIENCE = 3.0
"""Seconds for an answer: a busy machine takes more than one now and then."""


def quad(subject: str, value: object, graph: NamedNode = HOME) -> Quad:
    return Quad(NamedNode(f"http://example.org/{subject}"), node("hg:value"), literal(value), graph)


class Between(ThreadingHTTPServer):
    """A server between the engine and a store, which does as `mood` says; else it passes everything on."""

    daemon_threads = True

    def __init__(self, behind: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind, self.mood = behind, "pass"
        self.seen: list[tuple[str, str]] = []
        self.client = httpx.Client(trust_env=False, timeout=30)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def handle_error(self, *_: object) -> None:
        """A client that is gone is no news."""

    def stop(self) -> None:
        self.mood = "stop"
        self.shutdown()
        self.server_close()
        self.client.close()


class _Handler(BaseHTTPRequestHandler):
    server: Between
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.seen.append((self.path, self.headers.get("authorization", "")))
        mood = self.server.mood if "update" in self.path or self.server.mood.startswith("all ") else "pass"
        getattr(self, "_" + mood.removeprefix("all ").replace(" ", "_"))(body)

    do_GET = do_PUT = do_DELETE = do_POST  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass

    def _pass(self, body: bytes) -> None:
        headers = {k: v for k, v in self.headers.items() if k.lower() in ("accept", "content-type")}
        url = self.server.behind + self.path.lstrip("/")
        answer = self.server.client.request(self.command, url, content=body, headers=headers)
        self._say(answer.status_code, answer.headers.get("content-type", ""), answer.content)

    def _say(self, status: int, media_type: str, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": media_type, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _cut_before(self, _body: bytes) -> None:
        self.close_connection = True
        self.connection.close()

    def _cut_after(self, body: bytes) -> None:
        self.server.client.post(self.server.behind + "update", content=body, headers=dict([self._form()]))
        self._cut_before(body)

    def _form(self) -> tuple[str, str]:
        return "Content-Type", self.headers["Content-Type"]

    def _html(self, _body: bytes) -> None:
        self._say(200, "text/html; charset=utf-8", b"<html><body>Please log in to the hotel's network</body></html>")

    def _full(self, _body: bytes) -> None:
        self._say(507, "text/plain", b"no space left on device")

    def _broken(self, _body: bytes) -> None:
        self._say(500, "text/html", b"<h1>Internal error</h1> " + b"hunter2 " * 3 + b"x" * 5000)

    def _denied(self, _body: bytes) -> None:
        self._say(401, "text/plain", b"hunter2 is wrong", **{"WWW-Authenticate": 'Basic realm="x"'})

    def _elsewhere(self, _body: bytes) -> None:
        self._say(307, "text/plain", b"", Location="http://127.0.0.1:9/update")

    def _nonsense(self, _body: bytes) -> None:
        self._say(200, "application/sparql-results+json", b'{"head": {}, "results": 7}')

    def _dribbling_head(self, _body: bytes) -> None:
        self._dribble(b"HTTP/1.1 200 OK\r\nX-Slow: ")

    def _dribbling_body(self, _body: bytes) -> None:
        self._dribble(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n")

    def _dribble(self, start: bytes) -> None:
        self.close_connection = True
        self.wfile.write(start)
        while self.server.mood != "stop":
            self.wfile.write(b"x")
            self.wfile.flush()
            time.sleep(0.05)


@pytest.fixture
def between(servers: Servers) -> Iterator[Between]:
    servers.fresh("oxigraph")
    server = Between(servers.server("oxigraph").base)
    yield server
    server.stop()


@pytest.fixture
def store(between: Between) -> Iterator[RemoteStore]:
    """A store with one quad in it, as it comes through the server between."""
    opened = RemoteStore.open_at(at(between.base, secret=SECRET, seconds=PATIENCE))
    opened.write(insert=[quad("a", 1)])
    yield opened
    between.mood = "pass"
    opened.close()


def test_a_write_that_nobody_waited_for_is_read_again(store: RemoteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    change = store._server.change

    def interrupted(*arguments: Any) -> None:
        change(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(store._server, "change", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.write(insert=[quad("b", 2)])
    monkeypatch.undo()
    assert set(store.graph(HOME)) == {quad("a", 1), quad("b", 2)}


MOODS = {
    "cut before": (StoreUnreachableError, "not known"),
    "cut after": (StoreUnreachableError, "not known"),
    "html": (StoreUnreachableError, "text/html"),
    "dribbling head": (StoreUnreachableError, f"did not answer within {PATIENCE:g} seconds"),
    "dribbling body": (StoreUnreachableError, f"did not answer within {PATIENCE:g} seconds"),
    "full": (StoreError, "full"),
    "broken": (StoreError, "500"),
    "denied": (StoreError, "does not let us in"),
    "elsewhere": (StoreError, "another address"),
}


@pytest.mark.parametrize("mood", MOODS)
def test_a_write_that_fails_says_why_and_what_is_read_then_is_what_the_server_has(
    store: RemoteStore, between: Between, mood: str
) -> None:
    between.mood = mood
    error, told = MOODS[mood]
    with pytest.raises(error) as caught:
        store.write(clear=[HOME], insert=[quad("b", 2), quad("c", 3, PLACES)])
    assert told in str(caught.value)
    assert caught.value.remedy
    assert "hunter2" not in str(caught.value)
    assert len(str(caught.value)) < 600
    between.mood = "pass"
    done = mood == "cut after"
    assert store.graph(HOME) == [quad("b", 2)] if done else [quad("a", 1)]
    assert store.graph(PLACES) == ([quad("c", 3, PLACES)] if done else [])
    assert {str(row[0]) for row in store.query_text("SELECT ?s { GRAPH <http://example.org/home> { ?s ?p ?o } }")} == {
        str(quad.subject) for quad in store.graph(HOME)
    }
    store.write(clear=[HOME, PLACES], insert=[quad("d", 4)])
    assert store.graph(HOME) == [quad("d", 4)]


def test_where_it_is_not_known_what_was_written_nothing_is_answered_until_it_is(
    store: RemoteStore, between: Between
) -> None:
    generation = store.generation
    between.mood = "all cut before"
    with pytest.raises(StoreUnreachableError):
        store.write(insert=[quad("b", 2)])
    for read in (lambda: store.graph(HOME), lambda: store.select("things/documents"), store.freshen):
        with pytest.raises(StoreUnreachableError):
            read()
    between.mood = "pass"
    assert store.freshen()
    assert store.generation > generation
    assert not store.freshen()


@pytest.mark.parametrize("mood", ["html", "full", "dribbling head", "cut before"])
def test_writes_that_were_gathered_fail_together_and_are_not_here_either(
    store: RemoteStore, between: Between, mood: str
) -> None:
    def gathered() -> None:
        with store.gathered():
            store.write(insert=[quad("a", 1, STATE)])
            store.write(insert=[quad("a", 2, STATE)])
            assert len(store.graph(STATE)) == 2, "what waits can be read"

    between.mood = mood
    with pytest.raises(StoreError):
        gathered()
    between.mood = "pass"
    assert store.graph(STATE) == []
    assert store.freshen(), "so that what was kept of the state is read again"


def test_what_waits_too_long_is_written_before_the_end_and_its_failure_is_told_at_the_end(
    store: RemoteStore, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "GATHER_SECONDS", 0.05)

    def gathered(value: int) -> int:
        with store.gathered():
            store.write(insert=[quad("a", value, STATE)])
            count = store.round_trips
            time.sleep(0.4)
            return store.round_trips - count

    assert gathered(1) == 1
    between.mood = "full"
    with pytest.raises(StoreError):
        gathered(2)
    between.mood = "pass"
    assert store.graph(STATE) == [quad("a", 1, STATE)]


@pytest.mark.parametrize("mood", ["html", "nonsense", "dribbling body", "cut before", "denied", "elsewhere", "broken"])
def test_what_is_no_store_is_refused_at_the_start(between: Between, mood: str) -> None:
    between.mood = f"all {mood}"
    with pytest.raises(StoreError) as caught:
        RemoteStore.open_at(at(between.base, secret=SECRET, seconds=PATIENCE))
    assert caught.value.remedy
    assert "hunter2" not in str(caught.value)


def test_nothing_goes_where_a_server_sends_it(between: Between, store: RemoteStore, servers: Servers) -> None:
    between.mood = "elsewhere"
    count = len(between.seen)
    with pytest.raises(StoreError):
        store.write(insert=[quad("b", 2)])
    assert len(between.seen) == count + 1


def test_nobody_answers(servers: Servers) -> None:
    with pytest.raises(StoreUnreachableError) as caught:
        RemoteStore.open_at(at("http://127.0.0.1:9/"))
    assert "See whether it runs there" in str(caught.value)


def test_a_server_that_is_killed_in_the_middle_of_an_update_has_done_it_whole_or_not_at_all(tmp_path: Path) -> None:
    server = start_oxigraph(tmp_path, on_disk=True)
    try:
        _killed(server)
    finally:
        server.stop()


def _killed(server: Started) -> None:
    with RemoteStore.open_at(at(server.base)) as store:
        store.write(insert=[quad("a", 1)])
        many = [quad(f"thing{number}", number) for number in range(60_000)]
        killer = threading.Timer(0.25, server.kill)
        killer.start()
        with pytest.raises(StoreUnreachableError):
            _written_for_ever(store, many)
        with pytest.raises(StoreUnreachableError):
            store.graph(HOME)
        killer.join()
        server.start()
        assert set(store.graph(HOME)) in ({quad("a", 1)}, set(many))
        store.write(clear=[HOME], insert=[quad("b", 2)])
        assert store.graph(HOME) == [quad("b", 2)]


def test_a_server_that_was_started_anew_in_between_is_spoken_to_as_if_nothing_had_been(tmp_path: Path) -> None:
    server = start_oxigraph(tmp_path, on_disk=True)
    try:
        with RemoteStore.open_at(at(server.base)) as store:
            store.write(insert=[quad("a", 1)])
            server.stop()
            server.start()
            store.write(insert=[quad("b", 2)])
            server.stop()
            server.start()
            assert not store.freshen()
            assert set(store.graph(HOME)) == {quad("a", 1), quad("b", 2)}
    finally:
        server.stop()


def _written_for_ever(store: RemoteStore, quads: list[Quad]) -> None:
    while True:
        store.write(clear=[HOME], insert=quads)


def test_a_store_that_only_reads_is_refused(tmp_path: Path) -> None:
    writable = start_oxigraph(tmp_path, on_disk=True)
    writable.stop()
    writable._command[1] = "serve-read-only"
    writable.start()
    try:
        with pytest.raises(StoreError) as caught:
            RemoteStore.open_at(at(writable.base))
        assert caught.value.remedy
    finally:
        writable.stop()


@pytest.mark.virtuoso
def test_wrong_credentials_are_refused_without_being_told(servers: Servers) -> None:
    with pytest.raises(StoreError) as caught:
        RemoteStore.open_at(virtuoso_access(servers.server("virtuoso").base, password="hunter2"))
    assert "does not let us in" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_an_update_in_a_query_is_never_sent(store: RemoteStore) -> None:
    count = store.round_trips
    for text in (
        "DROP ALL",
        "INSERT DATA { <x:x> <x:x> 1 }",
        "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    ):
        with pytest.raises(QueryError):
            store.query_text(text)
    assert store.round_trips == count
    assert ONTOLOGY in store.graphs()


# Secrets


def test_a_password_never_travels_in_the_clear_but_on_this_machine() -> None:
    with pytest.raises(SettingError) as caught:
        at("http://sparql.example/home", secret=SECRET)
    assert "https" in caught.value.remedy
    assert at("https://sparql.example/home", secret=SECRET).update == "https://sparql.example/home/update"
    assert at("http://[::1]:7878", secret=SECRET)
    assert "hunter2" not in repr(at("https://sparql.example", secret=SECRET)) + repr(SECRET)


@pytest.mark.parametrize(
    ("content", "mode", "told"),
    [
        ('username = "a"\npassword = "hunter2"', 0o644, "chmod 600"),
        ('username = "a"\npassword = hunter2', 0o600, "TOML"),
        ('user = "a"\npassword = "hunter2"', 0o600, "wrong"),
        ('username = "a"\npassword = 7', 0o600, "wrong"),
        ('username = "a"\npassword = "hunter2"\nmethod = "ntlm"', 0o600, "basic or digest"),
        (None, 0o600, "cannot be read"),
    ],
)
def test_a_file_of_secrets_that_cannot_be_used_is_refused_and_not_quoted(
    tmp_path: Path, content: str | None, mode: int, told: str
) -> None:
    file = tmp_path / "secret.toml"
    if content is not None:
        file.write_text(content)
        file.chmod(mode)
    with pytest.raises(SettingError) as caught:
        remote_access.read_secret(file)
    assert told in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_token_or_a_name_with_a_password_comes_from_a_file_and_goes_with_every_request(
    between: Between, tmp_path: Path
) -> None:
    file = tmp_path / "secret.toml"
    for content, header in (('token = "t0ken"', "Bearer t0ken"), ('username = "a"\npassword = "b"', "Basic YTpi")):
        file.write_text(content)
        file.chmod(0o600)
        del between.seen[:]
        store: GraphStore = RemoteStore.open_at(at(between.base, secret=remote_access.read_secret(file)))
        store.close()
        assert between.seen
        assert {sent for _, sent in between.seen} == {header}
    assert remote_access.read_secret(None) == Secret()
