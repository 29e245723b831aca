"""Things of yet other hands: what wotpy serves is operated here in words, what is served here is consumed by wotpy.

https://github.com/eclipse-thingweb/wotpy
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.homes import filled
from tests.integration.devices import SAID, THINGS, Served, living
from tests.server.serving import serving

HERE = Path(__file__).parent / "wotpy_peer"
WOTPY = "wotpy==0.18.0"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with wotpy, which brings much that is not needed here; the tests are skipped where it cannot be
    had."""
    folder = tmp_path_factory.mktemp("wotpy")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True, timeout=120)
    command = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", WOTPY]
    fetched = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if fetched.returncode != 0:
        pytest.skip(f"{WOTPY} cannot be fetched: {fetched.stderr[-300:]}")
    return folder / "bin" / "python"


@contextmanager
def wotpy(python: Path, folder: Path, things: list[dict[str, Any]]) -> Iterator[Served]:
    (folder / "things.json").write_text(json.dumps(things), encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [python, HERE / "things.py", folder / "things.json", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield Served(process)
        finally:
            process.kill()


def test_things_of_wotpys_are_operated_in_words(python: Path, tmp_path: Path) -> None:
    with wotpy(python, tmp_path, THINGS) as served:
        files = []
        for number, description in enumerate(served.descriptions):
            files.append(tmp_path / f"thing{number}.jsonld")
            files[-1].write_text(json.dumps(description), encoding="utf-8")
        with living(tmp_path, files) as home:
            assert len(home.registry.things) == len(THINGS)
            for text, done in SAID:
                outcome = home.ask(text, consent=True)
                assert "urn:uuid" not in outcome.reply
                assert "http:" not in outcome.reply
                if "invoke" in done:  # its server takes none without a body
                    assert (outcome.status.value, outcome.reason) == ("failed", "device_failed")
                    continue
                assert outcome.status.value == "done", (text, outcome.reply)
                assert served.next() == done, text
            assert "61.5" in home.ask("what is the humidity of the cellar sensor?").reply


def test_what_is_served_here_is_read_written_and_invoked_by_wotpy(python: Path, tmp_path: Path) -> None:
    with serving(filled(tmp_path / "store", "lab308.ttl")) as served:
        address = f"{served.url}/workspaces/lab308/artifacts/light308"
        served.service.home.ask("turn off the light", consent=True)
        steps: list[list[Any]] = [
            ["read", "on_off"],
            ["write", "on_off", "on"],
            ["read", "on_off"],
            ["invoke", "turn_off"],
            ["read", "on_off"],
        ]
        command = [python, HERE / "consumer.py", address, served.token, *map(json.dumps, steps)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.returncode == 0, done.stdout + done.stderr[-2000:]
        assert [one["value"] for one in told if one.get("read") == "on_off"] == ["off", "on", "off"]
        assert {"written": "on_off"} in told
        assert {"invoked": "turn_off"} in told
