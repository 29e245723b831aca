"""What comes from outside and is wrong: fuzzed calls, malformed bodies, strangers, forged forms, odd names."""

from __future__ import annotations

import json
import os
import random
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.errors import SettingError
from server.keys import Keys
from tests.server.serving import HG, Serving, serving

PANTRY = "/workspaces/pantry/artifacts/pantry-light"
CALLS: list[tuple[str, str, str]] = [
    ("PUT", "/graphs?graph=urn:test:noise", "text/turtle"),
    ("POST", "/graphs?graph=urn:test:noise", "application/n-triples"),
    ("PUT", "/graphs?graph=http%3A%2F%2Fhouse.example%2Fthings%2Fhallway-light", "application/ld+json"),
    ("POST", "/things", "text/turtle"),
    ("POST", "/things", "application/td+json"),
    ("PUT", "/things/urn:test:noise", "application/td+json"),
    ("PATCH", "/things/http:%2F%2Fhouse.example%2Fthings%2Fhallway-light", "application/merge-patch+json"),
    ("POST", "/search/sparql", "application/sparql-query"),
    ("POST", "/things", "application/rdf+xml"),
    ("POST", "/update", "application/sparql-update"),
    ("POST", "/update", "application/x-www-form-urlencoded"),
    ("POST", "/sparql", "application/sparql-query"),
    ("POST", "/state", "application/json"),
    ("POST", "/requests/none/consent", "application/json"),
    ("POST", "/requests", "application/json"),
    ("POST", "/v1/chat/completions", "application/json"),
    ("PUT", "/dump", "application/n-quads"),
    ("POST", "/home/operate", "application/json"),
    ("POST", "/names", "application/json"),
    ("PUT", f"{PANTRY}/properties/state", "application/json"),
    ("POST", f"{PANTRY}/actions/turn_on", "application/json"),
    ("POST", "/hub", "application/x-www-form-urlencoded"),
]
SEEDS = [
    b'{"text": 1}',
    b'{"@context": "https://www.w3.org/2022/wot/td/v1.1", "title": "x"}',
    b'@prefix td: <https://www.w3.org/2019/wot/td#> . <urn:x> a td:Thing ; td:title "x" .',
    b"INSERT DATA { GRAPH <urn:x> { <urn:a> <urn:b> 1 } }",
    b"update=INSERT+DATA+%7B",
    b'<urn:a> <urn:b> "c" .\n',
    b'{"messages": [{"role": "user", "content": {}}]}',
    b'{"property": "x", "value": null}',
    b'["a", {"b": 1}]',
]


def malformed(number: int) -> bytes:
    """A body that nothing can be made of: a seed, broken in a way of its own; some are noise or nested deeply."""
    chance = random.Random(number)
    body = bytearray(SEEDS[number % len(SEEDS)])
    match number % 5:
        case 0:
            return b"<{" + bytes(chance.randrange(256) for _ in range(chance.randrange(200)))
        case 1:
            return b"[" * chance.randrange(100, 100_000)
        case 2:
            return bytes(body[: chance.randrange(len(body))]) + b"\x00\xff<"
    for _ in range(chance.randrange(1, 6)):
        body[chance.randrange(len(body))] = chance.choice(b"\x00{}<>\"'\\\xff.")
    return bytes(body) + b"<{["


@pytest.mark.slow
def test_a_thousand_malformed_bodies_leave_the_store_as_it_was(house: Serving, tmp_path: Path) -> None:
    before = house.dump(tmp_path / "before.nq")
    for number in range(1000):
        method, path, kind = CALLS[number % len(CALLS)]
        answer = house.client.request(method, path, content=malformed(number), headers={"Content-Type": kind})
        assert 400 <= answer.status_code < 500, (number, method, path, answer.status_code, answer.text[:300])
        assert "Traceback" not in answer.text
    assert house.dump(tmp_path / "after.nq") == before


