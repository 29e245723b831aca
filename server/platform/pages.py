"""The platform, its workspaces and its artifacts, as other agents read them."""

from __future__ import annotations

from flask import Blueprint, Response

from engine.errors import InputError
from engine.model.thing import Property, Thing
from engine.origins.hypermedia.platform import resources
from engine.origins.hypermedia.platform.addresses import step_name
from engine.origins.hypermedia.platform.resources import Resource
from engine.origins.hypermedia.platform.web import Web
from server.addresses import base
from server.platform import following
from server.platform.answering import answered, dialect
from server.service import service

blueprint = Blueprint("platform", __name__)


def web() -> Web:
    """The home under the address that others know."""
    return service().webs.at(base())


@blueprint.get("/workspaces")
def platform() -> Response:
    """The platform, and the workspaces it hosts."""
    return given(resources.platform(web()))


@blueprint.get("/workspaces/<workspace>")
def workspace(workspace: str) -> Response:
    """A workspace, its contents, and their state."""
    return given(resources.workspace(web(), workspace))


@blueprint.get("/workspaces/<workspace>/properties")
def workspace_values(workspace: str) -> Response:
    """The values of all properties of a workspace's things."""
    found = web()
    resource = resources.workspace_values(found, workspace)
    if resource is None or not following.wanted(resources.JSON):
        return given(resource)
    things = found.things_in(found.names.workspaces[workspace]).values()
    return following.properties({p.iri: found.at.of_affordance(t, p) for t in things for p in _readable(t)})


@blueprint.get("/workspaces/<workspace>/artifacts/<artifact>")
def artifact(workspace: str, artifact: str) -> Response:
    """An artifact: its description, and how it is."""
    return given(resources.artifact(web(), the_thing(workspace, artifact), dialect()))


@blueprint.get("/workspaces/<workspace>/artifacts/<artifact>/properties")
def artifact_values(workspace: str, artifact: str) -> Response:
    """The values of all properties of an artifact, as far as they are known."""
    thing = the_thing(workspace, artifact)
    if following.wanted(resources.JSON):
        return following.properties({prop.iri: prop.name for prop in _readable(thing)})
    return given(resources.artifact_values(web(), thing))


@blueprint.get("/workspaces/<workspace>/artifacts/<artifact>/properties/<name>")
def value(workspace: str, artifact: str, name: str) -> Response:
    """The value of a property."""
    thing = the_thing(workspace, artifact)
    prop = the_property(thing, name)
    found = web()
    if following.wanted(resources.JSON):
        return following.properties({prop.iri: prop.name}, unnamed=True)
    if prop.iri not in found.state:
        raise InputError("The value is not known.", remedy="Ask again later.", reason="unknown_state")
    return given(resources.value(found, thing, prop))


@blueprint.get("/workspaces/<workspace>/artifacts/<artifact>/events/<name>")
def events(workspace: str, artifact: str, name: str) -> Response:
    """An event, as a stream."""
    thing = the_thing(workspace, artifact)
    found = next((one for one in thing.events if step_name(one) == name), None)
    if found is None:
        raise nothing(f"{thing.title} has no event {name}.")
    following.required()
    return following.happenings(found)


def _readable(thing: Thing) -> list[Property]:
    return [prop for prop in thing.properties if not prop.schema.write_only]


def given(resource: Resource | None) -> Response:
    """The resource as the client wants it. Raises InputError (no_such_thing) for None, NotAcceptable."""
    if resource is None:
        raise nothing("There is no such workspace.")
    return answered(resource, web().at.hub)


def the_thing(workspace: str, artifact: str) -> Thing:
    """The thing by its names. Raises InputError (no_such_thing)."""
    thing = web().thing(workspace, artifact)
    if thing is None:
        raise nothing(f"There is no artifact {artifact} in {workspace}.")
    return thing


def the_property(thing: Thing, name: str) -> Property:
    """The property that can be read, by its name. Raises InputError (no_such_thing)."""
    prop = resources.property_of(thing, name)
    if prop is None:
        raise nothing(f"{thing.title} has no property {name} that can be read.")
    return prop


def nothing(message: str) -> InputError:
    """The error for a resource that does not exist."""
    return InputError(message, remedy="GET /workspaces leads to all there is.", reason="no_such_thing")
