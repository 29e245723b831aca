"""What a rule leaves open is asked for, and the reply completes it; nothing of it is done now."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import Talk


@pytest.mark.parametrize(
    ("said", "reply", "at"),
    [
        ("every day turn on the pantry light", "at seven", "2026-03-01T07:00"),
        ("every day turn on the pantry light", "at seven in the evening", "2026-03-01T19:00"),
        ("turn on the pantry light tomorrow", "8 am", "2026-03-02T08:00"),
        ("every monday turn on the pantry light", "8:30", "2026-03-02T08:30"),
        ("turn on the pantry light every morning", "half past six", "2026-03-01T06:30"),
    ],
)
def test_the_time_is_asked_for_and_the_reply_says_it(house: Talk, said: str, reply: str, at: str) -> None:
    asked = house.ask(said, conversation="a talk")
    assert (asked.status, asked.reason) == (Status.CLARIFY, "missing_time")
    assert house.changed() == {}
    assert house.ask(reply, conversation="a talk").status is Status.SCHEDULED
    assert house.changed() == {}
    [entry] = house.engine.rules.rules()
    assert f"{entry.next:%Y-%m-%dT%H:%M}" == at
    assert dict(entry.does) == {house.prop("pantry-light#state"): "on"}


def test_the_device_is_asked_for_and_the_reply_names_it(house: Talk) -> None:
    assert house.ask("at seven turn on the light", conversation="a talk").status is Status.CLARIFY
    assert house.ask("the pantry light", conversation="a talk").status is Status.SCHEDULED
    [entry] = house.engine.rules.rules()
    assert dict(entry.does) == {house.prop("pantry-light#state"): "on"}
    assert house.changed() == {}


def test_what_is_no_reply_is_a_request_of_its_own_and_the_rule_is_let_go(house: Talk) -> None:
    house.ask("every day turn on the pantry light", conversation="a talk")
    assert house.ask("close the garage door", conversation="a talk").status is Status.DONE
    house.ask("at seven", conversation="a talk")
    assert house.engine.rules.rules() == ()


def test_who_lets_it_be_gets_no_rule(house: Talk) -> None:
    house.ask("every day turn on the pantry light", conversation="a talk")
    house.ask("never mind", conversation="a talk")
    assert house.engine.rules.rules() == ()
    assert house.changed() == {}
