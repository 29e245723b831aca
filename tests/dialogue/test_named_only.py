"""Properties that are only named, places that are none here, and what is asked behind a story: nothing is done."""

from __future__ import annotations

import pytest

from engine.dialogue.assistant import Consent
from engine.model.outcome import Status
from tests.dialogue.talks import Talk
from tests.dialogue.test_left_out_by_state import Lamps


@pytest.mark.parametrize("form", ["the brightness of the {}", "{} brightness", "{} brightness."])
def test_a_property_that_is_named_is_asked_for(lamps: Lamps, form: str) -> None:
    lamps.begin()
    lamp = lamps.talk.engine.registry.thing_of[min(lamps.of)].title
    outcome = lamps.ask(form.format(lamp))
    assert outcome.status in (Status.ANSWERED, Status.REFUSED), outcome.reply  # some lamps here have no brightness
    assert not outcome.changes


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("living room temperature", 22.5),
        ("the temperature in the living room", 22.5),
        ("floor lamp brightness", 40),
        ("the living room temperature and humidity", None),
        ("living room air conditioner mode", None),
    ],
)
def test_it_is_told(house: Talk, text: str, value: object) -> None:
    outcome = house.ask(text)
    assert outcome.status is Status.ANSWERED, outcome.reply
    assert outcome.answer is not None
    assert value is None or outcome.answer.value == value


@pytest.mark.parametrize(
    "text", ["temperature in the study", "humidity in the study", "the temperature and the humidity in the bedroom"]
)
def test_a_named_measure_is_no_wish(house: Talk, text: str) -> None:
    assert not house.ask(text, consent=Consent.ALL).changes


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("mute the tv", "television#muted", True),
        ("tv mute", "television#muted", True),
        ("floor lamp brightness 70", "floor-lamp#brightness", 70),
        ("tv volume up", "television#volume", 35),
    ],
)
def test_a_value_or_a_verb_orders(house: Talk, text: str, name: str, value: object) -> None:
    assert house.ask(text).status is Status.DONE
    assert house[name] == value


@pytest.mark.parametrize(
    "form",
    [
        "is the light on in the {}?",
        "what's the temperature in the {}?",
        "{} temperature",
        "how many lights are on in the {}?",
        "which lights are on in the {}?",
    ],
)
@pytest.mark.parametrize("place", ["wine cellar", "boathouse"])
def test_another_place_does_not_answer_for_one_that_is_none_here(lamps: Lamps, form: str, place: str) -> None:
    lamps.begin()
    outcome = lamps.ask(form.format(place))
    assert outcome.status is not Status.ANSWERED, outcome.reply
    assert not outcome.changes


@pytest.mark.parametrize(
    "text",
    [
        "I like to keep an eye on what my visitors leave burning, so how many of the lights are on?",
        "it's freezing in here, what's the temperature in the living room?",
        "my mother rings me up every hour to ask, so what's the temperature in the living room?",
        "there's such a noise in here, so which things are playing?",
    ],
)
def test_what_is_asked_behind_a_story_is_answered(house: Talk, text: str) -> None:
    outcome = house.ask(text, consent=Consent.ALL)
    assert outcome.status is Status.ANSWERED, outcome.reply
    assert not outcome.changes
    assert not house.engine.rules.rules()


@pytest.mark.parametrize("text", ["advise me of the temperature in the living room", "inform me of the humidity there"])
def test_who_wants_to_be_told_wants_nothing_done(house: Talk, text: str) -> None:
    assert not house.ask(text, consent=Consent.ALL).changes


@pytest.mark.parametrize(
    "text", ["make it warmer in the study", "warm up the study", "turn up the temperature in the study"]
)
def test_a_room_gets_warmer_only_by_what_is_at_work(house: Talk, text: str) -> None:
    house["study-heater#state"] = "off"
    assert house.ask(text).status is Status.DONE
    assert house["study-heater#state"] == "on"
    assert house["study-heater#target_temperature"] > 19


def test_one_step_is_enough_for_what_is_at_work(house: Talk) -> None:
    house["living-room-ac#state"] = "on"
    outcome = house.ask("make it cooler in the living room")
    assert [(c.before, c.after) for c in outcome.changes] == [(24, 23)]


@pytest.mark.parametrize(
    "text",
    ["turn the temperature on in the living room", "I'd like a temperature put on the living room air conditioner"],
)
def test_no_number_is_the_most(house: Talk, text: str) -> None:
    outcome = house.ask(text)
    assert outcome.status is Status.CLARIFY
    assert outcome.reason == "missing_value"


def test_a_volume_that_is_put_on_is_not_the_loudest(house: Talk) -> None:
    house.ask("turn the volume of the tv on")
    assert house["television#volume"] == 25


@pytest.mark.parametrize(
    "text",
    [
        "the floor lamp should go to half what it's giving now",
        "reduce the floor lamp to one half thereof",
        "floor lamp down to half of what it gives now",
    ],
)
def test_half_of_the_present(house: Talk, text: str) -> None:
    house["floor-lamp#state"] = "on"
    assert house.ask(text).status is Status.DONE
    assert house["floor-lamp#brightness"] == 20


@pytest.mark.parametrize(
    ("text", "thing"), [("make it warmer in the bathroom", "water-heater"), ("make it cooler in the kitchen", "oven")]
)
def test_a_room_is_not_made_warmer_by_what_warms_no_room(house: Talk, text: str, thing: str) -> None:
    outcome = house.ask(text, consent=Consent.ALL)
    assert not [c for c in outcome.changes if thing in c.property]
    assert outcome.status is not Status.DONE


@pytest.mark.parametrize("text", ["dim the lights", "turn down the lights", "dim all the lights by 10 percent"])
def test_nobody_dims_a_lamp_that_is_off(lamps: Lamps, text: str) -> None:
    lamps.begin(on=False)
    lit = set(sorted(lamps.of)[:2])
    lamps.switch(lit)
    before = lamps.levels()
    assert lamps.ask(text).status is Status.DONE
    assert lamps.on() == lit
    assert all(lamps.levels()[lamp] < before[lamp] for lamp in lit)


def test_whether_there_is_anything_is_no_question(house: Talk) -> None:
    assert house.ask("what did I just say").status is not Status.ANSWERED


@pytest.mark.parametrize("form", ["the {}", "the {} please", "a picture of the {}", "the light of the {}"])
def test_a_thing_that_is_named_is_no_wish(lamps: Lamps, form: str) -> None:
    """No scene, and no habit: whoever says no more than a name has not said what shall be done."""
    lamps.begin()
    lamp = lamps.talk.engine.registry.thing_of[min(lamps.of)].title
    assert not lamps.talk.ask(form.format(lamp), consent=Consent.ALL).changes


@pytest.mark.parametrize(
    "text", ["the lights in the kitchen", "the back door", "the bedroom", "state of the front door"]
)
def test_neither_is_a_place(house: Talk, text: str) -> None:
    assert not house.ask(text, consent=Consent.ALL).changes


@pytest.mark.parametrize("text", ["the kitchen light is too bright", "the lights in the kitchen off"])
def test_what_is_said_of_it_is(house: Talk, text: str) -> None:
    house.ask("turn on the kitchen light")
    assert house.ask(text, consent=Consent.ALL).changes
