"""The command line where a server owns the store: it asks that, and says the same words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from engine.cli.main import main
from engine.cli.through import beside
from engine.origins.homebench.homes import read_homes
from engine.resources import folder
from tests.homes import filled
from tests.hostile.processes import start
from tests.origins import ha_house, small_home


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A store that a server in another process owns, and where that answers."""
    store = filled(tmp_path_factory.mktemp("owned") / "store", "lab308.ttl")
    process, url, _ = start(store)
    yield store, url
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 0, "a stop is graceful"
    assert not (beside(store) / "address.json").exists()
    assert not list((beside(store)).glob("copies/*"))


def run(store: Path, *arguments: str, **more: str) -> Result:
    return CliRunner().invoke(main, ["--store", str(store), *arguments], **more)


def test_it_asks_and_consents_and_converses(served: tuple[Path, str]) -> None:
    store, _ = served
    assert run(store, "ask", "turn on the light", "--yes").output.startswith("Done")
    assert run(store, "ask", "turn off the light", input="yes\n").output.splitlines()[-1].startswith("Done")
    assert run(store, "ask", "turn on the light", input="no\n").exit_code == 3
    assert json.loads(run(store, "ask", "is the light on?", "--json").output)["status"] == "answered"
    said = run(store, "talk", input="turn on the light\nyes\nis the light on?\n").output.splitlines()
    assert said[1].endswith("Shall I?")
    assert said[2].startswith("Done")
    assert said[3].startswith("Yes")


def test_it_loads_lists_and_queries(served: tuple[Path, str], tmp_path: Path) -> None:
    store, _ = served
    assert "4 things" in run(store, "load", str(folder("data") / "lab308.ttl")).output
    broken = tmp_path / "broken.ttl"
    broken.write_text("oops", encoding="utf-8")
    refused = run(store, "load", str(broken), str(tmp_path / "none.ttl"))
    assert refused.exit_code == 1
    rows = [json.loads(line) for line in run(store, "things", "--json").output.splitlines()]
    assert "Light308" in [row["title"] for row in rows]
    assert json.loads(run(store, "things", "--td", rows[0]["iri"]).output)["title"] == rows[0]["title"]
    assert "@prefix" in run(store, "things", "--td", rows[0]["iri"], "--format", "turtle").output
    query = "SELECT ?t { ?s <https://www.w3.org/2019/wot/td#title> ?t }"
    assert '"Light308"' in run(store, "query", "-", input=query).output
    bad = run(store, "query", "-", input="SELECT {")
    assert (bad.exit_code, len(bad.output.strip().splitlines()) > 0, "Traceback" in bad.output) == (1, True, False)


def test_it_dumps_and_restores(served: tuple[Path, str], tmp_path: Path) -> None:
    store, _ = served
    run(store, "ask", "turn off the light", "--yes")
    assert run(store, "dump", str(tmp_path / "all.nq")).exit_code == 0
    run(store, "ask", "turn on the light", "--yes")
    assert run(store, "restore", str(tmp_path / "all.nq")).exit_code == 0
    assert run(store, "ask", "is the light on?").output.startswith("No")


def test_a_second_server_is_refused_with_the_remedy(served: tuple[Path, str]) -> None:
    store, url = served
    command = [sys.executable, "-m", "engine.cli.main", "--store", str(store), "serve"]
    repository = str(Path(__file__).resolve().parents[2])
    environment = os.environ | {"HEARTHGRAPH_PORT": "0", "PYTHONPATH": repository}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert done.returncode == 1
    assert "in use by another process" in done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads((beside(store) / "address.json").read_text(encoding="utf-8"))["url"] == url


def test_what_a_killed_server_left_behind_is_no_hindrance(tmp_path: Path) -> None:
    store = filled(tmp_path / "store", "lab308.ttl")
    process, _, _ = start(store)
    process.kill()
    process.wait(timeout=10)
    assert (beside(store) / "address.json").exists()
    assert run(store, "ask", "turn on the light", "--yes").output.startswith("Done")


