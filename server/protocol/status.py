"""Whether the server is well: for whoever starts, watches and measures it."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from engine.errors import HearthgraphError
from server.observation import EXTENSION
from server.service import service

blueprint = Blueprint("status", __name__)


@blueprint.get("/health")
def health() -> Response:
    """The process answers."""
    return jsonify({"status": "ok"})


@blueprint.get("/ready")
def ready() -> tuple[Response, int]:
    """Whether the store answers and takes writes; one that failed is opened anew where that helps."""
    try:
        service().store.recover()
        things, places = len(service().home.registry.things), len(service().home.registry.places)
    except HearthgraphError as error:
        return jsonify({"status": "not ready", "reason": error.reason}), 503
    return jsonify({"status": "ready", "things": things, "places": places}), 200


@blueprint.get("/metrics")
def metrics() -> Response:
    """The figures for Prometheus."""
    return Response(generate_latest(current_app.extensions[EXTENSION]), content_type=CONTENT_TYPE_LATEST)
