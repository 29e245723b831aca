"""Homes to test on. Each is loaded once in a session and copied for whoever asks: a copy is a home of its own."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import cache
from pathlib import Path

from engine import settings as configuration
from engine.environment.clock import SimulatedClock
from engine.graph.embedded import EmbeddedStore
from engine.hearthgraph import Hearthgraph
from engine.resources import folder
from engine.settings import Settings


def a_store(home: str | Path = "house.ttl") -> EmbeddedStore:
    """A store in memory that holds a home: a file, or the name of one in `data/`."""
    return _loaded(_file(home)).copied()


def a_home(
    home: str | Path = "house.ttl", *, now: datetime | str | None = None, settings: Settings | None = None
) -> Hearthgraph:
    """A simulated home in memory, as `Hearthgraph.open` and `load` make one; use it as a context manager."""
    settings = settings or configuration.load()
    began = datetime.fromisoformat(now) if isinstance(now, str) else now
    return Hearthgraph(a_store(home), SimulatedClock(began or settings.now or datetime.now(settings.zone)), settings)


@contextmanager
def several(homes: Mapping[str, Path], *, now: datetime) -> Iterator[dict[str, Hearthgraph]]:
    """Simulated homes by their names, open together."""
    with ExitStack() as opened:
        yield {name: opened.enter_context(a_home(path, now=now)) for name, path in homes.items()}


def filled(store: Path, home: str | Path = "house.ttl") -> Path:
    """A directory with a home in it, which nobody has open."""
    shutil.copytree(_directory(_file(home)), store)
    return store


def _file(home: str | Path) -> Path:
    return folder("data") / home if isinstance(home, str) else home


@cache
def _loaded(file: Path) -> EmbeddedStore:
    home = Hearthgraph.open(None)
    home.load([file])
    home.assistant.refresh()  # what is derived from the graph for a request goes with every copy
    assert isinstance(home.store, EmbeddedStore)
    return home.store


@cache
def _directory(file: Path) -> Path:
    place = Path(tempfile.mkdtemp(prefix="hearthgraph-")) / "store"
    atexit.register(shutil.rmtree, place.parent, ignore_errors=True)
    with Hearthgraph.open(place) as engine:
        engine.load([file])
    return place
