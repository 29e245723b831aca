"""A rule says in graph terms what it means, and what was understood of it is kept as it was understood."""

from __future__ import annotations

from datetime import UTC, date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InputError
from engine.graph.terms import expand
from engine.model.intent import Amount, Asks, Category, Intent, Measure, Moment, Operation, Query, Timing
from engine.model.record import of_json, to_json
from engine.model.rule import (
    After,
    At,
    Becomes,
    CatchUp,
    Change,
    Cron,
    Day,
    Daytime,
    Fact,
    Happens,
    Holds,
    Managing,
    Match,
    Moves,
    Next,
    Part,
    Recurrence,
    Rule,
    Sky,
    Sun,
    Which,
    Window,
)
from engine.model.selection import Comparison, Condition, Quantity, Rooms, Select, Test

HALL, STUDY = "http://house.example/hall", "http://house.example/study"
OPEN = Test((Condition(expand("hg:Position"), Comparison.IS, Amount(Measure.TRUTH, True)),))
OCCUPIED = Test((Condition(expand("hg:Occupancy"), Comparison.IS, Amount(Measure.TRUTH, True)),))


def over(degrees: float) -> Test:
    return Test(
        (Condition(expand("hg:Temperature"), Comparison.ABOVE, Amount(Measure.NUMBER, degrees, expand("hg:Celsius"))),)
    )


def made(rule: Rule) -> Intent:
    return Intent("urn:r/intent-1", rule.text, Category.RULE, Operation.MAKE, rule=rule)


AT_A_TIME = made(
    Rule(
        "on weekdays at seven open the study blind",
        (Recurrence((Daytime(7, sure=False),), weekdays=(0, 1, 2, 3, 4)),),
        (Intent("urn:r/a", "open", selection=Select((expand("hg:Blind"),), (), (STUDY,)), command=expand("hg:Open")),),
    )
)
"""A time, and what is done: the half of the day was not said, so the time is unsure."""

WHEN_SO_FOR_A_WHILE = made(
    Rule(
        "if nobody has been in the hall for ten minutes, lights off there",
        (Becomes((Fact(Select(places=(HALL,)), (OCCUPIED,), Holds.NONE, 600.0),)),),
        (
            Intent(
                "urn:r/a",
                "lights off",
                selection=Select((expand("hg:Light"),), (), (HALL,), Quantity.ALL),
                command=expand("hg:TurnOff"),
            ),
        ),
    )
)
"""An event: what turns true. What is measured in a place is selected by the place alone."""

BOTH_IN_A_WINDOW = made(
    Rule(
        "between ten at night and six, if it gets over 28 in the study while a window is open there, tell me",
        (Becomes((Fact(Select(places=(STUDY,)), (over(28),)),)),),
        conditions=(Fact(Select((expand("hg:Window"),), (), (STUDY,), Quantity.ANY), (OPEN,)),),
        windows=(Window(Daytime(22), Daytime(6)),),
        notice="it is over 28 in the study",
    )
)
"""An event, a condition at the time of firing, a window over midnight; a reminder and no action."""


@pytest.mark.parametrize("intent", [AT_A_TIME, WHEN_SO_FOR_A_WHILE, BOTH_IN_A_WINDOW])
def test_what_a_reader_makes_of_a_rule_is_kept_as_it_was_understood(intent: Intent) -> None:
    assert of_json(to_json(intent)) == intent


texts = st.text(max_size=8)
iris = st.sampled_from([expand("hg:Light"), expand("hg:Power"), HALL, STUDY])
numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)
several = st.lists(iris, max_size=2).map(tuple)
moments = st.datetimes(timezones=st.just(UTC))
json = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
amounts = st.builds(
    Amount, st.sampled_from(Measure), json, st.none() | iris, st.booleans(), st.booleans(), st.booleans()
)
tests_ = st.builds(
    Test,
    st.lists(
        st.builds(Condition, iris, st.sampled_from(Comparison), st.none() | amounts, several), min_size=1, max_size=2
    ).map(tuple),
    st.booleans(),
)
plain = st.builds(Select, several, several, several, st.sampled_from(Quantity), st.lists(tests_, max_size=1).map(tuple))
selects = st.builds(
    Select,
    several,
    several,
    several,
    rooms=st.lists(st.builds(Rooms, plain, st.booleans()), max_size=1).map(tuple),
    minus=st.lists(plain, max_size=1).map(tuple),
    order=st.none() | iris,
    limit=st.none() | st.integers(1, 3),
)
moments_of = st.builds(Moment, st.none() | numbers, st.none() | st.just("07:30"), st.none() | plain)
timings = st.builds(Timing, st.none() | moments_of, st.none() | numbers, st.none() | moments_of)
intents = st.builds(
    Intent,
    iris,
    texts,
    st.sampled_from(Category),
    st.sampled_from(Operation),
    selects,
    st.none() | iris,
    st.none() | iris,
    st.none() | amounts,
    inputs=st.lists(st.tuples(iris, amounts), max_size=1).map(tuple),
    timing=st.none() | timings,
    query=st.none() | st.builds(Query, st.sampled_from(Asks), st.lists(tests_, max_size=1).map(tuple)),
    payload=json,
)
daytimes = st.builds(Daytime, st.integers(0, 24), st.integers(0, 59), sure=st.booleans()) | st.builds(
    Sun, st.sampled_from(Sky), numbers
)
weekdays = st.lists(st.integers(0, 6), max_size=3).map(tuple)
windows = st.builds(Window, daytimes, daytimes, weekdays)
facts = st.builds(Fact, selects, st.lists(tests_, max_size=1).map(tuple), st.sampled_from(Holds), numbers)
days = st.builds(Day, st.none() | st.integers(0, 9), st.none() | st.integers(0, 6))
schedules = (
    st.builds(At, moments)
    | st.builds(After, numbers)
    | st.builds(Next, st.none() | daytimes, st.none() | days, st.none() | st.sampled_from(Part))
    | st.builds(Cron, texts)
    | st.builds(
        Recurrence, st.lists(daytimes, max_size=2).map(tuple), weekdays, since=st.none() | st.just(date(2028, 2, 29))
    )
)
triggers = (
    schedules
    | st.builds(Moves, st.none() | texts, st.booleans())
    | st.builds(Happens, iris)
    | st.builds(Becomes, st.lists(facts, max_size=2).map(tuple), st.sampled_from(Match))
)
rules = st.builds(
    Rule,
    texts,
    st.lists(triggers, max_size=2).map(tuple),
    st.lists(intents, max_size=2).map(tuple),
    st.lists(facts, max_size=1).map(tuple),
    windows=st.lists(windows, max_size=1).map(tuple),
    made_at=st.none() | moments,
    exceptions=st.lists(st.dates(), max_size=2).map(tuple),
    catch_up=st.sampled_from(CatchUp),
)
managing = st.builds(
    Managing,
    st.builds(Which, several, st.booleans(), st.none() | selects, schedule=st.none() | schedules),
    st.builds(Change, st.none() | daytimes, st.none() | schedules, weekdays, st.lists(days, max_size=1).map(tuple)),
)


@given(intents | rules | managing)
def test_any_intent_and_any_rule_comes_back_from_its_json(value: object) -> None:
    assert of_json(to_json(value)) == value


@pytest.mark.parametrize(
    "data", [{"is": "Path", "value": "/etc"}, {"is": "Rule"}, {"is": "Match", "value": "most"}, {"no": 1}]
)
def test_what_is_no_part_of_a_rule_is_not_made_from_json(data: dict[str, object]) -> None:
    with pytest.raises(InputError):
        of_json(data)  # type: ignore[arg-type]
