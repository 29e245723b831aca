"""A host that asks for a token is shown its own: after a person's consent, refreshed, and shown to nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.environment.binding import Call, Operation
from engine.environment.http.credentials import Credentials
from engine.environment.http.oauth import discovery
from engine.environment.http.oauth.admitted import PersonNeeded
from engine.environment.http.oauth.kept import Kept
from engine.errors import BindingError
from engine.hearthgraph import Hearthgraph
from engine.settings import Settings
from tests.agents.running import free_port, running
from tests.homes import filled
from tests.server.serving import Serving, serving

pytest.importorskip("mcp", reason="the extra agents is not installed")
from google.protobuf.json_format import MessageToDict

from tests.agents.guarded import Giver, guarded_agent, guarded_app
from tests.agents.lab import formalizer_card

BACK = "http://localhost:9/oauth/callback"
TOOL = "urn:mcp:vault#actions/tell_secret"


@pytest.fixture
def giver() -> Giver:
    return Giver()


@pytest.fixture
def vault(giver: Giver) -> Iterator[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with running(guarded_app(giver, url), port):
        yield f"{url}/mcp"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Serving]:
    with serving(filled(tmp_path / "store", "lab308.ttl"), live=True) as found:
        yield found


def consented(url: str) -> str:
    """Where a person who consents is sent back to."""
    return str(httpx.get(url).headers["location"])


def put(house: Serving, vault: str) -> httpx.Response:
    return house.client.put("/artifacts/vault", json={"kind": "mcp", "endpoint": vault})


def test_a_person_consents_and_the_host_lets_the_house_in(house: Serving, vault: str, giver: Giver) -> None:
    refused = put(house, vault)
    assert (refused.status_code, refused.json()["reason"]) == (409, "consent_needed")
    where = consented(refused.json()["remedy"].removeprefix("Open "))
    assert where.startswith(f"{house.url}/oauth/callback")
    came = httpx.get(where)
    assert came.status_code == 200, came.text
    assert put(house, vault).status_code == 201
    assert house.service.home.tools.start(Call(Operation.INVOKE, TOOL)).result(20) == "forty-two"
    assert giver.resources == [vault]
    assert httpx.get(where).status_code == 400, "a consent is good once"


@pytest.mark.parametrize("open_card", [False, True])
def test_an_agent_of_others_lets_the_house_in_likewise(house: Serving, giver: Giver, *, open_card: bool) -> None:
    pytest.importorskip("a2a", reason="a2a-sdk is not installed")
    port = free_port()
    url = f"http://127.0.0.1:{port}"

    def put_agent() -> httpx.Response:
        return house.client.put("/artifacts/formalizer", json={"kind": "a2a", "endpoint": url})

    with running(guarded_agent(giver, url, open_card=open_card), port):
        assert httpx.get(f"{url}/.well-known/agent-card.json").status_code == (200 if open_card else 401)
        stranger = httpx.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "x"}})
        assert stranger.status_code == 401
        assert "resource_metadata" in stranger.headers["www-authenticate"]
        refused = put_agent()
        assert (refused.status_code, refused.json()["reason"]) == (409, "consent_needed"), refused.text
        assert httpx.get(consented(refused.json()["remedy"].removeprefix("Open "))).status_code == 200
        assert put_agent().status_code == 201
        done = house.service.home.ask("ask the formalizer to go ahead by 2 m", consent=True)
        assert done.actions[0].output == "move(200)", done.reply
        giver.tokens.clear()  # it is refreshed, and nobody is asked again
        assert house.service.home.ask("ask the formalizer to turn by 45 degrees", consent=True).reply


def test_an_agent_is_shown_what_is_its_own_hosts_alone(tmp_path: Path) -> None:
    """Its card is open to all; it says that it is spoken to at another host, of which the house has a key, too."""
    pytest.importorskip("a2a", reason="a2a-sdk is not installed")
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    seen: list[tuple[str, str]] = []
    here, there = free_port(), free_port()

    def host(port: int, spoken_to: int) -> Starlette:
        async def card(request: Any) -> Any:
            seen.append(("card", request.headers.get("authorization", "")))
            return JSONResponse(MessageToDict(formalizer_card(f"http://127.0.0.1:{spoken_to}")))

        async def spoken(request: Any) -> Any:
            seen.append((f"agent of {'here' if port == here else 'there'}", request.headers.get("authorization", "")))
            return JSONResponse({}, 401, headers={"WWW-Authenticate": "Bearer"})

        return Starlette(
            routes=[Route("/.well-known/agent-card.json", card), Route("/", spoken, methods=["GET", "POST"])]
        )

    path = tmp_path / "credentials.json"
    path.write_text(json.dumps({f"127.0.0.1:{port}": {"token": f"key-of-{port}"} for port in (here, there)}))
    path.chmod(0o600)
    settings = Settings(live=True, credentials_file=path, allowed_hosts=(f"127.0.0.1:{there}",))
    with (
        running(host(here, there), here),
        running(host(there, there), there),
        Hearthgraph.open(None, settings=settings) as home,
    ):
        home.artifacts.register("a2a", "away", f"http://127.0.0.1:{here}")
        home.artifacts.register("a2a", "own", f"http://127.0.0.1:{there}")
        for name in ("away", "own"):
            home.ask(f"ask {name} to go ahead by 2 m", consent=True)
    assert {key for what, key in seen if what == "card"} == {f"Bearer key-of-{here}", f"Bearer key-of-{there}"}
    assert ("agent of there", "") in seen, "who is named by another gets no key of either"
    assert ("agent of there", f"Bearer key-of-{there}") in seen
    assert not [one for one in seen if one[0] == "agent of there" and str(here) in one[1]]


def test_tokens_survive_a_restart_in_a_file_of_their_owners(house: Serving, vault: str) -> None:
    httpx.get(consented(put(house, vault).json()["remedy"].removeprefix("Open ")))
    path = house.service.home.tokens_file
    assert path is not None
    assert path.stat().st_mode & 0o077 == 0
    assert Kept(path).of(httpx.URL(vault)) == Kept(path).of(httpx.URL(vault))
    assert Kept(path).of(httpx.URL(vault)) is not None
    store = house.service.store
    graph = "".join(str(quad) for name in store.graphs() for quad in store.graph(name))
    held = json.loads(path.read_text())["held"][vault]
    assert held["access"] not in graph
    assert held["refresh"] not in graph


def test_a_token_that_is_refused_is_refreshed(house: Serving, vault: str, giver: Giver) -> None:
    httpx.get(consented(put(house, vault).json()["remedy"].removeprefix("Open ")))
    assert put(house, vault).status_code == 201
    giver.tokens.clear()
    assert house.service.home.tools.start(Call(Operation.INVOKE, TOOL)).result(20) == "forty-two"
    assert len(giver.resources) == 1, "nobody was asked again"


def test_an_agent_is_not_told_where_to_consent(house: Serving, vault: str, giver: Giver) -> None:
    httpx.get(consented(put(house, vault).json()["remedy"].removeprefix("Open ")))
    assert put(house, vault).status_code == 201
    giver.tokens.clear()
    giver.refreshes.clear()
    with pytest.raises(BindingError) as refused:
        house.service.home.tools.start(Call(Operation.INVOKE, TOOL)).result(20)
    assert refused.value.reason == "consent_needed"
    assert "http" not in str(refused.value)


def test_without_a_server_nobody_can_be_sent_back(vault: str) -> None:
    with Hearthgraph.open(None, settings=Settings(live=True)) as home, pytest.raises(BindingError) as refused:
        home.artifacts.register("mcp", "vault", vault)
    assert refused.value.reason == "unauthorized"


def test_what_was_begun_by_someone_else_is_not_taken(vault: str) -> None:
    with Hearthgraph.open(None, settings=Settings(live=True)) as home:
        home.artifacts.doorkeeper.redirect = BACK
        with pytest.raises(PersonNeeded) as needed:
            home.artifacts.register("mcp", "vault", vault)
        where = consented(needed.value.url)
        with pytest.raises(BindingError):
            home.artifacts.came_back(where.replace("state=", "state=x"))
        with pytest.raises(BindingError):
            home.artifacts.came_back(f"{where}&iss=http%3A%2F%2Fevil.example")


def test_a_token_is_for_what_it_was_asked_for() -> None:
    here = httpx.URL("https://host.example/a/mcp")
    assert discovery.covers("https://host.example/a", here)
    assert discovery.covers("https://host.example", here)
    for other in (
        "https://host.example/a/m",
        "http://host.example/a",
        "https://evil.example/a",
        "https://host.example:8/",
    ):
        assert not discovery.covers(other, here)


def test_the_secret_of_a_client_goes_to_whom_it_belongs(tmp_path: Path) -> None:
    path = tmp_path / "credentials.json"
    mine = {"client_id": "me", "client_secret": "s"}
    entries = {"host.example": mine, "pinned.example": {**mine, "issuer": "https://auth.example"}}
    path.write_text(json.dumps(entries))
    path.chmod(0o600)
    known = Credentials.load(path)
    host, pinned = httpx.URL("https://host.example/mcp"), httpx.URL("https://pinned.example/mcp")
    assert known.registered(host, "https://host.example") is not None
    assert known.registered(host, "https://auth.example") is None
    assert known.registered(pinned, "https://auth.example") is not None
    assert known.registered(pinned, "https://evil.example") is None
    assert known.registered(pinned, "https://pinned.example") is None
