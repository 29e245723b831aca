"""Security by more than a header: digests that devices challenge for, and tokens that a third address gives."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from engine.environment.binding import Call, Operation
from engine.environment.http.credentials import Credentials
from engine.errors import BindingError
from engine.graph.terms import Json
from tests.environment.http_servers import INTEGER, Handler, Server, Setup, form, living, prop, serving

PASSWORD, NONCE = "s3cret-password", "a-nonce-of-the-device"
LEVEL = prop("level", INTEGER, form("level"))
CLIENT = {"client_id": "hearth graph", "client_secret": PASSWORD}


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as one:
        yield one


def scheme(kind: str, more: str = "") -> str:
    return (
        'td:hasSecurityConfiguration "lock" ;'
        f' td:definesSecurityScheme [ a wotsec:{kind}SecurityScheme ; td:hasInstanceConfiguration "lock"{more} ]'
    )


def oauth(server: Server, flow: str = "client", path: str = "/token") -> str:
    return scheme(
        "OAuth2", f' ; wotsec:flow "{flow}" ; wotsec:token "{server.url}{path}" ; wotsec:scopes "read", "act"'
    )


def read(setup: Setup) -> Json:
    return setup.binding.start(Call(Operation.READ, setup.property("level"))).result(10)


def write(setup: Setup, value: Json) -> Json:
    return setup.binding.start(Call(Operation.WRITE, setup.property("level"), value)).result(10)


def refusal(setup: Setup) -> BindingError:
    with pytest.raises(BindingError) as caught:
        read(setup)
    assert PASSWORD not in str(caught.value)
    return caught.value


# Digest


def challenged(handler: Handler, answer: object, *, name: str = "ann", algorithm: str = "SHA-256") -> None:
    """A device that lets in whoever knows the password, and never sees it (RFC 7616, qop auth)."""
    said = handler.headers.get("Authorization", "")
    fields = dict(re.findall(r'(\w+)="?([^",]+)"?', said))

    def digest(text: str) -> str:
        return hashlib.new(algorithm.replace("-", "").lower(), text.encode()).hexdigest()

    whose = digest(f"{name}:home:{PASSWORD}")
    what = digest(f"{handler.command}:{handler.path}")
    wanted = digest(f"{whose}:{NONCE}:{fields.get('nc')}:{fields.get('cnonce')}:auth:{what}")
    if said.startswith("Digest ") and fields.get("username") == name and fields.get("response") == wanted:
        handler.answer(answer)
    else:
        asked = f'Digest realm="home", qop="auth", algorithm={algorithm}, nonce="{NONCE}"'
        handler.answer({"error": "who?"}, status=401, WWW_Authenticate=asked)


@pytest.mark.parametrize("algorithm", ["MD5", "SHA-256"])
def test_a_digest_is_answered_and_the_password_is_never_sent(server: Server, tmp_path: Path, algorithm: str) -> None:
    server.route("GET", "/level", lambda h: challenged(h, 40, algorithm=algorithm))
    server.route("PUT", "/level", lambda h: challenged(h, None, algorithm=algorithm))
    credentials = Credentials({"127.0.0.1": {"username": "ann", "password": PASSWORD}})
    with living(tmp_path, server.url, LEVEL, security=scheme("Digest"), credentials=credentials) as setup:
        assert read(setup) == 40
        write(setup, 7)
    assert server.count("PUT", "/level") == 2
    assert [one.body for one in server.seen if one.method == "PUT"] == [b"7", b"7"]
    assert PASSWORD not in "".join(f"{one.headers} {one.path}" for one in server.seen)


def test_a_wrong_password_is_tried_once(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/level", lambda h: challenged(h, 40, name="somebody"))
    credentials = Credentials({"127.0.0.1": {"username": "ann", "password": PASSWORD}})
    with living(tmp_path, server.url, LEVEL, security=scheme("Digest"), credentials=credentials) as setup:
        assert refusal(setup).reason == "unauthorized"
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    "challenge", ["Digest", 'Digest realm="x"', 'Digest nonce="", realm="", algorithm=NONE', "Basic x"]
)
def test_a_challenge_that_is_none_is_no_reason_to_fall_over(server: Server, tmp_path: Path, challenge: str) -> None:
    server.route("GET", "/level", lambda h: h.answer(None, status=401, WWW_Authenticate=challenge))
    credentials = Credentials({"127.0.0.1": {"username": "ann", "password": PASSWORD}})
    with living(tmp_path, server.url, LEVEL, security=scheme("Digest"), credentials=credentials) as setup:
        assert refusal(setup).reason in ("unauthorized", "bad_answer")


# OAuth 2.0


def tokens(server: Server, *, seconds: float | None = 3600) -> None:
    """An address that gives a new token each time, and a device that takes the last one."""
    numbers = count(1)

    def give(handler: Handler) -> None:
        server.given = f"token-{next(numbers)}"  # type: ignore[attr-defined]
        handler.answer(
            {"access_token": server.given, "token_type": "Bearer"} | ({"expires_in": seconds} if seconds else {})
        )  # type: ignore[attr-defined]

    def level(handler: Handler) -> None:
        known = handler.headers.get("Authorization") == f"Bearer {server.given}"  # type: ignore[attr-defined]
        handler.answer(40 if known else None, status=200 if known else 401)

    server.given = ""  # type: ignore[attr-defined]
    server.route("POST", "/token", give)
    server.route("GET", "/level", level)


def test_a_token_is_got_with_the_clients_own_name_and_used_until_it_runs_out(server: Server, tmp_path: Path) -> None:
    tokens(server)
    with living(
        tmp_path, server.url, LEVEL, security=oauth(server), credentials=Credentials({"127.0.0.1": CLIENT})
    ) as setup:
        assert [read(setup), read(setup)] == [40, 40]
    asked = [one for one in server.seen if one.method == "POST"]
    assert len(asked) == 1
    assert parse_qs(asked[0].body.decode()) == {"grant_type": ["client_credentials"], "scope": ["act read"]}
    assert asked[0].headers["Authorization"].startswith("Basic ")


def test_a_token_that_is_taken_back_is_replaced_once(server: Server, tmp_path: Path) -> None:
    tokens(server, seconds=None)
    with living(
        tmp_path, server.url, LEVEL, security=oauth(server), credentials=Credentials({"127.0.0.1": CLIENT})
    ) as setup:
        assert read(setup) == 40
        server.given = "another"  # type: ignore[attr-defined]
        assert read(setup) == 40
        server.route("GET", "/level", lambda h: h.answer(None, status=401))
        assert refusal(setup).reason == "unauthorized"
    assert server.count("POST", "/token") <= 3


@pytest.mark.parametrize(
    "answer",
    [
        {"error": "invalid_client"},
        {"access_token": 5},
        {"access_token": "a\r\nX: y"},
        {"access_token": "t", "token_type": "mac"},
        {"access_token": "t", "expires_in": "soon"},
        [],
        "x",
    ],
)
def test_an_address_that_gives_no_token_lets_nobody_in(server: Server, tmp_path: Path, answer: object) -> None:
    server.route("POST", "/token", answer)
    with living(
        tmp_path, server.url, LEVEL, security=oauth(server), credentials=Credentials({"127.0.0.1": CLIENT})
    ) as setup:
        assert refusal(setup).reason == "unauthorized"
    assert server.count("GET", "/level") == 0


def test_an_address_that_gives_tokens_is_allowed_or_it_is_not_asked(server: Server, tmp_path: Path) -> None:
    where = scheme("OAuth2", ' ; wotsec:flow "client" ; wotsec:token "http://192.168.7.7/token"')
    with living(tmp_path, server.url, LEVEL, security=where, credentials=Credentials({"127.0.0.1": CLIENT})) as setup:
        assert refusal(setup).reason == "host_not_allowed"
    assert server.seen == []


def test_a_flow_that_needs_a_person_is_refused_until_there_is_a_token(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/level", 40)
    with living(
        tmp_path, server.url, LEVEL, security=oauth(server, "code"), credentials=Credentials({"127.0.0.1": CLIENT})
    ) as setup:
        assert "Get a token" in refusal(setup).remedy
    ready = Credentials({"127.0.0.1": {"token": "ready"}})
    with living(tmp_path, server.url, LEVEL, security=oauth(server, "code"), credentials=ready) as setup:
        assert read(setup) == 40
    assert server.seen[-1].headers["Authorization"] == "Bearer ready"


def test_a_token_stands_in_no_error_and_no_log(
    server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    tokens(server)
    with living(
        tmp_path, server.url, LEVEL, security=oauth(server), credentials=Credentials({"127.0.0.1": CLIENT})
    ) as setup:
        server.route("GET", "/level", lambda h: h.answer({"error": h.headers["Authorization"]}, status=500))
        error = refusal(setup)
        assert "token-1" not in str(error)
        assert "…" in str(error)
    assert "token-1" not in caplog.text
    assert PASSWORD not in caplog.text


@pytest.mark.parametrize(
    ("kind", "why"), [("PSK", "DTLS"), ("Auto", "the device would have to tell"), ("Combo", "made of nothing")]
)
def test_what_cannot_be_served_says_why(server: Server, tmp_path: Path, kind: str, why: str) -> None:
    with living(tmp_path, server.url, LEVEL, security=scheme(kind)) as setup:
        error = refusal(setup)
        assert error.reason == "no_usable_form"
        assert why in error.message
    assert json.dumps(server.seen) == "[]"


# Combos

PARTS = (
    'td:definesSecurityScheme [ a wotsec:BearerSecurityScheme ; td:hasInstanceConfiguration "bearer" ] ,'
    ' [ a wotsec:APIKeySecurityScheme ; td:hasInstanceConfiguration "key" ; wotsec:in "header" ; wotsec:name "X-Key" ]'
)


def test_all_of_several_schemes_are_served(server: Server, tmp_path: Path) -> None:
    server.route("GET", "/level", 40)
    both = scheme("Combo", ' ; wotsec:allOf "bearer", "key"')
    credentials = Credentials({"127.0.0.1": {"token": "t", "key": "k"}})
    with living(tmp_path, server.url, LEVEL, PARTS, security=both, credentials=credentials) as setup:
        assert read(setup) == 40
    assert (server.seen[0].headers["Authorization"], server.seen[0].headers["X-Key"]) == ("Bearer t", "k")
    with living(
        tmp_path, server.url, LEVEL, PARTS, security=both, credentials=Credentials({"127.0.0.1": {"key": "k"}})
    ) as setup:
        assert refusal(setup).reason == "unauthorized"


def test_of_several_schemes_that_suffice_the_one_is_served_for_which_there_is_a_secret(
    server: Server, tmp_path: Path
) -> None:
    server.route("GET", "/level", 40)
    either = scheme("Combo", ' ; wotsec:oneOf "bearer", "key"')
    with living(
        tmp_path, server.url, LEVEL, PARTS, security=either, credentials=Credentials({"127.0.0.1": {"key": "k"}})
    ) as setup:
        assert read(setup) == 40
    assert "Authorization" not in server.seen[0].headers
    assert server.seen[0].headers["X-Key"] == "k"


@pytest.mark.parametrize(
    "more", [' ; wotsec:allOf "lock"', ' ; wotsec:oneOf "lock", "nobody"', ' ; wotsec:allOf "nobody"']
)
def test_a_combo_of_itself_or_of_nothing_that_is_there_is_refused(server: Server, tmp_path: Path, more: str) -> None:
    with living(tmp_path, server.url, LEVEL, security=scheme("Combo", more)) as setup:
        assert refusal(setup).reason == "no_usable_form"
    assert server.seen == []
