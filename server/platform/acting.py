"""Writes and invocations on artifacts: checked, journalled and carried out as requests in words are.

The status of an action that takes its time is as in W3C's WoT Profiles: pending, running, completed, failed.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for
from werkzeug.exceptions import MethodNotAllowed, PreconditionFailed

from engine.dialogue.manual import by_hand, by_name
from engine.dialogue.requests.journal import recorded
from engine.environment.values.schemas import validate
from engine.errors import InputError
from engine.graph.terms import Json
from engine.hearthgraph import new_iri
from engine.model.intent import Intent
from engine.model.outcome import Outcome, Status
from engine.model.thing import Action, Thing
from engine.origins.hypermedia.platform import resources
from engine.origins.hypermedia.platform.addresses import step_name
from engine.origins.hypermedia.platform.artifacts import settable
from server import bodies
from server.faults import problem
from server.guard import writing
from server.platform.answering import etag
from server.platform.pages import nothing, the_property, the_thing, web
from server.protocol.requests import patience
from server.service import service
from server.talks import Turn

blueprint = Blueprint("platform_acting", __name__)

URN = "urn:uuid:"
ASYNC = "respond-async"
SOON = 1.0
"""Seconds within which what was asked for is under way."""
STATUSES = {
    "precondition_failed": 412,
    "policy_violation": 403,
    "needs_consent": 409,
    "unavailable": 503,
    "timeout": 504,
    "cancelled": 409,
    "no_such_command": 409,
    "no_such_property": 409,
}
"""The status of HTTP by the reason for which something was not done. Whatever else a device did not do is 502; what a
value was refused for is 422."""


@blueprint.put("/workspaces/<workspace>/artifacts/<artifact>/properties/<name>")
@writing
def write(workspace: str, artifact: str, name: str) -> Response:
    """Brings a property to a value; with `If-Match` only where it is still as the client read it."""
    thing = the_thing(workspace, artifact)
    prop = the_property(thing, name)
    home = service().home
    if not settable(prop, thing, home.registry.vocabulary):
        raise MethodNotAllowed(["GET", "HEAD"], "This can be read, and not written.")
    at = web()
    holds = _precondition()
    if not holds(resources.value(at, thing, prop).forms[resources.JSON]()):
        raise PreconditionFailed("The value has changed since it was read.")
    wanted = bodies.given()
    validate(wanted, prop.schema, prop.name)

    def still() -> bool:
        return holds(resources.value(at, thing, prop).forms[resources.JSON]())

    asked = "If-Match" in request.headers or "If-None-Match" in request.headers
    return _done(lambda iri: by_hand(prop.iri, wanted, iri, home.registry), thing, None, still if asked else None)


@blueprint.post("/workspaces/<workspace>/artifacts/<artifact>/actions/<name>")
@writing
def invoke(workspace: str, artifact: str, name: str) -> Response:
    """Invokes an action: 204 when it is done, 201 with the address of its status when it takes longer."""
    thing = the_thing(workspace, artifact)
    action = _action(thing, name)
    payload = bodies.given() if request.get_data() else None
    return _done(lambda iri: by_name(action.iri, payload, iri, service().home.registry), thing, action)


@blueprint.get("/workspaces/<workspace>/artifacts/<artifact>/actions/<name>/<call>")
def status(workspace: str, artifact: str, name: str, call: str) -> Response:
    """How an invocation goes, or went."""
    thing = the_thing(workspace, artifact)
    _action(thing, name)
    turn = service().talks.find(URN + call)
    if turn is not None:
        return jsonify(_told(turn))
    past = recorded(service().store, URN + call)
    if past is None:
        raise nothing("There was no such invocation.")
    done = past["status"] in (Status.DONE.value, Status.ANSWERED.value)
    return jsonify({"status": "completed" if done else "failed", "href": request.base_url})


@blueprint.delete("/workspaces/<workspace>/artifacts/<artifact>/actions/<name>/<call>")
@writing
def cancel(workspace: str, artifact: str, name: str, call: str) -> tuple[Response, int]:
    """Stops an invocation that is under way; effects so far stay."""
    _action(the_thing(workspace, artifact), name)
    turn = service().talks.find(URN + call)
    if turn is None:
        raise nothing("There was no such invocation.")
    _stop(turn)
    return Response(), 204


def _stop(turn: Turn) -> None:
    """Stops a turn's plan, as soon as it runs. Raises InputError (no_such_plan) where it is done."""
    until = monotonic() + SOON
    while True:
        try:
            return service().talks.cancel(turn)
        except InputError:
            if turn.work.done() or monotonic() > until:
                raise
            sleep(SOON / 50)


def _action(thing: Thing, name: str) -> Action:
    found = next((action for action in thing.actions if step_name(action) == name), None)
    if found is None:
        raise nothing(f"{thing.title} has no action {name}.")
    return found


def _precondition() -> Callable[[str], bool]:
    """Whether a value is one that the client means, which is asked now and again when nobody else can act any more."""
    match, none_match = request.if_match, request.if_none_match

    def holds(present: str) -> bool:
        own = etag(present.encode(), resources.JSON)
        if match and not match.contains(own):
            return False
        return not (none_match.contains(own) or none_match.star_tag)

    return holds


def _done(
    intent: Callable[[str], Intent], thing: Thing, action: Action | None, provided: Callable[[], bool] | None = None
) -> Response:
    """Carries an intent out, and returns its outcome."""
    iri = new_iri()
    wanted = intent(iri)
    turn = service().talks.intend(wanted.text, (wanted,), iri, None, provided)
    preferred = [preference.strip() for preference in request.headers.get("Prefer", "").split(",")]
    try:
        seconds = 0 if ASYNC in preferred else patience()
        outcome = service().talks.awaited(turn, seconds, patient=True)
    except TimeoutError:
        return _under_way(turn, thing, action)
    if outcome.status is Status.DONE:
        return Response(status=204)
    return _not_done(outcome)


def _under_way(turn: Turn, thing: Thing, action: Action | None) -> Response:
    address = url_for("requests.look", name=turn.request)
    if action is not None:
        address = f"{web().at.of_affordance(thing, action)}/{turn.request.removeprefix(URN)}"
    response = jsonify({**_told(turn), "href": address})
    response.status_code = 201 if action is not None else 202
    response.headers["Location"] = address
    return response


def _not_done(outcome: Outcome) -> Response:
    """A refusal, question or failure as a fault."""
    reason = outcome.reason or "device_failed"
    refused = outcome.status is Status.REFUSED
    told: dict[str, Any] = {"reason": reason, "message": outcome.reply, "remedy": ""}
    if outcome.status is Status.PROPOSED and outcome.plan is not None:
        address = url_for("requests.consent", name=outcome.request)
        told |= {"reason": "needs_consent", "plan_id": outcome.plan.iri, "consent": address}
        told["remedy"] = f"POST the plan_id to {address}."
        return problem(409, told)
    return problem(STATUSES.get(reason, 422 if refused else 502), told)


def _told(turn: Turn) -> dict[str, Json]:
    """The status of an invocation (https://w3c.github.io/wot-profile/#sec-http-basic-profile-protocol-binding)."""
    told: dict[str, Json] = {"status": "running", "href": request.base_url}
    outcome = turn.outcome
    if not turn.work.done():
        return told
    if outcome is None:
        return {**told, "status": "failed"}
    if outcome.status is Status.PROPOSED:
        return {**told, "status": "pending"}
    done = outcome.status is Status.DONE
    if not done:
        told["error"] = {"reason": outcome.reason, "title": outcome.reply}
    return {**told, "status": "completed" if done else "failed"}
