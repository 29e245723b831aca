"""Follows a Home Assistant: its events become state, its registries things, and calls become services.

One thread with an event loop. While the connection is lost, nothing is called, and the state is stale.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from datetime import datetime
from typing import Any

from engine.environment.binding import Call, Operation
from engine.environment.http.loop import LoopThread
from engine.environment.state import State
from engine.environment.values.schemas import validate
from engine.errors import BindingError, HearthgraphError
from engine.graph.terms import STATE, Json, NamedNode, Quad, literal, node
from engine.model.thing import Action
from engine.origins.home_assistant import entities, mapping
from engine.origins.home_assistant.access import Access
from engine.origins.home_assistant.client import Client
from engine.origins.home_assistant.homes import SCHEME, Home, addressed, convert
from engine.origins.home_assistant.snapshot import Snapshot
from engine.things.registry import Registry

_log = logging.getLogger(__name__)

STALE_SINCE = node("hg:staleSince")
DRAIN_SECONDS = 0.01
"""How long events are gathered before they are written together."""
FIRST_PAUSE, LONGEST_PAUSE, HOPELESS_PAUSE = 0.5, 5.0, 30.0
"""Seconds before a lost connection is tried again, each time twice as long; and before a refused token is."""
LOOK_AGAIN_SECONDS = 0.3
"""How long a change of the registries is let rest, as one seldom comes alone."""
READY_PAUSE = 0.25
HOPELESS = ("unauthorized", "bad_answer")
"""Reasons for which trying again soon would only annoy."""
RESTRUCTURING = (
    "area_registry_updated", "floor_registry_updated", "device_registry_updated", "entity_registry_updated",
    "service_registered", "service_removed",
)  # fmt: skip
"""Events after which things may be others than before."""


class Link:
    """Follows one Home Assistant until it is closed; a binding for the forms of its things.

    `settle` registers a home that was read, beside the one before, from the link's own thread; `now` tells the time.
    """

    def __init__(
        self,
        access: Access,
        registry: Registry,
        state: State,
        settle: Callable[[Home, Home | None], object],
        now: Callable[[], datetime],
    ) -> None:
        self._access, self._registry, self._state, self._settle, self._now = access, registry, state, settle, now
        self._loop = LoopThread("hearthgraph-home-assistant")
        self._meanings = mapping.load()
        self._client: Client | None = None
        self._home: Home | None = None
        self._records: dict[str, Mapping[str, Any]] = {}
        self._pending: dict[str, Mapping[str, Any]] = {}
        self._wake = asyncio.Event()
        self._restructured = asyncio.Event()
        self._online = threading.Event()
        self._trouble: BindingError | None = None
        self._since: datetime | None = None
        self._stood = self._busy = self._awaited = False
        self._running = self._loop.submit(self._run())

    # What others ask

    @property
    def online(self) -> bool:
        """Whether the state is up to date."""
        return self._online.is_set()

    @property
    def stale_since(self) -> datetime | None:
        """Since when nothing has been heard, None while the connection stands."""
        return None if self.online else self._since

    @property
    def trouble(self) -> BindingError | None:
        """Why there is no connection."""
        return None if self.online else self._trouble

    def excuse(self) -> str:
        """A warning for people that the state may be out of date, and since when."""
        if self._home is None and self._trouble is not None:
            return self._trouble.message
        since = f" since {self._since:%H:%M}" if self._since else ""
        return f"Home Assistant cannot be reached{since}; this is what it told last."

    def begin(self, seconds: float) -> None:
        """Waits for the first reading of the home, once and `seconds` at most."""
        awaited, self._awaited = self._awaited, True
        if not awaited:
            self.wait(seconds)

    def wait(self, seconds: float) -> bool:
        """Waits until the home has been read, `seconds` at most; whether it has been. A token that is refused is not
        waited for."""
        deadline = time.monotonic() + seconds
        while not self._online.wait(0.05) and time.monotonic() < deadline:
            if self._trouble is not None and self._trouble.reason in HOPELESS:
                break
        return self.online

    def is_of(self, thing: str) -> bool:
        """Whether a thing is one of this home's."""
        return thing.startswith(f"urn:{SCHEME}:{self._access.name}:")

    def under_way(self, affordance: str) -> bool:
        """Whether the entity of a property is on its way to another state: a blind that is opening."""
        record = self._records.get(self._entity_of(affordance) or "", {})
        return any(record.get("state") in via for via in self._meanings.towards.values())

    def start(self, call: Call) -> Future[Json]:
        """Calls a service, or gives the value of a property as it was last heard.

        The future has the service's answer; BindingError: unavailable while the connection is lost, timeout,
        unauthorized, no_such_device, no_such_command, no_such_property, unknown_state, invalid_value, device_failed;
        ValueFault for a payload that the schema does not allow.
        """
        return self._loop.submit(self._perform(call))

    def close(self) -> None:
        """Ends the connection."""
        self._loop.close(self._leave)

    # Calls

    async def _perform(self, call: Call) -> Json:
        client = self._client
        if client is None or not self.online:
            raise self._trouble or BindingError("Home Assistant cannot be reached.", reason="unavailable")
        self._drain()
        if call.operation is Operation.READ:
            return self._value(call.affordance)
        action = self._registry.actions.get(call.affordance)
        if action is None:
            raise BindingError("Home Assistant's entities are set by services alone.", reason="no_such_command")
        answer = await client.ask("call_service", **self._service(action, call.payload))
        self._drain()
        response = answer.get("response") if isinstance(answer, dict) else None
        return response if action.output is not None else None

    def notify(self, service: str, message: str) -> Future[None]:
        """Has one of Home Assistant's own services tell something. The future raises BindingError where it cannot."""
        return self._loop.submit(self._notify(service, message))

    async def _notify(self, service: str, message: str) -> None:
        if self._client is None:
            raise BindingError("Home Assistant is not there.", reason="unavailable")
        domain, _, name = service.partition(".")
        await self._client.ask("call_service", domain=domain, service=name, service_data={"message": message})

    def _value(self, iri: str) -> Json:
        if iri not in self._registry.properties:
            raise BindingError(f"There is no property <{iri}>.", reason="no_such_property")
        if iri not in self._state:
            raise BindingError("Its value is not known.", reason="unknown_state")
        return self._state[iri]

    def _service(self, action: Action, payload: Json) -> dict[str, Any]:
        """The command that calls a service for one entity, which must be one that may be known, and there."""
        validate(payload, action.input, action.name)
        entity, name = addressed(action.forms[0].target) or ("", "") if action.forms else ("", "")
        if entity not in self._records:
            raise BindingError(f"Home Assistant has no {entity} any more.", reason="no_such_device")
        own, _, plain = name.rpartition(".")
        called = {"domain": own or entity.partition(".")[0], "service": plain, "target": {"entity_id": entity}}
        data = {"service_data": payload} if payload else {}
        return {**called, **data, **({"return_response": True} if action.output is not None else {})}

    def _entity_of(self, affordance: str) -> str | None:
        prop = self._registry.properties.get(affordance)
        place = addressed(prop.forms[0].target) if prop is not None and prop.forms else None
        return None if place is None else place[0]

    # Following

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while True:
            self._stood = False
            try:
                await self._follow()
            except HearthgraphError as error:
                self._fail(error)
            except Exception as error:  # noqa: BLE001 - it is tried again
                _log.exception("Home Assistant cannot be followed")
                self._fail(error)
            pause = FIRST_PAUSE if self._stood else min(2 * pause, LONGEST_PAUSE)
            hopeless = self._trouble is not None and self._trouble.reason in HOPELESS
            await asyncio.sleep(HOPELESS_PAUSE if hopeless else pause)

    def _fail(self, error: Exception) -> None:
        binding = error if isinstance(error, BindingError) else BindingError(str(error), reason="unavailable")
        if self._trouble is None or self._trouble.message != binding.message:
            _log.warning("%s", binding)
        self._trouble = binding

    async def _follow(self) -> None:
        """Connects, reads all, and takes in events until the connection is lost."""
        self._pending.clear()
        client = await Client.connect(self._access.url, self._access.token, self._access.seconds, self._hear)
        try:
            for kind in ("state_changed", *RESTRUCTURING):
                with suppress(BindingError):
                    await client.ask("subscribe_events", event_type=kind)
            await self._ready(client)
            await self._take_in(client)
            self._client, self._trouble, self._stood = client, None, True
            self._mark(None)
            self._online.set()
            await self._listen(client)
        finally:
            self._offline()
            await client.close()
        raise BindingError("The connection to Home Assistant was lost.", reason="unavailable")

    def _offline(self) -> None:
        self._client = None
        if self._online.is_set() or self._since is None:
            self._since = self._now()
            self._mark(self._since)
        self._online.clear()

    def _mark(self, since: datetime | None) -> None:
        """Says in the graph since when the home's state is stale, or that it is not."""
        home, store = NamedNode(f"urn:{SCHEME}:{self._access.name}"), self._state.store
        said = [quad for quad in store.graph(STATE) if quad.subject == home and quad.predicate == STALE_SINCE]
        new = [] if since is None else [Quad(home, STALE_SINCE, literal(since), STATE)]
        store.write(delete=said, insert=new)

    async def _ready(self, client: Client) -> None:
        """Waits until Home Assistant has started: before, entities may be missing that will be there."""
        while True:
            config = await client.ask("get_config")
            if not isinstance(config, dict) or config.get("state", "RUNNING") == "RUNNING":
                return
            self._fail(BindingError("Home Assistant is still starting.", reason="unavailable"))
            await asyncio.sleep(READY_PAUSE)

    async def _take_in(self, client: Client) -> None:
        """Reads all anew. Events from before the states came are older than they are, and dropped."""
        self._restructured.clear()
        snapshot = await client.snapshot()
        self._pending.clear()
        self._busy = True
        try:
            await asyncio.to_thread(self._register, snapshot)
        finally:
            self._busy = False
        self._drain()

    def _register(self, snapshot: Snapshot) -> None:
        """The home as it is now; where nothing but values has changed, only they are written."""
        home = convert(snapshot, self._registry.vocabulary, self._access.exposure, self._access.name)
        known = self._home
        if known is not None and known.things == home.things and known.quads == home.quads:
            self._state.write(home.state)
        else:
            self._settle(home, known)
        self._home = home
        self._records = {name: record for name, record in snapshot.state_of.items() if name in home.readings}

    async def _listen(self, client: Client) -> None:
        lost = asyncio.create_task(client.lost())
        tasks = (lost, asyncio.create_task(self._write()), asyncio.create_task(self._keep_up(client)))
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_up(self, client: Client) -> None:
        while True:
            await self._restructured.wait()
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
            await self._take_in(client)

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(DRAIN_SECONDS)
            self._drain()

    def _hear(self, event: dict[str, Any]) -> None:
        data = event.get("data")
        if event.get("event_type") != "state_changed" or not isinstance(data, dict):
            self._restructured.set()
            return
        name, new = str(data.get("entity_id")), data.get("new_state")
        known = self._home.readings if self._home else {}
        if new is None or data.get("old_state") is None:
            self._restructured.set()  # an entity that came or went
        if isinstance(new, dict) and name in known:
            self._pending[name] = new
            self._wake.set()

    def _drain(self) -> None:
        """Writes gathered events, in one update; where a value is refused, the others are written one by one."""
        self._wake.clear()
        if not self._pending or self._busy or self._home is None:
            return
        heard, self._pending = self._pending, {}
        self._records.update(heard)
        batch = {
            iri: value
            for name, record in heard.items()
            for iri, value in entities.values(self._home.readings.get(name, ()), record).items()
        }
        if not self._written(batch):
            for iri, value in batch.items():
                self._written({iri: value})

    def _written(self, batch: Mapping[str, Json]) -> bool:
        try:
            self._state.write(batch)
        except HearthgraphError as error:
            _log.info("what Home Assistant told is left out: %s", error)
            return False
        return True

    async def _leave(self) -> None:
        if self._client is not None:
            await self._client.close()


def read_now(access: Access) -> Snapshot:
    """The snapshot of a Home Assistant, over a connection of its own. Raises BindingError, InputError."""
    return asyncio.run(_read(access))


async def _read(access: Access) -> Snapshot:
    client = await Client.connect(access.url, access.token, access.seconds)
    try:
        return await client.snapshot()
    finally:
        await client.close()
