"""What others ask before they go on is asked of the person; their answer goes on with what was begun, no other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from tests.agents.callers import ACTS, REVISIONS, called, issued, played
from tests.agents.running import running

pytest.importorskip("mcp", reason="the extra agents is not installed")
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

from tests.homes import filled
from tests.server.serving import serving


class Groomed:
    """A valet that asks how, and grooms."""

    def __init__(self) -> None:
        self.dogs: list[tuple[str, int]] = []


class Wish(BaseModel):
    manner: Literal["gently", "firmly"] = Field(title="Manner")
    dogs: int = Field(title="Dogs")


class Manner(BaseModel):
    manner: Literal["gently", "firmly"]


def greeted() -> Elicit[Manner]:
    return Elicit("How shall I greet?", Manner)


def wished() -> Elicit[Wish]:
    return Elicit("How shall I groom?", Wish)


def valet_app(groomed: Groomed) -> Any:
    server = MCPServer("valet")

    @server.tool()
    def groom(wish: Annotated[Wish, Resolve(wished)]) -> str:
        """Grooms a dog."""
        groomed.dogs.append((wish.manner, wish.dogs))
        return "It is groomed."

    @server.tool()
    def greet(how: Annotated[Manner, Resolve(greeted)]) -> str:
        """Greets whoever comes."""
        groomed.dogs.append((how.manner, 0))
        return "They are greeted."

    return server.streamable_http_app()


@pytest.fixture
def groomed() -> Groomed:
    return Groomed()


@pytest.fixture(params=["2026-07-28", "2025-11-25"])
def valet(groomed: Groomed, living: Hearthgraph, request: pytest.FixtureRequest, monkeypatch: Any) -> Iterator[Any]:
    """A home in which the valet is registered, which is spoken to in either revision."""
    if request.param == "2025-11-25":
        from engine.origins.mcp.session import Session

        async def unknown(_: Session) -> bool:
            return False

        monkeypatch.setattr(Session, "_discovers", unknown)
    with running(valet_app(groomed)) as url:
        artifact = living.artifacts.register("mcp", "valet", f"{url}/mcp")
        assert artifact.facts["version"] == request.param
        yield living


def said(home: Hearthgraph, *texts: str) -> Any:
    for text in texts:
        outcome = home.ask(text, consent=True, conversation="me")
    return outcome


def test_a_tool_asks_and_goes_on_with_the_answers(valet: Hearthgraph, groomed: Groomed) -> None:
    first = said(valet, "groom with the valet")
    assert first.status is Status.CLARIFY
    assert first.question == "The valet asks: How shall I groom? Manner: (gently, firmly)"
    second = said(valet, "firmly")
    assert (second.status, second.request) == (Status.CLARIFY, first.request)
    assert "Dogs" in second.question
    done = said(valet, "2")
    assert (done.status, done.request) == (Status.DONE, first.request)
    assert done.actions[0].output == "It is groomed."
    assert groomed.dogs == [("firmly", 2)]


def test_what_is_no_answer_is_asked_for_again(valet: Hearthgraph, groomed: Groomed) -> None:
    assert said(valet, "groom with the valet", "purple").question.endswith("(gently, firmly)")
    assert said(valet, "gently", "1").status is Status.DONE
    assert groomed.dogs == [("gently", 1)]


def test_never_mind_ends_it(valet: Hearthgraph, groomed: Groomed) -> None:
    left = said(valet, "groom with the valet", "never mind")
    assert (left.status, left.reason) == (Status.REFUSED, "not_consented")
    assert groomed.dogs == []
    assert said(valet, "firmly").status is not Status.DONE


def test_a_request_of_its_own_is_not_told_to_others(valet: Hearthgraph, groomed: Groomed) -> None:
    assert said(valet, "groom with the valet", "which devices are there?").status is Status.ANSWERED
    assert groomed.dogs == []


@pytest.mark.parametrize("mode", REVISIONS)
def test_an_agent_is_asked_what_a_signifier_asks(tmp_path: Path, groomed: Groomed, mode: str) -> None:
    async def play(opened: Any) -> None:
        done = await called(opened, "use_signifier", label="valet_greet", arguments={})
        assert done == {"status": "done", "result": "They are greeted."}

    with running(valet_app(groomed)) as url, serving(filled(tmp_path / "store"), live=True) as house:
        house.service.home.artifacts.register("mcp", "valet", f"{url}/mcp")
        played(house, issued(house, "porter", ACTS), mode, play, answer="gently")
    assert groomed.dogs == [("gently", 0)]
