"""What devices do wrong: slow, refusing, breaking off, lying, failing with a success, endless, too long."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from engine.environment.binding import Call, Operation
from engine.environment.http import exchange
from engine.environment.http.exchange import PAUSES, REDIRECTS, Limits
from engine.errors import BindingError, HearthgraphError
from engine.graph.terms import Json
from tests.environment.http_servers import INTEGER, Handler, Server, Setup, action, form, living, prop, serving

TRIES = 1 + len(PAUSES)
TEXT = "js:StringSchema"


AFFORDANCES = (
    prop("level", INTEGER, form("level")),
    prop("name", TEXT, form("name", operation="readProperty")),
    action("toggle", "hg:Toggle", form("toggle")),
)
LIMITS = Limits(seconds=0.6, most=10_000)


@pytest.fixture(scope="module")
def one_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Setup]]:
    """A lamp with a level that can be read and written, a name, and an action."""
    with serving() as one, living(tmp_path_factory.mktemp("home"), one.url, *AFFORDANCES, limits=LIMITS) as setup:
        yield one, setup


@pytest.fixture
def server(one_home: tuple[Server, Setup], monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr(exchange, "PAUSES", (0.01, 0.01))
    one_home[0].routes.clear()
    one_home[0].seen.clear()
    return one_home[0]


@pytest.fixture
def home(one_home: tuple[Server, Setup], server: Server) -> Setup:
    setup = one_home[1]
    setup.state.write(dict.fromkeys(setup.state))
    return setup


def failing(
    setup: Setup, operation: Operation = Operation.READ, name: str = "level", payload: Json = None
) -> BindingError:
    """The error that a call ends with, which is one of ours, in time."""
    iri = setup.action(name) if operation is Operation.INVOKE else setup.property(name)
    with pytest.raises(BindingError) as caught:
        setup.binding.start(Call(operation, iri, payload)).result(5)
    return caught.value


def chunked(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()


def slow(handler: Handler) -> None:
    handler.server.stopping.wait(3)


def dripping(handler: Handler) -> None:
    """Each byte comes in time, all of them never do."""
    for byte in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100:
        handler.wfile.write(bytes((byte,)))
        if handler.server.stopping.wait(0.2):
            break
    handler.close_connection = True


def endless(handler: Handler) -> None:
    chunked(handler)
    while not handler.server.stopping.is_set():
        handler.wfile.write(b"100\r\n" + b"1" * 256 + b"\r\n")


def endless_drip(handler: Handler) -> None:
    chunked(handler)
    while not handler.server.stopping.wait(0.1):
        handler.wfile.write(b"1\r\n1\r\n")


@pytest.mark.parametrize("how", [slow, dripping, endless_drip])
def test_a_device_that_is_slow_is_given_up_in_time(home: Setup, server: Server, how: Callable[[Handler], None]) -> None:
    server.route("GET", "/level", how)
    assert failing(home).reason == "timeout"


def test_a_device_that_streams_for_ever_or_answers_hugely_is_cut_off(home: Setup, server: Server) -> None:
    server.route("GET", "/level", endless)
    server.route("GET", "/name", lambda h: h.answer(b"x" * 1_000_000, kind="text/plain"))
    assert failing(home).reason == "bad_answer"
    assert failing(home, name="name").reason == "bad_answer"


def test_a_device_that_refuses_the_connection_is_unavailable(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with living(tmp_path, url, prop("level", INTEGER, form("level"))) as setup:
            assert failing(setup).reason == "unavailable"


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Ty",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n40",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n40\r\n5\r\n",
        b"SSH-2.0-OpenSSH_9.7\r\n",
        b"\x00\xff\x16\x03" * 50,
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n40",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 200_000 + b"\r\n\r\n40",
    ],
)
def test_a_device_that_breaks_off_or_speaks_no_http_has_failed(home: Setup, server: Server, said: bytes) -> None:
    server.route("GET", "/level", lambda h: h.raw(said))
    assert failing(home).reason in ("device_failed", "bad_answer")
    assert home.property("level") not in home.state


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html>Log in</html>", "text/html"),
        (b"<html>Log in</html>", "application/json"),
        (b'{"level": ', "application/json"),
        (b"NaN", "application/json"),
        (b"1e999", "application/json"),
        (b'"forty"', "application/json"),
        (b"true", "application/json"),
        (b"40.5", "application/json"),
        (b"null", "application/json"),
        (b"[40]", "application/json"),
        (b'{"other": 40}', "application/json"),
        (b"[" * 9_000, "application/json"),
        (b"9" * 9_000, "application/json"),
        (b"\xff\xfe4", "application/json"),
        (b"\xff", "text/plain; charset=utf-8"),
        (b"40", "application/json; charset=no-such-charset"),
        (b"", "application/json"),
    ],
)
def test_an_answer_that_is_not_what_it_claims_is_refused_and_not_stored(
    home: Setup, server: Server, body: bytes, kind: str
) -> None:
    server.route("GET", "/level", lambda h: h.answer(body, kind=kind))
    if kind.endswith("no-such-charset"):  # JSON is UTF-8, whatever is said
        assert home.binding.start(Call(Operation.READ, home.property("level"))).result(5) == 40
        return
    assert failing(home).reason == "bad_answer"
    assert home.property("level") not in home.state


@pytest.mark.parametrize("kind", ["text/plain", "text/html", "", "application/octet-stream", "nonsense"])
def test_json_that_claims_to_be_something_else_is_read(home: Setup, server: Server, kind: str) -> None:
    server.route("GET", "/level", lambda h: h.answer(b"40", kind=kind))
    server.route("GET", "/name", lambda h: h.answer(b'"Desk"', kind=kind))
    assert home.binding.start(Call(Operation.READ, home.property("level"))).result(5) == 40
    assert home.binding.start(Call(Operation.READ, home.property("name"))).result(5) == "Desk"


def test_a_compressed_answer_that_nobody_asked_for_is_refused(home: Setup, server: Server) -> None:
    server.route("GET", "/level", lambda h: h.answer(b"40", Content_Encoding="gzip"))
    assert failing(home).reason == "bad_answer"
    assert server.seen[0].headers["Accept-Encoding"] == "identity"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"error": {"description": "lamp is unplugged"}}, "lamp is unplugged"),
        ([{"error": {"type": 201, "description": "device is off"}}], "device is off"),
        ({"success": False, "message": "bad level"}, "bad level"),
        ({"status": "error", "detail": "no power"}, "no power"),
        ({"ok": False}, "failure"),
        ({"errors": ["x"]}, "failure"),
    ],
)
def test_a_success_that_tells_of_an_error_is_a_failure(home: Setup, server: Server, answer: Json, words: str) -> None:
    for method, path in (("GET", "/level"), ("PUT", "/level"), ("POST", "/toggle")):
        server.route(method, path, answer)
    for error in (
        failing(home),
        failing(home, Operation.WRITE, payload=5),
        failing(home, Operation.INVOKE, "toggle"),
    ):
        assert error.reason == "device_failed"
        assert words in error.message


def test_a_success_that_says_so_is_one(home: Setup, server: Server) -> None:
    for answer in ({"success": True, "error": None}, {"status": "ok"}, [{"success": {"/on": True}}]):
        server.route("POST", "/toggle", answer)
        home.binding.start(Call(Operation.INVOKE, home.action("toggle"))).result(5)
    server.route("POST", "/toggle", lambda h: h.answer(b"OK", kind="text/plain"))
    home.binding.start(Call(Operation.INVOKE, home.action("toggle"))).result(5)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, "device_failed"),
        (401, "unauthorized"),
        (403, "unauthorized"),
        (404, "device_failed"),
        (405, "device_failed"),
        (408, "timeout"),
        (429, "unavailable"),
        (500, "device_failed"),
        (502, "unavailable"),
        (503, "unavailable"),
        (504, "timeout"),
        (304, "device_failed"),
        (999, "device_failed"),
    ],
)
def test_a_status_has_its_reason(home: Setup, server: Server, status: int, reason: str) -> None:
    server.route("PUT", "/level", lambda h: h.answer({"detail": "because\r\n of\x1b[31m this"}, status=status))
    error = failing(home, Operation.WRITE, payload=5)
    assert error.reason == reason
    assert "\x1b" not in error.message
    assert server.count("PUT", "/level") == 1


def test_what_is_safe_is_tried_again_and_what_is_not_is_not(home: Setup, server: Server) -> None:
    def second_time(handler: Handler) -> None:
        if server.count("GET", "/level") < 2:
            handler.answer(status=503)
        else:
            handler.answer(40)

    server.route("GET", "/level", second_time)
    assert home.binding.start(Call(Operation.READ, home.property("level"))).result(5) == 40
    for path in ("/name", "/toggle"):
        server.route("GET" if path == "/name" else "POST", path, lambda h: h.raw(b""))
    assert failing(home, name="name").reason == "device_failed"
    assert server.count("GET", "/name") == TRIES
    assert failing(home, Operation.INVOKE, "toggle").reason == "device_failed"
    assert server.count("POST", "/toggle") == 1


def to(location: str, status: int = 302) -> Callable[[Handler], None]:
    return lambda handler: handler.answer(status=status, Location=location)


def test_redirects_are_followed_so_many_times(home: Setup, server: Server) -> None:
    server.route("GET", "/level", to("/one"))
    server.route("GET", "/one", to(f"{server.url}/two", 308))
    server.route("GET", "/two", 40)
    assert home.binding.start(Call(Operation.READ, home.property("level"))).result(5) == 40
    server.route("GET", "/name", to("/name"))
    assert failing(home, name="name").reason == "bad_answer"
    assert server.count("GET", "/name") == 1 + REDIRECTS


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data", "host_not_allowed"),
        ("http://evil.example/", "host_not_allowed"),
        ("http://10.0.0.1/", "host_not_allowed"),
        ("file:///etc/passwd", "bad_answer"),
        ("javascript:alert(1)", "bad_answer"),
        ("http://", "bad_answer"),
        ("http://[::1", "bad_answer"),
    ],
)
def test_a_redirect_is_checked_as_a_target_is(home: Setup, server: Server, location: str, reason: str) -> None:
    server.route("GET", "/level", to(location))
    assert failing(home).reason in (reason, "host_not_allowed", "device_failed")


def test_what_acts_is_sent_again_only_where_the_device_asks_for_the_same_method(home: Setup, server: Server) -> None:
    server.route("POST", "/toggle", to("/moved", 302))
    assert failing(home, Operation.INVOKE, "toggle").reason == "bad_answer"
    server.route("POST", "/toggle", to("/moved", 307))
    server.route("POST", "/moved", None)
    home.binding.start(Call(Operation.INVOKE, home.action("toggle"))).result(5)
    assert server.count("POST", "/moved") == 1
    with serving() as other:
        server.route("POST", "/toggle", to(f"{other.url}/moved", 307))
        assert failing(home, Operation.INVOKE, "toggle").reason == "bad_answer"
        assert other.seen == []


def test_a_done_action_is_done_though_nothing_can_be_read_back(home: Setup, server: Server) -> None:
    server.route("PUT", "/level", None)
    server.route("GET", "/level", lambda h: h.answer(status=500))
    home.binding.start(Call(Operation.WRITE, home.property("level"), 5)).result(5)
    assert home.property("level") not in home.state


def test_a_call_that_is_given_up_ends_and_a_closed_binding_takes_none(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/level", slow)
    with living(tmp_path, server.url, *AFFORDANCES) as home:
        call = Call(Operation.READ, home.property("level"))
        future = home.binding.start(call)
        assert future.cancel()
        with pytest.raises(CancelledError):
            future.result(1)
        pending = home.binding.start(call)
        home.binding.close()
        with pytest.raises((CancelledError, HearthgraphError)):
            pending.result(1)
        with pytest.raises(BindingError):
            home.binding.start(call).result(1)
