"""The laboratory: a server of goals (MCP), an agent that puts goals into formulas (A2A), and the proxy of an arm.

The first two are made with the official kits. The arm is a simulation: it has a pose, and the proxy offers the same
operations as a Thing Description and as a UTCP manual.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

METRES = {"millimeter": 0.1, "mm": 0.1, "centimeter": 1.0, "cm": 1.0, "decimeter": 10.0, "meter": 100.0, "m": 100.0}
DEGREES = {"degree": 1.0, "deg": 1.0, "radian": 57.29577951308232, "rad": 57.29577951308232, "turn": 360.0}


@dataclass
class Goals:
    """What the user wants, and what was said about it, in order."""

    current: str = "Move the robot by 10 centimeters"
    feedback: list[tuple[bool, str]] = field(default_factory=list)


def goal_server(goals: Goals) -> Any:
    """The server of goals: a resource that holds the goal, and a tool for feedback."""
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("Goals of the lab")

    @server.resource(
        "goal://current",
        name="CurrentGoal",
        description="Tells the goal that the user has set.",
        mime_type="text/plain",
    )
    def current_goal() -> str:
        return goals.current or "There is no goal."

    @server.tool(
        description="Gives the user feedback on the goal. Where achieved is true, the goal counts as reached and is "
        "cleared."
    )
    def provide_feedback(achieved: bool, feedback: str) -> str:
        goals.feedback.append((achieved, feedback))
        if achieved:
            goals.current = ""
        return "Thank you."

    return server


def goal_app(goals: Goals) -> Any:
    """The same as an application that can be served."""
    return goal_server(goals).streamable_http_app()


def formula(text: str) -> str | None:
    """`move(10)` for a sentence that says how far, `rotate(12)` for one that says by which angle; centimetres and
    degrees."""
    found = re.search(r"(-?\d+(?:\.\d+)?)\s*([a-zA-Z]+)", text)
    if found is None:
        return None
    number, unit = float(found.group(1)), found.group(2).lower().replace("metre", "meter").removesuffix("s")
    back = -1 if re.search(r"\b(back|backwards?|left|counterclockwise)\b", text.lower()) else 1
    if unit in METRES:
        return f"move({number * METRES[unit] * back:g})"
    if unit in DEGREES:
        return f"rotate({number * DEGREES[unit] * back:g})"
    return None


def formalizer_app(url: str) -> Any:
    """The agent that puts goals into formulas, with the kit of the protocol; both versions of the protocol."""
    from a2a.helpers.proto_helpers import new_task_from_user_message, new_text_message, new_text_part
    from a2a.server.agent_execution import AgentExecutor
    from a2a.server.request_handlers import DefaultRequestHandler
    from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
    from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
    from a2a.types.a2a_pb2 import TaskState
    from starlette.applications import Starlette

    class Formalizer(AgentExecutor):  # type: ignore[misc]
        async def execute(self, context: Any, event_queue: Any) -> None:
            task = context.current_task
            if task is None:
                task = new_task_from_user_message(context.message)
                await event_queue.enqueue_event(task)
            updater = TaskUpdater(event_queue, task.id, task.context_id)
            await updater.start_work()
            made = formula(context.get_user_input())
            if made is None:
                question = new_text_message("How far, and in which unit?", context_id=task.context_id, task_id=task.id)
                await updater.update_status(TaskState.TASK_STATE_INPUT_REQUIRED, message=question)
                return
            await updater.add_artifact([new_text_part(made)], name="formula")
            await updater.complete()

        async def cancel(self, context: Any, event_queue: Any) -> None:
            raise NotImplementedError

    handler = DefaultRequestHandler(Formalizer(), InMemoryTaskStore(), formalizer_card(url))
    routes = [
        *create_agent_card_routes(formalizer_card(url)),
        *create_jsonrpc_routes(handler, "/", enable_v0_3_compat=True),
    ]
    return Starlette(routes=routes)


def formalizer_card(url: str) -> Any:
    """What the agent says of itself."""
    from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentInterface, AgentSkill

    skill = AgentSkill(
        id="formalize_goal",
        name="Formalize goal",
        description="Puts a goal in plain words into a formal command, move(d) or rotate(a).",
        tags=["goal", "formula"],
        examples=["go ahead by two meters", "turn by 45 degrees"],
    )
    return AgentCard(
        name="Formalizer",
        description="Puts goals into formulas.",
        version="1.0.0",
        default_input_modes=["text"],
        default_output_modes=["text"],
        capabilities=AgentCapabilities(streaming=True),
        skills=[skill],
        supported_interfaces=[
            AgentInterface(url=f"{url}/", protocol_binding="JSONRPC", protocol_version="1.0"),
        ],
    )


@dataclass
class Arm:
    """The simulated arm: how far it has moved (cm), by how much it has turned (degrees), and what it was told."""

    position: float = 0.0
    angle: float = 0.0
    ready: bool = False
    refuses: bool = False
    log: list[str] = field(default_factory=list)

    def operate(self, command: str) -> str | None:
        """Carries a formula out; what is wrong with it, else None."""
        found = re.fullmatch(r"\s*(move|rotate)\(\s*(-?\d+(?:\.\d+)?)\s*\)\s*", command)
        self.log.append(command)
        if found is None:
            return "this is no operation"
        if self.refuses:
            return "the arm is not to be moved now"
        if found.group(1) == "move":
            self.position += float(found.group(2))
        else:
            self.angle += float(found.group(2))
        return None


WHAT = (
    "Carries out a formal operation of the robot, move(d) in centimeters or rotate(a) in degrees. The body is plain "
    "text (text/plain, no JSON), such as move(1) or rotate(1)."
)
START = "Makes the arm ready for work, once, before it is used for the first time."


def proxy_app(arm: Arm, url: str) -> Any:
    """The proxy of the arm: what it offers as a manual and as a description, and the operations themselves."""
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse, PlainTextResponse
    from starlette.routing import Route

    async def operation(request: Any) -> Any:
        wrong = arm.operate((await request.body()).decode())
        return PlainTextResponse(wrong or "done", status_code=400 if wrong else 200)

    async def initialize(request: Any) -> Any:
        arm.ready = True
        return PlainTextResponse("ready")

    async def move(request: Any) -> Any:
        given = (await request.json()) if request.method == "POST" else {}
        arm.operate(f"move({given.get('distance', 0):g})")
        return JSONResponse({"position": arm.position})

    async def manual(request: Any) -> Any:
        return JSONResponse(robot_manual(url))

    async def moving(request: Any) -> Any:
        return JSONResponse(moving_manual(url))

    async def description(request: Any) -> Any:
        return JSONResponse(robot_description(url), media_type="application/td+json")

    async def moving_described(request: Any) -> Any:
        return JSONResponse(moving_description(url), media_type="application/td+json")

    return Starlette(
        routes=[
            Route("/operation", operation, methods=["POST"]),
            Route("/initialize", initialize, methods=["POST"]),
            Route("/move", move, methods=["POST"]),
            Route("/utcp", manual),
            Route("/moving", moving),
            Route("/td", description),
            Route("/moving/td", moving_described),
        ]
    )


def robot_manual(url: str) -> dict[str, Any]:
    """The operations of the arm as a UTCP manual."""
    template = {"call_template_type": "http", "http_method": "POST", "content_type": "text/plain"}
    return {
        "utcp_version": "1.0.1",
        "manual_version": "1.0.0",
        "tools": [
            {
                "name": "initialize",
                "description": START,
                "inputs": {"type": "object", "properties": {}},
                "outputs": {},
                "tags": [],
                "tool_call_template": {**template, "url": f"{url}/initialize"},
            },
            {
                "name": "operation",
                "description": WHAT,
                "inputs": {"type": "string", "description": "The operation as plain text, such as move(10)."},
                "outputs": {},
                "tags": [],
                "tool_call_template": {**template, "url": f"{url}/operation"},
            },
        ],
    }


def moving_manual(url: str) -> dict[str, Any]:
    """An arm of which one can say in words how far it shall move."""
    distance = {"type": "number", "description": "How far, in cm; backwards where it is negative."}
    body = {"type": "object", "properties": {"distance": distance}, "required": ["distance"]}
    return {
        "utcp_version": "1.0.1",
        "manual_version": "1.0.0",
        "info": {"title": "Robot"},
        "tools": [
            {
                "name": "move",
                "description": "Moves the arm.",
                "inputs": {"type": "object", "properties": {"body": body}, "required": ["body"]},
                "tool_call_template": {"call_template_type": "http", "http_method": "POST", "url": f"{url}/move"},
            }
        ],
    }


def robot_description(url: str) -> dict[str, Any]:
    """The same operations as a Thing Description."""
    form = {"htv:methodName": "POST", "op": "invokeaction", "contentType": "text/plain"}
    return {
        **_described("urn:lab:robot", "robot"),
        "actions": {
            "initialize": {"description": START, "forms": [{**form, "href": f"{url}/initialize"}]},
            "operation": {
                "description": WHAT,
                "input": {"type": "string"},
                "forms": [{**form, "href": f"{url}/operation"}],
            },
        },
    }


def moving_description(url: str) -> dict[str, Any]:
    """The arm of `moving_manual` as a Thing Description."""
    distance = {"type": "number", "description": "How far, in cm; backwards where it is negative."}
    body = {"type": "object", "properties": {"distance": distance}, "required": ["distance"]}
    form = {"htv:methodName": "POST", "op": "invokeaction", "contentType": "application/json", "href": f"{url}/move"}
    return {
        **_described("urn:lab:mower", "Robot"),
        "actions": {"move": {"description": "Moves the arm.", "input": body, "forms": [form]}},
    }


def _described(name: str, title: str) -> dict[str, Any]:
    """What stands at the head of each Thing Description here."""
    return {
        "@context": "https://www.w3.org/2022/wot/td/v1.1",
        "id": name,
        "title": title,
        "securityDefinitions": {"nosec_sc": {"scheme": "nosec"}},
        "security": "nosec_sc",
    }
