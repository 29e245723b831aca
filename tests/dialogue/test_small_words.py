"""Small words that turn a request round where they are missed: "on", "off", "other", "it is", a name's first word."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import Talk

LEFT, RIGHT = "bedside-lamp-left#state", "bedside-lamp-right#state"


@pytest.mark.parametrize(
    "text",
    [
        "how many lights are on in the master bedroom?",
        "how many lights are on in the master bedroom, please?",
        "How many lamps are on in the master bedroom, exactly?",
        "how many lights are still on in the master bedroom, please",
    ],
)
def test_what_is_on_is_counted_whatever_courtesy_follows(home: Talk, text: str) -> None:
    home[LEFT], home[RIGHT], home["bedroom-fan-light#light.state"] = "on", "off", "off"
    assert home.ask(text).answer.value == 1


@pytest.mark.parametrize("text", ["anybody in the study?", "the washing machine finished?", "kitchen light off?"])
def test_a_question_may_leave_its_verb_unsaid(home: Talk, text: str) -> None:
    assert home.ask(text).status is Status.ANSWERED
    assert home.changed() == {}


@pytest.mark.parametrize("text", ["off all the bedside lamps", "Off the bedside lamps, all of them."])
def test_off_is_a_verb_where_it_leads(home: Talk, text: str) -> None:
    home[LEFT], home[RIGHT] = "on", "on"
    home.ask(text)
    assert home[LEFT], home[RIGHT] == ("off", "off")


@pytest.mark.parametrize(
    "text",
    [
        "it's half ten at night, turn the kitchen light on",
        "it is already nine pm, turn the kitchen light on",
        "the other one to twenty",
    ],
)
def test_how_late_it_is_and_a_number_are_no_schedule(home: Talk, text: str) -> None:
    home["kitchen-light#state"] = "off"
    assert home.ask(text).status is not Status.SCHEDULED


def test_ten_to_seven_is_one(home: Talk) -> None:
    assert home.ask("turn on the kitchen light at ten to seven").status is Status.SCHEDULED


def test_the_other_one_is_never_the_one_that_was_spoken_of(home: Talk) -> None:
    home["desk-lamp#state"] = "off"
    home.ask("turn on the desk lamp")
    home.ask("turn the other one off")
    assert home["desk-lamp#state"] == "on"


def test_a_room_is_its_whole_name(home: Talk) -> None:
    home["living-room-speaker#playback"] = "playing"
    assert home.ask("pause the loudest speaker in Emma's room").status is Status.REFUSED


@pytest.mark.parametrize("text", ["Get the kitchen's dishwasher started."])
def test_get_something_started_is_an_order(home: Talk, text: str) -> None:
    assert home.ask(text).status in (Status.DONE, Status.CLARIFY)


def test_somebody_who_started_something_is_told_of(home: Talk) -> None:
    assert home.ask("my brother got the kitchen's dishwasher started").status is not Status.DONE
    assert home.changed() == {}


@pytest.mark.parametrize(
    "text",
    [
        "the kids turned off the hallway light",
        "Anna opened the blinds",
        "the plumber closed the garage door",
        "turning on the oven is dangerous",
    ],
)
def test_what_somebody_did_is_told_and_not_done(home: Talk, text: str) -> None:
    home["hallway-light#state"] = "on"
    before = dict(home.engine.state)
    home.engine.ask(text, consent=True)
    assert dict(home.engine.state) == before


@pytest.mark.parametrize(
    "text",
    ["thanks for turning off the hallway light", "sorry for opening the blinds", "the hallway light turned itself off"],
)
def test_what_somebody_is_thanked_for_is_done_already(home: Talk, text: str) -> None:
    home["hallway-light#state"] = "on"
    before = dict(home.engine.state)
    home.engine.ask(text, consent=True)
    assert dict(home.engine.state) == before


def test_it_is_the_rule_that_was_spoken_of(home: Talk) -> None:
    home.ask("every weekday at seven open the bedroom blind", conversation="rules")
    for text, enabled in (("pause that rule", False), ("resume it", True), ("pause it", False)):
        home.ask(text, conversation="rules")
        assert [one.rule.enabled for one in home.engine.rules.rules()] == [enabled]
    home.ask("delete it", conversation="rules")
    assert not home.engine.rules.rules()
    assert home.changed() == {}


@pytest.mark.parametrize("text", ["nothing in the study may stay on", "nothing in the kitchen should be on"])
def test_what_is_said_of_nothing_is_ordered_of_nothing(home: Talk, text: str) -> None:
    home.ask(text)
    assert home.changed() == {}


def test_nothing_else_and_nothing_to_do_deny_no_order(house: Talk) -> None:
    house["landing-light#state"] = "off"
    assert house.ask("turn on the landing light, nothing else").status is Status.DONE
    assert house.ask("I've nothing to do.").status is Status.DONE


@pytest.mark.parametrize(
    "text", ["I want the blinds closed", "I want all the curtains closed", "I'd like the blinds opened"]
)
def test_a_wish_for_a_state_is_no_story(house: Talk, text: str) -> None:
    assert house.ask(text).status is Status.DONE


def test_courtesy_before_a_story_orders_nothing(house: Talk) -> None:
    assert house.ask("please my brother opened the garage door").status is not Status.DONE
    assert house.changed() == {}


@pytest.mark.parametrize(
    ("text", "path", "less"),
    [
        ("Take ten percent from the hallway light.", "hallway-light#brightness", 10),
        ("The hallway light, take 5 percent away from it.", "hallway-light#brightness", 5),
        ("Take 5 from the living room speaker.", "living-room-speaker#volume", 5),
        ("Deduct 5 from the living room speaker.", "living-room-speaker#volume", 5),
    ],
)
def test_what_is_taken_from_a_thing_is_so_much_less(house: Talk, text: str, path: str, less: float) -> None:
    before = house[path]
    assert house.ask(text).status is Status.DONE
    assert house[path] == before - less


def test_from_one_number_to_another_is_no_time(house: Talk) -> None:
    outcome = house.ask("turn the desk lamp from 40 to 20")
    assert outcome.status is Status.DONE
    assert house["desk-lamp#brightness"] == 20


def test_a_rule_may_set_a_colour(house: Talk) -> None:
    outcome = house.ask("On Tuesdays and Thursdays at nine in the evening make the night light blue.")
    assert outcome.status is Status.SCHEDULED, outcome.reply
    assert house.changed() == {}
