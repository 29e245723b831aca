"""Applications of other people's kits, served for a while on a free port of this machine."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import SystemRandom
from typing import Any


def free_port() -> int:
    """A port that nobody listens on, and that no connection is given before somebody does: those begin at 32768."""
    for port in SystemRandom().sample(range(20_000, 32_000), 100):
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


@contextmanager
def running(app: Any, port: int | None = None) -> Iterator[str]:
    """An ASGI application, served; its address."""
    import uvicorn

    port = port or free_port()
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", lifespan="on", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 90
    while not server.started and time.monotonic() < until:
        time.sleep(0.02)
    assert server.started, "it did not start"
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
