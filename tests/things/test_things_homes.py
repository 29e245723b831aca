"""The homes that come with Hearthgraph load without a fault and hold what they promise."""

from __future__ import annotations

import pytest

from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import STATE, expand, node
from engine.resources import folder
from engine.things import door
from engine.things.registry import Registry

HOMES = ("lab308", "home17", "house")


def load(home: str) -> tuple[Registry, tuple[str, ...]]:
    registry = Registry(EmbeddedStore.open(None))
    report = door.load(registry.store, [folder("data") / f"{home}.ttl"], registry=registry)
    return registry, report.warnings


@pytest.mark.parametrize("home", HOMES)
def test_a_demo_home_loads_with_no_fault_but_missing_security(home: str) -> None:
    registry, warnings = load(home)
    assert not [warning for warning in warnings if "security" not in warning]
    assert registry.things


@pytest.mark.parametrize("home", HOMES)
def test_every_part_and_affordance_of_a_demo_home_is_known(home: str) -> None:
    registry, _ = load(home)
    words = registry.vocabulary
    for part in registry.parts.values():
        assert any(words.is_a(cls, expand("hg:Device")) for cls in part.classes), part
    for prop in registry.properties.values():
        assert prop.kinds & words.kinds.keys(), prop
    for action in registry.actions.values():
        assert action.commands & words.commands.keys(), action
        for name, member in action.input.properties if action.input else ():
            assert member.kinds & words.kinds.keys(), (action, name)


@pytest.mark.parametrize("home", HOMES)
def test_every_property_of_a_demo_home_has_a_state(home: str) -> None:
    registry, _ = load(home)
    said = {q.subject.value for q in registry.store.graph(STATE) if q.predicate == node("hg:value")}  # type: ignore[union-attr]
    assert said == registry.properties.keys()


@pytest.mark.parametrize("home", HOMES)
def test_every_thing_of_a_demo_home_is_in_a_place_with_a_class(home: str) -> None:
    registry, _ = load(home)
    for thing in registry.things.values():
        assert thing.place is not None
        place = registry.places[thing.place]
        assert any(registry.vocabulary.is_a(cls, expand("hg:Place")) for cls in place.classes)


def test_the_blinds_of_the_lab_count_the_closed_share() -> None:
    registry, _ = load("lab308")
    (blinds,) = (thing for thing in registry.things.values() if thing.title == "Blinds308")
    (share,) = blinds.properties
    assert (share.name, share.inverted, share.kinds) == ("closedPercentage", True, {expand("hg:Position")})


def test_the_light_of_home_17_has_no_brightness() -> None:
    registry, _ = load("home17")
    (light,) = registry.things.values()
    assert [prop.name for prop in light.properties] == ["color", "state"]
    assert [action.name for action in light.actions] == ["set_color", "turn_off", "turn_on"]


def test_the_house_has_nested_rooms_parts_and_two_floors() -> None:
    registry, _ = load("house")
    places = {place.name: place for place in registry.places.values()}
    assert registry.places[places["en-suite"].parent or ""].name == "master bedroom"
    assert (places["pantry"].floor, places["en-suite"].floor) == (0, 1)
    fan_light = next(thing for thing in registry.things.values() if thing.title == "bedroom fan light")
    assert [part.path for part in fan_light.parts] == ["", "fan", "light"]
    assert len(registry.things) > 40
    assert len(places) > 12
