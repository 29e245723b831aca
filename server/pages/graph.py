"""The page that draws the neighbourhood of a node of the graph."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, jsonify, render_template, request
from werkzeug.wrappers import Response

from engine.errors import InputError
from engine.graph.terms import NamedNode, Term
from server.pages.naming import name_of, names_of
from server.service import service

blueprint = Blueprint("pages_graph", __name__)


@blueprint.get("/graph")
def page() -> str:
    """A node to begin with, and all that one may look for."""
    registry = service().home.registry
    known = {iri: name_of(iri) for iri in (*registry.places, *registry.things)}
    start = request.args.get("node") or next(iter(known), "https://w3id.org/hearthgraph#Light")
    return render_template("graph.html", start=start, known=sorted(known.items(), key=lambda pair: pair[1]))


@blueprint.get("/graph/around.json")
def around() -> Response:
    """The node, its neighbours and the relations between them, by name; values stand as texts."""
    try:
        node = NamedNode(request.args.get("node", ""))
    except ValueError:
        raise InputError("That is no IRI.", remedy="Choose something from the list.") from None
    rows = service().store.select("server/around", node=node)
    iris = {node.value, *(t.value for row in rows for t in row[:2] if isinstance(t, NamedNode))}
    names = names_of(iris)
    relations = [_relation(predicate, other, backwards, names) for predicate, other, backwards in rows]
    return jsonify({"node": node.value, "name": names[node.value], "relations": relations})


def _relation(
    predicate: Term | None, other: Term | None, backwards: Term | None, names: dict[str, str]
) -> dict[str, Any]:
    assert predicate is not None
    assert other is not None
    iri = other.value if isinstance(other, NamedNode) else None
    return {
        "relation": names[predicate.value],
        "iri": iri,
        "name": names[iri] if iri else other.value[:200],
        "backwards": backwards is not None and backwards.value == "true",
    }
