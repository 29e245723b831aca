"""The page on which one talks to the home. It posts to `/requests`, as any program does."""

from __future__ import annotations

from flask import Blueprint, jsonify, render_template
from werkzeug.wrappers import Response

from engine.errors import InputError
from server import bodies
from server.pages.naming import names_of
from server.service import service

blueprint = Blueprint("pages_ask", __name__)
MOST_NAMES = 500
EXAMPLES = 4


@blueprint.get("/")
def page() -> str:
    """A conversation."""
    return render_template("ask.html", examples=_examples())


def _examples() -> list[str]:
    """First sentences to try, about things in the home."""
    registry = service().home.registry
    lights = [t.title for t in registry.things.values() if any(c.endswith("#Light") for c in t.classes)]
    said = [f"turn on the {title.removeprefix('the ')}" for title in lights[:2]]
    return [*said, *(f"is the {title} on?" for title in lights[:1]), "which lights are on?"][:EXAMPLES]


@blueprint.post("/names")
def names() -> Response:
    """The names of the IRIs in a list."""
    given = bodies.given()
    if not isinstance(given, list) or len(given) > MOST_NAMES or not all(isinstance(iri, str) for iri in given):
        raise InputError(f"Names are asked for by a list of at most {MOST_NAMES} IRIs.", remedy="Send such a list.")
    return jsonify(names_of(given))
