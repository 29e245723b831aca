"""One entity as properties: its state and its attributes, with kind, unit, range and options, and their values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.graph.terms import Json, expand
from engine.model.thing import Form, Property, Schema
from engine.origins.home_assistant.mapping import STATE, Meanings, Row, number, text, texts
from engine.origins.home_assistant.snapshot import Record

DETAIL = expand("hg:Detail")
SILENT = ("unknown", "unavailable")
"""States that say that nothing is known."""
READ, OBSERVE = expand("td:readProperty"), expand("td:observeProperty")
CHANNEL = 255
"""The full of a colour's channel, which is a whole number."""
LONGEST = 1000
"""Characters that a text may have to be kept as a value."""
_DURATION = re.compile(r"(?:(\d+) days?, )?(\d+):(\d{2}):(\d{2})(?:\.\d+)?")
_NO_NAME = re.compile(r"[^a-z0-9]+")
_TRUTHS = {"on": True, "true": True, "off": False, "false": False}


@dataclass(frozen=True, slots=True)
class Reading:
    """Where the value of a property comes from: `source` is `state` or an attribute, `type` how it is read."""

    iri: str
    source: str
    type: str | None


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity that may be known. `iri` is its own and stays when it is renamed or moved; `target` is the target of
    its forms; `attributes` are those of its state."""

    id: str
    iri: str
    target: str
    state: Record
    entry: Record
    unit: str | None = None

    @property
    def domain(self) -> str:
        """`light` of `light.kitchen`."""
        return self.id.partition(".")[0]

    @property
    def attributes(self) -> Mapping[str, Any]:
        """The attributes of its state."""
        found = self.state.get("attributes")
        return found if isinstance(found, dict) else {}

    @property
    def device_class(self) -> str:
        """Its device class, or nothing."""
        return str(self.attributes.get("device_class") or self.entry.get("device_class") or "")

    @property
    def features(self) -> int:
        """The bits of its supported features."""
        found = self.attributes.get("supported_features")
        return found if isinstance(found, int) and not isinstance(found, bool) else 0

    @property
    def name(self) -> str:
        """The name shown to people: the friendly name, else the name of the registry, else its id in words."""
        entry = self.entry
        found = self.attributes.get("friendly_name") or entry.get("name") or entry.get("original_name")
        return str(found or self.id.partition(".")[2].replace("_", " ")).strip() or self.id

    @property
    def aliases(self) -> tuple[str, ...]:
        """The further names that people gave it."""
        found = self.entry.get("aliases") or ()
        return tuple(str(alias).strip() for alias in found if isinstance(alias, str) and alias.strip())

    def supports(self, masks: Iterable[object]) -> bool:
        """Whether it has one of these features, each a number of one or several bits."""
        bits = [mask for mask in masks if isinstance(mask, int)]
        return any(self.features & mask == mask for mask in bits)

    def property_iri(self, source: str) -> str:
        """The IRI of the property of its state or of an attribute."""
        return f"{self.iri}#properties/{source}"


def properties(entity: Entity, part: str, prefix: str, meanings: Meanings) -> tuple[list[Property], list[Reading]]:
    """The property affordances of an entity, as those of `part`, their names behind `prefix`; and how they are read."""
    found: list[Property] = []
    readings: list[Reading] = []
    for source, row in _sources(entity, meanings):
        schema = _schema(entity, source, row, meanings)
        kind = text(row, "state" if source == STATE else "kind")
        prop = Property(
            iri=entity.property_iri(source),
            name=prefix + _name(entity, source, kind),
            part=part,
            schema=schema,
            kinds=frozenset((kind,)) if kind else frozenset(),
            observable=True,
            inverted=bool(row.get("inverted")) and source == STATE,
            forms=(Form(f"{entity.target}/{source}", (READ, OBSERVE)),),
            title=_title(entity, source),
        )
        found.append(prop)
        readings.append(Reading(prop.iri, source, "duration" if text(row, "type") == "duration" else schema.type))
    return found, readings


def values(readings: Iterable[Reading], state: Record) -> dict[str, Json]:
    """The values of properties in a state; None for unknown ones."""
    told = state.get("attributes")
    attributes = told if isinstance(told, dict) else {}
    silent = state.get("state") in ("unavailable", None)
    found: dict[str, Json] = {}
    for reading in readings:
        raw = state.get("state") if reading.source == STATE else attributes.get(reading.source)
        found[reading.iri] = None if silent else value(raw, reading.type)
    return found


def value(raw: object, kind: str | None) -> Json:
    """A value of Home Assistant's as one of a JSON type; None where it cannot be."""
    if raw is None or (isinstance(raw, str) and raw in SILENT):
        return None
    if kind == "boolean":
        return raw if isinstance(raw, bool) else _TRUTHS.get(str(raw).lower())
    if kind in ("number", "integer"):
        return _number(raw, kind == "integer")
    if kind == "duration":
        return _seconds(raw)
    if kind == "array":
        return _numbers(raw)
    return str(raw) if isinstance(raw, str | int | float) and len(str(raw)) <= LONGEST else None


