"""Messages of MCP as they go over streamable HTTP: requests, their headers, and what comes back, as JSON or as events.

https://modelcontextprotocol.io/specification/2025-11-25/basic/transports and 2026-07-28, which is stateless
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.environment.http import event_stream
from engine.errors import BindingError
from engine.graph.terms import Json

MODERN, LEGACY = "2026-07-28", "2025-11-25"
SPOKEN = (MODERN, LEGACY, "2025-06-18", "2025-03-26")
"""The revisions that are understood, the newest first."""
CLIENT = {"name": "hearthgraph", "version": "0.1.0"}
ACCEPT = "application/json, text/event-stream"
VERSION_HEADER, SESSION_HEADER = "MCP-Protocol-Version", "Mcp-Session-Id"
_META = "io.modelcontextprotocol/"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_SENDABLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_HEADER = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
DEEPEST = 8
NO_METHOD, UNSUPPORTED = -32601, -32022


class RpcFault(BindingError):
    """The server answered with an error of JSON-RPC; `code` is its code, `data` what it says besides."""

    def __init__(self, message: str, code: int, data: Json = None) -> None:
        super().__init__(message, reason="no_such_command" if code == NO_METHOD else "device_failed")
        self.code, self.data = code, data


def capabilities() -> dict[str, Any]:
    """What this client can: it can be asked back for a form."""
    return {"elicitation": {"form": {}}}


def request(method: str, params: Mapping[str, Any] | None, version: str, number: int = 1) -> dict[str, Any]:
    """A request of JSON-RPC; in the stateless revision who asks stands in each."""
    said: dict[str, Any] = dict(params or {})
    if version >= MODERN:
        said["_meta"] = {**said.get("_meta", {}), **meta(version)}
    whole = {"jsonrpc": "2.0", "id": number, "method": method}
    return {**whole, "params": said} if said else whole


def meta(version: str) -> dict[str, Any]:
    """What the stateless revision has in each request's `_meta`."""
    return {
        f"{_META}protocolVersion": version,
        f"{_META}clientInfo": CLIENT,
        f"{_META}clientCapabilities": capabilities(),
    }


def headers(
    method: str, params: Mapping[str, Any] | None, version: str, schema: Mapping[str, Any] | None = None
) -> tuple[tuple[str, str], ...]:
    """The headers of a request; in the stateless revision method and name stand there, too."""
    found = [("Accept", ACCEPT), ("Content-Type", "application/json"), (VERSION_HEADER, version)]
    if version >= MODERN:
        found.append(("Mcp-Method", method))
        name = (params or {}).get(_NAMED.get(method, ""))
        if isinstance(name, str):
            found.append(("Mcp-Name", sendable(name)))
        found += _mirrored((params or {}).get("arguments"), schema)
    return tuple(found)


def mirrorable(schema: Mapping[str, Any] | None, depth: int = 0) -> bool:
    """Whether what the schema wants in headers can stand there: texts, whole numbers and truths, each in its own."""
    names = [header.lower() for header, kind in _wanted(schema, depth) if _fits(header, kind)]
    return len(names) == len(set(names)) == len(list(_wanted(schema, depth)))


def _fits(header: object, kind: object) -> bool:
    return (
        isinstance(header, str) and _HEADER.fullmatch(header) is not None and kind in ("string", "integer", "boolean")
    )


def _wanted(schema: Mapping[str, Any] | None, depth: int) -> Iterator[tuple[Any, object]]:
    properties = (schema or {}).get("properties")
    for member in properties.values() if isinstance(properties, dict) and depth <= DEEPEST else ():
        if isinstance(member, dict):
            if "x-mcp-header" in member:
                yield member["x-mcp-header"], member.get("type")
            yield from _wanted(member, depth + 1)


def _mirrored(arguments: object, schema: Mapping[str, Any] | None, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The arguments that the schema wants in headers of their own (`x-mcp-header`)."""
    properties = (schema or {}).get("properties")
    if not isinstance(properties, dict) or not isinstance(arguments, dict) or depth > DEEPEST:
        return
    for name, member in properties.items():
        value = arguments.get(name)
        if not isinstance(member, dict) or value is None:
            continue
        header = member.get("x-mcp-header")
        if isinstance(header, str) and _HEADER.fullmatch(header):
            if isinstance(value, bool):
                yield f"Mcp-Param-{header}", "true" if value else "false"
            elif isinstance(value, str | int):
                yield f"Mcp-Param-{header}", sendable(str(value))
        yield from _mirrored(value, member, depth + 1)


def sendable(text: str) -> str:
    """A text as a header may carry it."""
    if _SENDABLE.fullmatch(text) and not text.startswith("=?base64?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def messages(body: bytes, content_type: str) -> list[dict[str, Any]]:
    """The messages of an answer. Raises BindingError (bad_answer)."""
    found: list[dict[str, Any]] = []
    for text in event_stream.texts(body, content_type):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BindingError("The MCP server's answer is not valid JSON.", reason="bad_answer") from error
        found += [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
    return found


def outcome(found: list[dict[str, Any]], number: int) -> dict[str, Any]:
    """The result of the request of that number. Raises RpcFault for an error, BindingError for no answer."""
    for one in found:
        if one.get("id") not in (number, None) or ("result" not in one and "error" not in one):
            continue
        if isinstance(error := one.get("error"), dict):
            raise fault(error)
        result = one.get("result")
        if isinstance(result, dict):
            return result
    raise BindingError("The MCP server answered something else than it was asked.", reason="bad_answer")


def fault(error: Mapping[str, Any]) -> RpcFault:
    """An error of JSON-RPC as ours; what it says is put into one line."""
    said = "".join(c if c.isprintable() else " " for c in str(error.get("message", "")))[:200].rstrip(".")
    code = error.get("code")
    return RpcFault(
        f"The server refused: {said or 'no reason'}.", code if isinstance(code, int) else 0, error.get("data")
    )
