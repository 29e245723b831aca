"""A small home in a real store, with a simulated clock and simulated devices."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from engine.environment.clock import SimulatedClock
from engine.environment.simulation.simulated import Fault, SimulatedBinding
from engine.environment.state import State
from engine.graph.store import GraphStore
from engine.graph.terms import PLACES, RDF_TYPE, Literal, NamedNode, Quad, node
from engine.model.thing import Action, Part, Property, Schema, Thing
from engine.model.thing_rdf import PLACE, action_iri, part_iri, property_iri
from engine.things.registry import Registry
from tests.environment.examples import BOOLEAN, group, hg, integer, listed, number

HOME = "https://home.example/"
ON_OFF = listed("on", "off")
BRIGHTNESS = group(
    "brightness", brightness=Schema(type="integer", minimum=0, maximum=100, kinds=frozenset((hg("Brightness"),)))
)


def room(name: str) -> str:
    return f"{HOME}rooms/{name}"


def doc(thing: str) -> str:
    return f"{HOME}things/{thing}"


def prop(thing: str, name: str) -> str:
    return property_iri(doc(thing), name)


def act(thing: str, name: str) -> str:
    return action_iri(doc(thing), name)


@dataclass
class Home:
    """A store with its registry, clock, state and devices."""

    store: GraphStore
    registry: Registry
    clock: SimulatedClock
    state: State
    binding: SimulatedBinding
    faults: dict[str, Fault]


def a_device(
    name: str,
    cls: str,
    place: str,
    properties: dict[str, tuple[str, Schema]],
    actions: dict[str, tuple[str, Schema | None]] | None = None,
    *,
    part: str = "",
    inverted: bool = False,
) -> Thing:
    """A thing with one part: itself, or a component of it."""
    document = doc(name)
    owner = part_iri(document, part) if part else document
    prefix = f"{part}." if part else ""
    parts = [Part(document, "", frozenset((hg("Device" if part else cls),)))]
    parts += [Part(owner, part, frozenset((hg(cls),)))] if part else []
    return Thing(
        document,
        document,
        name.replace("_", " "),
        tuple(parts),
        tuple(
            Property(prop(name, prefix + key), prefix + key, owner, schema, frozenset((hg(kind),)), inverted=inverted)
            for key, (kind, schema) in properties.items()
        ),
        tuple(
            Action(act(name, prefix + key), prefix + key, owner, frozenset((hg(command),)), schema)
            for key, (command, schema) in (actions or {}).items()
        ),
        place=room(place),
    )


def a_lamp(name: str, place: str) -> Thing:
    return a_device(
        name,
        "Light",
        place,
        {"power": ("Power", ON_OFF), "brightness": ("Brightness", integer(0, 254))},
        {
            "turn_on": ("TurnOn", None),
            "turn_off": ("TurnOff", None),
            "set_brightness": ("SetBrightness", BRIGHTNESS),
        },
    )


def a_sensor(name: str, place: str, kind: str, schema: Schema) -> Thing:
    return a_device(name, "Sensor", place, {"reading": (kind, schema)})


THINGS = (
    a_lamp("lamp", "living"),
    a_lamp("corner_lamp", "corner"),
    a_lamp("bedside_lamp", "bedroom"),
    a_sensor("light_sensor", "living", "Illuminance", integer(0, 2000, read_only=True)),
    a_sensor("bedroom_light_sensor", "bedroom", "Illuminance", number(0, 2000, read_only=True)),
    a_sensor("floor_sensor", "upstairs", "Illuminance", number(0, 2000, read_only=True)),
    a_device(
        "blind",
        "Blind",
        "living",
        {"closed": ("Position", integer(0, 100, read_only=True))},
        {"open": ("Open", None), "close": ("Close", None)},
        inverted=True,
    ),
    a_device(
        "conditioner",
        "AirConditioner",
        "bedroom",
        {
            "power": ("Power", BOOLEAN),
            "mode": ("AcMode", listed("cool", "heat", "auto")),
            "target": ("TargetTemperature", number(16, 30, multiple_of=0.5)),
        },
        {"turn_on": ("TurnOn", None), "turn_off": ("TurnOff", None)},
    ),
    a_sensor("thermometer", "bedroom", "Temperature", number(-20, 130, unit="°F")),
    a_device(
        "fan_light",
        "Fan",
        "bedroom",
        {"power": ("Power", ON_OFF)},
        {"turn_on": ("TurnOn", None)},
        part="fan",
    ),
)
STATE: dict[str, object] = {
    prop("lamp", "power"): "off",
    prop("lamp", "brightness"): 127,
    prop("corner_lamp", "power"): "off",
    prop("corner_lamp", "brightness"): 254,
    prop("bedside_lamp", "power"): "off",
    prop("light_sensor", "reading"): 100,
    prop("bedroom_light_sensor", "reading"): 50.0,
    prop("floor_sensor", "reading"): 10.0,
    prop("blind", "closed"): 100,
    prop("conditioner", "power"): False,
    prop("conditioner", "mode"): "cool",
    prop("conditioner", "target"): 23.0,
    prop("thermometer", "reading"): 77.0,
    prop("fan_light", "fan.power"): "off",
}


def _places() -> list[Quad]:
    classes = {"upstairs": "Floor", "living": "LivingRoom", "corner": "Room", "bedroom": "Bedroom"}
    inside = {"living": "upstairs", "corner": "living", "bedroom": "upstairs"}
    quads = [Quad(NamedNode(room(name)), RDF_TYPE, node(f"hg:{cls}"), PLACES) for name, cls in classes.items()]
    quads += [Quad(NamedNode(room(name)), node("rdfs:label"), Literal(name), PLACES) for name in classes]
    return quads + [Quad(NamedNode(room(i)), PLACE, NamedNode(room(o)), PLACES) for i, o in inside.items()]


@pytest.fixture
def home(fresh_store: GraphStore) -> Home:
    """The home at noon, all off, the blind closed."""
    store = fresh_store
    registry = Registry(store)
    registry.put(THINGS, _places())
    clock = SimulatedClock(datetime(2026, 5, 14, 12, 0, tzinfo=UTC))
    state = State(store, registry, clock, history_length=3)
    state.write(STATE)  # type: ignore[arg-type]
    faults: dict[str, Fault] = {}
    return Home(store, registry, clock, state, SimulatedBinding(registry, state, clock, faults), faults)
