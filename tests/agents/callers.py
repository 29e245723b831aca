"""The agents of the tests: what each is about to do and may, and how it comes to the house with the official kit.

They stand here and nowhere else, so that what a test's agent can do is seen at one place.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from tests.server.serving import Serving

REVISIONS = ("legacy", "2026-07-28")
READS, ASKS = ("read",), ("read", "ask")
ACTS = (*ASKS, "act")
ALL = (*ACTS, "consent")
"""What a token may be good for."""
BEGUN = "The agent has just begun."
LOOKING = "The agent wants to read the goal of the user."
TELLING = "The agent wants to give feedback to the user."
FORMALIZING = "The agent wants to put the goal in plain words into a formal command."
MOVING = "The agent wants to control the robot with a formal command."
BAKING = "The agent wants to bake a cake."
"""What agents are about to do: the scenario of "Agentic Web", 4.2, step by step; and what nothing here is for."""


def issued(house: Serving, name: str, scopes: Sequence[str], rooms: list[str] | None = None) -> str:
    """A token for an agent, good for some of read, ask, act and consent, in some rooms or in all."""
    answer = house.client.post(f"/agents/{name}/token", json={"scopes": list(scopes), "rooms": rooms})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


@asynccontextmanager
async def client(house: Serving, token: str | None, mode: str, answer: str | None = None) -> AsyncIterator[Any]:
    """The official client, with a token; what it is asked is answered by `answer`."""
    import mcp_types as types
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    async def asked(context: Any, params: Any) -> Any:
        if answer is None:
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content={"answer": answer})

    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with create_mcp_http_client(headers) as http:
        transport = streamable_http_client(f"{house.url}/mcp", http_client=http)
        more = {"elicitation_callback": asked} if answer is not None else {}
        async with Client(transport, mode=mode, **more) as opened:
            yield opened


def played(house: Serving, token: str | None, mode: str, play: Callable[[Any], Awaitable[Any]], **more: Any) -> Any:
    """What a play with the client comes to."""

    async def whole() -> Any:
        async with client(house, token, mode, **more) as opened:
            return await play(opened)

    return asyncio.run(asyncio.wait_for(whole(), 60))


async def called(opened: Any, name: str, **arguments: Any) -> dict[str, Any]:
    result = await opened.call_tool(name, arguments)
    found = result.structured_content
    assert json.loads(result.content[0].text) == found
    return dict(found)


def lamp(house: Serving) -> str:
    """A lamp that is alone of its kind in its room."""
    registry = house.service.home.registry
    lights = [t for _, t in sorted(registry.things.items()) if any(c.endswith("Light") for c in t.classes)]
    return next(t.iri for t in lights if power_of(t) is not None)


def power_of(thing: Any) -> Any:
    """The property that says whether it is on."""
    return next((p for p in thing.properties if any(kind.endswith("#Power") for kind in p.kinds)), None)


def switched(power: Any, on: bool) -> Any:
    """On or off as this device writes it."""
    return on if power.schema.type == "boolean" else ("on" if on else "off")
