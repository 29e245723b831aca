"""What people told of themselves is used where a request leaves it to be known; what nobody told is asked for once,
kept, and then done: the uses of the memory that SAGE names, in a home with two televisions (sections IV-A and VI)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.memory.kept import facts
from engine.model.outcome import Status
from tests.memory.playing import Played, playing


@pytest.fixture
def gull() -> Iterator[Played]:
    with playing("gull") as found:
        yield found


def channel(gull: Played, number: str) -> tuple[bool, int]:
    return gull.is_on(f"device:{number}"), gull.value(f"device:{number}", "Channel")


def test_the_game_of_a_known_team_is_put_on_the_television_that_is_named(gull: Played) -> None:
    gull.say("My favourite team is the Harbour Rovers")
    gull.say("My team's games are on channel 14")
    gull.at("+1 19:00")
    outcome = gull.say("put the game on the credenza TV and dim the lounge lamp")
    assert outcome.status is Status.DONE
    assert channel(gull, "2101") == (True, 14)
    assert not gull.is_on("device:2102"), "the other television stays as it is"
    assert gull.value("device:2201", "Brightness") < 60
    assert "Harbour Rovers" in outcome.reply, "and it says from what it was filled"


def test_an_unknown_team_is_asked_for_kept_and_not_asked_for_again(gull: Played) -> None:
    before = gull.home.state.snapshot()
    assert gull.say("put the match on the plant TV").question == "Which is your team?"
    assert gull.say("Mill Albion").question == "On which channel is your team?"
    assert gull.home.state.snapshot() == before, "nothing is done before all is known"
    assert gull.say("it's on channel 30").status is Status.DONE
    assert channel(gull, "2102") == (True, 30)
    gull.say("turn off the plant TV")
    gull.at("+3 20:00")
    assert gull.say("put the match on the credenza TV").status is Status.DONE
    assert channel(gull, "2101") == (True, 30)
    told = gull.say("what do you know about me?").reply
    assert "My favourite team is Mill Albion" in told
    assert "My team's games are on channel 30" in told


def test_everybody_has_a_team_of_their_own(gull: Played) -> None:
    gull.say("My favourite team is the Harbour Rovers", "Ada")
    gull.say("My team's games are on channel 14", "Ada")
    assert gull.say("put the game on the plant TV", "Bo").question == "Which is your team?"
    assert "Rovers" not in gull.say("what is my favourite team?", "Bo").reply
    assert not gull.is_on("device:2102")


def test_of_two_televisions_the_one_that_is_meant_is_asked_for(gull: Played) -> None:
    gull.say("My favourite team is the Harbour Rovers")
    gull.say("My team's games are on channel 14")
    question = gull.say("put the game on").question or ""
    assert "credenza TV" in question
    assert "plant TV" in question
    assert gull.say("the one in the back bedroom").status is Status.DONE
    assert channel(gull, "2102") == (True, 14)
    gull.say("turn off the plant TV")
    assert gull.say("put the game on", location="lounge").status is Status.DONE
    assert channel(gull, "2101") == (True, 14), "and who is beside one means that"


def test_a_routine_for_it_counts_more(gull: Played) -> None:
    gull.say("For the match I usually have the plant TV on channel 9 and the nightstand lamp at 20 percent")
    assert gull.say("put the match on").status is Status.DONE
    assert gull.value("device:2102", "Channel") == 9
    assert gull.value("device:2204", "Brightness") == 20


def test_lights_show_the_colours_of_a_team_in_turn(gull: Played) -> None:
    asked = gull.say("change the lounge lamp, the dining lamp and the hearth lamp to my favourite team")
    assert asked.question == "What are the colours of your team?"
    assert gull.say("red and white").status is Status.DONE
    assert [gull.value(f"device:220{n}", "LightColour") for n in (1, 2, 3)] == ["red", "white", "red"]
    before = gull.value("device:2204", "LightColour")
    gull.say("set the lounge lamp to green")
    gull.say("make the lounge lamp and the dining lamp my team's colours")
    assert gull.value("device:2201", "LightColour") == "red"
    assert gull.value("device:2204", "LightColour") == before


def test_a_favourite_colour_is_kept_changed_and_forgotten(gull: Played) -> None:
    assert gull.say("make the nightstand lamp my favourite colour").question == "What is your favourite colour?"
    assert gull.say("it's purple").status is Status.DONE
    assert gull.value("device:2204", "LightColour") == "purple"
    gull.say("my favourite colour is orange")
    assert gull.say("lounge lamp in my favourite colour please").status is Status.DONE
    assert gull.value("device:2201", "LightColour") == "orange"
    gull.say("forget what I said about my favourite colour")
    assert gull.say("make the hearth lamp my favourite colour").status is Status.CLARIFY


def test_what_is_no_answer_is_none(gull: Played) -> None:
    gull.say("make the nightstand lamp my favourite colour")
    assert gull.say("never mind").status is Status.REFUSED
    assert gull.say("turn on the hearth lamp").status is Status.DONE
    gull.say("make the nightstand lamp my favourite colour")
    assert gull.say("is the hearth lamp on?").status is Status.ANSWERED
    assert gull.say("turn off the hearth lamp").status is Status.DONE
    assert facts.everyone(gull.home.store) == ()


def test_without_a_name_it_is_asked_for_and_kept_of_nobody(gull: Played) -> None:
    assert gull.say("make the nightstand lamp my favourite colour", None).status is Status.CLARIFY
    assert gull.say("purple", None).status is Status.DONE
    assert gull.value("device:2204", "LightColour") == "purple"
    assert facts.everyone(gull.home.store) == ()
