"""The hands over HTTP: calls become requests through forms, answers become values and, read back, state."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress

from engine.environment.binding import Call, Operation
from engine.environment.effects import assign
from engine.environment.http import content, forms
from engine.environment.http.addresses import Hosts
from engine.environment.http.credentials import Credentials
from engine.environment.http.exchange import Exchange, Limits
from engine.environment.http.forms import Site
from engine.environment.http.loop import LoopThread
from engine.environment.http.observe import Observation, Watch, Watched
from engine.environment.http.requests import HttpRequest
from engine.environment.http.sites import Sites
from engine.environment.state import State
from engine.errors import BindingError, HearthgraphError
from engine.graph.terms import Json
from engine.model.thing import Action, Event, Property
from engine.things.registry import Registry

_log = logging.getLogger(__name__)

LOOK_SECONDS = 3.0
"""How long reading many properties may take, in seconds: after an action, which is done whatever comes of it, too."""


class HttpBinding:
    """Devices behind HTTP. Their answers are written into the state. To be closed.

    `hosts` are those it may call, `credentials` its secrets for them, `limits` those of time and size.
    """

    def __init__(
        self,
        registry: Registry,
        state: State,
        hosts: Hosts | None = None,
        credentials: Credentials | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._registry = registry
        self._state = state
        self._hosts = hosts or Hosts()
        self._credentials = credentials or Credentials()
        self._limits = limits or Limits()
        self._sites = Sites(registry)
        self._loop = LoopThread("hearthgraph-http")
        self._made: Exchange | None = None

    def start(self, call: Call) -> Future[Json]:
        """Sends a call. After a write or an action the properties that it may have changed are read, and the future is
        done when the state shows them.

        The future has the value that was read or the output of the action; else ValueFault for a payload that the
        schema does not allow, or BindingError: no_usable_form, host_not_allowed, unauthorized, unavailable, timeout,
        bad_answer, device_failed, missing_value, no_such_command, no_such_property.
        """
        return self._loop.submit(self._perform(call))

    def refresh(self, properties: Iterable[str] | None = None, seconds: float = LOOK_SECONDS) -> Future[None]:
        """Reads properties (by IRI; else all) that can be read into the state; answers later than so many seconds are
        not waited for."""
        chosen = self._registry.properties if properties is None else properties
        return self._loop.submit(self._look(dict.fromkeys(chosen), seconds))

    def observe(self, affordances: Iterable[str] | None = None, *, poll_seconds: float = 30.0) -> Observation:
        """Follows properties and events (by IRI; else all that have a form for it), until it is closed: properties into
        the state, events into `state.events`.

        Notifications by the device (server-sent events, long polling) are preferred; else its properties are polled
        every `poll_seconds`.
        """
        chosen = [*self._registry.properties, *self._registry.events] if affordances is None else affordances
        watched = [found for iri in chosen if (found := self._watched(iri)) is not None]
        return Observation(self._loop, self._exchange, self._state, watched, poll_seconds)

    def close(self) -> None:
        """Cancels calls under way and closes all connections."""
        self._loop.close(self._made.close if self._made is not None else None)

    def _exchange(self) -> Exchange:
        """The client; made on the loop, at the first call."""
        if self._made is None:
            self._made = Exchange(self._hosts, self._limits)
        return self._made

    async def _perform(self, call: Call) -> Json:
        site = self._sites.of(call.affordance)
        if call.operation is Operation.READ:
            return await self._read(site, call.target)
        if call.operation is Operation.WRITE:
            return await self._write(site, call)
        return await self._invoke(site, call)

    async def _read(self, site: Site, target: str = "") -> Json:
        prop = _property(site)
        form = forms.choose(site, forms.READ, self._hosts, self._credentials, target=target)
        request = forms.request(site, form, forms.READ, None, self._credentials)
        answer = await self._exchange().send(request)
        if not answer.body and prop.schema.type != "string":
            raise BindingError(f'The device answered nothing for "{prop.name}".', reason="bad_answer")
        with request.secrets.kept():
            value = content.read(answer.body, answer.content_type, form.content_type, prop.schema, prop.name)
        self._state.write({prop.iri: value})
        return value

    async def _write(self, site: Site, call: Call) -> Json:
        prop = _property(site)
        if prop.schema.read_only:
            raise BindingError(f'"{prop.name}" can only be read.', reason="no_such_command")
        await self._send(site, call, forms.WRITE)
        await self._look({prop.iri: call.payload})
        return None

    async def _invoke(self, site: Site, call: Call) -> Json:
        action = site.affordance
        if not isinstance(action, Action):
            raise BindingError(f'"{action.name}" is no action.', reason="no_such_command")
        foreseen = self._foreseen(action, call.payload, site)
        output = await self._send(site, call, forms.INVOKE)
        await self._look(foreseen)
        return output

    async def _send(self, site: Site, call: Call, operation: str) -> Json:
        """Sends a payload. Gives the output of an action; raises BindingError also where a success says otherwise."""
        form = forms.choose(site, operation, self._hosts, self._credentials, target=call.target)
        request = forms.request(site, form, operation, call.payload, self._credentials)
        answer = await self._exchange().send(request)
        schema = site.affordance.output if isinstance(site.affordance, Action) else None
        if not answer.body:
            return None
        with request.secrets.kept():
            if schema is not None:
                return content.read(answer.body, answer.content_type, form.content_type, schema, site.affordance.name)
            if (failure := content.failure_within(answer.body)) is not None:
                raise BindingError(f"The device reported a failure{failure}.")
        return None

    def _foreseen(self, action: Action, payload: Json, site: Site) -> Mapping[str, Json]:
        """The values after an action by its effects; without effects, the properties of the same part, of unknown
        value."""
        try:
            after = assign(action, payload, site.thing, self._state, self._registry.vocabulary)
        except HearthgraphError:
            after = {}
        return after or {prop.iri: None for prop in site.thing.of_part(action.part)}

    async def _look(self, foreseen: Mapping[str, Json], seconds: float = LOOK_SECONDS) -> None:
        """Reads properties into the state. One that cannot be read has the value that was foreseen, if any was."""
        readable = [iri for iri in foreseen if self._readable(iri)]
        hidden = {iri: value for iri, value in foreseen.items() if value is not None and iri not in readable}
        with suppress(HearthgraphError):  # a value that the property does not take: then it is not known
            self._state.write(hidden)
        try:
            async with asyncio.timeout(seconds):
                left = await self._look_together(readable)
                reads = (self._read(self._sites.of(iri)) for iri in left)
                results = await asyncio.gather(*reads, return_exceptions=True)
        except TimeoutError:
            _log.info("reading back took too long: %s", ", ".join(readable))
            return
        for iri, result in zip(left, results, strict=True):
            if isinstance(result, Exception):
                _log.info("%s could not be read back: %s", iri, result)

    async def _look_together(self, readable: Iterable[str]) -> list[str]:
        """Reads the properties of a thing by one call, where it has a form for that. Gives those still to be read."""
        things: dict[str, list[Site]] = {}
        for iri in readable:
            site = self._sites.of(iri)
            things.setdefault(site.thing.iri, []).append(site)
        left = await asyncio.gather(*(self._read_all(sites) for sites in things.values()))
        return [iri for iris in left for iri in iris]

    async def _read_all(self, sites: list[Site]) -> list[str]:
        """Reads properties of one thing by one request; returns those that it does not give, to be read one by one."""
        wanted = [_property(site) for site in sites]
        together = self._sites.all_of(sites[0].thing) if len(sites) > 1 else None
        if together is None:
            return [prop.iri for prop in wanted]
        try:
            form = forms.choose(together, forms.READ_ALL, self._hosts, self._credentials)
            request = forms.request(together, form, forms.READ_ALL, None, self._credentials)
            answer = await self._exchange().send(request)
            with request.secrets.kept():
                found = content.members(answer.body, answer.content_type, wanted)
            self._state.write(found)
        except HearthgraphError as error:
            _log.info("the properties of %s are read one by one: %s", sites[0].thing.iri, error)
            found = {}
        return [prop.iri for prop in wanted if prop.iri not in found]

    def _readable(self, iri: str) -> bool:
        try:
            site = self._sites.of(iri)
            forms.choose(site, forms.READ, self._hosts, self._credentials)
        except BindingError:
            return False
        return not _property(site).schema.write_only

    def _watched(self, iri: str) -> Watched | None:
        """How a property or an event is to be followed, or None where it cannot be."""
        site = self._sites.of(iri)
        told = forms.SUBSCRIBE if isinstance(site.affordance, Event) else forms.OBSERVE
        for way in (Watch.EVENTS, Watch.LONG_POLL, Watch.POLL):
            operation = forms.READ if way is Watch.POLL else told
            try:
                form = forms.choose(site, operation, self._hosts, self._credentials, subprotocol=way.value)
                request = forms.request(site, form, operation, None, self._credentials)
            except BindingError:
                continue
            first = None if way is Watch.POLL or told == forms.SUBSCRIBE else self._present(site)
            assert not isinstance(site.affordance, Action)
            return Watched(site.affordance, way, request, form.content_type, first)
        return None

    def _present(self, site: Site) -> HttpRequest | None:
        """The request for the present value, before the first notification; None where the property cannot be read."""
        try:
            form = forms.choose(site, forms.READ, self._hosts, self._credentials)
            return forms.request(site, form, forms.READ, None, self._credentials)
        except BindingError:
            return None


def _property(site: Site) -> Property:
    if not isinstance(site.affordance, Property):
        raise BindingError(f'"{site.affordance.name}" is no property.', reason="no_such_property")
    return site.affordance
