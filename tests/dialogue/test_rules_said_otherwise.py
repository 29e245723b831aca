"""Times and conditions in further words, what is no condition, and what makes no rule at all: each in four homes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.model.outcome import Status
from engine.model.rule import At, Becomes, Recurrence, Trigger
from tests.dialogue.test_left_out_by_state import Lamps
from tests.dialogue.test_words_not_lost import among, rooms


def made(lamps: Lamps, text: str) -> list[Trigger]:
    """What sets off the rules that a text makes; nothing is done now."""
    lamps.begin()
    outcome = lamps.ask(text)
    assert outcome.status is Status.SCHEDULED, outcome.reply
    assert lamps.on() == set(lamps.of)
    return [one for entry in lamps.talk.engine.rules.rules() for one in entry.rule.triggers]


@pytest.mark.parametrize(
    "text",
    [
        "When two hours have passed, turn all the lights off.",
        "Upon the expiry of two hours, turn all the lights off.",
        "When two hours have elapsed from the present moment, please turn all the lights off.",
        "I'll be out cold in two hours, so that's when I want all the lights off.",
    ],
)
def test_a_length_that_has_passed_is_waited_for(lamps: Lamps, text: str) -> None:
    [waited] = made(lamps, text)
    assert waited == At(lamps.talk.engine.clock.now() + timedelta(hours=2))


@pytest.mark.parametrize(
    "text",
    [
        "When eleven o'clock arrives tonight, please turn all the lights off.",
        "When the clock reaches eleven tonight, all the lights are to be turned off.",
        "When eleven o'clock comes round tonight, turn all the lights off.",
    ],
)
def test_an_hour_that_comes_is_a_time(lamps: Lamps, text: str) -> None:
    [at] = made(lamps, text)
    assert isinstance(at, At)
    assert (at.moment.hour, at.moment.date()) == (23, lamps.talk.engine.clock.now().date())


@pytest.mark.parametrize("days", ["On any weekday", "On each weekday", "On every working day"])
def test_any_day_is_each(lamps: Lamps, days: str) -> None:
    [at] = made(lamps, f"{days} at seven in the morning, turn all the lights off.")
    assert isinstance(at, Recurrence)
    assert at.weekdays == (0, 1, 2, 3, 4)


def test_of_two_things_that_must_be_so_none_is_forgotten(lamps: Lamps) -> None:
    room = rooms(lamps)[0]
    lamps.begin()
    outcome = lamps.ask(f"When the {room} is over 28 degrees and there are people inside, turn all the lights off.")
    found = [one for entry in lamps.talk.engine.rules.rules() for one in entry.rule.triggers]
    facts = [fact for one in found if isinstance(one, Becomes) for fact in one.facts]
    assert len(facts) == 2 if outcome.status is Status.SCHEDULED else not found


@pytest.mark.parametrize(
    "text",
    [
        "Guests in ten minutes, so turn all the lights off.",
        "Turn all the lights off. Guests are due in ten minutes.",
    ],
)
def test_a_time_in_a_reason_is_no_time_of_the_order(lamps: Lamps, text: str) -> None:
    lamps.begin()
    outcome = lamps.ask(text)
    assert lamps.talk.engine.rules.rules() == ()
    assert outcome.status is not Status.DONE or lamps.on() == set()


@pytest.mark.parametrize(
    "text",
    [
        "Two things while I tie this: the lights in the {room} off, the others to 30 percent.",
        "Did anyone turn the lights off in the {room}, or are they on at the moment?",
        "Wherever nobody is at the moment, turn the lights off.",
        "Some of the lights are too dim to work by. If one's on but under 60 percent, give it 60.",
    ],
)
def test_what_is_meant_now_makes_no_rule_unasked(lamps: Lamps, text: str) -> None:
    lamps.begin()
    room = rooms(lamps)[0]
    outcome = lamps.ask(text.format(room=room))
    assert outcome.status is not Status.SCHEDULED
    assert lamps.talk.engine.rules.rules() == ()
    if text.startswith("Did"):
        assert among(lamps, room) <= lamps.on()


def test_a_level_that_may_be_an_hour_is_not_lost(lamps: Lamps) -> None:
    room = rooms(lamps)[0]
    lamps.begin()
    outcome = lamps.ask(f"Whenever anyone goes into the {room}, have all the lights there at 23 for them.")
    does = [intent for entry in lamps.talk.engine.rules.rules() for intent in entry.rule.actions]
    values = [intent.amount.value for intent in does if intent.amount is not None]
    assert values == [23] if outcome.status is Status.SCHEDULED else not does


@pytest.mark.parametrize("count", ["two things: all the lights off, please", "one thing: all the lights off"])
def test_how_many_things_follow_is_no_hour(lamps: Lamps, count: str) -> None:
    [at] = made(lamps, f"Eleven o'clock tonight, {count}.")
    assert isinstance(at, At)
    assert (at.moment.hour, at.moment.minute) == (23, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Clock's running: twenty minutes, then all the lights off.",
        "I'll be finished in here by then, I promise. Twenty minutes from now, would you turn all the lights off?",
    ],
)
def test_nothing_is_done_at_once_where_a_wait_is_said(lamps: Lamps, text: str) -> None:
    lamps.begin()
    lamps.ask(text)
    assert lamps.on() == set(lamps.of)
