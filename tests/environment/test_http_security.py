"""Whom the engine talks to, and what it shows them: allowed hosts, addresses behind names, secrets."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from engine.environment.binding import Call, Operation
from engine.environment.http.addresses import Hosts
from engine.environment.http.credentials import Credentials, Scheme
from engine.errors import BindingError, SettingError
from engine.graph.terms import Json, NamedNode, Quad
from tests.environment.http_servers import (
    DOCUMENT,
    INTEGER,
    Server,
    Setup,
    form,
    living,
    prop,
    serving,
)

SECRET = "s3cret-value"
LEVEL = prop("level", INTEGER, form("level"))


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as one:
        one.route("GET", "/level", 40)
        yield one


def read(setup: Setup) -> Json:
    return setup.binding.start(Call(Operation.READ, setup.property("level"))).result(10)


def resolving(*addresses: str) -> Hosts:
    async def resolver(host: str, port: int) -> list[str]:
        return list(addresses)

    return Hosts(("hub.local", "other.local:8080"), resolver)


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://localhost:5000/x", True),
        ("http://LOCALHOST./x", True),
        ("http://127.0.0.1/x", True),
        ("http://127.8.8.8/x", True),
        ("http://[::1]:80/x", True),
        ("http://[::ffff:127.0.0.1]/x", True),
        ("http://hub.local/x", True),
        ("https://HUB.local:8443/x", True),
        ("http://other.local:8080/x", True),
        ("http://other.local/x", False),
        ("http://hub.local.evil.example/x", False),
        ("http://evil.example/x", False),
        ("http://192.168.0.7/x", False),
        ("http://10.0.0.1/x", False),
        ("http://169.254.169.254/x", False),
        ("http://0.0.0.0/x", False),
        ("http://2130706433/x", False),
        ("http://0x7f.1/x", False),
        ("http://user:password@localhost/x", False),
        ("http://hub.local@evil.example/x", False),
        ("http://localhost.evil.example/x", False),
    ],
)
def test_this_machine_and_the_hosts_of_the_settings_are_allowed_and_no_other(url: str, allowed: bool) -> None:
    hosts = resolving()
    if allowed:
        hosts.check(httpx.URL(url))
        return
    with pytest.raises(BindingError) as caught:
        hosts.check(httpx.URL(url))
    assert caught.value.reason == "host_not_allowed"
    assert "password" not in caught.value.message.replace("holds a password", "")


ELSEWHERE = ["169.254.169.254", "fe80::1", "fe80::1%eth0", "fd00:ec2::254", "100.100.100.200", "224.0.0.1", "0.0.0.0"]
HERE = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::"]


@pytest.mark.parametrize("address", [*ELSEWHERE, *HERE])
def test_an_allowed_name_that_leads_to_this_machine_or_to_a_clouds_own_address_is_refused(address: str) -> None:
    hosts = resolving("192.168.0.7", address)
    with pytest.raises(BindingError) as caught:
        asyncio.run(hosts.resolve(httpx.URL("http://hub.local/x")))
    assert caught.value.reason == "host_not_allowed"


def test_an_allowed_address_that_is_a_clouds_own_is_refused_all_the_same() -> None:
    with pytest.raises(BindingError):
        Hosts(("169.254.169.254",)).check(httpx.URL("http://169.254.169.254/latest"))


def test_an_allowed_name_may_lead_into_the_home() -> None:
    assert asyncio.run(resolving("192.168.0.7", "fd12::7").resolve(httpx.URL("http://hub.local/"))) == [
        "192.168.0.7",
        "fd12::7",
    ]


def test_a_name_that_leads_elsewhere_a_moment_later_is_not_followed_there(server: Server, tmp_path: Path) -> None:
    asked: list[str] = []

    async def resolver(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    url = f"http://localhost:{server.server_port}"
    with living(tmp_path, url, LEVEL, hosts=Hosts((), resolver)) as setup:
        assert read(setup) == 40
        assert asked == ["localhost"]
        assert server.seen[0].headers["Host"] == f"localhost:{server.server_port}"
        with pytest.raises(BindingError) as caught:
            read(setup)
        assert caught.value.reason == "host_not_allowed"


def test_the_next_address_is_tried_where_one_does_not_take_the_connection(server: Server, tmp_path: Path) -> None:
    async def resolver(host: str, port: int) -> list[str]:
        return ["127.9.9.9", "127.0.0.1"]

    with living(tmp_path, f"http://localhost:{server.server_port}", LEVEL, hosts=Hosts((), resolver)) as setup:
        assert read(setup) == 40


def test_a_name_that_nobody_knows_is_unavailable(tmp_path: Path) -> None:
    async def resolver(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    with living(tmp_path, "http://hub.local", LEVEL, hosts=Hosts(("hub.local",), resolver)) as setup:
        with pytest.raises(BindingError) as caught:
            read(setup)
        assert caught.value.reason == "unavailable"


def test_a_private_address_in_a_description_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with living(tmp_path, "http://192.168.1.1", LEVEL) as setup, pytest.raises(BindingError) as caught:
        read(setup)
    assert caught.value.reason == "host_not_allowed"
    assert "allowed_hosts" in caught.value.remedy


def scheme(kind: str, where: str = "", name: str = "") -> str:
    """A security scheme in Turtle."""
    more = (f' ; wotsec:in "{where}"' if where else "") + (f' ; wotsec:name "{name}"' if name else "")
    return (
        'td:hasSecurityConfiguration "lock" ;'
        f' td:definesSecurityScheme [ a wotsec:{kind}SecurityScheme ; td:hasInstanceConfiguration "lock"{more} ]'
    )


@pytest.mark.parametrize(
    ("security", "entry", "header", "value"),
    [
        (
            scheme("Basic", "header"),
            {"username": "ann", "password": SECRET},
            "Authorization",
            "Basic " + base64.b64encode(f"ann:{SECRET}".encode()).decode(),
        ),
        (scheme("Bearer"), {"token": SECRET}, "Authorization", f"Bearer {SECRET}"),
        (scheme("APIKey", "header", "X-Key"), {"key": SECRET}, "X-Key", SECRET),
        (scheme("APIKey", "cookie", "session"), {"key": SECRET}, "Cookie", f"session={SECRET}"),
        (scheme("APIKey", "query", "key"), {"key": SECRET}, "", ""),
        (scheme("APIKey", "", "key"), {"key": SECRET}, "", ""),
    ],
)
def test_a_secret_goes_where_the_scheme_wants_it_and_into_nothing_else(
    server: Server,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    security: str,
    entry: dict[str, str],
    header: str,
    value: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    credentials = Credentials({f"127.0.0.1:{server.server_port}": entry})
    with living(tmp_path, server.url, LEVEL, security=security, credentials=credentials) as setup:
        assert read(setup) == 40
        if header:
            assert server.seen[0].headers[header] == value
            assert SECRET not in server.seen[0].path
        else:
            assert server.seen[0].path == f"/level?key={SECRET}"
        server.route("GET", "/level", lambda h: h.answer({"message": f"bad key {SECRET} {value}"}, status=500))
        with pytest.raises(BindingError) as caught:
            read(setup)
        quads = "".join(map(str, setup.store.graph(NamedNode(DOCUMENT))))
    coded = base64.b64encode(f"ann:{SECRET}".encode()).decode()
    for text in (str(caught.value), repr(credentials), quads, caplog.text):
        assert SECRET not in text
        assert coded not in text


def test_without_a_secret_nothing_is_sent(server: Server, tmp_path: Path) -> None:
    for credentials in (
        None,
        Credentials({"127.0.0.1": {"key": SECRET}}),
        Credentials({"127.0.0.1:1": {"token": "t"}}),
    ):
        with living(tmp_path, server.url, LEVEL, security=scheme("Bearer"), credentials=credentials) as setup:
            with pytest.raises(BindingError) as caught:
                read(setup)
            assert caught.value.reason == "unauthorized"
            assert "credentials_file" in caught.value.remedy
    assert server.seen == []


def test_a_form_whose_secret_is_there_goes_before_one_whose_secret_is_not(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/open", 41)
    both = (form("level"), form("open", kind="text/plain", more='td:hasSecurityConfiguration "nosec_sc"'))
    with living(tmp_path, server.url, prop("level", INTEGER, *both), security=scheme("Bearer")) as setup:
        assert read(setup) == 41


def test_a_scheme_that_is_not_known_is_no_form_to_use(server: Server, tmp_path: Path) -> None:
    with living(tmp_path, server.url, LEVEL, security=scheme("PSK")) as setup:
        with pytest.raises(BindingError) as caught:
            read(setup)
        assert caught.value.reason == "no_usable_form"


def test_a_secret_does_not_follow_a_redirect_to_another_host(server: Server, tmp_path: Path) -> None:
    with serving() as other:
        other.route("GET", "/level", 41)
        server.route("GET", "/level", lambda h: h.answer(status=302, Location=f"{other.url}/level"))
        credentials = Credentials({"127.0.0.1": {"token": SECRET}})
        with living(tmp_path, server.url, LEVEL, security=scheme("Bearer"), credentials=credentials) as setup:
            assert read(setup) == 41
    assert SECRET in server.seen[0].headers["Authorization"]
    assert other.seen[0].headers["Authorization"] is None


def test_the_secret_of_a_thing_goes_to_its_host_alone() -> None:
    credentials = Credentials({DOCUMENT: {"token": SECRET, "host": "hub.local"}, "other.local": {"token": "other"}})
    bearer = Scheme("lock", "bearer")
    assert SECRET in credentials.secrets(bearer, DOCUMENT, httpx.URL("http://hub.local/x")).texts
    assert "other" in credentials.secrets(bearer, DOCUMENT, httpx.URL("http://other.local/x")).texts
    with pytest.raises(BindingError):
        credentials.secrets(bearer, DOCUMENT, httpx.URL("http://evil.example/x"))


def test_the_credentials_file_is_toml_or_json_and_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "credentials.toml"
    path.write_text(f'["Hub.local"]\ntoken = "{SECRET}"\n', encoding="utf-8")
    path.chmod(0o640)
    with pytest.raises(SettingError, match="chmod 600"):
        Credentials.load(path)
    path.chmod(0o600)
    url = httpx.URL("http://hub.local/")
    assert Credentials.load(path).secrets(Scheme("x", "bearer"), "", url).texts == (SECRET,)
    as_json = tmp_path / "credentials.json"
    as_json.write_text(json.dumps({"hub.local": {"key": SECRET}}), encoding="utf-8")
    as_json.chmod(0o600)
    assert Credentials.load(as_json).secrets(Scheme("x", "apikey", "query", "k"), "", url).query == (("k", SECRET),)
    assert Credentials.load(None).secrets(Scheme("nosec_sc", "nosec"), "", url).texts == ()


@pytest.mark.parametrize(
    "text",
    [
        f"token = {SECRET}",
        f'token = "{SECRET}"',
        f'["hub.local"]\ntokne = "{SECRET}"',
        '["hub.local"]\ntoken = 5',
        f'["hub.local"]\ntoken = "{SECRET}\\r\\nX: y"',
        f'["http://device.example/thing"]\ntoken = "{SECRET}"',
        "\x00",
    ],
)
def test_a_wrong_credentials_file_is_refused_without_a_word_of_what_it_holds(tmp_path: Path, text: str) -> None:
    path = tmp_path / "credentials.toml"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(SettingError) as caught:
        Credentials.load(path)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_missing_credentials_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="cannot be read"):
        Credentials.load(tmp_path / "none.toml")


def test_nothing_of_a_secret_that_stands_in_the_graph_is_used(server: Server, tmp_path: Path) -> None:
    with living(tmp_path, server.url, LEVEL, security=scheme("Bearer")) as setup:
        lock = NamedNode(f"{DOCUMENT}#security/lock")
        token = NamedNode("https://www.w3.org/2019/wot/security#token")
        setup.store.write(insert=[Quad(lock, token, NamedNode("urn:from-the-graph"), NamedNode(DOCUMENT))])
        with pytest.raises(BindingError):
            read(setup)
    assert server.seen == []
