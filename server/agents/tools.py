"""The few tools of the house for agents, which stay as they are whatever devices there are.

One for each device would fill an agent's context at every turn; devices and their actions are found by asking.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import InputError
from server.agents.callers import ACT, ASK, READ, Caller
from server.agents.house import Answer, Arguments, House

ANY = [{"type": kind} for kind in ("string", "number", "boolean", "object", "array", "null")]
"""Any value, said in full: there are clients that take no schema without a type, nor one with many."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its description, the schema of its arguments, and the scope that a caller needs."""

    name: str
    description: str
    takes: dict[str, Any]
    scope: str
    work: Callable[[House, Caller, Arguments], Answer]
    reads: bool = True

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        members = {
            name: {key: value for key, value in one.items() if key != "needed"} for name, one in self.takes.items()
        }
        needed = [name for name, one in self.takes.items() if one.get("needed")]
        found = {"type": "object", "properties": members, "additionalProperties": False}
        return {**found, "required": needed} if needed else found


def use(house: House, caller: Caller, name: str, arguments: Arguments) -> Answer:
    """The result of a tool. Raises HearthgraphError: InputError for arguments outside its schema, OutOfScope,
    NoToken."""
    tool = TOOLS.get(name)
    if tool is None:
        raise InputError(f"There is no tool {name[:64]}.", remedy=f"There are {', '.join(TOOLS)}.")
    caller.need(tool.scope)
    _check(tool, arguments)
    return tool.work(house, caller, arguments)


def _check(tool: Tool, arguments: Arguments) -> None:
    """Raises InputError for arguments that a tool does not take."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(tool.schema()).iter_errors(dict(arguments)))
    if error is not None:
        place = error.json_path.removeprefix("$.").removeprefix("$")
        raise InputError(
            f"{tool.name}: {place} {error.message[:200]}.".replace("  ", " "), remedy="Look at its schema."
        )


def _text(about: str, *, needed: bool = False) -> dict[str, Any]:
    return {"type": "string", "description": about, "maxLength": 4000, "needed": needed}


_LIMITS = {
    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many at most."},
    "all": {"type": "boolean", "description": "Also those that do not seem to matter."},
}
TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "find_signifiers",
            "Finds what is offered here (tools, agents, things of others) that matters for a goal, with scores.",
            {
                "goal": _text("What you are about to do.", needed=True),
                "context": _text("What else bears on it."),
                **_LIMITS,
            },
            READ,
            House.find,
        ),
        Tool(
            "read_signifiers",
            "Reads what matters for the context in your profile; each becomes a tool of yours, called by its label.",
            {"profile": _text("The address or id of a profile; yours where it is left out."), **_LIMITS},
            READ,
            House.read,
        ),
        Tool(
            "use_signifier",
            "Uses what a signifier stands for: reads it, or has it done.",
            {
                "label": _text("The label of the signifier.", needed=True),
                "arguments": {"anyOf": ANY, "description": "What the signifier takes."},
                "answer": _text("The answer to a question that it asked."),
            },
            READ,
            House.use_signifier,
            reads=False,
        ),
        Tool(
            "register_profile",
            "Registers your profile: what you are called, what you are about to do, and what you are able to.",
            {
                "name": _text("What you are called."),
                "context": _text("What you are about to do, in a sentence."),
                "abilities": {"type": "array", "items": {"type": "string"}, "description": "What you are able to."},
            },
            ASK,
            House.register,
            reads=False,
        ),
        Tool(
            "update_profile",
            "Says anew what you are about to do.",
            {"context": _text("What you are about to do, in a sentence.", needed=True)},
            ASK,
            House.update,
            reads=False,
        ),
        Tool(
            "ask",
            "Says something to the house in plain words: a question is answered, an order becomes a plan that waits "
            "for consent.",
            {
                "text": _text("What to say.", needed=True),
                "conversation": _text("A name; what is said under one name follows each other."),
                "room": _text("The room that it is said in."),
            },
            ASK,
            House.ask,
            reads=False,
        ),
        Tool(
            "consent",
            "Consents to a plan that was proposed to you, or declines it.",
            {
                "plan_id": _text("The id of the plan.", needed=True),
                "agree": {"type": "boolean", "description": "False declines.", "default": True},
            },
            ACT,
            House.consent,
            reads=False,
        ),
        Tool(
            "control_device",
            "Brings a property of one thing to a value, or has one of its actions done.",
            {
                "thing": _text("The thing, by IRI or title.", needed=True),
                "name": _text("The property or action, as state tells.", needed=True),
                "value": {"anyOf": ANY, "description": "The value, or what the action takes."},
            },
            ACT,
            House.control,
            reads=False,
        ),
        Tool(
            "query_things",
            "Lists things by class, room and name.",
            {"class": _text("Such as light."), "room": _text("Such as kitchen."), "name": _text("A part of the name.")},
            READ,
            House.query,
        ),
        Tool(
            "state",
            "Tells how a thing is now, and what can be done with it.",
            {"thing": _text("The thing, by IRI or title.", needed=True)},
            READ,
            House.state,
        ),
        Tool(
            "why",
            "Tells why a request of yours was understood, done or refused as it was.",
            {"request": _text("The id of the request.", needed=True)},
            ASK,
            House.why,
        ),
        Tool("rules", "Tells what happens here by itself, and what must not happen.", {}, READ, House.rules),
        Tool(
            "change_rule",
            "Pauses, resumes or deletes a rule of yours. Rules are made by `ask`, and wait for consent.",
            {
                "rule": _text("The id of the rule.", needed=True),
                "how": {"enum": ["pause", "resume", "delete"], "description": "What to do.", "needed": True},
            },
            ACT,
            House.change_rule,
            reads=False,
        ),
    )
}
