"""How a server stands up to load: reads and requests at a rate, while states change, and a hostile query beside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode, urlsplit

from engine.cli.through import beside
from engine.hearthgraph import Hearthgraph
from tests.benchmarks.figures import Figure, percentile
from tests.benchmarks.homes import synthetic_home
from tests.benchmarks.sentences import SYNTHETIC

TITLE = "A server with 135 devices, states changing 100 times a second"
CASES = ("SPARQL reads", "spoken requests", "spoken requests beside a hostile query")
SECONDS = 10.0
WARM = 2.0
READS, SPOKEN, CHANGES = 300, 50, 100  # a second
READ_P99, SPOKEN_P99 = 50.0, 100.0  # milliseconds: bounds
CONNECTIONS = 8
HOSTILE = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
QUERIES = (
    "SELECT ?t { ?s <https://www.w3.org/2019/wot/td#title> ?t } LIMIT 20",
    "PREFIX hg: <https://w3id.org/hearthgraph#> SELECT ?p ?v { GRAPH <https://w3id.org/hearthgraph#graph/state> "
    "{ ?p hg:value ?v } } LIMIT 50",
    "PREFIX hg: <https://w3id.org/hearthgraph#> PREFIX td: <https://www.w3.org/2019/wot/td#> SELECT ?t ?v "
    "{ ?s td:title ?t ; td:hasPropertyAffordance ?p . ?p a hg:Brightness ; hg:value ?v }",
)
LATER = ("minutes", "22:30")


@dataclass
class Load:
    """What came of calls at a rate: how long each took from when it was due, in milliseconds, and how many failed."""

    taken: list[float] = field(default_factory=list)
    failed: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return len(self.taken) / self.seconds


@dataclass(frozen=True)
class Server:
    """A server in a process of its own."""

    url: str
    token: str

    def call(self, connection: HTTPConnection, method: str, path: str, body: bytes, kind: str) -> bool:
        """One call; whether it went well."""
        headers = {"Content-Type": kind, "Authorization": f"Bearer {self.token}"}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status == 200

    def connect(self) -> HTTPConnection:
        parts = urlsplit(self.url)
        return HTTPConnection(parts.hostname or "", parts.port, timeout=60)


def measure(case: str) -> list[Figure]:
    """The figures of one case."""
    with served() as (server, properties), _changing(server, properties):
        if case == CASES[0]:
            load = at_rate(server, READS * 1.05, lambda n: _query(QUERIES[n % len(QUERIES)]))
            return _figures(load, "reads", READS, READ_P99)
        sentences = [s for s in SYNTHETIC if not any(word in s for word in LATER)]
        alone = at_rate(server, SPOKEN * 1.05, lambda n: _spoken(sentences[n % len(sentences)]))
        if case == CASES[1]:
            return _figures(alone, "requests", SPOKEN, SPOKEN_P99)
        with _hostile(server):
            beside_it = at_rate(server, SPOKEN * 1.05, lambda n: _spoken(sentences[n % len(sentences)]))
        ratio = percentile(beside_it.taken, 0.99) / percentile(alone.taken, 0.99)
        return [*_figures(beside_it, "requests", SPOKEN, None), Figure("p99, times that without", ratio, "×", 2.0)]


def _figures(load: Load, what: str, rate: int, bound: float | None) -> list[Figure]:
    return [
        Figure(f"{what} a second", load.rate, "/s", rate, at_least=True),
        Figure(f"{what}, p50", percentile(load.taken, 0.5), "ms"),
        Figure(f"{what}, p99", percentile(load.taken, 0.99), "ms", bound),
        Figure(f"{what} that failed", float(load.failed), "", 0.0),
    ]


Call = tuple[str, str, bytes, str]


def _query(text: str) -> Call:
    return "POST", "/sparql", urlencode({"query": text}).encode(), "application/x-www-form-urlencoded"


def _spoken(text: str) -> Call:
    return "POST", "/requests", json.dumps({"text": text, "consent": "all"}).encode(), "application/json"


def at_rate(server: Server, rate: float, call: Callable[[int], Call], seconds: float = SECONDS) -> Load:
    """Calls so many times a second, whether answers come in time or not; what comes in the first seconds is warmth."""
    load, numbers, lock = Load(seconds=seconds), count(), threading.Lock()
    start = time.perf_counter()
    end = start + WARM + seconds

    def work() -> None:
        connection = server.connect()
        while (due := start + (number := next(numbers)) / rate) < end:
            time.sleep(max(0.0, due - time.perf_counter()))
            good = server.call(connection, *call(number))
            taken = (time.perf_counter() - due) * 1000
            if due - start >= WARM:
                with lock:
                    load.taken.append(taken)
                    load.failed += not good
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    load.seconds = max(seconds, time.perf_counter() - start - WARM)
    return load


@contextmanager
def served() -> Iterator[tuple[Server, list[str]]]:
    """A server of a home of 135 devices, and the properties of it that can be a number of percent."""
    with TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        with Hearthgraph.open(store) as home:
            home.register(*synthetic_home(135))
            home.state.refresh()
            properties = [iri for iri in home.state if iri.endswith("brightness")]
        command = [sys.executable, "-m", "engine.cli.main", "--store", str(store), "serve"]
        environment = os.environ | {"HEARTHGRAPH_PORT": "0"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as process:
            try:
                yield _ready(store, process), properties
            finally:
                process.terminate()
                process.wait(timeout=30)


def _ready(store: Path, process: subprocess.Popen[bytes]) -> Server:
    address = beside(store) / "address.json"
    while not address.exists():
        if process.poll() is not None:
            raise RuntimeError("the server did not start")
        time.sleep(0.05)
    token = (beside(store) / "token").read_text(encoding="utf-8").strip()
    return Server(json.loads(address.read_text(encoding="utf-8"))["url"], token)


@contextmanager
def _changing(server: Server, properties: list[str]) -> Iterator[None]:
    """States that change, each told by a call of its own, until the end of the block."""
    over = threading.Event()

    def work() -> None:
        connection, begun = server.connect(), time.perf_counter()
        for number in count():
            if over.wait(max(0.0, begun + number / CHANGES - time.perf_counter())):
                break
            body = json.dumps({properties[number % len(properties)]: number % 101}).encode()
            if not server.call(connection, "POST", "/state", body, "application/json"):
                raise RuntimeError("a state was refused")
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def _hostile(server: Server) -> Iterator[None]:
    """Somebody asks for a cross product over everything, again as soon as it is stopped."""
    over = threading.Event()

    def work() -> None:
        connection = server.connect()
        while not over.is_set():
            server.call(connection, *_query(HOSTILE))
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(1)
    try:
        yield
    finally:
        over.set()
        thread.join()
