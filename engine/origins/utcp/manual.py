"""A UTCP manual as offers with signifiers, and the requests that its tools are called by.

https://www.utcp.io ; Agentic Web, section 3.1, Listings 6 and 10. Tools over HTTP alone are taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import quote, urlencode

import httpx

from engine.environment.asked import plain
from engine.environment.http.addresses import place_of
from engine.environment.http.content import JSON, media_type
from engine.environment.http.credentials import Credentials, Scheme, Secrets
from engine.environment.http.exchange import Way
from engine.environment.http.requests import HttpRequest
from engine.errors import BindingError, InputError
from engine.graph.terms import Json
from engine.model.exposure import TOOL, Artifact, Exposed, Offer
from engine.model.json_schemas import SchemaRefused, tamed

KIND = "utcp"
MOST = 1_000
METHODS = frozenset(("GET", "POST", "PUT", "DELETE", "PATCH"))
_VARIABLE = re.compile(r"\{([^{}]+)\}")
_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_OWN = frozenset(
    ("host", "connection", "content-length", "transfer-encoding", "authorization", "cookie", "proxy-authorization")
)


async def described(
    exchange: Way, name: str, endpoint: str, secrets: Secrets | None, reach: frozenset[str] | None
) -> Artifact:
    """The manual at an address as an artifact. Raises BindingError, InputError."""
    asked = HttpRequest("GET", httpx.URL(endpoint), (("Accept", JSON),), None, secrets or Secrets(), reach=reach)
    answer = await exchange.send(asked)
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        raise BindingError("The manual is not valid JSON.", reason="bad_answer") from error
    return artifact(name, endpoint, found, answer.headers.get("etag", ""), answer.fresh)


def artifact(name: str, endpoint: str, manual: Any, tag: str = "", seconds: float = 0.0) -> Artifact:
    """A manual as an artifact; tools that cannot be called over HTTP are left out. Raises InputError."""
    if not isinstance(manual, dict) or not isinstance(manual.get("tools"), list):
        raise InputError("This is no UTCP manual.", remedy="Give the address of one, often /utcp.")
    info = manual.get("info") if isinstance(manual.get("info"), dict) else {}
    title = plain(info.get("title")) or name if isinstance(info, dict) else name
    offers = {offer.name: offer for tool in manual["tools"][:MOST] for offer in _offers(name, tool)}
    return Artifact(name, KIND, endpoint, title, tuple(offers.values()), seconds=seconds, tag=tag)


def _offers(name: str, tool: Any) -> Iterator[Offer]:
    template = tool.get("tool_call_template") if isinstance(tool, dict) else None
    if not isinstance(template, dict) or template.get("call_template_type", "http") != "http":
        return
    own, about, url = plain(tool.get("name")), plain(tool.get("description")), template.get("url")
    method = str(template.get("http_method", "GET")).upper()
    if not own or not isinstance(url, str) or method not in METHODS or not _fixed_host(url):
        return
    try:
        inputs, outputs = tamed(tool.get("inputs")), tamed(tool.get("outputs"))
    except SchemaRefused:
        return
    kept = ("content_type", "body_field", "header_fields", "headers", "auth")
    call: dict[str, Json] = {"url": url, "method": method, **{key: template[key] for key in kept if template.get(key)}}
    call["auth"] = _auth(call.get("auth"))
    exposed = _exposed(f"{name}_{own}", about, call, inputs)
    members = _properties(inputs)
    if members and members.keys() == {str(call.get("body_field") or "body")}:
        inputs, call["whole"] = next(iter(members.values())), True  # all that is chosen is the body
    yield Offer(TOOL, own, own, about, exposed, inputs, outputs, call)


def _fixed_host(url: str) -> bool:
    """Whether no argument can move the request to another host."""
    bare = url.partition("{")[0]
    return url.startswith(("http://", "https://")) and ("{" not in url or bare.count("/") >= 3)


def _auth(auth: Json) -> Json:
    """How a tool wants to know who calls: never with which secret; that is in the credentials file alone."""
    if not isinstance(auth, dict):
        return None
    return {key: auth[key] for key in ("auth_type", "var_name", "location", "token_url", "scope") if auth.get(key)}


def _exposed(label: str, about: str, call: Mapping[str, Json], inputs: Mapping[str, Any] | None) -> Exposed:
    """The signifier of a tool: the body has a schema, the address is a URI template."""
    body, names = _body_schema(call, inputs), _query_names(call, inputs)
    target = str(call["url"]) + (f"{{?{','.join(names)}}}" if names else "")
    headers = tuple((str(n), str(v)) for n, v in _members(call.get("headers")) if n.lower() not in _OWN)
    kind = str(call.get("content_type") or JSON) if body is not None else None
    return Exposed(label, about, target, str(call["method"]), kind, headers, body)


def _members(value: Json) -> list[tuple[str, Json]]:
    return list(value.items()) if isinstance(value, dict) else []


def _properties(inputs: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The schemas of the arguments by name; None where the input is one value, which is the body."""
    if inputs is None:
        return {}
    found = inputs.get("properties")
    if isinstance(found, dict):
        return found
    return {} if inputs.get("type") in (None, "object") else None


