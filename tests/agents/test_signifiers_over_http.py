"""The mechanism over HTTP: who is registered sees what matters, in Turtle or in JSON, and can see all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyoxigraph import RdfFormat, parse

from engine import embedding
from engine.graph.terms import Triple
from engine.model.exposure_rdf import Profiles
from tests.agents import lab
from tests.agents.callers import BAKING, MOVING, TELLING
from tests.agents.conftest import Lab
from tests.agents.running import running
from tests.homes import filled
from tests.server.serving import Serving, serving

pytest.importorskip("starlette", reason="the extra agents is not installed")
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

pytestmark = pytest.mark.skipif(not embedding.available(), reason="the extra embedding is not installed")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, served_lab: Lab) -> Iterator[Serving]:
    with serving(filled(tmp_path_factory.mktemp("lab") / "store", "lab308.ttl")) as served:
        for kind, name, address in (
            ("mcp", "goal_mcp", served_lab.goal),
            ("a2a", "formalizer", served_lab.formalizer),
            ("utcp", "cherrybot_utcp", f"{served_lab.proxy}/utcp"),
        ):
            answer = served.client.put(f"/artifacts/{name}", json={"kind": kind, "endpoint": address})
            assert answer.status_code == 201, answer.text
        yield served


def agent(house: Serving, context: str) -> str:
    """The address of the profile of an agent with that context."""
    assert house.client.put("/agents/executor", json={"context": context}).status_code in (200, 201)
    return f"{house.url}/agents/executor"


def test_what_matters_is_shown(house: Serving) -> None:
    profile = agent(house, TELLING)
    answer = house.stranger.get("/signifiers", params={"profile": profile}, headers={"Accept": "application/json"})
    found = answer.json()["signifiers"]
    assert [one["label"] for one in found] == ["goal_mcp_provide_feedback"]
    assert found[0]["reasons"]
    assert set(found[0]["takes"]["properties"]) == {"achieved", "feedback"}


def test_all_can_be_seen_with_scores(house: Serving) -> None:
    profile = agent(house, TELLING)
    json = {"Accept": "application/json"}
    found = house.stranger.get("/signifiers", params={"profile": profile, "all": "1"}, headers=json).json()
    scores = [one["score"] for one in found["signifiers"]]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)
    few = house.stranger.get("/signifiers", params={"profile": profile, "all": "1", "limit": 2}, headers=json).json()
    assert len(few["signifiers"]) == 2


def test_a_context_that_nothing_fits_still_shows_what_is_nearest(house: Serving) -> None:
    profile = agent(house, BAKING)
    found = house.stranger.get("/signifiers", params={"profile": profile}, headers={"Accept": "application/json"})
    assert found.json()["signifiers"]


def test_turtle_is_what_the_listings_are(house: Serving) -> None:
    profile = agent(house, TELLING)
    text = house.stranger.get("/signifiers", params={"profile": profile}, headers={"Accept": "text/turtle"}).content
    triples = [Triple(q.subject, q.predicate, q.object) for q in parse(text, RdfFormat.TURTLE)]  # type: ignore[arg-type]
    (one,) = Profiles(triples).signifiers()
    assert one.label == "goal_mcp_provide_feedback"
    assert one.method == "POST"
    whole = house.stranger.get("/artifacts/goal_mcp", headers={"Accept": "text/turtle"}).content
    triples = [Triple(q.subject, q.predicate, q.object) for q in parse(whole, RdfFormat.TURTLE)]  # type: ignore[arg-type]
    assert len(Profiles(triples).signifiers()) == 2


def test_the_profile_of_somebody_elses_server_is_not_fetched(house: Serving) -> None:
    answer = house.stranger.get("/signifiers", params={"profile": "http://127.0.0.1:9/agents/executor"})
    assert answer.status_code == 400


def test_strangers_register_nothing(house: Serving) -> None:
    body = {"kind": "utcp", "endpoint": "http://127.0.0.1:9/utcp"}
    assert house.stranger.put("/artifacts/x", json=body).status_code == 401
    assert house.stranger.put("/agents/x", json={"context": "x"}).status_code == 401
    assert house.stranger.post("/agents/x/token", json={"scopes": ["act"]}).status_code == 401
    assert house.stranger.delete("/artifacts/goal_mcp").status_code == 401


def test_what_cannot_be_reached_is_told(house: Serving) -> None:
    answer = house.client.put("/artifacts/nobody", json={"kind": "utcp", "endpoint": "http://127.0.0.1:9/utcp"})
    assert answer.status_code == 502
    assert house.client.get("/artifacts/nobody").status_code == 404
    assert house.client.get("/signifiers", params={"profile": "nobody"}).status_code == 404


def labels(house: Serving, abilities: list[str], **more: str) -> list[str]:
    """What an agent of these abilities is shown that wants to control the robot."""
    body = {"context": MOVING, "abilities": abilities}
    assert house.client.put("/agents/operator", json=body).status_code in (200, 201)
    params = {"profile": "operator", **more}
    answer = house.stranger.get("/signifiers", params=params, headers={"Accept": "application/json"})
    return [one["label"] for one in answer.json()["signifiers"]]


def test_what_needs_an_ability_is_shown_to_who_has_it(house: Serving, served_lab: Lab) -> None:
    robot = {"kind": "utcp", "endpoint": f"{served_lab.proxy}/utcp"}
    said = {**robot, "abilities": {"operation": ["urn:lab:Operating"]}}
    assert house.client.put("/artifacts/cherrybot_utcp", json=said).status_code == 200
    assert house.client.put("/artifacts/cherrybot_utcp", json=robot).status_code == 200, "what was said of it stays"
    assert house.client.post("/artifacts/cherrybot_utcp/refresh").status_code == 200
    assert "cherrybot_utcp_operation" not in labels(house, [])
    assert labels(house, ["urn:lab:Operating"])[0] == "cherrybot_utcp_operation"
    assert "cherrybot_utcp_operation" in labels(house, [], all="1"), "nothing is hidden for good"
    turtle = house.stranger.get("/artifacts/cherrybot_utcp", headers={"Accept": "text/turtle"}).text
    assert "recommendsAbility" in turtle
    assert house.client.put("/artifacts/cherrybot_utcp", json={**robot, "abilities": {}}).status_code == 200
    assert labels(house, [])[0] == "cherrybot_utcp_operation"
    wrong = house.client.put("/artifacts/cherrybot_utcp", json={**robot, "abilities": {"fly": ["urn:x"]}})
    assert wrong.status_code == 400
    assert "operation" in wrong.json()["remedy"]


def test_a_description_says_itself_which_abilities_its_affordances_need(house: Serving) -> None:
    described = lab.robot_description("http://127.0.0.1:9")
    described["@context"] = [described["@context"], {"hmas": "https://purl.org/hmas/"}]
    described["actions"]["operation"]["hmas:recommendsAbility"] = {"@id": "urn:lab:Operating"}

    async def td(_: Request) -> Response:
        return JSONResponse(described, media_type="application/td+json")

    with running(Starlette(routes=[Route("/td", td)])) as url:
        answer = house.client.put("/artifacts/needing", json={"kind": "wot", "endpoint": f"{url}/td"})
        assert answer.status_code == 201, answer.text
    whole = house.stranger.get("/artifacts/needing", headers={"Accept": "text/turtle"}).content
    triples = [Triple(q.subject, q.predicate, q.object) for q in parse(whole, RdfFormat.TURTLE)]  # type: ignore[arg-type]
    needed = {one.label: one.abilities for one in Profiles(triples).signifiers()}
    assert needed == {"needing_initialize": (), "needing_operation": ("urn:lab:Operating",)}
    assert house.client.delete("/artifacts/needing").status_code == 204
