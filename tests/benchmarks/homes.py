"""Homes of any size for benchmarks: the same things, places and state for the same number, every time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from pyoxigraph import RdfFormat, serialize

from engine.graph.terms import STATE, Json, NamedNode, Quad, expand, literal, node
from engine.model.place import Place
from engine.model.thing import Action, Form, Part, Property, Schema, Thing
from engine.model.thing_rdf import action_iri, describe, property_iri
from engine.things import places

HOME = "http://home.example/"
DEVICES_IN_A_ROOM = 9
ROOMS_ON_A_FLOOR = 12
ROOMS = ("Kitchen", "LivingRoom", "Bedroom", "Bathroom", "Study", "DiningRoom", "Hallway", "Playroom", "GuestBedroom")
START = literal(datetime(2026, 11, 21, 8, tzinfo=UTC))


class _Prop(NamedTuple):
    name: str
    kind: str
    schema: Schema
    value: Json


class _Model(NamedTuple):
    """A sort of device: its class, its name, its properties, and its actions as (name, command, member or None)."""

    cls: str
    name: str
    properties: tuple[_Prop, ...]
    actions: tuple[tuple[str, str, str | None], ...]


def _switch(value: Json) -> _Prop:
    return _Prop("state", "hg:Power", Schema(type="string", enum=("off", "on")), value)


def _range(name: str, kind: str, low: float, high: float, value: Json, unit: str | None = None) -> _Prop:
    return _Prop(name, kind, Schema(type="number", minimum=low, maximum=high, unit=unit), value)


ON_OFF = (("turn_on", "hg:TurnOn", None), ("turn_off", "hg:TurnOff", None))
SPEEDS = ("low", "medium", "high")
MODELS = (
    _Model(
        "hg:Light",
        "ceiling light",
        (_switch("off"), _range("brightness", "hg:Brightness", 0, 100, 0, "percent")),
        (*ON_OFF, ("set_brightness", "hg:SetBrightness", "brightness")),
    ),
    _Model(
        "hg:Curtain",
        "curtain",
        (_range("position", "hg:Position", 0, 100, 0, "percent"),),
        (("open", "hg:Open", None), ("close", "hg:Close", None), ("set_position", "hg:SetPosition", "position")),
    ),
    _Model(
        "hg:AirConditioner",
        "air conditioner",
        (
            _switch("off"),
            _range("temperature", "hg:TargetTemperature", 16, 30, 24, "degree_Celsius"),
            _Prop("fan_speed", "hg:FanSpeed", Schema(type="string", enum=SPEEDS), "low"),
        ),
        (
            *ON_OFF,
            ("set_temperature", "hg:SetTemperature", "temperature"),
            ("set_fan_speed", "hg:SetFanSpeed", "fan_speed"),
        ),
    ),
    _Model("hg:Plug", "plug", (_switch("on"),), ON_OFF),
    _Model(
        "hg:Speaker",
        "speaker",
        (_switch("off"), _range("volume", "hg:Volume", 0, 100, 30, "percent")),
        (*ON_OFF, ("set_volume", "hg:SetVolume", "volume")),
    ),
    _Model("hg:FloorLamp", "floor lamp", (_switch("off"),), ON_OFF),
    _Model("hg:LightSensor", "light sensor", (_range("illuminance", "hg:Illuminance", 0, 2000, 80, "lux"),), ()),
    _Model(
        "hg:TemperatureSensor",
        "temperature sensor",
        (_range("temperature", "hg:Temperature", -20, 60, 21.5, "degree_Celsius"),),
        (),
    ),
    _Model(
        "hg:Humidifier",
        "humidifier",
        (_switch("off"), _range("intensity", "hg:Intensity", 0, 100, 50, "percent")),
        (*ON_OFF, ("set_intensity", "hg:SetIntensity", "intensity")),
    ),
)


def synthetic_home(devices: int) -> tuple[list[Thing], list[Quad]]:
    """A home of so many devices, nine a room and twelve rooms a floor, and the quads of its places and its state."""
    made = [_device(number) for number in range(devices)]
    quads = [quad for place in synthetic_places(devices) for quad in places.describe(place)]
    return [thing for thing, _ in made], quads + [quad for _, state in made for quad in state]


def synthetic_places(devices: int) -> list[Place]:
    """The home, its floors and its rooms; each name is its own ("kitchen 3")."""
    rooms = -(-devices // DEVICES_IN_A_ROOM)
    found = [Place(f"{HOME}places/home", "home", classes=frozenset({expand("hg:Home")}))]
    for floor in range(-(-rooms // ROOMS_ON_A_FLOOR)):
        storey = frozenset({expand("hg:Floor")})
        found.append(Place(_floor(floor), f"floor {floor}", classes=storey, parent=found[0].iri, floor=floor))
    for room in range(rooms):
        cls = ROOMS[room % len(ROOMS)]
        found.append(
            Place(
                _room(room),
                room_name(room),
                classes=frozenset({expand(f"hg:{cls}")}),
                parent=_floor(room // ROOMS_ON_A_FLOOR),
            )
        )
    return found


def room_name(room: int) -> str:
    """The name of a room by its number: "kitchen", "living room", …, then "kitchen 2"."""
    cls = ROOMS[room % len(ROOMS)]
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in cls).strip()
    return words if room < len(ROOMS) else f"{words} {room // len(ROOMS) + 1}"


def turtle_home(devices: int) -> bytes:
    """The same home as a Turtle file that `things.door` can load, state and all."""
    things, quads = synthetic_home(devices)
    triples = [quad.triple for thing in things for quad in describe(thing)] + [quad.triple for quad in quads]
    return serialize(triples, format=RdfFormat.TURTLE)  # type: ignore[return-value]


def _room(number: int) -> str:
    return f"{HOME}places/room{number}"


def _floor(number: int) -> str:
    return f"{HOME}places/floor{number}"


def _device(number: int) -> tuple[Thing, list[Quad]]:
    room, place = divmod(number, DEVICES_IN_A_ROOM)
    model = MODELS[place % len(MODELS)]
    iri = f"{HOME}things/device{number}"
    properties = tuple(_property(iri, prop) for prop in model.properties)
    schemas = {prop.name: prop.schema for prop in model.properties}
    actions = tuple(_action(iri, name, command, member, schemas) for name, command, member in model.actions)
    title = f"{room_name(room)} {model.name}"
    part = Part(iri, "", frozenset({expand(model.cls)}), title)
    thing = Thing(iri, iri, title, (part,), properties, actions, place=_room(room))
    return thing, [quad for prop in model.properties for quad in _state(property_iri(iri, prop.name), prop.value)]


def _property(thing: str, prop: _Prop) -> Property:
    iri = property_iri(thing, prop.name)
    form = Form(f"{thing}/{prop.name}", (expand("td:readProperty"),), "GET")
    kinds = frozenset({expand(prop.kind)})
    return Property(iri, prop.name, thing, prop.schema, kinds, observable=True, forms=(form,))


def _action(thing: str, name: str, command: str, member: str | None, schemas: dict[str, Schema]) -> Action:
    form = Form(f"{thing}/{name}", (expand("td:invokeAction"),), "POST")
    inner = None if member is None else schemas[member]
    schema = (
        None
        if member is None or inner is None
        else Schema(type="object", properties=((member, inner),), required=frozenset({member}))
    )
    commands = frozenset({expand(command)})
    return Action(action_iri(thing, name), name, thing, commands, schema, idempotent=True, forms=(form,))


def _state(prop: str, value: Json) -> list[Quad]:
    subject = NamedNode(prop)
    said: tuple[tuple[str, object], ...] = (
        ("hg:value", literal(value)),
        ("hg:observedAt", START),
        ("hg:changedAt", START),
    )
    return [Quad(subject, node(term), given, STATE) for term, given in said]  # type: ignore[arg-type]
