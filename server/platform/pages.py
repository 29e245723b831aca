"""The platform, its workspaces and its artifacts, as other agents read them."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, request

from engine.errors import InputError
from engine.graph.terms import Triple
from engine.model.thing import Thing
from engine.origins.hypermedia import formats, representation
from engine.origins.hypermedia.web import Web
from engine.things import emission, jsonld
from server.platform.negotiation import JSON, JSONLD, TD, TURTLE, answered, profile
from server.service import service

blueprint = Blueprint("platform", __name__)


def web() -> Web:
    """The home under the address that the present call used."""
    return service().webs.at(request.host_url)


def links(topic: str) -> dict[str, str]:
    """What a client is told of where changes are heard of (W3C WebSub, section 4)."""
    return {"hub": web().at.hub, "self": topic}


@blueprint.get("/workspaces")
def platform() -> Response:
    """The platform, and what it hosts."""
    found = web()
    return _graph(representation.platform(found), links(found.at.platform))


@blueprint.get("/workspaces/<workspace>")
def workspace(workspace: str) -> Response:
    """A workspace, what it contains, and how that is."""
    found = web()
    known, place = found.place(workspace)
    if not known:
        raise nothing(f"There is no workspace {workspace}.")
    page = found.at.workspace(None if place is None else place.iri)
    return _graph(representation.workspace(found, place), links(page) | {"up": found.at.platform})


@blueprint.get("/workspaces/<workspace>/artifacts/<artifact>")
def artifact(workspace: str, artifact: str) -> Response:
    """An artifact: its description, and how it is."""
    found = web()
    thing = the_thing(found, workspace, artifact)
    said = profile()

    def graph() -> tuple[Thing, list[Triple]]:
        return representation.artifact(found, thing, said)

    writers = {
        TURTLE: lambda: emission.turtle(*graph()),
        JSONLD: lambda: formats.jsonld(graph()[1]),
        TD: lambda: json.dumps(jsonld.document(representation.td(found, thing)), ensure_ascii=False),
    }
    told = links(found.at.artifact(thing)) | {"up": found.at.workspace(thing.place)}
    return answered(writers, told, said)


@blueprint.get("/workspaces/<workspace>/artifacts/<artifact>/properties")
def properties(workspace: str, artifact: str) -> Response:
    """The values of all properties of an artifact, as far as they are known."""
    found = web()
    thing = the_thing(found, workspace, artifact)
    values = {p.name: found.state[p.iri] for p in thing.properties if p.iri in found.state and not p.schema.write_only}
    return _json(values, links(f"{found.at.artifact(thing)}/properties"))


@blueprint.get("/workspaces/<workspace>/artifacts/<artifact>/properties/<name>")
def read(workspace: str, artifact: str, name: str) -> Response:
    """The value of a property."""
    found = web()
    thing = the_thing(found, workspace, artifact)
    prop = next((p for p in thing.properties if p.name == name), None)
    if prop is None or prop.schema.write_only:
        raise nothing(f"{thing.title} has no property {name} that can be read.")
    value = found.state.get(prop.iri)
    if value is None:
        raise InputError("The value is not known.", remedy="Ask again later.", reason="unknown_state")
    return _json(value, links(found.at.of_affordance(thing, prop)))


def the_thing(found: Web, workspace: str, artifact: str) -> Thing:
    """The thing by its names. Raises InputError (no_such_thing)."""
    thing = found.thing(workspace, artifact)
    if thing is None:
        raise nothing(f"There is no artifact {artifact} in {workspace}.")
    return thing


def nothing(message: str) -> InputError:
    """The error for what is not there."""
    return InputError(message, remedy="GET /workspaces leads to all there is.", reason="no_such_thing")


def _graph(triples: list[Triple], told: dict[str, str]) -> Response:
    writers = {TURTLE: lambda: formats.turtle(triples), JSONLD: lambda: formats.jsonld(triples)}
    return answered(writers, told)


def _json(value: Any, told: dict[str, str]) -> Response:
    return answered({JSON: lambda: json.dumps(value, ensure_ascii=False)}, told)