def _body_schema(call: Mapping[str, Json], inputs: Mapping[str, Any] | None) -> Mapping[str, Json] | None:
    members = _properties(inputs)
    if members is None:
        return inputs
    found = members.get(str(call.get("body_field") or "body"))
    return found if isinstance(found, dict) else None


def _query_names(call: Mapping[str, Json], inputs: Mapping[str, Any] | None) -> list[str]:
    taken = {str(call.get("body_field") or "body"), *_VARIABLE.findall(str(call["url"]))}
    taken |= set(cast("list[str]", call.get("header_fields") or []))
    return [name for name in _properties(inputs) or {} if name not in taken]


# Calling


async def use(
    exchange: Way,
    artifact: Artifact,
    offer: Offer,
    payload: Json,
    credentials: Credentials,
    reach: frozenset[str] | None,
) -> Json:
    """The result of a tool. Raises BindingError."""
    made = request(offer, payload, credentials, artifact.iri, reach)
    answer = await exchange.send(made)
    if not answer.body:
        return None
    text = answer.body.decode("utf-8", "replace")
    if media_type(answer.content_type) == JSON:
        try:
            return cast(Json, json.loads(text))
        except (ValueError, RecursionError) as error:
            raise BindingError("The tool's answer is not valid JSON.", reason="bad_answer") from error
    return text


def request(
    offer: Offer, payload: Json, credentials: Credentials, thing: str, reach: frozenset[str] | None
) -> HttpRequest:
    """The request for a tool call: arguments go into headers, path, body and query, in this order."""
    call = offer.call
    whole = call.get("whole") is True or _properties(offer.input) is None
    left: dict[str, Json] = dict(payload) if isinstance(payload, dict) and not whole else {}
    headers = [(str(n), str(v)) for n, v in _members(call.get("headers")) if _is_header(n)]
    placed = [name for name in cast("list[str]", call.get("header_fields") or []) if name in left and _is_header(name)]
    headers += [(name, _word(left.pop(name))) for name in placed]
    body = payload if whole else left.pop(str(call.get("body_field") or "body"), None)
    url = _address(str(call["url"]), left)
    content: bytes | None = None
    if body is not None:
        kind = str(call.get("content_type") or JSON)
        content = _written(body, kind)
        headers.append(("Content-Type", kind))
    headers.append(("Accept", "application/json, text/plain, */*;q=0.1"))
    return HttpRequest(
        str(call["method"]), url, tuple(headers), content, _secrets(call, credentials, thing, url, reach), reach=reach
    )


def _is_header(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name.lower() not in _OWN


def _address(template: str, left: dict[str, Json]) -> httpx.URL:
    """The address with its variables filled in; remaining arguments are the query."""

    def filled(found: re.Match[str]) -> str:
        if left.get(found.group(1)) is None:
            raise BindingError(f'The tool needs a value for "{found.group(1)}".', reason="missing_value")
        text = _word(left.pop(found.group(1)))
        if text in (".", ".."):
            raise BindingError(f'"{found.group(1)}" cannot be {text!r}.', reason="invalid_value")
        return quote(text, safe="")

    url = _VARIABLE.sub(filled, template)
    pairs = [
        (name, _word(one)) for name, value in left.items() for one in (value if isinstance(value, list) else [value])
    ]
    try:
        return httpx.URL(url + (("&" if "?" in url else "?") + urlencode(pairs) if pairs else ""))
    except httpx.InvalidURL as error:
        raise BindingError("The address of the tool is not one.", reason="no_usable_form") from error


def _word(value: Json) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "".join(c for c in text if c.isprintable())


def _written(body: Json, kind: str) -> bytes:
    if media_type(kind) == "application/x-www-form-urlencoded" and isinstance(body, dict):
        return urlencode({name: _word(value) for name, value in body.items()}).encode()
    if media_type(kind) != JSON and isinstance(body, str):
        return body.encode()
    return json.dumps(body, ensure_ascii=False).encode()


def _secrets(
    call: Mapping[str, Json], credentials: Credentials, thing: str, url: httpx.URL, reach: frozenset[str] | None
) -> Secrets:
    """The credentials for this host, placed as the tool wants them."""
    auth = call.get("auth")
    if not isinstance(auth, dict):
        return Secrets()
    kind = {"api_key": "apikey", "basic": "basic", "oauth2": "oauth2"}.get(str(auth.get("auth_type")), "unknown")
    place, field = str(auth.get("location") or "header"), str(auth.get("var_name") or "")
    name = field or ("X-Api-Key" if kind == "apikey" else "")
    scopes = tuple(str(auth.get("scope") or "").split())
    scheme = Scheme("utcp", kind, place, name, "client", str(auth.get("token_url") or ""), scopes)
    if name.lower() in _OWN - {"authorization"}:
        raise BindingError("The tool wants its key where none may be.", reason="no_usable_form")
    return credentials.secrets(scheme, thing, url, own=reach is not None and place_of(url) not in reach)
