"""Home Assistant's snapshots become things, places and state; what is brought up to date keeps what still applies."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import parse

from engine.errors import InputError
from engine.graph.shacl.door import Door
from engine.graph.terms import HISTORY, INFERRED, PLACES, SIGNIFIERS, STATE, NamedNode, expand
from engine.hearthgraph import Hearthgraph
from engine.model.thing import Action, Property, Thing
from engine.model.thing_rdf import published
from engine.model.vocabulary import Vocabulary
from engine.origins.home_assistant.entities import values
from engine.origins.home_assistant.exposure import Exposure
from engine.origins.home_assistant.homes import convert
from engine.origins.home_assistant.snapshot import is_one, read
from engine.origins.sources import settle
from engine.things.description.emission import as_jsonld
from tests.origins.ha_house import house, snapshot, state, written

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
SAMPLES = SHARED / "home-assistant" / "samples"
SNAPSHOTS = sorted(path for path in (SHARED / "ha" / "dev" / "snapshots").glob("**/") if is_one(path))


@pytest.fixture(scope="module")
def vocabulary() -> Iterator[Vocabulary]:
    with Hearthgraph.open(None, now=datetime(2026, 11, 21, 9, tzinfo=UTC)) as opened:
        yield opened.registry.vocabulary


@pytest.fixture
def home() -> Any:
    with Hearthgraph.open(None, now=datetime(2026, 11, 21, 9, tzinfo=UTC)) as opened:
        yield opened


def taken(found: dict[str, Any], home: Hearthgraph, exposure: Exposure | None = None) -> Any:
    made = convert(snapshot(found), home.registry.vocabulary, exposure or Exposure())
    return settle(made, home.target)


def thing(home: Hearthgraph, title: str) -> Thing:
    return next(one for one in home.registry.things.values() if one.title == title)


def prop(found: Thing, name: str) -> Property:
    return next(one for one in found.properties if one.name == name)


def action(found: Thing, name: str) -> Action:
    return next(one for one in found.actions if one.name == name)


def said(home: Hearthgraph, words: str) -> list[tuple[str, Any]]:
    """What a request sends: the names of the services with their payloads."""
    outcome = home.ask(words, consent=True)
    return [(a.affordance.rpartition("/")[2], a.payload) for a in outcome.actions if a.outcome == "done"]


def test_floors_and_areas_are_nested_places_with_aliases(home: Hearthgraph) -> None:
    taken(house(), home)
    places = {place.name: place for place in home.registry.places.values()}
    assert places["Study"].parent == places["Upstairs"].iri
    assert places["Upstairs"].parent == places["Mill"].iri
    assert (places["Upstairs"].floor, places["Study"].floor) == (1, 1)
    assert places["Study"].aliases == ("Bureau",)
    assert expand("hg:Floor") in places["Upstairs"].classes


def test_a_device_of_several_entities_is_one_artifact_whose_parts_are_told_apart(home: Hearthgraph) -> None:
    taken(house(), home)
    relay = thing(home, "Twin relay")
    assert [part.path for part in relay.parts] == ["", "left", "power", "right"]
    assert {a.name for a in relay.actions} == {"left.turn_on", "left.turn_off", "right.turn_on", "right.turn_off"}
    assert prop(relay, "power.state").kinds == {expand("hg:ElectricPower")}


def test_entities_of_a_device_in_two_areas_are_two_artifacts(home: Hearthgraph) -> None:
    found = house()
    found["entity_registry"][6]["area_id"] = "study"
    taken(found, home)
    relays = {t.iri.rpartition("device:")[2]: t for t in home.registry.things.values() if t.title.startswith("Twin")}
    assert {name: len(t.parts) for name, t in relays.items()} == {"twin": 3, "twin:study": 1}
    assert home.registry.places[relays["twin:study"].place or ""].name == "Study"


def test_a_part_is_called_by_its_name(home: Hearthgraph) -> None:
    taken(house(), home)
    outcome = home.ask("turn on the twin relay left", consent=True)
    assert [a.affordance for a in outcome.actions] == ["urn:home-assistant:home:entity:e6#actions/turn_on"]
    assert "12.5" in home.ask("what is the twin relay power?").reply


def test_a_light_that_is_off_still_has_its_brightness_and_its_colour(home: Hearthgraph) -> None:
    taken(house(), home)
    lamp = thing(home, "Desk lamp")
    brightness = prop(lamp, "brightness")
    assert (brightness.schema.minimum, brightness.schema.maximum, brightness.iri in home.state) == (0, 255, False)
    assert prop(lamp, "hs_color").kinds == {expand("hg:LightColour")}
    assert [p.name for p in thing(home, "Pantry bulb").properties] == ["state"]


def test_services_are_actions_only_where_features_and_colour_modes_allow_them(home: Hearthgraph) -> None:
    taken(house(), home)
    assert {a.name for a in thing(home, "Yard gate").actions} == {"open_cover", "close_cover", "toggle"}
    assert "set_cover_position" in {a.name for a in thing(home, "Roof blind").actions}
    turned = action(thing(home, "Desk lamp"), "turn_on").input
    plain = action(thing(home, "Pantry bulb"), "turn_on").input
    assert turned is not None
    assert plain is not None
    assert {name for name, _ in turned.properties} == {"brightness_pct", "brightness", "hs_color"}
    assert {name for name, _ in plain.properties} == {"brightness_pct", "brightness"}


def test_a_covers_state_has_its_own_words(home: Hearthgraph) -> None:
    taken(house(), home)
    assert prop(thing(home, "Yard gate"), "state").schema.enum == ("closed", "open", "opening", "closing")


def test_one_service_serves_several_commands_told_apart_by_the_member_that_is_filled(home: Hearthgraph) -> None:
    taken(house(), home)
    assert said(home, "turn on the desk lamp") == [("turn_on", {})]
    assert said(home, "set the desk lamp to 40 percent") == [("turn_on", {"brightness": 102})]
    assert said(home, "make the desk lamp blue") == [("turn_on", {"hs_color": [240, 100]})]
    assert said(home, "mute the den speaker") == [("volume_mute", {"is_volume_muted": True})]
    assert said(home, "unmute the den speaker") == [("volume_mute", {"is_volume_muted": False})]


def test_a_toggle_is_not_what_turns_on(home: Hearthgraph) -> None:
    taken(house(), home)
    assert said(home, "desk lamp on") == [("turn_on", {})]
    assert said(home, "desk lamp off") == [("turn_off", {})]
    assert said(home, "toggle the desk lamp") == [("toggle", {})]


def test_aliases_are_names(home: Hearthgraph) -> None:
    taken(house(), home)
    assert said(home, "turn on the reading lamp in the bureau") == [("turn_on", {})]


def test_a_domain_that_nobody_listed_is_served_by_names_and_selectors(home: Hearthgraph) -> None:
    taken(house(), home)
    hive = thing(home, "North hive")
    assert {a.name for a in hive.actions} == {"set_brightness", "turn_on"}
    assert home.state[prop(hive, "temperament").iri] == "calm"
    assert said(home, "set the brightness of the north hive to 70") == [("set_brightness", {"brightness": 70})]


def test_what_is_on_when_it_is_unlocked_is_locked_when_off(home: Hearthgraph) -> None:
    taken(house(), home)
    assert "No" in home.ask("is the hatch lock locked?").reply


def test_only_what_is_exposed_is_known_but_patterns_add_and_take_away(home: Hearthgraph) -> None:
    taken(house(), home, Exposure(include=("sensor.*",), exclude=("cover.*",)))
    titles = {one.title for one in home.registry.things.values()}
    assert "Hidden" in titles
    assert not titles & {"Roof blind", "Yard gate"}


def test_no_secret_of_an_attribute_reaches_the_graph(home: Hearthgraph) -> None:
    taken(house(), home)
    text = " ".join(str(quad) for thing in home.registry.things.values() for quad in home.store.graph(node(thing)))
    text += " ".join(map(str, home.store.graph(STATE)))
    assert "abc" not in text
    assert "access_token" not in text


def node(thing: Thing) -> NamedNode:
    return NamedNode(thing.document)


def test_what_is_renamed_or_moved_keeps_its_address_and_its_state(home: Hearthgraph) -> None:
    taken(house(), home)
    before = thing(home, "Desk lamp")
    said(home, "turn on the desk lamp")
    since = home.state.changed_at(prop(before, "state").iri)
    moved = house()
    moved["entity_registry"][0] |= {"entity_id": "light.reading", "area_id": "den", "name": "Reading light"}
    moved["states"][0] = state("light.reading", "on", friendly_name="Reading light", supported_color_modes=["hs"])
    taken(moved, home)
    after = thing(home, "Reading light")
    assert {p.iri for p in before.properties} >= {prop(after, "state").iri, prop(after, "brightness").iri}
    assert home.state[prop(after, "state").iri] is True
    assert home.state.changed_at(prop(after, "state").iri) == since
    assert home.registry.places[after.place or ""].name == "Den"
    assert said(home, "turn off the reading light in the den") == [("turn_off", {})]


def test_what_was_learnt_of_a_device_still_holds_when_it_is_renamed_and_moved(home: Hearthgraph) -> None:
    taken(house(), home)
    said(home, "set the desk lamp to 40 percent")
    learnt = set(home.store.graph(SIGNIFIERS))
    assert learnt
    moved = house()
    moved["entity_registry"][0] |= {"entity_id": "light.reading", "area_id": "den", "name": "Reading light"}
    moved["states"][0] |= {"entity_id": "light.reading"}
    taken(moved, home)
    assert set(home.store.graph(SIGNIFIERS)) == learnt
    named = {quad.object.value for quad in learnt if isinstance(quad.object, NamedNode)}
    signified = {iri for iri in named if "#actions/" in iri and not iri.endswith("/form")}
    assert signified
    assert signified <= home.registry.actions.keys()
    assert {iri for iri in named if iri.startswith("urn:home-assistant") and "#" not in iri} <= {
        *home.registry.things,
        *home.registry.places,
    }


def test_what_is_removed_leaves_no_orphan(home: Hearthgraph) -> None:
    taken(house(), home)
    fewer = house()
    fewer["states"] = [one for one in fewer["states"] if one["entity_id"] != "cover.roof"]
    fewer["area_registry"] = fewer["area_registry"][1:]
    gone = thing(home, "Roof blind")
    taken(fewer, home)
    graphs = [node(gone), STATE, HISTORY, INFERRED, PLACES]
    left = [
        quad
        for graph in graphs
        for quad in home.store.graph(graph)
        if "entity:e3" in str(quad) or ":study" in str(quad)
    ]
    assert left == []
    assert home.ask("close the roof blind", consent=True).intents[0].reason == "no_such_device"


def test_importing_twice_changes_nothing(home: Hearthgraph) -> None:
    taken(house(), home)
    before = {str(quad) for thing in home.registry.things.values() for quad in home.store.graph(node(thing))}
    taken(house(), home)
    assert {str(quad) for thing in home.registry.things.values() for quad in home.store.graph(node(thing))} == before


def test_a_value_that_is_not_known_any_more_is_forgotten(home: Hearthgraph) -> None:
    taken(house(), home)
    found = house()
    found["states"][4]["state"] = "unavailable"
    taken(found, home)
    assert prop(thing(home, "Den speaker"), "volume_level").iri not in home.state


@pytest.mark.parametrize("broken", ["{", '{"a": 1}', '[{"entity_id": 3, "state": "on"}]', "[1]", '"x"'])
def test_a_broken_snapshot_is_refused_with_a_reason(home: Hearthgraph, tmp_path: Path, broken: str) -> None:
    folder = written(house(), tmp_path / "snapshot")
    (folder / "states.json").write_text(broken, encoding="utf-8")
    with pytest.raises(InputError):
        home.load([folder])
    assert not home.registry.things


def test_a_folder_is_recognised_as_a_snapshot(home: Hearthgraph, tmp_path: Path) -> None:
    report = home.load([written(house(), tmp_path / "snapshot")])[0]
    assert len(report.things) == 8
    assert not report.warnings


def test_that_nothing_is_exposed_is_told(home: Hearthgraph) -> None:
    found = house()
    found["exposed_entities"] = {}
    assert "No entity is exposed" in taken(found, home).warnings[0]


def test_all_of_an_unseen_home_with_a_domain_of_its_own_becomes_affordances(home: Hearthgraph) -> None:
    found = snapshot(house())
    made = convert(found, home.registry.vocabulary, Exposure())
    assert (made.exposed, len(made.readings), made.left) == (10, 10, ())
    settle(made, home.target)
    called = {a.forms[0].target.partition("//home/")[2] for a in home.registry.actions.values()}
    assert {one for one in called if one.startswith("beehive")} == {
        "beehive.north/set_brightness",
        "beehive.north/turn_on",
    }
    assert (
        len(called) == made.offered == 22
    )  # counted by hand: 6 of lights, 7 of covers, 3, 4 of switches, 2 of the hive


def test_every_description_passes_what_w3c_asks(home: Hearthgraph, shared: Path, tmp_path: Path) -> None:
    schema = json.loads((shared / "w3c" / "td-json-schema-validation.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft7Validator(schema)
    shapes = Door(quad.triple for quad in parse(path=str(shared / "w3c" / "td-validation.ttl")))
    home.load([SAMPLES])
    taken(house(), home)
    for found in home.registry.things.values():
        assert [error.message for error in validator.iter_errors(as_jsonld(home.store, found))] == []
        quads = published(home.store.graph(node(found)))
        assert [f"{v.node} {v.path} {v.message}" for v in shapes.check(quads)] == []


ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(
    [
        "supported_features",
        "supported_color_modes",
        "friendly_name",
        "device_class",
        "brightness",
        "options",
        "min",
        "mode",
    ]
)
PLACES_OF_FIELDS = st.sampled_from(["selector", "filter", "fields", "required", "default", "description"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(attributes=st.dictionaries(NAMES, ODD, max_size=4), field=st.dictionaries(PLACES_OF_FIELDS, ODD, max_size=3))
def test_an_odd_entity_or_service_is_left_and_the_others_come_in(
    vocabulary: Vocabulary, attributes: dict[str, Any], field: dict[str, Any]
) -> None:
    found = house()
    found["states"][0]["attributes"] = attributes
    found["services"]["switch"]["turn_on"]["fields"] = {"odd": field}
    made = convert(snapshot(found), vocabulary, Exposure())
    assert {"cover.roof", "media_player.den"} <= made.readings.keys()
    assert {left.what for left in made.left} <= {"light.desk", "switch.left", "switch.right"}
    for readings in made.readings.values():
        values(readings, {"state": "on", "attributes": attributes})
    schemas = [p.schema for one in made.things for p in one.properties]
    schemas += [m for one in made.things for a in one.actions if a.input for _, m in a.input.properties]
    assert all(math.isfinite(b) for s in schemas for b in (s.minimum, s.maximum, s.multiple_of) if b is not None)


@pytest.mark.skipif(not SNAPSHOTS, reason="the shared snapshots are not here")
@pytest.mark.parametrize("path", [SAMPLES, *SNAPSHOTS], ids=lambda path: path.name)
def test_a_recorded_home_comes_in_whole(home: Hearthgraph, path: Path) -> None:
    report = home.load([path])[0]
    exposed = read(path).exposed
    registered = [e for e in read(path).entities if e["options"].get("conversation", {}).get("should_expose")]
    parts = [part for one in home.registry.things.values() for part in one.parts if part.classes]
    assert len(parts) >= len(registered if exposed is None else exposed)
    assert not report.warnings
    assert json.dumps(dict(home.state))
