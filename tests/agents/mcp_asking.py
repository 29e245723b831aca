"""Tools that MCP's conformance suite calls by name: they ask back, need abilities of the client, or take headers."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp_types as types
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.tools.base import Tool
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.shared.exceptions import MCPError

SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


class Kept(EventStore):
    """The events of streams that may be resumed."""

    def __init__(self) -> None:
        self._events: list[tuple[str, Any]] = []

    async def store_event(self, stream_id: str, message: Any) -> str:
        """Keeps an event; its number."""
        self._events.append((stream_id, message))
        return str(len(self._events))

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        """Sends what its stream had after an event."""
        if not last_event_id.isdigit() or not 0 < int(last_event_id) <= len(self._events):
            return None
        stream = self._events[int(last_event_id) - 1][0]
        for number, (name, message) in enumerate(self._events, start=1):
            if name == stream and number > int(last_event_id) and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


def form(message: str, name: str, kind: str = "string") -> Any:
    """A question for one thing."""
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sampled(text: str) -> Any:
    """A question for the client's model."""
    said = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[said], max_tokens=100))


def asked(state: str | None = None, **requests: Any) -> types.InputRequiredResult:
    """What asks for these."""
    return types.InputRequiredResult(input_requests=requests, request_state=state)


def given(ctx: Any, name: str) -> Any:
    """What was answered, as a form or otherwise; None where it was not."""
    found = (ctx.input_responses or {}).get(name)
    return getattr(found, "content", None) or found


def add(server: MCPServer) -> None:
    """Adds the tools to a server."""
    _asking(server)
    _asking_for_more(server)
    _in_rounds(server)
    _others(server)


def _asking(server: MCPServer) -> None:
    roots = types.ListRootsRequest()

    @server.tool()
    def test_input_required_result_elicitation(ctx: Context) -> str | types.InputRequiredResult:
        """Asks for a name."""
        answer = given(ctx, "user_name")
        return f"Hello, {answer['name']}!" if answer and "name" in answer else asked(user_name=form("Who?", "name"))

    @server.tool()
    def test_input_required_result_sampling(ctx: Context) -> str | types.InputRequiredResult:
        """Asks the model of the client."""
        answer = given(ctx, "capital_question")
        return str(answer) if answer else asked(capital_question=sampled("What is the capital of France?"))

    @server.tool()
    def test_input_required_result_list_roots(ctx: Context) -> str | types.InputRequiredResult:
        """Asks for roots."""
        answer = given(ctx, "client_roots")
        return str(answer) if answer else asked(client_roots=roots)


def _asking_for_more(server: MCPServer) -> None:
    roots = types.ListRootsRequest()

    @server.tool()
    def test_input_required_result_multiple_inputs(ctx: Context) -> str | types.InputRequiredResult:
        """Asks for three things at once."""
        names = ("user_name", "greeting", "client_roots")
        if all(given(ctx, name) for name in names):
            return "All is there."
        requests = (form("Who?", "name"), sampled("Generate a greeting"), roots)
        return asked("three", **dict(zip(names, requests, strict=True)))

    @server.tool()
    def test_input_required_result_capabilities(ctx: Context) -> str | types.InputRequiredResult:
        """Asks for what the client is able to."""
        able, requests = ctx.client_capabilities, {}
        if able is not None and able.sampling is not None:
            requests["question"] = sampled("What is the capital of France?")
        if able is not None and able.elicitation is not None:
            requests["name"] = form("Who?", "name")
        return asked(**requests) if requests else "Nothing can be asked."

    @server.tool()
    def test_streaming_elicitation(ctx: Context) -> str | types.InputRequiredResult:
        """Asks for a name."""
        return "Named." if given(ctx, "name") else asked(name=form("Who?", "name"))

    @server.prompt()
    def test_input_required_result_prompt(ctx: Context) -> Any:
        """Asks for the context of a prompt."""
        answer = given(ctx, "user_context")
        return f"Use {answer['context']}." if answer else asked(user_context=form("Which context?", "context"))


def _in_rounds(server: MCPServer) -> None:
    confirm = form("Please confirm", "ok", "boolean")

    @server.tool()
    def test_input_required_result_request_state(ctx: Context) -> str | types.InputRequiredResult:
        """Asks once, and knows its state again."""
        return "state-ok" if ctx.request_state == "confirming" else asked("confirming", confirm=confirm)

    @server.tool()
    def test_input_required_result_tampered_state(ctx: Context) -> str | types.InputRequiredResult:
        """Asks once; its state is sealed by the kit."""
        return "state-ok" if ctx.request_state == "sealed" else asked("sealed", confirm=confirm)

    @server.tool()
    def test_input_required_result_multi_round(ctx: Context) -> str | types.InputRequiredResult:
        """Asks twice."""
        if ctx.request_state == "second":
            return "Done."
        if ctx.request_state == "first":
            return asked("second", step2=form("Step 2: What is your favorite color?", "color"))
        return asked("first", step1=form("Step 1: What is your name?", "name"))


def _others(server: MCPServer) -> None:
    @server.tool()
    def test_missing_capability(ctx: Context) -> str:
        """Needs a client that can sample."""
        able = ctx.client_capabilities
        if able is None or able.sampling is None:
            needed = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "This needs sampling.", needed)
        return "Sampling is declared."

    @server.tool()
    async def test_logging_tool(ctx: Context) -> str:
        """Logs."""
        await ctx.session.send_log_message("info", "at it", related_request_id=ctx.request_id)
        return "Logged."

    @server.tool()
    async def test_trigger_tool_change(ctx: Context) -> str:
        """Says that its tools have changed."""
        await ctx.notify_tools_changed()
        return "Changed."

    @server.tool()
    async def test_trigger_prompt_change(ctx: Context) -> str:
        """Says that its prompts have changed."""
        await ctx.notify_prompts_changed()
        return "Changed."

    @server.tool()
    async def test_reconnection(ctx: Context) -> str:
        """Ends its stream, and goes on when it is asked for again."""
        await ctx.session.send_log_message("info", "before", related_request_id=ctx.request_id)
        await ctx.close_sse_stream()
        await asyncio.sleep(0.2)
        await ctx.session.send_log_message("info", "after", related_request_id=ctx.request_id)
        return "Reconnected."

    def json_schema_2020_12_tool() -> str:
        """Tool with JSON Schema 2020-12 features."""
        return "ok"

    def test_headers(region: str) -> str:
        """Takes an argument that stands in a header, too."""
        return region

    headed = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    for function, schema in ((json_schema_2020_12_tool, SCHEMA_2020_12), (test_headers, headed)):
        made = Tool.from_function(function)
        server._tool_manager._tools[made.name] = made.model_copy(update={"parameters": schema})
