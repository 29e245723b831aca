"""Turns of a conversation, one rule at a time: what is taken back, what stays open, what gets a name."""

from __future__ import annotations

import pytest

from engine.dialogue.assistant import Consent
from engine.hearthgraph import MOST_CONVERSATIONS
from engine.model.outcome import Outcome, Status
from tests.dialogue.talks import Talk


@pytest.fixture
def home(_home: Talk) -> Talk:
    _home.begin()
    _home.engine.forget("here")
    return _home


def said(home: Talk, *texts: str, **options: object) -> Outcome:
    """What came of the last of several turns."""
    return [home.ask(text, conversation="here", **options) for text in texts][-1]


def test_without_a_conversation_nothing_is_remembered(home: Talk) -> None:
    home.ask("turn on the pantry light")
    assert home.ask("turn it off").status is not Status.DONE
    assert home["pantry-light#state"] == "on"


def test_two_conversations_do_not_hear_each_other(home: Talk) -> None:
    home.ask("turn on the pantry light", conversation="one")
    home.ask("turn on the garage light", conversation="two")
    home.ask("turn it off", conversation="one")
    assert home.changed() == {"garage-light#state": "on"}


def test_what_is_taken_back_is_planned_and_journalled_like_any_request(home: Talk) -> None:
    outcome = said(home, "set the kitchen light to 30", "undo that")
    assert [a for a, _ in home.did(outcome)] == ["kitchen-light#set_brightness"]
    assert outcome.plan is not None
    assert home["kitchen-light#brightness"] == 100


def test_taking_back_twice_does_it_again(home: Talk) -> None:
    said(home, "set the kitchen light to 30", "undo that", "undo that")
    assert home["kitchen-light#brightness"] == 30


def test_what_may_be_regretted_is_asked_about_when_it_is_taken_back(home: Talk) -> None:
    home["front-door-lock#lock_state"] = "unlocked"
    outcome = said(home, "lock the front door", "undo that", consent=Consent.YES)
    assert (outcome.status, outcome.reason) == (Status.PROPOSED, "needs_consent")
    assert home["front-door-lock#lock_state"] == "locked"


def test_what_cannot_be_set_back_is_said(home: Talk) -> None:
    said(home, "turn on the pantry light")
    home.engine.faults[home.action("pantry-light#turn_off")] = "fail"
    outcome = said(home, "undo that")
    assert outcome.status is Status.FAILED
    assert "pantry light" in outcome.reply
    assert home["pantry-light#state"] == "on"


def test_where_nothing_has_changed_there_is_nothing_to_take_back(home: Talk) -> None:
    outcome = said(home, "undo that")
    assert (outcome.status, outcome.reason) == (Status.REFUSED, "nothing_to_undo")


def test_a_full_sentence_inherits_no_thing(home: Talk) -> None:
    said(home, "turn on the pantry light", "turn on the lights in the garage")
    assert home.changed() == {"pantry-light#state": "on", "garage-light#state": "on"}


def test_one_more_thing_is_no_correction(home: Talk) -> None:
    said(home, "turn on the pantry light", "actually, the garage light as well")
    assert home.changed() == {"pantry-light#state": "on", "garage-light#state": "on"}


@pytest.mark.parametrize("shift", ["by the way,", "anyway,", "different subject:", "forget the light."])
def test_after_a_change_of_subject_nothing_is_inherited(home: Talk, shift: str) -> None:
    said(home, "turn on the pantry light", f"{shift} what is the volume?")
    outcome = said(home, f"{shift} the garage door to 50")
    assert home["garage-door#position"] == 50
    assert outcome.status is Status.DONE


def test_nothing_runs_while_a_question_is_open(home: Talk) -> None:
    outcome = said(home, "turn on the bedside lamp and the pantry light")
    assert outcome.status is Status.CLARIFY
    assert home.changed() == {}


def test_the_question_names_the_choices(home: Talk) -> None:
    question = said(home, "turn on the bedside lamp").question or ""
    assert "left bedside lamp" in question
    assert "right bedside lamp" in question


