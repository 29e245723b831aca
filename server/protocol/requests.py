"""Requests in words over HTTP: the fields of a batch line in, the result object out, consent by the plan's id."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for

from engine.dialogue.explaining.why import why
from engine.dialogue.requests.journal import called, recorded
from engine.dialogue.requests.request import Consent, Manner
from engine.dialogue.result import refused
from engine.environment.clock import SimulatedClock
from engine.errors import InputError
from engine.evaluation.requests import BadLine, read_line
from engine.model.outcome import Status
from server import bodies
from server.guard import writing
from server.service import service
from server.streams import BEAT, HEARTBEAT, event, stream
from server.talks import Turn

blueprint = Blueprint("requests", __name__)

CONSENT = {consent.value: consent for consent in Consent}
WAIT = 10.0
"""Seconds that a call waits for a plan to end, unless it says another number by `Prefer: wait=…`."""
LONGEST_WAIT = 60.0


@blueprint.post("/requests")
@writing
def ask() -> tuple[Response, int]:
    """The outcome of a request; 202 where its plan is still under way after a while."""
    given = _object()
    consent = CONSENT.get(str(given.pop("consent", Consent.ASK.value)))
    if consent is None:
        raise InputError("consent is one of plan, ask, yes, all.", remedy="Leave it out to be asked.")
    manner = _manner(given)
    line = read_line({"id": "request", **given}, "The request")
    if isinstance(line, BadLine):
        raise InputError(line.message, reason=line.reason)
    _at(line.now, line.home, line.memory)
    talks = service().talks
    turn = talks.say(
        line.text,
        talk=talks.talk(line.conversation),
        consent=consent,
        user=line.user,
        location=line.location,
        line=line.id if "id" in given else None,
        manner=manner,
    )
    return told(turn)


def _manner(given: dict[str, Any]) -> Manner:
    """Who plans and who tells, taken out of a request. Raises InputError."""
    found = {name: given.pop(name, None) for name in ("path", "summary")}
    for name, value in found.items():
        if not isinstance(value, str | None):
            raise InputError(f"{name} is a text.", remedy="Leave it out, as the settings have it.")
    return Manner(**found)


def _at(now: Any, home: str | None, memory: tuple[str, ...]) -> None:
    """Raises InputError for members of a batch line that a home with a clock of its own does not take: another home,
    memory, a time."""
    served = service().home
    if home is not None and home != service().settings.directory.name:
        raise InputError(f"There is no home {home} here.", remedy="Leave it out.", reason="no_such_home")
    if memory:
        raise InputError("A home that is served has a memory of its own.", remedy="Leave memory out.")
    if now is not None:
        if not isinstance(served.clock, SimulatedClock):
            raise InputError("Time is real here.", remedy="Leave now out, or start with HEARTHGRAPH_NOW.")
        served.set_now(now if now.tzinfo else now.replace(tzinfo=served.settings.zone))


def _object() -> dict[str, Any]:
    given = bodies.given()
    if not isinstance(given, dict):
        raise InputError("A request is a JSON object.", remedy='Send, for example, {"text": "turn on the light"}.')
    return dict(given)


def told(turn: Turn, *, patient: bool = False) -> tuple[Response, int]:
    """The result of a turn, waited for, unless its plan itself waits and nobody is `patient`; raises the turn's
    errors."""
    address = url_for("requests.look", name=turn.request)
    try:
        outcome = service().talks.awaited(
            turn, patience(), patient=patient or "wait=" in request.headers.get("Prefer", "")
        )
    except TimeoutError:
        response = jsonify(_under_way(turn))
        response.headers["Location"] = address
        return response, 202
    response = jsonify(service().talks.told(turn))
    response.headers["Location"] = url_for("requests.look", name=outcome.request)
    return response, 200


def patience() -> float:
    """Seconds that the client is ready to wait."""
    for preference in request.headers.get("Prefer", "").split(","):
        name, _, value = preference.strip().partition("=")
        if name == "wait" and value.isascii() and value.isdigit():
            return min(float(value), LONGEST_WAIT)
    return WAIT


def _under_way(turn: Turn) -> dict[str, Any]:
    if turn.outcome is not None:
        return {**service().talks.told(turn), "status": Status.SCHEDULED.value, "reply": "It is under way."}
    line = turn.line or turn.request
    return {**refused(line, "", "It is under way.", status=Status.SCHEDULED.value), "reason": None}


@blueprint.get("/requests/<path:name>/events")
def progress(name: str) -> Response:
    """The events of the nodes of its plan, as they happen, and the result at the end."""
    turn = _turn(name)
    talks = service().talks

    def events() -> Iterator[str]:
        for one in talks.events(turn, BEAT):
            if one is None:
                yield HEARTBEAT
                continue
            told = {"tick": one.tick, "path": one.path, "type": one.type, "name": one.name}
            yield event({**told, "status": one.status, "message": one.message}, "node")
        if turn.outcome is not None:
            yield event(talks.told(turn), "result")

    return stream(events())


@blueprint.get("/requests/<path:name>/why")
def explain(name: str) -> Response:
    """Why things went as they did, in words: the story of the request, as the journal has it."""
    turn = service().talks.sought(name)
    named = called(service().store, name) or name
    asked = named if turn is None or turn.outcome is None else turn.outcome.request
    if turn is None and recorded(service().store, named) is None:
        raise _unknown(name)
    return jsonify({"text": why(service().store, service().home.registry, asked)})


@blueprint.get("/why")
def story() -> Response:
    """The same of a request, a plan or a run by the IRI `node`; of the last request without it."""
    return jsonify({"text": why(service().store, service().home.registry, request.args.get("node") or None)})


@blueprint.get("/requests/<path:name>")
def look(name: str) -> tuple[Response, int]:
    """The outcome of a request, now or long ago."""
    turn = service().talks.sought(name)
    if turn is not None and turn.outcome is not None and turn.work.done():
        return jsonify(service().talks.told(turn)), 200
    if turn is not None and not turn.work.done():
        return jsonify(_under_way(turn)), 202
    found = recorded(service().store, called(service().store, name) or name)
    if found is None:
        raise _unknown(name)
    about = refused(name, found["reason"] or "", found["text"], status=found["status"])
    return jsonify({**about, "reason": found["reason"], "reply": "", "changes": found["changes"]}), 200


def _unknown(name: str) -> InputError:
    return InputError(f"There is no request {name}.", remedy="POST one.", reason="no_such_request")


def _turn(name: str) -> Turn:
    turn = service().talks.sought(name)
    if turn is None:
        raise _unknown(name)
    return turn


@blueprint.post("/requests/<path:name>/consent")
@writing
def consent(name: str) -> tuple[Response, int]:
    """Has the plan that it names carried out."""
    turn = _turn(name)
    service().talks.decide(turn, _plan(), consent=True)
    return told(turn)


@blueprint.post("/requests/<path:name>/decline")
@writing
def decline(name: str) -> tuple[Response, int]:
    """Gives the plan that it names up."""
    turn = _turn(name)
    service().talks.decide(turn, _plan(), consent=False)
    return told(turn)


@blueprint.post("/requests/<path:name>/answer")
@writing
def answer(name: str) -> tuple[Response, int]:
    """Says something to the question that it ended with, in the same conversation."""
    turn, talks = _turn(name), service().talks
    text = _object().get("text")
    if not isinstance(text, str):
        raise InputError("An answer has a text.", remedy='Send, for example, {"text": "the kitchen one"}.')
    return told(talks.say(text, talk=turn.talk, consent=Consent.ASK))


@blueprint.post("/requests/<path:name>/cancel")
@writing
def cancel(name: str) -> tuple[Response, int]:
    """Stops the plan that is under way; effects so far stay."""
    turn = _turn(name)
    service().talks.cancel(turn)
    return told(turn, patient=True)


def _plan() -> str:
    plan = _object().get("plan_id")
    if not isinstance(plan, str):
        raise InputError("Consent names a plan.", remedy='Send {"plan_id": …} of the proposal.')
    return plan
