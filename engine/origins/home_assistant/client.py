"""One connection to Home Assistant's WebSocket API.

Not by hass-client 1.4, which stands on aiohttp, a second HTTP stack beside httpx, and writes whole messages to its log
at DEBUG; floors, labels and entries in batches are raw commands with it, as they are here.
https://developers.home-assistant.io/docs/api/websocket
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from engine.errors import BindingError, InputError
from engine.origins.home_assistant.snapshot import Snapshot, made_of

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

_log = logging.getLogger(__name__)
_wire = logging.getLogger(f"{__name__}.wire")
_wire.setLevel(logging.INFO)  # below, the library writes down what is sent, and the token is

Heard = Callable[[dict[str, Any]], None]
MOST_BYTES = 64 * 1024 * 1024
"""Bytes that one message may have: the states of a large home are one."""
MOST_ASKED = 500
"""How many entities' entries are asked for at a time."""
_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_REASONS = {
    "not_found": "no_such_command",
    "unauthorized": "unauthorized",
    "invalid_format": "invalid_value",
    "timeout": "timeout",
}
_LISTS = ("area_registry", "floor_registry", "device_registry", "entity_registry", "label_registry")


def address_of(url: str) -> str:
    """The address of the WebSocket API behind that of a Home Assistant. Raises InputError."""
    parts = urlsplit(url.strip())
    scheme = _SCHEMES.get(parts.scheme.lower())
    if scheme is None or not parts.hostname or parts.username or parts.password:
        raise InputError(
            f"{parts.scheme or 'nothing'}://… is no address of a Home Assistant.",
            remedy="Give one such as http://homeassistant.local:8123, without a user or password.",
        )
    path = parts.path.rstrip("/").removesuffix("/api/websocket")
    return urlunsplit((scheme, parts.netloc, f"{path}/api/websocket", "", ""))


