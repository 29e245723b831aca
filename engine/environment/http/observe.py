"""Observes properties and events of devices: by server-sent events, long polling, or polling."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from engine.environment.http import content, event_stream
from engine.environment.http.exchange import Exchange
from engine.environment.http.loop import LoopThread
from engine.environment.http.requests import HttpRequest, HttpResponse
from engine.environment.state import State
from engine.errors import BindingError, HearthgraphError
from engine.graph.terms import Json
from engine.model.thing import Event, Property

_log = logging.getLogger(__name__)

DRAIN_SECONDS = 0.02
"""How long changes are gathered before they are written together."""
LONG_SECONDS = 300.0
"""How long a device may keep a long poll waiting."""
QUIET_SECONDS = 3600.0
"""How long a stream of events may be silent before it is taken for dead and opened anew."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before a device that failed is asked again; each time twice as long."""


class Watch(Enum):
    """The ways to follow a property, as forms name them by `subprotocol`."""

    EVENTS = "sse"
    LONG_POLL = "longpoll"
    POLL = None


@dataclass(frozen=True, slots=True)
class Watched:
    """An observed property or event: the way and the request by which it is observed; `first` asks for the present
    value."""

    affordance: Property | Event
    way: Watch
    request: HttpRequest
    content_type: str
    first: HttpRequest | None = None


class Observation:
    """Follows properties and events until it is closed. Values of the wrong type are logged and left out."""

    def __init__(
        self,
        loop: LoopThread,
        exchange: Callable[[], Exchange],
        state: State,
        watched: Sequence[Watched],
        poll_seconds: float,
    ) -> None:
        self.watched = tuple(watched)
        self._exchange = exchange
        self._state = state
        self._poll_seconds = poll_seconds
        self._pending: dict[str, Json] = {}
        self._future = loop.submit(self._run())

    def close(self) -> None:
        """Stops following."""
        self._future.cancel()

    def __enter__(self) -> Observation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._drain())
            for one in self.watched:
                group.create_task(self._follow(one))

    async def _follow(self, one: Watched) -> None:
        """Follows one property for ever; a device that fails is left alone for a while that grows."""
        pause = FIRST_PAUSE
        while True:
            try:
                if one.first is not None:
                    self._note(one, _value(one, await self._exchange().send(one.first)))
                async for value in self._values(one):
                    self._note(one, value)
                    pause = FIRST_PAUSE
            except HearthgraphError as error:
                _log.info("%s cannot be followed at present: %s", one.affordance.iri, error)
            except Exception:  # noqa: BLE001 - the others are followed all the same
                _log.exception("%s cannot be followed", one.affordance.iri)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _note(self, one: Watched, value: Json) -> None:
        if isinstance(one.affordance, Event):  # each of them counts, and none takes another's place
            self._state.happened(one.affordance.iri, value)
        else:
            self._pending[one.affordance.iri] = value

    def _values(self, one: Watched) -> AsyncIterator[Json]:
        if one.way is Watch.EVENTS:
            return self._events(one)
        if one.way is Watch.LONG_POLL:
            return self._asked(one, LONG_SECONDS, 0.05)
        return self._asked(one, None, self._poll_seconds)

    async def _asked(self, one: Watched, seconds: float | None, pause: float) -> AsyncIterator[Json]:
        """The answers to one request after the other, with `pause` seconds in between."""
        while True:
            try:
                answer = await self._exchange().send(one.request, seconds)
            except BindingError as error:
                if seconds is None or error.reason != "timeout":
                    raise
                continue  # nothing has changed for so long
            if answer.body or (isinstance(one.affordance, Event) and answer.status == 200):
                yield _value(one, answer)
            await asyncio.sleep(pause)

    async def _events(self, one: Watched) -> AsyncIterator[Json]:
        exchange = self._exchange()
        async with exchange.stream(one.request) as response:
            if content.media_type(response.headers.get("content-type", "")) != event_stream.MEDIA_TYPE:
                raise BindingError("The device sends no events where it should.", reason="bad_answer")
            bounds = event_stream.Bounds(exchange.limits.most, QUIET_SECONDS)
            async for event in event_stream.events(response, bounds):  # a form is for one property: names do not matter
                if not event.data:
                    continue
                try:
                    yield _value(one, HttpResponse(200, "", event.data.encode()))
                except BindingError as error:
                    _log.info("an event of %s is left out: %s", one.affordance.iri, error)

    async def _drain(self) -> None:
        while True:
            await asyncio.sleep(DRAIN_SECONDS)
            if self._pending:
                batch, self._pending = self._pending, {}
                if not self._written(batch) and len(batch) > 1:
                    for iri, value in batch.items():
                        self._written({iri: value})

    def _written(self, batch: Mapping[str, Json]) -> bool:
        try:
            self._state.write(batch)
        except HearthgraphError as error:  # a property that is gone, for one
            _log.info("what was observed is left out: %s", error)
            return False
        return True


def _value(one: Watched, answer: HttpResponse) -> Json:
    found = one.affordance
    schema = found.schema if isinstance(found, Property) else found.data
    if schema is None and not answer.body:
        return None
    with one.request.secrets.kept():
        return content.read(answer.body, answer.content_type, one.content_type, schema, found.name)
