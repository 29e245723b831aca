"""A2A over JSON-RPC: dispatches requests by method, and translates errors.

https://a2a-protocol.org/latest/specification/ , sections 3 and 9
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.agents.a2a.old import METHODS as OLD_METHODS
from server.agents.a2a.old import params_in, result_out
from server.agents.a2a.tasks import CANCELED, TERMINAL, Task, Tasks

PATIENCE = 25.0
BEAT = 1.0
PAGE, LARGEST_PAGE = 50, 100
VERSIONS = ("1.0", "0.3")
DOMAIN = "a2a-protocol.org"
INFO = "type.googleapis.com/google.rpc.ErrorInfo"
MODES = frozenset(("text/plain", "application/json", "text"))
_STREAMS = frozenset(("SendStreamingMessage", "SubscribeToTask"))
_SNAKE = re.compile(r"_([a-z])")
_ROLES = frozenset(("ROLE_USER", "ROLE_AGENT"))


class Fault(Exception):
    """An error of the protocol: its code, a message, and the reason by which programs know it."""

    def __init__(self, code: int, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.reason = code, message, reason


def not_found() -> Fault:
    """No such task, or not of whoever asks."""
    return Fault(-32001, "There is no such task.", "TASK_NOT_FOUND")


def unsupported(message: str) -> Fault:
    """The error for an operation that this agent does not support."""
    return Fault(-32004, message, "UNSUPPORTED_OPERATION")


def invalid(message: str) -> Fault:
    """Parameters that are none."""
    return Fault(-32602, message)


@dataclass(frozen=True, slots=True)
class Answered:
    """The response to a request: one answer, or a stream of them."""

    one: dict[str, Any] | None = None
    stream: Iterator[dict[str, Any] | None] | None = None


Work = Callable[[Task, dict[str, Any], str], "dict[str, Any] | None"]
"""Works on a task because of a message of an owner; gives a message where no task is needed after all."""


class Rpc:
    """The requests of one agent. `work` carries a message out, in a thread of its own; `cancel` stops it; `may` raises
    where an owner may not have tasks."""

    def __init__(
        self,
        tasks: Tasks,
        work: Work,
        cancel: Callable[[Task], None],
        ended: Callable[[], bool],
        may: Callable[[str], None] | None = None,
    ) -> None:
        self._tasks, self._work, self._cancel, self._ended, self._may = tasks, work, cancel, ended, may
        self._methods: Mapping[str, Callable[[Mapping[str, Any], str], Any]] = {
            "SendMessage": self._send,
            "SendStreamingMessage": self._stream,
            "GetTask": self._get,
            "ListTasks": self._list,
            "CancelTask": self._cancelled,
            "SubscribeToTask": self._subscribe,
        }

    def answer(self, said: Any, owner: str, version: str) -> Answered:
        """The response to a request of JSON-RPC."""
        number = said.get("id") if isinstance(said, dict) else None
        number = number if isinstance(number, str | int | float | None) and not isinstance(number, bool) else None
        try:
            method, params, old = _read(said, version)
            found = self._called(method, params, owner)
        except Fault as fault:
            return Answered(error(number, fault))

        def whole(result: Any) -> dict[str, Any]:
            return {"jsonrpc": "2.0", "id": number, "result": result_out(result) if old else result}

        if method in _STREAMS:
            return Answered(stream=(None if one is None else whole(one) for one in found))
        return Answered(whole(found))

    def _called(self, method: str, params: Mapping[str, Any], owner: str) -> Any:
        if "PushNotification" in method:
            raise Fault(-32003, "Push notifications are not offered.", "PUSH_NOTIFICATION_NOT_SUPPORTED")
        if method == "GetExtendedAgentCard":
            raise unsupported("There is no other card.")
        found = self._methods.get(method)
        if found is None:
            raise Fault(-32601, "There is no such method.")
        return found(params, owner)

    # Sending

    def _begun(self, params: Mapping[str, Any], owner: str) -> tuple[Task, threading.Thread, list[Any], int]:
        message = _message(params)
        if self._may is not None:
            self._may(owner)
        task, seen = self._task(message, owner)
        came: list[Any] = []

        def run() -> None:
            came.append(self._work(task, message, owner))
            with task.news:
                task.news.notify_all()

        thread = threading.Thread(target=run, name="hearthgraph-a2a", daemon=True)
        thread.start()
        return task, thread, came, seen

    def _task(self, message: dict[str, Any], owner: str) -> tuple[Task, int]:
        """The task that a message is about, a new one where it names none; how many events it had."""
        name = message.get("taskId")
        if not name:
            return self._tasks.begin(owner, message.get("contextId"), message), 0
        task = self._tasks.find(str(name), owner)
        if task is None:
            raise not_found()
        if message.get("contextId") and message["contextId"] != task.context:
            raise invalid("The task belongs to another context.")
        if task.state in TERMINAL:
            raise unsupported("The task is over.")
        self._tasks.hear(task, message)
        task.state = "TASK_STATE_WORKING"
        return task, len(task.events)

    def _send(self, params: Mapping[str, Any], owner: str) -> dict[str, Any]:
        configuration = params.get("configuration")
        configuration = configuration if isinstance(configuration, dict) else {}
        length = _history(configuration.get("historyLength"))
        if "taskPushNotificationConfig" in configuration or "pushNotificationConfig" in configuration:
            raise Fault(-32003, "Push notifications are not offered.", "PUSH_NOTIFICATION_NOT_SUPPORTED")
        task, thread, came, _ = self._begun(params, owner)
        thread.join(0 if configuration.get("returnImmediately") is True else PATIENCE)
        if came and came[0] is not None:
            return {"message": came[0]}
        return {"task": task.shown(length)}

    def _stream(self, params: Mapping[str, Any], owner: str) -> Iterator[dict[str, Any] | None]:
        task, thread, came, seen = self._begun(params, owner)
        return self._events(task, seen, thread, came)

    def _events(
        self, task: Task, seen: int, thread: threading.Thread, came: list[Any]
    ) -> Iterator[dict[str, Any] | None]:
        with task.news:
            task.news.wait_for(lambda: bool(came) or len(task.events) > seen, timeout=PATIENCE)
        if came and came[0] is not None:
            yield {"message": came[0]}
            return
        first = {**task.shown(0), "status": {"state": "TASK_STATE_SUBMITTED", "timestamp": task.at}}
        yield {"task": first if seen == 0 else task.shown(0)}
        yield from self._tasks.events(task, seen, BEAT, lambda: self._ended() or not (thread.is_alive() or not came))

    # Looking

    def _get(self, params: Mapping[str, Any], owner: str) -> dict[str, Any]:
        length = _history(params.get("historyLength"))
        return self._known(params, owner).shown(length)

    def _list(self, params: Mapping[str, Any], owner: str) -> dict[str, Any]:
        size = params.get("pageSize", PAGE)
        if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= LARGEST_PAGE:
            raise invalid(f"pageSize is a number from 1 to {LARGEST_PAGE}.")
        length = _history(params.get("historyLength", 0))
        start = str(params.get("pageToken") or "0")
        if not start.isascii() or not start.isdigit():
            raise invalid("pageToken is one that was given out.")
        found = self._tasks.all(owner)
        for key, name in (("contextId", "context"), ("status", "state")):
            if params.get(key):
                found = [one for one in found if getattr(one, name) == params[key]]
        if params.get("statusTimestampAfter"):
            found = [one for one in found if one.at >= str(params["statusTimestampAfter"])]
        page = found[int(start) : int(start) + size]
        following = int(start) + size
        shown = [one.shown(length) for one in page]
        if params.get("includeArtifacts") is not True:
            shown = [{key: value for key, value in one.items() if key != "artifacts"} for one in shown]
        token = str(following) if following < len(found) else ""
        return {"tasks": shown, "totalSize": len(found), "pageSize": size, "nextPageToken": token}

    def _cancelled(self, params: Mapping[str, Any], owner: str) -> dict[str, Any]:
        task = self._known(params, owner)
        if task.state in TERMINAL:
            raise Fault(-32002, "The task is over.", "TASK_NOT_CANCELABLE")
        self._cancel(task)
        self._tasks.update(task, CANCELED)
        return task.shown()

    def _subscribe(self, params: Mapping[str, Any], owner: str) -> Iterator[dict[str, Any] | None]:
        task = self._known(params, owner)
        if task.state in TERMINAL:
            raise unsupported("The task is over.")
        return self._following(task)

    def _following(self, task: Task) -> Iterator[dict[str, Any] | None]:
        seen = len(task.events)
        yield {"task": task.shown()}
        yield from self._tasks.events(task, seen, BEAT, self._ended, through=True)

    def _known(self, params: Mapping[str, Any], owner: str) -> Task:
        name = params.get("id")
        if not isinstance(name, str) or not name:
            raise invalid("A task is named by its id.")
        task = self._tasks.find(name, owner)
        if task is None:
            raise not_found()
        return task


def _read(said: Any, version: str) -> tuple[str, dict[str, Any], bool]:
    """The method of 1.0, its parameters, and whether it was asked in 0.3."""
    if not isinstance(said, dict) or said.get("jsonrpc") != "2.0" or not isinstance(said.get("method"), str):
        raise Fault(-32600, "This is no request of JSON-RPC 2.0.")
    if isinstance(said.get("id"), bool | list | dict) or "id" not in said:
        raise Fault(-32600, "A request has an id.")
    params = said.get("params", {})
    if not isinstance(params, dict):
        raise invalid("Parameters are an object.")
    old = said["method"] in OLD_METHODS
    if version and not any(version == one or version.startswith(f"{one}.") for one in VERSIONS):
        raise Fault(-32009, f"Version {version[:20]} is not spoken here.", "VERSION_NOT_SUPPORTED")
    # As in every JSON of protocol buffers, names are understood in snake case, too.
    params = {_SNAKE.sub(lambda found: found.group(1).upper(), name): value for name, value in params.items()}
    return (OLD_METHODS[said["method"]], params_in(params), True) if old else (said["method"], params, False)


def _message(params: Mapping[str, Any]) -> dict[str, Any]:
    message = params.get("message")
    if not isinstance(message, dict):
        raise invalid("There is no message.")
    parts = message.get("parts")
    if not isinstance(message.get("messageId"), str) or not message["messageId"]:
        raise invalid("A message has a messageId.")
    if message.get("role") not in _ROLES:
        raise invalid("A message has a role.")
    if not isinstance(parts, list) or not parts or not all(isinstance(one, dict) for one in parts):
        raise invalid("A message has parts.")
    for part in parts:
        if not {"text", "data", "raw", "url"} & part.keys():
            raise invalid("A part has text, data, raw or url.")
        if {"raw", "url"} & part.keys() or str(part.get("mediaType") or "text").split(";")[0] not in MODES:
            raise Fault(-32005, "Texts and JSON alone are understood.", "CONTENT_TYPE_NOT_SUPPORTED")
    return message


def _history(length: Any) -> int | None:
    if length is None:
        return None
    if not isinstance(length, int) or isinstance(length, bool) or length < 0:
        raise invalid("historyLength is a number, nought or more.")
    return length


def error(number: Any, fault: Fault) -> dict[str, Any]:
    """An error as JSON-RPC has it, with the reason for programs."""
    told: dict[str, Any] = {"code": fault.code, "message": fault.message}
    if fault.reason:
        told["data"] = [{"@type": INFO, "reason": fault.reason, "domain": DOMAIN, "metadata": {}}]
    return {"jsonrpc": "2.0", "id": number, "error": told}