class Client:
    """A connection that has been let in. `heard` is called with each event, in the order in which they come."""

    def __init__(self, connection: ClientConnection, seconds: float, heard: Heard) -> None:
        self._connection = connection
        self._seconds = seconds
        self._heard = heard
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def connect(cls, url: str, token: str, seconds: float, heard: Heard = lambda _: None) -> Client:
        """Connects within `seconds` and shows the token. Raises BindingError: unauthorized, unavailable, bad_answer."""
        from websockets.exceptions import WebSocketException

        try:
            async with asyncio.timeout(seconds):
                connection = await _opened(address_of(url))
                try:
                    await _enter(connection, token)
                except BaseException:
                    await connection.close()
                    raise
        except (OSError, WebSocketException, TimeoutError, EOFError) as error:
            raise _unreachable(error) from error
        return cls(connection, seconds, heard)

    async def ask(self, kind: str, **fields: Any) -> Any:
        """Home Assistant's answer to a command. Raises BindingError with its reason, unavailable where the connection
        is lost, timeout where no answer comes."""
        from websockets.exceptions import WebSocketException

        self._number += 1
        number = self._number
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            await self._connection.send(json.dumps({"id": number, "type": kind, **fields}, allow_nan=False))
            async with asyncio.timeout(self._seconds):
                return await future
        except TimeoutError as error:
            raise BindingError(
                f"Home Assistant did not answer within {self._seconds:g} s.", reason="timeout"
            ) from error
        except (WebSocketException, OSError) as error:
            raise _unreachable(error) from error
        finally:
            self._waiting.pop(number, None)

    async def lost(self) -> None:
        """Waits until the connection is."""
        await asyncio.wait((self._reader,))

    async def close(self) -> None:
        """Ends the connection."""
        self._reader.cancel()
        with suppress(Exception):
            await self._connection.close()
        await asyncio.gather(self._reader, return_exceptions=True)

    async def snapshot(self) -> Snapshot:
        """All that Home Assistant says of itself now. Raises BindingError, InputError."""
        found = {"states": await self.ask("get_states"), "services": await self.ask("get_services")}
        found["config"] = await self.ask("get_config")
        for name in _LISTS:
            found[name] = await self.ask(f"config/{name}/list")
        found["entity_registry"] = await self._with_aliases(found["entity_registry"])
        found["exposed_entities"] = await self._exposed()
        return made_of(found, "Home Assistant")

    async def _exposed(self) -> Any:
        """The list of exposed entities, which only an administrator gets; None for others, for whom the entities' own
        options must do."""
        try:
            return await self.ask("homeassistant/expose_entity/list")
        except BindingError as error:
            if error.reason == "unavailable":
                raise
            return None

    async def _with_aliases(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The registry's entries as they are told one by one: the list leaves out aliases and classes."""
        names = [str(entry["entity_id"]) for entry in entries]
        more: dict[str, Any] = {}
        for start in range(0, len(names), MOST_ASKED):
            asked = names[start : start + MOST_ASKED]
            more |= await self.ask("config/entity_registry/get_entries", entity_ids=asked)
        return [{**entry, **(more.get(str(entry["entity_id"])) or {})} for entry in entries]

    async def _read(self) -> None:
        """Hands answers to those who wait and events on, until the connection ends; then nobody waits any more."""
        from websockets.exceptions import WebSocketException

        try:
            async for text in self._connection:
                messages = json.loads(text)
                for message in messages if isinstance(messages, list) else [messages]:
                    self._take(message)
        except (WebSocketException, OSError, ValueError, RecursionError):
            pass
        finally:
            lost = BindingError("The connection to Home Assistant was lost.", reason="unavailable")
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(lost)
            await self._connection.close()

    def _take(self, message: Any) -> None:
        if not isinstance(message, dict):
            return
        number = message.get("id")
        if message.get("type") == "event" and isinstance(message.get("event"), dict) and isinstance(number, int):
            self._pass_on(message["event"])
            return
        future = self._waiting.get(number) if isinstance(number, int) else None
        if future is None or future.done() or message.get("type") != "result":
            return
        if message.get("success") is True:
            future.set_result(message.get("result"))
        else:
            future.set_exception(_refused(message.get("error")))

    def _pass_on(self, event: dict[str, Any]) -> None:
        """Hands an event on; whoever cannot take it does not end the connection for the others."""
        try:
            self._heard(event)
        except Exception:  # noqa: BLE001
            _log.exception("an event of Home Assistant's is left out")


async def _opened(address: str) -> ClientConnection:
    """Connects directly: no proxy, and no redirection, which would carry the token elsewhere."""
    from websockets.asyncio.client import connect

    class Direct(connect):
        def process_redirect(self, exc: Exception) -> Exception | str:
            return exc

    return await Direct(
        address, max_size=MOST_BYTES, proxy=None, compression=None, ping_interval=20, ping_timeout=20, logger=_wire
    )


async def _enter(connection: ClientConnection, token: str) -> None:
    """The exchange with which each connection begins."""
    hello = _message(await connection.recv())
    if hello.get("type") != "auth_required":
        raise BindingError("This is no Home Assistant.", reason="bad_answer")
    await connection.send(json.dumps({"type": "auth", "access_token": token}))
    if _message(await connection.recv()).get("type") != "auth_ok":
        raise BindingError(
            "Home Assistant does not accept the token.",
            remedy="Make a long-lived access token in your profile there, and put it into the file.",
            reason="unauthorized",
        )


def _message(text: str | bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise BindingError("This is no Home Assistant.", reason="bad_answer") from error
    return found if isinstance(found, dict) else {}


def _unreachable(error: Exception) -> BindingError:
    return BindingError(
        f"Home Assistant cannot be reached ({type(error).__name__}).",
        remedy="Is it running, and is the address right?",
        reason="unavailable",
    )


def _refused(error: Any) -> BindingError:
    said = error if isinstance(error, dict) else {}
    code, message = str(said.get("code") or ""), str(said.get("message") or "it failed")
    plain = "".join(one if one.isprintable() else " " for one in message)[:200].rstrip(".")
    return BindingError(f"Home Assistant says: {plain}.", reason=_REASONS.get(code, "device_failed"))
