"""Where subscribers ask to hear of changes (https://www.w3.org/TR/websub/)."""

from __future__ import annotations

from flask import Blueprint, Response, request

from engine.errors import HearthgraphError, InputError
from server.addresses import base
from server.faults import status_of
from server.guard import authorised, shown
from server.service import service

blueprint = Blueprint("platform_hub", __name__)

FORM = "application/x-www-form-urlencoded"


@blueprint.post("/hub")
def hub() -> Response:
    """Takes a request to subscribe or to unsubscribe: 202, and then the subscriber is asked whether it meant it."""
    try:
        _refuse_other_pages()
        if request.mimetype != FORM:
            raise InputError(f"A subscription is asked for by a form ({FORM}).", remedy="Send one.")
        service().hub.accept(request.form.to_dict(), base().rstrip("/"))
    except HearthgraphError as error:
        return Response(f"{error}\n", status=status_of(error), content_type="text/plain; charset=utf-8")
    return Response(status=202)


def _refuse_other_pages() -> None:
    """Keeps pages of other sites from subscribing their servers to this home by a visitor's browser, which says whose
    page asks. Raises InputError (forged)."""
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site", "none")
    foreign = origin is not None and origin.partition("://")[2] != request.host
    if (foreign or site not in ("none", "same-origin")) and not _bearer():
        raise InputError("Pages of other sites may not subscribe.", remedy="Send the token.", reason="forged")


def _bearer() -> bool:
    given = shown()
    return given is not None and given.type == "bearer" and authorised()
