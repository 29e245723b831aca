"""What must never be so, said in words, is kept as a policy, held against whatever is to be done, and told where it
happens all the same."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.graph.terms import POLICIES
from engine.model.outcome import Status
from engine.model.rule import Forbids
from engine.planning.policies import store as policy_store
from tests.dialogue.talks import Talk

TEMPLATES = [
    ("The oven should never be on.", "turn on the oven"),
    ("The study heater and the living room AC must never be on together.", "turn on the living room AC"),
    ("The study heater must never be on while the study blinds are open.", "turn on the study heater"),
    ("Never turn on the study heater while the study blinds are open.", "turn on the study heater"),
    ("The study heater may only be on while the study blinds are closed.", "turn on the study heater"),
    ("Only ever turn on the study heater while the study blinds are closed.", "turn on the study heater"),
    ("While the study blinds are open, never turn on the study heater.", "turn on the study heater"),
    ("The front door must always be locked when the study blinds are open.", "unlock the front door"),
    ("Never turn the pantry light on between 5 am and 7 am.", "turn on the pantry light"),
]


@pytest.fixture
def home(house: Talk) -> Talk:
    """The house with the study heater on, its blinds open and the front door locked."""
    for path, value in (
        ("study-blinds#position", 100),
        ("front-door-lock#lock_state", "locked"),
        ("oven#state", "off"),
    ):
        house[path] = value
    house["study-heater#state"] = "off"
    return house


@pytest.mark.parametrize(("said", "order"), TEMPLATES, ids=[said for said, _ in TEMPLATES])
def test_what_was_forbidden_in_words_is_not_done(home: Talk, said: str, order: str) -> None:
    if "together" in said:
        home["study-heater#state"] = "on"
    assert home.ask(said).status is Status.SCHEDULED
    before = dict(home.changed())
    outcome = home.ask(order)
    assert outcome.status is Status.REFUSED, outcome.reply
    assert outcome.reason == "policy_violation"
    assert said.rstrip(".").casefold() in outcome.reply.casefold()
    assert home.changed() == before


def test_what_is_said_of_an_act_does_not_hinder_what_it_is_said_with(home: Talk) -> None:
    home["study-blinds#position"] = 0
    home.ask("Never turn on the study heater while the study blinds are open.")
    home.ask("turn on the study heater")
    assert home["study-heater#state"] == "on"
    assert home.ask("open the study blinds").status is Status.DONE


def test_what_is_said_of_a_state_hinders_both(home: Talk) -> None:
    home["study-blinds#position"] = 0
    home.ask("The study heater must never be on while the study blinds are open.")
    home.ask("turn on the study heater")
    assert home.ask("open the study blinds").reason == "policy_violation"


def test_what_may_not_last_is_put_an_end_to_and_told(home: Talk) -> None:
    told = home.engine.rules.notices.subscribe(10)
    assert home.ask("The study heater is never on for more than two hours.").status is Status.SCHEDULED
    home.ask("turn on the study heater")
    home.engine.pass_time(7100)
    assert home["study-heater#state"] == "on"
    home.engine.pass_time(200)
    assert home["study-heater#state"] == "off"
    notice = told.take(0)
    assert notice is not None
    assert "never on for more than two hours" in notice.text


def test_what_is_always_to_follow_within_some_time_does(home: Talk) -> None:
    home["hallway-light#state"], home["hallway-motion#motion"] = "on", True
    said = "The hallway light should always go off within five minutes after nobody is in the hall."
    assert home.ask(said).status is Status.SCHEDULED
    home.engine.pass_time(600)
    assert home["hallway-light#state"] == "on"
    home["hallway-motion#motion"] = False
    home.engine.pass_time(310)
    assert home["hallway-light#state"] == "off"


def test_what_comes_about_from_outside_is_told(home: Talk) -> None:
    told = home.engine.rules.notices.subscribe(10)
    home.ask("The front door must always be locked.")
    home["front-door-lock#lock_state"] = "unlocked"
    home.engine.pass_time(timedelta(seconds=1).total_seconds())
    notice = told.take(0)
    assert notice is not None
    assert "must always be locked" in notice.text


def test_a_prohibition_is_lifted_with_its_rule_and_rests_while_that_is_paused(home: Talk) -> None:
    home.ask("The oven should never be on.")
    [entry] = home.engine.rules.rules()
    assert entry.rule.forbids is Forbids.STATE
    [policy] = policy_store.listed(home.engine.store)
    assert "oven should never be on" in policy.message
    home.engine.rules.switch(entry.rule, on=False)
    assert home.engine.store.graph(POLICIES) == []
    home.engine.rules.switch(entry.rule, on=True)
    assert home.ask("turn on the oven").reason == "policy_violation"
    home.engine.rules.remove([entry.rule.iri])
    assert home.engine.store.graph(POLICIES) == []
    assert home.ask("turn on the oven").status is Status.DONE


@pytest.mark.parametrize(
    "text",
    [
        "Never open the bedroom curtains while the flux compensator is on.",
        "Never mind.",
        "Was the oven never on?",
        "The oven was never on.",
        "Never turn on the study heater while the moon is full.",
    ],
)
def test_what_nobody_can_tell_and_what_forbids_nothing_is_not_kept(home: Talk, text: str) -> None:
    before = home.changed()
    home.ask(text)
    assert home.engine.rules.rules() == ()
    assert home.engine.store.graph(POLICIES) == []
    assert home.changed() == before
