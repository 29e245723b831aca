"""What goes to a language model for one person has nothing of what another told or did, whatever is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from engine.errors import ModelError
from engine.llm import Message
from engine.planning.model.prompting import Planner
from tests.memory.playing import Played, playing
from tests.server.test_privacy import SECRET, TOLD, WORDS

MINE = (SECRET, "37", "83", "natural light", "I'm comfortable", "Robin")
VAGUE = [
    "make the living room like somebody would want it for tea",
    "something for the evening, whatever suits",
    "do the thing with the lamps that people here like",
    "arrange it all for a wonderful night with music",
    "could the place feel a bit more like itself",
    "sort out the study for whoever comes",
]


class Recorder:
    """A model that keeps what it was asked, and is out of order."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append("\n".join(message["content"] for message in messages) + str(schema))
        raise ModelError("It is out of order.", remedy="Try again.", reason="model_unavailable")


@pytest.fixture(scope="module")
def played() -> Iterator[Played]:
    with playing("house") as found:
        for text in TOLD:
            found.say(text, "Robin")
        found.say("floor lamp as I like it", "Robin")
        found.say("set the floor lamp to 60", "Robin")
        found.say("turn on the pantry light", "Mallory")
        yield found


@pytest.fixture
def model(played: Played) -> Recorder:
    found = Recorder()
    played.home.assistant.planner = Planner(found)
    return found


@pytest.mark.parametrize("text", [*WORDS, *VAGUE])
def test_nothing_of_another_is_in_a_prompt(text: str, played: Played, model: Recorder) -> None:
    played.say(text, "Mallory", conversation=f"of its own: {text}")
    for prompt in model.asked:
        assert not [one for one in MINE if one in prompt.replace(text, "")]


def test_prompts_are_made_at_all(played: Played, model: Recorder) -> None:
    for text in [*VAGUE, "what comes next?"]:
        played.say(text, "Mallory", conversation=f"another: {text}")
    assert len(model.asked) >= 2


@pytest.mark.parametrize("text", ["why?", "what did you do?", "how was that filled?", "what comes next?", VAGUE[0]])
def test_who_joins_a_conversation_does_not_hear_what_was_told_before(
    text: str, played: Played, model: Recorder
) -> None:
    played.say("set the floor lamp to 60", "Robin", conversation="the kitchen's")
    played.say("floor lamp as I like it", "Robin", conversation="the kitchen's")
    told = played.say(text, "Mallory", conversation="the kitchen's").reply
    for said in (told, *model.asked):
        assert "floor lamp at 37" not in said
        assert not [one for one in (SECRET, "natural light", "83") if one in said]
