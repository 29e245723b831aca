"""Nothing is done that was not consented to, and a consent is to one plan, once."""

from __future__ import annotations

import pytest

from engine.dialogue.assistant import Consent
from engine.dialogue.conversation import Conversation
from engine.dialogue.requests.consenting import Answer, answer_of
from engine.errors import InputError
from engine.model.outcome import Outcome, Status
from tests.dialogue.talks import Talk

HOUSES = ("memory", "oxigraph-house")


def proposed(house: Talk, text: str, consent: Consent = Consent.ASK) -> tuple[Outcome, str]:
    outcome = house.ask(text, consent=consent)
    assert outcome.status is Status.PROPOSED, outcome.reply
    assert outcome.plan is not None
    return outcome, outcome.plan.iri


def test_a_plan_is_proposed_in_words_and_waits(house: Talk) -> None:
    outcome, _ = proposed(house, "turn on the pantry light")
    assert outcome.question is not None
    assert outcome.question.endswith("Shall I?")
    assert [one.status for one in outcome.intents] == [Status.PROPOSED]
    assert house.changed() == {}


def test_consent_to_its_id_carries_it_out(house: Talk) -> None:
    _, plan = proposed(house, "turn on the pantry light")
    outcome = house.engine.assistant.consent(plan)
    assert (outcome.status, outcome.question) == (Status.DONE, None)
    assert house.changed() == {"pantry-light#state": "on"}


@pytest.mark.parametrize("text", ["turn on the living room ceiling light at 30 percent", "preheat the oven to 180"])
def test_what_is_said_in_several_parts_is_consented_to_as_a_whole(house: Talk, text: str) -> None:
    _, plan = proposed(house, text)
    assert house.engine.assistant.consent(plan).status is Status.DONE


def test_the_same_plan_is_not_carried_out_twice(house: Talk) -> None:
    _, plan = proposed(house, "turn the TV up by 10")
    house.engine.assistant.consent(plan)
    with pytest.raises(InputError) as caught:
        house.engine.assistant.consent(plan)
    assert caught.value.reason == "no_such_plan"
    assert house["television#volume"] == 35


def test_consent_to_a_plan_that_nobody_made_is_refused(house: Talk) -> None:
    with pytest.raises(InputError) as caught:
        house.engine.assistant.consent("urn:uuid:none/plan")
    assert caught.value.reason == "no_such_plan"


def test_a_plan_that_would_now_do_something_else_is_not_carried_out(house: Talk) -> None:
    _, plan = proposed(house, "turn the TV up by 10")
    house["television#volume"] = 60
    with pytest.raises(InputError) as caught:
        house.engine.assistant.consent(plan)
    assert caught.value.reason == "plan_outdated"
    assert house["television#volume"] == 60
    with pytest.raises(InputError, match="No such plan"):
        house.engine.assistant.consent(plan)


def test_a_plan_whose_thing_is_gone_is_not_carried_out(new_house: Talk) -> None:
    _, plan = proposed(new_house, "turn on the pantry light")
    new_house.engine.registry.remove(f"{new_house.things}pantry-light")
    with pytest.raises(InputError) as caught:
        new_house.engine.assistant.consent(plan)
    assert caught.value.reason == "plan_outdated"


def test_a_declined_plan_is_over(house: Talk) -> None:
    _, plan = proposed(house, "turn on the pantry light")
    outcome = house.engine.assistant.decline(plan)
    assert (outcome.status, outcome.reason) == (Status.REFUSED, "not_consented")
    with pytest.raises(InputError, match="No such plan"):
        house.engine.assistant.consent(plan)
    assert house.changed() == {}


def test_old_proposals_give_way_to_new_ones(house: Talk) -> None:
    _, first = proposed(house, "turn on the pantry light")
    for _ in range(64):
        proposed(house, "turn on the garage light")
    with pytest.raises(InputError, match="No such plan"):
        house.engine.assistant.consent(first)


def test_what_is_so_already_needs_no_consent(house: Talk) -> None:
    outcome = house.ask("turn off the pantry light", consent=Consent.ASK)
    assert (outcome.status, outcome.question) == (Status.DONE, None)


