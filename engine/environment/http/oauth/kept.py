"""The tokens and clients that a home has, kept in a file that its owner alone may read, or in memory."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import httpx

from engine.environment.http.oauth.discovery import Authority, covers
from engine.environment.http.oauth.tokens import Client, Held


class Kept:
    """Tokens by resource, clients by issuer. It may be shared between threads."""

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock = path, threading.Lock()
        self.clients: dict[str, Client] = {}
        self._held: dict[str, Held] = {}
        self._read()

    def of(self, endpoint: httpx.URL) -> Held | None:
        """The token for an endpoint."""
        fitting = [held for held in self._held.values() if covers(held.resource, endpoint)]
        return max(fitting, key=lambda held: len(held.resource), default=None)

    def keep(self, held: Held) -> None:
        """Keeps a token in the place of the one that the resource had."""
        with self._lock:
            if held.client.known:  # its secrets stand in the credentials file, and nowhere else
                held = replace(held, client=replace(held.client, secret="", key=""))
            self._held = {**self._held, held.resource: held}
            self._write()

    def keep_client(self, name: str, client: Client) -> None:
        """Keeps a client."""
        with self._lock:
            self.clients = {**self.clients, name: client}
            self._write()

    def forget(self, endpoint: httpx.URL) -> None:
        """Gives up the tokens for an endpoint."""
        with self._lock:
            self._held = {name: held for name, held in self._held.items() if not covers(name, endpoint)}
            self._write()

    def _read(self) -> None:
        if self._path is None:
            return
        try:
            if self._path.stat().st_mode & 0o077:
                return
            found = json.loads(self._path.read_text(encoding="utf-8"))
            self.clients = {name: Client(**one) for name, one in found["clients"].items()}
            self._held = {name: _held(one) for name, one in found["held"].items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return

    def _write(self) -> None:
        if self._path is None:
            return
        told = {
            "clients": {name: asdict(one) for name, one in self.clients.items()},
            "held": {name: asdict(one) for name, one in self._held.items()},
        }
        partial = self._path.with_name(f"{self._path.name}.partial")
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(told, file)
        partial.replace(self._path)


def _held(record: dict[str, Any]) -> Held:
    lists = ("scopes", "methods", "grants", "challenges")
    told: dict[str, Any] = record["authority"]
    authority: dict[str, Any] = {name: tuple(value) if name in lists else value for name, value in told.items()}
    more = {"authority": Authority(**authority), "client": Client(**record["client"])}
    return Held(**{**record, "scopes": tuple(record["scopes"]), **more})
