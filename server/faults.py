"""Errors as responses: one shape for all (problem details), and never a trace.

https://www.rfc-editor.org/rfc/rfc9457
"""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from engine.errors import (
    BindingError,
    HearthgraphError,
    InputError,
    QueryError,
    StoreError,
    SyntaxFault,
    ThingRefused,
    ValueFault,
)
from engine.origins.hypermedia.websub.hub.subscriptions import NoRoom
from engine.things.directory.faults import Invalid, Unsupported
from server.guard import Forged, NotAllowed, TooMany, WrongName
from server.negotiation import NotAcceptable
from server.protocol.formats import NoSuchFormat
from server.strangers.pool import NotSealed, QueriesBusy
from server.strangers.process import QueryStopped
from server.talks import TooBusy

_log = logging.getLogger(__name__)

STATUSES: tuple[tuple[type[HearthgraphError], int], ...] = (
    (NotAllowed, 401),
    (Forged, 403),
    (WrongName, 421),
    (TooMany, 429),
    (NoRoom, 503),
    (TooBusy, 503),
    (QueriesBusy, 503),
    (NotSealed, 401),
    (QueryStopped, 503),
    (NotAcceptable, 406),
    (NoSuchFormat, 415),
    (QueryError, 400),
    (StoreError, 503),
    (Unsupported, 501),
    (Invalid, 400),
    (ThingRefused, 422),
    (ValueFault, 422),
    (InputError, 400),
    (BindingError, 502),
)
REASONS = {
    "precondition_failed": 412,
    "no_such_plan": 409,
    "plan_outdated": 409,
    "no_such_request": 404,
    "no_such_graph": 404,
    "no_such_thing": 404,
    "no_such_policy": 404,
    "no_such_rule": 404,
    "no_such_topic": 404,
    "no_token": 401,
    "out_of_scope": 403,
    "too_many": 429,
    "no_such_artifact": 404,
    "no_such_agent": 404,
    "host_not_allowed": 403,
    "forged": 403,
    "consent_needed": 409,
    "no_such_model": 404,
    "unknown_state": 404,
    "engine_graph": 403,
    "stopping": 503,
}


def install(app: Flask) -> None:
    """Has every fault told in one shape: as JSON to programs, as a page to people."""
    app.register_error_handler(HearthgraphError, _ours)
    app.register_error_handler(HTTPException, _of_http)
    app.register_error_handler(Exception, _unexpected)


def status_of(error: HearthgraphError) -> int:
    """The status of HTTP that an error of ours has."""
    known = next((status for kind, status in STATUSES if isinstance(error, kind)), 500)
    return REASONS.get(error.reason, known)


def about(error: HearthgraphError) -> dict[str, Any]:
    """The members of an error: reason, message, remedy, and the place of the fault."""
    told: dict[str, Any] = {"reason": error.reason, "message": error.message, "remedy": error.remedy}
    if isinstance(error, SyntaxFault):
        told |= {"source": error.source, "line": error.line}
    if isinstance(error, ThingRefused):
        told |= {"node": error.node, "shape": error.shape, "validationErrors": _places(error)}
    return told


def _places(error: ThingRefused) -> list[dict[str, str]]:
    """The faults of a thing, place by place, as WoT Discovery has them."""
    if isinstance(error, Invalid):
        return [{"field": fault.field, "description": fault.description} for fault in error.faults]
    return [{"field": error.node, "description": error.message}]


def problem(status: int, told: dict[str, Any]) -> Response:
    """A fault as RFC 9457 has it, or as a page where a person looks."""
    if request.blueprint is not None and request.blueprint.startswith("pages"):
        response = Response(render_template("fault.html", status=status, **told), mimetype="text/html")
    else:
        title = told.get("message") or told["reason"]
        response = jsonify({"status": status, "title": title, "detail": told.get("remedy", ""), **told})
        response.mimetype = "application/problem+json"
    response.status_code = status
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="hearthgraph"'
    if status in (429, 503):
        response.headers["Retry-After"] = "1"
    return response


def _ours(error: HearthgraphError) -> Response:
    status = status_of(error)
    if status == 500:
        _log.error("a fault without a status", exc_info=error)
    return problem(status, about(error))


def _of_http(error: HTTPException) -> Response:
    status = error.code or 500
    if 300 <= status < 400:
        return Response(error.get_response().get_data(), status=status, headers=dict(error.get_headers()))
    reason = (error.name or "fault").lower().replace(" ", "_")
    response = problem(status, {"reason": reason, "message": error.description or error.name, "remedy": ""})
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


def _unexpected(error: Exception) -> Response:
    _log.error("a call broke: %s %s", request.method, request.path, exc_info=error)
    return problem(500, {"reason": "internal", "message": "Something went wrong that should not.", "remedy": ""})
