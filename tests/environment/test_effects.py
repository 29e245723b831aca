"""What actions do to the properties of their thing, and which input brings something about."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.environment.effects import assign, payload_for
from engine.environment.values.quantities import position, same
from engine.environment.values.schemas import validate
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount, Measure
from engine.model.thing import Action, Part, Property, Schema, Thing
from engine.model.vocabulary import Effect, Form
from tests.environment.examples import (
    BOOLEAN,
    BRIGHTNESS,
    COLOUR,
    DOC,
    FAN_SPEED,
    MODE,
    PERCENT,
    POSITION,
    POWER,
    TEMPERATURE,
    TEXT,
    TITLE,
    VOCABULARY,
    VOLUME,
    WARMTH,
    WORK_MODE,
    a_property,
    a_thing,
    an_action,
    group,
    hg,
    integer,
    listed,
    number,
)

ON_OFF = listed("on", "off")
POWER_PROPERTY = a_property(POWER, ON_OFF, "power")
BRIGHTNESS_PROPERTY = a_property(BRIGHTNESS, integer(0, 254), "brightness")
LAMP = a_thing(POWER_PROPERTY, BRIGHTNESS_PROPERTY)


def iri(name: str) -> str:
    return f"{DOC}#properties/{name}"


def of(kind: str, schema: Schema) -> Schema:
    """The schema as an input member of a kind."""
    return Schema(**{field: getattr(schema, field) for field in schema.__slots__} | {"kinds": frozenset((kind,))})


def after(action: Action, payload: Json, thing: Thing, **state: Json) -> dict[str, Json]:
    known = {iri(name): value for name, value in state.items()}
    found = assign(action, payload, thing, known, VOCABULARY)
    return {name.rpartition("/")[2]: value for name, value in found.items()}


def needed(action: Action, thing: Thing, goal: dict[str, Any], **state: Json) -> Json:
    known = {iri(name): value for name, value in state.items()}
    return payload_for(action, thing, goal, known, VOCABULARY)


def percent(value: float, **more: Any) -> Amount:
    return Amount(Measure.NUMBER, value, PERCENT, **more)


SET_BRIGHTNESS = an_action("SetBrightness", group("brightness", brightness=of(BRIGHTNESS, integer(0, 100))))


def test_a_constant_is_spelt_as_the_property_spells_it() -> None:
    assert after(an_action("TurnOn"), None, LAMP) == {"power": "on"}
    assert after(an_action("TurnOn"), None, a_thing(a_property(POWER, BOOLEAN, "power"))) == {"power": True}
    mode = a_thing(a_property(MODE, listed("heat", "COOL"), "mode"))
    assert after(an_action("CoolDown"), None, mode) == {"mode": "COOL"}


def test_an_input_is_copied_into_the_terms_of_the_property() -> None:
    assert after(SET_BRIGHTNESS, {"brightness": 50}, LAMP) == {"brightness": 127, "power": "on"}


def test_a_bound_is_that_of_the_kind_and_not_of_an_inverted_property() -> None:
    shade = a_thing(a_property(POSITION, integer(0, 50), "shade", inverted=True))
    assert after(an_action("Open"), None, shade) == {"shade": 0}
    assert after(an_action("Close"), None, shade) == {"shade": 50}
    assert after(an_action("Open"), None, a_thing(a_property(POSITION, listed("open", "closed"), "it"))) == {
        "it": "open"
    }


def test_a_step_stops_at_the_end_of_the_range_and_counts_in_the_unit_of_the_kind() -> None:
    louder = an_action("VolumeUp")
    assert after(louder, None, a_thing(a_property(VOLUME, integer(0, 100), "volume")), volume=95) == {"volume": 100}
    assert after(louder, None, a_thing(a_property(VOLUME, number(0, 1), "volume")), volume=0.5) == {"volume": 0.6}


def test_a_step_from_an_unknown_value_decides_nothing() -> None:
    assert after(an_action("VolumeUp"), None, a_thing(a_property(VOLUME, integer(0, 100), "volume"))) == {}


def test_next_goes_round_the_corner() -> None:
    fan = a_thing(a_property(FAN_SPEED, listed("low", "medium", "high"), "speed"))
    assert after(an_action("FanSpeedUp"), None, fan, speed="low") == {"speed": "medium"}
    assert after(an_action("FanSpeedUp"), None, fan, speed="high") == {"speed": "low"}
    assert after(an_action("Toggle"), None, LAMP, power="on") == {"power": "off"}
    assert after(an_action("Toggle"), None, a_thing(a_property(POWER, BOOLEAN, "power")), power=False) == {
        "power": True
    }
    stepped = a_thing(a_property(FAN_SPEED, integer(1, 3), "speed"))
    assert after(an_action("FanSpeedUp"), None, stepped, speed=3) == {"speed": 1}


def test_the_effects_of_a_thing_override_those_of_the_ontology() -> None:
    night = an_action("TurnOn", None, Effect(BRIGHTNESS, Form.TO, 10))
    assert after(night, None, LAMP) == {"brightness": 10}


def test_an_effect_that_names_a_property_reaches_it_in_another_part() -> None:
    action = an_action("TurnOff", None, Effect(POWER, Form.TO, False, property=iri("power")))
    apart = Action(f"{DOC}#actions/all_off", "all_off", f"{DOC}#parts/x", action.commands, effects=action.effects)
    assert after(apart, None, LAMP) == {"power": "off"}


def test_an_effect_stays_in_its_part() -> None:
    fan = Property(iri("fan"), "fan.power", f"{DOC}#parts/fan", ON_OFF, frozenset((POWER,)))
    light = Property(iri("light"), "light.power", f"{DOC}#parts/light", ON_OFF, frozenset((POWER,)))
    parts = tuple(Part(f"{DOC}#parts/{name}", name, frozenset()) for name in ("fan", "light"))
    both = Thing(DOC, DOC, "fan with light", (Part(DOC, "", frozenset()), *parts), (fan, light))
    action = Action(f"{DOC}#actions/fan_on", "fan.turn_on", f"{DOC}#parts/fan", frozenset((hg("TurnOn"),)))
    assert after(action, None, both) == {"fan": "on"}


def test_an_optional_member_that_is_left_out_has_no_effect() -> None:
    optional = an_action("SetBrightness", group(brightness=of(BRIGHTNESS, integer(0, 100))))
    assert after(optional, {}, LAMP) == {"power": "on"}


def test_an_input_beyond_the_range_of_the_property_is_refused() -> None:
    unlimited = an_action("SetTemperature", Schema(type="object", properties=(("t", number(0, 500)),)))
    with pytest.raises(ValueFault) as caught:
        after(unlimited, {"t": 300}, a_thing(a_property(TEMPERATURE, number(16, 30), "target")))
    assert caught.value.reason == "value_out_of_range"


def test_a_command_inherits_the_effects_of_the_commands_above_it() -> None:
    volume = a_thing(a_property(VOLUME, integer(0, 100), "volume"))
    assert after(an_action("MakeItLouder"), None, volume, volume=10) == {"volume": 20}


def test_an_effect_on_a_kind_reaches_its_sub_kinds() -> None:
    conditioner = a_thing(a_property(MODE, listed("heat", "cool"), "mode"), a_property(POWER, BOOLEAN, "power"))
    action = an_action("SetMode", group("mode", mode=of(MODE, listed("heat", "cool"))))
    assert after(action, {"mode": "heat"}, conditioner) == {"mode": "heat"}


def test_an_input_that_names_a_special_kind_sets_only_the_property_of_that_kind() -> None:
    other = a_property(WORK_MODE, listed("heat", "cool"), "other")
    thing = a_thing(a_property(MODE, listed("heat", "cool"), "mode"), other)
    action = an_action("SetMode", group("mode", mode=of(MODE, listed("heat", "cool"))))
    assert after(action, {"mode": "heat"}, thing) == {"mode": "heat"}


# The other way round: payload_for


def test_the_payload_is_in_the_terms_of_the_input() -> None:
    assert needed(SET_BRIGHTNESS, LAMP, {BRIGHTNESS: percent(50)}) == {"brightness": 50}
    assert needed(SET_BRIGHTNESS, LAMP, {BRIGHTNESS: 127}) == {"brightness": 50}
    assert needed(SET_BRIGHTNESS, LAMP, {BRIGHTNESS: percent(-20, relative=True)}, brightness=127) == {"brightness": 30}


def test_a_plain_schema_takes_the_plain_value() -> None:
    plain = an_action("SetBrightness", integer(0, 100))
    assert needed(plain, LAMP, {BRIGHTNESS: percent(40)}) == 40


def test_an_input_about_which_nothing_is_said_is_limited_as_its_property_is() -> None:
    plain = an_action("SetTemperature", group("t", t=number()))
    fahrenheit = a_thing(a_property(TEMPERATURE, number(50, 90, unit="°F"), "target"))
    assert needed(plain, fahrenheit, {TEMPERATURE: Amount(Measure.NUMBER, 20, hg("Celsius"))}) == {"t": 68}
    with pytest.raises(ValueFault) as caught:
        needed(plain, fahrenheit, {TEMPERATURE: Amount(Measure.NUMBER, 60, hg("Celsius"))})
    assert caught.value.reason == "value_out_of_range"


def test_members_that_no_goal_asks_for_are_left_out_or_kept_as_they_are() -> None:
    members = {"brightness": of(BRIGHTNESS, integer(0, 100)), "warmth": of(WARMTH, integer(2700, 6500))}
    lamp = a_thing(BRIGHTNESS_PROPERTY, a_property(WARMTH, integer(2700, 6500), "warmth"))
    both, one = group("brightness", "warmth", **members), group("brightness", **members)
    goal = {BRIGHTNESS: percent(40)}
    assert needed(an_action("SetBrightness", one), lamp, goal) == {"brightness": 40}
    assert needed(an_action("SetBrightness", both), lamp, goal, warmth=4000) == {"brightness": 40, "warmth": 4000}
    assert needed(an_action("SetBrightness", both), lamp, goal) is None


def test_what_needs_no_input_gets_an_empty_one() -> None:
    assert needed(an_action("TurnOn"), LAMP, {}) == {}
    assert needed(an_action("TurnOn"), LAMP, {POWER: Amount(Measure.TRUTH, True)}) == {}
    assert needed(an_action("Open"), a_thing(a_property(POSITION, integer(0, 100))), {POSITION: percent(100)}) == {}


def test_an_action_that_does_something_else_is_of_no_use() -> None:
    assert needed(an_action("TurnOn"), LAMP, {POWER: Amount(Measure.TRUTH, False)}) is None
    assert needed(an_action("TurnOn"), LAMP, {BRIGHTNESS: percent(40)}) is None
    assert needed(an_action("Open"), a_thing(a_property(POSITION, integer(0, 100))), {POSITION: percent(50)}) is None


def test_a_step_serves_the_goal_of_just_that_step() -> None:
    speaker = a_thing(a_property(VOLUME, integer(0, 100), "volume"))
    louder = an_action("VolumeUp")
    assert needed(louder, speaker, {VOLUME: percent(10, relative=True)}, volume=30) == {}
    assert needed(louder, speaker, {VOLUME: percent(20, relative=True)}, volume=30) is None


def test_several_goals_fill_several_members() -> None:
    lamp = a_thing(BRIGHTNESS_PROPERTY, a_property(COLOUR, Schema(type="string"), "colour"), POWER_PROPERTY)
    channels = group("r", "g", "b", r=integer(0, 255), g=integer(0, 255), b=integer(0, 255))
    action = an_action("SetColour", group(level=of(BRIGHTNESS, integer(0, 100)), colour=of(COLOUR, channels)))
    goal = {COLOUR: Amount(Measure.NAMED, hg("Red")), BRIGHTNESS: percent(40), POWER: True}
    assert needed(action, lamp, goal) == {"level": 40, "colour": {"r": 255, "g": 0, "b": 0}}
    assert after(action, {"colour": {"r": 255, "g": 0, "b": 0}}, lamp) == {"colour": "#ff0000", "power": "on"}


def test_a_goal_without_a_property_is_what_the_words_say() -> None:
    player = a_thing(POWER_PROPERTY)
    play = an_action("Play", group("song", song=of(TITLE, TEXT)))
    assert needed(play, player, {TITLE: Amount(Measure.TEXT, "So What")}) == {"song": "So What"}


KINDS = st.sampled_from((BRIGHTNESS, POSITION, TEMPERATURE))
SCHEMAS = st.builds(
    lambda low, span, whole: (integer if whole else number)(low, low + span),
    st.integers(-100, 100),
    st.integers(1, 300),
    st.booleans(),
)


@given(KINDS, SCHEMAS, SCHEMAS, st.booleans(), st.floats(0, 1), st.floats(-300, 300))
def test_no_action_leaves_the_range(
    kind: str, schema: Schema, other: Schema, inverted: bool, share: float, by: float
) -> None:
    prop = a_property(kind, schema, "it", inverted=inverted)
    thing, low = a_thing(prop), schema.minimum or 0
    state = {prop.iri: low + int(share * ((schema.maximum or 0) - low))}
    for effect in (Effect(kind, Form.BY, by), Effect(kind, Form.TO_BOUND, "maximum"), Effect(kind, Form.TO_NEXT, -1)):
        validate(assign(an_action("TurnOn", None, effect), None, thing, state, VOCABULARY)[prop.iri], schema)
    copied = an_action("TurnOn", of(kind, other), Effect(kind, Form.TO_INPUT, kind))
    with contextlib.suppress(ValueFault):
        validate(assign(copied, other.minimum, thing, state, VOCABULARY)[prop.iri], schema)


@given(SCHEMAS, SCHEMAS, st.floats(0, 1), st.booleans())
def test_the_payload_for_a_share_brings_that_share_about(
    schema: Schema, other: Schema, share: float, inverted: bool
) -> None:
    prop = a_property(POSITION, schema, "it", inverted=inverted)
    action = an_action("SetPosition", of(POSITION, other))
    payload = payload_for(action, a_thing(prop), {POSITION: Amount(Measure.FRACTION, share)}, {}, VOCABULARY)
    found = assign(action, payload, a_thing(prop), {}, VOCABULARY)[prop.iri]
    place = position(found, prop, VOCABULARY)
    coarse = sum(1 / ((one.maximum or 0) - (one.minimum or 0)) for one in (schema, other))
    assert place is not None
    assert abs(place - share) <= coarse + 0.011
    assert same(found, assign(action, payload, a_thing(prop), {prop.iri: found}, VOCABULARY)[prop.iri])
