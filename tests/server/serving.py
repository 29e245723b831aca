"""A server that runs in this process, on a port of its own, and what a client of it needs to know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx

from engine.settings import Settings, load
from server.application import create_app
from server.guard import admitting, recognising
from server.listener import Listener, in_thread
from server.protocol import requests
from server.service import Service

HG = "https://w3id.org/hearthgraph#"


@dataclass(frozen=True)
class Serving:
    """A server, where it answers, and a client of it that may write and one that may not."""

    url: str
    service: Service
    client: httpx.Client
    stranger: httpx.Client

    @property
    def token(self) -> str:
        return self.service.keys.token

    def rows(self, query: str, **parameters: str) -> list[dict[str, str]]:
        """The rows of a query, as texts."""
        answer = self.stranger.get("/sparql", params={"query": query, **parameters}).raise_for_status().json()
        return [{name: term["value"] for name, term in row.items()} for row in answer["results"]["bindings"]]

    def dump(self, path: Path) -> list[str]:
        """All that the store holds, sorted."""
        self.service.store.dump(path)
        return sorted(path.read_text(encoding="utf-8").splitlines())


@contextmanager
def serving(store: Path, **more: Any) -> Iterator[Serving]:
    """Serves a store until the end of the block."""
    settings: Settings = load(**{"store": store, "port": 0, "sparql_seconds": 60.0, **more})
    service = Service.open(settings)
    app = create_app(service)
    listener = Listener.at(
        app,
        host="127.0.0.1",
        port=0,
        threads=settings.server_threads,
        body_bytes=settings.body_bytes,
        knows=recognising(app),
        admits=admitting(app),
    )
    thread = in_thread(listener)
    url = f"http://127.0.0.1:{listener.effective_port}"
    patient = {"Prefer": "wait=60"}
    allowed = patient | {"Authorization": f"Bearer {service.keys.token}"}
    with (
        # On a busy machine a plan may take longer than a call waits for its end by itself.
        patch.object(requests, "WAIT", 60.0),
        httpx.Client(base_url=url, headers=allowed, timeout=90) as client,
        httpx.Client(base_url=url, headers=patient, timeout=90) as stranger,
    ):
        try:
            yield Serving(url, service, client, stranger)
        finally:
            listener.stop()
            thread.join(timeout=5)
            service.end()
            ended = listener.finish(5)
            service.close()
            assert ended, "all calls end"
