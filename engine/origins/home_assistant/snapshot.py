"""Home Assistant's registries and states at one moment: from its WebSocket API, or from files of a directory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.errors import InputError, SyntaxFault

Record = Mapping[str, Any]
NEEDED = ("states", "services")
REGISTRIES = ("area_registry", "floor_registry", "device_registry", "entity_registry", "label_registry")
OTHERS = ("config", "exposed_entities")
ASSISTANT = "conversation"
"""To whom what we may know is exposed: those who speak with the home."""
LARGEST = 64 * 1024 * 1024
"""Bytes that a file of a snapshot may have."""


@dataclass(frozen=True)
class Snapshot:
    """States, services, registries and configuration. `exposed` has the entities that are said to be exposed, None
    where nothing is said but by the entities' own options."""

    states: tuple[Record, ...]
    services: Mapping[str, Mapping[str, Record]]
    areas: tuple[Record, ...] = ()
    floors: tuple[Record, ...] = ()
    devices: tuple[Record, ...] = ()
    entities: tuple[Record, ...] = ()
    config: Record = field(default_factory=dict)
    exposed: frozenset[str] | None = None

    @cached_property
    def entity_of(self) -> dict[str, Record]:
        """The registry's entries by entity id."""
        return {str(entry["entity_id"]): entry for entry in self.entities}

    @cached_property
    def device_of(self) -> dict[str, Record]:
        """The devices by id."""
        return {str(device["id"]): device for device in self.devices}

    @cached_property
    def state_of(self) -> dict[str, Record]:
        """The states by entity id."""
        return {str(state["entity_id"]): state for state in self.states}

    @property
    def temperature_unit(self) -> str | None:
        """The unit of temperatures for which none is said."""
        unit = (self.config.get("unit_system") or {}).get("temperature")
        return str(unit) if unit else None


def is_one(path: Path) -> bool:
    """Whether a directory holds a snapshot: states, services and the registry of entities, a file each."""
    return path.is_dir() and all((path / f"{name}.json").is_file() for name in (*NEEDED, "entity_registry"))


def read(path: Path) -> Snapshot:
    """The snapshot of a directory. Raises InputError where a file is missing or is not as it should be, SyntaxFault
    with the line where one is not JSON."""
    if not path.is_dir():
        raise InputError(f"There is no directory {path}.", remedy="Give the directory of a snapshot.")
    found = {name: _load(path / f"{name}.json", name in NEEDED) for name in (*NEEDED, *REGISTRIES, *OTHERS)}
    return made_of(found, str(path))


def made_of(found: Mapping[str, Any], source: str) -> Snapshot:
    """A snapshot from the answers of the API by name; None for those not asked for. Raises InputError."""
    try:
        return Snapshot(
            states=_records(found["states"], "entity_id", "state"),
            services=_services(found["services"]),
            areas=_records(found.get("area_registry"), "area_id", "name"),
            floors=_records(found.get("floor_registry"), "floor_id", "name"),
            devices=_records(found.get("device_registry"), "id"),
            entities=_records(found.get("entity_registry"), "entity_id"),
            config=_mapping(found.get("config") or {}),
            exposed=_exposed(found.get("exposed_entities")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{source}: this is not what Home Assistant writes ({type(error).__name__}: {error}).",
            remedy="Take the snapshot anew, over Home Assistant's WebSocket API.",
        ) from error


def answers_of(snapshot: Snapshot) -> dict[str, Any]:
    """The answers from which `made_of` makes the same snapshot, for JSON."""
    exposed = snapshot.exposed
    return {
        "states": list(snapshot.states),
        "services": snapshot.services,
        "area_registry": list(snapshot.areas),
        "floor_registry": list(snapshot.floors),
        "device_registry": list(snapshot.devices),
        "entity_registry": list(snapshot.entities),
        "config": snapshot.config,
        "exposed_entities": None if exposed is None else {name: {ASSISTANT: True} for name in sorted(exposed)},
    }


def _load(path: Path, needed: bool) -> Any:
    if not path.is_file():
        if needed:
            raise InputError(f"{path} is missing.", remedy="A snapshot has states.json and services.json at least.")
        return None
    if path.stat().st_size > LARGEST:
        raise InputError(f"{path} is larger than {LARGEST // 1024 // 1024} MB.", remedy="Is it a snapshot?")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise SyntaxFault(f"not JSON: {error.msg}.", source=str(path), line=error.lineno) from error
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error


def _records(found: Any, *needed: str) -> tuple[Record, ...]:
    records = tuple(_mapping(record) for record in found or ())
    for record in records:
        for name in needed:
            if not isinstance(record[name], str):
                raise TypeError(f"{name} is no text")
    return records


def _mapping(value: Any) -> Record:
    if not isinstance(value, dict):
        raise TypeError(f"an object is expected, not {type(value).__name__}")
    return value


def _services(found: Any) -> dict[str, dict[str, Record]]:
    """By domain and name; the REST interface gives a list of domains instead."""
    if isinstance(found, list):
        found = {one["domain"]: one["services"] for one in found}
    return {domain: {name: _mapping(one) for name, one in services.items()} for domain, services in found.items()}


def _exposed(found: Any) -> frozenset[str] | None:
    if found is None:
        return None
    entries = _mapping(found).get("exposed_entities", found)
    return frozenset(name for name, assistants in entries.items() if assistants.get(ASSISTANT) is True)
