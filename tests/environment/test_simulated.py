"""Simulated devices: they do what their effects say, their faults show, and the sensors of the room follow."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engine.environment.binding import Call, Operation
from engine.errors import BindingError, HearthgraphError, ValueFault
from engine.graph.terms import Json
from tests.environment.conftest import Home, act, prop

LIGHT = prop("light_sensor", "reading")


def invoke(home: Home, thing: str, action: str, payload: Json = None) -> Json:
    return home.binding.start(Call(Operation.INVOKE, act(thing, action), payload)).result(0)


def test_an_action_does_what_its_effects_say(home: Home) -> None:
    invoke(home, "lamp", "turn_on")
    assert home.state[prop("lamp", "power")] == "on"
    invoke(home, "lamp", "set_brightness", {"brightness": 100})
    assert home.state[prop("lamp", "brightness")] == 254


def test_an_input_is_checked_at_the_door(home: Home) -> None:
    with pytest.raises(ValueFault) as caught:
        invoke(home, "lamp", "set_brightness", {"brightness": 999})
    assert caught.value.reason == "value_out_of_range"
    with pytest.raises(ValueFault):
        invoke(home, "lamp", "turn_on", {"brightness": 9})


def test_properties_are_read_and_written(home: Home) -> None:
    power = prop("lamp", "power")
    assert home.binding.start(Call(Operation.READ, power)).result(0) == "off"
    home.binding.start(Call(Operation.WRITE, power, "on")).result(0)
    assert home.binding.start(Call(Operation.READ, power)).result(0) == "on"


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (Call(Operation.INVOKE, "urn:none"), "no_such_command"),
        (Call(Operation.READ, "urn:none"), "no_such_property"),
        (Call(Operation.WRITE, "urn:none", 1), "no_such_property"),
        (Call(Operation.WRITE, prop("blind", "closed"), 0), "no_such_command"),
        (Call(Operation.WRITE, prop("lamp", "power"), "purple"), "invalid_value"),
        (Call(Operation.READ, prop("bedside_lamp", "brightness")), "unknown_state"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_reason(home: Home, call: Call, reason: str) -> None:
    error = home.binding.start(call).exception(0)
    assert isinstance(error, HearthgraphError)
    assert error.reason == reason


def test_a_fault_shows_as_it_would_on_a_device(home: Home) -> None:
    turn_on, power = act("lamp", "turn_on"), prop("lamp", "power")
    home.faults[turn_on] = "fail"
    with pytest.raises(BindingError) as caught:
        invoke(home, "lamp", "turn_on")
    assert caught.value.reason == "device_failed"
    home.faults[turn_on] = "unavailable"
    with pytest.raises(BindingError) as caught:
        invoke(home, "lamp", "turn_on")
    assert caught.value.reason == "unavailable"
    home.faults[turn_on] = "ignore"
    assert invoke(home, "lamp", "turn_on") is None
    assert home.state[power] == "off"
    del home.faults[turn_on]
    invoke(home, "lamp", "turn_on")
    assert home.state[power] == "on"


def test_a_slow_device_answers_when_its_time_has_come(home: Home) -> None:
    home.faults[act("lamp", "turn_on")] = "slow"
    slow, cancelled = (home.binding.start(Call(Operation.INVOKE, act("lamp", "turn_on"))) for _ in range(2))
    cancelled.cancel()
    home.clock.advance(4)
    assert not slow.done()
    home.clock.advance(2)
    assert slow.done()
    assert home.state[prop("lamp", "power")] == "on"


def test_a_device_that_hangs_never_answers(home: Home) -> None:
    home.faults[act("lamp", "turn_on")] = "hang"
    future = home.binding.start(Call(Operation.INVOKE, act("lamp", "turn_on")))
    home.clock.advance(10_000)
    assert not future.done()


def test_a_lamp_lights_its_room_by_its_brightness_and_no_other_room(home: Home) -> None:
    invoke(home, "lamp", "turn_on")
    assert home.state[LIGHT] == 200
    invoke(home, "lamp", "set_brightness", {"brightness": 100})
    assert home.state[LIGHT] == 300
    invoke(home, "lamp", "turn_off")
    assert home.state[LIGHT] == 100
    assert home.state[prop("bedroom_light_sensor", "reading")] == 50.0


def test_a_dark_lamp_lights_nothing_however_bright_it_is_set(home: Home) -> None:
    home.binding.start(Call(Operation.WRITE, prop("lamp", "brightness"), 254)).result(0)
    assert home.state[LIGHT] == 100


def test_a_corner_of_a_room_is_felt_in_the_room_and_not_on_the_whole_floor(home: Home) -> None:
    invoke(home, "corner_lamp", "turn_on")
    assert home.state[LIGHT] == 300
    assert home.state[prop("floor_sensor", "reading")] == 10.0


def test_an_open_blind_lets_in_the_light_by_day_alone(home: Home) -> None:
    invoke(home, "blind", "open")
    assert home.state[prop("blind", "closed")] == 0
    assert home.state[LIGHT] == 250
    invoke(home, "blind", "close")
    home.clock.advance_to(datetime(2026, 5, 14, 23, 0, tzinfo=UTC))
    invoke(home, "blind", "open")
    assert home.state[LIGHT] == 100


def test_a_condition_looks_at_the_mode_of_the_device_and_a_sensor_counts_in_its_own_unit(home: Home) -> None:
    home.state.write({prop("conditioner", "target"): 16})
    invoke(home, "conditioner", "turn_on")
    assert home.state[prop("thermometer", "reading")] == pytest.approx(77 - 9)
    invoke(home, "conditioner", "turn_off")
    home.state.write({prop("conditioner", "mode"): "heat", prop("conditioner", "target"): 30})
    before = home.state[prop("thermometer", "reading")]
    invoke(home, "conditioner", "turn_on")
    assert isinstance(before, float)
    assert home.state[prop("thermometer", "reading")] > before  # type: ignore[operator]


def test_a_sensor_without_a_known_value_is_left_alone(home: Home) -> None:
    home.state.write({LIGHT: None})
    invoke(home, "lamp", "turn_on")
    assert LIGHT not in home.state
