"""Where the house is an MCP server: `/mcp`, over streamable HTTP, in both revisions of the protocol."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request

from engine.environment.changes import Resynchronise
from engine.errors import HearthgraphError
from server.agents.bridge import Bridge
from server.agents.callers import Caller
from server.agents.mcp.server import CALLER, HouseServer
from server.agents.scopes import house, present
from server.guard import Streams, TooMany, household
from server.listener import came_by
from server.service import Service, service

blueprint = Blueprint("agents_mcp", __name__)
_log = logging.getLogger(__name__)
LISTENING = "subscriptions/listen"
SESSIONS, OF_STRANGERS = 200, 40
"""How many sessions may be open: of those who have a token, and of strangers, who take nobody else's."""
IDLE, STRANGERS_IDLE = 1800.0, 300.0
"""Seconds after which one that nobody uses ends."""


@blueprint.route("/mcp", methods=["GET", "POST", "DELETE"])
@blueprint.route("/mcp/", methods=["GET", "POST", "DELETE"])
def mcp() -> Response:
    """Answers a message of MCP. The token that comes with it decides on its rights."""
    served = service()
    face: Face | None = served.agents.face(lambda: Face(served) if find_spec("mcp") is not None else None)
    if face is None:
        response = jsonify({"reason": "unavailable", "message": "MCP is not installed here.", "remedy": "Install it."})
        response.status_code = 501
        return response
    caller = present()
    lasting = _Lasting(current_app.extensions["hearthgraph-streams"], known=household())
    if standing():
        lasting.begin()
    try:
        response = face.call(caller, lasting.may if caller.stranger else lambda: True)
    except BaseException:
        lasting.end()
        raise
    response.call_on_close(lasting.end)
    return response


def standing() -> bool:
    """Whether the present call asks for a stream that stays open."""
    if request.method == "GET":
        return True
    try:
        said = json.loads(request.get_data())
    except (ValueError, RecursionError):
        return False
    return any(isinstance(one, dict) and one.get("method") == LISTENING for one in _several(said))


def _several(said: Any) -> list[Any]:
    return said if isinstance(said, list) else [said]


class _Lasting:
    """The place of one call among the streams, from when it needs one to its end."""

    def __init__(self, streams: Streams, *, known: bool) -> None:
        self._streams, self._known, self._held = streams, known, False
        self._connection = came_by()

    def begin(self) -> None:
        """Takes a place. Raises TooMany where none is free."""
        self._streams.enter(known=self._known)
        self._held = True
        if self._connection is not None:
            self._connection.lasts()

    def may(self) -> bool:
        """Whether an answer may go on: it has a place, or takes one."""
        with suppress(TooMany):
            if not self._held:
                self.begin()
        return self._held

    def end(self) -> None:
        """Gives the place back."""
        held, self._held = self._held, False
        if held:
            self._streams.leave(known=self._known)


class Face:
    """The server of the kit for one house, and who tells it of changes."""

    def __init__(self, served: Service) -> None:
        from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

        self._served = served
        self._house = HouseServer(house(), served.keys.sessions)
        self._bus = InMemorySubscriptionBus()
        server = self._house.server(on_subscriptions_listen=ListenHandler(self._bus))
        self._known, self._strangers = _manager(server, SESSIONS, IDLE), _manager(server, OF_STRANGERS, STRANGERS_IDLE)
        self.bridge = Bridge(self._handle, self._living)
        self._telling = threading.Thread(target=self._tell, name="hearthgraph-mcp-changes", daemon=True)
        self._telling.start()

    def call(self, caller: Caller, may_last: Callable[[], bool]) -> Response:
        """The kit's response to the present call; `may_last` says whether a stream may go on."""
        return self.bridge.call({CALLER: caller, "user": _user(caller)}, may_last)

    async def _handle(self, scope: Any, receive: Any, send: Any) -> None:
        manager = self._strangers if scope[CALLER].stranger else self._known
        await manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def _living(self) -> AsyncIterator[None]:
        async with self._known.run(), self._strangers.run():
            yield

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


def _manager(server: Any, sessions: int, idle: float) -> Any:
    """The kit's manager of sessions. The name of this server was checked before, as for every call."""
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    checked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return StreamableHTTPSessionManager(
        server, security_settings=checked, max_sessions=sessions, session_idle_timeout=idle
    )


def _user(caller: Caller) -> Any:
    """Who calls, for the kit: a session is used by whoever began it alone."""
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken

    return AuthenticatedUser(AccessToken(token=caller.name, client_id=caller.name, scopes=sorted(caller.scopes)))
