"""Killed under load, again and again: every write that was acknowledged is there, and what is there is whole."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

import httpx
import pytest

from engine.hearthgraph import Hearthgraph
from tests.homes import filled
from tests.hostile.processes import start

KILLS = int(os.environ.get("KILLS", "10"))
A_SERIES = min(KILLS, 20)
PREFIXES = "@prefix td: <https://www.w3.org/2019/wot/td#> . @prefix hg: <https://w3id.org/hearthgraph#> . "


def lamp(number: int) -> str:
    return f'{PREFIXES} <http://lamps.example/{number}> a td:Thing, hg:Light ; td:title "lamp {number}"@en .'


class Load:
    """A client that writes until the server is gone, and remembers what was acknowledged."""

    def __init__(self, url: str, token: str, first: int) -> None:
        self.number = first
        self.graphs: list[int] = []
        self.lamps: list[int] = []
        self._url, self._headers = url, {"Authorization": f"Bearer {token}"}
        self.threads = [threading.Thread(target=self._work), threading.Thread(target=self._ask)]

    def start(self) -> None:
        for thread in self.threads:
            thread.start()

    def join(self) -> None:
        for thread in self.threads:
            thread.join(timeout=20)

    def _work(self) -> None:
        with httpx.Client(base_url=self._url, headers=self._headers, timeout=120) as client:
            try:
                while True:
                    self.number += 1
                    self._write(client, self.number)
            except httpx.HTTPError:
                return

    def _write(self, client: httpx.Client, number: int) -> None:
        turtle = {"Content-Type": "text/turtle"}
        name = f"urn:written:{number}"
        if client.put(
            "/graphs", params={"graph": name}, content=f"<{name}> <urn:n> {number} .", headers=turtle
        ).is_success:
            self.graphs.append(number)
        if client.post("/things", content=lamp(number), headers=turtle).is_success:
            self.lamps.append(number)

    def _ask(self) -> None:
        """Asks meanwhile, so that the journal and the state are written, too."""
        with suppress(httpx.HTTPError), httpx.Client(base_url=self._url, headers=self._headers, timeout=120) as client:
            for number in count():
                text = f"turn {('on', 'off')[number % 2]} the light"
                client.post("/requests", json={"text": text, "consent": "all"})


@pytest.mark.slow
@pytest.mark.parametrize("series", range(max(1, KILLS // A_SERIES)))
def test_every_acknowledged_write_outlives_a_killed_server(tmp_path: Path, series: int) -> None:
    store = filled(tmp_path / "store", "lab308.ttl")
    chance, graphs, lamps, number = random.Random(4 + series), set[int](), set[int](), 0
    for _ in range(A_SERIES):
        process, url, token = start(store)
        load = Load(url, token, number)
        load.start()
        while not load.lamps and load.threads[0].is_alive():  # the first write of a process takes longest
            time.sleep(0.01)
        time.sleep(chance.uniform(0.1, 0.8))
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=10)
        load.join()
        number = load.number
        graphs |= set(load.graphs)
        lamps |= set(load.lamps)
    print(f"{A_SERIES} kills, {len(graphs) + len(lamps)} acknowledged writes")
    assert len(lamps) >= A_SERIES, "it was under load"
    with Hearthgraph.open(store) as home:
        present = {graph.value for graph in home.store.graphs()}
        assert {f"urn:written:{number}" for number in graphs} <= present
        assert {f"http://lamps.example/{number}" for number in lamps} <= home.registry.things.keys()
        assert _broken(home) == []
        assert home.ask("is the light on?").status.value == "answered"


def test_what_was_proposed_is_consented_to_after_a_kill(tmp_path: Path) -> None:
    store = filled(tmp_path / "store")
    process, url, token = start(store)
    headers = {"Authorization": f"Bearer {token}"}
    asked = {"text": "turn on the pantry light", "id": "my own name"}
    with httpx.Client(base_url=url, headers=headers, timeout=60) as client:
        proposal = client.post("/requests", json=asked).json()
        declined = client.post("/requests", json={"text": "turn on the garage light"}).json()
    assert [one["status"] for one in (proposal, declined)] == ["proposed", "proposed"]
    process.kill()
    process.wait(timeout=10)
    process, url, token = start(store)
    try:
        with httpx.Client(base_url=url, headers=headers, timeout=60) as client:
            request = proposal["plan_id"].removesuffix("/plan")
            for name in ("my own name", request):
                told = client.get(f"/requests/{name}").json()
                assert (told["status"], told["plan"], told["question"]) == (
                    "proposed",
                    proposal["plan"],
                    proposal["question"],
                )
            plan = {"plan_id": proposal["plan_id"]}
            assert client.post("/requests/my own name/consent", json=plan).json()["status"] == "done"
            assert client.post("/requests/my own name/consent", json=plan).status_code == 409
            assert client.get(f"/requests/{request}").json()["status"] == "done"
            other = declined["plan_id"].removesuffix("/plan")
            given_up = client.post(f"/requests/{other}/decline", json={"plan_id": declined["plan_id"]}).json()
            assert (given_up["status"], given_up["reason"]) == ("refused", "not_consented")
            on = [value for iri, value in client.get("/state").json().items() if "pantry-light#properties/state" in iri]
            assert on == ["on"]
    finally:
        process.kill()
        process.wait(timeout=10)


def _broken(home: Hearthgraph) -> list[str]:
    """The things whose description breaks a shape."""
    from engine.graph.terms import NamedNode
    from engine.things.checks import check_shapes

    things = home.registry.things.values()
    return [thing.iri for thing in things if check_shapes(tuple(home.store.graph(NamedNode(thing.document))))]
