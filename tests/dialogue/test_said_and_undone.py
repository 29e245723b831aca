"""Orders that end, lessen or mend something: none of it is done the other way round."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import BEGAN, Talk


@pytest.mark.parametrize(
    "text",
    [
        "take away ten percent from the desk lamp",
        "desk lamp: take away 10 percent from it",
        "take 10 percent away from the desk lamp",
        "take ten from the desk lamp",
    ],
)
def test_taken_away_is_less(home: Talk, text: str) -> None:
    home["desk-lamp#state"], home["desk-lamp#brightness"] = "on", 60
    assert home.ask(text).status is Status.DONE
    assert home["desk-lamp#brightness"] == 50


@pytest.mark.parametrize(
    "text", ["the heater can stop running", "stop the study heater running", "the heater may stop"]
)
def test_what_can_stop_is_stopped(home: Talk, text: str) -> None:
    home["study-heater#state"] = "on"
    home.ask(text, location="study")
    assert home["study-heater#state"] == "off"


@pytest.mark.parametrize(
    "text",
    [
        "oops, wrong one, the desk lamp back on and the kitchen light off",
        "my bad, desk lamp back on, it's the kitchen light I want off",
        "no it was the kitchen light I wanted off put the desk lamp on again",
    ],
)
def test_the_wrong_one_is_put_back_also_where_the_other_was_changed_before(home: Talk, text: str) -> None:
    home["desk-lamp#state"], home["kitchen-light#state"] = "on", "off"
    for said in ("turn the kitchen light on", "turn the desk lamp off", text):
        assert home.ask(said, conversation=text).status is Status.DONE
    assert (home["desk-lamp#state"], home["kitchen-light#state"]) == ("on", "off")


@pytest.mark.parametrize(
    "text",
    [
        "Feels like the whole clan's here today. Rooms with someone in them, how many is that?",
        "it looks like the whole house was asleep today",
        "it looks like it was all on last night",
        "lights that are on, which are those? Same as this morning?",
    ],
)
def test_a_likeness_or_a_question_brings_nothing_back(home: Talk, text: str) -> None:
    home["desk-lamp#state"] = "off"
    home.ask("turn on the desk lamp")
    home.engine.set_now(BEGAN + timedelta(hours=1))
    home.ask("turn off the desk lamp and the kitchen light")
    before = home.changed()
    home.ask(text)
    assert home.changed() == before


@pytest.mark.parametrize(
    "text", ["the desk lamp on again", "can the desk lamp be on again, too?", "desk lamp on, as well"]
)
def test_once_more_likens_nothing(home: Talk, text: str) -> None:
    home["kitchen-light#state"], home["desk-lamp#state"] = "off", "on"
    home["kitchen-light#brightness"], home["desk-lamp#brightness"] = 80, 30
    home.ask("turn on the kitchen light", conversation=text)
    home.ask("turn the desk lamp off", conversation=text)
    assert home.ask(text, conversation=text).status is Status.DONE
    assert (home["desk-lamp#state"], home["desk-lamp#brightness"], home["kitchen-light#brightness"]) == ("on", 30, 80)
