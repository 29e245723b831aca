"""Events that devices tell of, by server-sent events and long polling, reach whoever listens to the event hub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from engine.environment.changes import Happened, Resynchronise
from engine.environment.http import observe
from engine.environment.http.observe import Watch
from engine.graph.terms import Json
from tests.environment.http_servers import DOCUMENT, INTEGER, Handler, Server, Setup, event, form, living, prop, serving
from tests.environment.test_http_observe import stream
from tests.waiting import eventually

SSE = form("alarms", operation="subscribeEvent", more='hctl:forSubProtocol "sse"')
LONG = form("wait", operation="subscribeEvent", more='hctl:forSubProtocol "longpoll"')
NUMBER = f"td:hasNotificationSchema [ a {INTEGER} ]"
ALARM = f"{DOCUMENT}#events/alarm"


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observe, "FIRST_PAUSE", 0.02)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as one:
        yield one


def told(setup: Setup, stream_of: Queue[bytes], *sent: bytes, expected: int) -> list[tuple[str, Json]]:
    """What the hub hears of when the device sends this."""
    with setup.state.events.subscribe() as news, setup.binding.observe():
        for data in sent:
            stream_of.put(data)
        heard = [news.take(2) for _ in range(expected)]
        assert news.take(0.1) is None
    return [(one.event, one.data) for one in heard if isinstance(one, Happened)]


def test_each_event_of_a_stream_is_heard_also_one_that_is_like_the_last(server: Server, tmp_path: Path) -> None:
    queue: Queue[bytes] = Queue()
    server.route("GET", "/alarms", lambda h: stream(h, queue))
    with living(tmp_path, server.url, event("alarm", NUMBER, LONG, SSE)) as setup:
        heard = told(setup, queue, b"data: 5\n\ndata: 5\n\n", b"data: x\n\ndata: 1.5\n\n", b"data: 6\n\n", expected=3)
        assert heard == [(ALARM, 5), (ALARM, 5), (ALARM, 6)]
    assert server.seen[0].headers["Accept"] == "text/event-stream"


def test_an_answer_to_a_long_poll_is_an_event_and_then_it_is_asked_again(server: Server, tmp_path: Path) -> None:
    answers: Queue[tuple[object, int]] = Queue()

    def wait(handler: Handler) -> None:
        body, status = answers.get(timeout=5)
        handler.answer(body, status=status)

    server.route("GET", "/wait", wait)
    with living(tmp_path, server.url, event("alarm", NUMBER, LONG)) as setup:
        with setup.state.events.subscribe() as news, setup.binding.observe() as following:
            assert [one.way for one in following.watched] == [Watch.LONG_POLL]
            for answer in ((7, 200), (None, 204), ("nonsense", 200), (8, 200)):
                answers.put(answer)
            assert [one.data for one in (news.take(3), news.take(3)) if one] == [7, 8]
        answers.put((None, 204))
        answers.put((None, 204))


def test_an_event_without_data_is_heard_as_such(server: Server, tmp_path: Path) -> None:
    answers: Queue[int] = Queue()
    server.route("GET", "/wait", lambda h: h.answer(None, status=answers.get(timeout=5)))
    with living(tmp_path, server.url, event("alarm", LONG)) as setup:
        with setup.state.events.subscribe() as news, setup.binding.observe([ALARM]):
            answers.put(200)
            one = news.take(3)
            assert one is not None
            assert (one.event, one.data) == (ALARM, None)
        answers.put(204)
        answers.put(204)


def test_events_without_a_way_to_be_told_are_left_out_and_properties_are_followed_beside(
    server: Server, tmp_path: Path
) -> None:
    queue: Queue[bytes] = Queue()
    server.route("GET", "/level", 3)
    server.route("GET", "/alarms", lambda h: stream(h, queue))
    plain = event("plain", form("plain", operation="subscribeEvent"))
    level = prop("level", INTEGER, form("level", operation="readProperty"))
    with (
        living(tmp_path, server.url, level, plain, event("alarm", NUMBER, SSE)) as setup,
        setup.binding.observe(poll_seconds=0.05) as following,
    ):
        assert {one.affordance.name for one in following.watched} == {"level", "alarm"}
        assert eventually(lambda: setup.state.get(setup.property("level")) == 3)
        assert eventually(lambda: server.count("GET", "/alarms") == 1)


def test_who_listens_too_slowly_is_told_so(server: Server, tmp_path: Path) -> None:
    queue: Queue[bytes] = Queue()
    server.route("GET", "/alarms", lambda h: stream(h, queue))
    with (
        living(tmp_path, server.url, event("alarm", NUMBER, SSE)) as setup,
        setup.state.events.subscribe(limit=2) as news,
        setup.binding.observe(),
    ):
        queue.put(b"data: 1\n\ndata: 2\n\ndata: 3\n\n")
        assert eventually(lambda: len(setup.state.events) == 0)
        with pytest.raises(Resynchronise):
            news.take(1)
