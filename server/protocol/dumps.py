"""The whole store over HTTP: as `hearthgraph dump` and `hearthgraph restore` have it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Blueprint, Response, request

from server.guard import writing
from server.protocol.formats import NoSuchFormat
from server.service import service

blueprint = Blueprint("dumps", __name__)
N_QUADS = "application/n-quads"


@blueprint.get("/dump")
@writing
def dump() -> Response:
    """All that the store holds."""
    with TemporaryDirectory(prefix="hearthgraph-") as folder:
        path = Path(folder) / "dump.nq"
        service().store.dump(path)
        return Response(path.read_bytes(), content_type=N_QUADS)


@blueprint.put("/dump")
@writing
def restore() -> tuple[Response, int]:
    """Replaces all that the store holds; a dump that is not whole changes nothing."""
    if request.mimetype != N_QUADS:
        raise NoSuchFormat(f"A dump is {N_QUADS}.", remedy="Send what GET /dump gave.")
    with TemporaryDirectory(prefix="hearthgraph-") as folder:
        path = Path(folder) / "dump.nq"
        path.write_bytes(request.get_data())
        service().home.restore(path)
    service().copies.expire()
    return Response(), 204
