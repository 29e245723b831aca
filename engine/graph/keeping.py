"""Keeps derived values beside the files of a store in a directory, so that the next process starts at once.

It is a cache: values that do not fit are passed over, and built anew from the graph. They are of one state of the
database's files, which a stamp names; a process that did not put its stamp there (it was killed, or knew nothing of
this) leaves files that the stamp does not fit. Then they count if the knowledge that they were derived from is to the
letter what the database holds, which takes reading it, and a tenth of the time that deriving would. Only data classes
of this engine are read back: whoever could write here could write the graph itself, and gets no more from it than that.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import pickle
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode, RdfFormat, Store

from engine.graph import knowledge
from engine.graph.store import UNCOUNTED

VALUES, STAMP = "derived.pickle", "derived.json"
_DATABASE = (".sst", ".log")
_OURS = ("engine.model.", "engine.things.", "engine.language.", "engine.memory.", "engine.dialogue.")
_log = logging.getLogger(__name__)


class Kept:
    """The values that were kept of a store as it lies in its directory, each read when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        """Reads the values that fit the files; to be called before the database is opened, which changes them."""
        self._folder = folder
        self._values: dict[str, bytes] = {}
        self._mark = self._knowledge = ""
        self._doubted = False
        try:
            said = json.loads((folder / STAMP).read_text(encoding="utf-8"))
            self._doubted = said["files"] != _files(folder)
            self._knowledge = str(said.get("knowledge", ""))
            if said["code"] == _code() and (self._knowledge or not self._doubted):
                content = (folder / VALUES).read_bytes()
                self._mark = hashlib.sha256(content).hexdigest()
                found = _load(content) if said["values"] == self._mark else {}
                self._values = found if isinstance(found, dict) else {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, pickle.UnpicklingError, EOFError):
            self._values = {}

    def confirm(self, store: Store) -> None:
        """Drops what is of other files, unless it is of the same knowledge as the opened database holds."""
        if self._doubted and self._values and read(store) != self._knowledge:
            self.forget()
        self._doubted = False

    def get(self, key: str) -> Any:
        """The value of a key; None where there is none, or none that can be read."""
        content = self._values.get(key)
        if content is None:
            return None
        try:
            return _load(content)
        except Exception as error:  # noqa: BLE001 - a cache that was tampered with may fail in any way
            _log.info("%s is derived again: %s", key, error)
            del self._values[key]
            return None

    def write(self, values: Mapping[str, object], knowledge_read: str = "") -> None:
        """Writes values beside the closed database, or, with what `read` gave of the knowledge that they are of, beside
        an open one. Those that are there already are not written again."""
        try:
            fresh = {key: pickle.dumps(value, 5) for key, value in values.items() if key not in self._values}
            if fresh:
                content = pickle.dumps(self._values | fresh, 5)
                self._mark = hashlib.sha256(content).hexdigest()
                _replace(self._folder / VALUES, content)
            elif not self._values:
                return
            self._knowledge = knowledge_read or self._knowledge
            if fresh and knowledge_read:
                self._values |= fresh
            stamp = {"files": _files(self._folder), "code": _code(), "values": self._mark}
            stamp["knowledge"] = self._knowledge
            _replace(self._folder / STAMP, json.dumps(stamp).encode())
        except (OSError, pickle.PicklingError, TypeError, AttributeError) as error:
            _log.info("what is derived is not kept: %s", error)

    def forget(self) -> None:
        """Drops it all: the graph has become another."""
        self._values, self._knowledge = {}, ""


def read(store: Store) -> str:
    """A hash of the graphs that values are derived from, in the order in which the database has their quads."""
    found = hashlib.sha256()
    for name in sorted(store.named_graphs(), key=str):
        if isinstance(name, NamedNode) and name not in UNCOUNTED:
            content = store.dump(format=RdfFormat.N_TRIPLES, from_graph=name) or b""
            found.update(f"{name} {len(content)}\n".encode() + content)
    return found.hexdigest()


class _Reader(pickle.Unpickler):
    """Unpickles data classes of this engine and literals; nothing else, so that it calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith(_OURS) and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not kept here")


def _load(content: bytes) -> Any:
    return _Reader(io.BytesIO(content)).load()


def _files(folder: Path) -> str:
    """A hash of the names and sizes of the database's files: any write and any opening changes it."""
    found = sorted(
        f"{entry.name} {entry.stat().st_size}"
        for entry in os.scandir(folder)
        if entry.name.endswith(_DATABASE) or entry.name.startswith("MANIFEST")
    )
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


@cache
def _code() -> str:
    """A hash of the engine and of the knowledge that it ships: another one derives otherwise."""
    root = Path(__file__).resolve().parents[1]
    sources = sorted((str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in root.rglob("*.py"))
    return hashlib.sha256(f"{knowledge.digest()} {sources}".encode()).hexdigest()


def _replace(file: Path, content: bytes) -> None:
    partial = file.with_name(file.name + ".partial")
    partial.write_bytes(content)
    partial.replace(file)
