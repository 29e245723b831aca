"""Behind a proxy the server tells of itself by the name that others know."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.errors import SettingError
from engine.settings import load
from tests.homes import filled
from tests.server.platform.subscribers import subscriber
from tests.server.serving import Serving, serving
from tests.waiting import until

PUBLIC = "https://house.example"
LIGHT = "/workspaces/lab308/artifacts/light308"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    store = filled(tmp_path_factory.mktemp("proxied") / "store", "lab308.ttl")
    with serving(store, public_url=f"{PUBLIC}/", callback_hosts=("localhost",), readers="anyone") as served:
        yield served


@pytest.mark.parametrize("path", ["/workspaces", "/workspaces/lab308", LIGHT, f"{LIGHT}/properties"])
def test_pages_are_about_the_address_that_others_know(house: Serving, path: str) -> None:
    answer = house.stranger.get(path)
    assert f'<{PUBLIC}{path}>; rel="self"' in answer.headers["Link"]
    assert f'<{PUBLIC}/hub>; rel="hub"' in answer.headers["Link"]
    assert house.url not in answer.text + answer.headers["Link"]


def test_the_directory_is_described_at_that_address(house: Serving) -> None:
    assert house.stranger.get("/.well-known/wot").json()["base"] == f"{PUBLIC}/"


def test_the_server_answers_to_that_name_and_to_no_other(house: Serving) -> None:
    assert house.stranger.get("/workspaces", headers={"Host": "house.example"}).status_code == 200
    assert house.stranger.get("/workspaces", headers={"Host": "evil.example"}).status_code == 421


def test_a_subscription_to_the_public_topic_is_told_of_it(house: Serving) -> None:
    topic = f"{PUBLIC}{LIGHT}"
    with subscriber() as peer:
        form = {"hub.mode": "subscribe", "hub.topic": topic, "hub.callback": f"{peer.url}/"}
        assert house.stranger.post("/hub", data=form).status_code == 202
        until(lambda: house.service.hub.subscriptions.find((topic, f"{peer.url}/")))
        assert house.client.put(f"{LIGHT}/properties/on_off", json="on").status_code == 204
        told = until(lambda: peer.delivered())[-1]
        assert f'<{topic}>; rel="self"' in told.headers["Link"]
        assert house.url.encode() not in told.body


@pytest.mark.parametrize("address", ["house.example", "https://house.example/home", "https://me:key@house.example", ""])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(SettingError, match="public_url"):
        load(public_url=address)
