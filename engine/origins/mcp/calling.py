"""Using what an MCP server offers: the tool is looked up again, called, and what it answers is unwrapped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from engine.environment.asked import InputRequired
from engine.environment.http.credentials import Secrets
from engine.environment.http.exchange import Exchange
from engine.errors import BindingError
from engine.graph.terms import Json
from engine.model.exposure import RESOURCE, Artifact, Offer
from engine.origins.mcp import description
from engine.origins.mcp.session import Session

MOST_ITEMS = 100


async def described(
    exchange: Exchange, name: str, endpoint: str, secrets: Secrets | None, reach: frozenset[str] | None
) -> Artifact:
    """The server at an address as an artifact. Raises BindingError."""
    session = await Session.open(exchange, endpoint, secrets, reach)
    try:
        able = session.about.get("capabilities")
        able = able if isinstance(able, dict) else {}
        tools, seconds = await session.listed("tools/list", "tools") if "tools" in able else ([], 0.0)
        resources, also = await session.listed("resources/list", "resources") if "resources" in able else ([], 0.0)
        good = min((one for one in (seconds, also) if one > 0), default=0.0)
        return description.artifact(name, endpoint, session.about, tools, resources, session.version, good)
    finally:
        await session.close()


async def use(
    exchange: Exchange,
    artifact: Artifact,
    offer: Offer,
    payload: Json,
    secrets: Secrets | None,
    reach: frozenset[str] | None,
    answer: Mapping[str, Any] | None = None,
) -> Json:
    """What a tool answers, or what a resource holds. A tool that is not any more what it was is not called.

    Raises BindingError: changed, no_such_command, device_failed, input_required (InputRequired)."""
    version = str(artifact.facts.get("version", ""))
    session = await Session.open(exchange, artifact.endpoint, secrets, reach, version)
    try:
        if offer.sort == RESOURCE:
            return _contents(await session.ask("resources/read", {"uri": offer.call["uri"]}))
        await _check(session, artifact, offer)
        params: dict[str, Any] = {"name": offer.call["tool"], "arguments": payload or {}, **(answer or {})}
        return _result(await session.ask("tools/call", params, offer.input))
    finally:
        await session.close()


async def _check(session: Session, artifact: Artifact, offer: Offer) -> None:
    """Raises BindingError (changed) where the tool does not say what it said when it was registered."""
    tools, _ = await session.listed("tools/list", "tools")
    found = [one for one in tools if one.get("name") == offer.call["tool"]]
    now = description.artifact(artifact.id, artifact.endpoint, {}, found, (), session.version).offers
    if not now or (now[0].description, now[0].input) != (offer.description, offer.input):
        raise BindingError(
            f'"{offer.title}" is not what it was when it was registered.',
            remedy="Look at it, and register it again.",
            reason="changed",
        )


def _result(result: Mapping[str, Any]) -> Json:
    if result.get("resultType") == "input_required" or "inputRequests" in result:
        raise _asked(result)
    texts = [_item(one) for one in (result.get("content") or [])[:MOST_ITEMS] if isinstance(one, dict)]
    if result.get("isError"):
        said = " ".join(one for one in texts if isinstance(one, str))[:200]
        raise BindingError(f"The tool reported a failure: {said or 'no reason'}.")
    structured = result.get("structuredContent")
    if isinstance(structured, dict):
        return structured["result"] if structured.keys() == {"result"} else cast(Json, structured)
    return texts[0] if len(texts) == 1 else cast(Json, texts) or None


def _asked(result: Mapping[str, Any]) -> InputRequired:
    requests = result.get("inputRequests")
    requests = requests if isinstance(requests, dict) else {}
    key, asked = next(iter(requests.items()), ("", {}))
    params = asked.get("params") if isinstance(asked, dict) else None
    params = params if isinstance(params, dict) else {}
    schema = params.get("requestedSchema")
    members = list((schema.get("properties") or {}) if isinstance(schema, dict) else {})
    question = str(params.get("message") or "The tool wants to know more.")[:400]
    return InputRequired(question, {"key": key, "members": members, "requestState": result.get("requestState")})


def answered(state: Mapping[str, Any], text: str) -> dict[str, Any]:
    """What a question is answered with, beside the call that it was about."""
    members = cast("list[str]", state.get("members") or ["answer"])
    response = {"action": "accept", "content": {members[0]: text}}
    found: dict[str, Any] = {"inputResponses": {str(state.get("key", "")): response}}
    return found | ({"requestState": state["requestState"]} if state.get("requestState") is not None else {})


def _item(one: Mapping[str, Any]) -> Json:
    """One piece of content: text as it is, what is more as what it is, without its bytes."""
    if one.get("type") == "text":
        return str(one.get("text", ""))
    resource = one.get("resource")
    if isinstance(resource, dict) and isinstance(resource.get("text"), str):
        return str(resource["text"])
    return {key: str(one[key])[:200] for key in ("type", "mimeType", "uri", "name") if key in one}


def _contents(result: Mapping[str, Any]) -> Json:
    found: list[Json] = []
    for one in (result.get("contents") or [])[:MOST_ITEMS]:
        if isinstance(one, dict):
            text = one.get("text")
            found.append(_parsed(text, str(one.get("mimeType", ""))) if isinstance(text, str) else _item(one))
    return found[0] if len(found) == 1 else found


def _parsed(text: str, kind: str) -> Json:
    if kind.partition(";")[0].strip() == "application/json":
        try:
            return cast(Json, json.loads(text))
        except (ValueError, RecursionError):
            return text
    return text
