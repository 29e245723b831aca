"""HomeEnv for any model: it looks at devices and controls them by tools, within a budget, and is judged as we are.

SMH-Bench, 3.2 and appendix E ("environment interaction"). The tools work as the house does for anybody: arguments are
checked, and refusals are told.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import llm
from engine import settings as configuration
from engine.dialogue.manual import by_hand, by_name
from engine.dialogue.requests.request import Consent, Request
from engine.dialogue.result import result
from engine.errors import HearthgraphError, InputError, ModelError
from engine.evaluation.homeenv import Task, read_houses, read_tasks, verdict
from engine.hearthgraph import Hearthgraph, new_iri
from engine.language.replies import replies
from engine.llm import Model
from engine.model.outcome import Outcome
from engine.model.thing import Action, Schema, Thing
from engine.origins.sources import only
from engine.settings import Settings

BUDGET = 20
"""How many tools a task may use."""
MOST = 40
A_TOKEN = 4
"""Characters that a token has, about: for comparing, not for paying."""
CLASSES = {
    "SO": "structured output: what should have been brought about, set up or answered is missing",
    "MS": "mode selection: asked or refused where it should act, or acted where it should not",
    "AJ": "automation judging: an automation that is not the one that was meant",
    "AV": "action and tool validity: missing arguments, values of nothing, wrong names and types",
    "IE": "interaction efficiency: too many calls of tools, or the same again and again",
    "FRF": "format and runtime: no answer that could be read",
}
"""The six classes of errors of the benchmark (SMH-Bench, table 3)."""
KINDS = {
    "missing labels": "SO",
    "missing automation conditions": "SO",
    "missing query response": "SO",
    "empty output": "SO",
    "execution as clarification": "MS",
    "clarification as execution": "MS",
    "conditions": "AJ",
    "missing argument": "AV",
    "value of nothing": "AV",
    "wrong type": "AV",
    "wrong name": "AV",
    "other schema error": "AV",
    "too many calls": "IE",
    "the same call again": "IE",
    "no answer": "FRF",
}
"""The kinds of errors (appendix E), each in its class."""
_VALIDITY = {
    "missing_value": "missing argument",
    "wrong_type": "wrong type",
    "no_such_command": "wrong name",
    "no_such_device": "wrong name",
    "no_such_property": "wrong name",
    "ambiguous_device": "missing argument",
}
STATUSES = {"clarify": "clarify", "refuse": "refused", "rule": "scheduled", "answer": "answered"}
"""What it should come to, by the kind of what is expected; else that it is done."""
TOOLS = ("query_device", "control_device", "create_automation", "answer", "ask", "refuse")
_TEXT, _ANY = {"type": "string"}, [{"type": kind} for kind in ("string", "number", "boolean", "object", "null")]
_SAYING = {"text": _TEXT}
_TAKES: dict[str, dict[str, Any]] = {
    "query_device": {"what": {"enum": ["list", "spec", "status"]}, "name": _TEXT, "room": _TEXT},
    "control_device": {"device": _TEXT, "room": _TEXT, "name": _TEXT, "value": {"anyOf": _ANY}},
    "create_automation": _SAYING,
    "answer": _SAYING,
    "ask": _SAYING,
    "refuse": _SAYING,
}
_OPTIONAL = frozenset(("name", "room", "value"))


def _call(tool: str, takes: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a call of one tool."""
    needed = [name for name in takes if name not in _OPTIONAL or (tool, name) == ("control_device", "name")]
    arguments = {"type": "object", "properties": takes, "required": needed, "additionalProperties": False}
    members = {"tool": {"const": tool}, "arguments": arguments}
    return {"type": "object", "properties": members, "required": list(members)}


