"""What would happen on a day that is to come, and if something became so: asked in words, and nothing is done."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import Talk

RULES = (
    "Every day at seven open the study blinds.",
    "When somebody comes into the study turn on the desk lamp.",
    "When the bathroom window opens turn off the towel rail.",
    "At ten tonight turn off the hallway light.",
    "If the living room gets above 26 turn on the living room air conditioner.",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What would happen tomorrow?", ["At 07:00 “Every day at seven"]),
        ("what will happen tonight", ["At 22:00 “At ten tonight"]),
        ("What is going to happen today?", ["At 07:00 “Every", "At 22:00 “At ten"]),
        ("What happens on Friday?", ["At 07:00 “Every"]),
        ("What happens if somebody comes into the study?", ["turn on the desk lamp"]),
        ("What would happen if I opened the bathroom window?", ["turn off the towel rail"]),
        ("What happens when it gets hotter than 28 in the living room?", ["air conditioner"]),
        ("What happens when the hallway light goes on?", ["No rule is set off by that."]),
    ],
)
def test_what_would_happen_is_told_and_nothing_is_done(house: Talk, question: str, told: list[str]) -> None:
    for words in RULES:
        house.ask(words)
    outcome = house.ask(question)
    assert outcome.status is Status.ANSWERED, outcome.reply
    assert outcome.reply.count("“") == sum("“" in one or "turn" in one or "air" in one for one in told), outcome.reply
    for part in told:
        assert part in outcome.reply
    assert house.changed() == {}
    assert len(house.engine.rules.rules()) == len(RULES)


def test_what_runs_comes_to_its_end_in_what_is_foretold(house: Talk) -> None:
    house.ask("start the dishwasher")
    assert "“dishwasher”: finished" in house.ask("What will happen today?").reply
    assert house["dishwasher#work_state"] == "running"


@pytest.mark.parametrize(
    "question", ["What happens if a meteor strikes?", "What would happen when the moon is made of cheese?"]
)
def test_of_what_nobody_can_tell_nothing_is_foretold(house: Talk, question: str) -> None:
    outcome = house.ask(question)
    assert outcome.reason == "no_such_event"
    assert house.engine.rules.rules() == ()


def test_with_nothing_to_come_that_is_said(house: Talk) -> None:
    assert house.ask("What would happen tomorrow?").reply == "Nothing would happen by itself then."
