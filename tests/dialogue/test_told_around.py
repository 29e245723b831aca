"""An order that is told with what somebody does or thinks, what stands beside it and denies or tells of others, and how
much of what is now: each in four homes."""

from __future__ import annotations

import pytest

from engine.dialogue.requests.request import Request
from engine.language.chart.account import account_of
from engine.model.outcome import Status
from tests.dialogue.test_left_out_by_state import Lamps
from tests.dialogue.test_words_not_lost import HARMLESS, among, room_of, rooms

CAREFUL = (Status.DONE, Status.PROPOSED, Status.CLARIFY, Status.REFUSED)


@pytest.mark.parametrize(
    "text",
    [
        "I am off to the market, so all lights off.",
        "My sister's train leaves from the far platform. Turn all the lights off.",
        "Turn all the lights off, because I can't bear it.",
    ],
)
def test_what_somebody_tells_does_not_hide_what_they_want(lamps: Lamps, text: str) -> None:
    lamps.begin()
    assert lamps.ask(text).status in (Status.DONE, Status.PROPOSED)
    assert lamps.on() in (set(), set(lamps.of))


@pytest.mark.parametrize(
    "text",
    [
        "I have already turned all the lights off.",
        "My sister said to turn all the lights off. I laughed.",
        "If I were rich, I would have them all off. I am not.",
        "Don't turn the lights off. I am reading.",
    ],
)
def test_what_is_told_alone_is_no_order(lamps: Lamps, text: str) -> None:
    lamps.begin()
    lamps.ask(text)
    assert lamps.on() == set(lamps.of)


def test_a_room_that_was_told_of_bounds_the_order(lamps: Lamps) -> None:
    room = rooms(lamps)[0]
    lamps.begin()
    lamps.ask(f"We are done working in the {room}. Lights off.")
    assert set(lamps.of) - lamps.on() in (set(), among(lamps, room))


def test_the_account_says_what_is_only_told_and_what_is_read_by_itself(lamps: Lamps) -> None:
    room = rooms(lamps)[0]
    lamps.begin()
    request = Request(f"We are done working in the {room}. Lights off.", "urn:request")
    lines = list(account_of(request.text, request.iri, lamps.talk.engine.assistant.hearing(request), 1))
    assert "Read by itself: Lights off" in lines
    assert f"Told only, and left out: We are done working in the {room}" in lines
    whole = Request("Lights off", "urn:request")
    assert not any(
        line.startswith("Told only")
        for line in account_of(whole.text, whole.iri, lamps.talk.engine.assistant.hearing(whole), 1)
    )


@pytest.mark.parametrize(
    "text", ["All lights off. Not the {room}.", "All lights off. Not the {room} though, leave that be."]
)
def test_a_denial_in_a_sentence_of_its_own_is_heeded(lamps: Lamps, text: str) -> None:
    room = rooms(lamps)[0]
    lamps.begin()
    outcome = lamps.ask(text.format(room=room))
    assert outcome.status in CAREFUL
    assert among(lamps, room) <= lamps.on()


@pytest.mark.parametrize(
    "text",
    [
        "the {lamp} in the {room} to 33, the others off",
        "set the {lamp} in the {room} to 33 and turn off the rest",
        "turn off all the other lights and put the {lamp} in the {room} at 33",
    ],
)
def test_the_others_are_not_dropped(lamps: Lamps, text: str) -> None:
    parts = lamps.talk.engine.registry.parts
    lamp = min(lamps.of, key=lambda one: (len(parts[one].title), one))
    levels = lamps.begin()
    outcome = lamps.ask(text.format(lamp=parts[lamp].title, room=room_of(lamps, lamp)))
    on, now = lamps.on(), lamps.levels()
    assert outcome.status in (*HARMLESS, Status.DONE, Status.PARTIAL)
    if outcome.status is Status.DONE:
        assert lamps.of.keys() - on
        assert lamp in on
    assert on != set(lamps.of) or now == levels, "one is set, and the others are forgotten"


@pytest.mark.parametrize(
    "text", ["the {lamp} in the {room} to half of what it is now", "cut the {lamp} in the {room} to half of what it is"]
)
def test_half_of_what_is_now_is_no_half_of_all(lamps: Lamps, text: str) -> None:
    parts = lamps.talk.engine.registry.parts
    lamp = min(lamps.of, key=lambda one: (len(parts[one].title), one))
    levels = lamps.begin()
    lamps.ask(text.format(lamp=parts[lamp].title, room=room_of(lamps, lamp)))
    assert lamp in lamps.on()
    assert lamps.levels()[lamp] == levels[lamp] or abs(lamps.levels()[lamp] - levels[lamp] / 2) <= 1
