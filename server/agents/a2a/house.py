"""The house as an A2A agent: a message is said to it, its plan waits for consent as the task waits for input."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from engine.errors import HearthgraphError
from engine.hearthgraph import Hearthgraph
from engine.language.replies import replies
from server.agents.a2a.tasks import COMPLETED, FAILED, INPUT, REJECTED, WORKING, Task, Tasks
from server.agents.callers import ASK, Caller
from server.agents.house import Answer, House

YES = frozenset(("yes", "y", "yes please", "ok", "okay", "sure", "do it", "go ahead", "please do"))
NO = frozenset(("no", "n", "no thanks", "don't", "do not", "cancel", "never mind", "leave it"))
STATES = {"done": COMPLETED, "answered": COMPLETED, "proposed": INPUT, "clarify": INPUT, "scheduled": COMPLETED}
STATES |= {"refused": REJECTED, "failed": FAILED, "partial": FAILED, "under_way": WORKING, "input_required": INPUT}


def card(home: Hearthgraph, url: str, *, open_to_read: bool) -> dict[str, Any]:
    """The agent card of the house: both versions of the protocol, and a skill for each sort of thing."""
    secured = {"token": {"httpAuthSecurityScheme": {"scheme": "Bearer", "description": "A token of the house's."}}}
    return {
        "name": "House",
        "description": "A house that can be asked and told in plain words; what is to be done waits for consent.",
        "version": "0.1.0",
        "supportedInterfaces": [
            {"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
            {"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "0.3"},
        ],
        "capabilities": {"streaming": True, "pushNotifications": False, "extendedAgentCard": False},
        "securitySchemes": secured,
        "securityRequirements": [{"schemes": {"token": {"list": []}}}],
        "defaultInputModes": ["text/plain", "application/json"],
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": skills(home, named=open_to_read),
    }


def old_card(new: Mapping[str, Any]) -> dict[str, Any]:
    """The same for clients of 0.3, which refuse a card of 1.0."""
    kept = ("name", "description", "version", "defaultInputModes", "defaultOutputModes", "skills")
    return {
        **{key: new[key] for key in kept},
        "url": new["supportedInterfaces"][0]["url"],
        "protocolVersion": "0.3.0",
        "preferredTransport": "JSONRPC",
        "capabilities": {"streaming": True, "pushNotifications": False},
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        "security": [{"token": []}],
        "supportsAuthenticatedExtendedCard": False,
    }


def as_new(old: Mapping[str, Any]) -> dict[str, Any]:
    """A card of 0.3 as those read it who speak 1.0 and know the other."""
    kept = ("name", "description", "version", "defaultInputModes", "defaultOutputModes", "skills", "capabilities")
    interface = {"url": old["url"], "protocolBinding": old["preferredTransport"]}
    schemes = {name: {"httpAuthSecurityScheme": {"scheme": one["scheme"]}} for name, one in _schemes(old)}
    return {
        **{key: old[key] for key in kept},
        "supportedInterfaces": [{**interface, "protocolVersion": old["protocolVersion"]}],
        "securitySchemes": schemes,
    }


def _schemes(old: Mapping[str, Any]) -> Iterable[tuple[str, dict[str, Any]]]:
    return dict(old["securitySchemes"]).items()


def skills(home: Hearthgraph, *, named: bool) -> list[dict[str, Any]]:
    """The skills of the house, by the sorts of things in it; to strangers of a closed house without them."""
    registry = home.registry
    kinds = sorted({registry.vocabulary.name(c) for t in registry.things.values() for c in t.classes if t.actions})
    rooms = sorted({replies.place_name(place, registry) for place in registry.places})[:20]
    about = f" Here: {', '.join(kinds[:40])}." if named and kinds else ""
    where = f" Rooms: {', '.join(rooms)}." if named and rooms else ""
    return [
        {
            "id": "control",
            "name": "Control the house",
            "description": f"Has something done in the house that was said in plain words.{about}{where}",
            "tags": ["home", "control"],
            "examples": ["turn on the light in the kitchen", "make it a little warmer"],
        },
        {
            "id": "question",
            "name": "Answer questions about the house",
            "description": f"Tells how things in the house are.{where}",
            "tags": ["home", "state"],
            "examples": ["is the front door locked?", "which lights are on?"],
        },
    ]


class Worker:
    """Carries out messages as the caller whom `callers` has for the owner of a task."""

    def __init__(self, house: House, tasks: Tasks) -> None:
        self._house, self._tasks = house, tasks
        self._callers: dict[str, Caller] = {}

    def known(self, caller: Caller) -> str:
        """Records the caller of this request; returns the name under which its tasks are kept."""
        self._callers[caller.name] = caller
        return caller.name

    def may_ask(self, owner: str) -> None:
        """Checks before a task is made that its owner may ask: tasks of strangers would fill the store. Raises NoToken,
        OutOfScope."""
        self._callers[owner].need(ASK)

    def work(self, task: Task, message: dict[str, Any], owner: str) -> dict[str, Any] | None:
        """Hands a message to the house, as a request or as the reply to its question."""
        self._tasks.update(task, WORKING)
        caller = self._callers[owner]
        try:
            caller.need(ASK)
            self._told(task, self._said(task, text_of(message), caller))
        except HearthgraphError as fault:
            self._tasks.update(task, REJECTED, str(fault))
        except Exception:
            self._tasks.update(task, FAILED, "Something went wrong that should not.")
            raise
        return None

    def cancel(self, task: Task) -> None:
        """Withdraws a plan that waits for consent, and stops one that runs."""
        turn = self._house.talks.find(str(task.private.get("request", "")))
        if turn is not None:
            try:
                self._house.talks.cancel(turn)
            except HearthgraphError:
                return

    def _said(self, task: Task, text: str, caller: Caller) -> Answer:
        plan, word = task.private.pop("plan_id", None), text.strip().strip(".!").casefold()
        if plan and word in YES | NO:
            return self._house.consent(caller, {"plan_id": plan, "agree": word in YES})
        given = {"text": text, "conversation": f"a2a:{task.context}"}
        turn = self._house.begin(caller, given)
        task.private["request"] = turn.request
        return self._house.said(turn)

    def _told(self, task: Task, found: Answer) -> None:
        """Updates a task by the outcome of its request."""
        state = STATES.get(str(found["status"]), FAILED)
        if found.get("plan_id"):
            task.private["plan_id"] = found["plan_id"]
        reply = str(found.get("question") or found.get("reply") or "")
        if state == COMPLETED:
            self._tasks.add(task, [{"text": reply}, {"data": json.loads(json.dumps(found, default=str))}])
        self._tasks.update(task, state, reply)


def text_of(message: Mapping[str, Any]) -> str:
    """The words of a message; data that has a text is that text."""
    found = []
    for part in message.get("parts", []):
        data = part.get("data")
        found.append(part.get("text") or (data.get("text") if isinstance(data, dict) else None) or "")
    return " ".join(str(one) for one in found if one).strip()
