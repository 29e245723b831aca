"""Amounts into the values of many schemas, and back."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.environment.values.quantities import position, realise, same, truth
from engine.environment.values.scales import scale_of
from engine.environment.values.schemas import validate
from engine.environment.values.units import comparable, convert
from engine.errors import ValueFault
from engine.graph.terms import Json, expand
from engine.model.intent import Amount, Measure
from engine.model.thing import Property, Schema
from tests.environment.examples import (
    BOOLEAN,
    BRIGHTNESS,
    CELSIUS,
    COLOUR,
    DEGREE,
    FAHRENHEIT,
    FAN_SPEED,
    INTERVAL,
    KELVIN,
    LOCKED,
    MINUTE,
    MODE,
    PERCENT,
    POSITION,
    POWER,
    SECOND,
    SWING,
    TEMPERATURE,
    TEXT,
    TITLE,
    VOCABULARY,
    VOLUME,
    WARMTH,
    a_property,
    group,
    hg,
    integer,
    listed,
    number,
)

FIVE_SPEEDS = listed("auto", "low", "medium", "high")
ON_OFF = listed("on", "off")
RGB_LIST = Schema(type="array", items=(integer(0, 255),), min_items=3, max_items=3)
RGB_OBJECT = group("r", "g", "b", r=integer(0, 255), g=integer(0, 255), b=integer(0, 255))
HSV_OBJECT = group(hue=number(0, 360), saturation=number(0, 100), brightness=number(0, 100))
UNIT_HSV = group(h=number(0, 1), s=number(0, 1), v=number(0, 1))


def amount(value: Json, unit: str | None = None, measure: Measure = Measure.NUMBER, **more: Any) -> Amount:
    return Amount(measure, value, unit, **more)


def more(value: Json, unit: str | None = None, **options: Any) -> Amount:
    return amount(value, unit, relative=True, **options)


def steps(value: int) -> Amount:
    return amount(value, relative=True, steps=True)


def named(name: str) -> Amount:
    return amount(hg(name), measure=Measure.NAMED)


def text(words: str) -> Amount:
    return amount(words, measure=Measure.TEXT)


def share(value: float, **options: Any) -> Amount:
    return amount(value, measure=Measure.FRACTION, **options)


TRUE, FALSE = amount(True, measure=Measure.TRUTH), amount(False, measure=Measure.TRUTH)
MOST, LEAST = amount("maximum", measure=Measure.BOUND), amount("minimum", measure=Measure.BOUND)
TEAL = amount([0, 128, 128], measure=Measure.COLOUR)

REALISED = [
    # numbers as they stand, and in another unit
    (BRIGHTNESS, integer(0, 100), amount(40), None, 40),
    (BRIGHTNESS, integer(1, 100, unit="percentage"), amount(40, PERCENT), None, 40),
    (BRIGHTNESS, integer(0, 254), amount(50, PERCENT), None, 127),
    (BRIGHTNESS, integer(1, 100), named("Medium"), None, 50),
    (BRIGHTNESS, integer(0, 254), named("Medium"), None, 127),
    (BRIGHTNESS, integer(0, 254), amount(100, PERCENT), None, 254),
    (BRIGHTNESS, integer(0, 254), amount(40), None, 40),
    (BRIGHTNESS, integer(10, 90, unit="%"), amount(50, PERCENT), None, 50),
    (BRIGHTNESS, number(), amount(40, PERCENT), None, 40),
    (VOLUME, number(0, 1), amount(35), None, 0.35),
    (VOLUME, number(0, 1), amount(35, PERCENT), None, 0.35),
    (VOLUME, number(0, 1), amount(0.5), None, 0.5),
    (TEMPERATURE, number(10, 35, unit="°C", multiple_of=0.5), amount(72, FAHRENHEIT), None, 22.0),
    (TEMPERATURE, number(50, 95, unit="°F"), amount(20, CELSIUS), None, 68),
    (TEMPERATURE, number(283, 308, unit="kelvin"), amount(20, CELSIUS), None, 293.15),
    (TEMPERATURE, integer(16, 30), amount(21.5), None, 22),
    (TEMPERATURE, number(50, 95, unit="fahrenheit"), amount(72), None, 72),
    (TEMPERATURE, number(16, 30, unit="http://qudt.org/vocab/unit/DEG_C"), amount(77, FAHRENHEIT), None, 25),
    (INTERVAL, integer(0, 3600), amount(20, MINUTE), None, 1200),
    (INTERVAL, integer(0, 240, unit="minutes"), amount(20, MINUTE), None, 20),
    (INTERVAL, integer(0, 240, unit="min"), amount(90, SECOND), None, 2),
    (WARMTH, integer(2700, 6500, multiple_of=100), amount(4040, KELVIN), None, 4000),
    (WARMTH, integer(153, 500, unit="mired"), amount(4000, KELVIN), None, 250),
    (TEMPERATURE, number(50, 90, unit="°F"), amount(72, DEGREE), None, 72),
    (TEMPERATURE, number(10, 30, unit="°"), amount(20, CELSIUS), None, 20),
    # relative ones stop at the ends
    (BRIGHTNESS, integer(1, 100), more(-20, PERCENT), 60, 40),
    (BRIGHTNESS, integer(1, 100), more(-20, PERCENT), 10, 1),
    (BRIGHTNESS, integer(0, 254), more(20, PERCENT), 100, 151),
    (BRIGHTNESS, integer(0, 254), more(20), 250, 254),
    (TEMPERATURE, number(16, 30, multiple_of=0.5), more(-2, CELSIUS), 23.0, 21.0),
    (TEMPERATURE, number(50, 95, unit="°F"), more(5, CELSIUS), 68, 77),
    (TEMPERATURE, number(10, 35), more(9, FAHRENHEIT), 20, 25),
    (BRIGHTNESS, integer(0, 100), steps(1), 40, 60),
    (BRIGHTNESS, integer(0, 254), steps(-1), 254, 203),
    (WARMTH, integer(2700, 6500), steps(2), 4000, 5000),
    (WARMTH, integer(153, 500, unit="mired"), more(1000, KELVIN), 250, 200),
    (WARMTH, integer(153, 500, unit="mired"), steps(-1), 250, 286),
    (BRIGHTNESS, integer(0, 100), more(2, hg("LevelUnit")), 10, 50),
    (VOLUME, number(0, 1), steps(1), 0.5, 0.6),
    (TEMPERATURE, integer(-10, 10), more(0.5), -3, -3),
    # shares of the range and of the present value
    (BRIGHTNESS, integer(1, 100), share(0.5), 90, 50),
    (BRIGHTNESS, integer(0, 254), share(0.5), None, 127),
    (TEMPERATURE, number(16, 30), share(0.5), None, 23),
    (BRIGHTNESS, integer(1, 100), share(0.5, of_current=True), 90, 45),
    (BRIGHTNESS, integer(1, 100), share(-0.2, of_current=True, relative=True), 50, 40),
    (BRIGHTNESS, integer(1, 100), more(20, PERCENT, of_current=True), 50, 60),
    (BRIGHTNESS, integer(0, 200), share(0.25, relative=True), 50, 100),
    # bounds and named levels
    (BRIGHTNESS, integer(0, 254), MOST, None, 254),
    (WARMTH, integer(2700, 6500), LEAST, None, 2700),
    (WARMTH, integer(153, 500, unit="mired"), LEAST, None, 500),
    (WARMTH, integer(153, 500, unit="mired"), named("WarmWhite"), None, 370),
    (WARMTH, integer(3000, 6500), named("WarmWhite"), None, 3000),
    (WARMTH, integer(2000, 6500), named("WarmWhite"), None, 2700),
    (BRIGHTNESS, integer(0, 100), named("Medium"), None, 50),
    (POSITION, integer(0, 100), TRUE, None, 100),
    (VOLUME, number(), MOST, 3, 100),
    (TEMPERATURE, integer(16, 30), LEAST, None, 16),
    # options, by spelling, by order, by the kind's words
    (FAN_SPEED, FIVE_SPEEDS, named("Medium"), None, "medium"),
    (FAN_SPEED, FIVE_SPEEDS, text("High"), None, "high"),
    (FAN_SPEED, FIVE_SPEEDS, text("fast"), None, "high"),
    (FAN_SPEED, FIVE_SPEEDS, more(1), "auto", "low"),
    (FAN_SPEED, FIVE_SPEEDS, more(-1), "low", "auto"),
    (FAN_SPEED, FIVE_SPEEDS, steps(1), "high", "high"),
    (FAN_SPEED, FIVE_SPEEDS, MOST, None, "high"),
    (FAN_SPEED, listed("low", "medium", "high", "auto"), MOST, None, "high"),
    (FAN_SPEED, listed("low", "medium", "high", "auto"), steps(1), "high", "high"),
    (FAN_SPEED, listed("high", "medium", "low"), steps(1), "medium", "high"),
    (FAN_SPEED, integer(enum=(400, 800, 1000, 1400)), more(200), 800, 1000),
    (FAN_SPEED, integer(enum=(400, 800, 1000, 1400)), more(-5000), 800, 400),
    (FAN_SPEED, integer(enum=(400, 800, 1000, 1400)), steps(1), 400, 800),
    (FAN_SPEED, FIVE_SPEEDS, more(-30, PERCENT), "high", "medium"),
    (FAN_SPEED, FIVE_SPEEDS, share(1.0, relative=True), "auto", "high"),
    (FAN_SPEED, listed("1", "2", "3", "4", "5"), amount(3), None, "3"),
    (FAN_SPEED, listed("1", "2", "3", "4", "5"), amount(100, PERCENT), None, "5"),
    (FAN_SPEED, listed("1", "2", "3", "4", "5"), named("Medium"), None, "3"),
    (FAN_SPEED, integer(enum=(1, 2, 3)), amount(2), None, 2),
    (FAN_SPEED, integer(enum=(1, 2, 3)), MOST, None, 3),
    (FAN_SPEED, listed("off", "low", "high"), share(1.0), None, "high"),
    (SWING, listed("auto", "up", "middle", "down"), steps(1), "up", "middle"),
    (MODE, listed("heat", "cool", "auto", "dry", "fan_only"), named("CoolMode"), None, "cool"),
    (MODE, listed("HEAT", "COOLING"), named("CoolMode"), None, "COOLING"),
    (MODE, listed("heat", "cool", "Fan-Only"), text("fan only"), None, "Fan-Only"),
    # truths in their many spellings
    (POWER, BOOLEAN, TRUE, None, True),
    (POWER, ON_OFF, TRUE, None, "on"),
    (POWER, listed("OFF", "ON"), FALSE, None, "OFF"),
    (POWER, listed("yes", "no"), TRUE, None, "yes"),
    (POWER, listed("on", "standby"), FALSE, None, "standby"),
    (POWER, listed("running", "off"), TRUE, None, "running"),
    (POWER, listed("off", "heat", "cool"), TRUE, "cool", "cool"),
    (POWER, integer(0, 1), TRUE, None, 1),
    (POWER, listed("true", "false"), FALSE, None, "false"),
    (POWER, TEXT, TRUE, None, "on"),
    (POWER, BOOLEAN, named("On"), None, True),
    (POWER, BOOLEAN, text("off"), None, False),
    (POWER, BOOLEAN, amount(1), None, True),
    (POSITION, BOOLEAN, MOST, None, True),
    (POSITION, BOOLEAN, amount(0, PERCENT), None, False),
    (POSITION, listed("open", "opening", "closed", "closing"), MOST, None, "open"),
    (POSITION, listed("open", "closed"), LEAST, None, "closed"),
    (LOCKED, listed("locked", "unlocked", "jammed"), FALSE, None, "unlocked"),
    (LOCKED, listed("locked", "unlocked"), TRUE, None, "locked"),
    # texts and wrapped values
    (TITLE, TEXT, text("Blue in Green"), None, "Blue in Green"),
    (MODE, TEXT, named("CoolMode"), "cooling", "cooling"),
    (BRIGHTNESS, group("value", value=integer(0, 100)), amount(40), None, {"value": 40}),
    (BRIGHTNESS, group(value=integer(0, 100)), more(5), {"value": 40}, {"value": 45}),
    (BRIGHTNESS, Schema(one_of=(listed("off"), integer(0, 100))), amount(40), None, 40),
    (BRIGHTNESS, Schema(type="integer", const=7, has_const=True), amount(40), None, 7),
    # colours
    (COLOUR, RGB_LIST, TEAL, None, [0, 128, 128]),
    (COLOUR, RGB_LIST, named("Red"), None, [255, 0, 0]),
    (COLOUR, RGB_LIST, text("teal"), None, [0, 128, 128]),
    (COLOUR, TEXT, TEAL, None, "#008080"),
    (COLOUR, Schema(type="string", pattern="^[0-9A-Fa-f]{6}$"), TEAL, None, "008080"),
    (COLOUR, Schema(type="string", pattern="^rgb"), TEAL, None, "rgb(0,128,128)"),
    (COLOUR, RGB_OBJECT, TEAL, None, {"r": 0, "g": 128, "b": 128}),
    (COLOUR, HSV_OBJECT, TEAL, None, {"hue": 180, "saturation": 100, "brightness": 50}),
    (COLOUR, UNIT_HSV, named("Red"), None, {"h": 0, "s": 1, "v": 1}),
    (COLOUR, Schema(type="array", items=(number(0, 360), number(0, 100))), TEAL, None, [180, 100]),
    (COLOUR, listed("red", "green", "dark_blue"), amount([250, 10, 10], measure=Measure.COLOUR), None, "red"),
    (COLOUR, listed("red", "teal"), named("Teal"), None, "teal"),
    (COLOUR, integer(0, 0xFFFFFF), TEAL, None, 0x008080),
]


@pytest.mark.parametrize(("kind", "schema", "wanted", "current", "value"), REALISED)
def test_an_amount_becomes_a_value_in_the_schemas_own_terms(
    kind: str, schema: Schema, wanted: Amount, current: Json, value: Json
) -> None:
    found = realise(wanted, a_property(kind, schema), VOCABULARY, current)
    assert found == pytest.approx(value) if isinstance(value, float) else found == value
    if schema.type == "integer":
        assert isinstance(found, int)


REFUSED = [
    (BRIGHTNESS, integer(0, 100), amount(150), None, "value_out_of_range"),
    (BRIGHTNESS, integer(1, 100), amount(0, PERCENT), None, "value_out_of_range"),
    (BRIGHTNESS, integer(0, 254), amount(120, PERCENT), None, "value_out_of_range"),
    (TEMPERATURE, integer(16, 30), amount(100, FAHRENHEIT), None, "value_out_of_range"),
    (TEMPERATURE, integer(16, 30), amount(30, SECOND), None, "invalid_value"),
    (BRIGHTNESS, integer(0, 100), text("purple monkey"), None, "wrong_type"),
    (BRIGHTNESS, integer(0, 100), named("CoolMode"), None, "wrong_type"),
    (BRIGHTNESS, integer(0, 100), TEAL, None, "wrong_type"),
    (BRIGHTNESS, integer(0, 100), more(10), None, "unknown_state"),
    (BRIGHTNESS, integer(0, 100), amount(math.nan), None, "wrong_type"),
    (TEMPERATURE, number(), MOST, None, "invalid_value"),
    (MODE, listed("normal", "natural", "sleep"), MOST, None, "invalid_value"),  # nothing tells their order
    (FAN_SPEED, FIVE_SPEEDS, text("ludicrous"), None, "invalid_value"),
    (FAN_SPEED, FIVE_SPEEDS, amount(7), None, "invalid_value"),
    (FAN_SPEED, FIVE_SPEEDS, steps(1), "broken", "unknown_state"),
    (POSITION, BOOLEAN, amount(50, PERCENT), None, "wrong_type"),
    (TITLE, Schema(type="string", max_length=3), text("long"), None, "invalid_value"),
    (TITLE, TEXT, more(3), "x", "wrong_type"),
    (BRIGHTNESS, group(a=integer(), b=integer()), amount(3), None, "wrong_type"),
]


@pytest.mark.parametrize(("kind", "schema", "wanted", "current", "reason"), REFUSED)
def test_an_amount_that_does_not_fit_is_refused_with_its_reason(
    kind: str, schema: Schema, wanted: Amount, current: Json, reason: str
) -> None:
    with pytest.raises(ValueFault) as caught:
        realise(wanted, a_property(kind, schema), VOCABULARY, current)
    assert caught.value.reason == reason


INVERTED = [
    (POSITION, integer(0, 100), amount(30), None, 70),
    (POSITION, integer(0, 50), MOST, None, 0),
    (POSITION, integer(0, 50), amount(40, PERCENT), None, 30),
    (POSITION, integer(0, 100), more(20), 30, 10),
    (POSITION, integer(0, 100), TRUE, None, 0),
    (POWER, BOOLEAN, TRUE, None, False),
    (FAN_SPEED, listed("1", "2", "3"), steps(1), "2", "1"),
]


@pytest.mark.parametrize(("kind", "schema", "wanted", "current", "value"), INVERTED)
def test_an_inverted_property_counts_the_other_way(
    kind: str, schema: Schema, wanted: Amount, current: Json, value: Json
) -> None:
    assert realise(wanted, a_property(kind, schema, inverted=True), VOCABULARY, current) == value


POSITIONS = [
    (BRIGHTNESS, integer(0, 254), 127, 0.5),
    (BRIGHTNESS, integer(0, 100), 0, 0.0),
    (POWER, BOOLEAN, True, 1.0),
    (POWER, ON_OFF, "off", 0.0),
    (FAN_SPEED, FIVE_SPEEDS, "low", 1 / 3),
    (FAN_SPEED, listed("low", "medium", "high", "auto"), "high", 1.0),
    (FAN_SPEED, listed("low", "medium", "high", "auto"), "auto", None),
    (POSITION, listed("open", "closed"), "open", 1.0),
    (POSITION, listed("open", "opening", "closed", "closing"), "opening", 0.5),
    (POSITION, TEXT, "open", 1.0),
    (TEMPERATURE, number(), 20, None),
    (TITLE, TEXT, "a song", None),
    (BRIGHTNESS, integer(0, 100), None, None),
    (COLOUR, RGB_LIST, [1, 2, 3], None),
    (BRIGHTNESS, group(value=integer(0, 100)), {"value": 25}, 0.25),
    (WARMTH, integer(100, 500, unit="mired"), 100, 1.0),
]


@pytest.mark.parametrize(("kind", "schema", "value", "place"), POSITIONS)
def test_a_value_lies_somewhere_between_the_ends_of_its_kind(
    kind: str, schema: Schema, value: Json, place: float | None
) -> None:
    assert position(value, a_property(kind, schema), VOCABULARY) == (place if place is None else pytest.approx(place))


def test_truth_is_told_by_words_booleans_and_numbers() -> None:
    def of(value: Json, kind: str, schema: Schema, *, inverted: bool = False) -> bool | None:
        return truth(value, a_property(kind, schema, inverted=inverted), VOCABULARY)

    assert of("on", POWER, ON_OFF) is True
    assert of("unlocked", LOCKED, TEXT) is False
    assert of("jammed", LOCKED, listed("locked", "unlocked", "jammed")) is None
    assert of(0, POSITION, integer(0, 100)) is False
    assert of(1, POSITION, integer(0, 100)) is True
    assert of(100, POSITION, integer(0, 100), inverted=True) is False
    assert of(True, POWER, BOOLEAN, inverted=True) is False
    assert of(None, POWER, BOOLEAN) is None


def test_the_same_value_is_recognised_in_other_spellings() -> None:
    power = a_property(POWER, ON_OFF)
    assert same(40, 40.0)
    assert same("40", 40)
    assert same("On", "on")
    assert same("fan_only", "Fan Only")
    assert same([1, 2.0], [1.0, 2])
    assert same({"r": 1}, {"r": 1.0})
    assert same("on", True, power, VOCABULARY)
    assert same(1, True, power, VOCABULARY)
    assert same(None, None)
    assert not same("on", False, power, VOCABULARY)
    assert not same(100, True, power, VOCABULARY)
    assert not same("on", True)
    assert not same(1, True)
    assert not same("low", "high", power, VOCABULARY)
    assert not same(None, 0)
    assert not same([1], [1, 2])


@st.composite
def ranged(draw: st.DrawFn) -> Property:
    """A numeric property of any range, step, kind and sense that allows a number at all."""
    low, span = draw(st.integers(-500, 500)), draw(st.integers(5, 1000))
    kind = draw(st.sampled_from((BRIGHTNESS, TEMPERATURE, POSITION)))
    whole = draw(st.booleans())
    step = draw(st.sampled_from((None, 1, 5) if whole else (None, 1, 0.5, 0.1, 5)))
    schema = (integer if whole else number)(low, low + span, multiple_of=step)
    return a_property(kind, schema, inverted=draw(st.booleans()))


def coarseness(prop: Property) -> float:
    """How much of the range one step of the schema is, and a bit for rounding."""
    low, high = scale_of(prop, VOCABULARY).range.bounds()
    step = prop.schema.multiple_of or (1 if prop.schema.type == "integer" else 0)
    return step / (high - low) + 1e-6


@given(ranged(), st.floats(0, 1))
def test_the_position_of_a_realised_share_is_that_share(prop: Property, wanted: float) -> None:
    value = realise(Amount(Measure.FRACTION, wanted), prop, VOCABULARY)
    found = position(value, prop, VOCABULARY)
    assert found is not None
    assert abs(found - wanted) <= coarseness(prop) + 0.011  # "half" of 1 to 100 percent is 50


@given(ranged(), st.floats(-2000, 2000), st.floats(0, 1))
def test_a_relative_amount_never_leaves_the_range_nor_goes_the_wrong_way(
    prop: Property, change: float, start: float
) -> None:
    before = realise(Amount(Measure.FRACTION, start), prop, VOCABULARY)
    after = realise(Amount(Measure.NUMBER, change, relative=True), prop, VOCABULARY, before)
    validate(after, prop.schema)
    moved = (position(after, prop, VOCABULARY) or 0) - (position(before, prop, VOCABULARY) or 0)
    assert moved * change >= -1e-6


@given(ranged(), st.floats(0, 1))
def test_inversion_is_symmetric(prop: Property, wanted: float) -> None:
    mirrored = a_property(next(iter(prop.kinds)), prop.schema, inverted=not prop.inverted)
    value = realise(Amount(Measure.FRACTION, wanted), prop, VOCABULARY)
    here, there = position(value, prop, VOCABULARY), position(value, mirrored, VOCABULARY)
    assert here is not None
    assert there is not None
    assert here + there == pytest.approx(1)


@given(st.permutations(["auto", "low", "medium", "high", "turbo"]), st.integers(-6, 6), st.integers(0, 4))
def test_steps_up_and_down_stay_in_the_list_and_keep_their_direction(options: list[str], by: int, start: int) -> None:
    prop = a_property(FAN_SPEED, listed(*options))
    after = realise(Amount(Measure.NUMBER, by, relative=True, steps=True), prop, VOCABULARY, options[start])
    assert after in options
    before, now = (position(option, prop, VOCABULARY) for option in (options[start], after))
    if before is not None and now is not None:
        assert (now - before) * by >= 0


def test_units_that_do_not_compare_are_said_not_to() -> None:
    one, other = expand("hg:Fahrenheit"), expand("hg:Lux")
    for source, target in ((one, other), (other, one)):
        assert not comparable(source, target, VOCABULARY)
        with pytest.raises(ValueFault, match="do not compare"):
            convert(77.0, source, target, VOCABULARY)
    assert comparable(one, expand("hg:Celsius"), VOCABULARY)