def test_policies_experience_and_reasons_go_through_it(served: tuple[Path, str], tmp_path: Path) -> None:
    store, _ = served
    file = tmp_path / "policies.ttl"
    file.write_text(
        "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix hg: <https://w3id.org/hearthgraph#> . "
        '<urn:glare> a sh:NodeShape ; sh:targetClass hg:Light ; sh:message "No glare." ; '
        "sh:property [ sh:path hg:Brightness ; sh:maxInclusive 50 ] ."
    )
    assert run(store, "policy", "add", str(file)).output == "1 policy added.\n"
    assert run(store, "policy", "list").output == "urn:glare: No glare.\n"
    assert "No glare." in run(store, "ask", "set brightness to 80", "--yes").output
    assert "No glare." in run(store, "why").output
    assert run(store, "policy", "remove", "urn:other").exit_code == 1
    assert run(store, "policy", "remove", "urn:glare").output == "1 policy taken away.\n"
    assert run(store, "ask", "set brightness to 80", "--yes").output.startswith("Done")
    assert run(store, "experience", "export", str(tmp_path / "all.json")).exit_code == 0
    kept = json.loads((tmp_path / "all.json").read_text())
    assert f"{len(kept)} signifiers forgotten" in run(store, "experience", "forget", "--all").output
    assert f"{len(kept)} signifiers taken in" in run(store, "experience", "import", str(tmp_path / "all.json")).output
    assert "set brightness to 80" in run(store, "experience", "list").output
    assert run(store, "policy", "add", str(tmp_path / "none.ttl")).exit_code == 1


def test_homes_of_other_origins_come_in_through_it(served: tuple[Path, str], tmp_path: Path) -> None:
    store, _ = served
    homes = small_home.write(tmp_path / "homes.jsonl", [small_home.HOME])
    taken = run(store, "import", "homebench", "--homes", str(homes), "--home", "7")
    number = len(next(read_homes(homes)).things)
    assert taken.output == f"homebench: home 7, {number} things.\n"
    folder = ha_house.written(ha_house.house(), tmp_path / "mill")
    through = run(store, "import", "home-assistant", "--snapshot", str(folder), "--exclude", "light.*")
    alone = run(tmp_path / "alone", "import", "home-assistant", "--snapshot", str(folder), "--exclude", "light.*")
    assert through.output == alone.output
    assert "0 things" not in through.output
    titles = [json.loads(line)["title"] for line in run(store, "things", "--json").output.splitlines()]
    assert len(titles) > 4 + number
    assert run(store, "import", "homebench", "--homes", str(homes), "--home", "8").exit_code == 1


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"origin": "elsewhere"},
        {"origin": "homebench", "home": {"home_id": 1}},
        {"origin": "homebench", "home": 7},
        {"origin": "home-assistant"},
        {"origin": "home-assistant", "answers": {"states": 7, "services": []}},
        {"origin": "home-assistant", "answers": {"states": [], "services": {}}, "include": "light.*"},
    ],
)
def test_what_is_no_home_is_refused(served: tuple[Path, str], body: object) -> None:
    store, url = served
    token = (beside(store) / "token").read_text(encoding="utf-8").strip()
    answer = httpx.post(f"{url}/imports", json=body, headers={"Authorization": f"Bearer {token}"}, timeout=60)
    assert (answer.status_code, answer.json()["reason"]) == (400, "bad_input")


def test_rules_go_out_and_come_in_and_are_played_ahead(served: tuple[Path, str], tmp_path: Path) -> None:
    store, _ = served
    assert run(store, "ask", "turn off Light308", "--yes").exit_code == 0
    asked = run(store, "ask", "in ten minutes turn on Light308", "--yes")
    assert asked.exit_code == 0, asked.output
    assert "turn on Light308: done" in run(store, "rules", "tomorrow").output, asked.output
    out = tmp_path / "automations.yaml"
    exported = run(store, "rules", "export", "--out", str(out))
    assert exported.exit_code == 0, exported.output
    assert isinstance(json.loads(out.read_text()), list)
    out.write_text(
        '[{"alias": "x", "trigger": [{"platform": "template", "value_template": "{{ true }}"}], "action": []}]'
    )
    imported = run(store, "rules", "import", str(out))
    assert imported.exit_code == 0, imported.output
    assert "0 rules made." in imported.output
