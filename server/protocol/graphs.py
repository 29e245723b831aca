"""Named graphs by the SPARQL 1.1 Graph Store HTTP Protocol; the description of a thing goes through the door.

https://www.w3.org/TR/sparql11-http-rdf-update/
"""

from __future__ import annotations

import json

from flask import Blueprint, Response, request
from pyoxigraph import Quad, RdfFormat, Triple, parse, serialize

from engine.errors import InputError, SyntaxFault, ThingRefused
from engine.graph.terms import MEMORY, NAMESPACES, NamedNode, expand
from engine.things import door
from engine.things.description import emission, jsonld, turtle
from server.guard import authorised, writing
from server.protocol.formats import BODIES, GRAPHS, NoSuchFormat, required
from server.protocol.own import refuse_engine_graph
from server.service import service

blueprint = Blueprint("graphs", __name__)


@blueprint.get("/graphs")
@blueprint.get("/graphs/<path:_>")
def read(_: str = "") -> Response:
    """The graph; the union of all where the default one is asked for."""
    media = required(GRAPHS[:4])
    iri = _target()
    store = service().store
    thing = None if iri is None else service().home.registry.index.documents.get(iri)
    if thing is not None and media == "text/turtle":
        return Response(emission.as_turtle(store, thing), content_type=f"{media}; charset=utf-8")
    if thing is not None and media == "application/ld+json":
        return Response(json.dumps(emission.as_jsonld(store, thing), ensure_ascii=False), content_type=media)
    graphs = store.graphs() if iri is None else [NamedNode(iri)]
    open_ = [graph for graph in graphs if graph != MEMORY or authorised()]
    triples = [quad.triple for graph in open_ for quad in store.graph(graph)]
    if iri is not None and not triples:
        raise _missing(iri)
    body = serialize(triples, format=RdfFormat.from_media_type(media) or RdfFormat.TURTLE, prefixes=NAMESPACES)
    return Response(body or b"", content_type=f"{media}; charset=utf-8" if media.startswith("text/") else media)


@blueprint.route("/graphs", methods=["PUT", "POST", "DELETE"])
@blueprint.route("/graphs/<path:_>", methods=["PUT", "POST", "DELETE"])
@writing
def change(_: str = "") -> tuple[Response, int]:
    """Replaces, extends or deletes a graph. 201 where it is new, else 204."""
    iri = _target()
    if iri is None:
        raise InputError("The default graph is the union of all others.", remedy="Name a graph.", reason="engine_graph")
    status = _delete(iri) if request.method == "DELETE" else _write(iri)
    service().copies.expire()
    return Response(), status


def _target() -> str | None:
    """The IRI of the graph that the call is about; None for the default graph. Raises InputError."""
    given = request.args.getlist("graph")
    if request.path.startswith("/graphs/"):
        given.append(request.base_url)
    if "default" in request.args and not given:
        return None
    if len(given) != 1 or "default" in request.args:
        raise InputError("Which graph?", remedy="Say ?graph=<iri> or ?default.", reason="bad_input")
    try:
        return NamedNode(given[0]).value
    except ValueError:
        raise InputError(f"{given[0]} is no IRI.", remedy="Give an absolute IRI.", reason="bad_input") from None


def _missing(iri: str) -> InputError:
    return InputError(f"There is no graph <{iri}>.", remedy="Ask /sparql which there are.", reason="no_such_graph")


def _delete(iri: str) -> int:
    home = service().home
    thing = home.registry.index.documents.get(iri)
    if thing is not None:
        home.registry.remove(thing.iri)
        home.state.refresh()
        return 204
    refuse_engine_graph(iri)
    if not service().store.graph(NamedNode(iri)):
        raise _missing(iri)
    service().store.write(clear=[NamedNode(iri)], known=False)
    return 204


def _write(iri: str) -> int:
    home, store = service().home, service().store
    thing = home.registry.index.documents.get(iri)
    if thing is None or request.method == "POST":
        refuse_engine_graph(iri)
    triples = _triples(iri)
    _, described = door.preview(home.registry, triples, source=iri)
    new = not store.graph(NamedNode(iri))
    if thing is None and not described:
        graph = NamedNode(iri)
        cleared = [graph] if request.method == "PUT" else []
        quads = [Quad(t.subject, t.predicate, t.object, graph) for t in triples]
        store.write(clear=cleared, insert=quads, known=False)
        return 201 if new else 204
    if [one.document for one in described] != [iri] or request.method == "POST":
        raise ThingRefused(
            f"This is not the description of one thing whose document is <{iri}>.",
            node=described[0].iri if described else "",
            shape=expand("hg:OneThingShape"),
            remedy="PUT one thing to its own document; POST several, and what goes with them, to /things.",
        )
    door.admit(home.registry, triples, source=iri)
    home.state.refresh()
    return 201 if new else 204


def _triples(iri: str) -> list[Triple]:
    """The statements of the body; relative IRIs are relative to the graph."""
    found = BODIES.get(request.mimetype)
    if found is None:
        raise NoSuchFormat(
            f"A body of type {request.mimetype or 'unknown'} cannot be read.", remedy=f"Send {', '.join(BODIES)}."
        )
    body, syntax = request.get_data(), found[0]
    if syntax is not RdfFormat.JSON_LD:
        return turtle.parse_text(body, source="body", base=iri, syntax=syntax)
    content = jsonld.parse_text(body, source="body")
    if "//www.w3.org/" in json.dumps(content.get("@context") if isinstance(content, dict) else None):
        return jsonld.statements(content, source="body")[0]
    try:
        return [quad.triple for quad in parse(body, RdfFormat.JSON_LD, base_iri=iri, rename_blank_nodes=True)]
    except SyntaxError as error:
        raise SyntaxFault(f"{error.msg}.", source="body", remedy="Inline the context.") from error
