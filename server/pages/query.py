"""The page on which one asks the graph by SPARQL, with the project's own queries as examples."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Blueprint, jsonify, make_response, render_template
from werkzeug.wrappers import Response

from engine.graph.terms import NAMESPACES, NamedNode, compact
from engine.resources import folder
from server.guard import EDITOR_POLICY
from server.pages.naming import names_of
from server.service import service

blueprint = Blueprint("pages_query", __name__)


@blueprint.get("/query")
def page() -> Response:
    """The editor."""
    response = make_response(render_template("query.html", examples=_examples()))
    response.headers["Content-Security-Policy"] = EDITOR_POLICY
    return response


@cache
def _examples() -> list[dict[str, Any]]:
    """The engine's own queries as they stand, each with its first comment as title."""
    found = []
    for path in sorted(folder("queries").rglob("*.rq")):
        text = path.read_text(encoding="utf-8")
        if "INSERT" in text or "DELETE" in text:
            continue
        title = text.splitlines()[0].lstrip("# ").rstrip()
        found.append({"title": title, "group": path.parent.name, "text": text})
    return found


@blueprint.get("/query/completions.json")
def completions() -> Response:
    """The completions of the editor: prefixes, and the classes and properties that this graph uses, with their
    names."""
    rows = service().store.select("server/completions")
    terms = [(term.value, cls is not None and cls.value == "true") for term, cls in rows if isinstance(term, NamedNode)]
    names = names_of(iri for iri, _ in terms)
    words = [{"iri": iri, "short": compact(iri), "name": names[iri], "class": cls} for iri, cls in terms]
    return jsonify({"prefixes": NAMESPACES, "terms": words})
