"""Experience, preferences and readings over HTTP, as `hearthgraph experience` and `hearthgraph preferences` have
them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify, request

from engine.dialogue.people.forgetting import forget_facts
from engine.errors import InputError
from engine.experience.memory import peer_name
from engine.memory.kept import readings
from engine.model.signifier import to_json
from engine.planning.wishes import tastes
from server import bodies
from server.guard import writing
from server.service import service

blueprint = Blueprint("learnt", __name__)


def records() -> list[dict[str, Any]]:
    """The signifiers as records (AmI HMAS, Appendix E): the home's own, or with `peers` those of others."""
    memory = service().home.assistant.experience
    return [to_json(one) for one in (memory.of_peers() if request.args.get("peers") else memory.all())]


@blueprint.post("/experience")
@writing
def take() -> tuple[Response, int]:
    """Takes records in, all of them or none; with `peer` as hints of that peer."""
    peer = request.args.get("peer")
    number = service().home.assistant.experience.take_records(
        bodies.given(), None if peer is None else peer_name(peer), "the body"
    )
    service().copies.expire()
    return jsonify({"taken": number}), 201


@blueprint.delete("/experience")
@writing
def forget() -> Response:
    """Forgets signifiers, by IRI; `all` forgets all of them."""
    iris = request.args.getlist("iri")
    if bool(iris) == bool(request.args.get("all")):
        raise InputError("Say which to forget.", remedy="Give its iri, or all=1.")
    number = service().home.assistant.experience.forget(iris or None)
    service().copies.expire()
    return jsonify({"removed": number})


@blueprint.get("/preferences")
@writing
def stated() -> Response:
    """The preferences that people have stated; not for strangers."""
    found = tastes.stated(service().store)
    return jsonify([{"iri": one.iri, "user": one.user, "text": one.text} for one in found])


@blueprint.delete("/preferences")
@writing
def unlearn() -> Response:
    """Forgets preferences, by IRI."""
    home = service().home
    gone = forget_facts(
        service().store, home.assistant.experience, home.registry.vocabulary, request.args.getlist("iri")
    )
    number = len(gone)
    service().copies.expire()
    return jsonify({"removed": number})


@blueprint.get("/readings")
@writing
def agreed() -> Response:
    """The readings that people have confirmed or rejected; not for strangers."""
    return jsonify([asdict(one) for one in readings.all_of(service().store)])


@blueprint.delete("/readings")
@writing
def unsay() -> Response:
    """Forgets confirmed and rejected readings, of one person (`user`) or of all."""
    number = readings.forget(service().store, request.args.get("user"))
    service().copies.expire()
    return jsonify({"removed": number})
