"""Retrieval: which affordances could serve an intent that stands in the graph, and why none could."""

from __future__ import annotations

import pytest

from engine.environment.retrieval import candidates, present
from engine.graph.terms import REQUESTS, NamedNode
from engine.model.intent import Intent, Operation
from engine.model.request_rdf import intent_quads
from engine.model.selection import Select
from tests.environment.conftest import Home, act, doc, prop, room
from tests.environment.examples import hg

STORES = ("memory", "unmirrored")


def ask(
    home: Home,
    *,
    command: str | None = None,
    kind: str | None = None,
    classes: tuple[str, ...] = (),
    places: tuple[str, ...] = (),
    things: tuple[str, ...] = (),
    operation: Operation = Operation.SET,
) -> NamedNode:
    """The IRI of an intent that was written into the graph."""
    select = Select(tuple(map(hg, classes)), tuple(map(doc, things)), tuple(map(room, places)))
    intent = Intent(
        "urn:intent:1",
        "words",
        operation=operation,
        selection=select,
        command=command and hg(command),
        property=kind and hg(kind),
    )
    home.store.write(insert=intent_quads(intent))
    return NamedNode(intent.iri)


def found(home: Home, intent: NamedNode) -> list[tuple[str, bool]]:
    return [(one.affordance, one.exact) for one in candidates(home.store, intent)]


def test_an_action_of_the_command_is_found_by_class_and_room(home: Home) -> None:
    intent = ask(home, command="TurnOn", classes=("Light",), places=("bedroom",))
    (only,) = candidates(home.store, intent)
    assert (only.part, only.thing) == (doc("bedside_lamp"), doc("bedside_lamp"))
    assert (only.affordance, only.command, only.exact) == (act("bedside_lamp", "turn_on"), hg("TurnOn"), True)


def test_a_room_holds_what_is_in_the_places_inside_it(home: Home) -> None:
    intent = ask(home, command="TurnOn", classes=("Light",), places=("living",))
    assert found(home, intent) == [(act("corner_lamp", "turn_on"), True), (act("lamp", "turn_on"), True)]


def test_without_a_condition_everything_is_meant(home: Home) -> None:
    things = {affordance.split("#")[0] for affordance, _ in found(home, ask(home, command="TurnOn"))}
    assert things == {doc(name) for name in ("lamp", "corner_lamp", "bedside_lamp", "conditioner", "fan_light")}


def test_a_named_thing_is_found_wherever_it_is_and_with_it_its_parts(home: Home) -> None:
    assert found(home, ask(home, command="TurnOn", things=("lamp",))) == [(act("lamp", "turn_on"), True)]


def test_a_part_is_found_by_its_own_class_and_by_its_thing(home: Home) -> None:
    (only,) = candidates(home.store, ask(home, command="TurnOn", classes=("Fan",), things=("fan_light",)))
    assert (only.part, only.thing) == (f"{doc('fan_light')}#parts/fan", doc("fan_light"))


def test_a_class_means_its_sub_classes_too(home: Home) -> None:
    assert found(home, ask(home, command="Open", classes=("Covering",))) == [(act("blind", "open"), True)]


def test_an_action_is_found_by_its_effect_on_the_kind(home: Home) -> None:
    intent = ask(home, kind="Brightness", things=("lamp",))
    assert found(home, intent) == [(act("lamp", "set_brightness"), False), (prop("lamp", "brightness"), False)]


def test_a_command_that_nobody_has_may_be_served_by_what_has_its_effect(home: Home) -> None:
    intent = ask(home, command="SetPower", things=("lamp",))
    assert {affordance for affordance, _ in found(home, intent)} == {
        act("lamp", "turn_on"),
        act("lamp", "turn_off"),
        act("lamp", "set_brightness"),
        prop("lamp", "power"),
    }


def test_a_property_that_can_only_be_read_is_not_for_writing(home: Home) -> None:
    assert found(home, ask(home, kind="Illuminance", places=("living",))) == []
    positions = [affordance for affordance, _ in found(home, ask(home, kind="Position"))]
    assert positions == [act("blind", "close"), act("blind", "open")]


def test_a_check_finds_properties(home: Home) -> None:
    intent = ask(home, kind="Illuminance", places=("living",), operation=Operation.CHECK)
    assert found(home, intent) == [(prop("light_sensor", "reading"), True)]


def test_a_check_of_no_kind_finds_all_properties(home: Home) -> None:
    intent = ask(home, things=("lamp",), operation=Operation.CHECK)
    assert found(home, intent) == [(prop("lamp", "brightness"), True), (prop("lamp", "power"), True)]


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ({"command": "TurnOn", "places": ("cellar",)}, "no_such_room"),
        ({"command": "TurnOn", "classes": ("Oven",)}, "no_such_device"),
        ({"command": "TurnOn", "classes": ("Light",), "things": ("blind",)}, "no_such_device"),
        ({"kind": "Volume", "classes": ("Light",)}, "no_such_property"),
        ({"kind": "Volume", "classes": ("Light",), "operation": Operation.CHECK}, "no_such_property"),
        ({"command": "Play", "classes": ("Light",)}, "no_such_command"),
        ({"kind": "Illuminance"}, "no_such_command"),
    ],
)
def test_where_nothing_is_found_the_reason_is_what_is_missing(home: Home, question: dict, reason: str) -> None:  # type: ignore[type-arg]
    intent = ask(home, **question)
    assert candidates(home.store, intent) == ()
    assert present(home.store, intent) == reason


def test_what_was_removed_is_found_no_more(home: Home) -> None:
    home.registry.remove(doc("blind"))
    assert found(home, ask(home, command="Open")) == []


def test_an_intent_that_is_not_in_the_graph_finds_nothing(home: Home) -> None:
    assert candidates(home.store, NamedNode("urn:intent:none")) == ()
    assert home.store.graph(REQUESTS) == []
