"""Generated attacks: no query calls out, no update changes what is the engine's, no malformed call breaks anything."""

from __future__ import annotations

import json
import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.hostile import grammar
from tests.hostile.listening import listening
from tests.server.serving import Serving

ATTACKS, CALLS = int(os.environ.get("ATTACKS", "200")), int(os.environ.get("CALLS", "2500"))


def attacked(house: Serving, number: int, tmp_path: Path) -> None:
    """So many hostile queries, and as many updates with the token."""
    prop = next(iri for iri in house.service.home.state if iri.endswith("brightness"))
    for value in (11, 22, 33):
        house.client.post("/state", json={prop: value}).raise_for_status()
    before = [line for line in house.dump(tmp_path / "before.nq") if "<urn:x>" not in line]
    answered = 0
    with listening() as listener, ThreadPoolExecutor(3) as at:

        def attack(one: int) -> int:
            chance = random.Random(one)
            path = chance.choice(["/sparql", "/search/sparql"])
            asked = house.stranger.post(path, data={"query": grammar.query(chance, listener.url)})
            told = house.client.post("/update", data={"update": grammar.update(chance, listener.url)})
            assert asked.status_code in (200, 400, 422, 503), asked.text
            assert told.status_code in (204, 400, 403, 503), told.text
            return (asked.status_code == 200) + (told.status_code == 204)

        answered = sum(at.map(attack, range(number)))
        assert listener.heard == []
    assert [line for line in house.dump(tmp_path / "after.nq") if "<urn:x>" not in line] == before
    assert len(house.service.home.state.history(prop)) >= 2
    print(f"{2 * number} attacks, of which {answered} were harmless and answered")


def test_no_generated_attack_calls_out_or_changes_what_is_the_engines(house: Serving, tmp_path: Path) -> None:
    attacked(house, 60, tmp_path)


@pytest.mark.slow
def test_no_attack_of_many_does(house: Serving, tmp_path: Path) -> None:
    attacked(house, ATTACKS, tmp_path)


# Malformed calls

LONE = "\ud800"
TEXTS: list[Any] = ["", "x", LONE, "a" * 5000, "\x00", "\u202e", "²", "NaN", "urn:x", "<>", "../..", "kitchen", "None"]
NUMBERS: list[Any] = [0, -1, 10**400, -(10**400), 1e308, 10**18, 2**63, 0.1]
ODD: list[Any] = [None, True, [], {}, [[]], {"": {}}, [None], {"a": [1, {"b": LONE}]}]
PATHS = [
    (
        "POST",
        "/requests",
        ("text", "user", "id", "location", "now", "consent", "conversation", "memory", "path", "home"),
    ),
    ("POST", "/state", ("{property}", "urn:none", LONE)),
    ("POST", "/v1/chat/completions", ("messages", "model", "user", "stream")),
    ("POST", "/home/operate", ("property", "value")),
    ("POST", "/explorations", ("url", "follow", "limits")),
    ("POST", "/requests/none/consent", ("plan_id",)),
    ("POST", "/requests/none/answer", ("text",)),
    ("PUT", "/workspaces/pantry/artifacts/pantry-light/properties/brightness", ("value",)),
    ("POST", "/workspaces/pantry/artifacts/pantry-light/actions/turn_on", ("brightness",)),
    ("POST", "/things", ("@context", "id", "title", "properties", "security", "securityDefinitions", "actions")),
    ("PUT", "/things/urn:test:generated", ("@context", "id", "title", "properties", "security", "registration")),
    ("POST", "/names", ("thing", "name")),
    ("POST", "/imports", ("origin", "home", "answers", "include", "exclude")),
    ("POST", "/preferences", ("user", "text", "records")),
    ("POST", "/experience", ("records", "peer")),
]
READ = [
    "/sparql",
    "/search/jsonpath",
    "/graphs",
    "/why",
    "/home/things",
    "/events",
    "/requests",
    "/things",
    "/workspaces",
]
NAMES = [
    "query",
    "graph",
    "default",
    "node",
    "iri",
    "type",
    "diff",
    "limit",
    "offset",
    "format",
    "sort_by",
    "default-graph-uri",
]
HEADERS = [
    {"Authorization": "Basic \u00ff"},
    {"Authorization": "Bearer"},
    {"Authorization": "Basic Og=="},
    {"Prefer": "wait=\u00b2"},
    {"Accept": "q=;;,/*;q=x"},
    {"Range": "bytes=-x"},
    {"If-Match": '"\u00ff'},
    {"Cookie": "hearthgraph=\u00ff.x.y"},
    {"Last-Event-ID": "9" * 400},
    {"Content-Type": "application/json; charset=\u00ff"},
    {"Content-Type": "application/x-www-form-urlencoded; charset=utf-7"},
]


def value(chance: random.Random, depth: int = 0) -> Any:
    """A JSON value that may be odd in any way."""
    kind = chance.randrange(6 if depth < 3 else 4)
    if kind == 4:
        return [value(chance, depth + 1) for _ in range(chance.randrange(3))]
    if kind == 5:
        return {
            chance.choice([str(one) for one in TEXTS]): value(chance, depth + 1) for _ in range(chance.randrange(3))
        }
    return chance.choice((TEXTS, NUMBERS, ODD, ["turn on the pantry light", "application/json"])[kind])


def called(house: Serving, number: int) -> int:
    """The status of one malformed call."""
    chance = random.Random(number)
    headers = {name: text.encode("latin-1", "replace") for name, text in chance.choice([{}, {}, *HEADERS]).items()}
    client = house.client if chance.random() < 0.8 else house.stranger
    if chance.random() < 0.25:
        parameters = {chance.choice(NAMES): str(value(chance)).encode("utf-8", "surrogatepass") for _ in range(2)}
        path = chance.choice(READ)
        if path == "/events":
            return client.head(path, params=parameters, headers=headers).status_code  # type: ignore[arg-type]
        return client.get(path, params=parameters, headers=headers).status_code  # type: ignore[arg-type]
    method, path, names = chance.choice(PATHS)
    prop = next(iter(house.service.home.state))
    given = {name.replace("{property}", prop): value(chance) for name in names if chance.random() < 0.7}
    body: bytes = json.dumps(given if chance.random() < 0.9 else value(chance)).encode()
    if chance.random() < 0.05:
        body = b"[" * 20_000 + body
    headers = {"Content-Type": b"application/json"} | headers
    if path.startswith("/things"):
        headers["Content-Type"] = b"application/td+json"
    return client.request(method, path, content=body, headers=headers).status_code  # type: ignore[arg-type]


def broken(house: Serving, number: int) -> list[tuple[int, int]]:
    """Which of so many malformed calls broke the server, with their statuses."""
    with ThreadPoolExecutor(3) as at:
        found = at.map(lambda one: (one, called(house, one)), range(number))
        return [(one, status) for one, status in found if status >= 500 and status not in (501, 503)]


def test_no_malformed_call_breaks_the_server(house: Serving) -> None:
    assert broken(house, 400) == []


@pytest.mark.slow
def test_none_of_thousands_of_malformed_calls_does(house: Serving) -> None:
    assert broken(house, CALLS) == []
