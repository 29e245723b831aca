"""Thing Descriptions by their ids, and the list of them.

https://www.w3.org/TR/wot-discovery/#exploration-directory-api-things
"""

from __future__ import annotations

import json
from hashlib import blake2s
from typing import Any
from urllib.parse import quote, urlencode

from flask import Blueprint, Response, request

from engine.errors import InputError
from engine.things.description import emission
from engine.things.directory.directory import Condition, Document
from engine.things.directory.listing import ID, LARGEST, Order, Page
from engine.things.directory.registration import CONTEXT, MEMBER
from server.directory.media import JSON, JSON_LD, MERGE_PATCH, TD, TURTLE, answer, body
from server.guard import writing
from server.negotiation import required
from server.protocol import things as several
from server.service import service

blueprint = Blueprint("directory", __name__)


ONE = (TD, JSON, JSON_LD)
SEVERAL = (JSON_LD, TURTLE, "application/x-turtle", "application/n-triples", "application/rdf+xml")
"""Media types of what is loaded as a file is, one thing or many, instead of being registered as one TD."""
ARRAY, COLLECTION = "array", "collection"
ASCENDING, DESCENDING = "asc", "desc"


@blueprint.after_request
def _takes(response: Response) -> Response:
    """Whoever sends a patch in another format hears which one is taken (RFC 5789)."""
    if request.method == "PATCH" and response.status_code == 415:
        response.headers["Accept-Patch"] = MERGE_PATCH
    return response


# The list


@blueprint.get("/things")
def listing() -> Response:
    """The descriptions, all or some of them."""
    media = required((JSON_LD, JSON, TD))
    form = _choice("format", (ARRAY, COLLECTION))
    order = Order(request.args.get("sort_by", ID), _choice("sort_order", (ASCENDING, DESCENDING)) == DESCENDING)
    state = service().directory.events.state
    page = service().directory.page(_number("offset", 0), _number("limit", LARGEST, least=1), order)
    listed = list(page.documents) if form == ARRAY else _collection(page)
    response = answer(listed, JSON_LD if media == TD else media)
    links = [] if page.next is None else [f'<{_address(page.next)}>; rel="next"']
    response.headers["Link"] = ", ".join([*links, f'</things>; rel="canonical"; etag="{state}"'])
    response.headers["Vary"] = "Accept"
    return response


def _collection(page: Page) -> dict[str, Any]:
    told: dict[str, Any] = {"@context": CONTEXT, "@type": "ThingCollection", "@id": _address(page.offset)}
    told |= {"total": page.total, "members": list(page.documents)}
    return told if page.next is None else {**told, "next": _address(page.next)}


def _address(offset: int) -> str:
    """The same list from another place on, with all that was asked of it."""
    asked = {name: request.args[name] for name in ("format", "sort_by", "sort_order") if name in request.args}
    limit = request.args.get("limit", str(LARGEST))
    return f"/things?{urlencode({'offset': offset, 'limit': limit, **asked})}"


def _number(name: str, otherwise: int, least: int = 0) -> int:
    text = request.args.get(name)
    if text is None:
        return otherwise
    if not (text.isascii() and text.isdecimal() and len(text) <= 18 and int(text) >= least):
        raise InputError(f"{name} is no number from {least} on.", remedy="Leave it out, or give such a number.")
    return int(text)


def _choice(name: str, known: tuple[str, str]) -> str:
    text = request.args.get(name, known[0])
    if text not in known:
        raise InputError(f"{name} is {known[0]} or {known[1]}.", remedy="Leave it out, or give one of them.")
    return text


# One of them


@blueprint.post("/things")
@writing
def create() -> Response:
    """Registers a description that has no id; bodies of other media types are loaded as `hearthgraph load` loads
    files."""
    if request.mimetype in SEVERAL:
        return several.load()
    iri = service().directory.create(body((TD, JSON)))
    response = Response(status=201)
    response.headers["Location"] = f"/things/{quote(iri, safe=':')}"
    return response


@blueprint.get("/things/<path:iri>")
def retrieve(iri: str) -> Response:
    """A description with its registration."""
    media = required((*ONE, TURTLE))
    document = service().directory.retrieve(iri)
    thing = service().home.registry.things.get(iri)
    if media == TURTLE and thing is not None:
        response = Response(emission.as_turtle(service().store, thing), content_type=f"{TURTLE}; charset=utf-8")
    else:
        response = answer(document, media)
    response.set_etag(_etag(document), weak=True)
    response.headers["Vary"] = "Accept"
    return response.make_conditional(request)  # type: ignore[return-value]


def _etag(document: Document) -> str:
    """An entity tag of the description, without the time at which it is read."""
    about = {name: value for name, value in document.get(MEMBER, {}).items() if name != "retrieved"}
    text = json.dumps({**document, MEMBER: about}, sort_keys=True)
    return blake2s(text.encode(), digest_size=12).hexdigest()


def _provided() -> Condition | None:
    """Whether a description is one that the client means by its entity tags; None where it sends none. They are
    compared as weak ones: all that the same tag may stand for twice is the time of reading."""
    known, unknown = "If-Match" in request.headers, "If-None-Match" in request.headers
    if not (known or unknown):
        return None
    match, none_match = request.if_match, request.if_none_match

    def holds(present: Document | None) -> bool:
        if present is None:
            return not known
        own = _etag(present)
        return (match.contains_weak(own) or not known) and not none_match.contains_weak(own)

    return holds


@blueprint.put("/things/<path:iri>")
@writing
def put(iri: str) -> Response:
    """Registers a description under its id, in place of the one that is there; with `If-Match` only where that is as
    the client read it."""
    new = service().directory.put(iri, body(ONE), _provided())
    return Response(status=201 if new else 204)


@blueprint.patch("/things/<path:iri>")
@writing
def patch(iri: str) -> Response:
    """Changes parts of a description."""
    service().directory.patch(iri, body((MERGE_PATCH,), unnamed=False), _provided())
    return Response(status=204)


@blueprint.delete("/things/<path:iri>")
@writing
def remove(iri: str) -> Response:
    """Takes a thing out."""
    service().directory.remove(iri, _provided())
    return Response(status=204)
