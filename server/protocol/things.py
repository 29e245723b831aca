"""Things and values over HTTP, as `hearthgraph load` and `hearthgraph things` have them, and values that devices
report."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Blueprint, Response, jsonify, request

from engine.errors import InputError, SyntaxFault, ThingRefused
from engine.language.replies import replies
from engine.model.thing import Thing
from engine.things import door
from engine.things.description import emission
from engine.things.description.emission import Profile
from engine.things.door import LoadReport
from server import bodies
from server.faults import about, problem, status_of
from server.guard import writing
from server.protocol.formats import body_format, required
from server.protocol.lines import line_of
from server.service import service

blueprint = Blueprint("things", __name__)

TD = ("application/td+json", "application/ld+json", "text/turtle")
YGGDRASIL = "yggdrasil"
_ODD = re.compile(r"[^\w.-]+")


@blueprint.get("/home/things")
def things() -> Response:
    """The things of the home with their state; with `iri`, the description of one."""
    iri = request.args.get("iri")
    if iri is not None:
        return _description(_known(iri))
    registry = service().home.registry
    found = sorted(registry.things.values(), key=lambda t: (replies.place_name(t.place, registry), t.title))
    return jsonify([row(thing) for thing in found])


def row(thing: Thing) -> dict[str, Any]:
    """A thing as `hearthgraph things --json` has it."""
    home = service().home
    classes = sorted(home.registry.vocabulary.name(c) for c in thing.classes)
    state = {p.name: home.state[p.iri] for p in thing.properties if p.iri in home.state}
    place = replies.place_name(thing.place, home.registry)
    return {"iri": thing.iri, "title": thing.title, "class": ", ".join(classes), "place": place, "state": state}


def load() -> Response:
    """Loads things, places, values and terms, all of a body or nothing; with `check` only reports on them."""
    _, ending = body_format()
    name = _ODD.sub("-", Path(request.args.get("name", "body")).stem).strip(".") or "body"
    body = request.get_data()
    with TemporaryDirectory(prefix="hearthgraph-") as folder:
        path = Path(folder) / f"{name[:80]}{ending}"
        path.write_bytes(body)
        try:
            report = _checked(path) if request.args.get("check") else _loaded(path)
        except InputError as error:
            return problem(status_of(error), _told(error, body, folder))
    response = jsonify(_reported(report))
    response.status_code = 200 if request.args.get("check") else 201
    return response


def _loaded(path: Path) -> LoadReport:
    home = service().home
    report = door.load(home.store, [path], registry=home.registry)
    home.state.refresh()
    service().copies.expire()
    return report


def _checked(path: Path) -> LoadReport:
    registry = service().home.registry
    triples, warnings = door.parse(path)
    report, found = door.preview(registry, triples, source=path.name)
    titles = {thing.iri: thing.title for thing in found}
    things = tuple(f"{titles.get(iri, '')}\n{iri}" for iri in report.things)
    return LoadReport(things, report.places, report.states, report.terms, (*warnings, *report.warnings))


def _reported(report: LoadReport) -> dict[str, Any]:
    registry = service().home.registry
    things = []
    for one in report.things:
        title, _, iri = one.rpartition("\n")
        known = registry.things.get(iri)
        things.append({"iri": iri, "title": title or (known.title if known else iri), "known": known is not None})
    places = [{"iri": iri, "name": replies.place_name(iri, registry)} for iri in report.places]
    return {
        "things": things,
        "places": places,
        "states": report.states,
        "terms": report.terms,
        "warnings": list(report.warnings),
    }


def _told(error: InputError, body: bytes, folder: str) -> dict[str, Any]:
    """A fault of a body, with its line."""
    told = about(error)
    told["message"] = error.message.replace(f"{folder}/", "")
    line = error.line if isinstance(error, SyntaxFault) else 0
    if isinstance(error, ThingRefused):
        line = line_of(body, error.node)
    told["line"] = line
    told.pop("source", None)
    return told


def _known(iri: str) -> Thing:
    thing = service().home.registry.things.get(iri)
    if thing is None:
        raise InputError(f"There is no thing {iri}.", remedy="GET /home/things lists them.", reason="no_such_thing")
    return thing


def _description(thing: Thing) -> Response:
    media = required(TD)
    asked = request.args.get("profile") or request.headers.get("Accept-Profile", "")
    profile = Profile.YGGDRASIL if YGGDRASIL in asked else Profile.W3C
    store = service().store
    if media == "text/turtle" or profile is Profile.YGGDRASIL:
        return Response(emission.as_turtle(store, thing, profile), content_type="text/turtle; charset=utf-8")
    return Response(json.dumps(emission.as_jsonld(store, thing), ensure_ascii=False), content_type=media)


@blueprint.get("/state")
def state() -> Response:
    """The present value of every property, by IRI."""
    return jsonify(service().home.state.snapshot())


@blueprint.post("/state")
@writing
def observe() -> Response:
    """Takes in values that devices tell, by the IRI of their property; all of them or none."""
    values = bodies.given()
    if not isinstance(values, dict):
        raise InputError("Values come as an object: property IRI to value.", remedy="Send such an object.")
    changed = service().home.state.write(values)
    return jsonify({iri: {"before": before, "after": after} for iri, (before, after) in changed.items()})