def _number(raw: object, whole: bool) -> Json:
    try:
        found = float(raw)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    if isinstance(raw, bool) or not math.isfinite(found):
        return None
    return round(found) if whole else found


def _numbers(raw: object) -> Json:
    if not isinstance(raw, list | tuple):
        return None
    found = [_number(one, False) for one in raw]
    return (
        None if None in found else [one if not float(str(one)).is_integer() else int(float(str(one))) for one in found]
    )


def _seconds(raw: object) -> Json:
    found = _DURATION.fullmatch(str(raw))
    if found is None:
        return _number(raw, False)
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def slug(name: str) -> str:
    """A name as an identifier: `Kitchen Lights` → `kitchen_lights`."""
    return _NO_NAME.sub("_", name.lower()).strip("_")


def is_secret(name: str, raw: object, meanings: Meanings) -> bool:
    """Whether an attribute may hold a secret, by its name or its value."""
    said = any(word in name.lower() for word in meanings.general.get("secret", ()))
    return said or (isinstance(raw, str) and "token=" in raw)


def _sources(entity: Entity, meanings: Meanings) -> Iterator[tuple[str, Row]]:
    """The state and the attributes that are properties, each with its row of the mapping."""
    domain = entity.domain
    if entity.attributes.get("mode") != "password":
        yield STATE, meanings.entity(domain, entity.device_class)
    known = dict(meanings.of_attributes(domain))
    for name, row in known.items():
        if _has(entity, name, row):
            yield name, _detailed(entity, row)
    listed = meanings.listed(domain)
    for name, raw in entity.attributes.items():
        if name not in known and _is_plain(name, raw, entity, meanings):
            yield name, {"kind": (DETAIL,)} if listed else {}


def _has(entity: Entity, name: str, row: Row) -> bool:
    """Whether an entity has an attribute that is known: by its features or colour modes, or because it stands there."""
    modes = set(entity.attributes.get("supported_color_modes") or ())
    return (
        name in entity.attributes
        or bool(modes & set(texts(row, "modes")))
        or ("feature" in row and entity.supports(row["feature"]))
    )


def _detailed(entity: Entity, row: Row) -> Row:
    """The row of an attribute; one beside colour modes that tell more is a detail, without its setter."""
    modes = set(entity.attributes.get("supported_color_modes") or ())
    taken = not modes or "modes" not in row or bool(modes & set(texts(row, "modes")))
    supported = "feature" not in row or entity.supports(row["feature"])
    return row if taken and supported and not modes & set(texts(row, "unlessModes")) else {**row, "kind": (DETAIL,)}


def _is_plain(name: str, raw: object, entity: Entity, meanings: Meanings) -> bool:
    """Whether an attribute that nothing is known of is a value that can be told: one value, and no bound of another."""
    if name in meanings.general.get("ignored", ()) or is_secret(name, raw, meanings):
        return False
    single = isinstance(raw, bool | int | float | str) or (raw is None and meanings.listed(entity.domain))
    if not single or (isinstance(raw, str) and len(raw) > LONGEST):
        return False
    patterns = (*meanings.general.get("lower", ()), *meanings.general.get("upper", ()), *meanings.general.get("by", ()))
    others = [other for other in (*entity.attributes, STATE) if other != name]
    return not any(pattern.format(other) == name for other in others for pattern in patterns)


