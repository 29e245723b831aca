"""Rooms that are told by who is there, by what plays, by what is measured; "there" with and without a room before."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.dialogue.talks import FOUR_HOMES, Talk
from tests.homes import a_home

LIGHTS = ("hallway-light", "kitchen-light", "desk-lamp")


@pytest.mark.parametrize(
    "text",
    [
        "In rooms that are empty turn off the lights.",
        "in any empty room, the lights off",
        "turn off the lights in rooms that are empty right now, going by the motion sensors",
        "If the motion sensor in a room can find nobody, turn the lights there off.",
        "So if the motion sensor says nobody's in a room, put out the lights in there.",
        "Motion sensor says nobody in a room? Lights there off.",
        "If a room is unoccupied, its lights are to be off.",
        "Where there's no motion being picked up in a room, every light in it can go off.",
        "Rooms that aren't showing any motion, lights off in those.",
        "rooms with no motion on the sensor, kill their lights",
        "Wherever nothing moves, turn off the lights.",
        "Absence of motion in a room: all its lights off.",
    ],
)
def test_a_room_is_told_by_nobody_being_there(house: Talk, text: str) -> None:
    for light in LIGHTS:
        house[f"{light}#state"] = "on"
    outcome = house.ask(text)
    assert {light: house[f"{light}#state"] for light in LIGHTS} == {
        "hallway-light": "off",
        "kitchen-light": "on",
        "desk-lamp": "on",
    }, outcome.reply
    assert outcome.status is Status.DONE


@pytest.mark.parametrize(
    "text",
    [
        "Wherever music is playing, volume 20.",
        "In rooms where something is playing set the volume to 20.",
        "any room that has something playing, vol 20",
        "Got music or a video playing in a room? Volume twenty there.",
        "Volume 20 wherever there is active playback of music or video.",
        "If music is being played in a room, the volume there should be twenty.",
        "anywhere that's got a song on, make it volume 20 there",
    ],
)
def test_a_room_is_told_by_what_plays(house: Talk, text: str) -> None:
    house["living-room-speaker#playback"], house["living-room-speaker#volume"] = "playing", 50
    outcome = house.ask(text)
    assert house["living-room-speaker#volume"] == 20, outcome.reply
    playing = {"living-room-speaker#volume", "living-room-speaker#playback", "television#volume"}
    assert set(house.changed()) <= playing, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "If a room's above 22 degrees, turn its light on.",
        "If it's hotter than 22 somewhere, switch the light on in there.",
        "In case any room is crossing 22 degrees, its light should be on.",
        "Whichever room's reading more than 22 degrees, put the light on in there.",
    ],
)
def test_a_room_is_told_by_what_is_measured(house: Talk, text: str) -> None:
    outcome = house.ask(text)
    assert house["living-room-light#state"] == "on", outcome.reply
    assert house["desk-lamp#state"] == "off"
    assert outcome.status is Status.DONE


def test_there_is_where_was_spoken_of(house: Talk) -> None:
    for light in LIGHTS:
        house[f"{light}#state"] = "on"
    house.ask("Is the desk lamp on?", conversation="of the study")
    house.ask("Turn off all the lights in there.", conversation="of the study")
    assert [house[f"{light}#state"] for light in LIGHTS] == ["on", "on", "off"]


@pytest.mark.parametrize(
    "text", ["turn off the lights in there", "turn off all the lights there", "turn everything in there off"]
)
@pytest.mark.parametrize("name", FOUR_HOMES)
def test_where_nobody_spoke_of_is_asked_about(text: str, name: str) -> None:
    with a_home(FOUR_HOMES[name]) as engine:
        before = engine.state.snapshot()
        outcome = engine.ask(text, consent=True)
        assert outcome.status is Status.CLARIFY, outcome.reply
        assert engine.state.snapshot() == before


def test_what_nothing_here_can_tell_is_said_in_its_own_words(house: Talk) -> None:
    text = "when somebody comes into the pantry, turn on the pantry light"
    outcome = house.ask(text)
    assert (outcome.status, outcome.reason) == (Status.REFUSED, "no_such_event")
    assert outcome.reply == f"Nothing here can tell that: “{text}”."
