"""The registry knows what the store holds; what follows from a thing is written and deleted with it."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InputError, ThingRefused
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import INFERRED, ONTOLOGY, STATE, Literal, NamedNode, Quad, expand, node
from engine.model.place import Place
from engine.model.thing import Part, Property, Schema, Thing
from engine.model.thing_rdf import property_iri
from engine.things import places
from engine.things.registry import Registry
from tests.benchmarks.homes import HOME as SYNTHETIC
from tests.benchmarks.homes import synthetic_home
from tests.things.descriptions import HOME, admit, open_registry

ROOMS = """
    <house> a hg:Home ; rdfs:label "house" ; hmas:contains <up>, <down> .
    <up> a hg:Floor ; rdfs:label "upstairs" ; hmas:contains <bed> .
    <down> a hg:Floor ; rdfs:label "downstairs" .
    <bed> a hg:MasterBedroom ; rdfs:label "bedroom" .
"""
ALIGNED = ("saref.etsi.org", "/ns/sosa/", "/ns/ssn/", "/bot#", "hg:Setting", "hg:Reading")
LAMP = """
    <lamp> a td:Thing, hg:DeskLamp ; td:title "lamp" ; hmas:isContainedIn <bed> ;
        hg:hasPart [ hg:path "fan" ; a hg:Fan ] ;
        td:hasPropertyAffordance [ td:name "mode" ; a hg:AcMode, js:StringSchema ; hg:value "a" ] ;
        td:hasActionAffordance [ td:name "go" ; a hg:StartCleaning ] .
