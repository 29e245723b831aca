"""Questions without much around them, shares of what is, and conditions that only say which: each in several homes."""

from __future__ import annotations

import pytest

from engine.dialogue.assistant import Consent
from engine.model.outcome import Status
from tests.dialogue.talks import Talk
from tests.dialogue.test_left_out_by_state import Lamps


def _rooms_of(lamps: Lamps) -> dict[str, list[str]]:
    """The titles of rooms with lamps, with their lamps."""
    registry = lamps.talk.engine.registry
    found: dict[str, list[str]] = {}
    for lamp in lamps.of:
        place = registry.thing_of[lamp].place
        if place is not None:
            found.setdefault(registry.places[place].name, []).append(lamp)
    return dict(sorted(found.items()))


def test_which_are_on_in_two_rooms(lamps: Lamps) -> None:
    lamps.begin(on=False)
    (first, lit), (second, _), *_ = _rooms_of(lamps).items()
    lamps.switch({lit[0]})
    outcome = lamps.ask(f"which lights are on in the {first} and the {second}?")
    assert outcome.status is Status.ANSWERED, outcome.reply
    assert outcome.answer is not None
    assert isinstance(outcome.answer.value, list)
    assert len(outcome.answer.value) == 1, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "how many lights are asleep?",
        "how many of the lights are awake?",
        "how many degrees is it in here",
        "what is the light on",
        "which of the lights is at half",
        "how many degrees are there between the rooms",
        "lights on? yes or no!",
        "are the lights on, yes or no",
    ],
)
def test_a_question_does_nothing(lamps: Lamps, text: str) -> None:
    assert not lamps.on_after(text)
    lamps.begin()
    lamps.talk.engine.ask(text, consent=Consent.ALL)
    assert lamps.on() == set(lamps.of)


@pytest.mark.parametrize("text", ["how many lights are asleep?", "how many of the lights are dreaming?"])
def test_a_state_that_nobody_knows_is_not_passed_over(lamps: Lamps, text: str) -> None:
    lamps.begin()
    assert lamps.ask(text).status is not Status.ANSWERED


@pytest.mark.parametrize(
    "talk", ["count them for me:", "name them for me:", "just curious,", "out of curiosity,", "give me a number:"]
)
def test_talk_before_a_question(lamps: Lamps, talk: str) -> None:
    lamps.begin(on=False)
    lamps.switch({min(lamps.of)})
    plain, outcome = lamps.ask("how many lights are on?"), lamps.ask(f"{talk} how many lights are on?")
    assert plain.answer is not None
    assert outcome.answer is not None, outcome.reply
    assert outcome.answer.value == plain.answer.value, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "all lights to half of what they are now",
        "dim all the lights to half their brightness",
        "take every light down to half of its current brightness",
        "all the lights at half of what they're on now",
    ],
)
def test_half_of_what_is(lamps: Lamps, text: str) -> None:
    before = lamps.begin()
    outcome = lamps.ask(text)
    assert outcome.status is Status.DONE, outcome.reply
    now = lamps.levels()
    assert all(abs(now[lamp] - level / 2) <= 1 for lamp, level in before.items())


@pytest.mark.parametrize(
    ("text", "share"),
    [("a quarter of the way open", 25), ("three quarters of the way open", 75), ("half the way open", 50)],
)
def test_part_of_the_way(house: Talk, text: str, share: int) -> None:
    assert house.ask(f"the study blinds {text}, please").status is Status.DONE
    assert house["study-blinds#position"] == share


@pytest.mark.parametrize(
    "text",
    [
        "how many degrees in the bedroom",
        "how many degrees is it in the bedroom?",
        "just curious, how many degrees in the bedroom?",
    ],
)
def test_degrees_are_no_things_to_count(house: Talk, text: str) -> None:
    outcome = house.ask(text)
    assert outcome.answer is not None, outcome.reply
    assert outcome.answer.value == 20.5


def test_a_value_in_other_words_is_said_once(house: Talk) -> None:
    assert house.ask("living room air conditioner fan speed on full power, top of the scale").status is Status.DONE
    assert house["living-room-ac#fan_speed"] == "high"
    assert house["living-room-ac#target_temperature"] == 24


@pytest.mark.parametrize(
    "text",
    [
        "if there's nobody in a room, its lights off",
        "if a room is empty, turn its lights off",
        "if a room's temperature is above 20, close its blinds",
    ],
)
def test_a_condition_of_any_room_says_which_rooms_now(house: Talk, text: str) -> None:
    assert house.ask(text).status is Status.DONE


@pytest.mark.parametrize(
    "text", ["the kitchen light off, if it's all the same to you", "kitchen light off, if you've got a minute"]
)
def test_courtesy_is_no_condition(house: Talk, text: str) -> None:
    house["kitchen-light#state"] = "on"
    assert house.ask(text).status is Status.DONE
    assert house["kitchen-light#state"] == "off"


