"""What was told is used, and what is told is kept, in other people's words."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.memory.playing import playing

LAMP = (
    "For the desk lamp Robin prefers 35 percent and 3000 kelvin.",
    "Robin's partner Kim likes every lamp at 90 percent.",
)
WASH = ("Robin always washes with the quick program at 800 rpm.", "Robin dislikes the smell of lavender.")
GUEST = (
    "Grandma likes the guest room radiator at 24 degrees and the guest room lamp at 60 percent.",
    "Uncle Ben likes the guest room radiator at 18 degrees.",
)
KIDS = ("When the kids go to bed, the boys' speaker stops and the night light is at 15 percent.",)
USED = (
    (
        "house",
        LAMP,
        {"desk-lamp.Brightness": 35, "desk-lamp.ColourTemperature": 3000},
        (
            "you know how I like my desk lamp, do that",
            "can you do the desk lamp like i like it",
            "the desk lamp should be like it always is for me",
            "adjust the desk lamp to what I normally go for",
            "Would you kindly arrange the desk lamp in the manner I am fond of?",
        ),
    ),
    (
        "house",
        WASH,
        {
            "washing-machine.WashProgram": "quick",
            "washing-machine.SpinSpeed": 800,
            "washing-machine.WashingState": "washing",
        },
        ("do my washing as always", "Time for the laundry, same as ever", "run a wash like I usually do"),
    ),
    (
        "house",
        GUEST,
        {"radiator.TargetTemperature": 24, "guest-lamp.Brightness": 60},
        (
            "set the guest room up for grandma",
            "granny's staying over, guest room as she prefers it",
            "Please prepare the guest room according to Grandma's wishes",
        ),
    ),
    (
        "mill",
        KIDS,
        {"night-light.Brightness": 15, "boys-speaker.Playback": "stopped"},
        ("It's past the children's bedtime", "I'm tucking the kids in", "the children should be in their bunks"),
    ),
)
TOLD = (
    "I feel best with the study at 21 degrees",
    "as a rule I keep the bedroom at 18 degrees",
    "when I work I keep the desk lamp at 80",
    "I can't sleep with the night light on",
    "I'm allergic to cats",
    "I'm vegetarian",
    "I hate it when the fan is loud at night",
    "22 degrees is my comfort temperature",
)
COME_AND_GONE = ("the guests have left", "I'm back", "I'm going to work", "we're home again")


@pytest.mark.parametrize(
    ("home", "told", "wanted", "text"),
    [(home, told, wanted, text) for home, told, wanted, texts in USED for text in texts],
)
def test_what_was_told_is_used_however_it_is_asked_for(
    home: str, told: tuple[str, ...], wanted: dict[str, object], text: str
) -> None:
    with playing(home) as played:
        assert played.say(text, memory=told).status is Status.DONE
        assert {one: played.value(*one.split(".")) for one in wanted} == wanted


def test_what_is_told_of_oneself_is_kept_and_changes_nothing() -> None:
    with playing("house") as played:
        before = played.home.state.snapshot()
        for text in TOLD:
            outcome = played.say(text)
            assert (outcome.status, "keep that in mind" in outcome.reply) == (Status.DONE, True), text
        assert played.home.state.snapshot() == before


def test_who_comes_and_goes_is_told_and_acts_by_a_routine_alone() -> None:
    with playing("house") as played:
        before = played.home.state.snapshot()
        for text in COME_AND_GONE:
            outcome = played.say(text)
            assert (outcome.status, "keep in mind" in outcome.reply) == (Status.DONE, True), text
        assert played.home.state.snapshot() == before
        told = ("When Robin comes home, the floor lamp is at 45 percent.",)
        assert played.say("I'm back", memory=told).status is Status.DONE
        assert played.value("floor-lamp", "Brightness") == 45


def test_a_spell_that_was_told_to_be_over_is_over() -> None:
    with playing("mill") as played:
        played.say("I'm going to work")
        played.at("18:00")
        played.say("turn on the larder light", user="Kim")
        played.at("19:00")
        played.say("I'm back")
        played.say("turn on the writing lamp", user="Kim")
        answer = played.say("what changed while I was away?").reply
        assert "arder" in answer
        assert "riting" not in answer
