"""The redirect address of this house as an OAuth client, and its client metadata."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from engine.environment.http.oauth.tokens import NAME
from engine.errors import HearthgraphError, InputError
from server.addresses import base
from server.service import service

blueprint = Blueprint("agents_oauth", __name__)
DONE = "Hearthgraph has been let in. You can close this page, and register the address once more."


@blueprint.get("/oauth/callback")
def came_back() -> Response:
    """Takes the authorisation response that a person was redirected with: it is known by a state that this house made
    up, and is good once."""
    try:
        service().home.artifacts.came_back(request.url)
    except HearthgraphError as error:  # whoever calls with what nobody waits for is told that it is their mistake
        raise InputError(str(error), remedy="Begin again where you were asked to let the home in.") from error
    return Response(DONE, content_type="text/plain; charset=utf-8")


@blueprint.get("/oauth/client.json")
def document() -> Response:
    """The metadata of this house as a client of OAuth (Client ID Metadata Documents)."""
    address = base().rstrip("/")
    return jsonify(
        {
            "client_id": f"{address}/oauth/client.json",
            "client_name": NAME,
            "client_uri": address,
            "redirect_uris": [f"{address}/oauth/callback"],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        }
    )


def announce() -> None:
    """Says where people can be sent back to: to where this server is called at."""
    address, keeper = base().rstrip("/"), service().home.artifacts.doorkeeper
    keeper.redirect = f"{address}/oauth/callback"
    keeper.document = f"{address}/oauth/client.json" if address.startswith("https://") else ""