@pytest.mark.parametrize(
    "text",
    [
        "it's twenty-six I was after",
        "silly me, it was twenty-six that I was after",
        "oh dear, it was twenty-six I was after",
    ],
)
def test_the_value_that_somebody_was_after(house: Talk, text: str) -> None:
    house.ask("set the living room air conditioner to 20", conversation=text)
    house.ask(text, conversation=text)
    assert house["living-room-ac#target_temperature"] == 26


def test_which_of_two_states_is_so(lamps: Lamps) -> None:
    lamps.begin(on=False)
    name = lamps.talk.engine.registry.thing_of[min(lamps.of)].title
    outcome = lamps.ask(f"is the {name} on or off?")
    assert outcome.status is Status.ANSWERED, outcome.reply
    assert not outcome.reply.startswith(("Yes", "No")), outcome.reply


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("which rooms are warmer than the bedroom?", ["living room"]),
        ("which rooms are colder than the living room?", ["master bedroom"]),
        ("which speakers are louder than the living room speaker?", []),
    ],
)
def test_those_that_are_more_than_another(house: Talk, text: str, expected: list[str]) -> None:
    outcome = house.ask(text)
    assert outcome.answer is not None, outcome.reply
    assert outcome.answer.value == expected


def test_lights_brighter_than_another(house: Talk) -> None:
    more, less = (house.ask(f"how many lights are {how} than the hallway light?") for how in ("brighter", "dimmer"))
    assert more.answer is not None, more.reply
    assert less.answer is not None, less.reply
    assert more.answer.value == 6
    assert less.answer.value == 8


@pytest.mark.parametrize(
    "text",
    ["turn off the lights that are brighter than the kitchen light", "lights brighter than the kitchen light off"],
)
def test_a_comparison_with_another_is_not_lost(house: Talk, text: str) -> None:
    house["kitchen-light#state"] = house["hallway-light#state"] = "on"
    house.ask(text)
    assert house["kitchen-light#state"] == house["hallway-light#state"] == "on"


@pytest.mark.parametrize(
    "text",
    [
        "I'm leaving the light on",
        "we were leaving the lights on",
        "the kitchen light's off",
        "if I had left the light on, it would have burned all night",
        "the lights used to go off at five",
    ],
)
def test_what_is_told_of_lights_puts_none_off(house: Talk, text: str) -> None:
    house["kitchen-light#state"] = house["hallway-light#state"] = "on"
    house.engine.ask(text, consent=Consent.ALL)
    assert house["kitchen-light#state"] == house["hallway-light#state"] == "on"


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("open the study blinds a bit", 80),
        ("open the study blinds a little more", 80),
        ("close the study blinds slightly", 40),
        ("lower the study blinds a bit", 40),
    ],
)
def test_a_bit_of_the_way(house: Talk, text: str, position: int) -> None:
    house["study-blinds#position"] = 60
    assert house.ask(text).status is Status.DONE
    assert house["study-blinds#position"] == position


@pytest.mark.parametrize(
    "text",
    [
        "set the air conditioner in the bedroom and the living room to 21",
        "heat the bedroom and the living room to 21",
        "the air conditioner in the bedroom and the living room at 21 please",
    ],
)
def test_one_in_each_of_two_rooms(house: Talk, text: str) -> None:
    assert house.ask(text).status is Status.DONE
    assert house["bedroom-ac#target_temperature"] == house["living-room-ac#target_temperature"] == 21


def test_the_light_in_two_rooms(house: Talk) -> None:
    house["kitchen-light#state"] = house["hallway-light#state"] = "on"
    assert house.ask("turn off the light in the kitchen and the hallway").status is Status.DONE
    assert house["kitchen-light#state"] == house["hallway-light#state"] == "off"


@pytest.mark.parametrize(
    "text", ["lights off downstairs but leave the hall on", "switch the lights off but leave the hallway light on"]
)
def test_a_light_that_is_left_on_is_no_order_for_the_others(house: Talk, text: str) -> None:
    house["kitchen-light#state"] = house["hallway-light#state"] = "on"
    before = {name for name, value in house.engine.state.items() if value == "on"}
    house.ask(text)
    assert {name for name, value in house.engine.state.items() if value == "on"} <= before
    assert house["hallway-light#state"] == "on"


@pytest.mark.parametrize(
    "text",
    [
        "turn off everything except the hallway light",
        "turn everything off except the hallway light",
        "turn off everything but the hallway light",
    ],
)
def test_everything_but_one(house: Talk, text: str) -> None:
    house["kitchen-light#state"] = house["hallway-light#state"] = "on"
    assert house.ask(text).status is Status.DONE
    assert house["hallway-light#state"] == "on"
    assert house["kitchen-light#state"] == "off"
    assert house["study-plug#state"] == "off"
