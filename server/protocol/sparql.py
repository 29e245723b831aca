"""Queries by the SPARQL 1.1 Protocol, answered in a process of their own.

https://www.w3.org/TR/sparql11-protocol/ , https://www.w3.org/TR/sparql11-service-description/
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, request
from pyoxigraph import RdfFormat, serialize

from engine.errors import QueryError
from engine.graph.terms import NAMESPACES, RDF_TYPE, BlankNode, NamedNode, Triple
from server.faults import problem
from server.guard import household
from server.protocol.formats import GRAPHS, SOLUTIONS, required, wanted
from server.service import service
from server.strangers.process import Job

blueprint = Blueprint("sparql", __name__)

QUERY_TYPE = "application/sparql-query"
AGE = "Hearthgraph-Data-Age"
"""The header that says how many seconds old the answer may be."""
SD = "http://www.w3.org/ns/sparql-service-description#"
FORMATS = "http://www.w3.org/ns/formats/"
_FORMATS = ("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV")
_GRAPH_FORMATS = ("Turtle", "N-Triples", "JSON-LD", "RDF_XML")


@blueprint.route("/sparql", methods=["GET", "POST"])
def sparql() -> Response:
    """The result of a query; without one, the description of this service."""
    text = query_text()
    if text is None:
        return _description()
    solutions, graphs = wanted(SOLUTIONS), wanted(GRAPHS)
    if solutions is None and graphs is None:
        required(SOLUTIONS + GRAPHS)
    default, named = _iris("default-graph-uri"), _iris("named-graph-uri")
    reply = service().pool.ask(Job(text, solutions, graphs, default, named, household()))
    if reply.status != 200:
        return problem(reply.status, {"reason": reply.reason, "message": reply.message, "remedy": ""})
    response = Response(reply.body, content_type=_content_type(reply.type))
    response.headers[AGE] = f"{reply.age:.3f}"
    response.headers["Vary"] = "Accept"
    response.headers["Cache-Control"] = "no-cache"
    return response


def query_text() -> str | None:
    """The text of the query, by whichever of the three operations it came; None where there is none."""
    if request.method == "POST" and request.mimetype == QUERY_TYPE:
        return _decoded(request.get_data())
    texts = (request.form if request.method == "POST" else request.args).getlist("query")
    if len(texts) > 1:
        raise QueryError("There are several queries.", remedy="Send one.")
    if not texts and request.method == "POST":
        raise QueryError("There is no query.", remedy=f"Send a form with a query, or a body of type {QUERY_TYPE}.")
    return texts[0] if texts else None


def _decoded(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise QueryError("The query is not in UTF-8.", remedy="Send it in UTF-8.") from None


def _iris(name: str) -> Sequence[str]:
    given = [*request.args.getlist(name), *(request.form.getlist(name) if request.method == "POST" else ())]
    for iri in given:
        try:
            NamedNode(iri)
        except ValueError:
            raise QueryError(f"{name} is no IRI: {iri}.", remedy="Give an absolute IRI.") from None
    return given


def _content_type(media: str) -> str:
    return f"{media}; charset=utf-8" if media.startswith("text/") else media


def _description() -> Response:
    """The service description (https://www.w3.org/TR/sparql11-service-description/)."""
    media = required(GRAPHS[:4])
    here, dataset = BlankNode(), BlankNode()
    triples = [
        Triple(here, RDF_TYPE, NamedNode(f"{SD}Service")),
        Triple(here, NamedNode(f"{SD}endpoint"), NamedNode(request.base_url)),
        Triple(here, NamedNode(f"{SD}supportedLanguage"), NamedNode(f"{SD}SPARQL11Query")),
        Triple(here, NamedNode(f"{SD}feature"), NamedNode(f"{SD}UnionDefaultGraph")),
        Triple(here, NamedNode(f"{SD}defaultDataset"), dataset),
        Triple(dataset, RDF_TYPE, NamedNode(f"{SD}Dataset")),
        *(
            Triple(here, NamedNode(f"{SD}resultFormat"), NamedNode(FORMATS + name))
            for name in (*_FORMATS, *_GRAPH_FORMATS)
        ),
    ]
    for graph in service().store.graphs():
        node = BlankNode()
        triples += [
            Triple(dataset, NamedNode(f"{SD}namedGraph"), node),
            Triple(node, NamedNode(f"{SD}name"), graph),
        ]
    prefixes = {"sd": SD, "formats": FORMATS, "hg": NAMESPACES["hg"]}
    form = RdfFormat.from_media_type(media)
    body = serialize(triples, format=form or RdfFormat.TURTLE, prefixes=prefixes) or b""
    return Response(body, content_type=_content_type(media))
