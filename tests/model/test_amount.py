"""Amounts can be told apart and kept in sets, also those whose value is a list."""

from __future__ import annotations

from engine.model.amount import Amount, Measure


def test_colours_are_kept_in_sets_as_numbers_are() -> None:
    red, blue = Amount(Measure.COLOUR, [255, 0, 0]), Amount(Measure.COLOUR, [0, 0, 255])
    assert len({red, blue, Amount(Measure.COLOUR, [255, 0, 0]), Amount(Measure.NUMBER, 3)}) == 3
