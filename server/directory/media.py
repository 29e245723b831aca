"""Media types of the directory: those it accepts, and those it answers with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from flask import Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from engine.things.description import jsonld
from server.protocol.formats import NoSuchFormat

TD, JSON, JSON_LD, TURTLE = "application/td+json", "application/json", "application/ld+json", "text/turtle"
MERGE_PATCH = "application/merge-patch+json"


def body(taken: Sequence[str], *, unnamed: bool = True) -> Any:
    """The JSON value of the body, in one of the media types that are taken; if it may be `unnamed`, also without one.

    Raises NoSuchFormat, SyntaxFault, ThingRefused (nested too deeply), RequestEntityTooLarge."""
    if request.mimetype not in taken and (request.mimetype or not unnamed):
        named = request.mimetype or "unknown"
        raise NoSuchFormat(f"A body of type {named} cannot be read here.", remedy=f"Send {taken[0]}.")
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise NoSuchFormat("A compressed body cannot be read.", remedy="Send it as it is.")
    content = request.get_data()
    if len(content) > jsonld.LARGEST:
        raise RequestEntityTooLarge(f"A Thing Description may have {jsonld.LARGEST} bytes.")
    return jsonld.parse_text(content)


def answer(value: Any, media: str) -> Response:
    """A value as JSON under a media type."""
    return Response(json.dumps(value, ensure_ascii=False), content_type=media)
