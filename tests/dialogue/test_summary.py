"""A plan in the words of a language model: shown where they are true of it, and nothing to consent to is hidden."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.dialogue.explaining.summary import MOST_LETTERS, holds
from engine.dialogue.requests.request import Manner
from engine.errors import InputError, ModelError
from engine.hearthgraph import Hearthgraph
from engine.llm import Replay
from engine.model.outcome import Outcome, Status
from engine.planning.model.generation import planner_of
from engine.planning.model.prompting import Planner
from engine.settings import load
from tests.homes import a_home

ANSWERS = Path(__file__).parent / "answers" / "summaries.json"
MODEL = Manner(summary="model")
SAID = (
    "turn on the pantry light",
    "set the study heater to 21 degrees",
    "open the study blinds halfway and turn off the kitchen light",
    "set the bathroom light to 30 percent and the mirror light to 60",
    "turn on all the lights in the living room",
    "it's too dark in the study",
    "unlock the front door",
)
"""What a real model of 1.5 billion parameters was given the plans of, in the house at ten in the morning."""


class Scripted:
    """A model that gives prepared answers, and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), list[Any]()

    def complete(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append((messages, schema))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return dict(answer)


@contextmanager
def opened() -> Iterator[Hearthgraph]:
    with a_home(now="2026-03-02T10:00:00+00:00") as home:
        yield home


@pytest.fixture(scope="module")
def house() -> Iterator[Hearthgraph]:
    with opened() as home:
        yield home


def told(home: Hearthgraph, text: str, *answers: Any, manner: Manner = MODEL) -> tuple[Outcome, Scripted]:
    model = Scripted(*answers)
    home.assistant.planner = Planner(model)
    return home.ask(text, manner=manner), model


def plain(home: Hearthgraph, text: str) -> str:
    home.assistant.planner = None
    return home.ask(text).reply


def test_what_holds_is_said_in_the_models_words_and_counted(house: Hearthgraph) -> None:
    words = "I would turn on the pantry light for you."
    outcome, model = told(house, "turn on the pantry light", {"summary": words})
    assert (outcome.status, outcome.reply, outcome.llm_calls) == (Status.PROPOSED, f"{words} Shall I?", 1)
    asked = json.loads(model.asked[0][0][1]["content"])
    assert asked["plan"]["children"][0]["thing"] == "pantry light"
    assert "http" not in model.asked[0][0][1]["content"]


LIES = [
    "I would turn off the pantry light.",
    "I would turn on the lights.",
    "I would turn on the pantry light and the kitchen light.",
    "I would not turn on the pantry light.",
    "I won't turn on the pantry light.",
    "I would turn on the pantry light to 40 percent.",
    "I would turn on the pantry light <b>now</b>.",
    "I would turn on the pantry light, see https://evil.example.",
    "I would turn on the pantry light. " * 20,
    "",
    "pantry light",
]


@pytest.mark.parametrize("words", LIES)
def test_what_does_not_hold_is_not_shown_and_the_template_is(words: str, house: Hearthgraph) -> None:
    outcome, _ = told(house, "turn on the pantry light", {"summary": words})
    assert outcome.reply == plain(house, "turn on the pantry light")
    assert outcome.llm_calls == 1


@pytest.mark.parametrize("answer", [ModelError("No answer in time."), {}, {"summary": 7}, {"summary": "x", "more": 1}])
def test_an_outage_or_nonsense_leaves_the_template(answer: Any, house: Hearthgraph) -> None:
    outcome, _ = told(house, "turn on the pantry light", answer)
    assert (outcome.status, outcome.llm_calls) == (Status.PROPOSED, 1)
    assert outcome.reply == plain(house, "turn on the pantry light")


PAIR = "set the bathroom light to 30 percent and the mirror light to 60"


@pytest.mark.parametrize(("words", "true"), [
    ("I would set the bathroom light to 30 and the mirror light to 60.", True),
    ("I would set 30 percent on the bathroom light and 60 percent on the mirror light.", True),
    ("I would set the bathroom light to 60 and the mirror light to 30.", False),
    ("I would set 60 percent on the bathroom light and 30 percent on the mirror light.", False),
    ("I would set the bathroom light and the mirror light to 60.", False),
    ("I would set the bathroom light to 30.", False),
])  # fmt: skip
def test_each_thing_gets_what_the_plan_gives_it(words: str, true: bool, house: Hearthgraph) -> None:
    plan = told(house, PAIR, ModelError("out"))[0].plan
    assert plan is not None
    assert holds(words, plan, house.registry) is true


def test_what_would_be_regretted_is_said_by_the_template_as_well(house: Hearthgraph) -> None:
    words = "I would have the front door lock unlocked."
    outcome, _ = told(house, "unlock the front door", {"summary": words})
    template = plain(house, "unlock the front door")
    assert outcome.reply == f"{words} {template}"
    assert "front door lock" in template


def test_nothing_is_asked_of_the_model_that_is_not_proposed(house: Hearthgraph) -> None:
    model = Scripted()
    house.assistant.planner = Planner(model)
    assert house.ask("is the front door locked?", manner=MODEL).status is Status.ANSWERED
    assert house.ask("turn off the pantry light", manner=MODEL, consent=True).status is Status.DONE
    assert house.ask("turn on the disco ball", manner=MODEL).status is Status.REFUSED
    assert model.asked == []


def test_of_a_long_plan_the_model_is_not_asked(house: Hearthgraph) -> None:
    outcome, model = told(house, "set all the lights to 30 percent")
    assert outcome.status is Status.PROPOSED
    assert (outcome.llm_calls, model.asked) == (0, [])


def test_the_setting_asks_for_it_and_a_request_may_do_without(house: Hearthgraph) -> None:
    before = house.assistant.settings
    house.assistant.settings = before.model_copy(update={"summary": "model"})
    try:
        outcome, model = told(house, "turn on the pantry light", {"summary": "x"}, manner=Manner(summary="template"))
        assert (outcome.llm_calls, model.asked) == (0, [])
        outcome, model = told(house, "turn on the pantry light", {"summary": "x"}, manner=Manner())
        assert outcome.llm_calls == len(model.asked) == 1
    finally:
        house.assistant.settings = before


@pytest.mark.parametrize("manner", [MODEL, Manner(path="model")])
def test_without_a_model_that_is_said_and_nothing_is_done(manner: Manner, house: Hearthgraph) -> None:
    house.assistant.planner = None
    with pytest.raises(InputError) as error:
        house.ask("turn on the pantry light", manner=manner, consent=True)
    assert error.value.reason == "model_unavailable"


def test_a_manner_that_is_none_is_refused() -> None:
    with pytest.raises(InputError):
        Manner(path="magic")
    with pytest.raises(InputError):
        Manner(summary="poem")


def test_from_recorded_answers_of_a_real_model_what_is_shown_is_true() -> None:
    replay = Replay.read(ANSWERS)
    with opened() as house:
        house.assistant.planner = Planner(replay)
        replies = {text: house.ask(text, manner=MODEL) for text in SAID}
        _all_true(replies, replay, house)


def _all_true(replies: Mapping[str, Outcome], replay: Replay, house: Hearthgraph) -> None:
    assert (replay.usage.calls, replay.usage.failed) == (len(SAID), 0), (
        "every question was answered when it was recorded"
    )
    own = [text for text, outcome in replies.items() if "I would do this" not in outcome.reply]
    assert len(own) >= 3
    for text in own:
        plan = replies[text].plan
        assert plan is not None
        assert all(house.registry.things[step.thing].title in replies[text].reply for step in plan.steps)
    assert "I would do this: front door lock" in replies["unlock the front door"].reply


@pytest.mark.llm
@pytest.mark.skipif("HEARTHGRAPH_LLM_URL" not in os.environ, reason="no language model in HEARTHGRAPH_LLM_URL")
def test_a_live_model_tells_a_plan_truly_or_the_template_does(house: Hearthgraph) -> None:
    house.assistant.planner = planner_of(load())
    outcome = house.ask("turn on the pantry light", manner=MODEL)
    assert (outcome.status, outcome.llm_calls) == (Status.PROPOSED, 1)
    assert "pantry light" in outcome.reply
    assert len(outcome.reply) <= MOST_LETTERS + 20
