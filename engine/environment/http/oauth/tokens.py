"""Getting tokens: as a client that is known or makes itself known, with a person's consent or without.

OAuth 2.1 with PKCE, RFC 7591 (registration), RFC 8707 (resources), RFC 9207 (issuers), RFC 7523 (signed names)
"""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from engine.environment.http.credentials import Grant, Registered, Secrets
from engine.environment.http.oauth.discovery import Authority, Send
from engine.environment.http.requests import HttpRequest
from engine.errors import BindingError

NAME = "Hearthgraph"
UNSAID, MARGIN = 3600.0, 10.0
JWT_SECONDS = 120
_ANSWERS = frozenset((400, 401, 403))
_FORM = "application/x-www-form-urlencoded"
_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks for tokens: a name at one issuer, and how it proves that it is its own. `known`: from the file."""

    id: str
    issuer: str
    method: str = "none"
    secret: str = field(default="", repr=False)
    key: str = field(default="", repr=False)
    known: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """A token for a resource, with who gave it to whom, and until when (seconds since 1970) it is good."""

    resource: str
    access: str = field(repr=False)
    refresh: str = field(repr=False)
    until: float
    scopes: tuple[str, ...]
    authority: Authority
    client: Client

    def good(self) -> bool:
        """Whether it has not run out."""
        return time.time() < self.until - MARGIN


@dataclass(frozen=True, slots=True)
class Asked:
    """A consent that a person was asked for at `url`, with the state and verifier for the redirect."""

    url: str
    state: str
    verifier: str = field(repr=False)
    redirect: str
    resource: str
    scopes: tuple[str, ...]
    authority: Authority
    client: Client
    reach: frozenset[str] | None
    at: float


async def registered(
    send: Send, authority: Authority, redirect: str, document: str, reach: frozenset[str] | None
) -> Client:
    """A client that makes itself known: by the address of its document, or by registering. Raises BindingError."""
    if authority.takes_documents and document:
        return Client(document, authority.issuer)
    if not authority.register:
        raise BindingError(
            f"Whoever gives the tokens ({authority.issuer}) has to know Hearthgraph first.",
            remedy="Register it there, and put client_id and client_secret into the credentials file.",
            reason="unauthorized",
        )
    said = {
        "client_name": NAME,
        "redirect_uris": [redirect],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": _method(authority),
        "application_type": "native" if urlsplit(redirect).scheme == "http" else "web",
    }
    headers = (("Accept", "application/json"), ("Content-Type", "application/json"))
    asked = HttpRequest(
        "POST", httpx.URL(authority.register), headers, json.dumps(said).encode(), statuses=_ANSWERS, reach=reach
    )
    answer = await send(asked)
    found = _object(answer.body)
    if answer.status >= 400 or not isinstance(found.get("client_id"), str):
        raise _unauthorized(f"does not register Hearthgraph{_why(found)}")
    method = str(found.get("token_endpoint_auth_method") or said["token_endpoint_auth_method"])
    return Client(found["client_id"], authority.issuer, method, str(found.get("client_secret") or ""))


def known(entry: Registered, authority: Authority) -> Client:
    """The client that the credentials file has for an issuer. Raises BindingError where its key cannot be read."""
    if entry.key_file:
        return Client(entry.client_id, authority.issuer, "private_key_jwt", key=_key(entry.key_file), known=True)
    method = _method(authority) if entry.client_secret else "none"
    return Client(entry.client_id, authority.issuer, method, entry.client_secret, known=True)


def begin(
    authority: Authority,
    client: Client,
    resource: str,
    scopes: tuple[str, ...],
    redirect: str,
    reach: frozenset[str] | None,
) -> Asked:
    """Begins a consent: the address where a person gives it. Raises BindingError where the code could be stolen (no
    PKCE)."""
    if "S256" not in authority.challenges:
        raise _unauthorized("does not protect what a person's consent gives (PKCE)")
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
    mark = base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    said = {
        "response_type": "code",
        "client_id": client.id,
        "redirect_uri": redirect,
        "state": state,
        "code_challenge": mark,
        "code_challenge_method": "S256",
        "resource": resource,
        **({"scope": " ".join(scopes)} if scopes else {}),
    }
    url = str(httpx.URL(authority.authorize).copy_merge_params(said))
    return Asked(url, state, verifier, redirect, resource, scopes, authority, client, reach, time.time())


async def consented(send: Send, asked: Asked, redirected: str) -> Held:
    """The token of a person's consent. Raises BindingError, also where another server answers."""
    given = {name: values[0] for name, values in parse_qs(urlsplit(redirected).query).items()}
    if not compare_digest(given.get("state", "").encode(), asked.state.encode()):
        raise _unauthorized("answers something that nobody asked")
    issuer = given.get("iss")
    if issuer != asked.authority.issuer and (issuer is not None or asked.authority.names_itself):
        raise _unauthorized("is not who was asked")
    if "code" not in given:
        raise _unauthorized(f"gives no token: {given.get('error', 'no reason')[:80]}")
    said = {
        "grant_type": "authorization_code",
        "code": given["code"],
        "redirect_uri": asked.redirect,
        "code_verifier": asked.verifier,
    }
    return await _token(send, said, asked.authority, asked.client, asked.resource, asked.scopes, asked.reach)


