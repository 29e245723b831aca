"""When devices fail, what could be done is done, the state is true, and so is the report."""

from __future__ import annotations

from typing import Literal

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import Talk

HOUSES = ("memory", "oxigraph-house")

Fault = Literal["fail", "unavailable", "ignore", "slow", "hang"]
FAULTS: list[tuple[Fault, str]] = [
    ("fail", "device_failed"),
    ("unavailable", "unavailable"),
    ("ignore", "no_effect"),
    ("hang", "timeout"),
]


@pytest.mark.parametrize(("fault", "reason"), FAULTS)
def test_an_action_that_fails_is_reported_with_its_reason(house: Talk, fault: Fault, reason: str) -> None:
    house.engine.faults[house.action("pantry-light#turn_on")] = fault
    outcome = house.ask("turn on the pantry light")
    assert (outcome.status, outcome.reason) == (Status.FAILED, reason)
    assert house.did(outcome) == [("pantry-light#turn_on", "failed")]
    assert (house.changed(), outcome.changes) == ({}, ())
    assert "pantry light failed" in outcome.reply
    assert ".." not in outcome.reply


def test_a_slow_device_is_waited_for(house: Talk) -> None:
    house.engine.faults[house.action("pantry-light#turn_on")] = "slow"
    assert house.ask("turn on the pantry light").status is Status.DONE


def test_one_device_that_fails_does_not_keep_the_others_from_being_done(house: Talk) -> None:
    house.engine.faults[house.action("garage-light#turn_on")] = "fail"
    outcome = house.ask("turn on the pantry light, the garage light and the landing light")
    assert outcome.status is Status.PARTIAL
    assert [one.status for one in outcome.intents] == [Status.DONE, Status.FAILED, Status.DONE]
    assert house.changed() == {"pantry-light#state": "on", "landing-light#state": "on"}
    assert {c.property for c in outcome.changes} == {
        house.prop("pantry-light#state"),
        house.prop("landing-light#state"),
    }


def test_of_all_lights_the_one_that_fails_is_named(house: Talk) -> None:
    house.engine.faults[house.action("hallway-light#turn_off")] = "fail"
    house["pantry-light#state"] = "on"
    outcome = house.ask("turn off all the lights")
    assert (outcome.status, outcome.reason) == (Status.PARTIAL, "device_failed")
    assert "hallway light failed" in outcome.reply
    assert (house["hallway-light#state"], house["pantry-light#state"]) == ("on", "off")


def test_what_depends_on_what_failed_is_left_out(house: Talk) -> None:
    house.engine.faults[house.action("living-room-ac#turn_on")] = "fail"
    outcome = house.ask("turn on the living room air conditioner and set it to 21 degrees")
    assert [one.status for one in outcome.intents] == [Status.FAILED, Status.FAILED]
    assert [one.reason for one in outcome.intents] == ["device_failed", "skipped"]
    assert [o for _, o in house.did(outcome)] == ["failed", "skipped"]
    assert house.changed() == {}
    assert "left out" in outcome.reply


def test_a_machine_that_could_not_be_set_is_not_started(house: Talk) -> None:
    house.engine.faults[house.action("washing-machine#set_program")] = "fail"
    outcome = house.ask("set the washing machine to wool and start it")
    assert [one.reason for one in outcome.intents] == ["device_failed", "skipped"], outcome.reply
    assert house["washing-machine#work_state"] == "idle"


def test_what_is_independent_on_the_same_thing_is_done_all_the_same(house: Talk) -> None:
    house.engine.faults[house.action("living-room-ac#set_mode")] = "fail"
    outcome = house.ask("set the living room air conditioner to heat and set its fan speed to high")
    assert outcome.status is Status.PARTIAL, outcome.reply
    assert [one.status for one in outcome.intents] == [Status.FAILED, Status.DONE]
    assert house.changed() == {"living-room-ac#fan_speed": "high"}


def test_of_several_things_that_follow_one_the_others_are_done_when_one_fails(house: Talk) -> None:
    house.engine.faults[house.action("living-room-ac#set_target_temperature")] = "fail"
    outcome = house.ask("turn on the living room air conditioner, set it to 21 degrees and set its mode to heat")
    assert [one.status for one in outcome.intents] == [Status.DONE, Status.FAILED, Status.DONE], outcome.reply
    assert house.changed() == {"living-room-ac#state": "on", "living-room-ac#mode": "heat"}


def test_what_the_same_words_ask_for_fails_together(house: Talk) -> None:
    house.engine.faults[house.action("floor-lamp#set_brightness")] = "fail"
    outcome = house.ask("turn on the floor lamp at 30 percent")
    assert outcome.status in (Status.FAILED, Status.PARTIAL), outcome.reply
    assert "brightness" not in str(house.changed())


def test_a_lamp_that_cannot_be_dimmed_still_goes_off_in_time(house: Talk) -> None:
    house.engine.faults[house.action("floor-lamp#set_brightness")] = "fail"
    outcome = house.ask("turn on the floor lamp for ten minutes and set it to 30 percent")
    assert [one.status for one in outcome.intents] == [Status.DONE, Status.FAILED], outcome.reply
    house.engine.pass_time(600)
    assert house["floor-lamp#state"] == "off"


def test_a_way_back_that_fails_is_on_record(house: Talk) -> None:
    house.engine.faults[house.action("study-heater#turn_off")] = "fail"
    outcome = house.ask("turn the study heater on for ten minutes")
    assert house.did(outcome) == [("study-heater#turn_on", "done")]
    house.engine.pass_time(600)
    assert house["study-heater#state"] == "on"
    (firing,) = house.engine.rules.book.firings.values()
    assert (firing.status.value, firing.reason) == ("failed", "device_failed")
