"""What a registered thing can do is said in its own words, where the vocabulary has none for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from engine import resources
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from tests.agents.running import free_port, running

pytest.importorskip("starlette", reason="the extra agents is not installed")
FORM = {"op": "invokeaction"}


class Garden:
    """A thing that says what it can do, and notes what it was told. `actions` may change."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []
        self.turtle = False
        self.name = "urn:lab:gardener"
        self.actions: dict[str, Any] = {
            "mulch": {},
            "trimEdges": {"title": "Trim the edges"},
            "startDisco": {},
            "stroll": {"input": {"type": "number", "description": "How far, in metres."}},
            "operate": {
                "input": {"type": "object", "properties": {"turns": {"type": "integer"}}, "required": ["turns"]},
            },
        }

    def described(self, url: str) -> dict[str, Any]:
        """The Thing Description."""
        actions = {name: {**one, "forms": [{**FORM, "href": f"{url}/do/{name}"}]} for name, one in self.actions.items()}
        return {
            "@context": "https://www.w3.org/2022/wot/td/v1.1",
            "id": self.name,
            "title": "Gardener",
            "securityDefinitions": {"nosec_sc": {"scheme": "nosec"}},
            "security": "nosec_sc",
            "actions": actions,
        }

    def in_turtle(self, url: str) -> str:
        """One action of it, as a description in Turtle."""
        return f"""@prefix td: <https://www.w3.org/2019/wot/td#> .
            @prefix hctl: <https://www.w3.org/2019/wot/hypermedia#> .
            @prefix wotsec: <https://www.w3.org/2019/wot/security#> .
            <{self.name}> a td:Thing ; td:title "Gardener" ; td:hasSecurityConfiguration [ a wotsec:NoSecurityScheme ] ;
                td:hasActionAffordance [ a td:ActionAffordance ; td:name "mulch" ; td:hasForm [
                    hctl:hasTarget <{url}/do/mulch> ; hctl:forContentType "application/json" ;
                    hctl:hasOperationType td:invokeAction ] ] ."""


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Garden, str]]:
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Route

    garden, port = Garden(), free_port()
    url = f"http://127.0.0.1:{port}"

    async def description(_request: Any) -> Response:
        if garden.turtle:
            return Response(garden.in_turtle(url), media_type="text/turtle")
        return Response(json.dumps(garden.described(url)), media_type="application/td+json")

    async def do(request: Any) -> Response:
        garden.told.append((request.path_params["name"], (await request.body()).decode()))
        return Response(status_code=204)

    routes = [Route("/td", description), Route("/do/{name}", do, methods=["POST"])]
    with running(Starlette(routes=routes), port):
        yield garden, url


@pytest.fixture
def garden(served: tuple[Garden, str], living: Hearthgraph) -> Garden:
    """The thing as it is in the morning, registered in a home."""
    served[0].__init__()  # type: ignore[misc]
    living.load([resources.folder("data") / "lab308.ttl"])
    living.artifacts.register("wot", "gardener", f"{served[1]}/td")
    return served[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mulch", ("mulch", "")),
        ("please let the gardener mulch", ("mulch", "")),
        ("tell the gardener to trim the edges", ("trimEdges", "")),
        ("start the disco", ("startDisco", "")),
        ("stroll by 20 metres", ("stroll", "20.0")),
        ("have the gardener stroll by 0.5 kilometres", ("stroll", "500.0")),
    ],
)
def test_an_action_is_asked_for_by_its_name_or_title(
    living: Hearthgraph, garden: Garden, text: str, told: tuple[str, str]
) -> None:
    outcome = living.ask(text, consent=True)
    assert (outcome.status, garden.told) == (Status.DONE, [told]), outcome.reply


def test_what_begins_like_a_word_of_ours_is_not_that_word(living: Hearthgraph, garden: Garden) -> None:
    """Who starts a disco does more than to turn the gardener on."""
    assert living.ask("turn on the gardener", consent=True).status is not Status.DONE
    assert garden.told == []


@pytest.mark.parametrize(
    "text", ["don't mulch", "did the gardener mulch?", "when did you mulch?", "he said he would mulch"]
)
def test_only_an_order_has_it_done(living: Hearthgraph, garden: Garden, text: str) -> None:
    assert living.ask(text, consent=True).status is not Status.DONE
    assert garden.told == []


def test_words_of_ours_are_not_taken(living: Hearthgraph, garden: Garden, served: tuple[Garden, str]) -> None:
    garden.actions = {"turnOn": {}, "open": {}, "yes": {}, "undo": {}, "light": {}}
    living.artifacts.refresh("gardener")
    own = [cmd for cmd in living.registry.vocabulary.commands if cmd.startswith(garden.name)]
    assert own == []


def test_words_come_and_go_with_the_action(living: Hearthgraph, garden: Garden) -> None:
    assert living.artifacts.refresh("gardener") is not None
    assert living.ask("mulch", consent=True).status is Status.DONE, "read again, it is as it was"
    garden.actions = {"verticut": {}}
    living.artifacts.refresh("gardener")
    assert living.ask("verticut", consent=True).status is Status.DONE
    assert living.ask("mulch", consent=True).status is not Status.DONE
    living.artifacts.remove("gardener")
    assert not [cmd for cmd in living.registry.vocabulary.commands if cmd.startswith(garden.name)]
    assert [name for name, _ in garden.told] == ["mulch", "verticut"]


@pytest.mark.parametrize("name", ["urn:lab:gardener", "http://lab.example/things#gardener"])
def test_a_description_in_turtle_has_its_words_too(
    living: Hearthgraph, garden: Garden, served: tuple[Garden, str], name: str
) -> None:
    living.artifacts.remove("gardener")
    garden.turtle, garden.name = True, name
    living.artifacts.register("wot", "gardener", f"{served[1]}/td")
    assert living.ask("let the gardener mulch", consent=True).status is Status.DONE
    assert garden.told == [("mulch", "")]
    living.artifacts.remove("gardener")
    assert not [cmd for cmd in living.registry.vocabulary.commands if cmd.startswith(name)]


def test_two_things_may_be_called_to_the_same(living: Hearthgraph, garden: Garden, served: tuple[Garden, str]) -> None:
    """Each has the word for itself: when one goes, the other still knows it."""
    garden.name = "urn:lab:another"
    living.artifacts.register("wot", "helper", f"{served[1]}/td")
    living.artifacts.remove("gardener")
    assert living.ask("mulch", consent=True).status is Status.DONE


@pytest.mark.parametrize(
    "text", ["thanks", "thank you", "remember that I like tea", "it is too dark in here", "good night", "yes"]
)
def test_what_people_say_anyway_is_not_taken(
    living: Hearthgraph, garden: Garden, served: tuple[Garden, str], text: str
) -> None:
    """A stranger's action cannot be called so that talk with the home reaches it, by its name or by its title."""
    names = ("thanks", "remember", "goodNight", "movieNight", "iAmHome", "yes")
    garden.actions = {name: {} for name in names} | {
        "gloom": {"title": "it is too dark"},
        "late": {"title": "Good night"},
    }
    living.artifacts.refresh("gardener")
    living.ask(text, consent=True)
    assert garden.told == []
