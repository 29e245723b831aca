"""Which way a wish goes: complained of, wanted, denied, or one of several left open."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import Talk

WARMER, COOLER = 1, -1


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("it's so cold in the study", WARMER),
        ("make it not so cold in the study", WARMER),
        ("it's not warm in the study", WARMER),
        ("make it not too warm in the study", COOLER),
        ("it's too warm in the study", COOLER),
    ],
)
def test_a_wish_goes_the_way_that_it_is_said(home: Talk, text: str, way: int) -> None:
    home["study-heater#state"], home["study-heater#target_temperature"] = "on", 20
    home.ask(text)
    assert (home["study-heater#target_temperature"] - 20) * way > 0


@pytest.mark.parametrize(
    "text", ["it's not cold in the study", "it is not dark in the study", "it's not so dark in the study"]
)
def test_what_nobody_misses_is_not_done(home: Talk, text: str) -> None:
    assert home.ask(text).status is Status.REFUSED
    assert home.changed() == {}


@pytest.mark.parametrize(
    "text",
    [
        "not so bright in the living room please",
        "make the living room not so bright",
        "get the living room as dark as a cave",
        "I want the living room black as night",
    ],
)
def test_what_shall_be_darker_is_never_made_brighter(home: Talk, text: str) -> None:
    before = home["living-room-light-sensor#illuminance"]
    home.ask(text)
    assert home["living-room-light-sensor#illuminance"] <= before


@pytest.mark.parametrize(
    "text", ["turn on one of the lights in the master bedroom", "close one of the blinds", "switch off one of our fans"]
)
def test_one_of_several_is_never_all(home: Talk, text: str) -> None:
    home.ask(text)
    assert len({path.partition("#")[0] for path in home.changed()}) <= 1


def test_a_value_of_one_property_is_none_of_another(home: Talk) -> None:
    home.ask("every lamp and strip we own, on, at its full brightness")
    assert 0 not in [value for path, value in home.changed().items() if path.endswith("brightness")]


@pytest.mark.parametrize(
    ("text", "kelvin"),
    [
        ("warm the dining room pendant light's tone by five hundred kelvin", 2500),
        ("make the dining room pendant light 300 kelvin warmer", 2700),
        ("cool the dining room pendant light down by 300 kelvin", 3300),
    ],
)
def test_warmer_light_has_fewer_kelvin(home: Talk, text: str, kelvin: int) -> None:
    home["dining-light#state"], home["dining-light#color_temperature"] = "on", 3000
    home.ask(text)
    assert home["dining-light#color_temperature"] == kelvin


@pytest.mark.parametrize("text", ["warm up the study by 2 degrees", "heat up the study", "warm the study"])
def test_a_room_without_an_oven_is_not_preheated(home: Talk, text: str) -> None:
    home["study-heater#state"], home["study-heater#target_temperature"] = "on", 18
    home.ask(text)
    assert home["study-heater#target_temperature"] > 18


@pytest.mark.parametrize(
    ("before", "text", "blind"),
    [
        ("is anyone in the study?", "close its blinds", "study-blinds"),
        ("is the light on in the master bedroom?", "its curtains can be at 10", "bedroom-curtains"),
    ],
)
def test_what_a_room_has_is_not_that_of_all_rooms(home: Talk, before: str, text: str, blind: str) -> None:
    home.ask(before, conversation="owned")
    home.ask(text, conversation="owned")
    home.engine.forget("owned")
    assert {path.partition("#")[0] for path in home.changed()} <= {blind}


@pytest.mark.parametrize(
    "text",
    [
        "If I put out the floor lamp, how many lights would be left burning?",
        "the front door is locked, confirm?",
        "hall light on, which one is it?",
    ],
)
def test_a_question_neither_acts_nor_makes_a_rule(home: Talk, text: str) -> None:
    outcome = home.engine.ask(text, consent=True)
    assert outcome.status not in (Status.DONE, Status.SCHEDULED) or not outcome.actions
    assert home.changed() == {}
    assert not home.engine.rules.book.entries


def test_how_many_things_follow_is_no_value(home: Talk) -> None:
    home["television#state"], home["hallway-light#state"] = "on", "off"
    home.ask("two things: turn off the television and turn on the hall light")
    assert (home["television#state"], home["hallway-light#state"]) == ("off", "on")
    assert {path.partition("#")[0] for path in home.changed()} <= {"television", "hallway-light"}