@pytest.mark.slow
def test_schemathesis_finds_nothing_against_the_description(house: Serving, tmp_path: Path) -> None:
    # 501 says that a directory does not offer something; it is no breakdown.
    settings = '[checks]\nnot_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 501]\n'
    (tmp_path / "schemathesis.toml").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{house.url}/openapi.json"]
    command += [
        "-H",
        f"Authorization: Bearer {house.token}",
        "--max-examples",
        os.environ.get("EXAMPLES", "10"),
        "--seed",
        "7",
    ]
    command += ["--request-timeout", "90"]  # the first sentence has the vectors loaded, on however busy a machine
    command += ["--suppress-health-check", "filter_too_much"]  # of random names few can stand in a path
    command += ["--checks", "not_a_server_error,status_code_conformance,content_type_conformance"]
    command += [
        "--exclude-path",
        "/requests/{name}/events",
        "--exclude-path",
        "/events",
        "--exclude-path",
        "/events/{kind}",
        "--exclude-path",
        "/workspaces/{workspace}/artifacts/{artifact}/events/{event}",
        "--exclude-operation-id",
        "restore",
        "--exclude-operation-id",
        "beginExploration",
        "--generation-deterministic",
        "--no-color",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=1200, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


# Strangers


WRITING = [
    ("POST", "/update"),
    ("PUT", "/graphs?graph=urn:x"),
    ("POST", "/graphs?graph=urn:x"),
    ("DELETE", "/graphs?graph=urn:x"),
    ("POST", "/things"),
    ("PUT", "/things/x"),
    ("PATCH", "/things/x"),
    ("DELETE", "/things/x"),
    ("POST", "/state"),
    ("POST", "/requests"),
    ("POST", "/rules"),
    ("POST", "/rules/automations"),
    ("POST", "/requests/x/consent"),
    ("POST", "/requests/x/decline"),
    ("POST", "/requests/x/answer"),
    ("POST", "/requests/x/cancel"),
    ("POST", "/v1/chat/completions"),
    ("GET", "/dump"),
    ("PUT", "/dump"),
    ("POST", "/home/operate"),
    ("PUT", "/workspaces/x/artifacts/x/properties/x"),
    ("POST", "/workspaces/x/artifacts/x/actions/x"),
    ("DELETE", "/workspaces/x/artifacts/x/actions/x/x"),
    ("POST", "/experience/forget"),
    ("POST", "/profiles/forget"),
    ("POST", "/profiles/correct"),
    ("POST", "/people/x"),
    ("DELETE", "/people/x"),
    ("POST", "/experience"),
    ("DELETE", "/experience?all=1"),
    ("DELETE", "/preferences?iri=urn:x"),
    ("GET", "/readings"),
    ("DELETE", "/readings"),
    ("POST", "/imports"),
    ("DELETE", "/rules?iri=urn:x"),
    ("POST", "/coming/switch"),
    ("POST", "/policies"),
    ("DELETE", "/policies?all=1"),
    ("POST", "/policies/add"),
    ("POST", "/policies/remove"),
    ("POST", "/explorations"),
    ("DELETE", "/explorations/x"),
    ("PUT", "/artifacts/x"),
    ("POST", "/artifacts/x/refresh"),
    ("DELETE", "/artifacts/x"),
    ("PUT", "/agents/x"),
    ("DELETE", "/agents/x"),
    ("POST", "/agents/x/token"),
    ("DELETE", "/agents/x/token"),
]


def test_every_call_that_writes_is_among_those_that_strangers_may_not_make(house: Serving) -> None:
    from server.application import create_app

    rules = create_app(house.service).url_map.iter_rules()
    found = {
        (method, re.sub(r"<[^>]+>", "x", rule.rule))
        for rule in rules
        for method in (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
    }
    known = {(method, path.partition("?")[0]) for method, path in WRITING}
    open_to_all = {
        ("POST", "/sparql"),
        ("POST", "/search/sparql"),
        ("POST", "/names"),
        ("POST", "/hub"),
        ("POST", "/sign-in"),
        ("POST", "/sign-out"),
        ("POST", "/callbacks/x"),  # an address that nobody can guess
        # Agents bring tokens of their own, and are told in their own protocol what they may not do.
        *((method, path) for method in ("POST", "DELETE") for path in ("/mcp", "/mcp/")),
        *(("POST", path) for path in ("/a2a", "/a2a/", "/tools/x")),
    }
    direct = {(method, "/graphs/x") for method in ("PUT", "POST", "DELETE")}
    assert found - known - open_to_all - direct == set()


@pytest.mark.parametrize(("method", "path"), WRITING)
@pytest.mark.parametrize("given", ["", "Bearer wrong", "Basic aGVhcnRoOmdyYXBo", "Bearer \u00e9"])
def test_a_stranger_gets_nowhere(house: Serving, method: str, path: str, given: str) -> None:
    headers = {"Content-Type": "application/json"}
    if given:
        headers["Authorization"] = given.encode()  # type: ignore[assignment]
    answer = house.stranger.request(method, path, content="{}", headers=headers)
    assert answer.status_code == 401, answer.text


@pytest.fixture
def browser(house_store: Path, tmp_path: Path) -> Iterator[tuple[Serving, httpx.Client]]:
    """A client with cookies that has signed in, as a browser does."""
    import shutil

    shutil.copytree(house_store, tmp_path / "store")
    with (
        serving(tmp_path / "store") as served,
        httpx.Client(base_url=served.url, follow_redirects=True, timeout=90) as client,
    ):
        client.get("/sign-in", params={"code": served.service.keys.code}).raise_for_status()
        yield served, client


def csrf(client: httpx.Client) -> str:
    found = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/").text)
    assert found is not None
    return found[1]


def _of_somebody_else(served: Serving) -> str:
    with httpx.Client(base_url=served.url, timeout=90) as other:
        return csrf(other)


def test_a_page_writes_with_its_own_token_and_no_forged_one(browser: tuple[Serving, httpx.Client]) -> None:
    served, client = browser
    said = {"text": "turn on the pantry light", "consent": "all"}
    for headers in ({}, {"X-CSRFToken": "forged"}, {"X-CSRFToken": _of_somebody_else(served)}):
        answer = client.post("/requests", json=said, headers=headers)
        assert (answer.status_code, answer.json()["reason"]) == (403, "forged")
    assert client.post("/requests", json=said, headers={"X-CSRFToken": csrf(client)}).json()["status"] == "done"
    cookie = next(iter(client.cookies.jar))
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "Strict"


def test_a_sign_in_link_works_once_and_wrong_tokens_never(browser: tuple[Serving, httpx.Client]) -> None:
    served, _ = browser
    with httpx.Client(base_url=served.url, follow_redirects=True, timeout=90) as other:
        assert other.get("/sign-in", params={"code": ""}).status_code == 403
        form = {"token": "wrong", "csrf_token": csrf(other)}
        assert other.post("/sign-in", data=form).status_code == 403
        assert other.post("/sign-in", data={"token": served.token}).status_code == 403, "without the form's own token"
        signed = other.post("/sign-in", data={"token": served.token, "csrf_token": csrf(other)})
        assert "Sign out" in signed.text
        tries = range(24)  # more than twice as often as may be: a minute may end between
        statuses = {other.get("/sign-in", params={"code": "x"}).status_code for _ in tries}
        assert 429 in statuses


def test_a_call_by_another_name_is_not_answered(house: Serving) -> None:
    for host in ("evil.example", "evil.example:80", "localhost.evil.example"):
        assert house.stranger.get("/things", headers={"Host": host}).status_code == 421
    for host in ("localhost", "127.0.0.1:9", "[::1]:80"):
        assert house.stranger.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/../keys.py",
        "/static/%2e%2e/keys.py",
        "/static/..%2f..%2fpyproject.toml",
        "/graphs/../../etc/passwd",
        "/requests/..%2f..%2fetc%2fpasswd",
        "/things/../../etc/passwd",
        "/things/..%2f..%2fetc%2fpasswd",
        "/home/things?iri=../../etc/passwd",
    ],
)
def test_dots_in_names_lead_nowhere(house: Serving, path: str) -> None:
    raw = subprocess.run(
        ["curl", "-s", "--path-as-is", "-o", "-", "-w", "%{http_code}", house.url + path],
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    ).stdout
    assert raw.endswith("404"), raw
    assert "import" not in raw
    assert "root:" not in raw


