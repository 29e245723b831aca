"""The time and the day are asked of the home, and no device is taken for a clock."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import Talk


@pytest.mark.parametrize("text", ["What time is it?", "what's the time now, please", "tell me the time"])
def test_the_time_of_day_is_told(house: Talk, text: str) -> None:
    told = house.ask(text)
    assert (told.status, told.reply) == (Status.ANSWERED, "It is 06:00.")


@pytest.mark.parametrize("text", ["what day is it today?", "what's the date"])
def test_the_day_is_told(house: Talk, text: str) -> None:
    assert house.ask(text).reply == "It is Sunday, 1 March 2026."


def test_the_time_of_a_device_is_no_question_for_the_clock(house: Talk) -> None:
    assert house.ask("what time is it set to finish").reply != "It is 06:00."
