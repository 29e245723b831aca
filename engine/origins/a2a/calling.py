"""Speaking to an A2A agent: a message is sent, a task is followed to its end, what comes of it is unwrapped."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, cast
from uuid import uuid4

import httpx

from engine.environment.asked import InputRequired, is_never_mind, plain
from engine.environment.http import event_stream
from engine.environment.http.credentials import Secrets
from engine.environment.http.exchange import Way
from engine.environment.http.requests import HttpRequest
from engine.errors import BindingError
from engine.graph.terms import Json
from engine.model.exposure import Artifact, Offer
from engine.origins.a2a import card

PATIENCE = 25.0
"""Seconds that a task may take before it is given up here."""
KNOCKING = 5.0
"""Seconds for seeing whether an agent lets anybody in."""
PAUSES = (0.1, 0.2, 0.5, 1.0)
_METHODS = {
    card.NEW: ("SendMessage", "SendStreamingMessage", "GetTask", "CancelTask"),
    card.OLD: ("message/send", "message/stream", "tasks/get", "tasks/cancel"),
}
_DONE = frozenset(("completed",))
_ASKS = frozenset(("input-required", "auth-required"))
_LOST = frozenset(("failed", "canceled", "rejected", "unknown"))


async def described(
    exchange: Way, name: str, endpoint: str, secrets: Secrets | None, reach: frozenset[str] | None
) -> Artifact:
    """The agent at an address, by its card. Raises BindingError, InputError."""
    url = httpx.URL(card.card_address(endpoint))
    headers = (("Accept", "application/json"), ("A2A-Version", card.NEW))
    answer = await exchange.send(HttpRequest("GET", url, headers, None, secrets or Secrets(), reach=reach))
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        raise BindingError("The agent's card is not valid JSON.", reason="bad_answer") from error
    return card.artifact(name, endpoint, found, answer.headers.get("etag", ""), answer.fresh)


async def knock(exchange: Way, artifact: Artifact, secrets: Secrets | None, reach: frozenset[str] | None) -> None:
    """Sees whether an agent lets this home in, by asking for a task that there is not: a card may be open to all where
    the agent is not. Raises BindingError (consent_needed) where a person has to consent; all else shows in use."""
    try:
        await _Speaking(exchange, artifact, secrets, reach).look_up(str(uuid4()))
    except BindingError as error:
        if error.reason == "consent_needed":
            raise


async def use(
    exchange: Way,
    artifact: Artifact,
    offer: Offer,
    payload: Json,
    secrets: Secrets | None,
    reach: frozenset[str] | None,
    answer: Mapping[str, Any] | None = None,
) -> Json:
    """What the agent says to a message. Raises BindingError: device_failed, timeout, input_required (InputRequired)."""
    speaking = _Speaking(exchange, artifact, secrets, reach)
    said = payload.get("message") if isinstance(payload, dict) else payload
    return await speaking.say(said, str(offer.call.get("skill", "")), answer or {})


def answered(state: Mapping[str, Any], text: str) -> dict[str, Any]:
    """What a question is answered with: the task that it was about, and the words."""
    found = {key: state[key] for key in ("taskId", "contextId") if state.get(key)}
    return {**found, "cancel": True} if is_never_mind(text) else {**found, "text": text}


class _Speaking:
    """One message to one agent, until something has come of it."""

    def __init__(
        self, exchange: Way, artifact: Artifact, secrets: Secrets | None, reach: frozenset[str] | None
    ) -> None:
        self._exchange, self._secrets, self._reach = exchange, secrets or Secrets(), reach
        self._url = httpx.URL(str(artifact.facts["url"]))
        self._version = str(artifact.facts["version"])
        self._streams = artifact.facts.get("streaming") is True
        self._old = self._version == card.OLD

    async def say(self, said: Json, skill: str, follows: Mapping[str, Any]) -> Json:
        send, stream, look, cancel = _METHODS[self._version]
        if follows.get("cancel"):
            found = await self._ask(cancel, {"id": follows.get("taskId")}, PATIENCE)
            return _came(*_latest(found))
        params = {"message": self._message(follows.get("text", said), skill, follows)}
        found = await self._ask(stream if self._streams else send, params, PATIENCE)
        task, message = _latest(found)
        waited = 0
        while task is not None and not _ended(task):
            await asyncio.sleep(PAUSES[min(waited, len(PAUSES) - 1)])
            waited += 1
            if waited > 60:
                raise BindingError("The agent is still at it.", reason="timeout")
            task, message = _latest(await self._ask(look, {"id": task["id"]}, PATIENCE))
        return _came(task, message)

    async def look_up(self, task: str) -> list[dict[str, Any]]:
        """What the agent tells of a task."""
        return await self._ask(_METHODS[self._version][2], {"id": task}, KNOCKING)

    def _message(self, said: Json, skill: str, follows: Mapping[str, Any]) -> dict[str, Any]:
        if isinstance(said, str):
            part: dict[str, Any] = {"kind": "text", "text": said} if self._old else {"text": said}
        else:
            part = {"kind": "data", "data": said} if self._old else {"data": said}
        role = "user" if self._old else "ROLE_USER"
        message: dict[str, Any] = {"messageId": str(uuid4()), "role": role, "parts": [part]}
        if self._old:
            message["kind"] = "message"
        message |= {key: follows[key] for key in ("taskId", "contextId") if follows.get(key)}
        return {**message, "metadata": {"skill": skill}}

    async def _ask(self, method: str, params: Mapping[str, Any], seconds: float) -> list[dict[str, Any]]:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
        headers += [] if self._old else [("A2A-Version", self._version)]
        asked = HttpRequest("POST", self._url, tuple(headers), body, self._secrets, reach=self._reach)
        answer = await self._exchange.send(asked, seconds)
        return [_result(one) for one in _messages(answer.body, answer.content_type)]


def _messages(body: bytes, content_type: str) -> list[Any]:
    try:
        return [json.loads(text) for text in event_stream.texts(body, content_type)]
    except (ValueError, RecursionError) as error:
        raise BindingError("The agent's answer is not valid JSON.", reason="bad_answer") from error


def _result(message: Any) -> dict[str, Any]:
    if isinstance(message, dict) and isinstance(error := message.get("error"), dict):
        raise BindingError(f"The agent refused: {plain(error.get('message'), 200) or 'no reason'}.")
    result = message.get("result") if isinstance(message, dict) else None
    if not isinstance(result, dict):
        raise BindingError("The agent answered something else than it was asked.", reason="bad_answer")
    return result


def _latest(found: list[dict[str, Any]]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The task, or else the message, after all that was told of it, in whichever version's shape."""
    task: dict[str, Any] | None = None
    message: dict[str, Any] | None = None
    for one in found:
        kind = one.get("kind")
        told = one.get("task") or (one if kind == "task" or ("status" in one and "id" in one) else None)
        update = one.get("statusUpdate") or (one if kind == "status-update" else None)
        artifact = one.get("artifactUpdate") or (one if kind == "artifact-update" else None)
        if isinstance(told, dict):
            task = dict(told)
        elif isinstance(update, dict):
            task = {**(task or {"id": update.get("taskId"), "contextId": update.get("contextId")})}
            task["status"] = update.get("status")
        elif isinstance(artifact, dict) and isinstance(artifact.get("artifact"), dict):
            task = {**(task or {"id": artifact.get("taskId")})}
            task["artifacts"] = [*(task.get("artifacts") or []), artifact["artifact"]]
        else:
            message = one.get("message") if isinstance(one.get("message"), dict) else one
    return task, message


