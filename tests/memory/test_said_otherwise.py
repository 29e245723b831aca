"""What was so or was done before, said as ten people would say it, in four homes."""

from __future__ import annotations

import pytest

from engine.model.outcome import Status
from tests.memory.playing import playing

BACK = (
    (
        "house",
        ("set the living room speaker to 70", "turn on the pantry light"),
        {"living-room-speaker.Volume": 30},
        (
            "oh gosh that's way too loud, back to how loud the speaker was before please",
            "the speaker should have the volume it had earlier",
            "I preferred the volume we had on the speaker before",
        ),
    ),
    (
        "mill",
        ("I have to take a call, set the telly to volume 5", "close the kitchen blind"),
        {"telly.Volume": 28},
        (
            "That's my call done, you can bring the telly's sound back up to what it was",
            "finished on the phone, telly volume like before pls",
            "Call over. Telly: previous volume.",
            "I've hung up, so give the telly its old volume back",
        ),
    ),
    (
        "farmhouse",
        ("set Moonbeam to 90", "turn on the pantry light"),
        {"moonbeam.Brightness": 20},
        (
            "Forget about Moonbeam, leave it how it was",
            "never mind about Moonbeam, put it back",
            "scrap what I did to Moonbeam",
        ),
    ),
    (
        "house",
        ("set the study heater to 25",),
        {"study-heater.TargetTemperature": 19, "guest-lamp.Brightness": 40},
        (
            "never mind the study heater, put it back, and have the guest room lamp at 40",
            "Undo what I said about the study heater, and I want the guest room lamp at 40",
            "What I did with the study heater, take it back. And the guest room lamp please to forty.",
            "Okay never mind the study heater, make it how it was, and can you get the guest room lamp on at forty?",
        ),
    ),
    (
        "mill",
        ("turn off the standard lamp",),
        {"standard-lamp.Power": True, "library-heater.TargetTemperature": 23},
        (
            "Hmm, the standard lamp was all right as it was. Warm the library to 23 with the heater instead.",
            "I've reconsidered: standard lamp as before, library heater at 23 degrees",
        ),
    ),
)
ALIKE = (
    (
        "house",
        ("set the desk lamp to 35", "close the study blinds"),
        {"guest-lamp.Brightness": 35},
        (
            "what I did to the desk lamp, do that to the guest room lamp too",
            "See how I did the desk lamp? Guest room lamp please, just like that.",
            "What was that brightness I said for the desk lamp? Put the guest room lamp on that.",
            "As with the desk lamp, so with the guest room lamp",
            "Let the guest room lamp follow the desk lamp",
            "copy the desk lamp's setting over to the guest room lamp",
        ),
    ),
    (
        "mill",
        ("set the sitting room radiator to 22.5", "lock the back door"),
        {"library-heater.TargetTemperature": 22.5},
        (
            "make the library heater the same temp i said for the sitting room",
            "whatever temperature I told you for the sitting room, the library heater gets it too",
            "Take the sitting room temperature from a moment ago for the library heater",
        ),
    ),
    (
        "mill",
        ("set the writing lamp to 35", "lock the back door"),
        {"nook-lamp.Brightness": 35},
        ("the number I gave for the writing lamp should be used for the nook one too",),
    ),
    (
        "gull",
        ("make the dining lamp purple", "turn on the plant TV"),
        {"2203.LightColour": "purple"},
        (
            "give the hearth lamp that colour as well",
            "I want the hearth lamp the colour of the dining lamp",
            "the hearth lamp could do with the colour I gave the dining lamp",
        ),
    ),
)
NOT_MEANT = (
    ("house", ("set the desk lamp to 35",), "don't do the same to the guest room lamp"),
    ("house", ("set the desk lamp to 35",), "is the guest room lamp like the desk lamp?"),
    ("mill", ("set the sitting room radiator to 22.5",), "What did I do to the sitting room radiator before?"),
    ("farmhouse", ("set Moonbeam to 90",), "should I put Moonbeam back to what it was?"),
)


@pytest.mark.parametrize(
    ("home", "turns", "wanted", "text"),
    [(home, turns, wanted, text) for home, turns, wanted, texts in (*BACK, *ALIKE) for text in texts],
)
def test_what_was_before_is_so_again_or_elsewhere(
    home: str, turns: tuple[str, ...], wanted: dict[str, object], text: str
) -> None:
    with playing(home) as played:
        for turn in turns:
            assert played.say(turn).status is Status.DONE
        assert played.say(text).status is Status.DONE
        assert {one: played.value(*one.split(".")) for one in wanted} == wanted


@pytest.mark.parametrize(("home", "turns", "text"), NOT_MEANT)
def test_what_only_speaks_of_it_changes_nothing(home: str, turns: tuple[str, ...], text: str) -> None:
    with playing(home) as played:
        for turn in turns:
            played.say(turn)
        before = played.home.state.snapshot()
        played.say(text)
        assert played.home.state.snapshot() == before


def test_a_colour_is_held_against_another_as_the_list_that_it_is() -> None:
    with playing("house") as played:
        played.say("make the floor lamp red")
        assert played.say("worktop light strip, the same colour as that").status is Status.DONE
        assert played.value("worktop-light", "LightColour") == played.value("floor-lamp", "LightColour")


def test_never_mind_is_no_prohibition() -> None:
    with playing("mill") as played:
        played.say("turn off the standard lamp")
        outcome = played.say("never mind the standard lamp, undo that, and put the writing lamp on at sixty")
        assert outcome.status is Status.DONE
        assert played.is_on("standard-lamp")
        assert played.value("writing-lamp", "Brightness") == 60
