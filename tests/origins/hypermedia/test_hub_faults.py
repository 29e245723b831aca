"""The hub with subscribers that fail: silent, gone, refusing, run out, a hundred at once; and over a restart."""

from __future__ import annotations

import hmac
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.environment.http.addresses import PublicHosts
from engine.errors import BindingError, SettingError
from engine.hearthgraph import Hearthgraph
from engine.origins.hypermedia.platform.web import Webs
from engine.origins.hypermedia.websub.hub.deliveries import Patience
from engine.origins.hypermedia.websub.hub.hub import Hub, Leases, Limits
from engine.origins.hypermedia.websub.hub.subscriptions import NoRoom, Room, Subscription
from tests.homes import a_home
from tests.server.platform.subscribers import Subscriber, subscriber
from tests.waiting import until

BASE = "http://127.0.0.1:8008"
PAGE = f"{BASE}/workspaces/lab308/artifacts/light308"
TOPIC = f"{PAGE}/properties"
QUICK = Patience(tries=3, first_pause=0.1, longest_pause=0.4, dead=60.0)


@pytest.fixture(scope="module")
def home() -> Iterator[Hearthgraph]:
    with a_home("lab308.ttl") as found:
        yield found


@pytest.fixture
def peer() -> Iterator[Subscriber]:
    with subscriber() as own:
        yield own


@contextmanager
def hub(home: Hearthgraph, kept: Path | None = None, **limits: Any) -> Iterator[Hub]:
    limits = {"patience": QUICK, "seconds": 1.0, "sweep": 0.1, **limits}
    webs = Webs(home.store, home.registry, home.state)
    hosts = PublicHosts(("localhost",))
    own = Hub(webs, home.state, home.store, hosts=hosts, kept=kept, limits=Limits(**limits))
    try:
        yield own
    finally:
        own.close()


def subscribe(hub: Hub, peer: Subscriber, path: str = "/", topic: str = TOPIC, **more: str) -> None:
    form = {"hub.mode": "subscribe", "hub.topic": topic, "hub.callback": peer.url + path}
    hub.accept(form | {key.replace("_", ".", 1): value for key, value in more.items()}, BASE)
    until(lambda: known(hub, peer, path, topic))


def known(hub: Hub, peer: Subscriber, path: str = "/", topic: str = TOPIC) -> Subscription | None:
    return hub.subscriptions.find((topic, peer.url + path))


def setter(home: Hearthgraph) -> Callable[[int], None]:
    """What sets the brightness, as the device tells it."""
    iri = next(iri for iri in home.registry.properties if iri.endswith("light308#properties/brightness"))
    home.state.write({iri: 0})
    return lambda value: home.state.write({iri: value})  # type: ignore[return-value]


def last(peer: Subscriber, path: str = "/") -> Any:
    told = peer.delivered(path)
    return json.loads(told[-1].body)["brightness"] if told else None


def test_one_that_never_answers_delays_nobody_and_is_given_up(home: Hearthgraph, peer: Subscriber) -> None:
    bright = setter(home)
    patience = Patience(tries=2, first_pause=0.1, longest_pause=0.2, dead=2.0)
    with hub(home, patience=patience, seconds=0.5) as own:
        subscribe(own, peer, "/silent")
        subscribe(own, peer, "/well")
        peer.silent.add("/silent")
        began = time.monotonic()
        bright(10)
        until(lambda: last(peer, "/well") == 10)
        for value in range(11, 200):
            bright(value % 100)
            until(lambda value=value: last(peer, "/well") == value % 100)  # type: ignore[misc]
            if not known(own, peer, "/silent"):
                break
        assert not known(own, peer, "/silent")
        assert time.monotonic() - began >= 2.0
        assert known(own, peer, "/well")
        until(lambda: [c for c in peer.asked("/silent") if c.query["hub.mode"] == "denied"])


def test_one_that_says_it_is_gone_is_dropped_at_once(home: Hearthgraph, peer: Subscriber) -> None:
    bright = setter(home)
    with hub(home) as own:
        subscribe(own, peer, "/gone")
        subscribe(own, peer, "/well")
        peer.answers["/gone"] = 410
        bright(1)
        until(lambda: not known(own, peer, "/gone"))
        bright(2)
        until(lambda: last(peer, "/well") == 2)
        assert len(peer.delivered("/gone")) == 1


def test_a_lease_that_has_run_out_is_over(home: Hearthgraph, peer: Subscriber) -> None:
    bright = setter(home)
    with hub(home, leases=Leases(least=1, most=1, usual=1)) as own:
        subscribe(own, peer)
        until(lambda: not known(own, peer))
        told = len(peer.delivered())
        bright(2)
        time.sleep(0.5)
        assert len(peer.delivered()) == told


@pytest.mark.parametrize("status", [500, 302, 404])
def test_what_failed_is_tried_again_and_only_the_newest(home: Hearthgraph, peer: Subscriber, status: int) -> None:
    bright = setter(home)
    with hub(home) as own:
        subscribe(own, peer)
        peer.answers["/"] = status
        bright(1)
        until(lambda: peer.delivered())
        for value in range(2, 10):
            bright(value)
        peer.answers.clear()
        until(lambda: last(peer) == 9)
        assert len(peer.delivered()) < 9


def test_after_its_tries_a_version_is_left_and_the_next_is_tried(home: Hearthgraph, peer: Subscriber) -> None:
    bright = setter(home)
    with hub(home) as own:
        subscribe(own, peer)
        peer.answers["/"] = 503
        bright(1)
        until(lambda: len(peer.delivered()) == QUICK.tries)
        time.sleep(1.0)
        assert len(peer.delivered()) == QUICK.tries
        assert known(own, peer)
        peer.answers.clear()
        bright(2)
        until(lambda: last(peer) == 2)


