"""Where the house is an MCP server: `/mcp`, over streamable HTTP, in both revisions of the protocol."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request

from engine.environment.changes import Resynchronise
from engine.errors import HearthgraphError
from server.agents.bridge import Bridge
from server.agents.callers import Caller
from server.agents.mcp import CALLER, HouseServer
from server.agents.scopes import house, present
from server.guard import household
from server.service import Service, service

blueprint = Blueprint("agents_mcp", __name__)
_log = logging.getLogger(__name__)
LISTENING = '"subscriptions/listen"'


@blueprint.route("/mcp", methods=["GET", "POST", "DELETE"])
@blueprint.route("/mcp/", methods=["GET", "POST", "DELETE"])
def mcp() -> Response:
    """A message of MCP. What may be done is decided by the token that comes with it."""
    served = service()
    face: Face | None = served.agents.face(lambda: Face(served) if find_spec("mcp") is not None else None)
    if face is None:
        response = jsonify({"reason": "unavailable", "message": "MCP is not installed here.", "remedy": "Install it."})
        response.status_code = 501
        return response
    caller = present()
    if not standing():
        return face.call(caller)
    streams, known = current_app.extensions["hearthgraph-streams"], household()
    streams.enter(known=known)
    try:
        response = face.call(caller)
    except BaseException:
        streams.leave(known=known)
        raise
    response.call_on_close(lambda: streams.leave(known=known))
    return response


def standing() -> bool:
    """Whether the present call asks for a stream that stays open."""
    return request.method == "GET" or LISTENING in request.get_data(as_text=True)[:10_000]


class Face:
    """The server of the kit for one house, and who tells it of changes."""

    def __init__(self, served: Service) -> None:
        from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

        self._served = served
        self._house = HouseServer(house(), served.keys.sessions)
        self._bus = InMemorySubscriptionBus()
        server = self._house.server(on_subscriptions_listen=ListenHandler(self._bus))
        self._manager = _manager(server)
        self.bridge = Bridge(self._manager.handle_request, self._manager.run)
        self._telling = threading.Thread(target=self._tell, name="hearthgraph-mcp-changes", daemon=True)
        self._telling.start()

    def call(self, caller: Caller) -> Response:
        """What the kit answers to the present call."""
        return self.bridge.call({CALLER: caller, "user": _user(caller)})

    def close(self) -> None:
        """Ends its streams."""
        self.bridge.close()

    def _tell(self) -> None:
        """Hears of changes of the state, and hands them on."""
        while not self.bridge.closed.is_set() and not self._served.home.state.hub.closed:
            with self._served.home.state.hub.subscribe() as news:
                try:
                    self._hand_on(news)
                except Resynchronise:
                    continue

    def _hand_on(self, news: Any) -> None:
        while not self.bridge.closed.is_set() and not self._served.home.state.hub.closed:
            changed = news.take(timeout=1.0)
            thing = None if changed is None else self._served.home.registry.thing_of.get(changed.property)
            if thing is not None:
                with suppress(HearthgraphError):
                    self.bridge.submit(self._house.tell(thing.iri, self._bus))


def _manager(server: Any) -> Any:
    """The kit's manager of sessions. The name of this server was checked before, as for every call."""
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    checked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return StreamableHTTPSessionManager(server, security_settings=checked, max_sessions=200, session_idle_timeout=1800)


def _user(caller: Caller) -> Any:
    """Who calls, for the kit: a session is used by whoever began it alone."""
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken

    return AuthenticatedUser(AccessToken(token=caller.name, client_id=caller.name, scopes=sorted(caller.scopes)))
