"""The page of policies: prohibitions that hold for everyone in this home; added and removed by those who may write."""

from __future__ import annotations

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from engine.errors import InputError
from engine.planning.policies import store as policy_store
from engine.planning.policies import written as policy_written
from server.faults import status_of
from server.guard import writing
from server.negotiation import wanted
from server.pages.naming import name_of
from server.protocol.policies import rows
from server.service import service

blueprint = Blueprint("pages_policies", __name__)


@blueprint.get("/policies")
def page() -> str | Response:
    """All policies, by name; as JSON for programs."""
    if wanted(("text/html", "application/json")) == "application/json":
        return jsonify(rows())
    if "about" not in request.args:
        return _shown()
    try:
        return _shown(_written(), wrote=True)
    except InputError as error:
        return _shown("", error)


def _written() -> str:
    """The policy that was picked, in Turtle, to be looked at and added. Raises InputError."""
    given = request.args
    picked = {f"{one.device_class} {one.kind}": one for one in policy_written.choices(service().home.registry)}
    about, bound = picked.get(given["about"]), given.get("bound", "")
    if about is None or bound not in {one.value for one in policy_written.Bound}:
        raise InputError("Nothing here is like that.", remedy="Pick a device, a property and a bound.")
    return policy_written.written(about, policy_written.Bound(bound), given.get("value", ""))


@blueprint.post("/policies/add")
@writing
def add() -> Response | tuple[str, int]:
    """Adds policies from the form's text or file; where one is refused, shows the text again with the fault."""
    file, text = request.files.get("file"), request.form.get("text", "")
    named = file is not None and bool(file.filename)
    content = file.read() if named and file is not None else text.encode()
    try:
        policy_store.take(service().home.registry, content, file.filename or "" if named and file else "the text")
    except InputError as error:
        return _shown(text, error), status_of(error)
    service().copies.expire()
    return redirect(url_for("pages_policies.page"))


@blueprint.post("/policies/remove")
@writing
def remove() -> Response:
    """Takes one policy away."""
    policy_store.remove(service().store, request.form.getlist("iri"))
    service().copies.expire()
    return redirect(url_for("pages_policies.page"))


def _shown(text: str = "", fault: InputError | None = None, *, wrote: bool = False) -> str:
    found = [
        {
            "iri": one.iri,
            "name": one.name or name_of(one.iri),
            "message": one.message,
            "about": ", ".join(name_of(target) for target in one.about),
        }
        for one in policy_store.listed(service().store)
    ]
    picked = policy_written.choices(service().home.registry)
    bounds = [one.value for one in policy_written.Bound]
    more = {"choices": picked, "bounds": bounds, "given": request.args, "wrote": wrote}
    return render_template("policies.html", policies=found, text=text, fault=fault, **more)
