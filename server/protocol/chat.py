"""The same conversation as OpenAI's chat completions have it, so that any chat client can talk to the home.

https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from time import time
from typing import Any
from uuid import uuid4

from flask import Blueprint, Response, jsonify

from engine.dialogue.requests.request import Consent
from engine.errors import HearthgraphError, InputError
from server import bodies
from server.faults import about, status_of
from server.guard import writing
from server.service import service
from server.streams import event
from server.talks import Talk

blueprint = Blueprint("chat", __name__)

MODELS = {"hearthgraph": Consent.ASK, "hearthgraph-yes": Consent.YES}
"""The first asks before it acts; the second only where a person might regret it."""
LONGEST = 60.0
LATER, SLOW = "It will be done.", "It is under way."
_WORD = re.compile(r"\S+\s*")


@blueprint.get("/v1/models")
def models() -> Response:
    """The models there are."""
    return jsonify({"object": "list", "data": [_model(name) for name in MODELS]})


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "hearthgraph"}


@blueprint.post("/v1/chat/completions")
@writing
def complete() -> Response:
    """The home's answer to the last message of a user; the messages before it identify the conversation."""
    given = bodies.given()
    said = _said(given)
    model = given.get("model", "hearthgraph")
    if not isinstance(model, str) or model not in MODELS:
        raise InputError(
            f"There is no model {model}.", remedy=f"Take one of {', '.join(MODELS)}.", reason="no_such_model"
        )
    user = given.get("user")
    talks = service().talks
    talk = talks.talk(_digest(said[:-1]))
    turn = talks.say(said[-1][1], talk=talk, consent=MODELS[model], user=user if isinstance(user, str) else None)
    try:
        reply = _reply(talks.awaited(turn, LONGEST).reply)
    except TimeoutError:
        reply = LATER if turn.waits.done() else SLOW
    _remember(said, reply, talk)
    return _streamed(model, reply) if given.get("stream") else jsonify(_completion(model, reply))


@blueprint.errorhandler(HearthgraphError)
def _fault(error: HearthgraphError) -> tuple[Response, int]:
    told, status = about(error), status_of(error)
    kind = "authentication_error" if status == 401 else "invalid_request_error"
    return jsonify({"error": {"message": str(error), "type": kind, "code": told["reason"], "param": None}}), status


def _reply(text: str) -> str:
    return text or "There is nothing to say to that."


def _said(given: Any) -> list[tuple[str, str]]:
    """The messages of user and assistant, in turns; a user's is the last. Raises InputError."""
    messages = given.get("messages") if isinstance(given, dict) else None
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise InputError("There are no messages.", remedy="Send messages, each with a role and a content.")
    said = [(str(m.get("role")), _content(m.get("content"))) for m in messages]
    said = [one for one in said if one[0] in ("user", "assistant")]
    if not said or said[-1][0] != "user":
        raise InputError("A user has the last word.", remedy="End with a message of role user.")
    return said


def _content(content: Any) -> str:
    """The text of a message, which may be in parts."""
    if isinstance(content, list):
        return " ".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _digest(said: Sequence[tuple[str, str]]) -> str | None:
    """A name for the conversation in which all this was said; None for one that begins."""
    if not said:
        return None
    return "chat:" + blake2b(json.dumps(said).encode(), digest_size=16).hexdigest()


def _remember(said: Sequence[tuple[str, str]], reply: str, talk: Talk) -> None:
    name = _digest([*said, ("assistant", reply)])
    assert name is not None
    service().talks.name(name, talk)


def _completion(model: str, reply: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": reply}, "finish_reason": "stop", "logprobs": None}
    usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    return {**_head(model, "chat.completion"), "choices": [choice], "usage": usage}


def _head(model: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{uuid4().hex}", "object": kind, "created": int(time()), "model": model}


def _streamed(model: str, reply: str) -> Response:
    head = _head(model, "chat.completion.chunk")

    def chunk(delta: dict[str, str], end: str | None = None) -> str:
        return event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": end, "logprobs": None}]})

    def events() -> Iterator[str]:
        yield chunk({"role": "assistant", "content": ""})
        for word in _WORD.findall(reply):
            yield chunk({"content": word})
        yield chunk({}, "stop")
        yield event("[DONE]")

    return Response(events(), content_type="text/event-stream; charset=utf-8", headers={"Cache-Control": "no-store"})
