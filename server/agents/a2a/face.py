"""Where the house is an A2A agent: its card, signed, and `/a2a` for messages over JSON-RPC, in 1.0 and 0.3."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, jsonify, request

from engine.errors import InputError
from engine.graph.json_values import checked
from server.addresses import base
from server.agents.a2a.house import Worker, as_new, card, old_card
from server.agents.a2a.rpc import Fault, Rpc, error
from server.agents.a2a.tasks import Tasks
from server.agents.scopes import house, present
from server.service import service
from server.streams import event, stream

blueprint = Blueprint("agents_a2a", __name__)
VERSION = "A2A-Version"
SINCE = datetime.now(UTC).replace(microsecond=0)
"""Since when the card may be what it is: it is made of the home as it is, and the entity tag is what tells."""
KEYS = ".well-known/jwks.json"
FRESH = 300
"""Seconds for which a card is good."""


@blueprint.get("/.well-known/agent-card.json")
@blueprint.get("/.well-known/agent.json")
def agent_card() -> Response:
    """The card; to who asks by version 0.3 the card of that, for such clients refuse another."""
    served = service()
    found = card(served.home, f"{base()}a2a", open_to_read=served.settings.reading_open)
    old = request.headers.get(VERSION, "").startswith("0.3") or request.path.endswith("agent.json")
    forms = (old_card(found), as_new(old_card(found))) if old else (found,)
    return carded({**forms[0], **_signed(forms)})


def _signed(forms: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The signatures of a card in each of the forms in which it may be checked; that of 0.3 is also read as 1.0 is."""
    signer = service().agents.signer
    if not signer.able:
        return {}
    return {"signatures": [signer.signature(form, f"{base()}{KEYS}") for form in forms]}


@blueprint.get(f"/{KEYS}")
def keys() -> Response:
    """The key by which the card is signed."""
    signer = service().agents.signer
    return jsonify({"keys": [signer.public] if signer.able else []})


def carded(found: dict[str, Any]) -> Response:
    """A card as a response, with the headers by which clients cache it."""
    response = jsonify(found)
    unsigned = {name: value for name, value in found.items() if name != "signatures"}  # which differ each time
    response.set_etag(sha256(json.dumps(unsigned, sort_keys=True).encode()).hexdigest()[:32])
    response.headers["Cache-Control"] = f"public, max-age={FRESH}"
    response.headers["Vary"] = VERSION
    response.last_modified = SINCE
    response.make_conditional(request)
    return response


@blueprint.post("/a2a")
@blueprint.post("/a2a/")
def a2a() -> Response:
    """Answers a request of JSON-RPC. The token that comes with it decides on its rights."""
    served = service()
    worker, rpc = served.agents.speaking(_made)
    return answered(rpc, worker.known(present()))


def answered(rpc: Rpc, owner: str, streaming: Callable[[Iterator[str]], Response] = stream) -> Response:
    """The response to the present call."""
    if (request.mimetype or "application/json") != "application/json":
        return jsonify(error(None, Fault(-32005, "Send application/json.", "CONTENT_TYPE_NOT_SUPPORTED")))
    try:
        said = checked(json.loads(request.get_data()), numbers=False)
    except (ValueError, RecursionError, InputError):
        return jsonify(error(None, Fault(-32700, "This is no JSON.")))
    found = rpc.answer(said, owner, request.headers.get(VERSION, "").strip())
    if found.stream is not None:
        return streaming(_told(found.stream))
    return jsonify(found.one)


def _told(found: Iterator[dict[str, Any] | None]) -> Iterator[str]:
    for one in found:
        yield ": still at it\n\n" if one is None else event(one)


def _made() -> tuple[Worker, Rpc]:
    served = service()
    tasks = Tasks(served.store)
    worker = Worker(house(), tasks)
    return worker, Rpc(tasks, worker.work, worker.cancel, served.ending.is_set, worker.may_ask)
