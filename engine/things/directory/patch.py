"""Parts of JSON documents: a merge patch carried out, and the one that leads from a document to another.

https://www.rfc-editor.org/rfc/rfc7396
"""

from __future__ import annotations

from typing import Any


def merged(target: Any, patch: Any) -> Any:
    """A value after a JSON merge patch (RFC 7396): its members replace, null removes, anything but an object replaces
    whole."""
    if not isinstance(patch, dict):
        return patch
    found = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = merged(found.get(name), value)
    return found


def difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The merge patch from `before` to `after`. Nulls in `after` cannot be expressed and are lost."""
    gone: dict[str, Any] = {name: None for name in before if name not in after}
    return gone | {
        name: _change(before.get(name), value) for name, value in after.items() if _differ(before, name, value)
    }


def _differ(before: dict[str, Any], name: str, value: Any) -> bool:
    return name not in before or not _same(before[name], value)


def _same(one: Any, other: Any) -> bool:
    """Whether two values of JSON are the same, at every depth: 0, 0.0 and false are three."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)


def _change(before: Any, after: Any) -> Any:
    if isinstance(before, dict) and isinstance(after, dict):
        return difference(before, after)
    return after
