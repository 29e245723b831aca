"""Orders that were not so meant, and one thing as another is: what memory offers as a reading, in four homes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from engine.dialogue.recalling import from_this_talk
from engine.dialogue.requests.request import Request
from engine.graph.terms import expand
from engine.model.intent import Intent
from tests.memory.playing import Played, playing


@pytest.fixture(params=["farmhouse", "gull", "house", "mill"])
def played(request: pytest.FixtureRequest) -> Iterator[Played]:
    with playing(request.param) as found:
        yield found


def offered(played: Played, text: str, name: str) -> Sequence[Intent]:
    """What memory offers as a reading of a request, by the name of what offers it."""
    home = played.home
    request = Request(text.format(**played.words), "urn:request", "Robin")
    memory = home.conversation("Robin").memory
    return from_this_talk(request, memory, home.state, home.assistant._context(request, memory.past)).get(name, ())


def wanted(played: Played, intents: Sequence[Intent]) -> dict[str, object]:
    """What is wanted of each thing, by what tests call it."""
    found = {}
    for one in intents:
        thing = played.home.registry.thing_of[one.selection.things[0]]
        amount = one.amount.value if one.amount is not None else (one.command or "").removeprefix(expand("hg:"))
        found["lamp" if thing.title.lower() == played.words["lamp"].lower() else "light"] = amount
    return found


@pytest.mark.parametrize(
    "text",
    [
        "no, the {light} I meant",
        "oops, not the {lamp}, it's the {light} that should be on",
        "wrong one! put the {lamp} back and do the {light}",
        "sorry, it was the {light} i was after, undo the {lamp}",
        "it's the {light} I wanted on, the {lamp} can be as it was before",
    ],
)
def test_the_wrong_thing_is_set_back_and_the_right_one_gets_the_same(played: Played, text: str) -> None:
    played.say("turn on the {lamp}")
    assert wanted(played, offered(played, text, "mistaken:thing")) == {"lamp": False, "light": "TurnOn"}


@pytest.mark.parametrize(
    "text",
    [
        "and the {light} too",
        "turn the {light} on as well",
        "is the {light} on?",
        "what about the {light}, is it not on?",
    ],
)
def test_one_more_is_no_correction(played: Played, text: str) -> None:
    played.say("turn on the {lamp}")
    assert not offered(played, text, "mistaken:thing")


def test_what_is_mended_once_is_mended(played: Played) -> None:
    played.say("turn on the {lamp}")
    assert not offered(played, "no, put it back", "mistaken:thing"), "no other thing is named"
    assert not offered(played, "no, the {lamp}", "mistaken:thing"), "that is the one"


def test_one_of_two_that_were_spoken_of_gets_the_value_of_the_other() -> None:
    with playing("gull") as played:
        played.say("set the hearth lamp to 70")
        played.say("set the nightstand lamp to 20")
        for text in (
            "make the hearth lamp the same as the nightstand lamp",
            "the hearth one should be as bright as the other",
            "dim the brighter one to what the other is at",
            "bring the hearth one down so they're the same",
            "whichever is brighter should match the other one",
        ):
            assert wanted(played, offered(played, text, "alike")) == {"lamp": 20}, text
        for text in ("raise the dimmer one until it is like the other", "match the nightstand lamp to the hearth one"):
            assert [i.amount.value for i in offered(played, text, "alike") if i.amount] == [70], text
        for text in ("set both to 40", "turn them off", "the same again at 30, please", "how bright is the other one?"):
            assert not offered(played, text, "alike"), text


def test_another_value_takes_the_place_of_the_one_that_was_said() -> None:
    with playing("gull") as played:
        played.say("set the hearth lamp to red")
        for text in ("no, I meant blue", "sorry, it's blue I want and not red", "wrong colour! blue", "not red, blue"):
            (intent,) = offered(played, text, "mistaken:value")
            assert "blue" in str(intent.amount), text
        for text in ("blue", "and the dining lamp blue", "no, 40", "not red", "is it blue?", "not the bed one"):
            assert not offered(played, text, "mistaken:value"), text
