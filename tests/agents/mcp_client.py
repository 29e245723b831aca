"""What MCP's conformance suite runs as a client: our own visits to a server, over our own doorkeeper.

Run by the suite: `python -m tests.agents.mcp_client URL`, with MCP_CONFORMANCE_SCENARIO in the environment.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from engine.environment.http.addresses import Hosts
from engine.environment.http.credentials import Credentials
from engine.environment.http.exchange import Exchange, Limits
from engine.environment.http.oauth.admitted import Doorkeeper
from engine.errors import BindingError
from engine.origins.mcp import calling, description, wire
from engine.origins.mcp.session import Session

LEGACY = "2025-11-25"


def credentials(url: str, known: dict[str, Any], folder: Path) -> Credentials:
    """The credentials file, as its owner would have written it for this server."""
    entry = {"client_id": known["client_id"]}
    if "client_secret" in known:
        entry["client_secret"] = known["client_secret"]
    if "private_key_pem" in known:
        entry["key_file"] = str(folder / "key.pem")
        (folder / "key.pem").write_text(known["private_key_pem"])
    path = folder / "credentials.json"
    path.write_text(json.dumps({"localhost": entry}))
    path.chmod(0o600)
    return Credentials.load(path)


async def consents(url: str) -> str:
    """A person who consents to everything; where they are sent back to."""
    async with httpx.AsyncClient() as client:
        answer = await client.get(url)
        return answer.headers["location"]


async def played(url: str, context: dict[str, Any]) -> None:
    """Does what a scenario wants of a client."""
    with tempfile.TemporaryDirectory() as folder:
        known = credentials(url, context, Path(folder)) if "client_id" in context else Credentials()
        exchange = Exchange(Hosts(["localhost"]), Limits(20.0, 1_000_000))
        keeper = Doorkeeper(lambda: exchange, known)
        keeper.redirect, keeper.person = "http://localhost:3000/callback", consents
        keeper.document = "https://conformance-test.local/client-metadata.json"
        version = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", wire.MODERN)
        try:
            way = keeper.to(httpx.URL(url), None)
            elicit = partial(calling.elicited, ask=said)
            session = await Session.open(way, url, version=LEGACY if version <= LEGACY else "", elicit=elicit)
            await visited(session, context)
            await session.close()
        finally:
            await exchange.close()


async def said(question: str) -> str:
    """What is said to a question."""
    return "yes" if "?" in question else "x"


async def visited(session: Session, context: dict[str, Any]) -> None:
    """Lists, and calls what is to be called."""
    listed, _ = await session.listed("tools/list", "tools")
    offers = description.artifact("tested", "http://localhost/", {}, listed, (), session.version).offers
    tools = {offer.name: offer for offer in offers}
    context = {**context, "listed": {one["name"]: one["inputSchema"] for one in listed}}
    for name, arguments in calls(tools, context):
        await called(session, tools[name], arguments)


def calls(tools: dict[str, Any], context: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What is called, with what."""
    if "toolCalls" in context:
        return [(one["name"], one["arguments"]) for one in context["toolCalls"]]
    if "json_schema_2020_12_tool" in tools and len(tools) > 1:
        echo = next(name for name in tools if name != "json_schema_2020_12_tool")
        return [(echo, {"schema": context["listed"]["json_schema_2020_12_tool"]})]
    known: dict[str, Any] = {"a": 5, "b": 3}
    return [(name, {k: v for k, v in known.items() if k in _members(one)}) for name, one in tools.items()]


def _members(offer: Any) -> dict[str, Any]:
    return dict((offer.input or {}).get("properties") or {})


async def called(session: Session, offer: Any, arguments: dict[str, Any]) -> None:
    """A call to its end, also where the server asks first."""
    params: dict[str, Any] = {"name": offer.name, "arguments": arguments}
    for _ in range(5):
        result = await session.ask("tools/call", params, offer.input)
        try:
            calling.result_of(result)
        except calling.InputRequired as asked:
            params = {"name": offer.name, "arguments": arguments, **calling.answered(asked.state, "yes")}
        except BindingError:
            return
        else:
            return


if __name__ == "__main__":
    told: Callable[[str], dict[str, Any]] = lambda text: json.loads(text) if text else {}  # noqa: E731
    asyncio.run(
        played(
            sys.argv[-1],
            told(os.environ.get("MCP_CONFORMANCE_CONTEXT", "")),
        )
    )
