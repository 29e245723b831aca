"""The command line on a store that a server has: the same commands, and what is said of the store."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cli.main import main
from engine.resources import folder
from tests.agents.running import free_port
from tests.stores import Servers

HOUSE = folder("data") / "house.ttl"
Run = Callable[..., Result]


@pytest.fixture
def base(servers: Servers) -> str:
    """The address of a server, its store empty."""
    servers.fresh("oxigraph")
    return servers.server("oxigraph").base


@pytest.fixture
def run(base: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("HEARTHGRAPH_STORE", base)

    def command(*arguments: str | Path, input: str | None = None) -> Result:  # noqa: A002
        result = CliRunner().invoke(main, [str(a) for a in arguments], input=input)
        assert "should not" not in result.output, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return command


def test_a_home_on_a_server_is_loaded_asked_queried_dumped_and_restored(run: Run, tmp_path: Path) -> None:
    assert "62 things, 18 places, 128 values." in run("load", HOUSE).output
    assert "Done: pantry light state on." in run("ask", "--yes", "turn on the pantry light").output
    assert run("ask", "is the pantry light on?").output.startswith("Yes")
    assert "turn on the pantry light" in run("query", folder("queries") / "dialogue" / "latest.rq").output
    lamps = run("query", "-", input="SELECT (COUNT(DISTINCT ?t) AS ?n) { ?t a <https://www.w3.org/2019/wot/td#Thing> }")
    assert lamps.output.split() == ["?n", "62"]
    assert "Written to" in run("dump", tmp_path / "home.nq").output
    assert "Done" in run("ask", "--yes", "turn off the pantry light").output
    assert "Restored from" in run("restore", tmp_path / "home.nq").output
    rows = [json.loads(line) for line in run("things", "--json").output.splitlines()]
    assert next(row["state"]["state"] for row in rows if row["title"] == "pantry light") == "on"


def test_a_dump_moves_a_home_from_a_server_to_a_directory_and_back(run: Run, base: str, tmp_path: Path) -> None:
    run("load", HOUSE)
    run("dump", tmp_path / "one.nq")
    run("--store", tmp_path / "store", "restore", tmp_path / "one.nq")
    run("--store", tmp_path / "store", "ask", "--yes", "turn on the pantry light")
    run("--store", tmp_path / "store", "dump", tmp_path / "two.nq")
    run("restore", tmp_path / "two.nq")
    assert run("ask", "is the pantry light on?").output.startswith("Yes")


def test_what_the_store_is_and_promises_is_told(run: Run, tmp_path: Path) -> None:
    told = run("store").output
    assert "Oxigraph" in told
    assert "whole or not at all" in told
    here = run("--store", tmp_path / "store", "store").output
    assert "no round trip" in here


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"STORE": "http://127.0.0.1:{free}/"}, "cannot be reached"),
        ({"STORE": "ftp://127.0.0.1/home"}, "cannot be used"),
        ({"STORE": "https://me:hunter2@127.0.0.1/home"}, "store_credentials_file"),
        ({"STORE_QUERY_URL": "{base}nowhere"}, "no such endpoint"),
        ({"STORE_UPDATE_URL": "{base}query"}, "hearthgraph: "),
        ({"STORE_SECONDS": "0"}, "cannot be used"),
        ({"STORE_CREDENTIALS_FILE": "/nowhere/secret.toml"}, "cannot be read"),
    ],
)
def test_a_store_that_cannot_be_used_is_told_in_one_line(
    run: Run, base: str, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], told: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(f"HEARTHGRAPH_{name}", value.format(base=base, free=free_port()))
    result = run("things")
    assert result.exit_code == 1
    assert told in result.output
    assert len(result.output.strip().splitlines()) == 1
    assert "hunter2" not in result.output


def test_endpoints_that_lie_elsewhere_are_named_each_by_itself(
    run: Run, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEARTHGRAPH_STORE", "http://127.0.0.1:9/home")
    for name, path in (("QUERY", "query"), ("UPDATE", "update"), ("GRAPHS", "store")):
        monkeypatch.setenv(f"HEARTHGRAPH_STORE_{name}_URL", base + path)
    assert "62 things" in run("load", HOUSE).output
