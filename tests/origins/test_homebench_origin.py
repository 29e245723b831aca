"""A home in the format of HomeBench becomes things, places and state in our terms, and calls of it come out again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import InputError, SyntaxFault
from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status
from engine.origins.homebench.calls import calls
from engine.origins.homebench.homes import read_home, read_homes
from tests.origins.small_home import HOME, write

BASE = "urn:homebench:home7"


@pytest.fixture
def home() -> Hearthgraph:
    found = read_home(HOME)
    engine = Hearthgraph.open(None)
    engine.register(found.things, found.quads, found.state)
    return engine


def test_rooms_devices_and_their_state_come_in(home: Hearthgraph) -> None:
    assert {t.rpartition("7:")[2] for t in home.registry.things} == {
        "kitchen:light", "kitchen:curtain", "ding_room:air_conditioner", "ding_room:light", "vacuum_robot",
    }  # fmt: skip
    assert home.registry.places[f"{BASE}:ding_room"].name == "dining room"
    assert home.state[f"{BASE}:kitchen:light#properties/brightness"] == 55
    assert home.state[f"{BASE}:kitchen:curtain#properties/degree"] == 0, "the key has a blank before it"


def test_devices_attributes_and_methods_have_our_classes(home: Hearthgraph) -> None:
    light = home.registry.things[f"{BASE}:kitchen:light"]
    assert expand("hg:Light") in light.classes
    assert {p.name: p.kinds for p in light.properties}["brightness"] >= {expand("hg:Brightness")}
    assert {a.name for a in light.actions} == {"turn_on", "turn_off", "set_brightness", "set_color"}
    assert {a.name: a.commands for a in light.actions}["set_brightness"] == {expand("hg:SetBrightness")}


def test_the_vacuum_can_do_what_its_list_leaves_out(home: Hearthgraph) -> None:
    names = {a.name for a in home.registry.things[f"{BASE}:vacuum_robot"].actions}
    assert names == {"turn_on", "turn_off", "start", "pause", "stop", "charge"}


def test_declared_ranges_are_not_checked(home: Hearthgraph) -> None:
    assert done(home, "set the air conditioner in the dining room to 25 degrees") == [
        "ding_room.air_conditioner.set_temperature(25)"
    ]


def done(home: Hearthgraph, text: str) -> list[str]:
    outcome: Outcome = home.ask(text, consent=True)
    assert outcome.plan is not None, outcome.reply
    assert outcome.status is Status.DONE, outcome.reply
    return calls(outcome.plan.steps)


CALLS = [
    ("turn on the kitchen light", ["kitchen.light.turn_on()"]),
    ("make the kitchen light red", ["kitchen.light.set_color((255,0,0))"]),
    ("close the kitchen curtain halfway", ["kitchen.curtain.set_degree(50)"]),
    ("set the fan speed of the air conditioner to high", ["ding_room.air_conditioner.set_fan_speed(high)"]),
    ("make the kitchen light 10 brighter", ["kitchen.light.set_brightness(65)"]),
    (
        "set the kitchen light to 20 and then increase the brightness of the kitchen light by 5",
        ["kitchen.light.set_brightness(20)", "kitchen.light.set_brightness(60)"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), CALLS)
def test_what_is_done_is_written_as_the_benchmark_writes_it(home: Hearthgraph, text: str, expected: list[str]) -> None:
    assert done(home, text) == expected


def test_what_has_no_method_is_refused(home: Hearthgraph) -> None:
    outcome = home.ask("set the brightness of the light in the dining room to 40", consent=True)
    assert (outcome.status, outcome.reason) in [
        (Status.REFUSED, "no_such_property"),
        (Status.REFUSED, "no_such_command"),
    ]


def test_the_homes_of_a_file_come_with_their_ids(small_homes: Path) -> None:
    assert [home.id for home in read_homes(small_homes)] == ["7", "8"]


def test_a_file_of_several_homes_is_not_loaded_into_one_store(small_homes: Path) -> None:
    with Hearthgraph.open(None) as engine, pytest.raises(InputError, match="holds 2 homes"):
        engine.load([small_homes])


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "homes.jsonl"
    path.write_text(json.dumps(HOME) + "\n{", encoding="utf-8")
    with pytest.raises(SyntaxFault, match=r"homes\.jsonl:2"):
        list(read_homes(path))
    with pytest.raises(InputError, match=r"homes\.jsonl:1: not a HomeBench home"):
        list(read_homes(write(path, [{**HOME, "method": [{"room_name": "kitchen"}]}])))


def test_a_state_that_is_none_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    odd = json.loads(json.dumps(HOME))
    odd["home_status"]["kitchen"]["light"]["attributes"]["brightness"]["value"] = "bright"
    path = write(tmp_path / "odd.jsonl", [odd])
    with Hearthgraph.open(None) as engine:
        with pytest.raises(Exception, match="brightness"):
            engine.load([path])
        assert engine.registry.things == {}
