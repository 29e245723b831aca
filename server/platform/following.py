"""Server-sent events of properties and events, for browsers and whoever has no callback.

https://www.w3.org/TR/wot-thing-description11/#form ("subprotocol": "sse")
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from flask import Response

from engine.environment.changes import Resynchronise
from engine.environment.state import State
from engine.model.thing import Event
from server import negotiation
from server.negotiation import NotAcceptable
from server.service import service
from server.streams import BEAT, HEARTBEAT, event, stream

EVENTS = "text/event-stream"


def wanted(otherwise: str) -> bool:
    """Whether the client asks for a stream rather than for one answer."""
    return negotiation.wanted([otherwise, EVENTS]) == EVENTS


def required() -> None:
    """Raises NotAcceptable where the client takes no stream."""
    if negotiation.wanted([EVENTS]) is None:
        raise NotAcceptable("This is a stream of events.", remedy=f"Accept {EVENTS}.")


def properties(names: Mapping[str, str], *, unnamed: bool = False) -> Response:
    """The values of properties, by IRI: as they are, and then each change, as events of those names, and as `unnamed`
    ones, too, where clients that listen to no name (node-wot) want them. Raises TooMany."""
    return stream(_values(service().home.state, names, unnamed))


def _values(state: State, names: Mapping[str, str], unnamed: bool) -> Iterator[str]:
    while not state.hub.closed:
        with state.hub.subscribe() as news:
            for iri, name in names.items():
                if iri in state:
                    yield _told(state[iri], name, unnamed)
            try:
                while not state.hub.closed:
                    change = news.take(BEAT)
                    if change is None:
                        yield HEARTBEAT
                    elif change.property in names:
                        yield _told(change.after, names[change.property], unnamed)
            except Resynchronise:
                continue


def _told(value: object, name: str, unnamed: bool) -> str:
    return event(_quoted(value), name) + (event(_quoted(value)) if unnamed else "")


def _quoted(value: object) -> str:
    """A value as JSON, texts in their quotes."""
    return json.dumps(value, ensure_ascii=False)


def happenings(found: Event) -> Response:
    """An event, each time that it happens. Raises TooMany."""
    return stream(_happenings(service().home.state, found))


def _happenings(state: State, found: Event) -> Iterator[str]:
    while not state.events.closed:
        with state.events.subscribe() as news:
            try:
                while not state.events.closed:
                    happened = news.take(BEAT)
                    if happened is None:
                        yield HEARTBEAT
                    elif happened.event == found.iri:
                        yield event(_quoted(happened.data), found.name)
            except Resynchronise:
                continue