CALL: dict[str, Any] = {"anyOf": [_call(tool, takes) for tool, takes in _TAKES.items()]}
INSTRUCTIONS = """You control a smart home by tools. Answer with one JSON object: {"tool": …, "arguments": {…}}.
query_device {"what": "list"|"spec"|"status", "name": …, "room": …}: which devices there are and in which rooms, what
they can do, how they are; name and room may be left out. You know no device before you have looked.
control_device {"device": title, "room": …, "name": property or action, "value": …}: brings about a value or has an
action done, as the spec tells.
create_automation {"text": …}: sets up what shall happen at a time or on an event, in a sentence.
answer {"text": …} when all is done or a question is answered; ask {"text": …} where you must ask back;
refuse {"text": …} where it cannot be done. Act only on what was asked for."""


@dataclass(slots=True)
class Desk:
    """One home, one task: the tools, their effects, and errors in their use, by kind."""

    home: Hearthgraph
    user: str | None = None
    budget: int = BUDGET
    calls: int = 0
    characters: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    outcomes: list[Outcome] = field(default_factory=list)
    said: tuple[str, str] | None = None
    spent: bool = False
    _seen: Counter[str] = field(default_factory=Counter)

    @property
    def tokens(self) -> int:
        """About how many tokens the tools told."""
        return self.characters // A_TOKEN

    def use(self, call: Any) -> dict[str, Any]:
        """The result of a tool call."""
        tool = call.get("tool") if isinstance(call, dict) else None
        arguments = call.get("arguments") if isinstance(call, dict) else None
        if tool not in TOOLS or not isinstance(arguments, dict):
            self.errors["empty output"] += 1
            return self._told({"error": "Answer with a tool and its arguments."})
        self.calls += 1
        asked = json.dumps(call, sort_keys=True, default=str)
        self._seen[asked] += 1
        if self.calls > self.budget or self._seen[asked] > 2:
            self.errors["too many calls" if self.calls > self.budget else "the same call again"] += 1
            self.spent = True
            return self._told({"error": "The budget is spent, or that was asked before."})
        if tool in ("answer", "ask", "refuse"):
            self.said = (tool, str(arguments.get("text", "")))
            return {}
        work: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "query_device": self.query,
            "control_device": self.control,
            "create_automation": self.automate,
        }
        try:
            return self._told(work[tool](arguments))
        except LookupError as error:
            self.errors["missing argument"] += 1
            return self._told({"error": f"{error} is missing."})
        except HearthgraphError as error:
            nothing = "value" in arguments and arguments["value"] is None
            kind = _VALIDITY.get(error.reason, "other schema error")
            self.errors["value of nothing" if nothing and kind != "wrong name" else kind] += 1
            return self._told({"error": str(error)})

    def query(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The devices with their actions, or with their state."""
        name, room = (str(given.get(key) or "").casefold() for key in ("name", "room"))
        found = [thing for thing in self.home.registry.things.values() if self._fits(thing, name, room)]
        what = given.get("what", "list")
        return {"devices": [self._row(thing, str(what)) for thing in found[:MOST]], "of": len(found)}

    def control(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Brings a property to a value, or has an action done."""
        thing = self._device(str(given["device"]), str(given.get("room") or ""))
        name, iri = str(given["name"]), new_iri()
        action = next((one for one in thing.actions if one.name == name), None)
        prop = next((one for one in thing.properties if one.name == name), None)
        if action is not None:
            intent = by_name(action.iri, _payload(action, given.get("value")), iri, self.home.registry)
        elif prop is not None:
            intent = by_hand(prop.iri, given.get("value"), iri, self.home.registry)
        else:
            known = ", ".join([one.name for one in thing.actions] + [one.name for one in thing.properties])
            raise InputError(f"{thing.title} has no {name[:64]}.", remedy=f"It has {known}.", reason="no_such_command")
        request = Request(intent.text, iri, self.user)
        outcome = self.home.assistant.intend(request, (intent,), Consent.ALL)
        self.outcomes.append(outcome)
        return {"status": outcome.status.value, "reply": outcome.reply}

    def automate(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Sets up a rule, in words."""
        outcome = self.home.ask(str(given["text"]), consent=True, user=self.user)
        self.outcomes.append(outcome)
        return {"status": outcome.status.value, "reply": outcome.reply}

    def result(self, line: str) -> dict[str, Any]:
        """The result object of the task, as the judge reads it."""
        made = [result(one, self.home.registry, line) for one in self.outcomes]
        whole: dict[str, Any] = made[-1] if made else result(_nothing(line), self.home.registry, line)
        for name in ("intents", "actions", "changes"):
            whole[name] = [one for each in made for one in each[name]]
        kind, text = self.said or ("refuse", "")
        whole["reply"] = text
        if kind == "ask":
            whole |= {"status": "clarify", "question": text}
        elif kind == "refuse" and not made:
            whole |= {"status": "refused", "reason": "no_such_command"}
        elif not made:
            whole |= {"status": "answered", "answer": {"text": text, "value": None, "unit": None}}
        return whole

    def _device(self, name: str, room: str) -> Thing:
        """The device of a title, in a room where that is said. Raises InputError for none, and for more than one."""
        things = self.home.registry.things
        found = [things[name]] if name in things else [one for one in things.values() if self._called(one, name, room)]
        if len(found) == 1:
            return found[0]
        places = ", ".join(f"{one.title} ({self._room(one)})" for one in found[:MOST])
        raise InputError(
            f"There are several: {places}." if found else f"There is no {name[:64]} here.",
            remedy="Say in which room." if found else "Look at the list of devices, and give a title as it is there.",
            reason="ambiguous_device" if found else "no_such_device",
        )

    def _called(self, thing: Thing, name: str, room: str) -> bool:
        names = {one.casefold() for one in (thing.title, *thing.aliases)}
        where = self._room(thing)
        names |= {f"{where} {one}" for one in names}
        return name.casefold() in names and room.casefold() in where

    def _room(self, thing: Thing) -> str:
        return replies.place_name(thing.place, self.home.registry).casefold()

    def _fits(self, thing: Thing, name: str, room: str) -> bool:
        names = [thing.title, *thing.aliases, *(self.home.registry.vocabulary.name(one) for one in thing.classes)]
        said = (f"{self._room(thing)} {one}".casefold() for one in names)
        return (not name or any(name in one for one in said)) and (not room or room in self._room(thing))

    def _row(self, thing: Thing, what: str) -> dict[str, Any]:
        row: dict[str, Any] = {"device": thing.title, "room": replies.place_name(thing.place, self.home.registry)}
        if what == "status":
            row["status"] = {prop.name: self.home.state.get(prop.iri) for prop in thing.properties}
        if what == "spec":
            row["actions"] = {one.name: _takes(one.input) if one.input else {} for one in thing.actions}
            row["properties"] = {prop.name: _range(prop.schema) for prop in thing.properties}
        return row

    def _told(self, told: dict[str, Any]) -> dict[str, Any]:
        self.characters += len(json.dumps(told, default=str))
        return told


def _takes(schema: Schema) -> dict[str, str]:
    """The arguments of an action, each with its values."""
    return {name: _range(one) for name, one in schema.properties} or {"value": _range(schema)}


def _payload(action: Action, value: Any) -> Any:
    """The payload of an action: a value alone is its only argument's, and an action without input gets none."""
    if action.input is None:
        return None
    single = len(action.input.properties) == 1 and not isinstance(value, dict)
    return {action.input.properties[0][0]: value} if single else value


def _range(schema: Schema) -> str:
    """The values of a schema, in few characters."""
    if schema.enum:
        return "|".join(str(one) for one in schema.enum)
    ends = "" if schema.minimum is None else f" {schema.minimum:g} to {schema.maximum:g}" if schema.maximum else ""
    return f"{schema.type or 'any'}{ends}"


def _nothing(line: str) -> Outcome:
    from engine.model.outcome import Status

    return Outcome(line, "", Status.REFUSED)


def play(desk: Desk, model: Model, text: str) -> None:
    """Lets a model work at a task until it answers, asks, refuses, or the budget is spent."""
    messages: list[dict[str, str]] = [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": text}]
    for _ in range(desk.budget + 2):
        try:
            call = model.complete(messages, CALL)
        except ModelError:
            desk.errors["no answer"] += 1
            return
        told = desk.use(call)
        if desk.said is not None or desk.spent:
            return
        messages += [
            {"role": "assistant", "content": json.dumps(call, default=str)},
            {"role": "user", "content": json.dumps(told, default=str)},
        ]


@dataclass(frozen=True, slots=True)
class Played:
    """A model's work on a task: the fault, the numbers of tool calls and tokens, and its errors by kind."""

    task: Task
    fault: str | None
    calls: int
    tokens: int
    errors: Mapping[str, int]


def evaluate(
    folder: Path, tasks: Sequence[Task], model: Model, settings: Settings, budget: int = BUDGET
) -> Iterator[Played]:
    """Has a model work at each task, on its home as it is at first, and judges the result."""
    houses = read_houses(folder)
    simulated = settings.model_copy(update={"live": False, "experience": False})
    for task in tasks:
        with Hearthgraph.open(None, now=task.now, settings=simulated) as home:
            only(folder / f"{task.home}.json").load(home.target)
            desk = Desk(home, task.user, budget)
            play(desk, model, _told_first(task, home) + "\n".join(str(turn["text"]) for turn in task.turns))
            judged = verdict(task, desk.result(task.id), houses[task.home])
            yield Played(task, judged.fault, desk.calls, desk.tokens, classed(task, judged.fault, desk))


def _told_first(task: Task, home: Hearthgraph) -> str:
    """The prompt's facts: the time, the speaker and their place, and their known preferences."""
    place = replies.place_name(home.place(task.location), home.registry)
    facts = [
        f"It is {task.now:%A %Y-%m-%d %H:%M}.",
        f"{task.user or 'Somebody'} speaks{place and f', in the {place}'}.",
    ]
    return "\n".join([*facts, *task.memory, ""])


def classed(task: Task, fault: str | None, desk: Desk) -> Counter[str]:
    """The errors by kind: those that the tools saw, and for a wrong task the kind of its fault."""
    found = Counter(desk.errors)
    if fault is not None:
        found[_wrong(STATUSES.get(str(task.expected["kind"]), "done"), desk)] += 1
    return found


def _wrong(wanted: str, desk: Desk) -> str:
    """The kind of a wrong result, by the wanted status."""
    ruled = any(one.intents and one.status.value == "scheduled" for one in desk.outcomes)
    held_back = (desk.said or ("", ""))[0] in ("ask", "refuse")
    if wanted in ("clarify", "refused"):
        return "clarification as execution"
    if ruled:
        return "conditions"
    if held_back:
        return "execution as clarification"
    return {"scheduled": "missing automation conditions", "answered": "missing query response"}.get(
        wanted, "missing labels"
    )


def report(found: Sequence[Played]) -> Iterator[str]:
    """How many tasks are right, calls and tokens, and all six classes of errors with their kinds."""
    right = sum(one.fault is None for one in found)
    errors = sum((Counter(one.errors) for one in found), Counter())
    calls, tokens = sum(one.calls for one in found), sum(one.tokens for one in found)
    yield f"{right} of {len(found)} right, {calls} calls, {tokens} tokens told"
    for name, about in CLASSES.items():
        kinds = {kind: errors[kind] for kind, own in KINDS.items() if own == name and errors[kind]}
        told = "; ".join(f"{kind} {number}" for kind, number in kinds.items())
        yield f"  {name} {sum(kinds.values())}: {about}" + (f" ({told})" if told else "")


def main(arguments: Sequence[str]) -> None:
    """`python -m engine.evaluation.homeenv_agent HOMES TASKS [how many]`, with the model of the settings."""
    settings = configuration.load()
    model = llm.from_settings(settings)
    if model is None:
        raise SystemExit("No language model is set up: give its address in HEARTHGRAPH_LLM_URL.")
    tasks = read_tasks(Path(arguments[1]))[: int(arguments[2]) if len(arguments) > 2 else None]
    found = list(evaluate(Path(arguments[0]), tasks, model, settings))
    sys.stdout.writelines(f"{line}\n" for line in report(found))


if __name__ == "__main__":
    main(sys.argv[1:])
