"""Operations as Home Assistant's benchmark sees them: triples of an entity, an operation and a value; and their effects
on the states that it compares."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import webcolors

from engine.origins.home_assistant.snapshot import Snapshot

State = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Done:
    """One operation on one entity; `operation` is `?` where an action cannot be read."""

    entity: str
    operation: str
    value: Any = None


_SERVICES: Mapping[str, str] = {
    **{f"{verb}_{domain}": verb for verb in ("open", "close", "stop") for domain in ("cover", "valve")},
    **{f"set_{domain}_position": "position" for domain in ("cover", "valve")},
    **{f"media_{verb}": verb for verb in ("pause", "play", "play_pause", "stop")},
    "media_next_track": "next",
    "media_previous_track": "previous",
    "volume_set": "volume",
    "volume_mute": "mute",
    "return_to_base": "return",
    "set_temperature": "temperature",
    "set_hvac_mode": "hvac_mode",
    "set_percentage": "percentage",
    "turn_on": "on",
    "turn_off": "off",
}
_PAYLOAD: Mapping[str, str] = {
    "position": "position",
    "temperature": "temperature",
    "percentage": "percentage",
    "hvac_mode": "hvac_mode",
}
_TURNED: Mapping[str, tuple[str, str]] = {
    "cover": ("open", "close"),
    "valve": ("open", "close"),
    "lock": ("lock", "unlock"),
    "scene": ("activate", "off"),
    "script": ("activate", "off"),
    "vacuum": ("start", "return"),
}
_TARGET = re.compile(r"home-assistant://[^/]+/([^/]+)/([^/]+)")
_COLOURS = ("red", "green", "blue", "yellow", "orange", "purple", "white", "pink")


def done(result: Mapping[str, Any]) -> list[Done]:
    """The operations that took place; proposed ones do not count."""
    if result.get("status") in ("clarify", "refused", "scheduled") and not result.get("changes"):
        return []
    return [one for action in result.get("actions") or () for one in _of_action(action)]


def _of_action(action: Mapping[str, Any]) -> Iterator[Done]:
    found = _TARGET.fullmatch(action.get("target") or "")
    if found is None:
        yield Done(str(action.get("artifact")), "?", action.get("affordance"))
        return
    entity, service = found.groups()
    domain, payload = entity.partition(".")[0], dict(action.get("payload") or {})
    if domain == "light" and service == "turn_on" and (said := list(_light(entity, payload))):
        yield from said
    elif service in ("turn_on", "turn_off"):
        yield Done(entity, _TURNED.get(domain, ("on", "off"))[service == "turn_off"])
    else:
        operation = _SERVICES.get(service, service)
        yield _with_value(entity, "activate" if domain == "script" else operation, payload)


def _light(entity: str, payload: Mapping[str, Any]) -> Iterator[Done]:
    share = payload.get("brightness_pct")
    if share is None and payload.get("brightness") is not None:
        share = round(float(payload["brightness"]) / 255 * 100)
    if share is not None:
        yield Done(entity, "brightness", share)
    if payload.get("color_temp_kelvin") is not None:
        yield Done(entity, "color_temp", payload["color_temp_kelvin"])
    elif colour := _colour(payload):
        yield Done(entity, "color", colour)


def _colour(payload: Mapping[str, Any]) -> str | None:
    if "color_name" in payload:
        return str(payload["color_name"]).lower()
    rgb = payload.get("rgb_color")
    if rgb is None and payload.get("hs_color") is not None:
        hue, saturation = payload["hs_color"]
        rgb = [255 * part for part in colorsys.hsv_to_rgb(hue / 360 % 1, saturation / 100, 1)]
    if rgb is None:
        return None
    return min(_COLOURS, key=lambda name: _distance(name, rgb))


def _distance(name: str, rgb: Iterable[float]) -> float:
    red, green, blue = webcolors.name_to_rgb(name)
    return sum(float(one - other) ** 2 for one, other in zip((red, green, blue), rgb, strict=False))


def _with_value(entity: str, operation: str, payload: Mapping[str, Any]) -> Done:
    if operation == "volume":
        level = payload.get("volume_level")
        return Done(entity, operation, level if level is None or float(level) > 1 else round(float(level) * 100))
    if operation == "mute":
        return Done(entity, "mute" if payload.get("is_volume_muted", True) else "unmute")
    if operation == "add_item":
        return Done(entity, operation, str(payload.get("item", "")).strip().lower())
    return Done(entity, operation, payload.get(_PAYLOAD.get(operation, "")))


_LOOSE: Mapping[str, float] = {
    "brightness": 1,
    "volume": 1,
    "position": 0.05,
    "percentage": 0.05,
    "temperature": 0.05,
}


def _same_value(operation: str, one: Any, other: Any) -> bool:
    if operation in _LOOSE:
        try:
            return abs(float(one) - float(other)) <= _LOOSE[operation]
        except (TypeError, ValueError):
            return False
    return bool(one.lower() == other.lower() if isinstance(one, str) and isinstance(other, str) else one == other)


def same(one: Done, other: Done) -> bool:
    """Whether two operations come to the same; to open fully is position 100, to close is 0."""
    if one.entity != other.entity:
        return False
    for first, second in ((one, other), (other, one)):
        if first.operation in ("open", "close") and second.operation == "position":
            return _same_value("position", second.value, 100 if first.operation == "open" else 0)
    return one.operation == other.operation and _same_value(one.operation, one.value, other.value)


def all_same(got: Iterable[Done], wanted: Iterable[Done]) -> bool:
    """Whether two lists of operations are the same, in any order; repeated operations do not count."""
    left, distinct = list(wanted), list[Done]()
    for one in got:
        if not any(same(one, other) for other in distinct):
            distinct.append(one)
    for one in distinct:
        match = next((other for other in left if same(one, other)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def tracked(home: Snapshot) -> dict[str, State]:
    """The compared states of each entity of the registry, before the operations."""
    return {entity: _tracked(record) for entity, record in home.state_of.items() if entity in home.entity_of}


def _tracked(record: Mapping[str, Any]) -> State:
    domain, about = str(record["entity_id"]).partition(".")[0], record.get("attributes") or {}
    found: State = {"state": record["state"]}
    if domain == "light":
        level = about.get("brightness")
        found |= {"brightness": None if level is None else round(level / 255 * 100), "color": None}
    if domain in ("cover", "valve") and "current_position" in about:
        found["position"] = about["current_position"]
    if domain == "media_player":
        volume, track = round(100 * about.get("volume_level", 0)), about.get("media_track")
        found |= {"volume": volume, "muted": bool(about.get("is_volume_muted")), "track": track}
    if domain in ("climate", "fan"):
        name = "temperature" if domain == "climate" else "percentage"
        found[name] = about.get(name)
    return found


def apply(one: Done, state: State) -> None:
    """Applies an operation to the state of its entity."""
    domain, value = one.entity.partition(".")[0], one.value
    if one.operation in ("on", "off"):
        state["state"] = state["state"] if domain == "climate" and one.operation == "on" else one.operation
    elif one.operation in _VALUED:
        state |= _VALUED[one.operation](value)
    elif one.operation in ("open", "close"):
        state["state"] = "open" if one.operation == "open" else "closed"
        state |= {"position": 100 if one.operation == "open" else 0} if "position" in state else {}
    elif one.operation == "play":
        state["state"] = "playing" if domain == "media_player" else "cleaning"
    elif one.operation in ("next", "previous"):
        step = 1 if one.operation == "next" else -1
        state["track"] = max(1, (state.get("track") or int(step < 0)) + step)
    elif one.operation == "add_item":
        state["state"] = str(int(state["state"]) + 1) if str(state["state"]).isdigit() else "?"
    elif one.operation in _ENDS and (one.operation != "stop" or domain in ("media_player", "vacuum")):
        state["state"] = _ENDS[one.operation]


_ENDS: Mapping[str, str] = {
    "lock": "locked",
    "unlock": "unlocked",
    "pause": "paused",
    "start": "cleaning",
    "return": "returning",
    "stop": "idle",
}
_VALUED: Mapping[str, Any] = {
    "brightness": lambda value: {"state": "on", "brightness": value},
    "color": lambda value: {"state": "on", "color": value},
    "percentage": lambda value: {"state": "on" if float(value or 0) > 0 else "off", "percentage": value},
    "position": lambda value: {"state": "open" if float(value or 0) > 0 else "closed", "position": value},
    "temperature": lambda value: {"temperature": value},
    "hvac_mode": lambda value: {"state": value},
    "volume": lambda value: {"volume": value},
    "mute": lambda _: {"muted": True},
    "unmute": lambda _: {"muted": False},
}


def comes_to(operations: Iterable[Done], home: Snapshot, wanted: Mapping[str, Any]) -> bool:
    """Whether operations bring every entity to its wanted state, and leave all others as they were."""
    before, after = tracked(home), tracked(home)
    for one in operations:
        if one.operation == "?":
            return False
        if one.entity in after:
            apply(one, after[one.entity])
    return all(
        any(_fits(state, way) for way in _ways(wanted[entity])) if entity in wanted else state == before[entity]
        for entity, state in after.items()
    )


def _ways(wanted: Any) -> list[Mapping[str, Any]]:
    return wanted if isinstance(wanted, list) else [wanted]


def _fits(state: State, wanted: Mapping[str, Any]) -> bool:
    return all(
        any(_equal(name, state.get(name), one) for one in (value if isinstance(value, list) else [value]))
        for name, value in wanted.items()
    )


def _equal(name: str, one: Any, other: Any) -> bool:
    if name in ("brightness", "volume", "position", "temperature", "track"):
        try:
            return abs(float(one) - float(other)) <= (1 if name in ("brightness", "volume") else 0.05)
        except (TypeError, ValueError):
            return bool(one == other)
    return str(one) == str(other)
