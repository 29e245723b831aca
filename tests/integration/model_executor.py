"""The executor with a language model: it sees the mechanism's MCP tools alone, and decides itself what comes next.

It goes round as an agent does: it says what it is about to do (`update_profile`), perceives the tools that it is shown
for that (`read_signifiers`, `tools/list`), and calls one of them. What it says, which tool it takes, with which
arguments, is the model's. A list of the five parts of its work is kept for it: a part is done when the model has called
a tool for it, and it ends when all are done.

Run: `python -m tests.integration.model_executor [utcp|wot] [times] [--record FILE]`, with the model of the settings
(`HEARTHGRAPH_LLM_URL`).
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import anyio

from engine import llm
from engine import settings as configuration
from engine.errors import ModelError
from engine.llm import Model, Recorder
from tests.agents.callers import ACTS, BEGUN, client, issued
from tests.integration.executor import PAUSE, Laboratory, laboratory, succeeded
from tests.server.serving import Serving

ROUNDS = 8
"""How often it may say what it is about to do."""
INSTRUCTIONS = """You are an agent in a laboratory, and work through a list of five parts, one after the other.
You know nothing but what you have read, and change nothing but by tools. Answer in JSON."""
PARTS = (
    "Read the goal of the user.",
    "Give the user feedback that you have begun; the goal is not achieved yet.",
    "Put the goal of the user into a formal command.",
    "Control the robot with the formal command.",
    "Give the user feedback that the goal is achieved.",
)
INTEND: dict[str, Any] = {
    "type": "object",
    "properties": {
        "part": {"enum": [1, 2, 3, 4, 5]},
        "context": {"type": "string", "pattern": "^The agent wants to [a-z ]+[.]$"},
    },
    "required": ["part", "context"],
    "additionalProperties": False,
}
NEXT = """What comes next, the first part that is not done? Answer {"part": its number, "context": "The agent wants to
<what you are about to do, in a few words>."}"""
GOALS = (
    ("Move the robot by 10 centimeters", 10.0, 0.0),
    ("Rotate the robot by 12 degrees", 0.0, 12.0),
    ("Move the robot by 25 centimeters", 25.0, 0.0),
    ("Rotate the robot by 90 degrees", 0.0, 90.0),
    ("Move the robot by 0.5 meters", 50.0, 0.0),
    ("Rotate the robot by 45 degrees", 0.0, 45.0),
    ("Move the robot by 120 millimeters", 12.0, 0.0),
    ("Turn the robot by 30 degrees", 0.0, 30.0),
    ("Let the robot go ahead by 40 centimeters", 40.0, 0.0),
    ("Rotate the robot by 0.5 turns", 0.0, 180.0),
    ("Move the robot by 2 meters", 200.0, 0.0),
    ("Turn the robot left by 60 degrees", 0.0, -60.0),
    ("Move the robot back by 15 centimeters", -15.0, 0.0),
    ("Rotate the robot by 7.5 degrees", 0.0, 7.5),
    ("Drive the robot forward by 3.5 centimeters", 3.5, 0.0),
)
"""What the user wants, and the pose that is right: the two goals of the paper first, then other numbers, units, words.
At temperature 0 a run that is repeated is the same run, so that each of fifteen has a goal of its own."""


@dataclass
class ModelExecutor:
    """The agent: a model and one MCP server. `used` are the tools that it called, in order."""

    house: Serving
    model: Model
    name: str = "executor"
    mode: str = "2026-07-28"
    used: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    done: set[int] = field(default_factory=set)
    asked: int = 0
    fault: str = ""

    async def run(self) -> None:
        """Goes round until all parts are done, or it has gone round too often."""
        async with client(self.house, issued(self.house, self.name, ACTS), self.mode) as opened:
            await opened.call_tool("register_profile", {"name": self.name, "context": BEGUN})
            try:
                for _ in range(ROUNDS):
                    if len(self.done) == len(PARTS):
                        return
                    about = await self._answer(NEXT, INTEND)
                    await self._round(opened, int(about["part"]), str(about["context"]))
            except ModelError as error:
                self.fault = str(error)
                return
        self.fault = "it has gone round too often"

    async def _round(self, opened: Any, part: int, context: str) -> None:
        """Says what it is about to do, perceives, and calls what it chooses, if anything."""
        await anyio.sleep(PAUSE)
        await opened.call_tool("update_profile", {"context": context})
        read = (await opened.call_tool("read_signifiers", {})).structured_content["signifiers"]
        contexts = [one["context"] for one in read]
        shown = {one.name: one for one in (await opened.list_tools()).tools if one.description in contexts}
        call = await self._answer(offered(context, shown), calls(shown))
        name, arguments = str(call["tool"]), dict(call["arguments"])
        self.done.add(part)
        self.used.append(name)
        found = (await opened.call_tool(name, arguments)).structured_content or {}
        told = found.get("result") or found.get("message") or found.get("reply") or found.get("status")
        self.notes.append(f"part {part}: {context} Called {name} with {json.dumps(arguments)}; it told: {told}")

    async def _answer(self, question: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        """What the model answers, told what it has done so far."""
        parts = [f"{n}. {one} {'DONE' if n in self.done else 'not done'}" for n, one in enumerate(PARTS, start=1)]
        done = [f"- {note}" for note in self.notes] or ["- nothing"]
        text = "\n".join(["The parts:", *parts, "", "What you have done so far:", *done, "", question])
        messages = [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": text}]
        self.asked += 1
        return await anyio.to_thread.run_sync(self.model.complete, messages, schema)


def offered(context: str, shown: Mapping[str, Any]) -> str:
    """The tools that the model may call now, in words."""
    tools = [f"- {name}: {tool.description}" for name, tool in shown.items()]
    return "\n".join(
        [
            f"You are about to do this: {context}",
            "Your tools for it:",
            *tools,
            'Answer with one call: {"tool": name, "arguments": {...}}.',
        ]
    )


def calls(shown: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of what may be called now."""
    takes = {name: tool.input_schema for name, tool in shown.items()}
    return {"anyOf": [_call(name, schema) for name, schema in takes.items()]}


def _call(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    arguments = {**schema, "additionalProperties": False}
    return {
        "type": "object",
        "properties": {"tool": {"const": name}, "arguments": arguments},
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }


def played(found: Laboratory, model: Model, goal: str, name: str = "executor") -> ModelExecutor:
    """One run, by an agent of its own: the house lets nobody call without end."""
    found.morning(goal)
    agent = ModelExecutor(found.house, model, name)
    asyncio.run(agent.run())
    return agent


def main(kinds: list[str], times: int, record: Path | None) -> None:
    """Plays it so often over each protocol, tells what came of each run, and how often it came out."""
    model = llm.from_settings(configuration.load())
    if model is None:
        raise SystemExit("No language model is set up: give its address in HEARTHGRAPH_LLM_URL.")
    recorder = Recorder(model)
    with laboratory() as found:
        for kind in kinds:
            found.register(kind)
            right = 0
            for number in range(times):
                goal, position, angle = GOALS[number % len(GOALS)]
                began = perf_counter()
                agent = played(found, recorder, goal, f"executor-{kind}-{number}")
                if record is not None:
                    recorder.write(record)
                came_out = succeeded(found, position, angle)
                right += came_out
                took = perf_counter() - began
                sys.stdout.write(f"{kind} {number + 1} {goal!r}: {came_out}, {agent.asked} answers, {took:.0f} s\n")
                sys.stdout.writelines(f"    {note}\n" for note in [*agent.notes, *filter(None, [agent.fault])])
                sys.stdout.flush()
            sys.stdout.write(f"{kind}: {right} of {times}\n")


if __name__ == "__main__":
    import logging

    from server.observation import configure_logs

    configure_logs(logging.ERROR)
    written = Path(sys.argv[sys.argv.index("--record") + 1]) if "--record" in sys.argv else None
    chosen = [one for one in sys.argv[1:] if one in ("utcp", "wot")] or ["wot", "utcp"]
    main(chosen, next((int(one) for one in sys.argv[1:] if one.isdigit()), 15), written)
