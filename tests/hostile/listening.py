"""A listener that nobody should ever reach."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Listener:
    """Where it listens, and what it heard."""

    port: int
    heard: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def listening() -> Iterator[Listener]:
    """Listens until the end of the block, and answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        listener = Listener(server.getsockname()[1])
        server.settimeout(0.1)
        over = threading.Event()

        def listen() -> None:
            while not over.is_set():
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    continue
                with connection:
                    connection.settimeout(1)
                    listener.heard.append(connection.recv(4096))

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        try:
            yield listener
        finally:
            over.set()
            thread.join(timeout=5)
