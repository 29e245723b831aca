"""Writes a store anew beside itself, which then takes its place: one that has grown far beyond its data when it is
opened, and one whose contents are replaced by those of a dump.

A database on disk keeps the names of all that it ever held: requests that were forgotten, things that are gone. Only
its present contents go into the new one. Of a process that is killed meanwhile one of the two is whole, and the next
one goes on with that.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from pyoxigraph import Quad, Store

from engine.graph.directory import in_use, open_directory, refused

if sys.platform != "win32":  # which locks files otherwise: there a store stays as it is
    import fcntl

LOCKS: bool = sys.platform != "win32"
SMALL = 64 << 20
"""Bytes up to which nothing is written anew."""
GROWN = 2
"""A store that has so many times the size that it had when it was written anew, and more, is written anew."""
A_QUAD = 400
"""Bytes that a quad takes with its names at most, in a store that was just loaded."""
SIZE = "written.json"
PART = 20_000
"""How many quads are in memory at a time."""
_CURRENT, _LOCK = "CURRENT", "LOCK"
_DATA = (".sst", ".log")
_log = logging.getLogger(__name__)


def open_tidy(path: Path) -> Store:
    """The store in a directory, which is made if missing, without leftovers of killed processes. Raises
    StoreInUseError, StoreCorruptError, StoreError."""
    _bring_back(path)
    store = open_directory(path)
    _clean(path)
    if not LOCKS or not _has_outgrown(store, path):
        return store
    _log.info("%s has %d bytes and is written anew", path, _size(path))
    try:
        mark = _copied(store, path)
    except (OSError, RuntimeError) as error:
        _left(path, error)
        return store
    del store
    try:
        _swap(path, mark)
    except OSError as error:
        _left(path, error)
    return open_directory(path)


@contextmanager
def written_beside(path: Path, quads: Iterable[Quad]) -> Iterator[Path]:
    """Writes quads to a new store beside a store, a part at a time; gives its directory, which goes at the end of the
    block unless it has taken the store's place. Raises StoreError."""
    new, rest = _new(path), iter(quads)
    shutil.rmtree(new, ignore_errors=True)
    try:
        try:
            fresh = Store(str(new))
            while part := list(islice(rest, PART)):
                fresh.bulk_extend(part)
            fresh.flush()
            fresh.optimize()
            del fresh
            (new / SIZE).write_text(json.dumps(_size(new)), encoding="utf-8")
        except (OSError, RuntimeError) as error:
            raise refused(path, error) from error
        yield new
    finally:
        shutil.rmtree(new, ignore_errors=True)


@contextmanager
def copied_for_trial(path: Path, new: Path) -> Iterator[Store]:
    """A copy of a store that was written beside another, which shares its files and goes at the end of the block.
    Raises StoreError."""
    place = _trial(path)
    shutil.rmtree(place, ignore_errors=True)
    try:
        try:
            open_directory(new).backup(str(place))
        except (OSError, RuntimeError) as error:
            raise refused(path, error) from error
        yield open_directory(place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def take_place(path: Path) -> None:
    """Puts the store that was written beside a store in its place; nobody has either open. Raises OSError."""
    _swap(path, (path / _CURRENT).read_bytes())


def _left(path: Path, error: BaseException) -> None:
    _log.warning("%s is not written anew: %s", path, str(error).partition("\n")[0])
    shutil.rmtree(_new(path), ignore_errors=True)


def _copied(store: Store, path: Path) -> bytes:
    """Writes the contents of an open store to a new one beside it. Returns the content of its CURRENT file, by which
    `_swap` sees whether anybody has opened it since."""
    new = _new(path)
    fresh = Store(str(new))
    fresh.bulk_extend(store)
    fresh.flush()
    fresh.optimize()
    del fresh
    for file in path.glob("derived.*"):
        shutil.copy(file, new)
    (new / SIZE).write_text(json.dumps(_size(new)), encoding="utf-8")
    return (path / _CURRENT).read_bytes()


def _swap(path: Path, mark: bytes) -> None:
    """Puts the new store in the place of the old, which nobody has open. Raises OSError where that cannot be."""
    with (path / _LOCK).open("a") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if (path / _CURRENT).read_bytes() != mark:
            raise OSError("somebody else has opened it meanwhile")
        path.rename(_old(path))
        _new(path).rename(path)
        _lasting(path.parent)
    shutil.rmtree(_old(path), ignore_errors=True)


def _bring_back(path: Path) -> None:
    """Of a process that was killed between the two steps: the old store stands in its place again. Raises
    StoreInUseError where that process is still at it."""
    old = _old(path)
    if not LOCKS or (path / _CURRENT).exists() or not (old / _CURRENT).exists():
        return
    with (old / _LOCK).open("a") as lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise in_use(path) from error
        with suppress(OSError):
            path.rmdir()
        old.rename(path)


def _clean(path: Path) -> None:
    """Removes leftovers beside a store that this process has open, and old reports in it: the database keeps one of a
    seventh of a megabyte each time that it is opened."""
    for left in (_new(path), _old(path), _trial(path)):
        if left.exists():
            shutil.rmtree(left, ignore_errors=True)
    for report in path.glob("LOG.old.*"):
        with suppress(OSError):
            report.unlink()


def _new(path: Path) -> Path:
    return path.with_name(f"{path.name}.new")


def _old(path: Path) -> Path:
    return path.with_name(f"{path.name}.old")


def _trial(path: Path) -> Path:
    return path.with_name(f"{path.name}.trial")


def _lasting(folder: Path) -> None:
    """Forces the names in a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _size(path: Path) -> int:
    found = 0
    for file in path.iterdir():
        with suppress(FileNotFoundError):  # the database has just taken it away
            found += file.stat().st_size if file.suffix in _DATA else 0
    return found


def _has_outgrown(store: Store, path: Path) -> bool:
    """Whether a store takes far more bytes than its present contents need. One that has only been loaded with many
    things does not: to write it anew takes as long as loading it did, and gains nothing."""
    size = _size(path)
    if size <= SMALL + GROWN * _noted(path):
        return False
    return size > SMALL + A_QUAD * len(store)


def _noted(path: Path) -> int:
    """Its size when it was written anew; 0 where it never was."""
    try:
        return int(json.loads((path / SIZE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return 0