async def own(
    send: Send,
    authority: Authority,
    client: Client,
    resource: str,
    scopes: tuple[str, ...],
    reach: frozenset[str] | None,
) -> Held:
    """The token that a client gets for itself (RFC 6749, section 4.4). Raises BindingError."""
    said = {"grant_type": "client_credentials", **({"scope": " ".join(scopes)} if scopes else {})}
    return await _token(send, said, authority, client, resource, scopes, reach)


async def refreshed(send: Send, held: Held, reach: frozenset[str] | None) -> Held:
    """Another token in the place of one that has run out. Raises BindingError."""
    said = {"grant_type": "refresh_token", "refresh_token": held.refresh}
    found = await _token(send, said, held.authority, held.client, held.resource, held.scopes, reach)
    return found if found.refresh else replace(found, refresh=held.refresh)


async def _token(
    send: Send,
    said: Mapping[str, str],
    authority: Authority,
    client: Client,
    resource: str,
    scopes: tuple[str, ...],
    reach: frozenset[str] | None,
) -> Held:
    form, shown = _proven({**said, "resource": resource}, client, authority)
    headers = (("Accept", "application/json"), ("Content-Type", _FORM))
    body = urlencode(form).encode()
    asked = HttpRequest("POST", httpx.URL(authority.token), headers, body, shown, _ANSWERS, reach)
    answer = await send(asked)
    found = _object(answer.body)
    access, kind = found.get("access_token"), str(found.get("token_type", "bearer")).lower()
    sound = isinstance(access, str) and access.isascii() and access.isprintable() and access and kind == "bearer"
    if answer.status >= 400 or not sound:
        raise _unauthorized(f"gives no token{_why(found)}")
    lasts = found.get("expires_in")
    seconds = float(lasts) if isinstance(lasts, int | float) else UNSAID
    given = tuple(str(found["scope"]).split()) if isinstance(found.get("scope"), str) else scopes
    refresh = found.get("refresh_token")
    wanted = tuple(dict.fromkeys((*scopes, *given)))
    return Held(
        resource,
        str(access),
        refresh if isinstance(refresh, str) else "",
        time.time() + seconds,
        wanted,
        authority,
        client,
    )


def _proven(form: Mapping[str, str], client: Client, authority: Authority) -> tuple[dict[str, str], Secrets]:
    """The form with the client's credentials, or the header with them."""
    if client.method == "client_secret_basic":
        return {**form, "client_id": client.id}, Grant("", client.id, client.secret).basic()
    hidden = Secrets(texts=tuple(filter(None, (client.secret,))))
    if client.method == "private_key_jwt":
        proof = {"client_assertion_type": _ASSERTION, "client_assertion": _signed(client, authority)}
        return {**form, "client_id": client.id, **proof}, hidden
    posted = {"client_secret": client.secret} if client.method == "client_secret_post" else {}
    return {**form, "client_id": client.id, **posted}, hidden


def _signed(client: Client, authority: Authority) -> str:
    """A statement of who asks, signed with its key. Raises BindingError where the key is none."""
    import jwt

    now = int(time.time())
    said = {"iss": client.id, "sub": client.id, "aud": authority.issuer, "iat": now, "exp": now + JWT_SECONDS}
    said["jti"] = secrets.token_urlsafe(16)
    for algorithm in ("ES256", "RS256", "EdDSA"):
        try:
            return jwt.encode(said, client.key, algorithm=algorithm)
        except (TypeError, ValueError, jwt.PyJWTError):
            continue
    raise _unauthorized("cannot be shown the key that the credentials file names: it is of no kind that is known")


def _key(name: str) -> str:
    try:
        return Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BindingError(
            "The key that the credentials file names cannot be read.", remedy="Check key_file.", reason="unauthorized"
        ) from error


def _method(authority: Authority) -> str:
    """How a client with a secret proves who it is, in the best way that both know."""
    preferred = ("client_secret_basic", "client_secret_post", "none")
    return next((one for one in preferred if one in authority.methods), "client_secret_basic")


def _object(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _why(found: Mapping[str, Any]) -> str:
    said = "".join(c for c in str(found.get("error", "")) if c.isprintable())[:80]
    return f" ({said})" if said else ""


def _unauthorized(why: str) -> BindingError:
    return BindingError(f"Who gives the tokens {why}.", reason="unauthorized")
