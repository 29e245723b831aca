"""What is told of how things are, were or may be, or of who did something with them, puts nothing on: with all of it
consented to, in two homes whose lamps are off."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest

from engine.dialogue.assistant import Consent
from engine.model.outcome import Status
from tests.dialogue.talks import BEGAN
from tests.dialogue.test_left_out_by_state import HERE, HOMES, Lamps
from tests.homes import a_home

WHO = (
    "I", "we", "my wife", "the kids", "someone", "the neighbour", "they", "she", "the cat", "grandma", "the guests",
    "nobody", "our son",
)  # fmt: skip
DID = (
    "found", "saw", "noticed", "turned", "switched", "saw someone turn", "heard that you turned", "dreamed of",
    "caught", "had", "forgot", "bought", "cleaned", "used to have", "never leaves", "hates", "always finds", "admired",
    "has had", "complained about",
)  # fmt: skip
WHAT = ("the lights", "all the lights", "the kitchen light")
SO = ("on", "on last night", "on all day", "burning", "on again")
MOST = 90
TOLD = (
    "the lights are never on", "the lights were on", "the lights have been on all day", "the lights had been on",
    "the lights were left on by the kids", "the lights keep going on", "the lights used to be on",
    "the lights could have been on", "why are the lights on", "the lights come on by themselves", "the lights went on",
    "it was me who had the lights on", "what if the lights were on", "imagine the lights were on",
    "I wonder whether the lights are on", "the lights might be on", "the lights may well be on",
    "I hope the lights are on", "I thought the lights were on", "I'm sure the lights are on",
    "I doubt the lights are on", "the lights are probably on", "the lights seem to be on",
    "the lights, which were on, are nice", "no lights are on", "none of the lights are on", "there's no light on",
    "there are no lights on", "not all the lights are on", "half the lights are on", "only one light is on",
    "the lights won't be on", "the lights can't be on", "the lights cannot be on", "the lights couldn't be on",
    "the lights wouldn't be on", "the lights didn't go on", "the lights don't go on", "the lights haven't been on",
    "the lights never went on", "don't let the lights be on", "never have the lights on", "we never have the lights on",
    "I can't have the lights on", "I won't have the lights on", "I don't want to have the lights on",
    "I refuse to have the lights on", "who had the lights on", "stop having the lights on", "without the lights on",
    "I'm not having the lights on", "let's not have the lights on", "I'd hate to have the lights on",
    "no need to have the lights on", "better not have the lights on", "rather not the lights on",
    "anything but the lights on", "lights on? no way", "lights on is not what I want", "I did not say lights on",
    "did I say lights on?", "the last thing I want is the lights on", "who needs the lights on",
    "it makes no sense to have the lights on", "it's a waste to have the lights on", "having the lights on costs money",
    "I'm against the lights being on", "the lights being on annoys me", "keep the lights from coming on",
    "prevent the lights from going on", "the lights must on no account be on", "by no means should the lights be on",
    "under no circumstances should the lights go on", "no more lights on please",
)  # fmt: skip


def sampled() -> list[str]:
    """Some of all that can be told in these words, always the same."""
    every = [" ".join(one) for one in product(WHO, DID, WHAT, SO)]
    return random.Random(7).sample(every, MOST)


@pytest.mark.parametrize("name", ["house", "flat"])
def test_what_is_told_is_not_done(name: str) -> None:
    lamps = Lamps(a_home(HOMES[name], now=BEGAN))
    assert [text for text in (*TOLD, *sampled()) if lamps.on_after(text)] == []


MOST_TAKEN_FOR_ORDERS, FEWEST_ORDERS = 16, 51
"""What is reached of 150 tellings and 90 orders: the one only goes down, the other only up."""


def test_of_what_a_stranger_tells_little_is_taken_for_an_order() -> None:
    lines = (HERE / "tests/acceptance/tellings.jsonl").read_text(encoding="utf-8").splitlines()
    home = a_home(HOMES["house"], now=BEGAN)
    done: dict[str, list[str]] = {"telling": [], "order": []}
    for number, line in enumerate(map(json.loads, lines)):
        outcome = home.ask(line["text"], consent=Consent.ALL, conversation=f"talk {number}")
        if outcome.status in (Status.DONE, Status.PARTIAL, Status.SCHEDULED):
            done[line["kind"]].append(line["text"])
    assert len(done["telling"]) <= MOST_TAKEN_FOR_ORDERS, done["telling"]
    assert len(done["order"]) >= FEWEST_ORDERS
