"""The expression language of compute, and how conditions compare."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ValueFault
from engine.execution.expressions import LARGEST, compare, evaluate, resolve, same
from engine.model import plan_ir

OPTIONS = {"literal": ["low", "medium", "high"]}
VARIABLES = {"x": 40, "y": 0.5, "on": True, "mode": "high"}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (3, 3),
        (True, True),
        ("x", 40),
        ({"literal": "x"}, "x"),
        (["+", "x", 20], 60),
        (["+", 1, 2, 3, 4], 10),
        (["-", "x"], -40),
        (["-", 100, "x", 10], 50),
        (["*", "x", "y"], 20),
        (["/", "x", 3], 40 / 3),
        (["min", "x", 30], 30),
        (["max", "x", 30], 40),
        (["clamp", ["+", "x", 90], 0, 100], 100),
        (["clamp", ["-", "x", 90], 0, 100], 0),
        (["round", 2.5], 3),
        (["round", -2.5], -3),
        (["round", 21.26, 0.5], 21.5),
        (["round", 0.15, 0.1], 0.2),
        (["round", 2.675, 0.01], 2.68),
        (["round", 47, 5], 45),
        (["floor", 2.9], 2),
        (["ceil", 2.1], 3),
        (["abs", -4], 4),
        (["not", "on"], False),
        (["next_option", "mode", OPTIONS], "low"),
        (["next_option", "mode", OPTIONS, -1], "medium"),
        (["step_option", "mode", OPTIONS, 1], "high"),
        (["step_option", "mode", OPTIONS, -5], "low"),
    ],
)
def test_an_expression_has_its_value(expression: object, value: object) -> None:
    plan_ir.check({"type": "sequence", "children": [*defining(), compute(expression)]})
    assert evaluate(expression, VARIABLES) == value
    assert type(evaluate(expression, VARIABLES)) is type(value)


def defining() -> list[dict]:
    return [{"type": "compute", "into": name, "expression": {"literal": value}} for name, value in VARIABLES.items()]


def compute(expression: object) -> dict:
    return {"type": "compute", "into": "z", "expression": expression}


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (["+", "mode", 1], "wrong_type"),
        (["+", "on", 1], "wrong_type"),
        (["+", {"literal": None}, 1], "wrong_type"),
        (["+", {"literal": math.nan}, 1], "wrong_type"),
        (["not", "x"], "wrong_type"),
        (["next_option", "mode", "mode"], "wrong_type"),
        (["next_option", "mode", OPTIONS, 0.5], "wrong_type"),
        (["next_option", "x", OPTIONS], "invalid_value"),
        (["next_option", "x", {"literal": []}], "invalid_value"),
        (["/", 1, 0], "invalid_value"),
        (["round", 1, 0], "invalid_value"),
        (["round", 1e15, 1e-300], "invalid_value"),
        (["clamp", 1, 10, 0], "invalid_value"),
        (["*", 1e10, 1e10], "invalid_value"),
        (["*", *[10**15] * 64], "invalid_value"),
        (["+", {"literal": 10**400}, 1], "invalid_value"),
        (["+", {"literal": math.inf}, 1], "invalid_value"),
        ("nobody", "invalid_value"),
    ],
)
def test_what_has_no_value_says_why(expression: object, reason: str) -> None:
    with pytest.raises(ValueFault) as caught:
        evaluate(expression, VARIABLES)
    assert caught.value.reason == reason


LEAVES = st.integers(-100, 100) | st.floats(-1e16, 1e16) | st.booleans() | st.sampled_from([*VARIABLES, "nobody"])
EXPRESSIONS = st.recursive(
    LEAVES
    | st.builds(lambda value: {"literal": value}, st.none() | st.text(max_size=3) | st.lists(LEAVES, max_size=3)),
    lambda inner: st.sampled_from(list(plan_ir.OPERATORS.items())).flatmap(
        lambda item: st.lists(inner, min_size=item[1][0], max_size=min(item[1][1], 4)).map(
            lambda rest: [item[0], *rest]
        )
    ),
    max_leaves=12,
)


@given(EXPRESSIONS)
def test_an_expression_ends_in_a_value_of_json_or_a_value_fault(expression: object) -> None:
    try:
        value = evaluate(expression, VARIABLES)
    except ValueFault:
        return
    if isinstance(value, int | float) and not isinstance(expression, int | float | dict):
        assert -LARGEST <= value <= LARGEST


@pytest.mark.parametrize(
    ("left", "operator", "right", "holds"),
    [
        (40, "=", 40.0, True),
        (0.1 + 0.2, "=", 0.3, True),
        (1, "=", True, False),
        (1, "!=", True, True),
        ("on", "=", "on", True),
        ("on", "!=", "off", True),
        (None, "=", None, True),
        (None, "=", 0, False),
        ([1, 2], "=", [1.0, 2.0], True),
        ([1, 2], "=", [1], False),
        ({"a": 1}, "=", {"a": 1.0}, True),
        ({"a": 1}, "=", {"b": 1}, False),
        ("40", "=", 40, True),
        (39, "<", "40", True),
        (40, "<", 40, False),
        (40, "<=", 40, True),
        (41, ">", 40, True),
        (40, ">=", 41, False),
        ("08:00", "<", "10:30", True),
    ],
)
def test_values_are_compared_as_json(left: object, operator: str, right: object, holds: bool) -> None:
    assert compare(left, operator, right) is holds


@pytest.mark.parametrize(
    ("left", "right"), [(1, True), ("low", 3), (None, 3), ([1], [2]), (math.nan, 1), (True, False)]
)
def test_there_is_no_order_between_other_things(left: object, right: object) -> None:
    with pytest.raises(ValueFault, match="ranked"):
        compare(left, "<", right)


@given(st.floats(allow_nan=False) | st.integers() | st.text() | st.none(), st.floats() | st.integers() | st.text())
def test_equality_is_symmetric_and_never_raises(left: object, right: object) -> None:
    assert same(left, left)
    assert same(left, right) is same(right, left)


def test_a_payload_is_resolved_at_any_depth_and_a_longer_object_is_left_alone() -> None:
    payload = {"a": {"$": "x"}, "b": [{"$": "on"}], "c": {"$": "x", "d": 1}}
    assert resolve(payload, VARIABLES) == {"a": 40, "b": [True], "c": {"$": "x", "d": 1}}
    with pytest.raises(ValueFault):
        resolve({"$": "nobody"}, VARIABLES)
