"""What is to be done later, or for a time, is done when its time has come, and the simulated clock shows it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from engine.environment.clock import SimulatedClock
from engine.model.outcome import Outcome, Status
from tests.dialogue.talks import BEGAN, Talk

A_DAY = 86400.0


def clock_of(house: Talk) -> SimulatedClock:
    assert isinstance(house.engine.clock, SimulatedClock)
    return house.engine.clock


def history(house: Talk, path: str) -> list[tuple[float, Any]]:
    """When (minutes since the beginning) a property became what."""
    past = house.engine.state.history(house.prop(path))
    return [((p.at - BEGAN).total_seconds() / 60, p.after) for p in past if p.at >= BEGAN]


def since(house: Talk, text: str, path: str) -> tuple[Outcome, list[tuple[float, Any]]]:
    """What came of a request, and what a property did from then on."""
    before = len(history(house, path))
    outcome = house.ask(text)
    house.engine.pass_time(A_DAY)
    return outcome, history(house, path)[before:]


HAPPENINGS: list[tuple[str, str, list[tuple[float, Any]]]] = [
    ("turn the study heater on for ten minutes", "study-heater#state", [(0, "on"), (10, "off")]),
    ("turn on the pantry light in five minutes", "pantry-light#state", [(5, "on")]),
    ("turn on the pantry light at half past seven", "pantry-light#state", [(90, "on")]),
    ("turn on the pantry light at 5:30", "pantry-light#state", [(11.5 * 60, "on")]),
    ("turn on the desk lamp until noon", "desk-lamp#state", [(0, "on"), (360, "off")]),
    ("set the desk lamp to 20 percent for an hour", "desk-lamp#brightness", [(0, 20), (60, 60)]),
    ("set the desk lamp to 20 percent for an hour", "desk-lamp#state", [(0, "on"), (60, "off")]),
    ("open the garage door for ten minutes", "garage-door#position", [(0, 100), (10, 0)]),
    (
        "turn on the pantry light in five minutes and turn it off in ten minutes",
        "pantry-light#state",
        [(5, "on"), (10, "off")],
    ),
    ("in five minutes turn on the TV and set it to channel 5", "television#channel", [(5, 5)]),
    ("turn the desk lamp on for ten minutes and set it to 30 percent", "desk-lamp#brightness", [(0, 30)]),
    ("turn the desk lamp on for ten minutes and set it to 30 percent", "desk-lamp#state", [(0, "on"), (10, "off")]),
    ("turn on the desk lamp and the floor lamp for ten minutes", "floor-lamp#state", [(0, "on"), (10, "off")]),
]


@pytest.mark.parametrize(("text", "path", "expected"), HAPPENINGS, ids=[f"{t}: {p}" for t, p, _ in HAPPENINGS])
def test_things_happen_at_their_time(house: Talk, text: str, path: str, expected: list[tuple[float, Any]]) -> None:
    outcome, happened = since(house, text, path)
    assert outcome.status in (Status.DONE, Status.SCHEDULED), outcome.reply
    assert happened == expected


def test_what_is_for_later_is_scheduled_and_nobody_waits_for_it(house: Talk) -> None:
    outcome = house.ask("turn on the pantry light at half past seven")
    assert outcome.status is Status.SCHEDULED
    assert house.changed() == {}
    assert clock_of(house).now() == BEGAN
    assert "today at 07:30" in outcome.reply
    (entry,) = house.engine.rules.rules()
    assert entry.next == BEGAN + timedelta(minutes=90)


def test_what_was_done_for_a_time_leaves_no_change_when_it_is_over(house: Talk) -> None:
    outcome = house.ask("turn the study heater on for ten minutes")
    assert house.did(outcome) == [("study-heater#turn_on", "done")]
    assert house.changed() == {"study-heater#state": "on"}
    house.engine.pass_time(600)
    assert house.changed() == {}
    assert house.engine.rules.rules() == (), "it is over, and nothing waits any more"


def test_the_way_back_starts_from_how_it_was_before(house: Talk) -> None:
    house["desk-lamp#state"] = "on"
    outcome, happened = since(house, "set the desk lamp to 20 percent for an hour", "desk-lamp#state")
    assert outcome.status is Status.DONE
    assert happened == [], "it was on before, and stays on"
    assert house["desk-lamp#brightness"] == 60


def test_all_lights_go_back_each_to_its_own(house: Talk) -> None:
    house["desk-lamp#brightness"], house["floor-lamp#brightness"] = 35, 85
    outcome = house.ask("set the desk lamp and the floor lamp to 20 percent for an hour")
    assert outcome.status is Status.DONE, outcome.reply
    assert (house["desk-lamp#brightness"], house["floor-lamp#brightness"]) == (20, 20)
    house.engine.pass_time(3600)
    assert (house["desk-lamp#brightness"], house["floor-lamp#brightness"]) == (35, 85)


def test_what_failed_is_not_put_back(house: Talk) -> None:
    house.engine.faults[house.action("study-heater#turn_on")] = "unavailable"
    assert house.ask("turn the study heater on for ten minutes").status is Status.FAILED
    assert house.engine.rules.rules() == ()


def test_a_night_from_ten_to_five_ends_the_next_day(house: Talk) -> None:
    outcome, happened = since(house, "turn on the desk lamp at 10 pm until 5 am", "desk-lamp#state")
    assert outcome.status is Status.SCHEDULED, outcome.reply
    assert happened == [(16 * 60, "on"), (23 * 60, "off")]


def test_something_waits_until_the_oven_has_finished(house: Talk) -> None:
    outcome = house.ask("turn on the range hood after the oven has finished")
    assert outcome.status is Status.SCHEDULED, outcome.reply
    house.engine.pass_time(1800)
    assert house["range-hood#state"] == "off"
    house["oven#work_state"] = "finished"
    house.engine.pass_time(1)
    assert house["range-hood#state"] == "on"
    assert house.engine.rules.rules() == (), "it was meant once"


def test_what_is_done_later_is_done_with_the_home_as_it_is_then(house: Talk) -> None:
    house.ask("turn on the pantry light in five minutes")
    house["pantry-light#state"] = "on"
    house.engine.pass_time(600)
    assert house["pantry-light#state"] == "on"
    (firing,) = house.engine.rules.book.firings.values()
    assert firing.status.value == "done"
