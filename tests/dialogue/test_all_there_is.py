"""What is said of everything and of anything: some things stay as they are, and a question is no order."""

from __future__ import annotations

import pytest

from engine.dialogue.assistant import Consent
from engine.model.outcome import Status
from tests.dialogue.talks import Talk
from tests.dialogue.test_left_out_by_state import Lamps


@pytest.mark.parametrize(
    "text",
    [
        "turn everything in the kitchen off",
        "everything off",
        "turn everything off except the hallway light",
        "turn off all the devices in the kitchen",
    ],
)
def test_everything_is_not_the_water(house: Talk, text: str) -> None:
    house.ask("turn on the kitchen light")
    assert house.ask(text, consent=Consent.ALL).status is Status.DONE
    assert house["kitchen-light#state"] == "off"
    assert house["water-valve#position"] == "open"


def test_what_is_named_is_meant(house: Talk) -> None:
    house.ask("turn off the water valve", consent=Consent.ALL)
    assert house["water-valve#position"] == "closed"


@pytest.mark.parametrize(
    "form", ["is anything on?", "is anything still on?", "is anything on in here?", "anything on?"]
)
def test_whether_anything_is_so(lamps: Lamps, form: str) -> None:
    lamps.begin()
    outcome = lamps.ask(form)
    assert outcome.status is Status.ANSWERED, outcome.reply
    assert outcome.reply.startswith(("Yes", "No, none")), outcome.reply
    assert not outcome.changes


@pytest.mark.parametrize("text", ["is anything still running?", "is anything running?", "is anything still playing?"])
def test_a_question_is_answered(house: Talk, text: str) -> None:
    outcome = house.ask(text)
    assert outcome.status is Status.ANSWERED
    assert outcome.reply.startswith(("Yes", "No, none")), outcome.reply
