"""Rules changed in words: another time, other days, not tomorrow; listed, paused, resumed and deleted."""

from __future__ import annotations

from datetime import date

import pytest

from engine.model.outcome import Status
from engine.model.rule import Daytime, Recurrence
from tests.dialogue.talks import Talk

CURTAINS = "Every day at seven open the bedroom curtains."
LOCK = "Lock the front door every night at half past ten."


def times_of(house: Talk) -> Recurrence:
    [entry] = house.engine.rules.rules()
    [trigger] = entry.rule.triggers
    assert isinstance(trigger, Recurrence)
    return trigger


@pytest.mark.parametrize("words", ["Make that 7:30.", "Make it half past seven", "no, make it 7:30 am"])
def test_a_rule_is_put_at_another_time(house: Talk, words: str) -> None:
    house.ask(CURTAINS)
    house.ask(words)
    assert times_of(house).times == (Daytime(7, 30),)


def test_days_of_the_week_are_left_out(house: Talk) -> None:
    house.ask(CURTAINS)
    assert "every weekday at 07:00" in house.ask("Not on weekends.").reply
    assert times_of(house).weekdays == (0, 1, 2, 3, 4)


def test_a_single_day_is_left_out_and_it_goes_on_afterwards(house: Talk) -> None:
    house.ask(CURTAINS)  # it is Sunday, six in the morning
    assert "next today at 07:00" in house.ask("Not tomorrow.").reply
    [entry] = house.engine.rules.rules()
    assert entry.rule.exceptions == (date(2026, 3, 2),)
    house.engine.pass_time(30 * 3600)
    fired = [one.due.date() for one in house.engine.rules.book.firings.values()]
    assert date(2026, 3, 2) not in fired
    house.engine.pass_time(24 * 3600)
    assert date(2026, 3, 3) in [one.due.date() for one in house.engine.rules.book.firings.values()]


def test_it_is_told_what_happens_when_and_where(house: Talk) -> None:
    house.ask(CURTAINS)
    house.ask(LOCK)
    for question, told in (
        ("What happens at night?", ["front door"]),
        ("What happens in the morning?", ["curtains"]),
        ("What will happen in the bedroom?", ["curtains"]),
        ("list my rules", ["curtains", "front door"]),
    ):
        outcome = house.ask(question)
        assert outcome.status is Status.ANSWERED
        for name in ("curtains", "front door"):
            assert (name in outcome.reply) is (name in told), (question, outcome.reply)


def test_a_rule_is_paused_resumed_and_deleted_by_what_it_is_about(house: Talk) -> None:
    house.ask(CURTAINS)
    house.ask(LOCK)
    house.ask("Pause the rule about the front door.")
    assert [one.rule.enabled for one in house.engine.rules.rules()] == [True, False]
    house.ask("Resume the front door rule.")
    assert [one.rule.enabled for one in house.engine.rules.rules()] == [True, True]
    house.ask("Delete the curtain rule.")
    assert [one.rule.text for one in house.engine.rules.rules()] == [LOCK]
    house.ask("cancel all rules")
    assert house.engine.rules.rules() == ()


@pytest.mark.parametrize(
    "text", ["turn off the kitchen light", "cancel the oven", "stop the robot vacuum", "not the lamp"]
)
def test_what_names_no_rule_is_no_talk_of_rules(house: Talk, text: str) -> None:
    house.ask(CURTAINS)
    house.ask(text)
    [entry] = house.engine.rules.rules()
    assert entry.rule.enabled
    assert entry.rule.exceptions == ()
