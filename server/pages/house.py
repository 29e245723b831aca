"""The page of rooms and devices, with their state, to operate by hand: by the same checks as requests in words."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, jsonify, render_template
from werkzeug.wrappers import Response

from engine.dialogue.manual import by_hand
from engine.errors import InputError
from engine.hearthgraph import new_iri
from engine.language.replies import replies
from engine.model.thing import Property, Thing
from server import bodies
from server.guard import writing
from server.protocol.requests import told
from server.service import service

blueprint = Blueprint("pages_house", __name__)
MOST_OPTIONS = 40


@blueprint.get("/home")
def page() -> str:
    """The rooms, each with its devices."""
    registry = service().home.registry
    rooms: dict[str, list[dict[str, Any]]] = {}
    for thing in sorted(registry.things.values(), key=lambda t: (replies.place_name(t.place, registry), t.title)):
        rooms.setdefault(replies.place_name(thing.place, registry) or "elsewhere", []).append(_device(thing))
    return render_template("house.html", rooms=rooms)


def _device(thing: Thing) -> dict[str, Any]:
    registry = service().home.registry
    classes = ", ".join(sorted(registry.vocabulary.name(c) for c in thing.classes))
    return {"title": thing.title, "class": classes, "properties": [_control(prop) for prop in thing.properties]}


def _control(prop: Property) -> dict[str, Any]:
    home = service().home
    schema, kinds = prop.schema, home.registry.vocabulary.kinds
    settable = bool(prop.kinds) and all(kinds[k].settable for k in prop.kinds if k in kinds)
    form = "text"
    if settable and (schema.type == "boolean" or 0 < len(schema.enum) <= MOST_OPTIONS):
        form = "choice"
    elif settable and schema.type in ("number", "integer"):
        form = "range" if schema.minimum is not None and schema.maximum is not None else "number"
    options = (True, False) if schema.type == "boolean" else schema.enum
    return {
        "iri": prop.iri,
        "name": replies.property_name(prop.iri, home.registry),
        "form": form,
        "value": home.state.get(prop.iri),
        "shown": shown(home.state.get(prop.iri)),
        "options": [(option, replies.value_words(option)) for option in options],
        "minimum": schema.minimum,
        "maximum": schema.maximum,
        "step": schema.multiple_of or (1 if schema.type == "integer" else "any"),
        "unit": schema.unit if schema.unit and ":" not in schema.unit else "",
    }


def shown(value: Any) -> str:
    """A value in words; a dash where it is not known."""
    return "–" if value is None else replies.value_words(value)


@blueprint.get("/home/state.json")
def state() -> Response:
    """The values of all properties, raw and in words."""
    return jsonify({iri: [value, shown(value)] for iri, value in service().home.state.snapshot().items()})


@blueprint.post("/home/operate")
@writing
def operate() -> tuple[Response, int]:
    """Brings a property to a value, as if it had been said."""
    given = bodies.given()
    if not isinstance(given, dict) or not isinstance(given.get("property"), str) or "value" not in given:
        raise InputError("Which property, and to which value?", remedy='Send {"property": …, "value": …}.')
    request_iri = new_iri()
    intent = by_hand(given["property"], given["value"], request_iri, service().home.registry)
    return told(service().talks.intend(intent.text, (intent,), request_iri, None))
