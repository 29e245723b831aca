"""Who guards a resource, and who gives tokens for it, as the two tell it themselves.

RFC 9728 (protected resource metadata), RFC 8414 and OpenID Connect Discovery (authorization server metadata)
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import httpx

from engine.environment.http.addresses import is_this_machine
from engine.environment.http.requests import HttpRequest, HttpResponse
from engine.errors import BindingError

Send = Callable[[HttpRequest], Awaitable[HttpResponse]]
_PAIR = re.compile(r'([A-Za-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))')
_MISSING = frozenset((400, 401, 403, 404, 405, 406, 410, 500, 501))
PROTECTED = "/.well-known/oauth-protected-resource"
SERVER, OPENID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
DEFAULT_METHODS, DEFAULT_GRANTS = ("client_secret_basic",), ("authorization_code", "implicit")


@dataclass(frozen=True, slots=True)
class Protected:
    """The metadata of a protected resource: its name, its authorisation servers, and its scopes."""

    resource: str
    issuers: tuple[str, ...]
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Authority:
    """The metadata of an authorisation server: its endpoints and methods. `names_itself`: its answers carry its issuer
    (RFC 9207)."""

    issuer: str
    authorize: str
    token: str
    register: str = ""
    scopes: tuple[str, ...] = ()
    methods: tuple[str, ...] = DEFAULT_METHODS
    grants: tuple[str, ...] = DEFAULT_GRANTS
    challenges: tuple[str, ...] = ()
    names_itself: bool = False
    takes_documents: bool = False


def challenge(headers: Mapping[str, str]) -> dict[str, str]:
    """The parameters of the Bearer challenge in a refusal (RFC 6750, section 3)."""
    _, bearer, said = headers.get("www-authenticate", "").partition("Bearer")
    if not bearer:
        return {}
    return {found[1].lower(): found[2] if found[2] is not None else found[3] for found in _PAIR.finditer(said)}


async def protected(send: Send, endpoint: httpx.URL, told: str, reach: frozenset[str] | None) -> Protected | None:
    """How a resource tells of itself; None where it does not. Raises BindingError where it speaks of another."""
    for url in _resource_addresses(endpoint, told):
        said = await _read(send, url, endpoint, reach)
        if said is not None:
            resource = str(said.get("resource", ""))
            if not covers(resource, endpoint):
                raise _refused("tells of another resource than the one that was asked for")
            return Protected(resource, _texts(said.get("authorization_servers")), _texts(said.get("scopes_supported")))
    return None


def covers(resource: str, endpoint: httpx.URL) -> bool:
    """Whether a token for a resource is one for an address: of the same origin, at or below its path."""
    try:
        url = httpx.URL(resource)
    except (httpx.InvalidURL, TypeError):
        return False
    same = (url.scheme, url.host.lower(), url.port) == (endpoint.scheme, endpoint.host.lower(), endpoint.port)
    path = url.path.rstrip("/")
    return same and (endpoint.path == path or endpoint.path.startswith(f"{path}/"))


async def authority(send: Send, issuer: str, endpoint: httpx.URL, reach: frozenset[str] | None) -> Authority:
    """Who gives tokens, by its name. Raises BindingError: unauthorized where it cannot be found, or is another."""
    for url in _server_addresses(_url(issuer)):
        said = await _read(send, url, endpoint, reach)
        if said is not None:
            if said.get("issuer") != issuer:
                raise _refused("names someone who gives tokens and who calls itself otherwise")
            return _authority(said, endpoint)
    raise _refused("names someone who gives tokens and who cannot be found")


def _authority(said: Mapping[str, Any], endpoint: httpx.URL) -> Authority:
    found = Authority(
        issuer=str(said["issuer"]),
        authorize=str(said.get("authorization_endpoint", "")),
        token=str(said.get("token_endpoint", "")),
        register=str(said.get("registration_endpoint", "")),
        scopes=_texts(said.get("scopes_supported")),
        methods=_texts(said.get("token_endpoint_auth_methods_supported")) or DEFAULT_METHODS,
        grants=_texts(said.get("grant_types_supported")) or DEFAULT_GRANTS,
        challenges=_texts(said.get("code_challenge_methods_supported")),
        names_itself=said.get("authorization_response_iss_parameter_supported") is True,
        takes_documents=said.get("client_id_metadata_document_supported") is True,
    )
    for address in filter(None, (found.authorize, found.token, found.register)):
        safe(_url(address), endpoint)
    return found


def safe(url: httpx.URL, endpoint: httpx.URL) -> None:
    """Raises BindingError for an address to which no secret may go: one without TLS, unless the resource has none and
    is at the same host, or it is this machine."""
    near = url.host.lower() == endpoint.host.lower() and endpoint.scheme == "http"
    if url.scheme != "https" and not (url.scheme == "http" and (near or is_this_machine(url))):
        raise _refused("wants secrets sent where everybody could read them")


def _resource_addresses(endpoint: httpx.URL, told: str) -> Iterator[httpx.URL]:
    if told:
        yield _url(told)
    root, path = endpoint.copy_with(path="/", query=None, fragment=None), endpoint.path.rstrip("/")
    if path:
        yield root.copy_with(path=PROTECTED + path)
    yield root.copy_with(path=PROTECTED)


def _server_addresses(issuer: httpx.URL) -> Iterator[httpx.URL]:
    path = issuer.path.rstrip("/")
    yield issuer.copy_with(path=SERVER + path)
    yield issuer.copy_with(path=OPENID + path)
    if path:
        yield issuer.copy_with(path=path + OPENID)


async def _read(send: Send, url: httpx.URL, endpoint: httpx.URL, reach: frozenset[str] | None) -> dict[str, Any] | None:
    """A document of metadata; None where there is none."""
    safe(url, endpoint)
    headers = (("Accept", "application/json"),)
    answer = await send(HttpRequest("GET", url, headers, statuses=_MISSING, reach=reach))
    if answer.status >= 400:
        return None
    try:
        said = json.loads(answer.body)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", said) if isinstance(said, dict) else None


def _texts(given: object) -> tuple[str, ...]:
    return tuple(one for one in given if isinstance(one, str)) if isinstance(given, list) else ()


def _url(text: str) -> httpx.URL:
    try:
        return httpx.URL(text)
    except (httpx.InvalidURL, TypeError) as error:
        raise _refused("names an address that is none") from error


def _refused(why: str) -> BindingError:
    return BindingError(f"The host that wants a token {why}.", reason="unauthorized")
