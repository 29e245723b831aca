"""The callbacks of WebSub: hubs verify subscriptions here, and push content (https://www.w3.org/TR/websub/).

The addresses are secrets of their own: nobody can guess them, so no token is asked for.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from server.service import service

blueprint = Blueprint("callbacks", __name__)


@blueprint.get("/callbacks/<key>")
def verify(key: str) -> Response:
    """Repeats the challenge of a hub for a subscription that was asked for, and for no other."""
    told = service().home.explorer.subscriber.verify(key, request.args)
    return Response("" if told is None else told, status=404 if told is None else 200, content_type="text/plain")


@blueprint.post("/callbacks/<key>")
def deliver(key: str) -> Response:
    """Takes news in, to be looked at later; news that are not rightly signed change nothing."""
    headers = {name.lower(): value for name, value in request.headers.items() if name.lower() != "link"}
    headers["link"] = ", ".join(request.headers.getlist("Link"))
    return Response(status=service().home.explorer.subscriber.deliver(key, headers, request.get_data()))
