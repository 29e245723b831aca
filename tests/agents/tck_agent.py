"""An agent that does what the A2A Technology Compatibility Kit expects, by the ids of messages, over our protocol.

Run: `python -m tests.agents.tck_agent PORT`, then the kit against http://127.0.0.1:PORT .
"""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

from flask import Flask, Response

from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from server.agents.a2a.face import answered, carded
from server.agents.a2a.rpc import Rpc
from server.agents.a2a.tasks import COMPLETED, INPUT, REJECTED, WORKING, Task, Tasks, spoken

RESUBSCRIBED = 4.5
FILE = {"raw": "R2VuZXJhdGVkIGZpbGU=", "filename": "output.txt", "mediaType": "text/plain"}
LINK = {"url": "https://example.com/output.txt", "filename": "output.txt", "mediaType": "text/plain"}
ARTIFACTS: dict[str, dict[str, Any]] = {
    "tck-artifact-text": {"text": "Generated text content"},
    "tck-artifact-file-url": LINK,
    "tck-artifact-file": FILE,
    "tck-artifact-data": {"data": {"key": "value", "count": 42}},
    "tck-stream-001": {"text": "Stream hello from TCK"},
    "tck-stream-003": {"text": "Stream task lifecycle"},
    "tck-stream-ordering-001": {"text": "Ordered output"},
    "tck-stream-artifact-text": {"text": "Streamed text content"},
    "tck-stream-artifact-file": FILE,
}


class Scripted:
    """Works by script."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def work(self, task: Task, message: dict[str, Any], _: str) -> dict[str, Any] | None:
        name = message["messageId"]
        if name.startswith("tck-message-response"):
            return spoken("Direct message response")
        self._tasks.update(task, WORKING)
        if name.startswith("tck-input-required"):
            self._tasks.update(task, INPUT, "What else?")
        elif name.startswith("tck-reject-task"):
            self._tasks.update(task, REJECTED, "rejected")
        else:
            self._finish(task, name)
        return None

    def _finish(self, task: Task, name: str) -> None:
        if name.startswith("test-resubscribe-message-id"):
            time.sleep(RESUBSCRIBED)
        if name.startswith("tck-stream-artifact-chunked"):
            first = self._tasks.add(task, [{"text": "chunk-1 "}], last=False)
            self._tasks.add(task, [{"text": "chunk-2"}], into=first)
        part = next((part for prefix, part in ARTIFACTS.items() if name.startswith(prefix)), None)
        if part is not None:
            self._tasks.add(task, [part])
        self._tasks.update(task, COMPLETED, "Hello from TCK")


def make(url: str, store: GraphStore) -> Flask:
    """The agent as an application."""
    app = Flask(__name__)
    tasks = Tasks(store)
    ending = threading.Event()
    rpc = Rpc(tasks, Scripted(tasks).work, lambda _: None, ending.is_set)
    app.extensions["ending"] = ending

    @app.get("/.well-known/agent-card.json")
    def card() -> Response:
        return carded(tck_card(url))

    @app.post("/")
    def rpc_root() -> Response:
        return answered(rpc, "kit", lambda events: Response(events, content_type="text/event-stream"))

    return app


def tck_card(url: str) -> dict[str, Any]:
    """What the agent says of itself."""
    return {
        "name": "Scripted",
        "description": "Does what the kit expects.",
        "version": "1.0.0",
        "supportedInterfaces": [{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
        "capabilities": {"streaming": True, "pushNotifications": False, "extendedAgentCard": False},
        "defaultInputModes": ["text/plain", "application/json"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "tck", "name": "TCK", "description": "Plays by script.", "tags": ["tck"]}],
    }


if __name__ == "__main__":
    port = int(sys.argv[1])
    with EmbeddedStore.open(None) as opened:
        make(f"http://127.0.0.1:{port}", opened).run("127.0.0.1", port, threaded=True)
