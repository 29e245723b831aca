"""Words of time reach the plan, and the simulated clock shows that they are kept."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from engine.environment.clock import SimulatedClock
from engine.model.outcome import Outcome, Status
from tests.dialogue.talks import BEGAN, Talk, nodes


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
    return outcome, history(house, path)[before:]


HAPPENINGS: list[tuple[str, str, list[tuple[float, Any]]]] = [
    ("turn the study heater on for ten minutes", "study-heater#state", [(0, "on"), (10, "off")]),
    ("turn on the pantry light in five minutes", "pantry-light#state", [(5, "on")]),
    ("turn on the pantry light at half past seven", "pantry-light#state", [(90, "on")]),
    ("turn on the pantry light at 5:30", "pantry-light#state", [(23.5 * 60, "on")]),
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
    assert outcome.status is Status.DONE, outcome.reply
    assert happened == expected


def test_what_was_done_for_a_time_leaves_no_change(house: Talk) -> None:
    outcome = house.ask("turn the study heater on for ten minutes")
    assert outcome.changes == ()
    assert house.changed() == {}
    assert house.did(outcome) == [("study-heater#turn_on", "done"), ("study-heater#turn_off", "done")]
    assert clock_of(house).now() == BEGAN + timedelta(minutes=10)


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
    assert (house["desk-lamp#brightness"], house["floor-lamp#brightness"]) == (35, 85)


def test_a_night_from_ten_to_seven_ends_the_next_day(house: Talk) -> None:
    outcome = house.ask("turn on the desk lamp at 10 pm until 5 am")
    assert outcome.status is Status.DONE, outcome.reply
    assert clock_of(house).now() == BEGAN + timedelta(hours=23)
    assert house["desk-lamp#state"] == "off"


def test_something_waits_until_the_oven_has_finished(house: Talk) -> None:
    clock_of(house).call_later(1800, lambda: house.__setitem__("oven#work_state", "finished"))
    outcome, happened = since(house, "turn on the range hood after the oven has finished", "range-hood#state")
    assert outcome.status is Status.DONE, outcome.reply
    assert happened == [(30, "on")]


def test_what_is_awaited_and_never_comes_is_said_to_have_been_given_up(house: Talk) -> None:
    outcome = house.ask("turn on the range hood after the oven has finished")
    assert (outcome.status, outcome.reason) == (Status.FAILED, "limit_reached")
    assert "time limit" in outcome.reply
    assert house.changed() == {}


def test_waits_are_nodes_of_the_plan(house: Talk) -> None:
    first = house.ask("turn the study heater on for ten minutes").plan
    second = house.ask("turn on the pantry light at half past seven").plan
    assert first is not None
    assert second is not None
    assert [node["seconds"] for node in nodes(first.tree, "wait")] == [600]
    assert [node["at"] for node in nodes(second.tree, "wait_until")] == ["2026-03-01T07:30:00+01:00"]
