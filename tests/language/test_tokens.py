"""Text into tokens: words, numbers in digits and words, signs, possessives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.language.words.morphology import forms, singular
from engine.language.words.tokens import Token, fold, tokenize


def texts(text: str) -> list[str]:
    return [token.text for token in tokenize(text)]


def numbers(text: str) -> list[float]:
    return [token.number for token in tokenize(text) if token.number is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("forty", [40]),
        ("twenty-two point five degrees", [22.5]),
        ("a hundred and ten", [110]),
        ("minus twenty", [-20]),
        ("-5 degrees", [-5]),
        ("20 and a half", [20.5]),
        ("1,500 lux", [1500]),
        ("24C and 75F", [24, 75]),
        ("one and two", [1, 2]),
        ("the first light", []),
    ],
)
def test_numbers_are_read_in_digits_and_in_words(text: str, expected: list[float]) -> None:
    assert numbers(text) == expected


def test_a_possessive_ending_is_a_token_of_its_own() -> None:
    assert texts("the boy's room") == ["the", "boy", "'s", "room"]


def test_accents_case_and_curly_quotes_do_not_matter() -> None:
    assert fold("CAFÉ’s") == "cafe's"


def test_a_clock_time_stays_whole() -> None:
    assert "21:30" in texts("at 21:30")


@pytest.mark.parametrize(
    ("word", "one"), [("lights", "light"), ("batteries", "battery"), ("switches", "switch"), ("glass", "glass")]
)
def test_plurals_lead_to_their_singular(word: str, one: str) -> None:
    assert singular(word) == one


@pytest.mark.parametrize(("word", "base"), [("dimming", "dim"), ("closing", "close"), ("opened", "open")])
def test_inflected_verbs_lead_to_their_base(word: str, base: str) -> None:
    assert base in forms(word)


@given(st.text(max_size=200))
def test_tokens_stand_in_order_inside_the_text(text: str) -> None:
    tokens: list[Token] = tokenize(text)
    places = [(token.start, token.end) for token in tokens]
    assert all(0 <= start <= end <= len(text) for start, end in places)
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("two-two-zero", 220.0), ("one-five degrees", 15.0), ("two-three decimal five", 23.5),
        ("six-zero percent", 60.0), ("sixty-five", 65.0),
        ("two hundred and twenty", 220.0), ("twenty one point five", 21.5), ("seven", 7.0),
    ],
)  # fmt: skip
def test_digits_that_are_said_one_by_one_are_one_number(text: str, number: float) -> None:
    assert tokenize(text)[0].number == number


def test_numbers_that_stand_side_by_side_stay_apart() -> None:
    assert [t.number for t in tokenize("lamps one two and three") if t.number is not None] == [1.0, 2.0, 3.0]
