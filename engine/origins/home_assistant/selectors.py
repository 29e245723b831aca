"""The fields of a service as schemas: by their selectors, as far as an entity's features and attributes allow them.

https://www.home-assistant.io/docs/blueprint/selectors/
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.model.thing import Schema
from engine.origins.home_assistant.entities import Entity
from engine.origins.home_assistant.snapshot import Record

WIDEST = 1e15
"""Bounds beyond which a number is as good as unbounded."""
_TIME = r"^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$"
_DATE = r"^\d{4}-\d{2}-\d{2}$"


def fields(service: Record, entity: Entity) -> Iterator[tuple[str, Record]]:
    """The fields of a service that an entity allows, those of sections included, by name."""
    yield from _within(service.get("fields") or {}, entity)


def _within(found: Mapping[str, Record], entity: Entity) -> Iterator[tuple[str, Record]]:
    for name, field in found.items():
        if not _allowed(field.get("filter") or {}, entity):
            continue
        if "selector" not in field and isinstance(field.get("fields"), dict):
            yield from _within(field["fields"], entity)
        else:
            yield name, field


def _allowed(rule: Record, entity: Entity) -> bool:
    """Whether a filter holds: one of the features, or one of the values of an attribute."""
    features = rule.get("supported_features")
    if features is not None and not entity.supports(features):
        return False
    for name, wanted in (rule.get("attribute") or {}).items():
        found = entity.attributes.get(name)
        if not set(found if isinstance(found, list) else [found]) & set(wanted):
            return False
    return True


def schema(field: Record) -> Schema:
    """The schema of a field. A selector that is not known allows any value."""
    selector = field.get("selector") or {}
    for name, settings in selector.items():
        made = _MAKERS.get(name, _any)(settings or {})
        described = str(field.get("description") or "") or None
        return _with_default(made, field, described)
    return _with_default(Schema(), field, str(field.get("description") or "") or None)


def _with_default(made: Schema, field: Record, description: str | None) -> Schema:
    default = field.get("default")
    simple = isinstance(default, bool | int | float | str)
    return Schema(
        **{name: getattr(made, name) for name in _KEPT},
        description=description,
        default=default if simple else None,
        has_default=simple,
    )


_KEPT = (
    "type",
    "minimum",
    "maximum",
    "multiple_of",
    "pattern",
    "enum",
    "unit",
    "properties",
    "items",
    "const",
    "has_const",
)


def _any(settings: Record) -> Schema:
    return Schema("array") if settings.get("multiple") else Schema()


def _number(settings: Record) -> Schema:
    low, high, step = (settings.get(name) for name in ("min", "max", "step"))
    whole = _is_whole(step) and all(one is None or _is_whole(one) for one in (low, high))
    return Schema(
        "integer" if whole and step == 1 else "number",
        minimum=_finite(low),
        maximum=_finite(high),
        multiple_of=size if (size := _finite(step)) and size > 0 and size != 1 else None,
        unit=str(settings.get("unit_of_measurement") or "") or None,
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | float) and float(value).is_integer()


def _finite(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and abs(value) < WIDEST else None


def _boolean(_: Record) -> Schema:
    return Schema("boolean")


def _text(settings: Record) -> Schema:
    return _many(Schema("string"), settings)


def _many(one: Schema, settings: Record) -> Schema:
    return Schema("array", items=(one,)) if settings.get("multiple") else one


def _select(settings: Record) -> Schema:
    options = [one.get("value") if isinstance(one, dict) else one for one in settings.get("options") or ()]
    options = [] if settings.get("custom_value") else [one for one in options if isinstance(one, str)]
    return _many(Schema("string", enum=tuple(dict.fromkeys(options))), settings)


def _constant(settings: Record) -> Schema:
    value = settings.get("value")
    if not isinstance(value, bool | int | float | str):
        return Schema()
    kind = "boolean" if isinstance(value, bool) else "string" if isinstance(value, str) else "number"
    return Schema(kind, const=value, has_const=True)


def _colour(_: Record) -> Schema:
    channel = Schema("integer", minimum=0, maximum=255)
    return Schema("array", items=(channel, channel, channel))


def _temperature(settings: Record) -> Schema:
    unit = "K" if settings.get("unit", "kelvin") == "kelvin" else "mired"
    return Schema("integer", minimum=_finite(settings.get("min")), maximum=_finite(settings.get("max")), unit=unit)


def _time(_: Record) -> Schema:
    return Schema("string", pattern=_TIME)


def _date(_: Record) -> Schema:
    return Schema("string", pattern=_DATE)


def _duration(settings: Record) -> Schema:
    """So many seconds, which Home Assistant takes as well as hours, minutes and seconds."""
    return Schema("number", minimum=None if settings.get("allow_negative") else 0, unit="s")


def _object(settings: Record) -> Schema:
    return Schema() if "multiple" in settings else Schema("object")


_NAMES = ("entity", "device", "area", "floor", "label", "icon", "theme", "config_entry", "conversation_agent")
_MAKERS: dict[str, Callable[[Record], Schema]] = {
    "number": _number,
    "boolean": _boolean,
    "text": _text,
    "template": _text,
    "select": _select,
    "state": _text,
    "constant": _constant,
    "color_rgb": _colour,
    "color_temp": _temperature,
    "time": _time,
    "date": _date,
    "datetime": _text,
    "duration": _duration,
    "object": _object,
    "media": _object,
    "location": _object,
    **dict.fromkeys(_NAMES, _text),
}
