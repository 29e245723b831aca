"""The whole store over HTTP: as `hearthgraph dump` and `hearthgraph restore` have it."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Blueprint, Response, request
from werkzeug.wsgi import FileWrapper

from server.guard import writing
from server.keys import DUMPS
from server.protocol.formats import NoSuchFormat
from server.service import service

blueprint = Blueprint("dumps", __name__)
N_QUADS = "application/n-quads"
PART = 1 << 20
"""Bytes of a dump that are in memory at a time."""


@blueprint.get("/dump")
@writing
def dump() -> Response:
    """All that the store holds."""
    folder = _folder()
    path = Path(folder.name) / "dump.nq"
    try:
        service().store.dump(path)
        file = path.open("rb")
    except BaseException:
        folder.cleanup()
        raise
    response = Response(FileWrapper(file, PART), content_type=N_QUADS)
    response.content_length = path.stat().st_size
    response.call_on_close(file.close)
    response.call_on_close(folder.cleanup)
    return response


@blueprint.put("/dump")
@writing
def restore() -> tuple[Response, int]:
    """Replaces all that the store holds; a dump that is not whole changes nothing. It may be larger than others."""
    if request.mimetype != N_QUADS:
        raise NoSuchFormat(f"A dump is {N_QUADS}.", remedy="Send what GET /dump gave.")
    served = service()
    request.max_content_length = max(served.settings.body_bytes, served.settings.dump_bytes)
    with _folder() as folder:
        path = Path(folder) / "dump.nq"
        with path.open("wb") as file:
            shutil.copyfileobj(request.stream, file, PART)
        served.home.restore(path)
    served.copies.expire()
    return Response(), 204


def _folder() -> TemporaryDirectory[str]:
    """A place for a home as a whole: beside the store, where there is room for one, and not in memory."""
    place = service().keys.folder / DUMPS
    place.mkdir(exist_ok=True)
    return TemporaryDirectory(dir=place)
