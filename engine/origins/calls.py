"""The binding for registered artifacts: a call of an affordance becomes a call of a tool, a message or a read."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from engine.environment.asked import InputRequired
from engine.environment.binding import Call, Operation
from engine.environment.http.oauth.admitted import PersonNeeded
from engine.environment.state import State
from engine.environment.values.schemas import validate
from engine.errors import BindingError, HearthgraphError
from engine.graph.terms import Json
from engine.model.exposure import RESOURCE, Artifact, Offer
from engine.model.json_schemas import completed
from engine.origins.a2a import calling as a2a
from engine.origins.artifacts import Artifacts, reach_of
from engine.origins.mcp import calling as mcp
from engine.origins.utcp import manual as utcp
from engine.things.registry import Registry

_log = logging.getLogger(__name__)
PATIENCE = 600.0
"""Seconds for which a call is kept waiting for a person."""
MOST = 100
"""How many questions may wait."""
MOST_READ = 20
"""How many resources of an artifact are read into the state."""
LONGEST_KEPT = 4000
"""Characters of a resource that are kept as state: what is longer is a document, and is told to who reads it."""
LOOK_SECONDS = 5.0
"""Seconds that looking at all of them may take."""


@dataclass(slots=True)
class _Talk:
    """A call that goes on while the other side asks: its questions, and the answers to them."""

    questions: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue(1))
    answers: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue(1))
    work: asyncio.Task[Json] | None = None

    async def ask(self, question: str) -> str | None:
        """Asks whoever called; None where nobody answers in time."""
        await self.questions.put(question)
        try:
            async with asyncio.timeout(PATIENCE):
                return await self.answers.get()
        except TimeoutError:
            return None

    async def outcome(self) -> Json:
        """The result of the call. Raises InputRequired where it asks first."""
        assert self.work is not None
        asking = asyncio.create_task(self.questions.get())
        await asyncio.wait((self.work, asking), return_when=asyncio.FIRST_COMPLETED)
        if self.work.done():
            asking.cancel()
            return self.work.result()
        raise InputRequired(asking.result(), {"talk": self})


class ArtifactBinding:
    """A binding for affordances of artifacts. `asked` has the open questions of the other side, by affordance."""

    def __init__(self, artifacts: Artifacts, registry: Registry, state: State) -> None:
        self._artifacts, self._registry, self._state = artifacts, registry, state
        self._lock = threading.Lock()
        self.asked: dict[str, tuple[Json, Mapping[str, Any]]] = {}

    def start(self, call: Call) -> Future[Json]:
        """As `Binding.start`; BindingError besides: changed, input_required, where the other side asks back."""
        found = self._artifacts.offer(call.affordance)
        if found is None:
            return _refused("What offered that is not registered any more.")
        future: Future[Json] = self._artifacts.submit(self._perform(call, *found))
        return future

    def asks(self, affordance: str) -> bool:
        """Whether the other side waits for an answer about an affordance."""
        return affordance in self.asked

    def answer(self, affordance: str, text: str) -> Future[Json]:
        """Continues a call that asked for input, now that there is an answer."""
        with self._lock:
            waiting = self.asked.pop(affordance, None)
        found = self._artifacts.offer(affordance)
        if found is None or waiting is None:
            return _refused("Nothing was asked there.")
        future: Future[Json] = self._artifacts.submit(self._go_on(affordance, *found, *waiting, text))
        return future

    def refresh(self, seconds: float = LOOK_SECONDS) -> Future[None]:
        """Reads what the resources of others tell into the state, so that it can be asked for; what is not there in so
        many seconds is not waited for. Those of things are read as devices are."""
        future: Future[None] = self._artifacts.submit(self._look(seconds))
        return future

    async def _look(self, seconds: float) -> None:
        reads = [
            asyncio.create_task(self._perform(Call(Operation.READ, offer.exposed.affordance), one.artifact, offer))
            for one in self._artifacts.all.values()
            if one.artifact.kind != "wot"
            for offer in [offer for offer in one.artifact.offers if offer.sort == RESOURCE][:MOST_READ]
        ]
        if not reads:
            return
        done, late = await asyncio.wait(reads, timeout=seconds)
        for one in late:
            one.cancel()
        for one in done:
            if isinstance(fault := one.exception(), HearthgraphError):
                _log.info("a resource cannot be read at present: %s", fault)
            elif fault is not None:
                raise fault

    async def _perform(self, call: Call, artifact: Artifact, offer: Offer) -> Json:
        if call.operation is Operation.WRITE:
            raise BindingError(f'"{offer.title}" can only be read.', reason="no_such_command")
        payload = call.payload
        action = self._registry.actions.get(call.affordance)
        if action is not None:
            payload = completed(offer.input, payload)
            validate(payload, action.input, action.name)
        value = await self._told(call.affordance, payload, self._talked(artifact, offer, payload, None))
        if offer.sort == RESOURCE and len(str(value)) <= LONGEST_KEPT:
            with suppress(HearthgraphError):  # what is no value of the property is told, and not kept
                self._state.write({call.affordance: value})
        return value

    async def _go_on(
        self, affordance: str, artifact: Artifact, offer: Offer, payload: Json, state: Mapping[str, Any], text: str
    ) -> Json:
        talk = state.get("talk")
        if isinstance(talk, _Talk):
            await talk.answers.put(text)
            return await self._told(affordance, payload, talk)
        answered = mcp.answered if artifact.kind == "mcp" else a2a.answered
        try:
            said = answered(state, text)
        except InputRequired as again:
            self._wait(affordance, payload, again.state)
            raise
        return await self._told(affordance, payload, self._talked(artifact, offer, payload, said))

    async def _told(self, affordance: str, payload: Json, talk: _Talk) -> Json:
        """The result of a call; where it asks, the question is kept until it is answered."""
        try:
            return await talk.outcome()
        except InputRequired as asked:
            self._wait(affordance, payload, asked.state)
            raise
        except asyncio.CancelledError:
            if talk.work is not None:
                talk.work.cancel()
            raise

    def _wait(self, affordance: str, payload: Json, state: Mapping[str, Any]) -> None:
        with self._lock:
            self.asked.pop(affordance, None)
            self.asked[affordance] = (payload, state)
            for old in list(self.asked)[:-MOST]:
                del self.asked[old]

    def _talked(self, artifact: Artifact, offer: Offer, payload: Json, answer: Mapping[str, Any] | None) -> _Talk:
        talk = _Talk()
        talk.work = asyncio.create_task(self._use(artifact, offer, payload, answer, talk))
        return talk

    async def _use(
        self, artifact: Artifact, offer: Offer, payload: Json, answer: Mapping[str, Any] | None, talk: _Talk
    ) -> Json:
        reach = reach_of(artifact.endpoint)
        if artifact.kind == "utcp":
            exchange = self._artifacts.exchange
            return await utcp.use(exchange, artifact, offer, payload, self._artifacts.credentials, reach)
        address = str(artifact.facts.get("url") or artifact.endpoint)
        secrets = self._artifacts.secrets_at(address, reach)
        way = self._artifacts.way(address, artifact.endpoint)
        try:
            if artifact.kind == "mcp":
                return await mcp.use(way, artifact, offer, payload, secrets, reach, answer, talk.ask)
            return await a2a.use(way, artifact, offer, payload, secrets, reach, answer)
        except PersonNeeded as error:  # where to consent is for who runs the home, and not for whoever calls
            remedy = "Ask who runs the home to register it again."
            raise BindingError(error.message, remedy=remedy, reason=error.reason) from None


def _refused(message: str) -> Future[Json]:
    future: Future[Json] = Future()
    future.set_exception(BindingError(message, reason="no_such_command"))
    return future
