"""A server that is told to stop ends what is under way, writes nowhere else, and can begin again at once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.cli.through import beside
from server.agents.agents import Agents
from server.agents.bridge import Bridge, Ending
from tests.homes import filled
from tests.hostile.processes import start
from tests.server.serving import Serving

STREAMS = ("/events", "/workspaces/house/artifacts/hallway-light/properties", "/events?diff=true")
QUICK, STOPS = 3, int(os.environ.get("STOPS", "12"))


class Load:
    """Streams that are listened to, requests, changes of state and long queries, all at the same time."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._headers = url, {"Authorization": f"Bearer {token}"}
        self.heard = threading.Semaphore(0)
        work = [*(lambda path=path: self._listen(path) for path in STREAMS), self._ask, self._change, self._query]
        self.threads = [threading.Thread(target=self._until_it_is_gone, args=(one,), daemon=True) for one in work]
        for thread in self.threads:
            thread.start()

    def _until_it_is_gone(self, work: object) -> None:
        with suppress(httpx.HTTPError):
            work()  # type: ignore[operator]

    def _client(self) -> httpx.Client:
        return httpx.Client(base_url=self._url, headers=self._headers, timeout=20)

    def _listen(self, path: str) -> None:
        with self._client() as client:
            headers = {"Accept": "text/event-stream"}
            while True:
                with client.stream("GET", path, headers=headers) as answer:
                    if answer.status_code != 200:
                        return
                    self.heard.release()
                    for _ in answer.iter_bytes():
                        pass

    def _ask(self) -> None:
        with self._client() as client:
            for text in ("turn on the hallway light", "turn off the hallway light in 20 seconds") * 1000:
                client.post("/requests", json={"text": text, "consent": "all"})

    def _change(self) -> None:
        with self._client() as client:
            known = [iri for iri in client.get("/state").json() if iri.endswith("brightness")]
            for number in range(100_000):
                client.post("/state", json=dict.fromkeys(known[:3], number % 100))

    def _query(self) -> None:
        with self._client() as client:
            while True:
                client.get("/sparql", params={"query": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"})


def stopped(store: Path) -> tuple[float, int, bytes]:
    """A server is started, put under load and stopped: seconds that took, its status, and what it complained of."""
    process, url, token = start(store, heard=True)
    load = Load(url, token)
    assert load.heard.acquire(timeout=20)
    time.sleep(0.2)
    began = time.perf_counter()
    with process:
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=20)
    return time.perf_counter() - began, process.returncode, said


def clean(store: Path, times: int) -> list[float]:
    """As often: the files beside the store stay whole, and nothing goes wrong. Gives the seconds of each stop."""
    folder = beside(store)
    seconds = []
    for _ in range(times):
        taken, status, said = stopped(store)
        assert status == 0, said
        assert b"Traceback" not in said, said
        assert b"have not ended" not in said, said
        assert json.loads((folder / "subscriptions.json").read_text() or "null") == []
        assert len((folder / "token").read_text()) == 43
        assert not (folder / "address.json").exists()
        seconds.append(taken)
    return seconds


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return filled(tmp_path / "store")


def test_a_server_under_load_with_open_streams_stops_cleanly(store: Path) -> None:
    print(f"stops took {[round(one, 2) for one in clean(store, QUICK)]} s")


@pytest.mark.slow
def test_many_servers_stop_cleanly(store: Path) -> None:
    seconds = sorted(clean(store, STOPS))
    print(f"stops took {seconds[0]:.2f} to {seconds[-1]:.2f} s, half of them {seconds[STOPS // 2]:.2f} s at most")


def test_a_broken_file_beside_the_store_is_set_aside_and_stops_no_home(store: Path) -> None:
    folder = beside(store)
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / "subscriptions.json").write_text("x[]")
    (folder / "subscriptions.json").chmod(0o600)
    process, url, _ = start(store, heard=True)
    with process:
        assert httpx.get(f"{url}/health").status_code == 200
        process.terminate()
        _, said = process.communicate(timeout=20)
    assert process.returncode == 0
    assert b"subscriptions.json" in said
    assert (folder / "subscriptions.json.broken").read_text() == "x[]"


class Face:
    """What would hold threads until it is closed."""

    closed = False

    def close(self) -> None:
        self.closed = True


def test_a_door_for_agents_that_is_made_while_the_server_ends_is_closed(house: Serving, tmp_path: Path) -> None:
    agents, made = Agents(house.service.home, tmp_path), Face()

    def slowly() -> Face:
        agents.close()  # meanwhile, by who ends the server
        return made

    for _ in range(2):
        with pytest.raises(Ending):
            agents.face(slowly)
    assert made.closed


def test_a_door_for_agents_is_not_made_any_more_when_the_server_has_ended(house: Serving, tmp_path: Path) -> None:
    agents = Agents(house.service.home, tmp_path)
    agents.close()
    with pytest.raises(Ending):
        agents.face(Face)


def test_who_waits_for_a_door_for_agents_to_open_is_told_when_the_server_ends() -> None:
    opening = threading.Event()

    @asynccontextmanager
    async def opens() -> AsyncIterator[None]:
        opening.set()
        await asyncio.Event().wait()
        yield

    async def nothing() -> None:
        raise AssertionError("it has not been opened")

    def waits() -> None:
        with suppress(Ending):
            bridge.submit(nothing())

    async def application(*_: Any) -> None:
        return

    bridge = Bridge(application, opens)
    waiting = threading.Thread(target=waits, daemon=True)
    waiting.start()
    assert opening.wait(20)
    bridge.close()
    waiting.join(20)
    assert not waiting.is_alive()
