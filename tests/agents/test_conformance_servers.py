"""What the conformance kits are run against does run: the server of MCP's suite and the agent of A2A's."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from werkzeug.serving import make_server

from engine.graph.embedded import EmbeddedStore
from engine.origins.mcp import wire
from tests.agents import mcp_everything, tck_agent
from tests.agents.running import free_port

pytest.importorskip("mcp", reason="the extra agents is not installed")
ACCEPT = {"Accept": "application/json, text/event-stream"}
BEGIN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "kit", "version": "1"}},
}


@pytest.fixture
def suite() -> Iterator[str]:
    app, bridge = mcp_everything.make()
    yield from _served(app)
    bridge.close()


@pytest.fixture
def agent() -> Iterator[str]:
    port = free_port()
    with EmbeddedStore.open(None) as store:
        yield from _served(tck_agent.make(f"http://127.0.0.1:{port}", store), port)


def _served(app: Any, port: int = 0) -> Iterator[str]:
    server = make_server("127.0.0.1", port, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_server_of_the_suite_answers_over_the_bridge(suite: str) -> None:
    answer = httpx.post(f"{suite}/mcp", json=BEGIN, headers=ACCEPT, timeout=60)
    assert answer.status_code == 200, answer.text
    (said,) = wire.messages(answer.content, answer.headers["content-type"])
    assert said["result"]["serverInfo"]["name"] == "everything"


def test_the_agent_of_the_kit_answers_by_script(agent: str) -> None:
    message = {"messageId": "tck-message-response-1", "role": "ROLE_USER", "parts": [{"text": "hello"}]}
    sent = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    answer = httpx.post(agent, json=sent, headers={"A2A-Version": "1.0"}, timeout=60)
    assert answer.json()["result"]["message"]["parts"] == [{"text": "Direct message response"}]
