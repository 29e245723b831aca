"""Staying up to date with what was explored: by push where a hub tells, by asking where none does."""

from __future__ import annotations

import hmac
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from engine.origins.hypermedia.explorer import Explorer
from engine.origins.hypermedia.websub.subscriber import News, Subscriber
from tests.origins.hypermedia.sites import Hub, Lamp, Site
from tests.server.serving import Serving, serving
from tests.waiting import eventually


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("empty") / "store"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serving]:
    """An empty home that is served, which is live and polls seldom."""
    with serving(tmp_path / "home", live=True, poll_seconds=600.0) as one:
        one.service.home.explorer.served(one.url)
        yield one


@pytest.fixture
def hub(site: Site) -> Hub:
    site.add("lab", Lamp("desk", "Desk lamp", False, 40), Lamp("ceiling", "Ceiling light"))
    site.add("hall", Lamp("spot", "Spot"))
    hub = Hub(site)
    site.serve()
    return hub


@pytest.fixture
def explorer(served: Serving, hub: Hub) -> Explorer:
    """What explores the site, and follows it."""
    made = served.service.home.explorer
    made.explore(hub.site.platform)
    made.follow(hub.site.platform)
    assert eventually(lambda: len(hub.verified) == 3 and all(one["push"] for one in made.standing()))
    return made


def lab_of(hub: Hub) -> str:
    return f"{hub.site.platform}/lab"


def test_workspaces_are_joined_and_what_they_tell_is_the_state(served: Serving, hub: Hub, explorer: Explorer) -> None:
    assert set(hub.verified) == {hub.site.platform, lab_of(hub), f"{hub.site.platform}/hall"}
    assert len({said["hub.secret"] for said in hub.asked}) == len({said["hub.callback"] for said in hub.asked}) == 3
    assert all(len(said["hub.secret"]) >= 32 for said in hub.asked)
    hub.site.workspaces["lab"]["desk"].power = True
    assert hub.tell(lab_of(hub)) == 202
    assert eventually(lambda: served.service.home.state.get(hub.site.property("lab", "desk", "power")) is True)
    query = (
        f"SELECT ?v WHERE {{ <{hub.site.property('lab', 'desk', 'power')}> <https://w3id.org/hearthgraph#value> ?v }}"
    )
    assert eventually(lambda: served.rows(query) == [{"v": "true"}])
    assert explorer.subscriber.counts.heard == 1


def test_forged_news_change_nothing_and_are_counted(served: Serving, hub: Hub, explorer: Explorer) -> None:
    # The site itself says that the lamp is off: what the explorer reads anew after it has subscribed is no news.
    body = httpx.get(lab_of(hub)).content.replace(b"hg:value false", b"hg:value true")
    hub.tell(lab_of(hub), secret="guessed", body=body)
    callback = hub.verified[lab_of(hub)]["hub.callback"]
    for head in (
        {},
        {"X-Hub-Signature": "sha256="},
        {"X-Hub-Signature": "md5=00"},
        {"X-Hub-Signature": "sha256=é".encode()},
    ):
        assert httpx.post(callback, content=body, headers=head).status_code == 202  # type: ignore[arg-type]
    assert explorer.subscriber.counts.forged == 5
    assert explorer.subscriber.counts.heard == 0
    assert served.service.home.state[hub.site.property("lab", "desk", "power")] is False


@pytest.mark.parametrize("method", ["sha1", "sha256", "sha384", "sha512"])
def test_a_hub_may_sign_in_each_of_the_ways(hub: Hub, explorer: Explorer, method: str) -> None:
    assert hub.tell(lab_of(hub), method=method) == 202
    assert (explorer.subscriber.counts.heard, explorer.subscriber.counts.forged) == (1, 0)


