"""What was registered is kept up to date: read again when it ran out or tells of a change, and known as before."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from engine.graph.terms import SIGNIFIERS
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from engine.origins import artifacts
from engine.origins.mcp.session import Session
from engine.origins.upkeep import Upkeep
from tests.agents.running import running
from tests.waiting import until

pytest.importorskip("mcp", reason="the extra agents is not installed")
import mcp_types as types
from mcp.server.lowlevel import NotificationOptions
from mcp.server.mcpserver import Context, MCPServer


class Author:
    """Who writes a manual, and counts who reads it."""

    def __init__(self) -> None:
        self.about, self.read, self.spared = "Moves the robot by so many centimeters.", 0, 0
        self.moved: list[float] = []


def manual_app(author: Author) -> Any:
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    async def manual(request: Any) -> Any:
        headers = {"ETag": f'"{len(author.about)}"', "Cache-Control": "max-age=60"}
        if request.headers.get("if-none-match") == headers["ETag"]:
            author.spared += 1
            return Response(status_code=304, headers=headers)
        author.read += 1
        distance = {"type": "object", "properties": {"distance": {"type": "number", "unit": "centimeter"}}}
        call = {"call_template_type": "http", "http_method": "GET", "url": f"{request.base_url}move"}
        tool = {"name": "move", "description": author.about, "inputs": distance, "tool_call_template": call}
        nod = {"name": "nod", "description": "Nods.", "tool_call_template": {**call, "url": f"{request.base_url}nod"}}
        return JSONResponse({"utcp_version": "1.0.1", "tools": [tool, nod]}, headers=headers)

    async def move(request: Any) -> Any:
        author.moved.append(float(request.query_params["distance"]))
        return JSONResponse("moved")

    async def nod(request: Any) -> Any:
        return JSONResponse("nodded")

    return Starlette(routes=[Route("/utcp", manual), Route("/move", move), Route("/nod", nod)])


@pytest.fixture
def author() -> Author:
    return Author()


@pytest.fixture
def manual(author: Author) -> Iterator[str]:
    with running(manual_app(author)) as url:
        yield f"{url}/utcp"


def test_what_is_as_it_was_is_not_sent_again(living: Hearthgraph, manual: str, author: Author) -> None:
    living.artifacts.register("utcp", "robot", manual)
    before = living.store.generation
    found = living.artifacts.refresh("robot")
    assert (author.read, author.spared) == (1, 1)
    assert found.offers[0].description == author.about
    living.artifacts.refresh("robot")
    assert living.artifacts.all["robot"].artifact == found
    assert living.store.generation >= before


def test_what_has_changed_is_known_anew_and_experience_is_kept(
    living: Hearthgraph, manual: str, author: Author
) -> None:
    living.artifacts.register("utcp", "robot", manual)
    assert living.ask("nod with the robot", consent=True).status is Status.DONE
    learnt = set(living.store.graph(SIGNIFIERS))
    assert learnt
    author.about = "Moves the robot ahead by so many centimeters."
    living.artifacts.refresh("robot")
    assert living.artifacts.signifiers()[0].context == author.about
    assert set(living.store.graph(SIGNIFIERS)) == learnt
    assert living.ask("move the robot by 5 centimetres", consent=True).status is Status.DONE
    assert author.moved == [5]


def test_it_is_read_again_when_its_author_says_so(
    living: Hearthgraph, manual: str, author: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    living.artifacts.register("utcp", "robot", manual)
    upkeep = Upkeep(living.artifacts, period=1000)
    try:
        upkeep.look()
        assert (author.read, author.spared) == (1, 0)
        now = living.artifacts._now
        monkeypatch.setattr(living.artifacts, "_now", lambda: now() + timedelta(seconds=61))
        upkeep.look()
        assert (author.read, author.spared) == (1, 1)
        upkeep.look()
        assert (author.read, author.spared) == (1, 1), "it is good for another while"
    finally:
        upkeep.close()


def test_what_says_nothing_is_not_asked_for(living: Hearthgraph, manual: str, author: Author) -> None:
    artifact = living.artifacts.register("utcp", "robot", manual)
    assert artifact.seconds == 60
    assert artifacts.SHORTEST <= 60
    assert living.artifacts.due() == []


def test_what_cannot_be_reached_stays_as_it_was(living: Hearthgraph, author: Author) -> None:
    with running(manual_app(author)) as url:
        living.artifacts.register("utcp", "robot", f"{url}/utcp")
    upkeep = Upkeep(living.artifacts, period=1000)
    try:
        upkeep._changed.add("robot")
        upkeep.look()
        assert living.artifacts.signifiers()[0].context == author.about
    finally:
        upkeep.close()


def growing_app() -> Any:
    """A server that learns a second tool when its first is called, and says so, in either revision."""
    server = MCPServer("growing")
    sessions: list[Any] = []

    def wave() -> str:
        """Waves to whoever comes."""
        return "waved"

    @server.tool()
    async def grow(ctx: Context) -> str:
        """Learns to wave."""
        server.add_tool(wave)
        await ctx.notify_tools_changed()
        for session in sessions:  # the older revision has no bus: each session is told by itself
            await session.send_tool_list_changed()
        return "grown"

    async def begun(ctx: Any, _: Any) -> None:
        sessions.append(ctx.session)

    inner = server._lowlevel_server
    inner.add_notification_handler("notifications/initialized", types.NotificationParams, begun)
    options = inner.create_initialization_options
    inner.create_initialization_options = lambda *_: options(NotificationOptions(tools_changed=True))  # type: ignore[method-assign]
    return server.streamable_http_app()


@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25"])
def test_a_server_that_tells_of_a_change_is_read_again(
    living: Hearthgraph, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version == "2025-11-25":

        async def unknown(_: Session) -> bool:
            return False

        monkeypatch.setattr(Session, "_discovers", unknown)
    with running(growing_app()) as url:
        artifact = living.artifacts.register("mcp", "plant", f"{url}/mcp")
        assert artifact.facts == {"version": version, "tells": True}
        living.watch()
        upkeep = living._upkeep
        assert upkeep is not None
        upkeep._news.set()
        until(lambda: upkeep._followed)
        living.ask("grow with the plant", consent=True)
        until(lambda: len(living.artifacts.signifiers()) == 2)
        assert living.ask("wave with the plant", consent=True).status is Status.DONE
