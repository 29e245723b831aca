"""Exploring through the server: begun by POST, looked at by GET, followed until it is deleted."""

from __future__ import annotations

from typing import Any, cast

from flask import Blueprint, Response, current_app, jsonify, request, url_for
from flask.blueprints import BlueprintSetupState

from engine.errors import InputError
from engine.origins.hypermedia.crawl import introduction
from engine.origins.hypermedia.crawl.frontier import Limits
from server import bodies
from server.explorer.runs import Runs
from server.guard import writing
from server.service import EXTENSION, service

blueprint = Blueprint("explorations", __name__)
RUNS = "hearthgraph-explorations"
_NUMBERS = ("documents", "depth", "hosts", "seconds", "bytes")


@blueprint.record_once
def _install(state: BlueprintSetupState) -> None:
    state.app.extensions[RUNS] = Runs(state.app.extensions[EXTENSION].home)


def _runs() -> Runs:
    return cast(Runs, current_app.extensions[RUNS])


@blueprint.post("/explorations")
@writing
def begin() -> tuple[Response, int, dict[str, str]]:
    """Begins to explore the home at `url`; with `follow`, it is followed from then on. 202, and where to look."""
    given = bodies.given()
    if not isinstance(given, dict) or not isinstance(given.get("url"), str):
        raise InputError("An exploration begins at an address.", remedy='Send {"url": "http://…/workspaces"}.')
    introduction.direct(given["url"])
    service().home.explorer.served(request.host_url)
    run = _runs().begin(given["url"], _limits(given.get("limits", {})), given.get("follow") is True)
    return jsonify(run.as_json()), 202, {"Location": url_for("explorations.look", name=run.id)}


@blueprint.get("/explorations")
@writing
def known() -> Response:
    """The remembered explorations, the followed topics, and counts of the calls to callbacks."""
    explorer = service().home.explorer
    counts = explorer.subscriber.counts
    return jsonify(
        {
            "explorations": [run.as_json() for run in _runs().all()],
            "followed": explorer.standing(),
            "callbacks": {name: getattr(counts, name) for name in type(counts).__slots__},
        }
    )


@blueprint.get("/explorations/<name>")
@writing
def look(name: str) -> Response:
    """The progress of an exploration, or its result."""
    run = _runs().find(name)
    if run is None:
        raise InputError(f"There is no exploration {name}.", remedy="POST one.", reason="no_such_thing")
    return jsonify(run.as_json())


@blueprint.delete("/explorations/<name>")
@writing
def end(name: str) -> tuple[str, int]:
    """Ends the updates of an exploration; its results stay."""
    run = _runs().find(name)
    if run is None:
        raise InputError(f"There is no exploration {name}.", remedy="POST one.", reason="no_such_thing")
    service().home.explorer.unfollow(run.start)
    return "", 204


def _limits(given: Any) -> Limits:
    """The given limits. Raises InputError for unknown members and values that are no numbers."""
    known = isinstance(given, dict) and not given.keys() - set(_NUMBERS)
    if not known or not all(type(one) in (int, float) and one >= 0 for one in given.values()):
        raise InputError("These are no limits.", remedy=f"Give numbers: {', '.join(_NUMBERS)}.")
    return Limits(**given)
