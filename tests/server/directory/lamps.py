"""A Thing Description to hand in, and the calls by which a client of the directory does so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import httpx

from tests.server.serving import Serving

TD = "application/td+json"
MERGE_PATCH = "application/merge-patch+json"
DISCOVERY = "https://www.w3.org/2022/wot/discovery"


def lamp(iri: str | None = None, **more: Any) -> dict[str, Any]:
    """A lamp, with an id or without one; `more` are further members."""
    found: dict[str, Any] = {
        "@context": "https://www.w3.org/2022/wot/td/v1.1",
        "title": "desk lamp",
        "security": "nosec_sc",
        "securityDefinitions": {"nosec_sc": {"scheme": "nosec"}},
        "properties": {"power": {"type": "boolean", "forms": [{"href": "http://lamp.example/power"}]}},
    }
    return found | ({} if iri is None else {"id": iri}) | more


def address(iri: str) -> str:
    """Where a thing is in the directory."""
    return f"/things/{quote(iri, safe='')}"


def post(client: httpx.Client, document: Any, kind: str = TD) -> httpx.Response:
    """Hands in a description without an id."""
    return client.post("/things", content=_text(document), headers={"Content-Type": kind})


def put(client: httpx.Client, document: Any, iri: str | None = None, kind: str = TD) -> httpx.Response:
    """Hands in a description with an id."""
    return client.put(address(iri or document["id"]), content=_text(document), headers={"Content-Type": kind})


def patch(client: httpx.Client, iri: str, change: Any, kind: str = MERGE_PATCH) -> httpx.Response:
    """Changes parts of a description."""
    return client.patch(address(iri), content=_text(change), headers={"Content-Type": kind})


def _text(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@contextmanager
def following(served: Serving, path: str = "/events", last: str | None = None) -> Iterator[Iterator[dict[str, Any]]]:
    """The events of the directory as a browser reads them: `event`, `id` and `data`, the comments left out."""
    headers = {} if last is None else {"Last-Event-ID": last}
    with served.stranger.stream("GET", path, headers=headers, timeout=20) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.iter_lines()
        assert next(lines).startswith("retry:")
        yield _read(lines)


def _read(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    found: dict[str, Any] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if not line and found:
            yield found
            found = {}
        elif name in ("event", "id"):
            found[name] = value
        elif name == "data":
            found["data"] = json.loads(value)
