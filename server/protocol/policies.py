"""Policies over HTTP, as `hearthgraph policy` has them."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from engine.errors import InputError
from engine.planning.policies import store as policy_store
from server.guard import writing
from server.protocol.formats import NoSuchFormat
from server.service import service

blueprint = Blueprint("policies", __name__)
TURTLE = ("text/turtle", "application/x-turtle")


def rows() -> list[dict[str, Any]]:
    """The policies as a program reads them."""
    found = policy_store.listed(service().store)
    return [{"iri": one.iri, "name": one.name, "message": one.message, "about": list(one.about)} for one in found]


@blueprint.post("/policies")
@writing
def add() -> tuple[Response, int]:
    """Adds the policies of a body in Turtle: all or none; those that are here already are replaced."""
    if request.mimetype not in TURTLE:
        raise NoSuchFormat(
            f"A body of type {request.mimetype or 'unknown'} cannot be read.", remedy="Send text/turtle."
        )
    found = policy_store.take(service().home.registry, request.get_data(), "the policies")
    service().copies.expire()
    return jsonify({"policies": list(found)}), 201


@blueprint.delete("/policies")
@writing
def remove() -> Response:
    """Takes policies away, by IRI; `all` takes all of them."""
    iris = request.args.getlist("iri")
    if bool(iris) == bool(request.args.get("all")):
        raise InputError("Say which policy.", remedy="Give its iri, or all=1.")
    number = policy_store.remove(service().store, iris or None)
    service().copies.expire()
    return jsonify({"removed": number})