"""


def inferred(registry: Registry, iri: str) -> set[tuple[str, str]]:
    quads = registry.store.graph(INFERRED)
    short = {expand("hg:"): "hg:", HOME: "", expand("rdf:type"): "a"}
    found = set()
    for quad in quads:
        if quad.subject == NamedNode(iri):
            said = [quad.predicate.value, quad.object.value]  # type: ignore[union-attr]
            for long, brief in short.items():
                said = [text.replace(long, brief) for text in said]
            if not any(
                theirs in text for theirs in ALIGNED for text in said
            ):  # test_alignments.py looks at most of these
                found.add((said[0], said[1]))
    return found


def test_what_follows_from_a_thing_is_in_one_graph() -> None:
    registry = open_registry()
    admit(registry, ROOMS + LAMP)
    whole = inferred(registry, f"{HOME}lamp")
    assert whole == {
        *(("a", f"hg:{cls}") for cls in ("DeskLamp", "TableLamp", "Light", "Device", "LightSource")),
        *(("hg:within", place) for place in ("bed", "up", "house", "hg:Anywhere")),
        *(("hg:belongsTo", thing) for thing in ("lamp", "hg:Anything")),
    }
    part = inferred(registry, f"{HOME}lamp#parts/fan")
    assert part >= {("a", "hg:Fan"), ("a", "hg:Device"), ("hg:within", "bed"), ("hg:within", "hg:Anywhere")}
    assert part >= {("hg:belongsTo", "lamp#parts/fan"), ("hg:belongsTo", "lamp"), ("hg:belongsTo", "hg:Anything")}
    mode = inferred(registry, f"{HOME}lamp#properties/mode")
    assert mode == {("a", "hg:AcMode"), ("a", "hg:WorkMode"), ("hg:part", "lamp")}
    go = inferred(registry, f"{HOME}lamp#actions/go")
    assert go == {("a", "hg:StartCleaning"), ("a", "hg:Start"), ("hg:part", "lamp")}


def test_a_thing_without_a_place_is_anywhere_and_a_thing_without_a_class_is_a_device() -> None:
    registry = open_registry()
    admit(registry, '<x> a td:Thing ; td:title "zork" .')
    assert {("hg:within", "hg:Anywhere"), ("a", "hg:Device")} <= inferred(registry, f"{HOME}x")


def test_nothing_is_left_of_a_thing_that_was_removed() -> None:
    registry = open_registry()
    admit(registry, ROOMS)
    before = {name: set(registry.store.graph(name)) for name in registry.store.graphs()}
    admit(registry, LAMP)
    registry.remove(f"{HOME}lamp")
    assert {name: set(registry.store.graph(name)) for name in registry.store.graphs()} == before
    assert not any((registry.things, registry.parts, registry.properties, registry.actions, registry.thing_of))
    assert Registry(registry.store).things == {}


def test_a_thing_that_is_not_there_cannot_be_removed() -> None:
    with pytest.raises(InputError, match="no thing"):
        open_registry().remove("urn:nothing")


def test_a_thing_replaces_the_one_of_its_address_whole() -> None:
    registry = open_registry()
    admit(registry, ROOMS + LAMP)
    admit(registry, '<lamp> a td:Thing, hg:Lock ; td:title "lock" ; hmas:isContainedIn <down> .')
    fresh = open_registry()
    admit(fresh, ROOMS)
    admit(fresh, '<lamp> a td:Thing, hg:Lock ; td:title "lock" ; hmas:isContainedIn <down> .')
    for name in (INFERRED, STATE, NamedNode(f"{HOME}lamp")):
        assert set(registry.store.graph(name)) == set(fresh.store.graph(name))
    assert registry.things == fresh.things
    assert registry.parts == fresh.parts


def test_a_place_that_moves_takes_its_things_along() -> None:
    registry = open_registry()
    admit(registry, ROOMS + LAMP)
    admit(registry, '<bed> a hg:MasterBedroom ; rdfs:label "bedroom" ; hmas:isContainedIn <down> .')
    assert {place for term, place in inferred(registry, f"{HOME}lamp") if term == "hg:within"} == {
        *("bed", "down", "house", "hg:Anywhere"),
    }


def test_a_place_may_be_described_after_what_is_in_it() -> None:
    registry = open_registry()
    admit(registry, LAMP)
    assert registry.places[f"{HOME}bed"].name == "bed"
    admit(registry, ROOMS)
    assert ("hg:within", "house") in inferred(registry, f"{HOME}lamp")


def test_a_second_registry_reads_the_same_from_the_store() -> None:
    registry = open_registry()
    admit(registry, ROOMS + LAMP)
    registry.put(*synthetic_home(12))
    again = Registry(registry.store)
    assert again.index.things == registry.things
    assert again.places == registry.places
    assert again.thing_of == registry.thing_of
    assert again.properties == registry.properties


def test_a_write_by_somebody_else_is_noticed() -> None:
    registry = open_registry()
    admit(registry, LAMP)
    document = NamedNode(f"{HOME}lamp")
    titles = [quad for quad in registry.store.graph(document) if quad.object == Literal("lamp", language="en")]
    said = [Quad(document, node("td:title"), Literal("torch", language="en"), document)]
    registry.store.write(delete=titles, insert=said)
    assert registry.things[f"{HOME}lamp"].title == "torch"


def test_a_snapshot_does_not_change_under_its_reader() -> None:
    registry = open_registry()
    things = registry.things
    registry.put(*synthetic_home(3))
    assert not things
    assert len(registry.things) == 3


def test_a_store_on_disk_is_the_same_after_a_restart(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path) as store:
        registry = Registry(store)
        registry.put(*synthetic_home(20))
        things, inferences = registry.things, set(store.graph(INFERRED))
    with EmbeddedStore.open(tmp_path) as store:
        again = Registry(store)
        assert again.things == things
        assert set(store.graph(INFERRED)) == inferences


def test_inferences_from_another_ontology_are_made_anew() -> None:
    registry = open_registry()
    admit(registry, ROOMS + LAMP)
    right = set(registry.store.graph(INFERRED))
    mark = [quad for quad in right if quad.predicate == node("hg:contentHash")]
    wrong = [quad for quad in right if quad.predicate == node("rdf:type")]
    registry.store.write(delete=mark + wrong)
    assert Registry(registry.store).things
    assert set(registry.store.graph(INFERRED)) == right


def test_two_things_cannot_share_a_document_or_an_affordance() -> None:
    registry = open_registry()
    (one, two, *_), _ = synthetic_home(3)
    registry.put([one])
    for stolen in (replace(two, document=one.document), replace(two, properties=one.properties)):
        with pytest.raises(ThingRefused, match="share"):
            registry.put([stolen])
    assert list(registry.things) == [one.iri]


def test_many_threads_may_put_and_read() -> None:
    registry = open_registry()
    things, _ = synthetic_home(40)
    seen: list[int] = []

    def put(thing: Thing) -> None:
        registry.put([thing])
        seen.append(len(registry.things))

    threads = [threading.Thread(target=put, args=(thing,)) for thing in things]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(registry.things) == max(seen) == 40
    assert Registry(registry.store).things == registry.things


# Terms that users add


TERMS = """
    :Skylight a hg:DeviceClass, owl:Class ; rdfs:subClassOf hg:Covering ; skos:prefLabel "roof light"@en .
    :Whirl a hg:Command, owl:Class ; skos:prefLabel "whirl"@en ; hg:effect [ hg:kind hg:Position ; hg:to 7 ] .
    hg:Light skos:altLabel "glimmer"@en .
    :TooDull a hg:Complaint ; skos:prefLabel "too dull"@en ; hg:variable hg:Illuminance ; hg:direction 1 .
