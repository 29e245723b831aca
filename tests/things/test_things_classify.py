"""A thing that does not say what it is, is known by its names, units and schemas."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import compact, expand
from engine.model.place import Place
from engine.model.thing import Action, Part, Property, Schema, Thing
from engine.model.thing_rdf import action_iri, property_iri
from engine.resources import folder
from engine.things import door
from engine.things.ontology import vocabulary
from engine.things.ontology.classify import Classifier
from engine.things.registry import Registry

T = "http://home.example/t"
NUMBER, TEXT, TRUTH = Schema(type="number"), Schema(type="string"), Schema(type="boolean")
ON_OFF = Schema(type="string", enum=("on", "off"))


@cache
def classifier() -> Classifier:
    return Classifier(vocabulary.load(EmbeddedStore.open(None)))


def classify(title: str, properties: dict[str, Schema], actions: dict[str, Schema | None], *classes: str) -> Thing:
    thing = Thing(
        T,
        T,
        title,
        (Part(T, "", frozenset(map(expand, classes)), title),),
        tuple(Property(property_iri(T, name), name, T, schema) for name, schema in properties.items()),
        tuple(Action(action_iri(T, name), name, T, input=schema) for name, schema in actions.items()),
    )
    return classifier().thing(thing)


def names(iris: frozenset[str]) -> str:
    return " ".join(sorted(compact(iri).removeprefix("hg:") for iri in iris))


@pytest.mark.parametrize(
    ("title", "cls"),
    [
        ("Light308", "Light"),
        ("studyRoomLight", "Light"),
        ("LightSensor308", "LightSensor"),
        ("Kitchen Lights", "Light"),
        ("BLINDS_3", "Blind"),
        ("curtain in the bedroom", "Curtain"),
        ("coffee machine", "CoffeeMaker"),
        ("Garage Door", "GarageDoor"),
        ("TV", "Television"),
        ("living room TV light", "Light"),
        ("the washing machine", "WashingMachine"),
        ("zork", "Device"),
    ],
)
def test_the_last_noun_of_a_title_says_what_a_thing_is(title: str, cls: str) -> None:
    assert names(classify(title, {}, {"go": None}).classes) == cls


@pytest.mark.parametrize(
    ("properties", "actions", "cls"),
    [
        ({"brightness": NUMBER}, {"set_brightness": NUMBER}, "Light"),
        ({"position": NUMBER}, {"open": None, "close": None}, "Opening"),
        ({"luminosity": Schema(type="number", unit="lux")}, {}, "LightSensor"),
        ({"humidity": NUMBER}, {}, "HumiditySensor"),
        ({"locked": TRUTH}, {"lock": None, "unlock": None}, "Lock"),
        ({}, {}, "Device"),
    ],
)
def test_a_nameless_thing_is_what_its_properties_are_of(
    properties: dict[str, Schema], actions: dict[str, Schema | None], cls: str
) -> None:
    assert names(classify("zork", properties, actions).classes) == cls


@pytest.mark.parametrize(
    ("cls", "name", "schema", "actions", "kind"),
    [
        ("hg:Light", "on_off", ON_OFF, {"turn_on": None}, "Power"),
        ("hg:Light", "state", ON_OFF, {"turn_on": None}, "Power"),
        ("hg:Lock", "state", Schema(type="string", enum=("locked", "unlocked")), {}, "Locked"),
        ("hg:Curtain", "state", Schema(type="string", enum=("open", "closed")), {"open": None}, "Position"),
        ("hg:Light", "x1", ON_OFF, {"turn_on": None}, "Power"),
        ("hg:LightSensor", "x1", Schema(type="number", unit="lux"), {}, "Illuminance"),
        ("hg:ClimateSensor", "temperature", Schema(type="number", unit="°C"), {}, "Temperature"),
        ("hg:AirConditioner", "targetTemperature", NUMBER, {"set_temperature": NUMBER}, "TargetTemperature"),
        ("hg:Oven", "temperature", NUMBER, {"set_temperature": NUMBER}, "OvenTemperature"),
        ("hg:AirConditioner", "mode", TEXT, {}, "AcMode"),
        ("hg:AlarmPanel", "mode", TEXT, {}, "AlarmMode"),
        ("hg:Plug", "power", Schema(type="number", unit="W"), {"turn_on": None}, "ElectricPower"),
        ("hg:Plug", "power", TRUTH, {"turn_on": None}, "Power"),
    ],
)
def test_a_property_is_known_by_name_device_unit_and_options(
    cls: str, name: str, schema: Schema, actions: dict[str, Schema | None], kind: str
) -> None:
    thing = classify("zork", {name: schema}, actions, cls)
    assert names(thing.properties[0].kinds) == kind
    assert thing.properties[0].schema.kinds == thing.properties[0].kinds


def _member(name: str) -> Schema:
    return Schema(type="object", properties=((name, NUMBER),), required=frozenset({name}))


@pytest.mark.parametrize(
    ("cls", "properties", "action", "schema", "command", "kind"),
    [
        ("hg:Light", {"brightness": NUMBER}, "set_brightness", _member("brightness"), "SetBrightness", "Brightness"),
        ("hg:Light", {"brightness": NUMBER}, "setBrightness", _member("value"), "SetBrightness", "Brightness"),
        ("hg:Light", {"brightness": NUMBER}, "brightness", _member("level"), "SetBrightness", "Brightness"),
        ("hg:Light", {"brightness": NUMBER}, "set_brightness", NUMBER, "SetBrightness", "Brightness"),
        (
            "hg:Blind",
            {"closedPercentage": NUMBER},
            "set_position",
            _member("closedPercentage"),
            "SetPosition",
            "Position",
        ),
        ("hg:Oven", {"temperature": NUMBER}, "set_temperature", _member("t"), "SetTemperature", "TargetTemperature"),
        ("hg:Light", {"state": ON_OFF}, "turn_on_light", None, "TurnOn", None),
        ("hg:Light", {"state": ON_OFF}, "toggle", None, "Toggle", None),
        ("hg:Curtain", {"position": NUMBER}, "stop", None, "StopMoving", None),
        ("hg:VacuumRobot", {}, "start", None, "StartCleaning", None),
        ("hg:Camera", {}, "take_picture", None, "TakePicture", None),
        ("hg:Light", {}, "frobnicate", None, "", None),
    ],
)
def test_an_action_is_known_by_its_name_and_its_input(
    cls: str, properties: dict[str, Schema], action: str, schema: Schema | None, command: str, kind: str | None
) -> None:
    (found,) = classify("zork", properties, {action: schema}, cls).actions
    assert names(found.commands) == command
    if found.input is not None:
        member = found.input.properties[0][1] if found.input.properties else found.input
        assert names(member.kinds) == kind


def test_what_the_author_says_stands() -> None:
    prop = Property(property_iri(T, "brightness"), "brightness", T, NUMBER, frozenset({expand("hg:Volume")}))
    thing = Thing(T, T, "lamp", (Part(T, "", frozenset({expand("hg:Lock")})),), (prop,))
    found = classifier().thing(thing)
    assert names(found.classes) == "Lock"
    assert names(found.properties[0].kinds) == "Volume"


def test_a_class_that_is_not_known_is_kept_and_its_name_is_a_hint() -> None:
    foreign = "http://example.org/Dehumidifiers"
    found = classifier().thing(Thing(T, T, "x7", (Part(T, "", frozenset({foreign})),)))
    assert found.classes == {foreign, expand("hg:Dehumidifier")}


def test_an_action_with_effects_of_its_own_is_not_given_a_command() -> None:
    from engine.model.vocabulary import Effect, Form

    effect = Effect(expand("hg:Power"), Form.TO, True)
    action = Action(action_iri(T, "open"), "open", T, effects=(effect,))
    found = classifier().thing(Thing(T, T, "x", (Part(T, "", frozenset()),), actions=(action,)))
    assert found.actions[0].commands == frozenset()


@pytest.mark.parametrize(
    ("name", "cls"),
    [("east kitchen", "Kitchen"), ("Lab308", "Laboratory"), ("master bedroom", "MasterBedroom"), ("zork", "Place")],
)
def test_a_place_is_known_by_its_name(name: str, cls: str) -> None:
    assert names(classifier().place(Place("urn:p", name)).classes) == cls


def test_the_whole_house_is_known_without_its_classes() -> None:
    registry = Registry(EmbeddedStore.open(None))
    door.load(registry.store, [folder("data") / "house.ttl"], registry=registry)
    missed = []
    count = 0
    for thing in registry.things.values():
        for said, found in zip(_members(thing), _members(classifier().thing(_bare(thing))), strict=True):
            count += 1
            if not any(registry.vocabulary.is_a(one, other) for one in said[1] for other in found[1]):
                missed.append((said, found))
    assert count > 350
    assert len(missed) <= 0.02 * count, missed


def _members(thing: Thing) -> list[tuple[str, frozenset[str]]]:
    found = [(part.iri, part.classes) for part in thing.parts]
    found += [(prop.iri, prop.kinds) for prop in thing.properties]
    return found + [(action.iri, action.commands) for action in thing.actions]


def _bare(thing: Thing) -> Thing:
    none: frozenset[str] = frozenset()
    return replace(
        thing,
        parts=tuple(replace(part, classes=none) for part in thing.parts),
        properties=tuple(replace(p, kinds=none, schema=_plain(p.schema)) for p in thing.properties),
        actions=tuple(replace(a, commands=none, input=a.input and _plain(a.input)) for a in thing.actions),
    )


def _plain(schema: Schema) -> Schema:
    members = tuple((name, _plain(member)) for name, member in schema.properties)
    return replace(schema, kinds=frozenset(), properties=members)
