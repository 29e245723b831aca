"""The house as an MCP server: a few tools that stay, those that an agent was shown, and its state as resources.

https://modelcontextprotocol.io/specification/2026-07-28 and 2025-11-25; both are spoken by the official kit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest, new
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import anyio

from engine.errors import HearthgraphError, InputError
from engine.model.exposure import Exposed
from server.agents import tools
from server.agents.callers import ASK, READ, Caller
from server.agents.house import House
from server.agents.names import label_of, name_of

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.server.lowlevel import Server

    from server.agents.mcp.tasks import Tasks

SCHEME = "house://"
THINGS, RULES = f"{SCHEME}things", f"{SCHEME}rules"
CALLER = "hearthgraph.caller"
TTL = 5_000
"""Milliseconds for which what is listed is good."""
PAGE = 500
SIGNIFIER = "signifier:"
ASKING = frozenset(("clarify", "input_required"))
ROUNDS = 3
"""How often an agent is asked back within one call."""
INSTRUCTIONS = (
    "This is a house. Say what you want with `ask`; an order becomes a plan, which you consent to by its plan_id. With "
    "`query_things` and `state` you see what there is. What others offer here is found with `find_signifiers`."
)


class HouseServer:
    """The handlers of the kit's server, for one house."""

    def __init__(self, house: House, secret: str) -> None:
        self._house, self._secret = house, secret.encode()
        self._subscribed: dict[str, set[Any]] = {}
        self._tasks: Tasks

    def server(self, **more: Any) -> Server[Any]:
        """A server of the kit, with these handlers."""
        from mcp.server.caching import CacheHint
        from mcp.server.lowlevel import Server

        from server.agents.mcp.tasks import Tasks

        private = CacheHint(ttl_ms=TTL, scope="private")
        made: Server[Any] = Server(
            "hearthgraph",
            version="0.1.0",
            title="House",
            instructions=INSTRUCTIONS,
            cache_hints={
                "tools/list": CacheHint(ttl_ms=0, scope="private"),  # what an agent was shown is its tools at once
                "resources/list": private,
                "resources/templates/list": private,
                "resources/read": CacheHint(ttl_ms=0, scope="private"),
                "server/discover": private,
            },
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_subscribe_resource=self.subscribe,
            on_unsubscribe_resource=self.unsubscribe,
            **more,
        )
        self._tasks = Tasks(lambda ctx: caller_of(ctx).name)
        self._tasks.install(made)
        return made

    # Tools

    async def list_tools(self, ctx: Any, params: Any) -> types.ListToolsResult:  # noqa: ARG002
        """The house's own tools, and a tool for each signifier that this agent was shown last."""
        import mcp_types as types

        caller = caller_of(ctx)
        own = [
            types.Tool(
                name=tool.name,
                description=tool.description,
                input_schema=tool.schema(),
                annotations=types.ToolAnnotations(read_only_hint=tool.reads, destructive_hint=not tool.reads),
            )
            for tool in tools.TOOLS.values()
        ]
        return types.ListToolsResult(tools=own + [_tool(one) for one in self._house.agents.shown(caller)])

    async def call_tool(self, ctx: Any, params: Any) -> Any:
        """The result of a tool call, or a task where it takes long and the client supports tasks."""
        return await self._tasks.answered(ctx, params, lambda said: self._called(ctx, said))

    async def _called(self, ctx: Any, params: Any) -> Any:
        """The result of a tool call; where the house asks back, the agent is asked."""
        caller, arguments = caller_of(ctx), dict(params.arguments or {})
        answer = self._answered(caller, params)
        try:
            if answer is not None:
                found = await anyio.to_thread.run_sync(self._resumed, caller, *answer)
            else:
                found = await anyio.to_thread.run_sync(self._used, caller, params.name, arguments)
            return await self._asked_back(ctx, caller, _open(params.name, arguments, found), found)
        except HearthgraphError as error:
            return _result({"status": "refused", "reason": error.reason, "message": str(error)}, wrong=True)

    def _used(self, caller: Caller, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if name in tools.TOOLS:
            return tools.use(self._house, caller, name, arguments)
        found = next((one for one in self._house.agents.shown(caller) if one.label == label_of(name)), None)
        if found is None:
            raise InputError(f"There is no tool {name[:80]}.", remedy="Read your signifiers.", reason="no_such_command")
        given: Any = dict(arguments)
        if not _is_object(found):
            given = given.get("value")
        return self._house.signified(caller, found, given or None if found.takes is None else given)

    def _resumed(self, caller: Caller, request: str, text: str) -> dict[str, Any]:
        """Passes an answer to the request, or to the signifier's artifact, that asked."""
        if request.startswith(SIGNIFIER):
            label = request.removeprefix(SIGNIFIER)
            return tools.use(self._house, caller, "use_signifier", {"label": label, "answer": text})
        turn = self._house.talks.sought(request)
        if turn is None or self._house.agents.asked_by(request) != caller.name:
            raise InputError("Nothing was asked there.", remedy="Ask again.", reason="no_such_request")
        caller.need(ASK)
        return self._house.said(self._house.replied(caller, turn, text))

    async def _asked_back(self, ctx: Any, caller: Caller, about: str | None, found: dict[str, Any]) -> Any:
        """Where the house, or an artifact, asks for more: asks through the agent, as far as its client supports
        that."""
        for _ in range(ROUNDS):
            if about is None or found.get("status") not in ASKING or not _can_be_asked(ctx):
                break
            if ctx.protocol_version >= "2026-07-28":
                return self._input_required(caller, about, found)
            said = await ctx.session.elicit_form(str(found["question"]), _FORM, related_request_id=ctx.request_id)
            text = (said.content or {}).get("answer") if said.action == "accept" else None
            if not isinstance(text, str):
                break
            found = await anyio.to_thread.run_sync(self._resumed, caller, about, text)
        return _result(found, wrong=found.get("status") in ("refused", "failed"))

    def _input_required(self, caller: Caller, about: str, found: Mapping[str, Any]) -> Any:
        import mcp_types as types

        asked = types.ElicitRequest(
            params=types.ElicitRequestFormParams(message=str(found["question"]), requested_schema=_FORM)
        )
        return types.InputRequiredResult(input_requests={"answer": asked}, request_state=self._sealed(caller, about))

    def _answered(self, caller: Caller, params: Any) -> tuple[str, str] | None:
        """The request that an answer belongs to, and the answer; None where this is a first call."""
        state, responses = params.request_state, params.input_responses
        if state is None:
            return None
        request, _, mark = state.rpartition("|")
        if not compare_digest(self._sealed(caller, request), f"{request}|{mark}"):
            raise _invalid("The state is not one of this server.")
        given = (responses or {}).get("answer")
        content = getattr(given, "content", None) or {}
        text = content.get("answer")
        return request, text if isinstance(text, str) else "never mind"

    def _sealed(self, caller: Caller, request: str) -> str:
        mark = new(self._secret, f"{caller.name}\n{request}".encode(), sha256).hexdigest()
        return f"{request}|{mark}"

    # Resources

    async def list_resources(self, ctx: Any, params: Any) -> types.ListResourcesResult:  # noqa: ARG002
        """The readable resources: the things, the rules, and each thing's state."""
        import mcp_types as types

        caller_of(ctx).need(READ)
        found = [
            types.Resource(uri=THINGS, name="things", description="The things of the house.", mime_type=JSON),
            types.Resource(uri=RULES, name="rules", description="What must not happen.", mime_type=JSON),
        ]
        each = list(self._house.home.registry.things.values())[:PAGE]
        found += [types.Resource(uri=_uri(t.iri), name=t.title, mime_type=JSON, description="Its state.") for t in each]
        return types.ListResourcesResult(resources=found)

    async def list_templates(self, ctx: Any, params: Any) -> types.ListResourceTemplatesResult:  # noqa: ARG002
        """The template of a thing's address."""
        import mcp_types as types

        template = types.ResourceTemplate(
            uri_template=f"{THINGS}/{{iri}}", name="thing", description="The state of a thing.", mime_type=JSON
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, ctx: Any, params: Any) -> types.ReadResourceResult:
        """The contents of a resource."""
        import mcp_types as types

        uri, caller = str(params.uri), caller_of(ctx)
        try:
            found = await anyio.to_thread.run_sync(self._read, caller, uri)
        except HearthgraphError as error:
            raise _invalid(str(error), uri) from error
        text = json.dumps(found, ensure_ascii=False, default=str)
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=JSON, text=text)])

    def _read(self, caller: Caller, uri: str) -> dict[str, Any]:
        if uri == THINGS:
            return tools.use(self._house, caller, "query_things", {})
        if uri == RULES:
            return tools.use(self._house, caller, "rules", {})
        if uri.startswith(f"{THINGS}/"):
            return tools.use(self._house, caller, "state", {"thing": unquote(uri[len(THINGS) + 1 :])})
        raise InputError("There is no such resource.", remedy="List them.", reason="no_such_thing")

    async def subscribe(self, ctx: Any, params: Any) -> types.EmptyResult:
        """Tells this session of changes of a resource, from now on."""
        import mcp_types as types

        caller_of(ctx).need(READ)
        uri = str(params.uri)
        if (
            uri not in (THINGS, RULES)
            and unquote(uri.removeprefix(f"{THINGS}/")) not in self._house.home.registry.things
        ):
            raise _invalid("There is no such resource.", uri)  # nor is a name kept that somebody made up
        self._subscribed.setdefault(uri, set()).add(ctx.session)
        return types.EmptyResult()

    async def unsubscribe(self, ctx: Any, params: Any) -> types.EmptyResult:
        """Tells it no more."""
        import mcp_types as types

        self._subscribed.get(str(params.uri), set()).discard(ctx.session)
        return types.EmptyResult()

    async def tell(self, thing: str, bus: Any) -> None:
        """Says that the state of a thing has changed, to whoever wants to hear it."""
        from mcp.server.subscriptions import ResourceUpdated

        uri = _uri(thing)
        await bus.publish(ResourceUpdated(uri=uri))
        for session in list(self._subscribed.get(uri, ())):
            try:
                await session.send_resource_updated(uri)
            except Exception:  # noqa: BLE001 - a session that has gone is told nothing any more
                self._subscribed[uri].discard(session)


