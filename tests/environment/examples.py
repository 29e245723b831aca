"""A small vocabulary and small things, in the model's own dataclasses, for the tests of this folder."""

from __future__ import annotations

from engine.graph.terms import expand
from engine.model.thing import Action, Part, Property, Schema, Thing
from engine.model.vocabulary import Command, Effect, Form, Influence, Kind, Value, Vocabulary


def hg(name: str) -> str:
    return expand(f"hg:{name}")


POWER, BRIGHTNESS, POSITION, LOCKED = hg("Power"), hg("Brightness"), hg("Position"), hg("Locked")
TEMPERATURE, FAN_SPEED, MODE, COLOUR = hg("TargetTemperature"), hg("FanSpeed"), hg("AcMode"), hg("LightColour")
VOLUME, WARMTH, INTERVAL, WORK_MODE = hg("Volume"), hg("ColourTemperature"), hg("Interval"), hg("WorkMode")
SWING, TITLE = hg("Swing"), hg("MediaTitle")
PERCENT, CELSIUS, FAHRENHEIT, KELVIN = hg("Percent"), hg("Celsius"), hg("Fahrenheit"), hg("Kelvin")
SECOND, MINUTE, DEGREE, MIRED = hg("Second"), hg("Minute"), hg("Degree"), hg("Mired")

_KINDS = (
    Kind(POWER, high=frozenset(("on", "true", "yes")), low=frozenset(("off", "false", "no", "standby"))),
    Kind(
        BRIGHTNESS,
        unit=PERCENT,
        default_step=20,
        influences=(Influence(hg("Illuminance"), 1, 200.0),),
    ),
    Kind(POSITION, unit=PERCENT, default_step=20, high=frozenset(("open",)), low=frozenset(("closed",))),
    Kind(LOCKED, high=frozenset(("locked", "true")), low=frozenset(("unlocked", "false"))),
    Kind(TEMPERATURE, unit=CELSIUS, default_step=1),
    Kind(FAN_SPEED, unit=PERCENT, default_step=20),
    Kind(WORK_MODE),
    Kind(MODE),
    Kind(COLOUR),
    Kind(VOLUME, unit=PERCENT, default_step=10),
    Kind(WARMTH, unit=KELVIN, default_step=500),
    Kind(INTERVAL, unit=SECOND, default_step=10),
    Kind(SWING, high=frozenset(("on", "auto")), low=frozenset(("off",))),
    Kind(TITLE),
)
_VALUES = (
    Value(hg("Low"), notations=frozenset(("low", "slow")), level=0.25),
    Value(hg("Medium"), notations=frozenset(("medium", "middle", "normal")), level=0.5),
    Value(hg("High"), notations=frozenset(("high", "fast")), level=0.75),
    Value(hg("Maximum"), notations=frozenset(("maximum", "turbo")), level=1.0),
    Value(hg("CoolMode"), notations=frozenset(("cool", "cooling"))),
    Value(hg("HeatMode"), notations=frozenset(("heat", "heating"))),
    Value(hg("FanOnlyMode"), notations=frozenset(("fan_only",))),
    Value(hg("On"), notations=frozenset(("on",))),
    Value(hg("Red"), notations=frozenset(("red",)), rgb=(255, 0, 0)),
    Value(hg("Teal"), notations=frozenset(("teal",)), rgb=(0, 128, 128)),
    Value(hg("WarmWhite"), number=2700, unit=KELVIN, rgb=(255, 180, 107), kinds=frozenset((WARMTH,))),
)


def _sets(kind: str, *further: Effect) -> tuple[Effect, ...]:
    return (Effect(kind, Form.TO_INPUT, kind), *further)


_ON, _OFF = Effect(POWER, Form.TO, True), Effect(POWER, Form.TO, False)
_COMMANDS = (
    Command(hg("TurnOn"), (_ON,)),
    Command(hg("TurnOff"), (_OFF,)),
    Command(hg("Toggle"), (Effect(POWER, Form.TO_NEXT, 1),)),
    Command(hg("Open"), (Effect(POSITION, Form.TO_BOUND, "maximum"),)),
    Command(hg("Close"), (Effect(POSITION, Form.TO_BOUND, "minimum"),)),
    Command(hg("SetPosition"), _sets(POSITION)),
    Command(hg("SetBrightness"), _sets(BRIGHTNESS, _ON)),
    Command(hg("SetColour"), _sets(COLOUR, _ON)),
    Command(hg("SetTemperature"), _sets(TEMPERATURE)),
    Command(hg("SetFanSpeed"), _sets(FAN_SPEED)),
    Command(hg("FanSpeedUp"), (Effect(FAN_SPEED, Form.TO_NEXT, 1),)),
    Command(hg("SetMode"), _sets(WORK_MODE)),
    Command(hg("CoolDown"), (Effect(WORK_MODE, Form.TO, hg("CoolMode")),)),
    Command(hg("VolumeUp"), (Effect(VOLUME, Form.BY, 10),)),
    Command(hg("MakeItLouder")),
    Command(hg("Play"), _sets(TITLE)),
)

VOCABULARY = Vocabulary(
    kinds={kind.iri: kind for kind in _KINDS},
    commands={command.iri: command for command in _COMMANDS},
    values={value.iri: value for value in _VALUES},
    ancestors={
        MODE: frozenset((MODE, WORK_MODE)),
        hg("MakeItLouder"): frozenset((hg("MakeItLouder"), hg("VolumeUp"))),
    },
    labels={
        PERCENT: ("percent", "percentage", "%", "P1"),
        CELSIUS: ("degree Celsius", "celsius", "°C", "CEL", "DEG_C"),
        FAHRENHEIT: ("degree Fahrenheit", "fahrenheit", "°F", "FAH"),
        KELVIN: ("kelvin", "K"),
        DEGREE: ("degree", "°"),
        MIRED: ("mired",),
        SECOND: ("second", "seconds", "s"),
        MINUTE: ("minute", "minutes", "min"),
        hg("WarmWhite"): ("warm white",),
    },
    units=frozenset((PERCENT, CELSIUS, FAHRENHEIT, KELVIN, SECOND, MINUTE, DEGREE, MIRED)),
)

DOC = "https://home.example/thing"


def a_property(kind: str, schema: Schema, name: str = "it", *, inverted: bool = False) -> Property:
    return Property(f"{DOC}#properties/{name}", name, DOC, schema, frozenset((kind,)), inverted=inverted)


def an_action(command: str, input: Schema | None = None, *effects: Effect) -> Action:  # noqa: A002
    return Action(f"{DOC}#actions/it", "it", DOC, frozenset((hg(command),)), input, effects=effects)


def a_thing(*properties: Property, actions: tuple[Action, ...] = ()) -> Thing:
    return Thing(DOC, DOC, "thing", (Part(DOC, "", frozenset((hg("Light"),))),), properties, actions)


def number(low: float | None = None, high: float | None = None, **more: object) -> Schema:
    return Schema(type="number", minimum=low, maximum=high, **more)  # type: ignore[arg-type]


def integer(low: float | None = None, high: float | None = None, **more: object) -> Schema:
    return Schema(type="integer", minimum=low, maximum=high, **more)  # type: ignore[arg-type]


def listed(*enum: object, **more: object) -> Schema:
    return Schema(type="string", enum=enum, **more)  # type: ignore[arg-type]


def group(*required: str, **members: Schema) -> Schema:
    return Schema(type="object", properties=tuple(members.items()), required=frozenset(required))


BOOLEAN = Schema(type="boolean")
TEXT = Schema(type="string")