def _state(task: Mapping[str, Any]) -> str:
    status = task.get("status")
    said = str(status.get("state", "")) if isinstance(status, dict) else ""
    return said.removeprefix("TASK_STATE_").replace("_", "-").lower()


def _ended(task: Mapping[str, Any]) -> bool:
    return _state(task) in _DONE | _ASKS | _LOST


def _came(task: Mapping[str, Any] | None, message: Mapping[str, Any] | None) -> Json:
    if task is None:
        return _spoken((message or {}).get("parts"))
    status = task.get("status")
    told = status.get("message") if isinstance(status, dict) else None
    said = _spoken(told.get("parts")) if isinstance(told, dict) else None
    if _state(task) in _ASKS:
        state = {"taskId": task.get("id"), "contextId": task.get("contextId")}
        raise InputRequired(str(said or "The agent wants to know more."), state)
    if _state(task) in _LOST:
        raise BindingError(f"The agent did not do it: {plain(str(said or _state(task)), 200)}.")
    artifacts = [one for one in task.get("artifacts") or [] if isinstance(one, dict)]
    parts = [part for one in artifacts for part in one.get("parts") or []]
    return _spoken(parts) if parts else said


def _spoken(parts: object) -> Json:
    """The parts of a message: texts together, data as it is."""
    given = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    found = [part["text"] if isinstance(part.get("text"), str) else part.get("data") for part in given]
    known: list[Json] = [one for one in found if one is not None]
    if known and all(isinstance(one, str) for one in known):
        return "\n".join(cast("list[str]", known))
    return known[0] if len(known) == 1 else known or None