def test_every_page_is_sealed(house: Serving) -> None:
    for path in ("/", "/home", "/query", "/things", "/static/app.css", "/nothing"):
        headers = house.stranger.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "http" not in policy
        assert re.search(r"script-src 'self';", policy)
        assert headers["x-content-type-options"] == "nosniff"


def test_calls_are_limited_in_number(house_store: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store", calls_per_second=1) as served:
        answers = [served.stranger.get("/health") for _ in range(30)]
        limited = [answer for answer in answers if answer.status_code == 429]
        assert limited
        assert limited[0].headers["retry-after"] == "1"


# What lies on the disk


def test_secrets_are_for_their_owner_alone(house: Serving, tmp_path: Path) -> None:
    for name in ("token", "sessions"):
        mode = (house.service.keys.folder / name).stat().st_mode
        assert stat.S_IMODE(mode) == 0o600
    dumped = "".join(house.dump(tmp_path / "all.nq"))
    assert house.token not in dumped
    keys = Keys(tmp_path / "other")
    assert keys.fresh
    assert not Keys(tmp_path / "other").fresh
    (keys.folder / "token").chmod(0o644)
    with pytest.raises(SettingError, match="can be read by others"):
        Keys(tmp_path / "other")


def test_what_goes_wrong_is_told_in_one_shape(house: Serving) -> None:
    told: dict[str, Any] = house.stranger.get("/graphs", params={"graph": "urn:none"}).json()
    assert list(told) == ["status", "title", "detail", "reason", "message", "remedy"]
    assert json.dumps(told)
    assert house.stranger.delete("/things/x").status_code == 401
    assert house.client.patch("/things").headers["allow"]
    assert HG in house.stranger.get("/graphs", params={"graph": f"{HG}graph/state"}).text
