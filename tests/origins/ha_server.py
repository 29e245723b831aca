"""Home Assistant's side of the WebSocket API on loopback, with answers of our own house, which misbehaves at will."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tests.origins.ha_house import house

TOKEN = "long-lived"
_READ = {
    "get_states": "states",
    "get_services": "services",
    "get_config": "config",
    "config/area_registry/list": "area_registry",
    "config/floor_registry/list": "floor_registry",
    "config/device_registry/list": "device_registry",
    "config/entity_registry/list": "entity_registry",
    "config/label_registry/list": "label_registry",
}


class Server:
    """Serves `house` until it is closed. `started` is whether it says that it has; `called` has the services that were
    called; `answers` replaces the answer to a kind of command, as (success, result or error); `silent` ones get none.
    """

    def __init__(self) -> None:
        self.house = house()
        self.started = True
        self.called: list[dict[str, Any]] = []
        self.answers: dict[str, tuple[bool, Any]] = {}
        self.silent: set[str] = set()
        self.effect: Callable[[dict[str, Any]], list[dict[str, Any]]] = lambda _: []
        self.subscriptions: dict[str, list[tuple[ServerConnection, int]]] = {}
        self.connections: list[ServerConnection] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def tell(self, kind: str, *events: dict[str, Any]) -> None:
        """Sends events to all who have subscribed to their kind."""
        asyncio.run_coroutine_threadsafe(self._tell(kind, events), self._loop).result(30)

    def change(self, entity: str, state: str, **attributes: Any) -> dict[str, Any]:
        """Changes an entity in the house; gives the event that tells of it."""
        known = next(one for one in self.house["states"] if one["entity_id"] == entity)
        old = {**known, "attributes": dict(known["attributes"])}
        known["state"] = state
        known["attributes"].update(attributes)
        new = {**known, "attributes": dict(known["attributes"])}
        return {"entity_id": entity, "old_state": old, "new_state": new}

    def drop(self) -> None:
        """Breaks all connections off."""

        async def abort() -> None:
            for one in self.connections:
                one.transport.abort()
            self.connections.clear()
            self.subscriptions.clear()

        asyncio.run_coroutine_threadsafe(abort(), self._loop).result(10)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)
        self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._end = asyncio.Event()
        async with serve(self._meet, "127.0.0.1", 0, compression=None) as server:
            self._port = next(iter(server.sockets)).getsockname()[1]
            self._ready.set()
            await self._end.wait()

    async def _meet(self, connection: ServerConnection) -> None:
        try:
            await connection.send(json.dumps({"type": "auth_required"}))
            shown = json.loads(await connection.recv()).get("access_token")
            await connection.send(json.dumps({"type": "auth_ok" if shown == TOKEN else "auth_invalid"}))
            if shown == TOKEN:
                self.connections.append(connection)
                async for text in connection:
                    await self._answer(connection, json.loads(text))
        except ConnectionClosed:
            pass

    async def _answer(self, connection: ServerConnection, asked: dict[str, Any]) -> None:
        kind, number = asked["type"], asked["id"]
        if kind in self.silent:
            return
        success, result = self.answers.get(kind) or (True, self._result(connection, asked))
        if kind == "call_service" and success:
            await self._tell("state_changed", tuple(self.effect(asked)))
        outcome = {"result": result} if success else {"error": result}
        await connection.send(json.dumps({"id": number, "type": "result", "success": success, **outcome}))

    def _result(self, connection: ServerConnection, asked: dict[str, Any]) -> Any:
        kind = asked["type"]
        if kind == "subscribe_events":
            self.subscriptions.setdefault(asked["event_type"], []).append((connection, asked["id"]))
        elif kind == "call_service":
            self.called.append(asked)
            return {"context": {"id": "1"}}
        elif kind == "get_config":
            return {**self.house["config"], "state": "RUNNING" if self.started else "STARTING"}
        elif kind == "config/entity_registry/get_entries":
            return {one["entity_id"]: one for one in self.house["entity_registry"]}
        elif kind == "homeassistant/expose_entity/list":
            entries = self.house["entity_registry"]
            shown = [one["entity_id"] for one in entries if one["options"]["conversation"]["should_expose"]]
            return {"exposed_entities": {name: {"conversation": True} for name in shown}}
        return self.house.get(_READ.get(kind, ""), None)

    async def _tell(self, kind: str, events: tuple[dict[str, Any], ...]) -> None:
        for connection, number in list(self.subscriptions.get(kind, [])):
            for event in events:
                told = {"event_type": kind, "data": event}
                await connection.send(json.dumps({"id": number, "type": "event", "event": told}))
