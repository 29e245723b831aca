"""What nobody wants any more is to be off, and nothing that is said beside it is lost; so much more or less than it is;
what falls short of a number. Each in four homes, whose lamps are set to what a test needs."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps
from tests.dialogue.test_words_not_lost import HARMLESS, among, rooms

UNWANTED = ["I don't want {these}", "don't want {these} any more", "We don't need {these}", "I'm done with {these}"]


@pytest.mark.parametrize("text", UNWANTED)
def test_it_is_put_out(lamps: Lamps, text: str) -> None:
    room = rooms(lamps)[0]
    lamps.begin()
    outcome = lamps.ask(text.format(these=f"the lights in the {room}"))
    assert outcome.status in (Status.DONE, Status.PROPOSED), outcome.reply
    if outcome.status is Status.DONE:
        assert set(lamps.of) - lamps.on() == among(lamps, room)


@pytest.mark.parametrize("text", UNWANTED)
def test_an_order_beside_it_is_not_lost(lamps: Lamps, text: str) -> None:
    first, other = rooms(lamps)[0], rooms(lamps)[-1]
    levels = lamps.begin()
    outcome = lamps.ask(
        f"{text.format(these=f'the lights in the {first}')}. Set the lights in the {other} to 55 percent."
    )
    now = lamps.levels()
    if outcome.status is Status.DONE:
        assert set(lamps.of) - lamps.on() == among(lamps, first), outcome.reply
        assert {lamp for lamp in lamps.of if now[lamp] != levels[lamp]} == among(lamps, other), outcome.reply
    else:
        assert outcome.status in HARMLESS, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "I don't want the lights in the {room} off",
        "I don't want the lights in the {room} off. What's on in the {room}?",
        "we don't need the lights in the {room} so bright",
        "don't want the lights in the {room} that bright",
    ],
)
def test_who_does_not_want_them_off_or_so_bright_keeps_them_on(lamps: Lamps, text: str) -> None:
    lamps.begin()
    lamps.ask(text.format(room=rooms(lamps)[0]))
    assert lamps.on() == set(lamps.of)


@pytest.mark.parametrize("than", ["than it is", "than now", "than it is now", "than it is at the moment"])
@pytest.mark.parametrize(("text", "by"), [("10 percent brighter", 10), ("ten percent dimmer", -10)])
def test_a_change_from_what_it_is_is_a_change(lamps: Lamps, than: str, text: str, by: int) -> None:
    levels = lamps.begin()
    outcome = lamps.ask(f"make every light {text} {than}")
    assert outcome.status in (Status.DONE, Status.PROPOSED), outcome.reply
    if outcome.status is Status.DONE:
        assert lamps.levels() == {lamp: min(100, max(1, level + by)) for lamp, level in levels.items()}


@pytest.mark.parametrize("below", ["fall short of", "don't reach", "stay below", "sit under"])
def test_what_falls_short_of_a_number_is_below_it(lamps: Lamps, below: str) -> None:
    levels = lamps.begin()
    outcome = lamps.ask(f"set the lights that {below} 60 percent to 60")
    if outcome.status is Status.DONE:
        assert lamps.levels() == {lamp: max(60, level) for lamp, level in levels.items()}, outcome.reply
    else:
        assert outcome.status in HARMLESS, outcome.reply


@pytest.mark.parametrize(
    "text", ["all lights off, the {room} one excepted", "turn all lights off, the {room} ones aside"]
)
def test_the_one_that_is_excepted_stays_on(lamps: Lamps, text: str) -> None:
    room = rooms(lamps)[0]
    lamps.begin()
    lamps.ask(text.format(room=room))
    assert among(lamps, room) <= lamps.on()
