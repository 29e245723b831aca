"""Who greets, thanks, or asks what can be said is answered; each example that is shown can be said in that home."""

from __future__ import annotations

import re

import pytest

from engine.dialogue.assistant import Consent
from engine.model.outcome import Status
from tests.dialogue.talks import Talk
from tests.dialogue.test_left_out_by_state import Lamps

LEAST = 3
"""How many examples there are for a home that has lamps."""


@pytest.mark.parametrize("text", ["What can you do?", "help", "Hi, what can you do?", "please help me"])
def test_each_example_can_be_said_here(lamps: Lamps, text: str) -> None:
    lamps.begin()
    outcome = lamps.ask(text)
    assert outcome.status is Status.ANSWERED
    assert not outcome.changes
    shown, _, _ = outcome.reply.partition(". Ask me")
    examples = re.findall("“([^”]+)”", shown)
    assert len(examples) >= LEAST, outcome.reply
    for example in examples:
        lamps.begin()
        assert lamps.talk.engine.ask(example, consent=Consent.PLAN).status not in (
            Status.REFUSED,
            Status.FAILED,
            Status.CLARIFY,
        ), example


@pytest.mark.parametrize("text", ["hello", "Hi there!", "thanks", "Thank you very much.", "how are you?"])
def test_courtesy_is_answered_and_does_nothing(house: Talk, text: str) -> None:
    outcome = house.ask(text, consent=Consent.ALL)
    assert outcome.status is Status.ANSWERED
    assert not outcome.changes


@pytest.mark.parametrize("aside", ["thanks", "what time is it?", "what can you do?"])
def test_a_talk_goes_on_behind_it(house: Talk, aside: str) -> None:
    for text in ("turn on the desk lamp", aside):
        house.ask(text, conversation=f"behind {aside}")
    assert house.ask("turn it off", conversation=f"behind {aside}").status is Status.DONE
    assert house["desk-lamp#state"] == "off"


def test_what_was_done_before_it_is_undone(house: Talk) -> None:
    for text in ("turn on the desk lamp", "what time is it?"):
        house.ask(text, conversation="undone")
    assert house.ask("undo that", conversation="undone").status is Status.DONE
    assert house["desk-lamp#state"] == "off"


@pytest.mark.parametrize("text", ["hello, turn on the desk lamp", "thanks, now turn on the desk lamp"])
def test_courtesy_before_an_order_is_no_answer_to_it(house: Talk, text: str) -> None:
    assert house.ask(text).status is Status.DONE
    assert house["desk-lamp#state"] == "on"
