"""What an MCP server lists, as offers with signifiers (Agentic Web, section 3.1, Listings 2, 4 and 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.environment.asked import plain
from engine.graph.terms import Json
from engine.model.exposure import RESOURCE, TOOL, Artifact, Exposed, Offer
from engine.model.json_schemas import SchemaRefused, tamed
from engine.origins.mcp import wire

KIND = "mcp"


def artifact(
    name: str,
    endpoint: str,
    about: Mapping[str, Any],
    tools: Sequence[Mapping[str, Any]],
    resources: Sequence[Mapping[str, Any]],
    version: str,
    seconds: float = 0.0,
) -> Artifact:
    """The server as an artifact; tools and resources that cannot be read are left out."""
    info = about.get("serverInfo") or about.get("_meta", {}).get("io.modelcontextprotocol/serverInfo") or {}
    title = plain(info.get("title")) or plain(info.get("name")) or name
    offers = [*_tools(name, endpoint, tools, version), *_resources(name, endpoint, resources, version)]
    unique = list({offer.exposed.label: offer for offer in reversed(offers)}.values())[::-1]
    facts: dict[str, Json] = {"version": version}
    if _tells(about):
        facts["tells"] = True
    return Artifact(name, KIND, endpoint, title, tuple(unique), plain(about.get("instructions")), seconds, facts=facts)


def _tells(about: Mapping[str, Any]) -> bool:
    """Whether the server tells of changes of what it lists."""
    able = about.get("capabilities")
    parts = [able.get(part) for part in ("tools", "resources")] if isinstance(able, dict) else []
    return any(isinstance(part, dict) and part.get("listChanged") is True for part in parts)


def _tools(name: str, endpoint: str, tools: Sequence[Mapping[str, Any]], version: str) -> Iterator[Offer]:
    for tool in tools:
        own, about = plain(tool.get("name")), plain(tool.get("description"))
        try:
            given, output = tamed(tool.get("inputSchema")), tamed(tool.get("outputSchema"))
        except SchemaRefused:
            continue
        if own and (version < wire.MODERN or wire.mirrorable(given)):
            taken = given if given and given.get("properties") else None
            exposed = exposed_tool(name, endpoint, own, about, given, version)
            call: dict[str, Json] = {"tool": own}
            yield Offer(TOOL, own, plain(tool.get("title")) or own, about, exposed, taken, output, call)


def exposed_tool(
    name: str, endpoint: str, tool: str, about: str, given: Mapping[str, Any] | None, version: str
) -> Exposed:
    """The signifier of a tool: a call of JSON-RPC in which the arguments are left to choose (Listing 2)."""
    arguments: dict[str, Any] = {key: value for key, value in (given or {}).items() if key not in ("title", "$schema")}
    arguments = {**arguments, "type": "object", **({"$comment": about} if about else {})}
    params = {
        "type": "object",
        "properties": {"name": {"type": "string", "const": tool}, "arguments": arguments},
        "required": ["arguments", "name"],
    }
    return _exposed(f"{name}_{tool}", about, endpoint, "tools/call", params, version, tool)


def _resources(name: str, endpoint: str, resources: Sequence[Mapping[str, Any]], version: str) -> Iterator[Offer]:
    for resource in resources:
        own, uri = plain(resource.get("name")), plain(resource.get("uri"))
        if own and uri:
            about, kind = plain(resource.get("description")), plain(resource.get("mimeType"))
            exposed = exposed_resource(name, endpoint, own, about, uri, version)
            call: dict[str, Json] = {"uri": uri, "type": kind}
            yield Offer(RESOURCE, own, plain(resource.get("title")) or own, about, exposed, call=call)


def exposed_resource(name: str, endpoint: str, own: str, about: str, uri: str, version: str) -> Exposed:
    """The signifier of a resource: a call that is wholly fixed (Listing 8)."""
    params = {"type": "object", "properties": {"uri": {"type": "string", "const": uri}}, "required": ["uri"]}
    return _exposed(f"{name}_{own}", about, endpoint, "resources/read", params, version, uri)


def _exposed(
    label: str, about: str, endpoint: str, method: str, params: dict[str, Any], version: str, named: str
) -> Exposed:
    headers = [("Accept", wire.ACCEPT), (wire.VERSION_HEADER, version)]
    if version >= wire.MODERN:
        headers += [("Mcp-Method", method), ("Mcp-Name", wire.sendable(named))]
        fixed = {"type": "object", "const": wire.meta(version)}
        params = {
            **params,
            "properties": {**params["properties"], "_meta": fixed},
            "required": [*params["required"], "_meta"],
        }
    body: dict[str, Any] = {
        "type": "object",
        "properties": {
            "jsonrpc": {"type": "string", "const": "2.0"},
            "id": {"type": "integer", "const": 1},
            "method": {"type": "string", "const": method},
            "params": params,
        },
        "required": ["id", "jsonrpc", "method", "params"],
    }
    return Exposed(label, about, endpoint, headers=tuple(headers), schema=body)
