"""Updates by the SPARQL 1.1 Protocol: to graphs of one's own, tried on a copy before the store is touched.

https://www.w3.org/TR/sparql11-protocol/#update-operation
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from engine.errors import QueryError
from server.guard import writing
from server.protocol.own import carry_out
from server.service import service

blueprint = Blueprint("update", __name__)

UPDATE_TYPE = "application/sparql-update"


@blueprint.post("/update")
@writing
def update() -> tuple[Response, int]:
    """Carries an update out, whole or not at all. It names its graphs, none of which is the engine's."""
    text = _text()
    if any(request.values.getlist(name) for name in ("using-graph-uri", "using-named-graph-uri")):
        raise QueryError("The dataset of an update stands in its text.", remedy="Write USING.")
    carry_out(service(), text)
    service().copies.expire()
    return Response(), 204


def _text() -> str:
    if request.mimetype == UPDATE_TYPE:
        try:
            return request.get_data().decode("utf-8")
        except UnicodeDecodeError:
            raise QueryError("The update is not in UTF-8.", remedy="Send it in UTF-8.") from None
    texts = request.form.getlist("update")
    if len(texts) != 1:
        raise QueryError("There is no update.", remedy=f"Send a form with one update, or a body of type {UPDATE_TYPE}.")
    return texts[0]