def test_an_intent_is_confirmed_only_where_it_is_ours(served: Serving, hub: Hub, explorer: Explorer) -> None:
    said = hub.verified[lab_of(hub)]
    assert hub.verify({**said, "hub.topic": "http://elsewhere.example/"}).status_code == 404
    assert hub.verify({**said, "hub.mode": "unsubscribe"}).status_code == 404
    assert hub.verify(said).status_code == 404  # it was confirmed, and nobody has asked again
    assert hub.verify({**said, "hub.callback": f"{served.url}/callbacks/guessed"}).status_code == 404
    assert httpx.post(f"{served.url}/callbacks/guessed", content=b"x").status_code == 404
    assert all(one["push"] for one in explorer.standing())


def test_a_change_that_was_missed_before_the_hub_stood_by_it_is_read(served: Serving, hub: Hub) -> None:
    explorer = served.service.home.explorer
    explorer.explore(hub.site.platform)
    hub.site.workspaces["lab"]["desk"].brightness = 77
    explorer.follow(hub.site.platform)
    assert eventually(lambda: served.service.home.state[hub.site.property("lab", "desk", "brightness")] == 77)


def test_what_comes_and_goes_is_noticed_by_push(served: Serving, hub: Hub, explorer: Explorer) -> None:
    hub.site.add("lab", Lamp("late", "Late lamp", True))
    hub.tell(lab_of(hub))
    things = served.service.home.registry
    assert eventually(lambda: hub.site.iri("lab", "late") in things.things)
    hub.site.remove("lab", "ceiling")
    hub.tell(lab_of(hub))
    assert eventually(lambda: hub.site.iri("lab", "ceiling") not in things.things)


@pytest.mark.slow
def test_a_lease_is_renewed_before_it_ends(served: Serving, hub: Hub) -> None:
    hub.lease = 5
    explorer = served.service.home.explorer
    explorer.explore(hub.site.platform)
    explorer.follow(hub.site.platform)
    assert eventually(lambda: len(hub.asked) >= 6)
    first, again = ([said for said in hub.asked if said["hub.topic"] == lab_of(hub)][n] for n in (0, 1))
    assert (first["hub.callback"], first["hub.secret"]) == (again["hub.callback"], again["hub.secret"])
    hub.site.workspaces["lab"]["desk"].power = True
    hub.tell(lab_of(hub))
    assert eventually(lambda: served.service.home.state.get(hub.site.property("lab", "desk", "power")) is True)


def test_news_after_the_end_of_the_lease_are_left_out() -> None:
    heard: list[News] = []
    subscriber = Subscriber(heard.append)
    lab = subscriber.open("http://site.example/lab", "http://site.example/hub")
    subscriber.request(lab, "http://home.example/callbacks")
    granted = {"hub.mode": "subscribe", "hub.topic": lab.topic, "hub.challenge": "c", "hub.lease_seconds": "60"}
    assert subscriber.verify(lab.key, granted) == "c"
    signature = {"x-hub-signature": f"sha256={hmac.new(lab.secret.encode(), b'news', 'sha256').hexdigest()}"}
    assert subscriber.deliver(lab.key, signature, b"news") == 202
    lab.until = 0.0
    assert subscriber.deliver(lab.key, signature, b"news") == 202
    assert (len(heard), subscriber.counts.heard, subscriber.counts.mistaken) == (1, 1, 1)


def test_it_is_polled_where_there_is_no_hub(tmp_path: Path, site: Site) -> None:
    site.add("lab", Lamp("desk", "Desk lamp"))
    with serving(tmp_path / "home", live=True, poll_seconds=0.2) as one:
        one.service.home.explorer.served(one.url)
        one.service.home.explorer.explore(site.platform)
        one.service.home.explorer.follow(site.platform)
        assert eventually(lambda: one.service.home.explorer.standing())
        site.workspaces["lab"]["desk"].power = True
        assert eventually(lambda: one.service.home.state.get(site.property("lab", "desk", "power")) is True)
        assert not any(topic["push"] for topic in one.service.home.explorer.standing())
        asked = [seen for seen in site.server.seen if seen.headers.get("If-None-Match")]
        assert eventually(lambda: len(asked) > 0)


