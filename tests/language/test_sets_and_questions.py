"""What restricts a noun, and what a question asks: in the words of people, over the house of the project."""

from __future__ import annotations

import pytest

from engine.graph.terms import compact
from engine.language.chart.decide import decided
from engine.language.meanings.context import Context
from engine.language.understanding import understand
from engine.model.intent import Asks, Category, Intent, Operation
from engine.model.selection import Comparison


def first(text: str, context: Context) -> Intent:
    return understand(text, "urn:request", context)[0][0][0]


@pytest.mark.parametrize(
    ("text", "comparison", "bound"),
    [
        ("turn off the lights above 80 %", Comparison.ABOVE, 80),
        ("turn off all lamps that are brighter than 60", Comparison.ABOVE, 60),
        ("set every light with a brightness of 30 or less to 50", Comparison.AT_MOST, 30),
        ("dim any light that's at least 90 percent to 70", Comparison.AT_LEAST, 90),
        ("turn off the lights which are under 20 percent", Comparison.BELOW, 20),
    ],
)
def test_a_bound_that_is_said_of_a_noun_is_a_test(
    context: Context, text: str, comparison: Comparison, bound: int
) -> None:
    tests = first(text, context).selection.tests
    conditions = [c for test in tests for c in test.conditions]
    assert [(compact(c.kind), c.comparison) for c in conditions] == [("hg:Brightness", comparison)]
    assert conditions[0].amount is not None
    assert conditions[0].amount.value == bound


def test_a_range_is_two_tests(context: Context) -> None:
    tests = first("turn off the lights between 20 and 40 percent", context).selection.tests
    assert [c.comparison for t in tests for c in t.conditions] == [Comparison.AT_LEAST, Comparison.AT_MOST]


@pytest.mark.parametrize("text", ["turn off the lights that are on", "turn off whichever lights are on right now"])
def test_a_state_is_a_test_of_all_that_it_may_mean(context: Context, text: str) -> None:
    (test,) = first(text, context).selection.tests
    assert "hg:Power" in {compact(c.kind) for c in test.conditions}
    assert not test.negated


def test_what_is_not_so_is_a_negated_test(context: Context) -> None:
    (test,) = first("open the blinds that are not open", context).selection.tests
    assert test.negated


@pytest.mark.parametrize(
    ("text", "count", "descending"),
    [
        ("set the two brightest lights to 30", 2, True),
        ("turn off the dimmest lamp", 1, False),
        ("set the three lights with the highest brightness to 10", 3, True),
    ],
)
def test_a_superlative_ranks(context: Context, text: str, count: int, descending: bool) -> None:
    select = first(text, context).selection
    assert (compact(select.order or ""), select.limit, select.descending) == ("hg:Brightness", count, descending)


@pytest.mark.parametrize(
    "text",
    ["turn off all lights except the kitchen", "turn off all lights but not the kitchen ones"],
)  # fmt: skip
def test_an_exception_is_taken_away(context: Context, text: str) -> None:
    (intent,) = (readings[0][0] for readings in understand(text, "urn:request", context))
    assert [m.places for m in intent.selection.minus] == [("http://house.example/kitchen",)]


@pytest.mark.parametrize(
    "text",
    ["turn off the lights in rooms where nobody is", "wherever there is no one, turn off the lights",
     "turn off the lights in the rooms with nobody in them"],
)  # fmt: skip
def test_rooms_are_chosen_by_what_is_in_them(context: Context, text: str) -> None:
    (rooms,) = first(text, context).selection.rooms
    kinds = {compact(c.kind) for t in rooms.has.tests for c in t.conditions}
    assert kinds & {"hg:Occupancy", "hg:Motion"}


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("how many lights are on?", Asks.COUNT),
        ("which lights are on?", Asks.LIST),
        ("are any lights on?", Asks.WHETHER),
        ("are all the lights off?", Asks.EVERY),
        ("what's the average temperature?", Asks.MEAN),
        ("how much warmer is the study than the kitchen?", Asks.DIFFERENCE),
        ("is the study warmer than the kitchen?", Asks.COMPARE),
        ("which is warmer, the study or the kitchen?", Asks.WHICH),
        ("where is the vacuum?", Asks.PLACE),
        ("how long has the hallway light been on?", Asks.SINCE),
        ("how bright is the hallway light?", Asks.VALUE),
        ("tell me which rooms are warmer than 20 degrees", Asks.LIST),
    ],
)
def test_a_question_says_what_it_asks(context: Context, text: str, asks: Asks) -> None:
    intent = first(text, context)
    assert intent.fault is None
    assert intent.query is not None
    assert (intent.query.asks, intent.operation) == (asks, Operation.CHECK)


@pytest.mark.parametrize(
    "text",
    ["would you turn the hallway light on?", "can you have the vacuum clean?", "is it possible to dim the lamp?"],
)
def test_a_polite_order_is_no_question(context: Context, text: str) -> None:
    assert first(text, context).operation is not Operation.CHECK


@pytest.mark.parametrize("text", ["why is a raven like a lamp?", "what does the fridge think of the hallway light?"])
def test_a_question_that_nobody_understands_orders_nothing(context: Context, text: str) -> None:
    intents = [intent for readings in understand(text, "urn:request", context) for intent in readings[0]]
    assert all(i.fault is not None or i.operation is Operation.CHECK for i in intents)


@pytest.mark.parametrize(
    "text", ["whenever someone comes in, turn on the hallway light", "as soon as it gets dark, close the blinds"]
)
def test_a_rule_is_recognised_and_not_carried_out(context: Context, text: str) -> None:
    assert decided(text, "urn:request", context)[0][0][0].category is Category.RULE


@pytest.mark.parametrize(
    "text",
    [
        "turn off the lights in the master bedroom, en-suite included",
        "turn off the lights in the master bedroom, the en-suite included, please",
    ],
)
def test_rooms_that_are_included_are_of_the_place_anyway(context: Context, text: str) -> None:
    plain = first("turn off the lights in the master bedroom", context).selection
    assert first(text, context).selection == plain


def test_degrees_are_nothing_of_a_fan(context: Context) -> None:
    assert compact(first("set the extractor fan to 12 degrees", context).property or "") != "hg:FanSpeed"
