"""Two orders in one sentence, each with its event; who comes and goes; orders that hold while something is so; clauses
of which one takes up another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.dialogue.rules.result import rule_json
from engine.model.outcome import Kept, Status
from engine.model.rule import Moves
from tests.dialogue.talks import BEGAN, Talk
from tests.homes import a_home

HOMES = Path(__file__).parents[1] / "acceptance" / "homes"


@pytest.fixture(scope="module")
def _flat() -> Iterator[Talk]:
    with a_home(HOMES / "flat.ttl", now=BEGAN) as engine:
        yield Talk(engine, "https://flat.example/things/")


@pytest.fixture(scope="module")
def _harbour() -> Iterator[Talk]:
    with a_home(HOMES / "harbour.ttl", now=BEGAN) as engine:
        yield Talk(engine, "https://harbour.example/things/")


@pytest.fixture
def flat(_flat: Talk) -> Talk:
    _flat.begin()
    return _flat


@pytest.fixture
def harbour(_harbour: Talk) -> Talk:
    _harbour.begin()
    return _harbour


def made(home: Talk) -> list[tuple[list[list[object]], dict[str, object]]]:
    """What sets each rule off, and what it sets."""
    found = []
    for entry in home.engine.rules.rules():
        for one in rule_json(Kept(entry.rule, entry.does, ()), home.engine.store, home.engine.registry):
            conditions = [[short(c["property"], home), c["op"], c["value"]] for c in one["trigger"]["conditions"]]
            found.append((conditions, {short(a["property"], home): a["value"] for a in one["actions"]}))
    return found


def short(name: str, home: Talk) -> str:
    return name.removeprefix(home.things).replace("properties/", "")


WARM, COOL = ["climate-sensor#temperature", ">", 27.0], ["climate-sensor#temperature", "<", 24.0]
PAIRS = [
    "Should the lounge get above 27, aircon on, and off again once it's under 24.",
    "When the lounge is over 27 turn on the aircon, and switch it off when it drops below 24.",
    "Turn the aircon on if the lounge is above 27, then turn it off if it's below 24.",
]


@pytest.mark.parametrize("text", PAIRS)
def test_two_orders_with_an_event_each_are_two_rules(flat: Talk, text: str) -> None:
    flat.ask(text)
    assert made(flat) == [([WARM], {"aircon#power": True}), ([COOL], {"aircon#power": False})]
    assert flat.changed() == {}


def test_until_something_has_come_about_undoes_what_was_ordered(flat: Talk) -> None:
    flat.ask("Turn on the extractor hood until the lounge is below 24.")
    assert flat.changed() == {"extractor#power": True}
    assert made(flat) == [([COOL], {"extractor#power": False})]


def test_it_in_a_second_event_is_what_the_first_was_about(flat: Talk) -> None:
    flat.ask("When the humidity in the lounge climbs above 70, turn the extractor on until it's back below 55.")
    first, second = made(flat)
    assert first[0] == [["climate-sensor#humidity", ">", 70.0]]
    assert second == ([["climate-sensor#humidity", "<", 55.0]], {"extractor#power": False})


def test_two_events_that_must_hold_together_stay_one_rule(flat: Talk) -> None:
    flat.ask("Turn the hall light on when the front door is unlocked and when the TV is on.")
    [(conditions, _)] = made(flat)
    assert len(conditions) == 2


def test_until_a_time_and_then_something_else_is_not_done_both_at_once(flat: Talk) -> None:
    flat.ask("Leave the hall light on until midnight, then switch it off.")
    assert flat.changed() == {"hall-light#power": True}
    [entry] = flat.engine.rules.rules()
    assert dict(entry.does) == {flat.prop("hall-light#power"): False}


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("The lounge mustn't go over 27 degrees; turn the aircon on if it does.", [WARM]),
        ("The lounge should never get colder than 24, tell me if it does.", [COOL]),
        ("Lounge over 27? Send me a message.", [WARM]),
        ("If the lounge isn't warmer than 24, drop me a note.", [["climate-sensor#temperature", "<=", 24.0]]),
    ],
)
def test_a_clause_that_takes_up_another_waits_for_it(flat: Talk, text: str, conditions: list[list[object]]) -> None:
    flat.ask(text)
    [(found, _)] = made(flat)
    assert found == conditions
    assert flat.changed() == {}


def test_what_is_to_be_while_something_is_so_waits_for_it(house: Talk) -> None:
    house.ask("Keep the study blinds closed while the television is on.")
    [entry] = house.engine.rules.rules()
    assert dict(entry.does) == {house.prop("study-blinds#position"): 0.0}
    assert house.changed() == {}


def test_what_is_to_be_while_something_is_so_that_is_so_now_is_for_now(house: Talk) -> None:
    house["television#state"] = "on"
    house.ask("Dim the floor lamp to 20 while the television is on.")
    assert house["floor-lamp#brightness"] == 20


@pytest.mark.parametrize(
    "text",
    [
        "kitchen light off when I leave, ok?",
        "Turn off the kitchen light while we are out.",
        "once everyone has left, turn the kitchen light off",
        "When the last person leaves, kitchen light off.",
    ],
)
def test_where_nobody_is_known_by_name_all_are_out_where_nobody_is_seen(house: Talk, text: str) -> None:
    house.ask(text)
    [(conditions, sets)] = made(house)
    assert sorted(conditions, key=repr) == [
        ["hallway-motion#motion", "==", False],
        ["study-presence#occupancy", "==", False],
    ]
    assert sets == {"kitchen-light#state": "off"}
    assert house.changed() == {}


@pytest.mark.parametrize("text", ["when I leave lock the front door", "Whenever we leave, switch off all the lights"])
def test_what_is_to_be_done_whenever_all_leave_is_kept_as_a_rule(house: Talk, text: str) -> None:
    assert house.ask(text).status is Status.SCHEDULED
    [(conditions, _)] = made(house)
    assert len(conditions) == 2
    assert house.changed() == {}


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("When I leave, turn the chart lamp off.", {"ines", "piet"}),
        ("When everyone is out, chart lamp off.", {"ines", "piet"}),
        ("When Piet leaves the house, chart lamp off.", {"piet"}),
        ("Whenever Ines gets home, turn on the chart lamp.", {"ines"}),
        ("If nobody's home at ten pm, turn off the chart lamp.", {"ines", "piet"}),
    ],
)
def test_people_that_are_known_come_and_go(harbour: Talk, text: str, people: set[str]) -> None:
    harbour.ask(text)
    [(conditions, _)] = made(harbour)
    assert {str(one[0]).partition("#")[0] for one in conditions} == people


def test_whoever_comes_home_sets_it_off_also_where_others_are_in(harbour: Talk) -> None:
    harbour["ines#whereabouts"], harbour["piet#whereabouts"] = "home", "away"
    harbour["lamp#power"] = False
    harbour.ask("As soon as somebody comes home, turn the chart lamp on.")
    assert harbour.engine.rules.rules()[0].rule.triggers == (Moves(None, True),)
    harbour["piet#whereabouts"] = "home"
    harbour.engine.pass_time(1)
    assert harbour["lamp#power"] is True


@pytest.mark.parametrize(
    "text",
    [
        "Could you tell me when the washing machine is done?",
        "Can you let us know when the washing machine has finished?",
        "Would you please tell me if the fridge is left open for five minutes?",
    ],
)
def test_a_polite_wish_to_be_told_is_a_notice(house: Talk, text: str) -> None:
    assert house.ask(text).status is Status.SCHEDULED
    [entry] = house.engine.rules.rules()
    assert entry.rule.notice is not None


def test_a_question_how_it_is_now_is_answered(house: Talk) -> None:
    assert house.ask("Could you tell me if the fridge is open?").status is Status.ANSWERED


@pytest.mark.parametrize(
    "text",
    [
        "somebody moving in the hallway, hallway light off",
        "movement in the hallway, hallway light off",
        "nobody in the kitchen, kitchen light off",
        "Every time someone rings the bell, mute the television.",
    ],
)
def test_what_has_to_come_about_first_is_not_done_at_once(house: Talk, text: str) -> None:
    house.ask(text)
    assert house.changed() == {}


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("If it gets brighter than 500 lux in the living room, close the living room curtains.", "#illuminance"),
        ("When the printer plug draws over 50 watts, turn on the desk lamp.", "#power"),
        ("When it's humid in the bedroom, over 60 that is, turn the humidifier off.", "#humidity"),
        ("When it's 28 degrees or more in the living room, turn the desk lamp on.", "#temperature"),
    ],
)
def test_a_number_is_of_the_kind_that_has_its_unit(house: Talk, text: str, condition: str) -> None:
    house.ask(text)
    [(conditions, _)] = made(house)
    assert [str(one[0]).endswith(condition) for one in conditions] == [True]


def test_three_times_of_one_device_are_three_rules_and_nothing_is_for_now(flat: Talk) -> None:
    flat.ask("Set the aircon to 21 at 10pm, to 19 at midnight, and switch it off at 5.")
    assert [sets for _, sets in made(flat)] == [
        {"aircon#target_temperature": 21.0},
        {"aircon#target_temperature": 19.0},
        {"aircon#power": False},
    ]
    assert flat.changed() == {}


def test_an_hour_in_words_behind_a_value_is_an_hour(flat: Talk) -> None:
    flat.ask("Set the aircon to 17 at half ten and back to 20 at six.")
    assert [sets for _, sets in made(flat)] == [
        {"aircon#target_temperature": 17.0},
        {"aircon#target_temperature": 20.0},
    ]
    assert flat.changed() == {}


def test_what_is_said_of_one_device_and_of_another_too_is_a_condition_of_both(flat: Talk) -> None:
    flat.ask("As soon as the TV is off and the floor lamp too, switch the ceiling light on.")
    [(conditions, sets)] = made(flat)
    assert [one[0] for one in conditions] == ["tv#power", "floor-lamp#power"]
    assert sets == {"ceiling-light#power": True}


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Desk lamp off at six, but not on Wednesdays.", {"cron": "0 6 * * 0,1,2,4,5,6"}),
        ("Afternoons between one and five, if the lounge is over 27, turn the aircon on.", ["13:00", "17:00"]),
        ("After midnight, if the TV is on, turn the hall light on.", ["00:00", "06:00"]),
        ("After sunset, when the TV is on, turn the hall light on.", ["sunset", "sunrise"]),
    ],
)
def test_days_that_are_left_out_and_hours_of_a_part_of_the_day(flat: Talk, text: str, time: object) -> None:
    flat.ask(text)
    [entry] = flat.engine.rules.rules()
    [one] = rule_json(Kept(entry.rule, entry.does, ()), flat.engine.store, flat.engine.registry)
    hours = [c["value"] for c in one["trigger"]["conditions"] if c["property"] == "time"]
    assert time in (*hours, {"cron": one["trigger"].get("cron")})
