"""The process that answers strangers' queries from a copy of the store, one at a time, until it is killed. It has no
network, unless it is there to call out.

A job is a JSON object on the pipe; the answer is a JSON object, a line feed, and the result where there is one.
"""

from __future__ import annotations

import io
import json
import math
import resource
import signal
import sys
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, NoReturn

from pyoxigraph import (
    BlankNode,
    DefaultGraph,
    NamedNode,
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Store,
)

from engine.errors import QueryError
from engine.graph.algebra import refuse_services
from engine.graph.queries import names_dataset
from server.strangers import trial
from server.strangers.sealing import seal

if TYPE_CHECKING:
    from typing_extensions import Buffer

MEGABYTE = 1 << 20


class _TooMuch(Exception):
    """The result has more bytes than it may."""


class _Bounded(io.BytesIO):
    """A file in memory that takes no more than so many bytes."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._left = most

    def write(self, piece: Buffer) -> int:
        """Takes a piece. Raises _TooMuch."""
        taken = super().write(piece)
        self._left -= taken
        if self._left < 0:
            raise _TooMuch
        return taken


class _Reader:
    """The copies that are open at the moment: the present one, and that which is about to take its place."""

    def __init__(self) -> None:
        self._stores: dict[str, Store] = {}

    def open(self, path: str) -> Store:
        """The copy at `path`, opened once."""
        if path not in self._stores:
            while len(self._stores) > 1:
                del self._stores[next(iter(self._stores))]
            self._stores[path] = Store.read_only(path)
        return self._stores[path]


def answer(store: Store, job: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The result of a job: `status` as in HTTP, and either `type` with the result or `reason` and `message`."""
    try:
        refuse_services(job["text"], job["services"])
        return _serialised(_result(store, job), job)
    except QueryError as error:
        return _fault(400, error.reason, str(error)), b""
    except SyntaxError as error:
        return _fault(400, "bad_query", f"The query does not parse: {error.msg or error}"), b""
    except _TooMuch:
        return _fault(422, "too_much", f"The result has more than {job['bytes']} bytes. Ask for less with LIMIT."), b""
    except (OSError, RuntimeError, ValueError) as error:
        return _fault(400, "bad_query", f"The query cannot be answered: {error}"), b""


def _result(store: Store, job: dict[str, Any]) -> QuerySolutions | QueryBoolean | QueryTriples:
    default: list[NamedNode | BlankNode | DefaultGraph] = [NamedNode(iri) for iri in job["default"]]
    named: list[NamedNode | BlankNode] = [NamedNode(iri) for iri in job["named"]]
    if default or named:
        return store.query(job["text"], default_graph=default, named_graphs=named)
    return store.query(job["text"], use_default_graph_as_union=not names_dataset(job["text"]))


def _serialised(
    found: QuerySolutions | QueryBoolean | QueryTriples, job: dict[str, Any]
) -> tuple[dict[str, Any], bytes]:
    wanted = job["graphs"] if isinstance(found, QueryTriples) else job["solutions"]
    if wanted is None:
        return _fault(406, "not_acceptable", "None of the accepted formats fits the form of this query."), b""
    out = _Bounded(job["bytes"])
    if isinstance(found, QueryTriples):
        found.serialize(out, format=RdfFormat.from_media_type(wanted))
    else:
        found.serialize(out, format=QueryResultsFormat.from_media_type(wanted))
    return {"status": 200, "type": wanted}, out.getvalue()


def _fault(status: int, reason: str, message: str) -> dict[str, Any]:
    return {"status": status, "reason": reason, "message": message}


def _restrain(megabytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE, megabytes * MEGABYTE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _allow(seconds: float) -> None:
    """The processor time that this process may still take: it ends even where nobody is left to kill it."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    most = math.ceil(spent.ru_utime + spent.ru_stime + seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (most, hard))


def attempt(job: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The changes of an update to a copy of its own, as `trial.attempt` gives them, or a fault; and the `graphs` that
    it names."""
    told: dict[str, Any] = {}
    try:
        plain, named = trial.read(job["update"])
        told["graphs"] = sorted(named)
        header, body = trial.attempt(Store(job["copy"]), plain, named)
        return told | header, body
    except QueryError as error:
        return told | _fault(400, error.reason, str(error)), b""
    except SyntaxError as error:
        return told | _fault(400, "bad_query", f"The update does not parse: {error.msg or error}"), b""
    except (OSError, RuntimeError, ValueError) as error:
        return told | _fault(400, "bad_query", f"The update cannot be carried out: {error}"), b""


def searched(job: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The result of a JSONPath: a JSON list of matches, or a fault."""
    from engine.things.directory.search import matches

    out = _Bounded(job["bytes"])
    try:
        found = matches(job["path"], json.loads(job["documents"]))
        for piece in json.JSONEncoder(ensure_ascii=False).iterencode(found):
            out.write(piece.encode())
    except QueryError as error:
        return _fault(400, error.reason, str(error)), b""
    except _TooMuch:
        return _fault(422, "too_much", f"The result has more than {job['bytes']} bytes. Ask for less."), b""
    return {"status": 200, "type": "application/json"}, out.getvalue()


def serve(connection: Connection, *, sealed: bool) -> NoReturn:
    """Carries jobs out until the other end is gone."""
    reader = _Reader()
    connection.send_bytes(json.dumps({"sealed": sealed}).encode())
    while True:
        try:
            job = json.loads(connection.recv_bytes())
        except (EOFError, OSError):
            sys.exit(0)
        _allow(job["seconds"])
        header, body = _done(reader, job)
        connection.send_bytes(b"\n".join((json.dumps(header).encode(), body)))


def _done(reader: _Reader, job: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    if "update" in job:
        return attempt(job)
    if "path" in job:
        return searched(job)
    try:
        store = reader.open(job["copy"])
    except OSError as error:
        return _fault(503, "store_failed", f"The copy of the store cannot be read: {error}"), b""
    return answer(store, job) if "text" in job else ({"status": 200}, b"")


if __name__ == "__main__":
    _restrain(int(sys.argv[2]))
    serve(Connection(int(sys.argv[1])), sealed=sys.argv[3] == "sealed" and seal())
