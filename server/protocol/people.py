"""Facts on people over HTTP: for those who keep the home, never for strangers."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from engine.dialogue.people.forgetting import correct_fact, forget_everywhere
from engine.dialogue.people.profile import people as known_people
from engine.dialogue.people.profile import profile
from server.guard import writing
from server.service import service

blueprint = Blueprint("people", __name__)


@blueprint.get("/people")
@writing
def names() -> Response:
    """Of whom anything is known."""
    return jsonify(list(known_people(service().store)))


@blueprint.get("/people/<name>")
@writing
def show(name: str) -> Response:
    """The facts on a person, each with its evidence."""
    home = service().home
    return jsonify(profile(service().store, name, home.clock.now().date()))


@blueprint.post("/people/<name>")
@writing
def correct(name: str) -> Response:
    """Says whose a fact is."""
    fact = correct_fact(service().store, request.args.get("iri", ""), name)
    service().copies.expire()
    return jsonify({"iri": fact.iri, "about": fact.person, "told_by": fact.source.teller})


@blueprint.delete("/people/<name>")
@writing
def forget(name: str) -> Response:
    """Forgets a person."""
    home = service().home
    experience, vocabulary = home.assistant.experience, home.registry.vocabulary
    number = forget_everywhere(service().store, experience, vocabulary, home.rules, name)
    service().copies.expire()
    return jsonify({"removed": number})
