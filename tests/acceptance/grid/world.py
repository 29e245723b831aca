"""What a home has that can be spoken of, read from its graph and never from its reader: devices by a name that is
theirs alone, what can be set on them, and sets of them by class and place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.model.thing import Action, Property, Thing
from engine.model.vocabulary import Form

PERCENT = ("percent", "percentage", "%")
DEGREES = ("°C", "celsius")
UNITS = {**dict.fromkeys(PERCENT, "percent"), **dict.fromkeys(DEGREES, "degrees"), "K": "kelvin", "kelvin": "kelvin"}
SPOKEN = {
    "Brightness": "brightness",
    "Volume": "volume",
    "TargetTemperature": "temperature",
    "OvenTemperature": "temperature",
    "TargetWaterTemperature": "water temperature",
    "FridgeTemperature": "temperature",
    "ColourTemperature": "colour temperature",
    "FanSpeed": "fan speed",
    "SpinSpeed": "spin speed",
    "ChargeLimit": "charge limit",
    "Position": "position",
    "TargetHumidity": "target humidity",
    "AlarmVolume": "alarm volume",
    "MistLevel": "mist level",
    "Suction": "suction",
    "AcMode": "mode",
    "OvenMode": "mode",
    "PurifierMode": "mode",
    "WashProgram": "programme",
    "MediaSource": "source",
    "FanMode": "mode",
    "WaterHeaterMode": "mode",
}
"""What people call a property that can be set."""
WORKS = ("StartWashing", "StartCooking", "Brew", "StartCleaning", "Record")


@dataclass(frozen=True)
class Device:
    """A thing of one part, by a name that no other has; `named` is how it is spoken of."""

    thing: Thing
    named: str
    room: str
    numbers: Mapping[str, Property] = field(default_factory=dict)
    options: Mapping[str, Property] = field(default_factory=dict)
    switch: Property | None = None
    bolt: Property | None = None
    leaf: Property | None = None  # what opens and closes
    senses: Mapping[str, Property] = field(default_factory=dict)

    @property
    def bare(self) -> str:
        return self.named.removeprefix("the ")


@dataclass(frozen=True)
class World:
    """A home as it can be spoken of."""

    home: Hearthgraph
    devices: tuple[Device, ...]
    readings: frozenset[str]  # what nobody sets: it may change by itself

    def of(self, what: str) -> list[Device]:
        return [d for d in self.devices if getattr(d, what)]

    def opposite(self, prop: Property, value: Any) -> Any:
        return next(v for v in sides(self.home, prop) if v != value)

    def members(self, cls: str, place: str | None) -> list[tuple[Thing, str, bool]]:
        """The parts of a class in a place, nested ones included, and whether the thing is of that one part alone."""
        words = self.home.registry.vocabulary
        return [
            (thing, part.iri, len(thing.parts) == 1)
            for thing in self.home.registry.things.values()
            if place is None or place in self.around(thing.place)
            for part in thing.parts
            if any(words.is_a(c, cls) for c in part.classes)
        ]

    def around(self, place: str | None) -> Iterator[str]:
        places = self.home.registry.places
        while place is not None:
            yield place
            place = places[place].parent if place in places else None


def world(home: Hearthgraph) -> World:
    """The devices of a home that have a name of their own."""
    things = sorted(home.registry.things.values(), key=lambda t: t.iri)
    settable = {p.iri for t in things for p in t.properties if _settable(home, t, p)}
    readings = {p.iri for t in things for p in t.properties} - settable
    named = Counter(_name(home, t) for t in things)
    devices = [
        _device(home, t, settable) for t in things if len(t.parts) == 1 and named[_name(home, t)] == 1 and t.place
    ]
    return World(home, tuple(devices), frozenset(readings))


def place_named(home: Hearthgraph, iri: str) -> str:
    name = home.registry.places[iri].name
    return name if name[0].isupper() else f"the {name}"


def _name(home: Hearthgraph, thing: Thing) -> str:
    """The title; with the room where the title is what several are called, by title or by class."""
    words = home.registry.vocabulary
    title = thing.title.casefold()
    called = 0
    for other in home.registry.things.values():
        classes = {a for part in other.parts for c in part.classes for a in words.ancestors.get(c, (c,))}
        names = {other.title.casefold(), *map(str.casefold, other.aliases)}
        names |= {label.casefold() for c in classes for label in words.labels.get(c, ())}
        called += title in names
    if called < 2 or thing.place is None:
        return f"the {thing.title}"
    return f"the {thing.title} in {place_named(home, thing.place)}"


def _device(home: Hearthgraph, thing: Thing, settable: set[str]) -> Device:
    own = [p for p in thing.properties if p.iri in settable]
    room = place_named(home, thing.place) if thing.place else ""
    kinds = {name: p for p in own for name in _local(p) if name in SPOKEN}
    return Device(
        thing,
        _name(home, thing),
        room,
        {n: p for n, p in kinds.items() if p.schema.minimum is not None and p.schema.maximum is not None},
        {n: p for n, p in kinds.items() if len(p.schema.enum) > 1},
        _both(home, thing, own, "TurnOn", "TurnOff", ("Power",)),
        _both(home, thing, own, "LockUp", "Unlock", ("Locked",)),
        _both(home, thing, own, "Open", "Close", ("Position", "ValvePosition")),
        {n: p for p in thing.properties for n in _local(p) if p.iri not in settable},
    )


def _local(prop: Property) -> Sequence[str]:
    return [kind.rpartition("#")[2] for kind in sorted(prop.kinds)]


def _both(
    home: Hearthgraph, thing: Thing, own: Sequence[Property], one: str, other: str, kinds: Sequence[str]
) -> Property | None:
    commands = {c for a in thing.actions for c in a.commands}
    if one == "TurnOn" and any(c.rpartition("#")[2] in WORKS for c in commands):
        return None  # to turn it on may be to set it to work
    if not {expand(f"hg:{one}"), expand(f"hg:{other}")} <= commands:
        return None
    return next((p for p in own for n in _local(p) if n in kinds), None)


def _settable(home: Hearthgraph, thing: Thing, prop: Property) -> bool:
    return any(_sets(home, action, prop) for action in thing.actions if action.part == prop.part)


def _sets(home: Hearthgraph, action: Action, prop: Property) -> bool:
    words = home.registry.vocabulary
    effects = [e for c in action.commands if c in words.commands for e in words.commands[c].effects] + list(
        action.effects
    )
    forms = (Form.TO, Form.TO_INPUT, Form.TO_BOUND)
    return any(words.is_a(k, e.kind) for e in effects if e.form in forms for k in prop.kinds)


def sides(home: Hearthgraph, prop: Property) -> tuple[Any, Any]:
    """The values of a property of two sides: the higher (on, open, locked), the lower."""
    schema = prop.schema
    if schema.enum:
        kinds = home.registry.vocabulary.kinds
        high = {w for k in prop.kinds if k in kinds for w in kinds[k].high}
        ordered = sorted(schema.enum, key=lambda v: str(v).casefold() in high, reverse=True)
        return ordered[0], ordered[-1]
    if schema.type == "boolean":
        return True, False
    ends = (schema.maximum, schema.minimum)
    return (ends[1], ends[0]) if prop.inverted else ends
