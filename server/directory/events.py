"""The directory's events as server-sent events.

https://www.w3.org/TR/wot-discovery/#exploration-directory-api-notification
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from engine.errors import InputError
from engine.things.directory.directory import Directory
from engine.things.directory.events import Event, Kind
from server.service import service
from server.streams import BEAT, HEARTBEAT, event, stream

blueprint = Blueprint("directory_events", __name__)

NAMES = {kind.value: kind for kind in Kind}
BOOLEANS = {"true": True, "1": True, "": True, "false": False, "0": False}
BEGIN = "retry: 2000\n\n"


@blueprint.get("/events")
@blueprint.get("/events/<name>")
def events(name: str | None = None) -> Response:
    """The events from now on, or from the one on that the client heard last; of some kinds, where it names them."""
    if name is not None and name not in NAMES:
        raise NotFound(f"There are no events {name}.")
    asked = [name] if name is not None else request.args.getlist("type")
    if not NAMES.keys() >= set(asked):
        raise InputError(f"type is one of {', '.join(NAMES)}.", remedy="Leave it out to hear of all.")
    diff = BOOLEANS.get(request.args.get("diff", "false").lower())
    if diff is None:
        raise InputError("diff is true or false.", remedy="Leave it out, or give one of them.")
    if request.method == "HEAD":
        return Response(content_type="text/event-stream; charset=utf-8")
    directory = service().directory
    cursor = directory.events.cursor(request.headers.get("Last-Event-ID"))
    return stream(_told(directory, [NAMES[one] for one in asked] or list(Kind), diff, cursor))


def _told(directory: Directory, kinds: Collection[Kind], diff: bool, cursor: int) -> Iterator[str]:
    yield BEGIN
    log = directory.events
    while not log.closed:
        found = log.after(cursor, BEAT)
        for one in found:
            if one.kind in kinds:
                yield event(_data(directory, one, diff), one.kind.value, number=log.id(one.number))
            cursor = one.number
        if not found:
            yield HEARTBEAT


def _data(directory: Directory, one: Event, diff: bool) -> dict[str, Any]:
    """The id of the thing; with `diff` the whole of a new description, or the patch of a known one."""
    if diff and one.kind is Kind.CREATED:
        try:
            return directory.retrieve(one.iri)
        except InputError:  # it has gone since
            return {"id": one.iri}
    return {**(one.patch or {}), "id": one.iri} if diff and one.kind is Kind.UPDATED else {"id": one.iri}
