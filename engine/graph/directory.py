"""The directory of an embedded store: opens, tries and reads it, and translates its faults to errors."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pyoxigraph import NamedNode, Store

from engine.errors import StoreCorruptError, StoreError, StoreInUseError

# How RocksDB says that a process has the directory open, and that what it reads is not what it wrote.
_IN_USE = ("IO error: While lock file", "IO error: lock hold")
_DAMAGED = re.compile(r"Corruption|checksum|Invalid data|can't access|No such file or directory: While open")
_FILE = re.compile(r"\S*?/?((?:\d{6}\.(?:sst|log))|MANIFEST-\d+|CURRENT|OPTIONS-\d+)\b")
ROOM = 1 << 20
"""Bytes that are written to see whether the disk takes any."""


def open_directory(path: Path) -> Store:
    """The store in a directory, which is made if missing. Raises StoreInUseError, StoreCorruptError, StoreError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        return Store(str(path))
    except (OSError, RuntimeError) as error:
        if str(error).startswith(_IN_USE):
            raise in_use(path) from error
        if _DAMAGED.search(str(error)):
            raise corrupt(path, error) from error
        raise StoreError(
            f"The store in {path} cannot be opened: {error}.",
            remedy="Name a directory that you can write in HEARTHGRAPH_STORE.",
        ) from error


def list_size(path: Path) -> int:
    """The bytes of the database's list of its own files."""
    with suppress(OSError):
        return sum(file.stat().st_size for file in path.glob("MANIFEST-*"))
    return 0


def in_use(path: Path) -> StoreInUseError:
    """The error for a store that another process has open."""
    return StoreInUseError(
        f"The store in {path} is in use by another process.",
        remedy="Stop that process, ask the server that owns it, or name another directory in HEARTHGRAPH_STORE.",
    )


def corrupt(path: Path | None, error: BaseException) -> StoreCorruptError:
    """The error for a damaged store: names the file, and how to get the home back."""
    said = str(error).partition("\n")[0]
    file = _FILE.search(said)
    place = f"{file[1]} in {path}" if file else str(path)
    return StoreCorruptError(
        f"The store is damaged: {place} is not what was written there ({said[:200].rstrip('.')}).",
        remedy=f"Move {path} away and `hearthgraph restore` the last dump; `hearthgraph store --check` says what can "
        "still be read.",
    )


def refused(path: Path | None, error: BaseException) -> StoreError:
    """The error for a write that a store did not take: StoreCorruptError where it is damaged, else StoreError."""
    if _DAMAGED.search(str(error)):
        return corrupt(path, error)
    said = str(error).partition("\n")[0].rstrip(".")
    return StoreError(f"The store refused a write: {said}.", remedy="See whether its disk is full.")


@contextmanager
def reading(path: Path | None) -> Iterator[None]:
    """Translates faults while a store is read. Raises StoreCorruptError, StoreError."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        if _DAMAGED.search(str(error)):
            raise corrupt(path, error) from error
        raise StoreError(f"The store cannot be read: {str(error)[:300]}.", remedy="See whether its disk is.") from error


def try_out(path: Path) -> None:
    """Writes something into the directory and takes it away again. Raises StoreError where that cannot be."""
    probe = path / "probe"
    try:
        with probe.open("wb") as file:
            file.write(b"\0" * ROOM)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(
            f"Nothing can be written to {path}: {error.strerror}.", remedy="Make room on its disk; nothing is lost."
        ) from error
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)


def read_through(store: Store, path: Path) -> dict[str, int]:
    """How many quads each graph holds, all of which were read in each of the ways in which they are kept. Raises
    StoreCorruptError where they cannot be, or where one way finds others than another."""
    counts: dict[str, int] = {}
    with reading(path):
        total = sum(1 for _ in store)
        for graph in store.named_graphs():
            quads = list(store.quads_for_pattern(None, None, None, graph))
            predicates, objects = Counter(q.predicate for q in quads), Counter(q.object for q in quads)
            by_predicate = {p: sum(1 for _ in store.quads_for_pattern(None, p, None, graph)) for p in predicates}
            found = {o: store.quads_for_pattern(None, None, o, graph) for o in objects}
            by_object = {
                o: sum(one.object == o for one in quads) for o, quads in found.items()
            }  # it finds too many of -1
            if by_predicate != predicates or by_object != objects:
                raise corrupt(path, RuntimeError(f"Corruption: the indexes of {graph} differ"))
            counts[graph.value if isinstance(graph, NamedNode) else str(graph)] = len(quads)
        if total != sum(counts.values()):
            raise corrupt(path, RuntimeError("Corruption: the graphs hold others than the whole"))
    return counts
