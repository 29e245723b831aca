"""What is to be done later is not done now: the time is asked for, and the reply says it. Each in four homes."""

from __future__ import annotations

import pytest

from engine.dialogue.assistant import Consent
from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps


@pytest.mark.parametrize(
    "text",
    [
        "turn all the lights off later",
        "all lights off, but later",
        "later, turn off all the lights",
        "not right now, but still today the lights should go off",
        "put all the lights out later on",
        "the lights can go off sometime later today",
        "before the day is out, turn all the lights off",
    ],
)
def test_nobody_said_when(lamps: Lamps, text: str) -> None:
    lamps.begin()
    asked = lamps.talk.engine.ask(text, consent=Consent.ALL)
    assert (asked.status, asked.reason) == (Status.CLARIFY, "missing_time")
    assert lamps.on() == set(lamps.of)


@pytest.mark.parametrize(
    ("reply", "at"),
    [
        ("at 8 in the evening", "20:00"),
        ("At half past nine tonight.", "21:30"),
        ("at 11 pm", "23:00"),
        ("in two hours", ""),
        ("ten at night", "22:00"),
    ],
)
def test_the_reply_says_when(lamps: Lamps, reply: str, at: str) -> None:
    lamps.begin()
    assert lamps.talk.ask("turn all the lights off later", conversation="a talk").status is Status.CLARIFY
    assert lamps.talk.ask(reply, conversation="a talk").status is Status.SCHEDULED
    assert lamps.on() == set(lamps.of)
    [rule] = lamps.talk.engine.rules.rules()
    assert f"{rule.next:%H:%M}".endswith(at)


@pytest.mark.parametrize(
    "text",
    [
        "turn all the lights off later today at nine in the evening",
        "later, at nine in the evening, all lights off",
        "not now, at nine in the evening turn all the lights off",
        "all the lights off later tonight at nine",
    ],
)
def test_a_time_makes_later_clear(lamps: Lamps, text: str) -> None:
    lamps.begin()
    assert lamps.ask(text).status is Status.SCHEDULED
    assert lamps.on() == set(lamps.of)
    [rule] = lamps.talk.engine.rules.rules()
    assert f"{rule.next:%H:%M}" == "21:00"


def test_a_farewell_puts_nothing_off(lamps: Lamps) -> None:
    lamps.begin()
    assert lamps.ask("see you later, turn all the lights off").status is Status.DONE
    assert not lamps.on()


@pytest.mark.parametrize(
    "text",
    [
        "somebody left the lights on, turn them off please",
        "grandma found all the lights on. Please turn them off",
        "the lights have been on all day, turn them off",
        "dude, the lights were on all night, switch them off",
    ],
)
def test_a_story_before_an_order_bars_it_not(lamps: Lamps, text: str) -> None:
    lamps.begin()
    assert lamps.ask(text).status is Status.DONE
    assert not lamps.on()


@pytest.mark.parametrize(
    "text",
    [
        "I'm going to turn on the lights myself",
        "let me turn on all the lights myself",
        "Anna's turning on the lights",
        "dad is just switching on all the lights",
        "I'm going to switch the lights on myself in a minute",
        "I wish I'd turned all the lights on",
    ],
)
def test_what_somebody_does_themselves_is_no_order(lamps: Lamps, text: str) -> None:
    assert not lamps.on_after(text)
    assert lamps.talk.engine.rules.rules() == ()
