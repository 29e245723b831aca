"""What is a plan, and what is refused with the path of the fault. jsonschema is the oracle for the compiled schema."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PlanError
from engine.execution import expressions
from engine.model import plan_ir, plan_schema

SCHEMA = json.loads((Path(__file__).parents[2] / "shapes" / "plan.schema.json").read_text(encoding="utf-8"))
ORACLE = jsonschema.Draft202012Validator(SCHEMA)

A, P = "urn:lamp#actions/set", "urn:lamp#properties/level"
ACTION = {"type": "action", "affordance": A, "payload": {}}
READ = {"type": "property", "affordance": P, "into": "x"}
USE = {"type": "action", "affordance": A, "payload": {"level": {"$": "x"}}}
CHECK = {"type": "condition", "affordance": P, "operator": "=", "value": 1}


def node(kind: str, *children: dict, **more: object) -> dict:
    return {"type": kind, "children": list(children), **more}


def compute(expression: object, into: str = "y") -> dict:
    return {"type": "compute", "into": into, "expression": expression}


VALID = {
    "the paper's listing": node("parallel", ACTION, ACTION, ACTION, policy="success_on_all", name="IncreaseBrightness"),
    "idempotent set": node("selector", CHECK, ACTION),
    "modify": node("sequence", READ, compute(["clamp", ["+", "x", 10], 0, 100], "x"), USE),
    "for ten minutes": node("sequence", ACTION, {"type": "wait", "seconds": 600}, ACTION),
    "until a moment": {"type": "wait_until", "at": "2026-11-21T20:15:00+01:00"},
    "until a state": {"type": "wait_until", "child": {"type": "inverter", "child": CHECK}},
    "known after all of a parallel": node("sequence", node("parallel", READ, ACTION, policy="complete_all"), USE),
    "known after either alternative": node("sequence", node("selector", READ, compute(1, "x")), USE),
    "known within retry and timeout": node(
        "sequence", {"type": "retry", "attempts": 2, "child": {"type": "timeout", "seconds": 1, "child": READ}}, USE
    ),
    "a condition on a variable": node("sequence", READ, {**CHECK, "value": {"$": "x"}}),
    "literals": compute(["next_option", {"literal": "low"}, {"literal": ["low", "high"]}]),
}

INVALID = {
    "no node": ([], "$", "expected a node"),
    "unknown type": ({"type": "loop"}, "$.type", "unknown type"),
    "type of another type": ({"type": ["action"]}, "$.type", "unknown type"),
    "nothing to do": (node("sequence"), "$.children", "0 elements"),
    "a member too many": (node("sequence", {**ACTION, "code": "rm"}), "$.children[0]", "unknown member 'code'"),
    "a member missing": ({"type": "wait"}, "$", "'seconds' is missing"),
    "no affordance": ({**ACTION, "affordance": ""}, "$.affordance", "does not match"),
    "a relative affordance": ({**ACTION, "affordance": "lamp"}, "$.affordance", "does not match"),
    "unknown policy": (node("parallel", ACTION, policy="some"), "$.policy", "none of success_on_all"),
    "unknown operator": (compute(["eval", 1]), "$.expression[0]", "none of +"),
    "an operator without operands": (compute(["+"]), "$.expression", "elements"),
    "too many operands": (compute(["/", 1, 2, 3]), "$.expression", "takes 2 operands, not 3"),
    "too few operands, deep": (compute(["+", 1, ["clamp", 1, 2]]), "$.expression[2]", "takes 3 operands"),
    "negative wait": ({"type": "wait", "seconds": -1}, "$.seconds", "not between"),
    "half an attempt": ({"type": "retry", "attempts": 1.5, "child": CHECK}, "$.attempts", "expected integer"),
    "no attempt": ({"type": "retry", "attempts": 0, "child": CHECK}, "$.attempts", "not between"),
    "true is no number": ({"type": "wait", "seconds": True}, "$.seconds", "expected number"),
    "a moment and a child": (
        {"type": "wait_until", "at": "2026-11-21T20:15:00", "child": CHECK},
        "$",
        "exactly one of at | child",
    ),
    "is no moment": ({"type": "wait_until"}, "$", "exactly one of"),
    "not a moment": ({"type": "wait_until", "at": "tomorrow"}, "$.at", "does not match"),
    "a moment that does not exist": ({"type": "wait_until", "at": "2026-02-30T10:00:00"}, "$.at", "is no moment"),
    "an action that is awaited": ({"type": "wait_until", "child": node("sequence", CHECK, ACTION)},
                                  "$.child.children[1]", "only reads and compares"),
    "NaN": ({**ACTION, "payload": {"level": float("nan")}}, "$.payload.level", "no number of JSON"),
    "no JSON": ({**ACTION, "payload": {1, 2}}, "$.payload", "no value of JSON"),
    "a key that is no text": ({**ACTION, "payload": {1: 2}}, "$.payload", "is no text"),
    "undefined": (node("sequence", USE), "$.children[0].payload.level", "'x' may be undefined"),
    "used before": (node("sequence", USE, READ), "$.children[0].payload.level", "'x' may be undefined"),
    "undefined in an expression": (compute(["+", 1, "x"]), "$.expression[2]", "'x' may be undefined"),
    "undefined in a condition": ({**CHECK, "value": {"$": "x"}}, "$.value", "'x' may be undefined"),
    "known beside only": (
        node("parallel", READ, USE, policy="complete_all"),
        "$.children[1].payload.level",
        "'x' may be undefined",
    ),
    "known in one alternative only": (
        node("sequence", node("selector", READ, CHECK), USE),
        "$.children[1].payload.level",
        "'x' may be undefined",
    ),
    "known if the first wins only": (
        node("sequence", node("parallel", READ, ACTION, policy="success_on_one"), USE),
        "$.children[1].payload.level",
        "'x' may be undefined",
    ),
    "known only where reading failed": (
        node("sequence", {"type": "inverter", "child": READ}, USE),
        "$.children[1].payload.level",
        "'x' may be undefined",
    ),
    "two branches write one variable": (
        node("parallel", READ, node("sequence", ACTION, READ), policy="complete_all"),
        "$.children[1]",
        "written by $.children[0] at the same time",
    ),
}  # fmt: skip


def test_the_schema_is_a_json_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("tree", VALID.values(), ids=VALID)
def test_a_plan_is_accepted(tree: dict) -> None:
    plan_ir.check(tree)
    assert ORACLE.is_valid(tree)


@pytest.mark.parametrize(("tree", "path", "message"), INVALID.values(), ids=INVALID)
def test_what_is_no_plan_is_refused_with_the_path_of_the_fault(tree: object, path: str, message: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan_ir.check(tree)
    assert caught.value.path == path
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert caught.value.reason == "bad_plan"


def test_a_plan_may_name_only_what_was_found_for_the_request() -> None:
    tree = node("selector", CHECK, ACTION)
    plan_ir.check(tree, allowed={A, P})
    with pytest.raises(PlanError, match="not among the affordances") as caught:
        plan_ir.check(tree, allowed={A})
    assert caught.value.path == "$.children[0].affordance"


def test_depth_and_size_are_limited_without_exhausting_the_stack() -> None:
    deep: dict = CHECK
    for _ in range(5000):
        deep = {"type": "inverter", "child": deep}
    with pytest.raises(PlanError, match="levels"):
        plan_ir.check(deep)
    payload: object = 0
    for _ in range(5000):
        payload = [payload]
    with pytest.raises(PlanError, match="levels"):
        plan_ir.check({**ACTION, "payload": payload})
    with pytest.raises(PlanError, match="values"):
        plan_ir.check({**ACTION, "payload": [0] * plan_ir.MAX_VALUES})


def test_a_plan_for_a_whole_house_is_not_too_large() -> None:
    plan_ir.check(node("parallel", *[node("selector", CHECK, ACTION)] * 5000, policy="complete_all"))


def test_a_tree_is_walked_in_the_order_of_the_document() -> None:
    tree = node("sequence", READ, {"type": "timeout", "seconds": 1, "child": node("selector", CHECK, ACTION)}, USE)
    assert [n["type"] for n in plan_ir.walk(tree)] == [
        "sequence", "property", "timeout", "selector", "condition", "action", "action",
    ]  # fmt: skip
    assert [path for path, _ in plan_ir.located(tree)][3:5] == [
        "$.children[1].child",
        "$.children[1].child.children[0]",
    ]
    assert plan_ir.affordances(tree) == (P, A)


def test_schema_checker_and_evaluator_know_the_same_operators() -> None:
    array = SCHEMA["$defs"]["expression"]["anyOf"][3]
    assert set(array["prefixItems"][0]["enum"]) == set(plan_ir.OPERATORS) == set(expressions.FUNCTIONS)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 700) | st.floats(-5, 5) | st.sampled_from(["", "x", A, "low"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["$", "a", "literal"]), inner, max_size=2)
    ),
    max_leaves=6,
)
WORDS = [*SCHEMA["$defs"], "name", "children", "child", "at", "affordance", "into", "value", "literal", "=", "<", "+"]


@st.composite
def spoilt(draw: st.DrawFn) -> object:
    """A valid plan in which a few members were replaced, removed or added."""
    tree = copy.deepcopy(draw(st.sampled_from(list(VALID.values()))))
    for _ in range(draw(st.integers(0, 3))):
        places = [tree]
        for value in places:
            places.extend(
                v for v in (value.values() if isinstance(value, dict) else value) if isinstance(v, dict | list)
            )
        place = draw(st.sampled_from([value for value in places if value] or [tree]))
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw(st.sampled_from(keys + (WORDS if isinstance(place, dict) else [])))
        if isinstance(place, dict) and key in place and draw(st.booleans()):
            del place[key]
        else:
            place[key] = draw(
                VALUES | st.sampled_from(WORDS) | st.sampled_from([READ, CHECK, ACTION]).map(copy.deepcopy)
            )
    return tree


def accepts(tree: object) -> bool:
    try:
        plan_schema.plan_check()(tree, "$")
    except PlanError:
        return False
    return True


@given(spoilt())
def test_the_compiled_schema_decides_as_jsonschema_does(tree: object) -> None:
    assert accepts(tree) is ORACLE.is_valid(tree)


@given(VALUES | spoilt())
def test_whatever_is_checked_is_accepted_or_refused_and_nothing_else(tree: object) -> None:
    with suppress(PlanError):
        plan_ir.check(tree)
        assert ORACLE.is_valid(tree)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {}},
        {"type": "string", "format": "uri"},
        {"minimum": 3},
        {"anyOf": [{"type": "string"}, {"type": "string", "maxLength": 3}]},
    ],
)
def test_a_keyword_that_is_not_compiled_is_named_and_not_ignored(schema: dict) -> None:
    with pytest.raises(ValueError, match="compiled JSON Schema"):
        plan_schema.compile_schema(schema)
