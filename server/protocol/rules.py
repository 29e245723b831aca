"""Rules over HTTP: what is to come, what was, and switches for it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from engine.dialogue.rules_told import fired, listed, switched, week
from engine.errors import InputError
from engine.graph.terms import RULES
from server.guard import writing
from server.service import service

blueprint = Blueprint("rules", __name__)
HOW = ("delete", "pause", "resume")
TURTLE = "text/turtle"


@blueprint.get("/rules")
def rules() -> Response:
    """The rules with when they fire next and what became of them last; in Turtle as they stand in the graph."""
    if request.accept_mimetypes.best_match(("application/json", TURTLE)) == TURTLE:
        return _turtle()
    return jsonify(listed(service().home.rules))


def _turtle() -> Response:
    from pyoxigraph import RdfFormat, serialize

    triples = [quad.triple for quad in service().store.graph(RULES)]
    return Response(serialize(triples, format=RdfFormat.TURTLE), mimetype=TURTLE)


@blueprint.get("/rules/week")
def week_ahead() -> Response:
    """What time sets off in the seven days to come."""
    return jsonify(week(service().home.rules))


@blueprint.get("/rules/runs")
def runs() -> Response:
    """What fired, the latest first."""
    return jsonify(fired(service().home.rules))


@blueprint.delete("/rules")
@writing
def switch() -> Response:
    """Takes rules away, by IRI; `how` may be pause or resume instead."""
    iris, how = request.args.getlist("iri"), request.args.get("how", "delete")
    if not iris or how not in HOW:
        raise InputError("Say which rule, and how.", remedy=f"Give its iri, and how: {', '.join(HOW)}.")
    return jsonify({"removed": switched(service().home.rules, iris, how)})
