"""Things of other hands: what node-wot serves is operated here in words, what is served here is consumed by node-wot.

https://github.com/eclipse-thingweb/node-wot
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.homes import filled
from tests.integration.devices import SAID, THINGS, Served, living
from tests.integration.fetched import fetched
from tests.server.serving import serving

HERE = Path(__file__).parent / "node_wot"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def peers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """node-wot, fetched once; the tests are skipped where it cannot be."""
    return fetched(HERE, tmp_path_factory.mktemp("peers"))


@contextmanager
def node_wot(peers: Path, things: list[dict[str, Any]]) -> Iterator[Served]:
    (peers / "things.json").write_text(json.dumps(things), encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["node", "things.js", "things.json", str(port)]
    with subprocess.Popen(command, cwd=peers, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield Served(process)
        finally:
            process.kill()


def described(served: Served, folder: Path, content: str | None = None) -> list[Path]:
    """Files with the descriptions, as they are called on this machine; with the forms of one content type alone."""
    files = []
    for number, description in enumerate(served.descriptions):
        text = re.sub(r"http://(\[[^]]+\]|[\d.]+|localhost):", "http://127.0.0.1:", json.dumps(description))
        found = json.loads(text)
        for affordances in (found.get("properties", {}), found.get("actions", {})):
            for one in affordances.values():
                own = {json.dumps(form, sort_keys=True): form for form in one["forms"]}.values()
                one["forms"] = [form for form in own if content is None or form["contentType"] == content]
        found.pop("forms", None)
        files.append(folder / f"thing{number}.jsonld")
        files[-1].write_text(json.dumps(found), encoding="utf-8")
    return files


def until(so: Any) -> None:
    deadline = time.monotonic() + 20
    while not so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("content", ["application/json", "application/cbor"])
def test_things_of_node_wots_are_operated_in_words(peers: Path, tmp_path: Path, content: str) -> None:
    with node_wot(peers, THINGS) as served, living(tmp_path, described(served, tmp_path, content)) as home:
        assert len(home.registry.things) == len(THINGS)
        for text, done in SAID:
            outcome = home.ask(text, consent=True)
            if outcome.status.value != "done" and outcome.reply:
                assert "urn:uuid" not in outcome.reply
                assert "http:" not in outcome.reply
            if done.get("invoke") != "toggle":  # which changes nothing there, and so has no effect
                assert outcome.status.value == "done", (text, outcome.reply)
            assert served.next() == done, text
        assert "61.5" in home.ask("what is the humidity of the cellar sensor?").reply


def test_what_changes_there_is_seen_here_by_long_polling(peers: Path, tmp_path: Path) -> None:
    with node_wot(peers, THINGS[:1]) as served, living(tmp_path, described(served, tmp_path)) as home:
        power = next(iri for iri in home.registry.properties if iri.endswith("properties/power"))
        home.ask("is the desk lamp on?")
        assert home.state[power] is False
        forms = json.loads((tmp_path / "thing0.jsonld").read_text())["properties"]["power"]["forms"]
        target = next(form["href"] for form in forms if "longpoll" not in form.values())
        import httpx

        time.sleep(0.5)  # it is being listened to
        httpx.put(target, json=True, timeout=10).raise_for_status()
        until(lambda: home.state[power] is True)


def test_what_is_served_here_is_read_observed_written_and_invoked_by_node_wot(peers: Path, tmp_path: Path) -> None:
    with serving(filled(tmp_path / "store", "lab308.ttl")) as served:
        address = f"{served.url}/workspaces/lab308/artifacts/light308"
        served.service.home.ask("turn off the light", consent=True)
        steps: list[list[Any]] = [  # node-wot keeps the security of the first form that it uses: so one with a token
            ["invoke", "turn_off"],
            ["read", "on_off"],
            ["observe", "on_off"],
            ["wait", 1000],
            ["write", "on_off", "on"],
            ["wait", 1500],
            ["read", "on_off"],
            ["invoke", "turn_off"],
            ["read", "on_off"],
        ]
        command = ["node", "consumer.js", address, served.token, *map(json.dumps, steps)]
        done = subprocess.run(command, cwd=peers, capture_output=True, text=True, timeout=60, check=False)
        told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        assert done.returncode == 0, done.stdout + done.stderr[-2000:]
        assert [one["value"] for one in told if one.get("read") == "on_off"] == ["off", "on", "off"]
        assert {"written": "on_off"} in told
        assert {"invoked": "turn_off"} in told
        assert {"observed": "on_off", "value": "on"} in told
