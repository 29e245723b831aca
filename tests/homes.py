"""Homes to test on. Each is loaded once in a session and copied for whoever asks: a copy is a home of its own. A copy
that was closed is put right and given to the next one who asks: most of it is the ontology, which nobody changes."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path

from pyoxigraph import NamedNode, Quad, RdfFormat, Store

from engine import settings as configuration
from engine.environment.clock import SimulatedClock
from engine.graph.embedded import EmbeddedStore
from engine.graph.store import Trial
from engine.graph.terms import ONTOLOGY
from engine.hearthgraph import Hearthgraph
from engine.resources import folder
from engine.settings import Settings

LOANS = 25
"""How often a copy is given out: in memory, Oxigraph walks past quads that are deleted."""


class Lent(EmbeddedStore):
    """A copy of a home, which its owner gets back as it was when it is closed."""

    def __init__(self, copy: Store, of: EmbeddedStore, give_back: Callable[[Store], None]) -> None:
        super().__init__(copy)
        self._copy, self._of, self._give_back = copy, of, give_back
        self._touched: set[NamedNode] = set()
        self._whole = True
        self.have_derived_of(of)

    def _carry_out(self, cleared: list[NamedNode], deleted: list[Quad], inserted: list[Quad]) -> list[NamedNode]:
        graphs = (quad.graph_name for quad in (*deleted, *inserted))
        self._touched.update(cleared, (name for name in graphs if isinstance(name, NamedNode)))
        return super()._carry_out(cleared, deleted, inserted)

    def restore(self, path: Path, syntax: RdfFormat = RdfFormat.N_QUADS, *, tried: Trial = lambda _: None) -> None:
        """As EmbeddedStore.restore; what all of it touches is not known."""
        self._whole = False
        super().restore(path, syntax, tried=tried)

    def compact(self, *, forgotten: Iterable[NamedNode] = ()) -> None:
        """As EmbeddedStore.compact, which takes another store."""
        self._whole = False
        super().compact(forgotten=forgotten)

    def close(self) -> None:
        """Closes the store, and gives it back."""
        open_still = not self._closed
        super().close()
        if open_still and self._whole and ONTOLOGY not in self._touched:
            for name in self._touched:
                self._copy.remove_graph(name)
                self._copy.extend(self._of.graph(name))
            assert len(self._copy) == len(self._of._store)
            self._give_back(self._copy)


def a_store(home: str | Path = "house.ttl") -> EmbeddedStore:
    """A store in memory that holds a home: a file, or the name of one in `data/`."""
    return _loaded(_file(home)).lent()


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


@cache
def written(turtle: str) -> Path:
    """A file with a home, the same one for the same text."""
    place = Path(tempfile.mkdtemp(prefix="hearthgraph-")) / "home.ttl"
    atexit.register(shutil.rmtree, place.parent, ignore_errors=True)
    place.write_text(turtle, encoding="utf-8")
    return place


def filled(store: Path, home: str | Path = "house.ttl") -> Path:
    """A directory with a home in it, which nobody has open."""
    shutil.copytree(_directory(_file(home)), store)
    return store


def _file(home: str | Path) -> Path:
    return folder("data") / home if isinstance(home, str) else home


@dataclass
class _Loaded:
    """A home that nobody uses, and the copies of it that were given back, each with how often it may be lent."""

    whole: EmbeddedStore
    returned: list[tuple[Store, int]] = field(default_factory=list)

    def lent(self) -> Lent:
        if self.returned:
            copy, loans = self.returned.pop()
        else:
            copy, loans = Store(), LOANS
            copy.extend(self.whole._store)
        return Lent(copy, self.whole, lambda again: self.returned.append((again, loans - 1)) if loans else None)


@lru_cache(maxsize=12)
def _loaded(file: Path) -> _Loaded:
    home = Hearthgraph.open(None)
    home.load([file])
    home.assistant.refresh()  # what is derived from the graph for a request goes with every copy
    assert isinstance(home.store, EmbeddedStore)
    return _Loaded(home.store)


@cache
def _directory(file: Path) -> Path:
    place = Path(tempfile.mkdtemp(prefix="hearthgraph-")) / "store"
    atexit.register(shutil.rmtree, place.parent, ignore_errors=True)
    with Hearthgraph.open(place) as engine:
        engine.load([file])
    return place