@pytest.mark.parametrize(
    ("reply", "lamps"),
    [
        ("the left one", ["left"]),
        ("right", ["right"]),
        ("both of them", ["left", "right"]),
        ("all", ["left", "right"]),
        ("the first", ["left"]),
        ("either", ["left"]),
        ("the right-hand one, please", ["right"]),
    ],
)
def test_a_reply_chooses(home: Talk, reply: str, lamps: list[str]) -> None:
    said(home, "turn on the bedside lamp", reply)
    assert home.changed() == {f"bedside-lamp-{lamp}#state": "on" for lamp in lamps}


def test_a_reply_that_names_none_of_the_choices_leaves_it_open_or_asks_for_something_else(home: Talk) -> None:
    said(home, "turn on the bedside lamp", "the purple one")
    assert home.changed() == {}


def test_a_new_request_drops_the_question(home: Talk) -> None:
    said(home, "turn on the bedside lamp", "turn on the garage light")
    assert home.engine.conversation("here").memory.asked is None
    assert home.changed() == {"garage-light#state": "on"}


def test_of_two_that_may_be_meant_the_one_that_it_makes_sense_for_is_taken(home: Talk) -> None:
    home["bedside-lamp-right#state"] = "on"
    assert said(home, "turn off the bedside lamp").status is Status.DONE
    assert home["bedside-lamp-right#state"] == "off"


def test_an_unknown_room_never_means_everywhere(home: Talk) -> None:
    outcome = said(home, "turn on the pantry light", "the conservatory too")
    assert outcome.status is Status.REFUSED
    assert home.changed() == {"pantry-light#state": "on"}


def test_how_long_is_asked_where_an_oven_is_to_bake(home: Talk) -> None:
    outcome = said(home, "bake the potatoes at 200 in the oven")
    assert outcome.status is Status.CLARIFY
    assert "how long" in (outcome.question or "").casefold()
    said(home, "forty minutes")
    assert (home["oven#cooking_time"], home["oven#temperature"], home["oven#work_state"]) == (2400, 200, "cooking")


def test_a_name_is_known_in_the_next_sentence_and_the_old_one_still_is(home: Talk) -> None:
    assert said(home, "rename the guest room lamp to moonlight").status is Status.DONE
    said(home, "turn on the moonlight", "set the guest room lamp to 20")
    assert home["guest-lamp#brightness"] == 20


def test_a_name_for_what_nobody_knows_is_refused(home: Talk) -> None:
    assert said(home, "call the flux capacitor Doc").status is Status.REFUSED


def test_the_oldest_conversations_are_forgotten(home: Talk) -> None:
    home.ask("turn on the pantry light", conversation="old")
    for number in range(MOST_CONVERSATIONS):
        home.engine.conversation(f"c{number}")
    home.ask("turn it off", conversation="old")
    assert home["pantry-light#state"] == "on"


def test_after_the_same_for_another_room_it_goes_on_with_a_third(home: Talk) -> None:
    said(home, "switch on the light in the garage", "same for the pantry", "and the laundry room")
    assert home.changed() == {f"{one}-light#state": "on" for one in ("garage", "pantry", "laundry")}


@pytest.mark.parametrize("side", ["left", "right"])
def test_more_of_what_is_at_work_comes_before_anything_is_started(home: Talk, side: str) -> None:
    home[f"bedside-lamp-{side}#state"], home[f"bedside-lamp-{side}#brightness"] = "on", 20
    home.ask("it's too dark in here", location="master bedroom")
    changed = home.changed()
    assert {path.partition("#")[0] for path in changed} == {f"bedside-lamp-{side}"}
    assert changed[f"bedside-lamp-{side}#brightness"] > 20


@pytest.mark.parametrize("verb", ["turn off", "switch off"])
@pytest.mark.parametrize("thing", ["oven", "garden camera", "television"])
def test_what_is_switched_off_loses_its_power_and_not_only_its_work(home: Talk, thing: str, verb: str) -> None:
    path = f"{thing.replace(' ', '-')}#state"
    home[path] = "on"
    home.ask(f"{verb} the {thing}", consent=Consent.ALL)
    assert home[path] == "off"


def test_the_same_colour_goes_on_to_another_lamp(home: Talk) -> None:
    said(home, "make the night light green", "floor lamp, that same colour")
    assert home.changed().get("floor-lamp#color") == [0, 128, 0]
