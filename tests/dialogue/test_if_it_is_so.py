"""What shall be done if something is so: looked at now, and asked about; what comes about is waited for."""

from __future__ import annotations

import pytest

from engine.dialogue.requests.request import Consent
from engine.model.outcome import Status
from tests.dialogue.talks import Talk

STANDS = [
    "If the brightness of the hallway light is over 50 percent, turn off the landing light.",
    "turn off the landing light, provided the brightness of the hallway light is over 50 percent",
    "If the hallway light's brightness is above 50 percent the landing light may go off.",
]
COMES = [
    "If the brightness of the hallway light goes over 50 percent, turn off the landing light.",
    "When the brightness of the hallway light is over 50 percent, turn off the landing light.",
    "Whenever the brightness of the hallway light is above 50 percent, turn off the landing light.",
]


def _lit(house: Talk, brightness: int) -> None:
    for prop in house.engine.registry.things[f"{house.things}hallway-light"].properties:
        if prop.name == "brightness":
            house.engine.state.write({prop.iri: brightness})


@pytest.mark.parametrize("text", STANDS)
def test_what_is_so_now_is_told_and_its_order_waits_for_a_yes(house: Talk, text: str) -> None:
    _lit(house, 80)
    house.engine.ask("turn on the landing light", consent=True)
    outcome = house.ask(text)
    assert (outcome.status, outcome.reason) == (Status.PROPOSED, "so_now"), outcome.reply
    assert outcome.plan is not None
    assert house.engine.assistant.consent(outcome.plan.iri).status is Status.DONE
    assert house["landing-light#state"] in ("off", False)
    assert not house.engine.rules.rules()


@pytest.mark.parametrize("text", STANDS)
def test_what_is_not_so_now_is_kept_only_after_a_yes(house: Talk, text: str) -> None:
    _lit(house, 20)
    outcome = house.ask(text)
    assert (outcome.status, outcome.reason) == (Status.PROPOSED, "not_so_now"), outcome.reply
    assert house.changed().keys() <= {"hallway-light#brightness"}
    assert not house.engine.rules.rules()
    assert outcome.plan is not None
    assert house.engine.assistant.consent(outcome.plan.iri).status is Status.SCHEDULED
    assert len(house.engine.rules.rules()) == 1


@pytest.mark.parametrize("text", COMES)
def test_what_comes_about_is_waited_for(house: Talk, text: str) -> None:
    _lit(house, 80)
    assert house.ask(text).status is Status.SCHEDULED
    assert len(house.engine.rules.rules()) == 1


def test_a_plan_that_is_only_looked_at_is_still_a_rule(house: Talk) -> None:
    assert house.engine.ask(STANDS[0], consent=Consent.PLAN).status is not Status.DONE


def test_another_home_is_looked_at_as_well(home: Talk) -> None:
    home["desk-lamp#state"], home["kitchen-light#state"] = "on", "on"
    outcome = home.ask("If the desk lamp is on, turn the kitchen light off")
    assert (outcome.status, outcome.reason) == (Status.PROPOSED, "so_now"), outcome.reply
    home["desk-lamp#state"] = "off"
    outcome = home.ask("If the desk lamp is on, turn the kitchen light off")
    assert (outcome.status, outcome.reason) == (Status.PROPOSED, "not_so_now"), outcome.reply
    assert home["kitchen-light#state"] == "on"
