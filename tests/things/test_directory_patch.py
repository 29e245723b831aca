"""Merge patches: RFC 7396's own examples, and that a difference leads where it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.things.directory.patch import difference, merged

EXAMPLES = [
    ('{"a":"b"}', '{"a":"c"}', '{"a":"c"}'),
    ('{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'),
    ('{"a":"b"}', '{"a":null}', "{}"),
    ('{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'),
    ('{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'),
    ('{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'),
    ('{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'),
    ('{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'),
    ('["a","b"]', '["c","d"]', '["c","d"]'),
    ('{"a":"b"}', '["c"]', '["c"]'),
    ('{"a":"foo"}', "null", "null"),
    ('{"a":"foo"}', '"bar"', '"bar"'),
    ('{"e":null}', '{"a":1}', '{"e":null,"a":1}'),
    ("[1,2]", '{"a":"b","c":null}', '{"a":"b"}'),
    ("{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'),
]
LEAVES = st.booleans() | st.integers(-3, 3) | st.floats(-2, 2, allow_nan=False) | st.text("ab", max_size=2)
KEYS = st.sampled_from("abcd")
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4))
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)
PATCHES = st.recursive(LEAVES | st.none(), lambda inner: st.dictionaries(KEYS, inner, max_size=4))


@pytest.mark.parametrize(("target", "patch", "result"), EXAMPLES)
def test_the_examples_of_the_rfc(target: str, patch: str, result: str) -> None:
    assert merged(json.loads(target), json.loads(patch)) == json.loads(result)


def test_what_python_takes_for_equal_differs_within_a_list_too() -> None:
    assert difference({"b": [[3], False]}, {"b": [[3], 0]}) == {"b": [[3], 0]}


@given(OBJECTS, OBJECTS)
def test_a_difference_leads_from_the_one_to_the_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    found = merged(before, difference(before, after))
    assert json.dumps(found, sort_keys=True) == json.dumps(after, sort_keys=True)  # 1, 1.0 and true are three values
    assert difference(after, after) == {}


@given(OBJECTS, PATCHES)
def test_a_patch_carried_out_twice_does_what_it_does_once_and_leaves_the_target_alone(
    target: dict[str, Any], patch: Any
) -> None:
    kept = json.dumps(target)
    once = merged(target, patch)
    assert merged(once, patch) == once
    assert json.dumps(target) == kept
