"""The hands for what was registered: a call of an affordance becomes a call of a tool, a message or a read."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from engine.environment.asked import InputRequired
from engine.environment.binding import Call, Operation
from engine.environment.schemas import validate
from engine.environment.state import State
from engine.errors import BindingError, HearthgraphError
from engine.graph.terms import Json
from engine.model.exposure import RESOURCE, Artifact, Offer
from engine.model.json_schemas import completed
from engine.origins.a2a import calling as a2a
from engine.origins.artifacts import Artifacts, reach_of
from engine.origins.mcp import calling as mcp
from engine.origins.utcp import manual as utcp
from engine.things.registry import Registry


class ArtifactBinding:
    """A binding for affordances of artifacts. `asked` has what the other side wants to know, by affordance."""

    def __init__(self, artifacts: Artifacts, registry: Registry, state: State) -> None:
        self._artifacts, self._registry, self._state = artifacts, registry, state
        self._lock = threading.Lock()
        self.asked: dict[str, tuple[Json, Mapping[str, Any]]] = {}

    def start(self, call: Call) -> Future[Json]:
        """As `Binding.start`; BindingError besides: changed, input_required, where the other side asks back."""
        found = self._artifacts.offer(call.affordance)
        if found is None:
            return _refused("What offered that is not registered any more.")
        future: Future[Json] = self._artifacts.submit(self._perform(call, *found, None))
        return future

    def answer(self, affordance: str, text: str) -> Future[Json]:
        """Goes on with what was asked about an affordance, now that there is an answer."""
        with self._lock:
            waiting = self.asked.pop(affordance, None)
        found = self._artifacts.offer(affordance)
        if found is None or waiting is None:
            return _refused("Nothing was asked there.")
        payload, state = waiting
        said = mcp.answered(state, text) if found[0].kind == "mcp" else a2a.answered(state, text)
        call = Call(Operation.INVOKE, affordance, payload)
        future: Future[Json] = self._artifacts.submit(self._perform(call, *found, said))
        return future

    async def _perform(self, call: Call, artifact: Artifact, offer: Offer, answer: Mapping[str, Any] | None) -> Json:
        if call.operation is Operation.WRITE:
            raise BindingError(f'"{offer.title}" can only be read.', reason="no_such_command")
        payload = call.payload
        action = self._registry.actions.get(call.affordance)
        if action is not None:
            payload = completed(offer.input, payload)
            validate(payload, action.input, action.name)
        try:
            value = await self._use(artifact, offer, payload, answer)
        except InputRequired as asked:
            with self._lock:
                self.asked[call.affordance] = (payload, asked.state)
            raise
        if offer.sort == RESOURCE:
            with suppress(HearthgraphError):  # what is no value of the property is told, and not kept
                self._state.write({call.affordance: value})
        return value

    async def _use(self, artifact: Artifact, offer: Offer, payload: Json, answer: Mapping[str, Any] | None) -> Json:
        exchange, reach = self._artifacts.exchange, reach_of(artifact.endpoint)
        if artifact.kind == "utcp":
            return await utcp.use(exchange, artifact, offer, payload, self._artifacts.credentials, reach)
        address = str(artifact.facts.get("url") or artifact.endpoint)
        secrets = self._artifacts.secrets(address) if reach_of(address) == reach else None
        use = mcp.use if artifact.kind == "mcp" else a2a.use
        return await use(exchange, artifact, offer, payload, secrets, reach, answer)


def _refused(message: str) -> Future[Json]:
    future: Future[Json] = Future()
    future.set_exception(BindingError(message, reason="no_such_command"))
    return future
