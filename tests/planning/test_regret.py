"""What would be regretted is asked about, also where two parts of what was said come to the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.dialogue.assistant import Consent, Request
from engine.dialogue.requests import journal
from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.model.intent import Intent, Operation
from engine.model.outcome import Status
from engine.model.selection import Select
from engine.planning.policies.regret import regretted
from engine.planning.solver import solve
from tests.homes import a_home

LOCK = "http://house.example/things/front-door-lock"


@pytest.fixture
def house() -> Iterator[Hearthgraph]:
    with a_home() as home:
        yield home


def unlocking(number: int) -> Intent:
    return Intent(
        f"urn:test:request/intent-{number}",
        "unlock the front door",
        operation=Operation.INVOKE,
        selection=Select(things=(LOCK,)),
        command=expand("hg:Unlock"),
    )


def test_of_two_intents_of_one_goal_with_one_effect_the_one_that_is_done_is_asked_about(house: Hearthgraph) -> None:
    """The second has nothing left to do once the first is done: then it does not take its place."""
    assistant, intents = house.assistant, [unlocking(1), unlocking(2)]
    journal.open_request(house.store, "urn:test:request", "unlock it", None, house.clock.now(), intents)
    solution = solve([[intents]], assistant.site(Request("unlock it", "urn:test:request")), "urn:test:request/plan")
    assert solution.plan is not None
    assert [step.affordance for step in regretted(solution.plan, house.registry)] == [f"{LOCK}#actions/unlock"]


@pytest.mark.parametrize("text", ["unlock the front door", "unlock the front door and unlock the front door lock"])
def test_consent_beforehand_is_none_to_that(house: Hearthgraph, text: str) -> None:
    outcome = house.ask(text, consent=Consent.YES)
    assert (outcome.status, outcome.reason) == (Status.PROPOSED, "needs_consent")
    assert house.state[f"{LOCK}#properties/lock_state"] == "locked"
