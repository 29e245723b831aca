"""A server with what MCP's conformance suite calls by name, over this server's own bridge.

Run: `python -m tests.agents.mcp_everything PORT`, then the suite against http://127.0.0.1:PORT/mcp .
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from typing import Any

import mcp_types as types
from flask import Flask, Response
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.prompts.base import UserMessage
from pydantic import BaseModel, Field

from server.agents.bridge import Bridge
from tests.agents import mcp_asking, mcp_slow

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="


def everything() -> Any:  # noqa: C901 - a list of small tools
    """The server, made with the kit."""
    slow, tasks = mcp_slow.extension()
    server = MCPServer("everything", version="1.0.0", extensions=[slow])
    image = types.ImageContent(type="image", data=PIXEL, mime_type="image/png")

    def embedded(uri: str, kind: str, text: str) -> Any:
        contents = types.TextResourceContents(uri=uri, mime_type=kind, text=text)
        return types.EmbeddedResource(type="resource", resource=contents)

    @server.tool()
    def test_simple_text() -> str:
        """Tests simple text."""
        return "This is a simple text response for testing."

    @server.tool(structured_output=False)
    def test_image_content() -> list[types.ImageContent]:
        """Tests image content."""
        return [image]

    @server.tool(structured_output=False)
    def test_audio_content() -> list[types.AudioContent]:
        """Tests audio content."""
        return [types.AudioContent(type="audio", data=SOUND, mime_type="audio/wav")]

    @server.tool(structured_output=False)
    def test_embedded_resource() -> list[types.EmbeddedResource]:
        """Tests embedded resource."""
        return [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]

    @server.tool(structured_output=False)
    def test_multiple_content_types() -> list[Any]:
        """Tests multiple content types."""
        text = types.TextContent(type="text", text="Multiple content types test:")
        data = json.dumps({"test": "data", "value": 123})
        return [text, image, embedded("test://mixed-content-resource", "application/json", data)]

    @server.tool()
    async def test_tool_with_logging(ctx: Context) -> str:
        """Tests tool with logging."""
        for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await ctx.session.send_log_message("info", text, related_request_id=ctx.request_id)
            await asyncio.sleep(0.05)
        return "Logged."

    @server.tool()
    async def test_tool_with_progress(ctx: Context) -> str:
        """Tests tool with progress."""
        for done in (0, 50, 100):
            await ctx.report_progress(done, 100, f"Completed step {done} of 100")
            await asyncio.sleep(0.05)
        return "Progressed."

    @server.tool()
    async def test_sampling(prompt: str, ctx: Context) -> str:
        """Tests sampling."""
        said = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=prompt))
        found = await ctx.session.create_message([said], max_tokens=100, related_request_id=ctx.request_id)
        return f"LLM response: {getattr(found.content, 'text', '')}"

    class Answer(BaseModel):
        username: str = Field(description="User's response")
        email: str = Field(description="User's email address")

    class Defaults(BaseModel):
        name: str = "John Doe"
        age: int = 30
        score: float = 95.5
        status: str = Field(default="active", json_schema_extra={"enum": ["active", "inactive", "pending"]})
        verified: bool = True

    async def asked(ctx: Any, message: str, schema: dict[str, Any]) -> str:
        found = await ctx.session.elicit_form(message, schema, related_request_id=ctx.request_id)
        return f"action={found.action}, content={json.dumps(found.content)}"

    @server.tool()
    async def test_elicitation(message: str, ctx: Context) -> str:
        """Tests elicitation."""
        return "User response: " + await asked(ctx, message, Answer.model_json_schema())

    @server.tool()
    async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
        """Tests elicitation sep1034 defaults."""
        return "Elicitation completed: " + await asked(ctx, "Please fill in.", Defaults.model_json_schema())

    @server.tool()
    async def test_elicitation_sep1330_enums(ctx: Context) -> str:
        """Tests elicitation sep1330 enums."""
        named = [{"const": f"value{n}", "title": f"{t} Option"} for n, t in enumerate(("First", "Second", "Third"), 1)]
        plain = ["option1", "option2", "option3"]
        schema = {
            "type": "object",
            "properties": {
                "untitledSingle": {"type": "string", "enum": plain},
                "titledSingle": {"type": "string", "oneOf": named},
                "legacyEnum": {
                    "type": "string",
                    "enum": ["opt1", "opt2", "opt3"],
                    "enumNames": ["One", "Two", "Three"],
                },
                "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
                "titledMulti": {"type": "array", "items": {"anyOf": named}},
            },
            "required": [],
        }
        return "Elicitation completed: " + await asked(ctx, "Please choose.", schema)

    @server.tool()
    def test_error_handling() -> str:
        """Tests error handling."""
        raise RuntimeError("This tool intentionally returns an error for testing")

    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        return base64.b64decode(PIXEL)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:  # noqa: A002 - the suite calls it so
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.resource("test://watched-resource", mime_type="text/plain")
    def watched() -> str:
        return "Watched resource content"

    def text_message(text: str) -> Any:
        return UserMessage(content=types.TextContent(type="text", text=text))

    @server.prompt()
    def test_simple_prompt() -> list[Any]:
        """Tests simple prompt."""
        return [text_message("This is a simple prompt for testing.")]

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> list[Any]:
        """Tests prompt with arguments."""
        return [text_message(f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")]

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[Any]:  # noqa: N803
        """Tests prompt with embedded resource."""
        content = embedded(resourceUri, "text/plain", "Embedded resource content for testing.")
        return [UserMessage(content=content), text_message("Please process the embedded resource above.")]

    @server.prompt()
    def test_prompt_with_image() -> list[Any]:
        """Tests prompt with image."""
        return [UserMessage(content=image), text_message("Please analyze the image above.")]

    @server.completion()
    async def complete(ref: Any, argument: Any, context: Any) -> Any:
        return types.Completion(values=[], total=0, has_more=False)

    mcp_asking.add(server)
    mcp_slow.add(server)
    lowlevel = server._lowlevel_server
    tasks.install(lowlevel)
    lowlevel.add_request_handler("logging/setLevel", types.SetLevelRequestParams, acknowledged)
    lowlevel.add_request_handler("resources/subscribe", types.SubscribeRequestParams, acknowledged)
    lowlevel.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, acknowledged)
    return server


async def acknowledged(ctx: Any, params: Any) -> types.EmptyResult:
    """That it was heard."""
    return types.EmptyResult()


def make() -> tuple[Flask, Bridge]:
    """The application: every call goes over the bridge."""
    inner = everything().streamable_http_app(event_store=mcp_asking.Kept(), retry_interval=100)
    bridge = Bridge(inner, lambda: inner.router.lifespan_context(inner))
    app = Flask(__name__)

    @app.route("/mcp", methods=["GET", "POST", "DELETE"])
    def mcp() -> Response:
        return bridge.call({}, lambda: True)

    return app, bridge


if __name__ == "__main__":
    made, _ = make()
    made.run("127.0.0.1", int(sys.argv[1]), threaded=True)
