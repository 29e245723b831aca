"""Patterns of descriptions, looked for in a time that grows with the text alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.environment.values.schemas import validate
from engine.errors import ValueFault
from engine.graph.matching import written_as
from engine.model.thing import Schema

PIECE = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", "x", "#", "é"])
PATTERN = st.lists(st.tuples(PIECE, st.sampled_from(["", "*", "+", "?", "{2}"])), min_size=1, max_size=5).map(
    lambda pieces: "".join(a + b for a, b in pieces)
)
TEXT = st.text(alphabet="abx#é1", max_size=12)


@given(TEXT, PATTERN, st.booleans(), st.booleans())
def test_a_pattern_means_what_it_means_elsewhere(text: str, pattern: str, begins: bool, ends: bool) -> None:
    whole = f"{'^' if begins else ''}{pattern}{'$' if ends else ''}"
    assert written_as(text, whole) is bool(re.search(whole, text))


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*a){20}$", "^((((a+)+)+)+)+$"])
def test_a_pattern_that_can_be_read_in_many_ways_holds_nobody_up(pattern: str) -> None:
    assert written_as("a" * 5000 + "!", pattern) is False


@pytest.mark.parametrize("pattern", ["(", "(?=a)a", r"(a)\1", "[z-a]", "((((a{1,100}){1,100}){1,100}){1,100}){1,100}"])
def test_what_is_no_such_pattern_is_told_apart(pattern: str) -> None:
    assert written_as("a", pattern) is None


def test_half_a_character_is_written_as_nothing() -> None:
    assert written_as("\ud800", "^a") is False


def test_a_value_is_held_against_its_pattern_at_the_door() -> None:
    colour = Schema(type="string", pattern="^#[0-9a-f]{6}$")
    validate("#00ff7f", colour, "colour")
    with pytest.raises(ValueFault):
        validate("red", colour, "colour")
    with pytest.raises(ValueFault):
        validate("a" * 5000 + "!", Schema(type="string", pattern="^(a+)+$"), "name")