"""
THING = """
    <s> a td:Thing ; td:title "attic roof light" ; td:hasPropertyAffordance [ td:name "position" ; a js:NumberSchema ] ;
        td:hasActionAffordance [ td:name "whirl" ] .
    <g> a td:Thing ; td:title "night glimmer" .
"""


@pytest.mark.parametrize("first", ["terms", "things"])
def test_terms_of_a_user_are_known_whatever_came_first(first: str) -> None:
    registry = open_registry()
    texts = [TERMS, THING] if first == "terms" else [THING, TERMS]
    for text in texts:
        admit(registry, text)
    thing = registry.things[f"{HOME}s"]
    assert thing.classes == {f"{HOME}#Skylight"}
    assert thing.actions[0].commands == {f"{HOME}#Whirl"}
    assert registry.vocabulary.commands[f"{HOME}#Whirl"].effects[0].value == 7
    assert ("a", "hg:Covering") in inferred(registry, f"{HOME}s")
    assert registry.things[f"{HOME}g"].classes == {expand("hg:Light")}


def test_terms_and_things_may_come_in_one_file() -> None:
    registry = open_registry()
    assert admit(registry, TERMS + THING).terms == 4
    assert registry.things[f"{HOME}s"].classes == {f"{HOME}#Skylight"}


def test_terms_loaded_again_are_the_same_and_changed_ones_replace() -> None:
    registry = open_registry()
    admit(registry, TERMS)
    once = set(registry.store.graph(ONTOLOGY))
    admit(registry, TERMS)
    assert set(registry.store.graph(ONTOLOGY)) == once
    admit(registry, TERMS.replace("hg:to 7", "hg:to 8"))
    assert [e.value for e in registry.vocabulary.commands[f"{HOME}#Whirl"].effects] == [8]
    assert "lamp" in registry.vocabulary.labels[expand("hg:Light")]


def test_a_new_version_of_the_ontology_does_not_lose_the_terms_of_users() -> None:
    registry = open_registry()
    admit(registry, TERMS + THING)
    added = [
        q for q in registry.store.graph(ONTOLOGY) if HOME in str(q) or q.object == Literal("glimmer", language="en")
    ]
    registry.store.write(delete=added)
    assert Registry(registry.store).things[f"{HOME}s"].classes == {f"{HOME}#Skylight"}


# The rules against a plain reading of what they say


@settings(max_examples=40)
@given(st.data())
def test_places_and_classes_are_closed_as_a_plain_walk_closes_them(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 6))
    parents = [data.draw(st.none() | st.integers(0, i - 1)) if i else None for i in range(count)]
    homes = [
        Place(
            f"urn:p{i}", f"p{i}", classes=frozenset({expand("hg:Study")}), parent=None if up is None else f"urn:p{up}"
        )
        for i, up in enumerate(parents)
    ]
    classes = [expand(f"hg:{name}") for name in ("Light", "DeskLamp", "GarageDoor", "Safe", "Sensor")]
    things = [_thing(i, data.draw(st.sampled_from(homes)).iri, data.draw(st.sampled_from(classes))) for i in range(3)]
    registry = open_registry()
    registry.put(things, [quad for home in homes for quad in places.describe(home)])
    said = {(q.subject, q.predicate, q.object) for q in registry.store.graph(INFERRED)}
    for thing in things:
        walk, place = set(), thing.place
        while place is not None:
            walk.add(place)
            place = registry.places[place].parent
        within = {o.value for s, p, o in said if s.value == thing.iri and p == node("hg:within")}  # type: ignore[union-attr]
        assert within == walk | {expand("hg:Anywhere")}
        types = {o.value for s, p, o in said if s.value == thing.iri and p == node("rdf:type")}  # type: ignore[union-attr]
        every = registry.parts[thing.iri].every_class
        assert types == set().union(*(registry.vocabulary.ancestors[cls] for cls in every))


def _thing(number: int, place: str, cls: str) -> Thing:
    iri = f"{SYNTHETIC}t{number}"
    prop = Property(property_iri(iri, "state"), "state", iri, Schema(type="boolean"))
    return Thing(iri, iri, f"t{number}", (Part(iri, "", frozenset({cls}), f"t{number}"),), (prop,), place=place)
