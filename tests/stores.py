"""Stores to test on: in this process, and on real servers started for the session.

A module of tests says on which of them it runs: `STORES = ("memory", "oxigraph", …)`; its tests get one after the other
as `fresh_store`. Without a word it is the one in memory.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from engine.graph.embedded import EmbeddedStore
from engine.graph.remote.access import Access, Secret, at
from engine.graph.remote.store import RemoteStore
from engine.graph.store import GraphStore
from engine.graph.terms import ONTOLOGY
from engine.things.registry import ADDED_TERMS
from tests.agents.running import free_port

PATIENCE = 60.0
"""Seconds until a server must be up."""
EVERY = ("memory", "oxigraph", "unmirrored", pytest.param("virtuoso", marks=pytest.mark.virtuoso))
"""The store in memory, Oxigraph's server with and without a mirror in this process, and Virtuoso."""

_VIRTUOSO = """
[Database]
DatabaseFile = virtuoso.db
ErrorLogFile = virtuoso.log
LockFile = virtuoso.lck
TransactionFile = virtuoso.trx
xa_persistent_file = virtuoso.pxa
[TempDatabase]
DatabaseFile = virtuoso-temp.db
TransactionFile = virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{port}
ServerThreads = 10
NumberOfBuffers = 4000
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 10
ServerRoot = .
[SPARQL]
ResultSetMaxRows = 10000
"""


class Started:
    """A server in a process of its own, which can be killed and started again at its address."""

    def __init__(self, command: list[str], base: str, folder: Path) -> None:
        self.base = base
        self._command, self._folder = command, folder
        self.start()

    def start(self) -> None:
        with (self._folder / "out.log").open("ab") as log:
            self._process = subprocess.Popen(self._command, cwd=self._folder, stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE
        while not self._answers():
            assert self._process.poll() is None, f"{self._command[0]} does not start: see {self._folder}"
            assert time.monotonic() < end, f"{self._command[0]} does not answer"
            time.sleep(0.02)

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def _answers(self) -> bool:
        try:
            return httpx.get(self.base, trust_env=False, timeout=5).status_code < 500
        except httpx.HTTPError:
            return False


def start_oxigraph(folder: Path, *, on_disk: bool = False) -> Started:
    """Oxigraph's own server, in memory or in the folder."""
    program = Path(sys.executable).with_name("oxigraph")
    address = f"127.0.0.1:{free_port()}"
    place = ["--location", str(folder / "data")] if on_disk else []
    return Started([str(program), "serve", "--bind", address, *place], f"http://{address}/", folder)


def start_virtuoso(folder: Path) -> Started:
    """Virtuoso, with the rows of a result limited as they are by default. Skips the test where it is not installed."""
    program = shutil.which("virtuoso-t")
    if program is None:
        pytest.skip("no virtuoso-t here: Debian has it in virtuoso-opensource-7-bin")
    http = free_port()
    (folder / "virtuoso.ini").write_text(_VIRTUOSO.format(port=free_port(), http=http))
    command = [program, "-f", "+configfile", "virtuoso.ini"]
    return Started(command, f"http://127.0.0.1:{http}/", folder)


def virtuoso_access(base: str, *, password: str = "dba", seconds: float = 30.0) -> Access:
    """The endpoints of Virtuoso that ask for a password."""
    secret = Secret("dba", password, method="digest")
    sparql, graphs = f"{base}sparql-auth", f"{base}sparql-graph-crud-auth"
    return Access(sparql, sparql, graphs, secret, seconds)


class Servers:
    """The servers of the session, each started when it is first asked for, with an open store on each."""

    def __init__(self, factory: pytest.TempPathFactory) -> None:
        self._factory = factory
        self._servers: dict[str, Started] = {}
        self._stores: dict[str, tuple[RemoteStore, list]] = {}  # type: ignore[type-arg]

    def server(self, name: str) -> Started:
        if name not in self._servers:
            folder = self._factory.mktemp(name)
            self._servers[name] = start_virtuoso(folder) if name.startswith("virtuoso") else start_oxigraph(folder)
        return self._servers[name]

    def access(self, name: str) -> Access:
        server = self.server(name.replace("unmirrored", "oxigraph-too"))
        if name.startswith("virtuoso"):
            return virtuoso_access(server.base)
        return at(server.base, mirrored="unmirrored" not in name)

    def fresh(self, name: str) -> GraphStore:
        """A store that knows the ontology and nothing else. It is the session's: not to be closed."""
        if name == "memory":
            return EmbeddedStore.open(None)
        if name not in self._stores:
            store = RemoteStore.open_at(self.access(name))
            self._stores[name] = (store, store.graph(ONTOLOGY))
        store, ontology = self._stores[name]
        graphs = store.graphs()
        if ADDED_TERMS in graphs:
            store.write(clear=[ONTOLOGY], insert=ontology)
        store.write(clear=[graph for graph in graphs if graph != ONTOLOGY])
        return store

    def stop(self) -> None:
        for store, _ in self._stores.values():
            store.close()
        for server in self._servers.values():
            server.stop()


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Real servers of SPARQL stores."""
    started = Servers(tmp_path_factory)
    yield started
    started.stop()


@pytest.fixture
def fresh_store(request: pytest.FixtureRequest, servers: Servers) -> Iterator[GraphStore]:
    """A store that knows the ontology and nothing else, of each kind that the module's STORES name."""
    store = servers.fresh(getattr(request, "param", "memory"))
    yield store
    if not isinstance(store, RemoteStore):
        store.close()


def parametrize(metafunc: pytest.Metafunc, fixture: str, name: str = "STORES") -> None:
    """Gives the tests of a module the stores that it names, one after the other, through a fixture."""
    stores = getattr(metafunc.module, name, None)
    if stores is not None and fixture in metafunc.fixturenames:
        metafunc.parametrize(fixture, stores, indirect=True)
