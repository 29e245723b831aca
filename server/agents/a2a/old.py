"""Version 0.3 of A2A, in terms of 1.0: requests in, results out.

https://a2a-protocol.org/v0.3.0/specification/
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

METHODS = {
    "message/send": "SendMessage",
    "message/stream": "SendStreamingMessage",
    "tasks/get": "GetTask",
    "tasks/list": "ListTasks",
    "tasks/cancel": "CancelTask",
    "tasks/resubscribe": "SubscribeToTask",
    "tasks/pushNotificationConfig/set": "CreateTaskPushNotificationConfig",
    "tasks/pushNotificationConfig/get": "GetTaskPushNotificationConfig",
    "tasks/pushNotificationConfig/list": "ListTaskPushNotificationConfigs",
    "tasks/pushNotificationConfig/delete": "DeleteTaskPushNotificationConfig",
    "agent/getAuthenticatedExtendedCard": "GetExtendedAgentCard",
}
_ROLES = {"user": "ROLE_USER", "agent": "ROLE_AGENT"}


def params_in(params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a request of 0.3 as 1.0 has them."""
    found = dict(params)
    message = found.get("message")
    if isinstance(message, dict):
        parts = message.get("parts")
        found["message"] = {
            **{key: value for key, value in message.items() if key != "kind"},
            "role": _ROLES.get(str(message.get("role")), message.get("role")),
            "parts": [_part_in(one) for one in parts] if isinstance(parts, list) else parts,
        }
    configuration = found.get("configuration")
    if isinstance(configuration, dict) and "blocking" in configuration:
        found["configuration"] = {**configuration, "returnImmediately": configuration["blocking"] is False}
    return found


def _part_in(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    file = part.get("file")
    if isinstance(file, dict):
        names = {"bytes": "raw", "uri": "url", "mimeType": "mediaType", "name": "filename"}
        return {names.get(key, key): value for key, value in file.items()}
    return {key: value for key, value in part.items() if key != "kind"}


def result_out(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result of 1.0 as 0.3 has it."""
    if isinstance(result.get("task"), dict):
        return task_out(result["task"])
    if isinstance(result.get("message"), dict):
        return message_out(result["message"])
    if isinstance(update := result.get("statusUpdate"), dict):
        status = _status_out(update["status"])
        final = status["state"] in ("completed", "failed", "canceled", "rejected", "input-required")
        return {**update, "kind": "status-update", "status": status, "final": final}
    if isinstance(update := result.get("artifactUpdate"), dict):
        return {**update, "kind": "artifact-update", "artifact": _artifact_out(update["artifact"])}
    if "status" in result and "id" in result:
        return task_out(result)
    return dict(result)


def task_out(task: Mapping[str, Any]) -> dict[str, Any]:
    """A task."""
    found = {**task, "kind": "task", "status": _status_out(task["status"])}
    if "artifacts" in task:
        found["artifacts"] = [_artifact_out(one) for one in task["artifacts"]]
    if "history" in task:
        found["history"] = [message_out(one) for one in task["history"]]
    return found


def message_out(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message."""
    roles = {new: old for old, new in _ROLES.items()}
    parts = [_part_out(one) for one in message.get("parts", [])]
    return {**message, "kind": "message", "role": roles.get(str(message.get("role")), "agent"), "parts": parts}


def _status_out(status: Mapping[str, Any]) -> dict[str, Any]:
    state = str(status["state"]).removeprefix("TASK_STATE_").replace("_", "-").lower()
    found = {**status, "state": state}
    return {**found, "message": message_out(status["message"])} if "message" in status else found


def _artifact_out(artifact: Mapping[str, Any]) -> dict[str, Any]:
    return {**artifact, "parts": [_part_out(one) for one in artifact["parts"]]}


def _part_out(part: Mapping[str, Any]) -> dict[str, Any]:
    if "text" in part:
        return {"kind": "text", **part}
    if "data" in part:
        return {"kind": "data", **part}
    names = {"raw": "bytes", "url": "uri", "mediaType": "mimeType", "filename": "name"}
    return {"kind": "file", "file": {names[key]: value for key, value in part.items() if key in names}}
