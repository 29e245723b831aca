"""The house as a UTCP manual, and its tools as plain calls of HTTP. https://www.utcp.io"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from engine.errors import InputError
from server import bodies
from server.addresses import base
from server.agents import tools
from server.agents.scopes import house, present

blueprint = Blueprint("agents_manual", __name__)
AUTH = {
    "auth_type": "api_key",
    "api_key": "Bearer ${HEARTHGRAPH_TOKEN}",
    "var_name": "Authorization",
    "location": "header",
}


@blueprint.get("/utcp")
def manual() -> Response:
    """The manual."""
    found = [_tool(tool, base().rstrip("/")) for tool in tools.TOOLS.values()]
    return jsonify({"utcp_version": "1.0.1", "manual_version": "1.0.0", "tools": found})


@blueprint.post("/tools/<name>")
def use(name: str) -> Response:
    """Calls a tool. The token that comes with the call decides on its rights."""
    given = bodies.given() if request.get_data() else {}
    if not isinstance(given, dict):
        raise InputError("Arguments are a JSON object.", remedy="Send one.")
    return jsonify(tools.use(house(), present(), name, given))


def _tool(tool: tools.Tool, address: str) -> dict[str, Any]:
    template = {
        "name": tool.name,
        "call_template_type": "http",
        "http_method": "POST",
        "url": f"{address}/tools/{tool.name}",
        "content_type": "application/json",
        "body_field": "body",
        "auth": AUTH,
    }
    return {
        "name": tool.name,
        "description": tool.description,
        "inputs": {"type": "object", "properties": {"body": tool.schema()}, "required": ["body"]},
        "outputs": {"type": "object"},
        "tags": ["house"],
        "tool_call_template": template,
    }
