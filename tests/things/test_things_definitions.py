"""Defined classes: devices are recognised to be of them by what they are, have and offer."""

from __future__ import annotations

import pytest

from engine.graph.terms import NamedNode, compact, expand, node
from engine.model.definition import AllOf, AnyOf, Named, Some
from engine.things.ontology import definitions, vocabulary
from engine.things.registry import Registry
from tests.homes import a_home
from tests.things.descriptions import HOME, admit, open_registry

TERM = "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix my: <urn:my#> . "
DIM = ("hg:DimmableLight", "hg:LightSource")
DIMMABLE = """ td:hasPropertyAffordance [ td:name "brightness" ; a hg:Brightness, js:IntegerSchema ] """


def recognised(registry: Registry, name: str) -> set[str]:
    return {compact(cls) for cls in registry.parts[f"{HOME}{name}"].recognised}


def stored(registry: Registry, name: str) -> set[str]:
    rows = registry.store.graph(node("hg:graph/inferred"))
    return {compact(q.object.value) for q in rows if q.subject == NamedNode(f"{HOME}{name}")}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("described", "found"),
    [
        (f"hg:FloorLamp ;{DIMMABLE}", {"hg:DimmableLight", "hg:LightSource"}),
        ("hg:FloorLamp", {"hg:LightSource"}),
        ('hg:Light ; td:hasActionAffordance [ td:name "dim" ; a hg:BrightnessDown ]', {*DIM}),
        (f"hg:Aquarium ;{DIMMABLE}", {"hg:LightSource"}),
        ("hg:Radiator", {"hg:HeatSource"}),
        ("hg:Kettle", {"hg:HeatSource"}),
        ("hg:Oven", {"hg:HeatSource", "hg:SafetyCriticalDevice"}),
        ("hg:Safe", {"hg:SafetyCriticalDevice"}),
        ('hg:Car ; td:hasActionAffordance [ td:name "open" ; a hg:Unlock ]', {"hg:SafetyCriticalDevice"}),
        ("hg:Television", set()),
        ("hg:Curtain", set()),
    ],
)  # fmt: skip
def test_a_device_is_recognised_by_what_it_is_and_offers(described: str, found: set[str]) -> None:
    registry = open_registry()
    admit(registry, f'<x> a td:Thing, {described} ; td:title "zork" .')
    assert recognised(registry, "x") == found
    assert found <= stored(registry, "x")


def test_a_component_is_recognised_and_not_the_thing_that_has_it() -> None:
    registry = open_registry()
    admit(
        registry,
        '<x> a td:Thing, hg:FanLight ; td:title "fan light" ; hg:hasPart [ hg:path "light" ; a hg:Light ] ;'
        'td:hasPropertyAffordance [ td:name "light.brightness" ; hg:part <x#parts/light> ; a hg:Brightness ] .',
    )
    assert "hg:LightSource" in recognised(registry, "x#parts/light")
    assert "hg:Light" not in recognised(registry, "x")


def test_what_is_recognised_is_not_written_into_the_description() -> None:
    registry = open_registry()
    admit(registry, f'<x> a td:Thing, hg:Light ; td:title "x" ;{DIMMABLE} .')
    classes = {q.object for q in registry.store.graph(NamedNode(f"{HOME}x")) if q.predicate == node("rdf:type")}
    assert node("hg:DimmableLight") not in classes
    assert registry.things[f"{HOME}x"].classes == {expand("hg:Light")}


def test_a_device_named_after_a_defined_class_is_of_it_only_where_it_fits() -> None:
    registry = open_registry()
    admit(registry, '<x> a td:Thing ; td:title "dimmable light" .')
    assert registry.things[f"{HOME}x"].classes == {expand("hg:Light")}
    assert recognised(registry, "x") == {"hg:LightSource"}


def test_a_class_that_a_user_defines_is_recognised_in_what_is_there_and_in_what_comes() -> None:
    registry = open_registry()
    admit(
        registry,
        f'<old> a td:Thing, hg:Light ; td:title "old" ;{DIMMABLE} . <plain> a td:Thing, hg:Light ; td:title "p" .',
    )
    admit(
        registry,
        f"""{TERM} my:Cosy a hg:DeviceClass, owl:Class ; rdfs:subClassOf hg:Device ; skos:prefLabel "cosy one"@en ;
        owl:equivalentClass [ a owl:Class ; owl:unionOf ( hg:Fireplace
            [ a owl:Class ; owl:intersectionOf ( hg:DimmableLight
                [ a owl:Restriction ; owl:onProperty hg:offers ; owl:someValuesFrom hg:Brightness ] ) ] ) ] .""",
    )
    admit(registry, '<fire> a td:Thing, hg:Fireplace ; td:title "fire" .')
    assert "urn:my#Cosy" in stored(registry, "old") & stored(registry, "fire")
    assert "urn:my#Cosy" not in stored(registry, "plain")
    assert Registry(registry.store).parts == registry.parts


def test_definitions_that_rules_cannot_follow_are_named_and_do_no_harm() -> None:
    registry = open_registry()
    admit(
        registry,
        f"""{TERM} my:Odd a hg:DeviceClass, owl:Class ; rdfs:subClassOf hg:Device ; skos:prefLabel "odd"@en ;
        owl:equivalentClass [ a owl:Class ; owl:complementOf hg:Light ] .
        my:Loop a hg:DeviceClass, owl:Class ; rdfs:subClassOf hg:Device ; skos:prefLabel "loop"@en ;
        owl:equivalentClass <urn:loop> . <urn:loop> a owl:Class ; owl:unionOf <urn:list> .
        <urn:list> a owl:Class ; rdf:first <urn:loop> ; rdf:rest <urn:list> .""",
    )
    facts = vocabulary.facts(registry.store)
    assert definitions.unread(facts) == ["urn:my#Loop", "urn:my#Odd"]
    admit(registry, '<x> a td:Thing, hg:Fan ; td:title "x" .')
    assert recognised(registry, "x") == set()


def test_every_definition_of_the_ontology_is_followed_at_run_time() -> None:
    registry = open_registry()
    assert definitions.unread(vocabulary.facts(registry.store)) == []
    found = {definition.cls: definition.expression for definition in registry.vocabulary.definitions}
    brightness = tuple(
        Named(expand(f"hg:{n}")) for n in ("Brightness", "SetBrightness", "BrightnessUp", "BrightnessDown")
    )
    assert found[expand("hg:DimmableLight")] == AllOf(
        (Named(expand("hg:Light")), Some(expand("hg:offers"), AnyOf(brightness)))
    )


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("turn off the dimmable lights in the kitchen", {"kitchen light"}),
        ("turn off the heat sources in the study", {"study heater"}),
        ("turn off every light source in the hallway", {"hallway light"}),
    ],
)
def test_a_defined_class_can_be_spoken_of(said: str, changed: set[str]) -> None:
    with a_home() as home:
        home.ask("turn on the kitchen light, the hallway light and the study heater", consent=True)
        outcome = home.ask(said, consent=True)
        things = home.registry.thing_of
        assert {things[change.property].title for change in outcome.changes} == changed, outcome
