"""Using what an MCP server offers: the tool is looked up again, called, and what it answers is unwrapped."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, cast

from engine.environment.asked import InputRequired, is_never_mind
from engine.environment.http.credentials import Secrets
from engine.environment.http.exchange import Way
from engine.errors import BindingError
from engine.graph.terms import Json
from engine.model.exposure import RESOURCE, Artifact, Offer
from engine.origins.mcp import description, elicitation
from engine.origins.mcp.session import Session

MOST_ITEMS = 100
ELICIT = "elicitation/create"
Ask = Callable[[str], Awaitable[str | None]]
"""Asks whoever called; None where nobody answers."""


async def described(
    exchange: Way, name: str, endpoint: str, secrets: Secrets | None, reach: frozenset[str] | None
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
    exchange: Way,
    artifact: Artifact,
    offer: Offer,
    payload: Json,
    secrets: Secrets | None,
    reach: frozenset[str] | None,
    answer: Mapping[str, Any] | None = None,
    ask: Ask | None = None,
) -> Json:
    """What a tool answers, or what a resource holds. `ask` asks whoever called, while the call goes on. A tool that is
    not any more what it was is not called.

    Raises BindingError: changed, no_such_command, device_failed, input_required (InputRequired)."""
    version = str(artifact.facts.get("version", ""))
    elicit = None if ask is None else partial(elicited, ask=ask)
    session = await Session.open(exchange, artifact.endpoint, secrets, reach, version, elicit)
    try:
        if offer.sort == RESOURCE:
            return _contents(await session.ask("resources/read", {"uri": offer.call["uri"]}))
        await _check(session, artifact, offer)
        params: dict[str, Any] = {"name": offer.call["tool"], "arguments": payload or {}, **(answer or {})}
        return result_of(await session.ask("tools/call", params, offer.input))
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


def result_of(result: Mapping[str, Any]) -> Json:
    """What a tool answered, unwrapped. Raises BindingError: device_failed, input_required (InputRequired)."""
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
    if len(requests) > 1 or (isinstance(asked, dict) and asked.get("method", ELICIT) != ELICIT):
        raise BindingError("The tool wants to know what nobody here can tell it.")
    schema = params.get("requestedSchema")
    state: dict[str, Any] = {"key": key, "message": params.get("message"), "schema": schema, "said": {}}
    if "requestState" in result:
        state["requestState"] = result["requestState"]
    return _next(state)


def _next(state: Mapping[str, Any]) -> InputRequired:
    """The question for what is still to be known."""
    left = elicitation.missing(state["schema"], state["said"])
    return InputRequired(elicitation.question(state["message"], state["schema"], left[0] if left else None), state)


def answered(state: Mapping[str, Any], text: str) -> dict[str, Any]:
    """What a question is answered with, beside the call that it was about. Raises InputRequired for what is still to be
    known, or was not understood."""
    response: dict[str, Any] = {"action": "decline"}
    if not is_never_mind(text):
        response = {"action": "accept", "content": _content(state, text)}
    found: dict[str, Any] = {"inputResponses": {str(state.get("key", "")): response}}
    return found | ({"requestState": state["requestState"]} if "requestState" in state else {})


def _content(state: Mapping[str, Any], text: str) -> dict[str, Json]:
    schema, said = state["schema"], dict(state["said"])
    known, left = elicitation.members(schema), elicitation.missing(schema, said)
    if left:
        try:
            said[left[0]] = elicitation.value(known[left[0]], text)
        except ValueError:
            raise _next(state) from None
        if left[1:]:
            raise _next({**state, "said": said})
    return {**elicitation.defaults(schema), **said}


async def elicited(params: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
    """What a person says to what a server wants to know while it answers (2025-11-25)."""
    if params.get("mode", "form") != "form":
        return {"action": "cancel"}
    state: dict[str, Any] = {"message": params.get("message"), "schema": params.get("requestedSchema"), "said": {}}
    asked = _next(state)
    for _ in range(2 * elicitation.MOST):
        text = await ask(str(asked.message))
        if text is None:
            return {"action": "cancel"}
        try:
            response: dict[str, Any] = answered(asked.state, text)["inputResponses"][""]
        except InputRequired as again:
            asked = again
        else:
            return response
    return {"action": "cancel"}


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