JSON = "application/json"
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "title": "Answer"}},
    "required": ["answer"],
}


def _open(name: str, arguments: Mapping[str, Any], found: Mapping[str, Any]) -> str | None:
    """The key under which an answer resumes a call: the id of the request in words, or of the signifier; None for
    neither."""
    if name in ("ask", "consent"):
        return str(found.get("request") or "") or None
    if name in tools.TOOLS:
        return SIGNIFIER + str(arguments["label"]) if name == "use_signifier" else None
    return SIGNIFIER + label_of(name)


def caller_of(ctx: Any) -> Caller:
    """Who made the call that a handler serves."""
    found = ctx.request.scope[CALLER]
    assert isinstance(found, Caller)
    return found


def _uri(thing: str) -> str:
    return f"{THINGS}/{quote(thing, safe='')}"


def _can_be_asked(ctx: Any) -> bool:
    """Whether the agent said that it can be asked for something."""
    import mcp_types as types

    able = types.ClientCapabilities(elicitation=types.ElicitationCapability())
    return bool(ctx.session.check_client_capability(able))


def _tool(one: Exposed) -> types.Tool:
    """A signifier as a tool: its open inputs are the tool's parameters."""
    import mcp_types as types

    schema: dict[str, Any] = {"type": "object", "properties": {}}
    if _is_object(one):
        schema = {**dict(one.takes or {}), "type": "object"}
    elif one.takes:
        schema = {"type": "object", "properties": {"value": dict(one.takes)}, "required": ["value"]}
    return types.Tool(name=name_of(one.label), description=one.context, input_schema=schema)


def _is_object(one: Exposed) -> bool:
    return bool(one.takes) and (one.takes or {}).get("type", "object") == "object"


def _result(found: dict[str, Any], *, wrong: bool = False) -> Any:
    import mcp_types as types

    content = [types.TextContent(type="text", text=json.dumps(found, ensure_ascii=False, default=str))]
    return types.CallToolResult(content=content, structured_content=found, is_error=wrong)  # type: ignore[arg-type]


def _invalid(message: str, uri: str | None = None) -> Exception:
    from mcp.shared.exceptions import MCPError
    from mcp_types import INVALID_PARAMS

    return MCPError(INVALID_PARAMS, message, {"uri": uri} if uri else None)
