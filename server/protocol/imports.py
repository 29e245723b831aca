"""Homes of other origins over HTTP, as `hearthgraph import` takes them: the caller reads files, this their contents."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from engine.errors import InputError
from engine.origins.home_assistant.exposure import Exposure
from engine.origins.home_assistant.homes import convert
from engine.origins.home_assistant.snapshot import made_of
from engine.origins.homebench.homes import read_home
from engine.origins.sources import settle
from server import bodies
from server.guard import writing
from server.service import service

blueprint = Blueprint("imports", __name__)


@blueprint.post("/imports")
@writing
def import_() -> tuple[Response, int]:
    """Takes a home in, whole or not at all; one of a Home Assistant that is here already is brought up to date."""
    given = bodies.given()
    if not isinstance(given, dict):
        raise InputError("A home comes as an object.", remedy="Send origin, and home or answers.")
    origins = {"homebench": _homebench, "home-assistant": _home_assistant}
    origin = origins.get(str(given.get("origin")))
    if origin is None:
        raise InputError("That origin is not known.", remedy=f"Send one of {', '.join(origins)}.")
    told = origin(given)
    service().copies.expire()
    return jsonify(told), 201


def _homebench(given: dict[str, Any]) -> dict[str, Any]:
    try:
        found = read_home(given["home"])
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise InputError(f"This is no HomeBench home ({error!r}).", remedy="Send one line of its file.") from error
    service().home.register(found.things, found.quads, found.state)
    return {"id": found.id, "things": len(found.things)}


def _home_assistant(given: dict[str, Any]) -> dict[str, Any]:
    home, settings = service().home, service().settings
    answers = given.get("answers")
    if not isinstance(answers, dict):
        raise InputError("What Home Assistant says of itself is missing.", remedy="Send answers: states, services, …")
    exposure = Exposure(
        (*_patterns(given, "include"), *settings.home_assistant_include),
        (*_patterns(given, "exclude"), *settings.home_assistant_exclude),
    )
    snapshot = made_of(answers, "the body")
    found = convert(snapshot, home.registry.vocabulary, exposure, settings.home_assistant_name)
    report = settle(found, home.target)
    return {
        "things": len(report.things),
        "exposed": found.exposed,
        "services": found.offered,
        "places": len(report.places),
        "states": report.states,
        "warnings": list(report.warnings),
    }


def _patterns(given: dict[str, Any], name: str) -> tuple[str, ...]:
    found = given.get(name) or []
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise InputError(f"{name} is a list of patterns of entity ids.", remedy='Send, for example, ["light.*"].')
    return tuple(found)
