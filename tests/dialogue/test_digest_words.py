"""What is known of a person in a language model's words: shown where the statements bear it, else told as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.dialogue.people.digest_words import holds
from engine.dialogue.requests.request import Request
from engine.errors import ModelError
from engine.hearthgraph import Hearthgraph
from engine.language.meanings.context import Context
from engine.llm import Model, Replay
from engine.planning.model.prompting import Planner
from tests.homes import a_home

ANSWERS = Path(__file__).parent / "answers" / "digests.json"
TOLD = ("I love science fiction", "my birthday is the 4th of July", "I have breakfast at eight", "I hate loud music")
DONE = ("turn on the pantry light", "turn off the pantry light", "turn on the pantry light")
STATEMENTS = (
    "You told me “I love science fiction”.",
    "You told me “my birthday is the 4th of July”.",
    "You told me “I hate loud music”.",
    "You had “turn on pantry light (pantry)” done 4 times on 2 days.",
)
TRUE = (
    "You love science fiction, and your birthday is the 4th of July.",
    "You hate loud music. You turned on the pantry light 4 times on 2 days.",
    "You told me that you love science fiction.",
)
FALSE = (
    "You love science fiction and jazz.",
    "Your birthday is the 5th of July.",
    "You turned on the pantry light 2 times on 4 days.",
    "You do not love science fiction.",
    "Ada hates loud music, and so does Bo.",
    "You turned on the pantry light 4 times, and you should turn it off at night.",
    "See https://example.org for your birthday.",
)


class Scripted:
    """A model that gives one answer, and keeps what it was asked."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, list[Any]()

    def complete(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append((messages, schema))
        if isinstance(self.answer, Exception):
            raise self.answer
        return dict(self.answer)


@contextmanager
def opened() -> Iterator[Hearthgraph]:
    """A house in which Ada told of herself and had something done, and Bo told of himself."""
    with a_home(now="2026-03-02T10:00:00+00:00") as home:
        for text in (*TOLD, *DONE):
            home.ask(text, user="Ada", consent=True)
        home.ask("my favourite team is the Harbour Rovers", user="Bo")
        yield home


@pytest.fixture(scope="module")
def house() -> Iterator[Hearthgraph]:
    with opened() as home:
        yield home


@pytest.fixture(scope="module")
def context(house: Hearthgraph) -> Context:
    return house.assistant.hearing(Request("hello", "urn:r"))


def profile_of(home: Hearthgraph, model: Model | None) -> str:
    """What Ada is told of herself."""
    home.assistant.planner = None if model is None else Planner(model)
    return home.ask("what do you know about me?", user="Ada").reply


@pytest.mark.parametrize("said", TRUE)
def test_what_the_statements_bear_may_be_said(said: str, context: Context) -> None:
    assert holds(said, STATEMENTS, context)


@pytest.mark.parametrize("said", FALSE)
def test_what_they_do_not_bear_may_not(said: str, context: Context) -> None:
    assert not holds(said, STATEMENTS, context)


def test_the_models_words_are_told_and_it_hears_of_nobody_else(house: Hearthgraph) -> None:
    words = "You love science fiction. Your birthday is the 4th of July."
    model = Scripted({"digest": words})
    assert profile_of(house, model) == words
    assert "Rovers" not in str(model.asked)


@pytest.mark.parametrize(
    "answer",
    [{"digest": "You love opera."}, {"digest": ""}, {"words": 1}, ModelError("gone", remedy="Try again.")],
)
def test_else_the_statements_are_told(answer: Any, house: Hearthgraph) -> None:
    assert profile_of(house, Scripted(answer)) == profile_of(house, None)


def test_what_a_real_model_said_holds_or_is_not_shown(house: Hearthgraph, context: Context) -> None:
    """Answers of a model of 1.5 billion parameters, recorded once and replayed."""
    replay = Replay.read(ANSWERS)
    plain = profile_of(house, None)
    told = profile_of(house, replay)
    assert replay.usage.failed == 0
    assert told == plain or holds(told, plain.split(". "), context)
