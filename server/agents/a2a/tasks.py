"""Tasks of A2A: messages, states, artifacts, and their record, which survives a restart.

https://a2a-protocol.org/latest/specification/ (1.0), section 4; kept in hg:graph/agents.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from engine.graph.store import GraphStore
from engine.graph.terms import AGENTS, Literal, NamedNode, Quad, literal, node, python

RECORD = node("hg:record")
BASE = "urn:hearthgraph:task:"
SUBMITTED, WORKING = "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"
COMPLETED, FAILED, REJECTED = "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_REJECTED"
CANCELED, INPUT = "TASK_STATE_CANCELED", "TASK_STATE_INPUT_REQUIRED"
TERMINAL = frozenset((COMPLETED, FAILED, REJECTED, CANCELED))
MOST = 200
"""How many tasks of one owner are kept; the oldest go, and nobody else's."""
Event = dict[str, Any]


@dataclass(slots=True)
class Task:
    """One task. `owner` is the caller's name; `private` holds the ids of its request and plan. `news` notifies of each
    event."""

    id: str
    context: str
    owner: str
    state: str = SUBMITTED
    message: dict[str, Any] | None = None
    at: str = ""
    artifacts: list[dict[str, Any]] = field(default_factory=list)
    history: list[dict[str, Any]] = field(default_factory=list)
    private: dict[str, Any] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def shown(self, history: int | None = None) -> dict[str, Any]:
        """The task as others see it; so many messages of its history, all for None."""
        found: dict[str, Any] = {"id": self.id, "contextId": self.context, "status": self.status()}
        if self.artifacts:
            found["artifacts"] = deepcopy(self.artifacts)
        if history != 0 and self.history:
            found["history"] = deepcopy(self.history if history is None else self.history[-history:])
        return found

    def status(self) -> dict[str, Any]:
        """The task's status: its state, the time of it, and a message."""
        found: dict[str, Any] = {"state": self.state, "timestamp": self.at}
        return {**found, "message": deepcopy(self.message)} if self.message else found

    def record(self) -> dict[str, Any]:
        """The task as it is stored."""
        names = ("id", "context", "owner", "state", "message", "at", "artifacts", "history", "private")
        return {name: getattr(self, name) for name in names}


class Tasks:
    """The tasks of one house. It may be shared between threads."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Task] = OrderedDict((task.id, task) for task in _read(store))
        for task in self._known.values():
            if task.state in (SUBMITTED, WORKING):  # what was under way when the house stopped came to nothing
                self.update(task, FAILED, "The house was restarted.")

    def begin(self, owner: str, context: str | None, message: dict[str, Any]) -> Task:
        """A new task about a message."""
        task = Task(str(uuid4()), context or str(uuid4()), owner, at=_now())
        task.history.append(_of(message, task))
        with self._lock:
            self._known[task.id] = task
            own = [one for one in self._known.values() if one.owner == owner]
            gone = [self._known.pop(one.id) for one in own[: max(0, len(own) - MOST)]]
        self._keep(task, gone)
        return task

    def find(self, name: str, owner: str) -> Task | None:
        """The task of that id, if it is this owner's."""
        task = self._known.get(name)
        return task if task is not None and task.owner == owner else None

    def all(self, owner: str) -> list[Task]:
        """The tasks of an owner, the latest first."""
        return sorted((one for one in self._known.values() if one.owner == owner), key=lambda one: one.at, reverse=True)

    def hear(self, task: Task, message: dict[str, Any]) -> None:
        """A further message about a task."""
        task.history.append(_of(message, task))
        self._keep(task)

    def update(self, task: Task, state: str, said: str | None = None) -> None:
        """Moves a task to another state; `said` is the status message."""
        message = None if said is None else spoken(said, task)
        with task.news:
            if task.message is not None:
                task.history.append(task.message)
            # In one go: whoever follows sees the state with its event, or neither.
            task.state, task.message, task.at = state, message, _now()
            about = {"taskId": task.id, "contextId": task.context, "status": task.status()}
            task.events.append({"statusUpdate": about})
            task.news.notify_all()
        self._keep(task)

    def add(self, task: Task, parts: list[dict[str, Any]], *, last: bool = True, into: str | None = None) -> str:
        """A result, or a further piece of one; its id."""
        name = into or str(uuid4())
        with task.news:
            known = next((one for one in task.artifacts if one["artifactId"] == name), None)
            if known is None:
                task.artifacts.append({"artifactId": name, "name": "result", "parts": deepcopy(parts)})
            else:
                known["parts"] += deepcopy(parts)
        piece = {"artifactId": name, "name": "result", "parts": parts}
        update: dict[str, Any] = {"taskId": task.id, "contextId": task.context, "artifact": piece}
        if into is not None:
            update["append"] = True
        self._tell(task, {"artifactUpdate": {**update, "lastChunk": last}})
        return name

    def events(
        self, task: Task, seen: int, beat: float, ended: Callable[[], bool], *, through: bool = False
    ) -> Iterator[Event | None]:
        """The events from that number on, until the task is over or, unless it is gone `through`, waits for input; None
        in silence."""
        resting = TERMINAL if through else TERMINAL | {INPUT}
        while True:
            stop = ended()  # asked first: what happened until then is told all the same
            with task.news:
                if len(task.events) == seen and task.state not in resting and not stop:
                    task.news.wait(beat)
                fresh = task.events[seen:]
                seen += len(fresh)
                over = task.state in resting and len(task.events) == seen
            yield from fresh or (() if over else (None,))
            if over or stop:
                return

    def _tell(self, task: Task, event: Event) -> None:
        with task.news:
            task.events.append(event)
            task.news.notify_all()
        self._keep(task)

    def _keep(self, task: Task, gone: list[Task] | None = None) -> None:
        subjects = {f"{BASE}{one.id}" for one in (task, *(gone or ()))}
        with self._lock:
            old = [quad for quad in self._store.graph(AGENTS) if getattr(quad.subject, "value", "") in subjects]
            said = Quad(NamedNode(f"{BASE}{task.id}"), RECORD, literal(task.record()), AGENTS)
            self._store.write(delete=[quad for quad in old if quad != said], insert=[said])


def spoken(text: str, task: Task | None = None) -> dict[str, Any]:
    """A message of the house's."""
    found: dict[str, Any] = {"messageId": str(uuid4()), "role": "ROLE_AGENT", "parts": [{"text": text}]}
    return found if task is None else _of(found, task)


def _of(message: dict[str, Any], task: Task) -> dict[str, Any]:
    return {**message, "taskId": task.id, "contextId": task.context}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _read(store: GraphStore) -> Iterator[Task]:
    records = []
    for quad in store.graph(AGENTS):
        if quad.predicate == RECORD and str(getattr(quad.subject, "value", "")).startswith(BASE):
            found = python(quad.object) if isinstance(quad.object, Literal) else None
            if isinstance(found, dict):
                records.append(found)
    yield from (Task(**record) for record in sorted(records, key=lambda one: str(one["at"])))