@pytest.mark.slow
def test_a_hundred_subscribers_with_one_dead_at_200_changes_a_second(home: Hearthgraph, peer: Subscriber) -> None:
    bright = setter(home)
    with hub(home, room=Room(of_topic=200), seconds=5.0) as own:
        for number in range(100):
            subscribe(own, peer, f"/{number}")
        peer.silent.add("/0")
        for count in range(400):
            bright(count % 99)
            time.sleep(0.005)
        bright(100)
        until(lambda: all(last(peer, f"/{number}") == 100 for number in range(1, 100)))
        told = [len(peer.delivered(f"/{number}")) for number in range(1, 100)]
        assert max(told) < 400, "changes are told together"
        assert len(peer.delivered("/0")) <= 10


def test_subscriptions_survive_a_restart_in_a_file_of_their_owner_alone(
    home: Hearthgraph, peer: Subscriber, tmp_path: Path
) -> None:
    bright = setter(home)
    kept = tmp_path / "subscriptions.json"
    with hub(home, kept) as own:
        subscribe(own, peer, hub_secret="s3cr3t-7f1")
        before = known(own, peer)
        until(kept.exists)
    assert kept.stat().st_mode & 0o777 == 0o600
    assert not any("s3cr3t-7f1" in str(quad) for name in home.store.graphs() for quad in home.store.graph(name))
    bright(50)
    with hub(home, kept) as own:
        assert known(own, peer) == before
        until(lambda: last(peer) == 50)
        told = peer.delivered()[-1]
        assert told.headers["X-Hub-Signature"] == f"sha256={hmac.new(b's3cr3t-7f1', told.body, 'sha256').hexdigest()}"
        bright(51)
        until(lambda: last(peer) == 51)
    kept.chmod(0o644)
    with pytest.raises(SettingError), hub(home, kept):
        pass


def test_subscribers_of_what_is_taken_out_are_denied(peer: Subscriber) -> None:
    with a_home("lab308.ttl") as home, hub(home) as own:
        subscribe(own, peer)
        subscribe(own, peer, "/room", f"{BASE}/workspaces/lab308")
        home.registry.remove(next(t.iri for t in home.registry.things.values() if t.title == "Light308"))
        denied = until(lambda: [c for c in peer.asked() if c.query["hub.mode"] == "denied"])[0]
        assert denied.query["hub.topic"] == TOPIC
        assert denied.query["hub.reason"]
        assert not known(own, peer)
        told = until(lambda: peer.delivered("/room"))[-1]
        assert b"light308" not in told.body


def test_no_more_subscriptions_are_taken_than_there_is_room_for(home: Hearthgraph, peer: Subscriber) -> None:
    with hub(home, room=Room(of_topic=2, at_host=3, in_all=10)) as own:
        subscribe(own, peer, "/1")
        subscribe(own, peer, "/2")
        with pytest.raises(NoRoom):
            subscribe(own, peer, "/3")
        subscribe(own, peer, "/3", PAGE)
        with pytest.raises(NoRoom):
            subscribe(own, peer, "/4", PAGE)
        subscribe(own, peer, "/2")


def test_one_that_answers_without_end_or_with_something_else_has_not_agreed(
    home: Hearthgraph, peer: Subscriber
) -> None:
    with hub(home) as own:
        for answer in (
            b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_000,
            b"HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n",
            b"\0\1",
        ):
            with socket.create_server(("127.0.0.1", 0)) as listening:
                form = {"hub.mode": "subscribe", "hub.topic": TOPIC}
                own.accept(form | {"hub.callback": f"http://127.0.0.1:{listening.getsockname()[1]}/"}, BASE)
                listening.settimeout(10)
                connection, _ = listening.accept()
                with connection:
                    connection.recv(10_000)
                    connection.sendall(answer)
            until(lambda: not own.asked)
        assert len(own.subscriptions) == 0


@pytest.mark.parametrize(
    ("address", "leads_to", "allowed", "fine"),
    [
        ("http://hooks.example/x", ["93.184.215.14"], (), True),
        ("http://hooks.example/x", ["10.1.2.3"], (), False),
        ("http://hooks.example/x", ["93.184.215.14", "127.0.0.1"], (), False),
        ("http://hooks.example/x", ["169.254.169.254"], ("hooks.example",), False),
        ("http://hooks.example/x", ["10.1.2.3"], ("hooks.example",), True),
        ("http://hooks.example/x", ["127.0.0.1"], ("hooks.example",), False),
        ("http://hooks.example/x", ["64:ff9b::a01:203"], (), False),
        ("http://hooks.example/x", ["2002:a01:203::1"], (), False),
        ("http://10.1.2.3:9/x", [], ("10.1.2.3:9",), True),
        ("http://10.1.2.3:8/x", [], ("10.1.2.3:9",), False),
        ("http://localhost/x", ["127.0.0.1"], ("localhost",), True),
        ("http://127.0.0.1/x", [], ("localhost",), True),
        ("http://localhost/x", ["10.1.2.3"], ("localhost",), False),
        ("http://localhost/x", ["127.0.0.1"], (), False),
    ],
)
def test_a_callback_may_be_in_the_open_net_or_where_the_settings_allow(
    address: str, leads_to: list[str], allowed: tuple[str, ...], fine: bool
) -> None:
    import asyncio

    async def resolver(host: str, port: int) -> list[str]:
        return leads_to

    hosts = PublicHosts(allowed, resolver)
    if fine:
        assert asyncio.run(hosts.resolve(httpx.URL(address)))
    else:
        with pytest.raises(BindingError) as refused:
            asyncio.run(hosts.resolve(httpx.URL(address)))
        assert refused.value.reason == "host_not_allowed"
