"""Searching the directory: by SPARQL, and by JSONPath; both in a process that is ended when it takes too long.

https://www.w3.org/TR/wot-discovery/#exploration-directory-api-search
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from engine.errors import QueryError
from engine.things.directory.faults import Unsupported
from server.directory.media import JSON, JSON_LD
from server.faults import problem
from server.guard import household
from server.negotiation import required, wanted
from server.protocol.formats import GRAPHS, SOLUTIONS
from server.protocol.sparql import AGE, query_text
from server.service import service
from server.strangers.process import Job, Reply

blueprint = Blueprint("directory_search", __name__)

TABLES = (JSON, *SOLUTIONS)
TRIPLES = (JSON_LD, *(media for media in GRAPHS if media != JSON_LD))


@blueprint.route("/search/sparql", methods=["GET", "POST"])
def by_sparql() -> Response:
    """The result of a query over the descriptions, and over the home's other graphs."""
    text = query_text()
    if text is None:
        raise QueryError("There is no query.", remedy="Send ?query=….")
    tables, triples = wanted(TABLES), wanted(TRIPLES)
    if tables is None and triples is None:
        required((*TABLES, *TRIPLES))
    job = Job(text, SOLUTIONS[0] if tables == JSON else tables, triples, household=household())
    reply = service().pool.ask(job)
    response = _told(reply, JSON if reply.type == SOLUTIONS[0] and tables == JSON else reply.type)
    response.headers[AGE] = f"{reply.age:.3f}"
    return response


@blueprint.get("/search/jsonpath")
def by_jsonpath() -> Response:
    """The matches of a JSONPath in the list of descriptions."""
    required((JSON,))
    paths = request.args.getlist("query")
    if len(paths) != 1:
        raise QueryError("There is no path, or there are several.", remedy="Send one, as ?query=….")
    reply = service().pool.search(paths[0], service().directory.texts())
    return _told(reply, reply.type)


@blueprint.get("/search/xpath")
def by_xpath() -> Response:
    """There is none. Raises Unsupported."""
    raise Unsupported("XPath is not served here.", remedy="Search by /search/jsonpath or /search/sparql.")


def _told(reply: Reply, media: str) -> Response:
    if reply.status != 200:
        return problem(reply.status, {"reason": reply.reason, "message": reply.message, "remedy": ""})
    response = Response(reply.body, content_type=f"{media}; charset=utf-8" if media.startswith("text/") else media)
    response.headers["Vary"] = "Accept"
    response.headers["Cache-Control"] = "no-cache"
    return response