def test_it_is_polled_where_the_hub_is_silent(tmp_path: Path, site: Site) -> None:
    """A hub that verifies and then tells nothing."""
    site.add("lab", Lamp("desk", "Desk lamp"))
    hub = Hub(site)
    site.serve()
    with serving(tmp_path / "home", live=True, poll_seconds=0.1) as one:
        one.service.home.explorer.served(one.url)
        one.service.home.explorer.explore(site.platform)
        one.service.home.explorer.follow(site.platform)
        assert eventually(lambda: len(hub.verified) == 2)
        site.workspaces["lab"]["desk"].brightness = 9
        assert eventually(lambda: one.service.home.state.get(site.property("lab", "desk", "brightness")) == 9)


def test_a_hub_that_denies_is_polled(tmp_path: Path, site: Site) -> None:
    site.add("lab", Lamp("desk", "Desk lamp"))
    hub = Hub(site, silent=True)
    site.serve()
    with serving(tmp_path / "home", live=True, poll_seconds=0.2) as one:
        one.service.home.explorer.served(one.url)
        one.service.home.explorer.explore(site.platform)
        one.service.home.explorer.follow(site.platform)
        assert eventually(lambda: len(hub.asked) >= 1)
        for said in list(hub.asked):
            denied = {"hub.mode": "denied", "hub.topic": said["hub.topic"], "hub.reason": "full"}
            assert httpx.get(said["hub.callback"], params=denied).status_code == 200
        site.workspaces["lab"]["desk"].brightness = 9
        assert eventually(lambda: one.service.home.state.get(site.property("lab", "desk", "brightness")) == 9)


def test_whoever_is_followed_no_more_is_told_so(hub: Hub, explorer: Explorer) -> None:
    explorer.unfollow(hub.site.platform)
    assert eventually(lambda: not hub.verified)
    assert explorer.standing() == []
    ended = hub.asked[0]["hub.callback"]
    assert httpx.post(ended, content=b"x").status_code == 410


def test_what_was_followed_is_followed_again_after_a_restart(tmp_path: Path, hub: Hub) -> None:
    with serving(tmp_path / "home", live=True, poll_seconds=600.0) as one:
        one.service.home.explorer.served(one.url)
        one.service.home.explorer.explore(hub.site.platform)
        one.service.home.explorer.follow(hub.site.platform)
        assert eventually(lambda: len(hub.verified) == 3)
    hub.verified.clear()
    with serving(tmp_path / "home", live=True, poll_seconds=600.0) as one:
        one.service.home.explorer.served(one.url)
        one.service.home.explorer.resume()
        assert eventually(lambda: len(hub.verified) == 3)
    shutil.rmtree(tmp_path / "home")


def test_the_secrets_of_subscriptions_are_in_no_graph_and_no_answer(
    served: Serving, hub: Hub, explorer: Explorer, tmp_path: Path
) -> None:
    dump = "\n".join(served.dump(tmp_path / "dump.nq"))
    told = served.client.get("/explorations").text
    for said in hub.asked:
        for secret in (said["hub.secret"], said["hub.callback"].rpartition("/")[2]):
            assert secret not in dump
            assert secret not in told


def test_an_exploration_is_begun_and_looked_at_over_http(served: Serving, hub: Hub) -> None:
    begun = served.client.post("/explorations", json={"url": hub.site.platform, "follow": True})
    assert begun.status_code == 202
    where = begun.headers["Location"]
    assert eventually(lambda: served.client.get(where).json()["status"] == "done")
    told = served.client.get(where).json()
    assert len(told["result"]["new"]) == 3
    assert told["phases"]["state"] == {"done": 6, "total": 6}
    assert eventually(lambda: len(hub.verified) == 3)
    assert served.client.delete(where).status_code == 204
    assert eventually(lambda: not hub.verified)


def test_exploring_through_the_server_needs_the_token_and_an_address(served: Serving) -> None:
    assert served.stranger.post("/explorations", json={"url": "http://127.0.0.1:1/"}).status_code == 401
    assert served.stranger.get("/explorations").status_code == 401
    for body in ({}, {"url": 7}, {"url": "file:///etc"}, {"url": "http://127.0.0.1:1/", "limits": {"depth": -1}}):
        answer = served.client.post("/explorations", json=body)
        assert answer.status_code == 400
        assert answer.json()["remedy"]
