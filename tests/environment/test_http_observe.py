"""Following devices: server-sent events, long polling, asking again and again; and what comes in between."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from queue import Empty, Queue

import pytest

from engine.environment.http import observe
from engine.environment.http.observe import Watch
from engine.graph.terms import Json
from tests.environment.http_servers import INTEGER, Handler, Server, Setup, form, living, prop, serving
from tests.waiting import eventually

OBSERVED = "td:isObservable true"
READ = form("level", operation="readProperty")
EVENTS = form("events", operation="observeProperty", more='hctl:forSubProtocol "sse"')
LONG = form("long", operation="observeProperty", more='hctl:forSubProtocol "longpoll"')


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observe, "FIRST_PAUSE", 0.02)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as one:
        yield one


def shows(setup: Setup, value: Json, name: str = "level") -> bool:
    """Whether the state shows the value, now or soon."""
    return eventually(lambda: setup.state.get(setup.property(name)) == value)


def stream(handler: Handler, queue: Queue[bytes]) -> None:
    """Sends what is put into the queue, as it comes; nothing ends the stream."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream; charset=utf-8")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    while not handler.server.stopping.is_set():
        try:
            data = queue.get(timeout=0.05)
        except Empty:
            continue
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        handler.wfile.flush()
        if not data:
            handler.close_connection = True
            return


def test_events_are_preferred_and_written_into_the_state(server: Server, tmp_path: Path) -> None:
    queue: Queue[bytes] = Queue()
    server.route("GET", "/level", 1)
    server.route("GET", "/events", lambda h: stream(h, queue))
    with living(tmp_path, server.url, prop("level", INTEGER, OBSERVED, READ, LONG, EVENTS)) as setup:
        with setup.binding.observe() as following, setup.state.hub.subscribe() as news:
            assert [one.way for one in following.watched] == [Watch.EVENTS]
            assert shows(setup, 1)
            for data, value in (
                (b"data: 2\n\n", 2),
                (b": a comment\r\nevent: level\r\nid: 7\r\ndata: 3\r\n\r\n", 3),
                (b"da", 3),
                (b"ta:4\n", 3),
                (b"\n", 4),
                (b"data: much\n\ndata: [\ndata: ]\n\nretry: 5\n\ndata: 5\n\n", 5),
            ):
                queue.put(data)
                assert shows(setup, value)
            changes = [news.take(1) for _ in range(4)]
            assert [change.after for change in changes if change] in ([1, 2, 3, 4], [2, 3, 4, 5])
        assert next(one for one in server.seen if one.path == "/events").headers["Accept"] == "text/event-stream"


def test_a_stream_that_ends_is_opened_anew_and_the_value_is_read_first(server: Server, tmp_path: Path) -> None:
    queue: Queue[bytes] = Queue()
    values = count(10)
    server.route("GET", "/level", lambda h: h.answer(next(values)))
    server.route("GET", "/events", lambda h: stream(h, queue))
    level = prop("level", INTEGER, OBSERVED, READ, EVENTS)
    with living(tmp_path, server.url, level) as setup, setup.binding.observe():
        assert shows(setup, 10)
        queue.put(b"")
        assert shows(setup, 11)


def test_a_stream_with_an_event_that_never_ends_is_left(server: Server, tmp_path: Path) -> None:
    sent = (b"data: " + b"1" * 20_000, b"data: 1\n" * 2_000, b"data:\n" * 5_000, b"data: 8\n\n")

    def next_stream(handler: Handler) -> None:
        queue: Queue[bytes] = Queue()
        queue.put(sent[min(server.count("GET", "/events"), len(sent)) - 1])
        stream(handler, queue)

    server.route("GET", "/events", next_stream)
    with living(tmp_path, server.url, prop("level", INTEGER, OBSERVED, EVENTS)) as setup, setup.binding.observe():
        assert shows(setup, 8)
    assert server.count("GET", "/events") == len(sent)


def test_what_is_no_stream_of_events_is_not_followed(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/events", 40)
    with living(tmp_path, server.url, prop("level", INTEGER, OBSERVED, EVENTS)) as setup, setup.binding.observe():
        assert eventually(lambda: server.count("GET", "/events") >= 2)
        assert len(setup.state) == 0


def test_long_polling_asks_again_after_each_answer(server: Server, tmp_path: Path) -> None:
    queue: Queue[int] = Queue()
    server.route("GET", "/level", 1)
    server.route("GET", "/long", lambda h: h.answer(queue.get(timeout=5)))
    with living(tmp_path, server.url, prop("level", INTEGER, OBSERVED, READ, LONG)) as setup:
        with setup.binding.observe() as following:
            assert [one.way for one in following.watched] == [Watch.LONG_POLL]
            assert shows(setup, 1)
            queue.put(2)
            assert shows(setup, 2)
            queue.put(3)
            assert shows(setup, 3)
        queue.put(4)


def test_what_tells_of_nothing_is_asked_again_and_again(server: Server, tmp_path: Path) -> None:
    values = count(1)
    server.route("GET", "/level", lambda h: h.answer(next(values)))
    with living(tmp_path, server.url, prop("level", INTEGER, READ)) as setup:
        with setup.binding.observe(poll_seconds=0.05) as following:
            assert [one.way for one in following.watched] == [Watch.POLL]
            assert eventually(lambda: setup.state.get(setup.property("level"), 0) >= 3)  # type: ignore[operator]
        time.sleep(0.1)
        asked = server.count("GET", "/level")
        time.sleep(0.15)
        assert server.count("GET", "/level") == asked


def test_a_device_that_fails_holds_up_no_other_and_is_asked_again(server: Server, tmp_path: Path) -> None:
    def after_a_while(handler: Handler) -> None:
        if server.count("GET", "/level") < 3:
            handler.answer("much")
        else:
            handler.answer(7)

    server.route("GET", "/level", after_a_while)
    server.route("GET", "/other", 9)
    other = prop("other", INTEGER, form("other", operation="readProperty"))
    level = prop("level", INTEGER, READ)
    with living(tmp_path, server.url, level, other) as setup, setup.binding.observe(poll_seconds=5):
        assert shows(setup, 9, "other")
        assert shows(setup, 7)


def test_only_what_is_asked_for_and_can_be_followed_is(server: Server, tmp_path: Path) -> None:
    other = prop("other", INTEGER, form("other", operation="writeProperty"))
    with living(tmp_path, server.url, prop("level", INTEGER, READ), other) as setup:
        with setup.binding.observe() as following:
            assert [one.affordance.name for one in following.watched] == ["level"]
        with setup.binding.observe([setup.property("other")]) as following:
            assert following.watched == ()