def _name(entity: Entity, source: str, kind: str) -> str:
    """The name of a property: where the mapping has no kind for a state, the entity's own name, which may tell it."""
    if source != STATE or kind:
        return source
    return slug(str(entity.entry.get("original_name") or "") or entity.name) or STATE


def _title(entity: Entity, source: str) -> str | None:
    if source == STATE and entity.domain in ("sensor", "binary_sensor"):
        return (entity.device_class or entity.name).replace("_", " ")
    return source.replace("_", " ")


def _schema(entity: Entity, source: str, row: Row, meanings: Meanings) -> Schema:
    raw = entity.state.get("state") if source == STATE else entity.attributes.get(source)
    options = _options(entity, source, row, meanings)
    kind = text(row, "type") or ("string" if options else _type_of(entity, source, raw))
    kind = "number" if kind == "duration" else kind
    numeric = kind in ("number", "integer")
    return Schema(
        type=kind or None,
        enum=options if kind == "string" else (),
        minimum=_bound(entity, source, row, "minimum", meanings.general.get("lower", ())) if numeric else None,
        maximum=_bound(entity, source, row, "maximum", meanings.general.get("upper", ())) if numeric else None,
        multiple_of=_step(entity, source, row, meanings) if kind == "number" else None,
        items=_items(text(row, "items")),
        min_items=len(_items(text(row, "items"))) or None,
        max_items=len(_items(text(row, "items"))) or None,
        unit=_unit(entity, source, row) if numeric else None,
        read_only=True,
    )


def _items(bounds: str) -> tuple[Schema, ...]:
    numbers = [float(one) for one in bounds.split()]
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return tuple(Schema("integer" if high == CHANNEL else "number", minimum=low, maximum=high) for low, high in pairs)


def _type_of(entity: Entity, source: str, raw: object) -> str:
    """The type of a value that nothing is said of; nothing where the value does not tell."""
    if isinstance(raw, bool):
        return "boolean"
    if isinstance(raw, int | float):
        return "number"
    if source != STATE:
        return "boolean" if raw in ("on", "off") else "string" if isinstance(raw, str) else ""
    if {"unit_of_measurement", "state_class"} & entity.attributes.keys():
        return "number"
    if raw in ("on", "off"):
        return "boolean"
    if raw in (None, *SILENT):
        return ""
    return "string" if _number(raw, False) is None else "number"


def _options(entity: Entity, source: str, row: Row, meanings: Meanings) -> tuple[Json, ...]:
    if "options" in row:
        return row["options"]
    patterns = [text(row, "optionsFrom")] if "optionsFrom" in row else meanings.general.get("listed", ())
    names = [pattern.format(source) for pattern in patterns] if source != STATE or "optionsFrom" in row else ["options"]
    for name in names:
        found = entity.attributes.get(name)
        if isinstance(found, list) and found and all(isinstance(one, str) for one in found):
            return tuple(dict.fromkeys(found))
    return ()


def _bound(entity: Entity, source: str, row: Row, name: str, patterns: Iterable[str]) -> float | None:
    given = number(row, name)
    if given is not None:
        return given
    names = [text(row, f"{name}From")] if f"{name}From" in row else [pattern.format(source) for pattern in patterns]
    found = (entity.attributes.get(one) for one in names)
    numbers = (float(one) for one in found if isinstance(one, int | float) and not isinstance(one, bool))
    return next((one for one in numbers if math.isfinite(one)), None)


def _step(entity: Entity, source: str, row: Row, meanings: Meanings) -> float | None:
    found = _bound(entity, source, row, "step", meanings.general.get("by", ()))
    return found if found and found > 0 else None


def _unit(entity: Entity, source: str, row: Row) -> str | None:
    if "unit" in row:
        return text(row, "unit")
    if "unitFrom" in row:
        return str(entity.attributes.get(text(row, "unitFrom")) or entity.unit or "") or None
    if source == STATE or source == "unit_of_measurement":
        return str(entity.attributes.get("unit_of_measurement") or "") or None
    return None
