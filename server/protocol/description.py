"""The OpenAPI description of the interfaces for programs, and a page of it.

https://spec.openapis.org/oas/v3.1.0
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, jsonify, render_template
from werkzeug.wrappers import Response

from engine.resources import folder

blueprint = Blueprint("description", __name__)
METHODS = ("get", "put", "post", "patch", "delete")


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """The description."""
    return jsonify(description())


@blueprint.get("/api")
def page() -> str:
    """The description for people."""
    calls = [
        (method.upper(), path, about[method])
        for path, about in description()["paths"].items()
        for method in METHODS
        if method in about
    ]
    return render_template("api.html", about=description()["info"], calls=calls)


@cache
def description() -> dict[str, Any]:
    """The OpenAPI description, with the schema of results in it."""
    found: dict[str, Any] = json.loads((Path(__file__).with_name("openapi.json")).read_text(encoding="utf-8"))
    result = json.loads((folder("shapes") / "result.schema.json").read_text(encoding="utf-8"))
    parts = result.pop("$defs")
    for key in ("$schema", "$id"):
        result.pop(key, None)
    schemas = found["components"]["schemas"]
    schemas["Result"] = result
    schemas.update(parts)
    text = json.dumps(found).replace("#/$defs/", "#/components/schemas/")
    return json.loads(text)  # type: ignore[no-any-return]
