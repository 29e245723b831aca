"""A limit that none shall be beyond: those that are come to it, and nothing is put out. Each in four homes."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps


@pytest.mark.parametrize(
    "text",
    [
        "No light should be above 50 percent.",
        "No light should be above 50 percent. Any that is, put it on 50.",
        "No lights above 50 percent, please.",
        "no light should be brighter than 50 percent",
    ],
)
def test_those_beyond_a_limit_come_to_it(lamps: Lamps, text: str) -> None:
    before = lamps.begin()
    outcome = lamps.ask(text)
    assert lamps.on() == set(lamps.of), outcome.reply
    if outcome.status is Status.DONE:
        assert lamps.levels() == {lamp: min(50, level) for lamp, level in before.items()}
    else:
        assert lamps.levels() == before


def test_none_that_shall_be_on_go_off(lamps: Lamps) -> None:
    lamps.begin()
    outcome = lamps.ask("No lights should be on.")
    assert lamps.on() in (set(), set(lamps.of)), outcome.reply
