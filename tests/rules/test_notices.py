"""What rules tell: carried to a webhook, again where nobody answered, and never held against the rule."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

import pytest

from engine.environment.changes import Hub
from engine.environment.http.webhook import posted
from engine.errors import BindingError
from engine.rules.messenger import Messenger
from engine.rules.notices import Notice

NOTICE = Notice("urn:rule", "the fridge has been open for two minutes", "kim", datetime(2026, 3, 1, 7, tzinfo=UTC))


class Hook:
    """A server that hears of notices; it answers with the statuses that it is given, then with 204."""

    def __init__(self, *statuses: int) -> None:
        self.heard: Queue[object] = Queue()
        left, heard = list(statuses), self.heard

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                heard.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(left.pop(0) if left else 204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def hook() -> Iterator[Hook]:
    found = Hook(503, 500)
    yield found
    found.server.shutdown()
    found.server.server_close()


def test_a_notice_is_posted_and_tried_again_where_nobody_took_it(hook: Hook) -> None:
    hub: Hub[Notice] = Hub()
    messenger = Messenger(hub, [lambda one: posted(hook.url, one.to_json(), 5.0)], pauses=(0.0, 0.0, 0.0))
    hub.publish([NOTICE])
    told = [hook.heard.get(timeout=10) for _ in range(3)]
    messenger.close()
    assert told == [NOTICE.to_json()] * 3
    assert hook.heard.empty()


def test_one_carrier_that_fails_does_not_keep_another_from_it(hook: Hook) -> None:
    hub: Hub[Notice] = Hub()
    heard: Queue[Notice] = Queue()

    def lost(_: Notice) -> None:
        raise BindingError("nobody is there", reason="unavailable")

    messenger = Messenger(hub, [lost, heard.put], pauses=(0.0,))
    hub.publish([NOTICE])
    assert heard.get(timeout=10) == NOTICE
    messenger.close()


def test_a_webhook_that_does_not_answer_is_told_as_unavailable() -> None:
    with pytest.raises(BindingError) as fault:
        posted("http://127.0.0.1:9/hook", {}, 1.0)
    assert fault.value.reason == "unavailable"
