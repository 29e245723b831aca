"""Two servers, each a process of its own: one explores the other, acts there and is told; both explore each other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.cli.through import ADDRESS, TOKEN, beside
from tests.waiting import until

SECONDS = 300.0
"""How long something may take to come true, on a busy machine."""
HG = "https://w3id.org/hearthgraph#"


@dataclass
class Server:
    """A server in a process of its own."""

    url: str
    token: str
    process: subprocess.Popen[str]

    def call(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.request(method, self.url + path, headers=headers, timeout=60, **more)

    def value(self, iri: str) -> str | None:
        """What the graph says that a property is."""
        query = f"SELECT ?v WHERE {{ <{iri}> <{HG}value> ?v }}"
        rows = self.call("GET", "/sparql", params={"query": query}).json()["results"]["bindings"]
        return rows[0]["v"]["value"] if rows else None

    def explore(self, url: str) -> dict[str, Any]:
        """What comes of exploring an address and following it."""
        where = self.call("POST", "/explorations", json={"url": url, "follow": True}).headers["Location"]
        until(lambda: self.call("GET", where).json()["status"] != "running")
        told: dict[str, Any] = self.call("GET", where).json()
        assert told["status"] == "done", told
        return dict(told["result"])


@contextmanager
def server(store: Path, *files: Path, **settings: str) -> Iterator[Server]:
    """Serves files from a store until the end of the block."""
    names = {f"HEARTHGRAPH_{name.upper()}": value for name, value in settings.items()}
    environment = {**os.environ, "HEARTHGRAPH_STORE": str(store), "HEARTHGRAPH_PORT": "0", **names}
    command = [sys.executable, "-m", "engine.cli.main"]
    if files:
        subprocess.run([*command, "load", *map(str, files)], env=environment, check=True, capture_output=True)
    process = subprocess.Popen([*command, "serve"], env=environment, text=True, stderr=subprocess.PIPE)
    try:
        folder = beside(store)
        until(lambda: process.poll() is not None or (folder / ADDRESS).is_file())
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        url = json.loads((folder / ADDRESS).read_text(encoding="utf-8"))["url"]
        yield Server(url, (folder / TOKEN).read_text(encoding="utf-8").strip(), process)
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.fixture
def pair(tmp_path: Path, repository: Path) -> Iterator[tuple[Server, Server]]:
    """Lab308, served, and the small home that explores it, which has its token."""
    with server(tmp_path / "lab", repository / "data" / "lab308.ttl", callback_hosts="localhost") as lab:
        secrets = tmp_path / "credentials.toml"
        secrets.write_text(f'["{lab.url.removeprefix("http://")}"]\ntoken = "{lab.token}"\n', encoding="utf-8")
        secrets.chmod(0o600)
        settings = {"live": "true", "credentials_file": str(secrets), "poll_seconds": "600"}
        settings["callback_hosts"] = "localhost"
        with server(tmp_path / "home", **settings) as home:
            yield lab, home


@pytest.mark.slow
def test_a_lab_is_explored_acted_upon_over_http_and_heard_of_by_push(pair: tuple[Server, Server]) -> None:
    lab, home = pair
    found = home.explore(f"{lab.url}/workspaces")
    artifacts = f"{lab.url}/workspaces/lab308/artifacts"
    assert sorted(iri.rpartition("/")[2] for iri in found["new"]) == [
        "blinds308#artifact", "light308#artifact", "lightSensor308#artifact", "temperatureSensor308#artifact",
    ]  # fmt: skip
    assert (found["affordances"], found["values"], found["unread"], found["troubles"]) == (12, 5, 0, [])
    assert home.value(f"{artifacts}/light308#properties/on_off") == "off"

    said = home.call("POST", "/requests", json={"text": "it's too dark in here", "consent": "all"}).json()
    until(lambda: lab.value("http://localhost:8080/workspaces/lab308/artifacts/light308#properties/on_off") == "on")
    assert said["status"] == "done", said
    assert "because it makes it brighter" in said["reply"]

    def pushed() -> bool:
        return all(topic["push"] for topic in home.call("GET", "/explorations").json()["followed"])

    until(pushed)
    before = home.call("GET", "/explorations").json()["callbacks"]["heard"]
    lab.call("POST", "/requests", json={"text": "set the brightness of light308 to 21", "consent": "all"})
    until(lambda: home.value(f"{artifacts}/light308#properties/brightness") in ("21", "21.0"))
    after = home.call("GET", "/explorations").json()
    assert after["callbacks"]["heard"] > before
    assert after["callbacks"]["forged"] == 0


@pytest.mark.slow
def test_two_homes_that_explore_each_other_do_not_echo(pair: tuple[Server, Server]) -> None:
    lab, home = pair
    home.explore(f"{lab.url}/workspaces")
    back = lab.explore(f"{home.url}/workspaces")
    assert back["new"] == []
    assert lab.call("GET", "/explorations").status_code == 200
    for where in ("/workspaces", "/.well-known/wot"):
        again = lab.explore(home.url + where)
        assert all(lab.url not in iri for iri in again["new"])
    heard = [one.call("GET", "/explorations").json()["callbacks"]["heard"] for one in (lab, home)]
    lab.call("POST", "/requests", json={"text": "turn on light308", "consent": "all"})
    artifacts = f"{lab.url}/workspaces/lab308/artifacts"
    until(lambda: home.value(f"{artifacts}/light308#properties/on_off") == "on")
    time.sleep(3)
    told = [one.call("GET", "/explorations").json()["callbacks"]["heard"] for one in (lab, home)]
    assert told[0] == heard[0]  # nothing comes back
    assert 1 <= told[1] - heard[1] <= 6  # and it does not go on and on
