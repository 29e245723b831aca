"""A subscriber that others have written: Flask-WebSub finds the hub, subscribes, is told, renews and unsubscribes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from tests.homes import filled
from tests.server.serving import Serving, serving
from tests.waiting import until

websub = pytest.importorskip("flask_websub.subscriber")

LIGHT = "/workspaces/lab308/artifacts/light308"


@contextmanager
def peer(folder: Path) -> Iterator[tuple[Flask, Any, str]]:
    """The subscriber, served."""
    app = Flask("peer")
    storage = websub.SQLite3SubscriberStorage(str(folder / "long.sqlite3"))
    own = websub.Subscriber(storage, websub.SQLite3TempSubscriberStorage(str(folder / "short.sqlite3")))
    app.register_blueprint(own.build_blueprint(url_prefix="/callbacks"))
    server = make_server("127.0.0.1", 0, app)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield app, own, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Serving]:
    with serving(filled(tmp_path / "store", "lab308.ttl"), callback_hosts=("localhost",)) as served:
        yield served


@pytest.mark.slow
@pytest.mark.parametrize("secret", [None, "between us"])
def test_a_subscriber_of_others_makes_do_with_this_hub(
    lab: Serving, tmp_path: Path, secret: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It sends no secret over plain HTTP, which is wise; here there is nothing else.
    monkeypatch.setattr(websub, "is_secure", lambda _: secret is not None)
    told: list[tuple[str, str, bytes]] = []
    verified: list[str] = []
    with peer(tmp_path) as (app, own, url), app.test_request_context(base_url=url):
        own.add_listener(lambda *heard: told.append(heard))
        own.add_success_handler(lambda *heard: verified.append(heard[-1]))
        found = websub.discover(lab.url + LIGHT)
        assert found == {"hub_url": f"{lab.url}/hub", "topic_url": lab.url + LIGHT}
        callback = own.subscribe(**found, lease_seconds=600, **({"secret": secret} if secret else {}))
        until(lambda: len(lab.service.hub.subscriptions) == 1 and verified == ["subscribe"])
        assert own.storage[callback]["lease_seconds"] == 600
        lab.client.post(f"{LIGHT}/actions/turn_on")
        topic, heard, body = until(lambda: told)[0]
        assert (topic, heard) == (lab.url + LIGHT, callback)
        assert b'hg:value "on"' in body
        own.renew(callback)
        until(lambda: verified == ["subscribe", "subscribe"])
        own.unsubscribe(callback)
        until(lambda: len(lab.service.hub.subscriptions) == 0)
        assert verified[-1] == "unsubscribe"
