"""What is said of all that are listed; rooms that have this or that, or lack it; a part of a fan-light by its name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dialogue.requests.request import Request
from engine.language.chart.goals.sharing import listed
from engine.language.chart.joining.frames import Clause, Phrase
from engine.language.chart.judging.lost import Named, lost
from engine.language.words.lexicon import Entry, Role
from engine.language.words.spans import Restriction, Span
from engine.model.intent import Intent
from engine.model.outcome import Status
from tests.dialogue.talks import BEGAN, Talk
from tests.homes import a_home

PARTS = Path(__file__).parents[1] / "acceptance" / "parts"


@pytest.fixture(scope="module")
def eighth() -> Iterator[dict[str, Talk]]:
    homes = PARTS / "eight" / "homes"
    with a_home(homes / "tharavad.json", now=BEGAN) as kerala, a_home(homes / "tiong.json", now=BEGAN) as flat:
        yield {
            "kerala": Talk(kerala, "urn:homeenv:tharavad:device:"),
            "flat": Talk(flat, "urn:homeenv:tiong:device:"),
        }


@pytest.fixture
def kerala(eighth: dict[str, Talk]) -> Talk:
    eighth["kerala"].begin()
    return eighth["kerala"]


@pytest.fixture
def flat(eighth: dict[str, Talk]) -> Talk:
    eighth["flat"].begin()
    return eighth["flat"]


def _iri(talk: Talk, title: str, prop: str) -> str:
    """The property of the only thing with a title."""
    (thing,) = (t for t in talk.engine.registry.things.values() if t.title == title)
    (found,) = (p.iri for p in thing.properties if p.iri.endswith(prop))
    return found


def _now(talk: Talk, title: str, prop: str) -> Any:
    return talk.engine.state.get(_iri(talk, title, prop))


def _put(talk: Talk, title: str, **values: Any) -> None:
    talk.engine.state.write({_iri(talk, title, name.replace("__", ".")): value for name, value in values.items()})


@pytest.mark.parametrize(
    "text",
    [
        "Close every blind and curtain that is more than half open.",
        "Every curtain or blind that's open wider than half should be closed.",
        "Close any blind or curtain that is more than 50 percent open.",
    ],
)
def test_which_ones_is_said_of_all_that_are_listed(house: Talk, text: str) -> None:
    house["study-blinds#position"], house["living-room-curtains#position"] = 40, 70
    house.ask(text)
    assert (house["study-blinds#position"], house["living-room-curtains#position"]) == (40, 0)


@pytest.mark.parametrize("text", ["Turn off every lamp and light.", "I want every light and lamp off."])
def test_how_many_is_said_of_all_that_are_listed(house: Talk, text: str) -> None:
    house["desk-lamp#state"] = "on"
    house.ask(text)
    assert {house["desk-lamp#state"], house["kitchen-light#state"], house["hallway-light#state"]} == {"off"}


@pytest.mark.parametrize(
    ("text", "lit", "dark"),
    [
        (
            "In rooms with a television or a washing machine turn the light on.",
            "living-room-light laundry-light",
            "emma-light",
        ),
        ("In rooms that have a television or a washing machine, turn the light on.", "laundry-light", "pantry-light"),
        ("In rooms without curtains or blinds, turn the light on.", "laundry-light pantry-light", "living-room-light"),
        (
            "Turn on the light in rooms that have no curtains or blinds.",
            "laundry-light",
            "living-room-light dining-light",
        ),
        ("In rooms that lack a blind, turn the light on.", "laundry-light living-room-light", "dining-light desk-lamp"),
    ],
)
def test_rooms_have_this_or_that_or_lack_it(house: Talk, text: str, lit: str, dark: str) -> None:
    house.ask(text)
    assert {house[f"{name}#state"] for name in lit.split()} == {"on"}
    assert {house[f"{name}#state"] for name in dark.split()} == {"off"}
    assert not {"study-blinds#position", "living-room-curtains#position", "washing-machine#state"} & set(
        house.changed()
    )


def test_what_a_room_has_is_not_what_is_ordered_in_a_home_abroad(kerala: Talk) -> None:
    kerala.ask("In rooms with a music system or a purifier, turn the AC off.")
    assert all(not path.endswith(("volume_level", "work_state")) for path in kerala.changed())


@pytest.mark.parametrize(
    ("text", "light", "fan"),
    [
        ("Turn the Orient light on.", "on", "on"),
        ("Orient fan off.", "off", "off"),
        ("Turn off the Orient fan, leave its light alone.", "off", "off"),
    ],
)
def test_a_part_is_named_behind_the_name_of_the_whole(kerala: Talk, text: str, light: str, fan: str) -> None:
    _put(kerala, "Orient", light__state="off", fan__state="on")
    kerala.ask(text)
    assert (_now(kerala, "Orient", "light.state"), _now(kerala, "Orient", "fan.state")) == (light, fan)


def test_a_part_is_named_behind_another_name_in_another_home(flat: Talk) -> None:
    _put(flat, "Fanco", light__state="off", fan__state="off")
    flat.ask("Put the Fanco light on, 30 percent.")
    assert (_now(flat, "Fanco", "light.brightness"), _now(flat, "Fanco", "fan.state")) == (30, "off")


def test_the_name_of_a_device_is_no_title_to_play(flat: Talk, kerala: Talk) -> None:
    flat.ask("Start the Bosch.")
    assert not any(path.endswith("media_name") for path in flat.changed())
    kerala.ask("Play the Marshall.")
    assert not any(path.endswith("media_name") for path in kerala.changed())


@pytest.mark.parametrize(
    "text", ["kitchen light on or off", "study blinds open or closed", "front door locked or unlocked"]
)
def test_two_states_at_the_end_order_neither(house: Talk, text: str) -> None:
    house.ask(text)
    assert house.changed() == {}


@pytest.mark.parametrize("text", ["{} on or off", "{} on or off?"])
def test_two_states_order_neither_in_other_homes(flat: Talk, kerala: Talk, text: str) -> None:
    flat.ask(text.format("Daikin"))
    kerala.ask(text.format("diya light"))
    assert (flat.changed(), kerala.changed()) == ({}, {})


@pytest.mark.parametrize(
    "text",
    [
        "I'd be obliged if the desk lamp were at 40 percent.",
        "I would be grateful if you set the desk lamp to 40 percent.",
        "It would be helpful if you could put the desk lamp at 40 percent.",
    ],
)
def test_a_courtesy_with_if_is_no_condition(house: Talk, text: str) -> None:
    outcome = house.ask(text)
    assert outcome.status is Status.DONE
    assert house["desk-lamp#brightness"] == 40


def test_a_list_of_a_kind_and_of_things_by_their_names_stays_a_list() -> None:
    kind, name = Entry(Role.DEVICE, "urn:kind"), Entry(Role.THING, "urn:thing")
    opened = Restriction("=", Span("open", 0, 0))
    first = Phrase(entries=(kind,), text="drape", quantity="all", determined=True)
    for entries, many in (((kind,), 1), ((name,), 2)):
        clause = Clause(phrases=(first, Phrase(entries=entries, text="blind", restrictions=(opened,))))
        found = listed(clause, []).phrases
        assert len(found) == many
        assert {(one.quantity, one.restrictions) for one in found} == {("all", (opened,))}


@pytest.mark.parametrize(
    "text", ["Set the diya light and the gate lamp to 20 and 60.", "diya light, gate lamp to 20 and 60 respectively"]
)
def test_each_of_several_things_has_its_own_number(kerala: Talk, text: str) -> None:
    kerala.ask(text)
    assert [_now(kerala, name, "brightness") for name in ("diya light", "gate lamp")] == [20, 60]


def test_each_has_its_own_number_in_other_homes(house: Talk, flat: Talk) -> None:
    house.ask("Study blinds and dining blind to 30 and 70 percent.")
    assert house["study-blinds#position"] == 30
    flat.ask("The Daikin and the Mitsubishi to 21 and 24 degrees respectively.")
    assert [_now(flat, name, "target_temperature") for name in ("Daikin", "Mitsubishi")] == [21, 24]


@pytest.mark.parametrize("text", ["The desk lamp, dimmed to a third", "The desk lamp down to a third, please"])
def test_an_article_before_a_share_names_nothing(house: Talk, text: str) -> None:
    house["desk-lamp#state"] = "on"
    house.ask(text)
    assert house["desk-lamp#brightness"] == pytest.approx(100 / 3, abs=0.5)
    assert house.changed().keys() <= {"desk-lamp#brightness", "desk-lamp#state"}


def test_both_of_a_list_are_not_the_lower_ones(house: Talk, kerala: Talk) -> None:
    outcome = house.ask("Fridge and freezer both down to 3 please.")
    assert outcome.status is Status.PARTIAL
    assert house["fridge#temperature"] == 3
    kerala.ask("Diya light and gate lamp both down to 5.")
    assert [_now(kerala, name, "brightness") for name in ("diya light", "gate lamp")] == [5, 5]


@pytest.mark.parametrize(
    ("text", "fan", "degrees"),
    [
        ("Daikin fan to low.", "low", None),
        ("Set the fan of the Daikin to low.", "low", None),
        ("Daikin to 23 with fan low.", "low", 23),
        ("The Daikin's fan to medium.", "medium", None),
    ],
)
def test_the_fan_of_an_aircon_is_its_speed(flat: Talk, text: str, fan: str, degrees: int | None) -> None:
    _put(flat, "Daikin", fan_speed="high", target_temperature=26)
    flat.ask(text)
    assert _now(flat, "Daikin", "fan_speed") == fan
    assert _now(flat, "Daikin", "target_temperature") == (degrees or 26)
    assert not any(path.endswith("ac_mode") for path in flat.changed())


def test_the_fan_of_an_aircon_is_its_speed_in_other_homes(house: Talk, kerala: Talk) -> None:
    house.ask("Living room AC to 20 with the fan on high.")
    assert (house["living-room-ac#target_temperature"], house["living-room-ac#fan_speed"]) == (20, "high")
    kerala.ask("Drawing room AC to 25 with fan medium.")
    changed = {path.rpartition("#")[2]: value for path, value in kerala.changed().items()}
    assert changed == {"target_temperature": 25, "fan_speed": "medium"}


@pytest.mark.parametrize("text", ["Put the {} on the highest speed.", "Set the {} to the highest speed."])
def test_the_highest_speed_of_one_thing_is_no_ranking(house: Talk, kerala: Talk, flat: Talk, text: str) -> None:
    house.ask(text.format("range hood"))
    assert house["range-hood#fan_speed"] == 4
    for home, name in ((kerala, "table fan"), (flat, "standing fan")):
        _put(home, name, state="on", speed_level="low")
        home.ask(text.format(name))
        assert _now(home, name, "speed_level") == "high"


def test_numbers_of_a_request_s_own_name_were_not_said(flat: Talk) -> None:
    context = flat.engine.assistant.hearing(Request("dim them", "urn:request", None, None))
    one = Named("number", number=2.0)
    for own in ("urn:request/2", "urn:request/x"):
        goals = (((Intent(own, "dim them", fault="not_understood"),),),)
        assert lost([one], goals, (), context) == {"lost:number": 1.0}