def test_what_is_impossible_is_said_before_consent_is_asked(house: Talk) -> None:
    outcome, _ = proposed(house, "turn on the pantry light and the pantry fan")
    assert "no fan in the pantry" in outcome.reply
    assert outcome.reply.endswith("Shall I?")


REGRETTABLE = [
    "unlock the front door",
    "open the garage door",
    "open the garage door halfway",
    "turn on the oven",
    "preheat the oven to 180",
    "close the garage door and unlock the front door",
    "unlock the front door in ten minutes",
    "turn the oven on for an hour",
]


@pytest.mark.parametrize("text", REGRETTABLE)
def test_what_may_be_regretted_is_asked_in_spite_of_consent_beforehand(house: Talk, text: str) -> None:
    outcome, plan = proposed(house, text, Consent.YES)
    assert outcome.reason == "needs_consent"
    assert house.changed() == {}
    assert house.engine.assistant.consent(plan).status in (Status.DONE, Status.SCHEDULED)


@pytest.mark.parametrize("text", ["close the garage door", "lock the front door", "turn off the oven"])
def test_what_makes_safe_is_not_asked(house: Talk, text: str) -> None:
    house["garage-door#position"], house["front-door-lock#lock_state"], house["oven#state"] = 100, "unlocked", "on"
    outcome = house.ask(text, consent=Consent.YES)
    assert outcome.status is Status.DONE, outcome.reply
    assert {after for _, after in house.did(outcome)} == {"done"}


def test_undoing_after_a_time_is_asked_about_where_it_may_be_regretted(house: Talk) -> None:
    house["garage-door#position"] = 100
    proposed(house, "close the garage door for ten minutes", Consent.YES)


def test_a_door_that_is_open_now_may_be_closed_at_the_time(house: Talk) -> None:
    house["front-door-lock#lock_state"] = "unlocked"
    proposed(house, "unlock the front door at half past seven", Consent.YES)


def test_plain_things_are_done_under_consent_beforehand(house: Talk) -> None:
    assert house.ask("turn on the pantry light", consent=Consent.YES).status is Status.DONE


@pytest.mark.parametrize(
    "said", ["yes", "Yes!", "y", "OK", "sure, go ahead", "yes please, do it", "do it", "Yes. Thanks."]
)
def test_words_of_consent_are_understood(said: str) -> None:
    assert answer_of(said) is Answer.YES


@pytest.mark.parametrize(
    "said", ["no", "No, thanks.", "n", "don't", "Don’t do it", "never mind", "no, stop", "leave it"]
)
def test_words_of_refusal_are_understood(said: str) -> None:
    assert answer_of(said) is Answer.NO


@pytest.mark.parametrize("said", ["", "?!", "turn it off", "yes and turn on the fan", "nobody", "yesterday", "please"])
def test_anything_else_is_a_new_request(said: str) -> None:
    assert answer_of(said) is Answer.OTHER


def conversation(house: Talk) -> Conversation:
    return Conversation(house.engine.assistant, lambda text: house.ask(text, consent=Consent.ASK))


def test_yes_in_a_conversation_is_consent_to_what_was_proposed(house: Talk) -> None:
    talk = conversation(house)
    assert talk.say("turn on the pantry light").status is Status.PROPOSED
    assert talk.say("yes").status is Status.DONE
    assert house.changed() == {"pantry-light#state": "on"}
    assert talk.say("yes").status is not Status.DONE, "there is nothing left to consent to"


def test_no_in_a_conversation_gives_it_up(house: Talk) -> None:
    talk = conversation(house)
    talk.say("turn on the pantry light")
    assert talk.say("no").reason == "not_consented"
    talk.say("yes")
    assert house.changed() == {}


def test_another_request_gives_it_up_as_well(house: Talk) -> None:
    talk = conversation(house)
    talk.say("turn on the pantry light")
    talk.say("turn on the garage light")
    talk.say("yes")
    assert house.changed() == {"garage-light#state": "on"}
