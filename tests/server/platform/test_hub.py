"""The hub, as W3C WebSub asks it to be: asked for, verified, told of, signed, and let go."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pyoxigraph import NamedNode, RdfFormat, parse

from tests.homes import filled
from tests.server.platform.subscribers import Subscriber, subscriber
from tests.server.serving import Serving, serving
from tests.waiting import until

LIGHT = "/workspaces/lab308/artifacts/light308"
VALUE = NamedNode("https://w3id.org/hearthgraph#value")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    store = filled(tmp_path_factory.mktemp("lab") / "store", "lab308.ttl")
    with serving(store, callback_hosts=("localhost",)) as served:
        yield served


@pytest.fixture
def peer() -> Iterator[Subscriber]:
    with subscriber() as own:
        yield own


@pytest.fixture(autouse=True)
def _nobody_is_left(lab: Serving) -> Iterator[None]:
    yield
    hub = lab.service.hub
    until(lambda: hub.asked == 0)  # a wish that is still being verified would be a subscription of the next test
    for topic in hub.subscriptions.topics():
        for one in hub.subscriptions.of(topic):
            hub.subscriptions.drop(one.key)


def links(answer: httpx.Response) -> dict[str, str]:
    found = re.findall(r'<([^>]*)>; rel="(\w+)"', answer.headers["Link"])
    return {relation: target for target, relation in found}


def ask(lab: Serving, peer: Subscriber, path: str = LIGHT, mode: str = "subscribe", **more: str) -> httpx.Response:
    """Asks the hub that a resource names, as a subscriber does."""
    found = links(lab.stranger.get(path))
    form = {"hub.mode": mode, "hub.topic": found["self"], "hub.callback": f"{peer.url}/", **more}
    return lab.stranger.post(found["hub"], data={key.replace("hub_", "hub."): value for key, value in form.items()})


def subscribed(lab: Serving, peer: Subscriber, path: str = LIGHT, **more: str) -> str:
    """Subscribes, waits until it is so, and gives the topic."""
    topic = links(lab.stranger.get(path))["self"]
    callback = more.get("hub_callback", f"{peer.url}/")
    assert ask(lab, peer, path, **more).status_code == 202
    until(lambda: lab.service.hub.subscriptions.find((topic, callback)))
    return topic


def turn(lab: Serving, value: str) -> None:
    assert lab.client.put(f"{LIGHT}/properties/on_off", json=value).status_code == 204


def values(body: bytes) -> dict[str, Any]:
    triples = [quad.triple for quad in parse(body, RdfFormat.TURTLE)]
    return {str(t.subject.value).rpartition("/")[2]: t.object.value for t in triples if t.predicate == VALUE}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "path", ["/workspaces", "/workspaces/lab308", LIGHT, f"{LIGHT}/properties", f"{LIGHT}/properties/on_off"]
)
def test_each_resource_names_its_hub_and_its_topic(lab: Serving, path: str) -> None:
    found = links(lab.stranger.get(path))
    assert found["hub"] == f"{lab.url}/hub"
    assert found["self"] == lab.url + path
    assert lab.stranger.head(path).headers["Link"] == lab.stranger.get(path).headers["Link"]


def test_each_form_of_a_resource_is_a_topic_of_its_own(lab: Serving) -> None:
    for media in ("text/turtle", "application/ld+json", "application/td+json"):
        topic = links(lab.stranger.get(LIGHT, headers={"Accept": media}))["self"]
        assert lab.stranger.get(topic, headers={"Accept": ""}).headers["Content-Type"].startswith(media)


def test_intent_is_verified_before_anything_is_told(lab: Serving, peer: Subscriber) -> None:
    answer = ask(lab, peer, hub_lease_seconds="300", hub_callback=f"{peer.url}/?own=a%20b&hub.mode=mine")
    assert (answer.status_code, answer.content) == (202, b"")
    asked = until(lambda: peer.asked())[0]
    assert asked.query["own"] == "a b"
    assert asked.query["hub.topic"] == lab.url + LIGHT
    assert asked.query["hub.lease_seconds"] == "300"
    assert len(asked.query["hub.challenge"]) >= 16
    assert not peer.delivered()


def test_a_subscriber_that_did_not_mean_it_is_not_subscribed(lab: Serving, peer: Subscriber) -> None:
    peer.agrees = lambda _: False
    assert ask(lab, peer).status_code == 202
    until(lambda: peer.asked() and lab.service.hub.asked == 0)
    turn(lab, "on")
    turn(lab, "off")
    assert len(lab.service.hub.subscriptions) == 0
    assert not peer.delivered()


def test_a_change_reaches_the_subscriber_as_it_would_be_read(lab: Serving, peer: Subscriber) -> None:
    turn(lab, "off")
    topic = subscribed(lab, peer)
    turn(lab, "on")
    read = lab.stranger.get(topic)
    told = until(lambda: [each for each in peer.delivered() if values(each.body)["on_off"] == "on"])[-1]
    assert told.body == read.content
    assert told.headers["Content-Type"] == read.headers["Content-Type"]
    assert told.headers["Link"] == f'<{lab.url}/hub>; rel="hub", <{topic}>; rel="self"'
    assert "X-Hub-Signature" not in told.headers


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/workspaces/lab308", "text/turtle; charset=utf-8"),
        ("/workspaces/lab308/properties", "application/json"),
        (f"{LIGHT}/properties", "application/json"),
        (f"{LIGHT}/properties/on_off", "application/json"),
        (f"{LIGHT}?format=jsonld", "application/ld+json"),
        (f"{LIGHT}?profile=yggdrasil", 'text/turtle; charset=utf-8; profile="https://purl.org/hmas/yggdrasil"'),
    ],
)
def test_any_resource_can_be_followed_in_its_own_type(lab: Serving, peer: Subscriber, path: str, media: str) -> None:
    turn(lab, "off")
    topic = subscribed(lab, peer, path)
    turn(lab, "on")
    read = lab.stranger.get(topic).content
    told = until(lambda: [each for each in peer.delivered() if each.body == read])[-1]
    assert told.headers["Content-Type"] == media


def test_what_was_not_subscribed_to_is_not_told(lab: Serving, peer: Subscriber) -> None:
    subscribed(lab, peer, "/workspaces/lab308/artifacts/blinds308")
    turn(lab, "off")
    turn(lab, "on")
    assert lab.client.post("/workspaces/lab308/artifacts/blinds308/actions/open").status_code == 204
    until(lambda: peer.delivered())
    assert all(b"blinds308" in told.body for told in peer.delivered())


def test_what_is_sent_is_signed_with_the_secret(lab: Serving, peer: Subscriber) -> None:
    turn(lab, "off")
    subscribed(lab, peer, hub_secret="geheim ✓")
    turn(lab, "on")
    told = until(lambda: peer.delivered())[-1]
    method, _, signature = told.headers["X-Hub-Signature"].partition("=")
    assert method == "sha256"
    assert signature == hmac.new("geheim ✓".encode(), told.body, "sha256").hexdigest()


def test_a_renewed_subscription_takes_the_place_of_the_one_before(lab: Serving, peer: Subscriber) -> None:
    topic = subscribed(lab, peer, hub_secret="one", hub_lease_seconds="100")
    first = lab.service.hub.subscriptions.find((topic, f"{peer.url}/"))
    assert ask(lab, peer, hub_secret="two", hub_lease_seconds="5000").status_code == 202
    second = until(lambda: (s := lab.service.hub.subscriptions.find((topic, f"{peer.url}/"))) != first and s)
    assert (second.secret, len(lab.service.hub.subscriptions)) == ("two", 1)
    assert first is not None
    assert second.until > first.until + 1000
    peer.agrees = lambda _: False
    ask(lab, peer, hub_secret="three")
    until(lambda: len(peer.asked()) == 3)
    assert lab.service.hub.subscriptions.find((topic, f"{peer.url}/")) == second


def test_who_unsubscribes_hears_no_more_and_only_they_can(lab: Serving, peer: Subscriber) -> None:
    topic = subscribed(lab, peer)
    peer.agrees = lambda query: query["hub.mode"] != "unsubscribe"
    assert ask(lab, peer, mode="unsubscribe").status_code == 202
    until(lambda: any(call.query["hub.mode"] == "unsubscribe" for call in peer.asked()))
    assert lab.service.hub.subscriptions.find((topic, f"{peer.url}/"))
    peer.agrees = lambda _: True
    assert ask(lab, peer, mode="unsubscribe", hub_lease_seconds="nonsense").status_code == 202
    until(lambda: not lab.service.hub.subscriptions.find((topic, f"{peer.url}/")))
    turn(lab, "off")
    turn(lab, "on")
    assert not peer.delivered()


def test_a_lease_is_never_for_ever(lab: Serving, peer: Subscriber) -> None:
    granted = {}
    for asked in ("1", "300", "99999999999", ""):
        ask(lab, peer, hub_lease_seconds=asked)
        until(lambda: len(peer.asked()) > len(granted))
        granted[asked] = int(peer.asked()[-1].query["hub.lease_seconds"])
    assert granted == {"1": 60, "300": 300, "99999999999": 864_000, "": 86_400}


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"hub.mode": "publish"}, 400),
        ({"hub.mode": ""}, 400),
        ({"hub.topic": ""}, 400),
        ({"hub.topic": "http://other.example/workspaces/lab308"}, 404),
        ({"hub.topic": "TOPIC/../../../sparql"}, 404),
        ({"hub.topic": "TOPIC#artifact"}, 404),
        ({"hub.topic": "TOPIC?format=csv"}, 404),
        ({"hub.callback": ""}, 400),
        ({"hub.callback": "ftp://127.0.0.1/x"}, 400),
        ({"hub.callback": "http://"}, 400),
        ({"hub.callback": "http://[::1"}, 400),
        ({"hub.callback": "http://x" * 1000}, 400),
        ({"hub.lease_seconds": "-1"}, 400),
        ({"hub.lease_seconds": "0"}, 400),
        ({"hub.lease_seconds": "soon"}, 400),
        ({"hub.lease_seconds": "9" * 30}, 400),
        ({"hub.secret": "s" * 200}, 400),
        ({"hub.secret": "é" * 100}, 400),
        ({"hub.callback": "http://10.0.0.1/x"}, 403),
        ({"hub.callback": "http://169.254.169.254/latest"}, 403),
        ({"hub.callback": "http://[::ffff:192.168.1.1]/"}, 403),
        ({"hub.callback": "http://[64:ff9b::c0a8:101]/"}, 403),
        ({"hub.callback": "http://0.0.0.0/"}, 403),
        ({"hub.callback": "http://user:word@93.184.215.14/"}, 403),
    ],
)
def test_a_faulty_request_is_refused_in_plain_text(
    lab: Serving, peer: Subscriber, form: dict[str, str], status: int
) -> None:
    usual = {"hub.mode": "subscribe", "hub.topic": lab.url + LIGHT, "hub.callback": f"{peer.url}/"}
    told = {key: value.replace("TOPIC", lab.url + LIGHT) for key, value in form.items()}
    answer = lab.stranger.post("/hub", data={**usual, **told})
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert len(answer.text) > 10
    assert not peer.calls


def test_what_the_hub_does_not_know_it_ignores(lab: Serving, peer: Subscriber) -> None:
    subscribed(lab, peer, hub_verify="sync", colour="blue")


def test_a_request_that_is_no_form_is_refused(lab: Serving) -> None:
    assert lab.stranger.post("/hub", json={"hub.mode": "subscribe"}).status_code == 400
    assert lab.stranger.get("/hub").status_code == 405


def test_escapes_that_are_not_needed_make_no_other_topic(lab: Serving, peer: Subscriber) -> None:
    answer = lab.stranger.post(
        "/hub",
        data={"hub.mode": "subscribe", "hub.callback": f"{peer.url}/", "hub.topic": f"{lab.url}/workspaces/l%61b308"},
    )
    assert answer.status_code == 202
    until(lambda: lab.service.hub.subscriptions.find((f"{lab.url}/workspaces/lab308", f"{peer.url}/")))


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}]
)
def test_a_page_of_another_site_cannot_subscribe_the_home(
    lab: Serving, peer: Subscriber, headers: dict[str, str]
) -> None:
    form = {"hub.mode": "subscribe", "hub.topic": lab.url + LIGHT, "hub.callback": f"{peer.url}/"}
    assert lab.stranger.post("/hub", data=form, headers=headers).status_code == 403
    assert lab.client.post("/hub", data=form, headers=headers).status_code == 202
    until(lambda: peer.asked())


def test_this_machine_is_told_only_where_the_settings_say_so(tmp_path: Path, peer: Subscriber) -> None:
    with serving(filled(tmp_path / "store", "lab308.ttl")) as home:
        port = peer.url.rpartition(":")[2]
        for host, status in {"127.0.0.1": 403, "localhost": 403, "[::1]": 403, "127.1": 202, "2130706433": 202}.items():
            form = {"hub.mode": "subscribe", "hub.topic": home.url + LIGHT, "hub.callback": f"http://{host}:{port}/"}
            assert home.stranger.post("/hub", data=form).status_code == status, host
        until(lambda: not home.service.hub.asked)
    assert not peer.calls
