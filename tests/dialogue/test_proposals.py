"""What waits for consent is in the graph, and so outlives the process that proposed it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.dialogue.requests.proposals import MOST, Proposal
from engine.dialogue.requests.request import Consent
from engine.environment.clock import SimulatedClock
from engine.errors import InputError
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import REQUESTS, Quad, literal, node
from engine.hearthgraph import Hearthgraph
from engine.model.intent import Category, Intent
from engine.model.outcome import IntentOutcome, Outcome, Status
from tests.dialogue.talks import BEGAN
from tests.homes import a_store

Again = Callable[[], Hearthgraph]


@pytest.fixture
def store() -> EmbeddedStore:
    return a_store()


@pytest.fixture
def again(store: EmbeddedStore) -> Again:
    """The home as the next process finds it."""
    return lambda: Hearthgraph(store, SimulatedClock(BEGAN))


def proposed(home: Hearthgraph, text: str, **more: object) -> tuple[Outcome, str]:
    outcome = home.ask(text, **more)  # type: ignore[arg-type]
    assert outcome.status is Status.PROPOSED, outcome.reply
    assert outcome.plan is not None
    return outcome, outcome.plan.iri


def state(home: Hearthgraph, thing: str) -> object:
    return next(home.state[iri] for iri in home.state if f"/{thing}#properties/state" in iri)


def test_a_plan_is_consented_to_in_the_next_process(again: Again) -> None:
    _, plan = proposed(again(), "turn on the pantry light")
    home = again()
    outcome = home.assistant.consent(plan)
    assert outcome.status is Status.DONE
    assert state(home, "pantry-light") == "on"


def test_it_is_told_as_it_was(again: Again) -> None:
    outcome, plan = proposed(again(), "turn on the pantry light and open the living room blinds", user="Ada")
    proposal = again().assistant.proposals.find(plan)
    assert proposal is not None
    assert proposal.told() == outcome
    assert proposal.request.user == "Ada"


def test_it_is_carried_out_once_whoever_asks(again: Again) -> None:
    _, plan = proposed(again(), "turn the TV up by 10")
    again().assistant.consent(plan)
    for _ in range(2):
        with pytest.raises(InputError, match="No such plan"):
            again().assistant.consent(plan)


def test_a_process_that_ends_after_consent_and_before_anything_is_done_does_not_do_it_later(
    again: Again, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = again()
    _, plan = proposed(home, "turn the TV up by 10")
    monkeypatch.setattr(home.assistant, "_run", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        home.assistant.consent(plan)
    with pytest.raises(InputError, match="No such plan"):
        again().assistant.consent(plan)


def test_what_would_do_something_else_by_then_is_not_done(again: Again) -> None:
    _, plan = proposed(again(), "turn the TV up by 10")
    home = again()
    volume = next(iri for iri in home.state if "television#properties/volume" in iri)
    home.state.write({volume: 50})
    with pytest.raises(InputError) as caught:
        home.assistant.consent(plan)
    assert caught.value.reason == "plan_outdated"
    assert home.state[volume] == 50


@pytest.mark.parametrize(("talk", "status"), [("me", Status.DONE), ("somebody else", Status.REFUSED)])
def test_a_bare_yes_in_the_next_process_is_for_the_conversation_that_was_asked(
    again: Again, talk: str, status: Status
) -> None:
    proposed(again(), "turn on the bathroom light", conversation="me")
    assert again().ask("yes", conversation=talk).status is status
    assert (state(again(), "bathroom-light") == "on") == (status is Status.DONE)


def test_a_yes_that_follows_something_else_in_the_next_process_is_for_that(again: Again) -> None:
    proposed(again(), "turn on the bathroom light", conversation="me")
    home = again()
    home.ask("is the fridge on?", conversation="me")
    assert home.ask("yes", conversation="me").status is not Status.DONE


def test_it_is_declined_in_the_next_process(again: Again) -> None:
    _, plan = proposed(again(), "turn on the pantry light")
    assert again().assistant.decline(plan).reason == "not_consented"
    with pytest.raises(InputError, match="No such plan"):
        again().assistant.consent(plan)


def test_a_rule_that_may_be_regretted_is_made_in_the_next_process(again: Again) -> None:
    home = again()
    _, plan = proposed(home, "unlock the front door at 10 pm", consent=Consent.YES)
    assert home.rules.rules() == ()
    home = again()
    assert home.assistant.consent(plan).status is Status.SCHEDULED
    assert len(home.rules.rules()) == 1


def test_what_is_done_for_a_while_is_put_back_when_it_was_consented_to_later(again: Again) -> None:
    _, plan = proposed(again(), "turn on the pantry light for 10 minutes")
    home = again()
    home.assistant.consent(plan)
    assert state(home, "pantry-light") == "on"
    home.pass_time(11 * 60)
    assert state(home, "pantry-light") == "off"


def test_the_oldest_give_way_also_those_of_earlier_processes(again: Again) -> None:
    _, first = proposed(again(), "turn on the pantry light")
    home = again()
    for _ in range(MOST):
        proposed(home, "turn on the garage light")
    assert again().assistant.proposals.find(first) is None
    rows = home.store.select("dialogue/proposed")
    assert len(rows) == MOST


def test_what_people_tell_of_themselves_is_not_kept_with_a_plan(again: Again) -> None:
    home = again()
    _, plan = proposed(home, "turn on the pantry light")
    known = home.assistant.proposals.take(plan)
    taste = Intent(f"{known.request.iri}/intent-2", "I am fond of the dark", Category.PREFERENCE)
    intents = (*known.outcome.intents, IntentOutcome(taste, Status.DONE, message="You are fond of the dark."))
    told = replace(known.outcome, text="I am fond of the dark, put the light on", intents=intents)
    request = replace(known.request, text=told.text, memory=("She is fond of the dark.",))
    readings = (*known.readings, (taste,))
    home.assistant.proposals.keep(Proposal(request, readings, told, "You are fond of the dark. Shall I?"))
    kept = next(str(quad.object) for quad in home.store.graph(REQUESTS) if quad.predicate == node("hg:content"))
    assert "fond" not in kept
    home = again()
    assert home.assistant.consent(plan).status is Status.DONE
    assert state(home, "pantry-light") == "on"
    assert request.iri in home.assistant._personal, "and nothing is learnt of it"


def test_a_request_that_is_forgotten_waits_no_more(again: Again, tmp_path: Path) -> None:
    home = again()
    _, plan = proposed(home, "turn on the pantry light")
    home.assistant._swept = None
    home.pass_time(200 * 86400)
    home.ask("is the pantry light on?")
    assert again().assistant.proposals.find(plan) is None


def test_what_another_version_wrote_is_no_proposal(again: Again, caplog: pytest.LogCaptureFixture) -> None:
    home = again()
    _, plan = proposed(home, "turn on the pantry light")
    quad = next(quad for quad in home.store.graph(REQUESTS) if "content" in quad.predicate.value)
    odd = Quad(quad.subject, quad.predicate, literal({"text": "?"}), REQUESTS)
    home.store.write(delete=[quad], insert=[odd])
    with pytest.raises(InputError, match="No such plan"):
        again().assistant.consent(plan)
    assert "cannot be read" in caplog.text
