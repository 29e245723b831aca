"""HomeBench's names in our terms, read from `mapping.ttl`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from pyoxigraph import RdfFormat, parse

HB = "https://w3id.org/hearthgraph/homebench#"


@dataclass(frozen=True, slots=True)
class Mapping:
    """The meaning of each name; where it depends on the device, the device is the second key (else empty)."""

    classes: dict[str, str] = field(default_factory=dict)
    kinds: dict[tuple[str, str], str] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    commands: dict[tuple[str, str], str] = field(default_factory=dict)
    unlisted: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rooms: dict[str, tuple[str, str]] = field(default_factory=dict)

    def kind(self, attribute: str, device: str) -> str | None:
        """The kind of an attribute of a device, or None."""
        return self.kinds.get((attribute, device)) or self.kinds.get((attribute, ""))

    def command(self, operation: str, device: str) -> str | None:
        """The command class of an operation of a device, or None."""
        return self.commands.get((operation, device)) or self.commands.get((operation, ""))


@lru_cache(maxsize=1)
def load() -> Mapping:
    """The mapping that ships with the origin."""
    rows: dict[object, dict[str, list[str]]] = {}
    for quad in parse(path=str(Path(__file__).with_name("mapping.ttl")), format=RdfFormat.TURTLE):
        name = quad.predicate.value.removeprefix(HB)
        rows.setdefault(quad.subject, {}).setdefault(name, []).append(quad.object.value)
    mapping = Mapping()
    for row in rows.values():
        _add(row, mapping)
    return mapping


def _add(row: dict[str, list[str]], mapping: Mapping) -> None:
    devices = row.get("device", [""])
    if "room" in row:
        mapping.rooms[row["room"][0]] = (row["class"][0], row["name"][0])
    elif "class" in row:
        mapping.classes[devices[0]] = row["class"][0]
    elif "unlisted" in row:
        mapping.unlisted[devices[0]] = tuple(sorted(row["unlisted"]))
    for key, target, value in _keyed(row):
        for device in devices:
            target_of = {"attribute": mapping.kinds, "operation": mapping.commands}[key]
            target_of[(target, device)] = value
    for kind in row.get("state", ()):
        mapping.states.update(dict.fromkeys(devices, kind))


def _keyed(row: dict[str, list[str]]) -> Iterable[tuple[str, str, str]]:
    if "attribute" in row:
        yield "attribute", row["attribute"][0], row["kind"][0]
    if "operation" in row:
        yield "operation", row["operation"][0], row["command"][0]
