"""The arithmetic that a plan carries gives, for whatever value is present when it runs, what realising gives then."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.environment.values.quantities import realise, same
from engine.errors import ValueFault
from engine.execution.expressions import evaluate
from engine.graph.terms import Json
from engine.model.intent import Amount, Measure
from engine.model.plan_ir import check
from engine.model.thing import Property, Schema
from engine.planning.orders.change import computation
from tests.environment.examples import (
    BRIGHTNESS,
    CELSIUS,
    FAHRENHEIT,
    FAN_SPEED,
    INTERVAL,
    KELVIN,
    MINUTE,
    PERCENT,
    POSITION,
    SECOND,
    TEMPERATURE,
    VOCABULARY,
    VOLUME,
    WARMTH,
    a_property,
)

SPEEDS = (("low", "medium", "high"), ("auto", "low", "medium", "high"), (1, 2, 3, 4), ("1", "2", "3"))
KINDS = {
    BRIGHTNESS: ((None, "percent"), (None, PERCENT)),
    POSITION: ((None, "percent"), (None, PERCENT)),
    VOLUME: ((None, "percent"), (None, PERCENT)),
    TEMPERATURE: ((None, "°C", "°F"), (None, CELSIUS, FAHRENHEIT)),
    WARMTH: ((None, "K", "mired"), (None, KELVIN, PERCENT)),
    INTERVAL: ((None, "s", "minutes"), (None, SECOND, MINUTE)),
}


@st.composite
def numbers(draw: st.DrawFn) -> tuple[Property, Amount, list[float]]:
    """A numeric property, an amount of its kind, and several present values, inside its range and a little beyond."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    units, spoken = KINDS[kind]
    whole = draw(st.booleans())
    low = draw(st.one_of(st.none(), st.integers(0, 200)))
    span = draw(st.integers(1, 400))
    high = draw(st.sampled_from([None, (low or 0) + span]))
    step = draw(st.sampled_from([None, 5.0, 10.0] if whole else [None, 0.5, 0.1, 10.0]))
    schema = Schema(
        type="integer" if whole else "number",
        minimum=low,
        maximum=high,
        multiple_of=step,
        unit=draw(st.sampled_from(units)),
    )
    prop = a_property(kind, schema, inverted=draw(st.booleans()))
    least = low or int(schema.unit == "mired")  # nothing is so blue that it has none
    within = st.integers(least, least + span)
    present = within if whole else st.one_of(within, st.floats(least, least + span).map(lambda v: round(v, 3)))
    return prop, draw(amounts(spoken)), draw(st.lists(present, min_size=2, max_size=4))


@st.composite
def amounts(draw: st.DrawFn, units: tuple[str | None, ...]) -> Amount:
    """An amount that depends on the present value."""
    by = draw(st.one_of(st.integers(-60, 60), st.floats(-40, 40).map(lambda v: round(v, 2))))
    match draw(st.sampled_from(["more", "steps", "of it", "share"])):
        case "more":
            return Amount(Measure.NUMBER, by, draw(st.sampled_from(units)), relative=True)
        case "steps":
            return Amount(Measure.NUMBER, draw(st.integers(-3, 3)), relative=True, steps=True)
        case "share":
            return Amount(Measure.FRACTION, round(by / 60, 2), relative=True)
    relative = draw(st.booleans())
    return Amount(Measure.FRACTION, round((by if relative else abs(by)) / 60, 2), relative=relative, of_current=True)


def realised(amount: Amount, prop: Property, present: Json) -> Json:
    try:
        return realise(amount, prop, VOCABULARY, present)
    except ValueFault:
        assume(False)
        raise


@given(numbers())
def test_it_gives_what_realising_gives_for_any_present_number(case: tuple[Property, Amount, list[float]]) -> None:
    prop, amount, present = case
    planned, *later = present
    expression = computation(amount, prop, VOCABULARY, planned, "present")
    assume(expression is not None)
    check({"type": "sequence", "children": [
        {"type": "property", "affordance": prop.iri, "into": "present"},
        {"type": "compute", "into": "wanted", "expression": expression},
    ]})  # fmt: skip
    for value in later:
        wanted = realised(amount, prop, value)
        got = evaluate(expression, {"present": value})
        assert same(got, wanted), f"{value} becomes {got}, not {wanted}, by {expression}"


def test_steps_in_kelvin_are_no_line_in_mired() -> None:
    prop = a_property(WARMTH, Schema(type="integer", multiple_of=5.0, unit="mired"), inverted=True)
    cooler = Amount(Measure.NUMBER, -1, relative=True, steps=True)
    assert computation(cooler, prop, VOCABULARY, 1, "present") is None
    assert realise(cooler, prop, VOCABULARY, 133) == 125


@given(st.sampled_from(SPEEDS), st.integers(-3, 3), st.booleans(), st.data())
def test_it_gives_what_realising_gives_for_any_present_option(
    options: tuple[Any, ...], steps: int, inverted: bool, data: st.DataObject
) -> None:
    kind = "integer" if isinstance(options[0], int) else "string"
    prop = a_property(FAN_SPEED, Schema(type=kind, enum=options), inverted=inverted)
    amount = Amount(Measure.NUMBER, steps, relative=True, steps=True)
    planned, value = data.draw(st.sampled_from(options)), data.draw(st.sampled_from(options))
    expression = computation(amount, prop, VOCABULARY, planned, "present")
    wanted = realised(amount, prop, value)
    assert expression is not None
    assert same(evaluate(expression, {"present": value}), wanted)


PERCENTAGE = Schema(type="integer", minimum=0, maximum=100, unit="percent")
ROOM = Schema(type="number", minimum=16, maximum=30, unit="°C")
PLAIN = [
    (BRIGHTNESS, PERCENTAGE, Amount(Measure.NUMBER, 10, relative=True)),
    (BRIGHTNESS, Schema(type="integer", minimum=0, maximum=254), Amount(Measure.NUMBER, 10, PERCENT, relative=True)),
    (TEMPERATURE, ROOM, Amount(Measure.NUMBER, 4, FAHRENHEIT, relative=True)),
    (TEMPERATURE, Schema(type="number"), Amount(Measure.NUMBER, 2, CELSIUS, relative=True)),
    (VOLUME, Schema(type="number", minimum=0, maximum=1), Amount(Measure.NUMBER, 1, relative=True, steps=True)),
    (VOLUME, Schema(type="number", minimum=0, maximum=1), Amount(Measure.NUMBER, 10, relative=True)),
    (VOLUME, PERCENTAGE, Amount(Measure.FRACTION, 0.5, of_current=True)),
]


@pytest.mark.parametrize(("kind", "schema", "amount"), PLAIN)
@pytest.mark.parametrize("inverted", [False, True])
def test_plain_changes_can_all_be_computed(kind: str, schema: Schema, amount: Amount, inverted: bool) -> None:
    prop = a_property(kind, schema, inverted=inverted)
    assert computation(amount, prop, VOCABULARY, 0, "present") is not None


def test_ten_more_on_a_scale_from_zero_to_one_are_ten_percent() -> None:
    prop = a_property(VOLUME, Schema(type="number", minimum=0, maximum=1))
    assert realise(Amount(Measure.NUMBER, 10, relative=True), prop, VOCABULARY, 0.3) == 0.4
