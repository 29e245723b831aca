"""What somebody has told to an agent of others reaches it in their words, and its question and answer come back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import resources
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from tests.agents.callers import ACTS, REVISIONS, called, issued, played
from tests.agents.conftest import Lab
from tests.agents.test_a2a_and_utcp_house import message, spoken
from tests.homes import filled
from tests.server.serving import serving


@pytest.fixture
def home(living: Hearthgraph, lab_services: Lab) -> Hearthgraph:
    """A furnished home that knows the formalizer."""
    living.load([resources.folder("data") / "house.ttl"])
    living.artifacts.register("a2a", "formalizer", lab_services.formalizer)
    return living


@pytest.fixture
def furnished() -> Iterator[Hearthgraph]:
    """A furnished home, simulated, that knows no agent."""
    with Hearthgraph.open(None) as opened:
        opened.load([resources.folder("data") / "house.ttl"])
        yield opened


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("ask the formalizer to go ahead by two meters: 2 m", "move(200)"),
        ("Tell the formalizer to turn by 45 degrees", "rotate(45)"),
        ("please ask the formalizer: forward by 0.1 m", "move(10)"),
        ("could you tell the Formalizer agent that it shall go back by 3 cm?", "move(-3)"),
        ("ask the formalizer 'rotate left by 10 degrees'", "rotate(-10)"),
    ],
)
def test_the_words_reach_the_agent_and_its_answer_is_told(home: Hearthgraph, text: str, formula: str) -> None:
    proposed = home.ask(text)
    assert proposed.status is Status.PROPOSED
    done = home.ask(text, consent=True)
    assert (done.status, done.actions[0].output) == (Status.DONE, formula)
    assert f"The formalizer says: “{formula}”" in done.reply


def test_what_the_agent_wants_to_know_is_asked_and_the_answer_goes_on(home: Hearthgraph) -> None:
    asked = home.ask("ask the formalizer to move a bit", consent=True, conversation="me")
    assert asked.status is Status.CLARIFY
    assert asked.question == "The formalizer asks: How far, and in which unit?"
    done = home.ask("by 10 cm", consent=True, conversation="me")
    assert (done.status, done.request, done.actions[0].output) == (Status.DONE, asked.request, "move(10)")


@pytest.mark.parametrize(
    "text",
    [
        "ask the valet to go ahead by 2 m",  # nobody knows it
        "ask the hallway light to go ahead by 2 m",
        "did you ask the formalizer to go ahead by 2 m?",
        "I asked the formalizer to go ahead by 2 m",
        "ask the formalizer",
    ],
)
def test_what_passes_nothing_on_sends_nothing(home: Hearthgraph, text: str) -> None:
    outcome = home.ask(text, consent=True)
    assert not any(action.affordance.startswith("urn:a2a:") for action in outcome.actions)


STRANGERS = [
    "ask the butler to turn on the bathroom light",
    "could you tell the butler: turn on the bathroom light",
    "have the butler turn on the bathroom light",
    "get somebody to turn on the bathroom light",
    "tell my wife to turn on the bathroom light",
    "ask Zebedee to turn on the bathroom light",
    "send a message to Zebedee: turn on the bathroom light",
    "did you ask the butler to turn on the bathroom light?",
    "at 8 pm ask the butler to turn on the bathroom light",
    "if the front door is open, ask the butler to turn on the bathroom light",
]


@pytest.mark.parametrize("text", STRANGERS)
def test_what_is_for_somebody_who_is_not_here_is_not_done_by_the_home(furnished: Hearthgraph, text: str) -> None:
    before = dict(furnished.state)
    outcome = furnished.ask(text, consent=True)
    assert (outcome.status, outcome.reason) == (Status.REFUSED, "no_such_agent"), outcome.reply
    assert dict(furnished.state) == before
    assert furnished.rules.book.entries == {}
    assert any(name in outcome.reply for name in ("butler", "somebody", "wife", "Zebedee")), outcome.reply


def test_what_is_said_to_the_home_beside_it_is_done(furnished: Hearthgraph) -> None:
    furnished.ask("turn on the study desk lamp", consent=True)
    outcome = furnished.ask("turn off the desk lamp and ask the butler to turn on the bathroom light", consent=True)
    assert outcome.status is Status.PARTIAL
    assert "butler" in outcome.reply
    assert [one.affordance.rpartition("/")[2] for one in outcome.actions] == ["turn_off"]


@pytest.mark.parametrize(
    "text",
    [
        "tell the bathroom light to turn on",
        "ask the house to turn on the bathroom light",
        "have the bathroom light turn on",
        "tell the bathrom light to turn on",
    ],
)
def test_who_speaks_to_the_home_or_to_its_things_is_heard(furnished: Hearthgraph, text: str) -> None:
    assert furnished.ask(text).status is Status.PROPOSED, text


def test_a_part_is_for_the_home_and_a_part_for_the_agent(home: Hearthgraph) -> None:
    home.ask("turn on the hallway light", consent=True)
    done = home.ask("turn off the hallway light and ask the formalizer to go ahead by 2 m", consent=True)
    assert done.status is Status.DONE, done.reply
    assert done.actions[-1].output == "move(200)"
    later = home.ask("when the front door opens, ask the formalizer to go ahead by 2 m", consent=True)
    assert not any(action.affordance.startswith("urn:a2a:") for action in later.actions)


def test_what_is_for_the_agent_is_no_order_to_the_home(home: Hearthgraph) -> None:
    before = dict(home.state)
    home.ask("ask the formalizer to turn on the hallway light", consent=True)
    assert dict(home.state) == before


def test_input_required_is_a_whole_turn_of_the_house_as_an_agent(lab_services: Lab, tmp_path: Path) -> None:
    with serving(filled(tmp_path / "store"), live=True) as house:
        house.service.home.artifacts.register("a2a", "formalizer", lab_services.formalizer)
        token = issued(house, "courier", ACTS)

        def say(text: str, task: dict[str, Any] | None = None) -> dict[str, Any]:
            more = {"taskId": task["id"], "contextId": task["contextId"]} if task is not None else {}
            return dict(spoken(house, token, "SendMessage", message(text, **more))["result"]["task"])

        proposed = say("ask the formalizer to move a bit")
        assert proposed["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"  # whether it may
        asked = say("yes", proposed)
        assert asked["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
        assert "How far, and in which unit?" in asked["status"]["message"]["parts"][0]["text"]
        done = say("by 10 cm", asked)
        assert done["status"]["state"] == "TASK_STATE_COMPLETED"
        assert "move(10)" in str(done)


@pytest.mark.parametrize("mode", REVISIONS)
def test_an_agent_is_asked_what_another_agent_asks(lab_services: Lab, tmp_path: Path, mode: str) -> None:
    async def play(opened: Any) -> dict[str, Any]:
        proposed = await called(opened, "ask", text="ask the formalizer to move a bit")
        return await called(opened, "consent", plan_id=proposed["plan_id"])

    with serving(filled(tmp_path / "store"), live=True) as house:
        house.service.home.artifacts.register("a2a", "formalizer", lab_services.formalizer)
        done = played(house, issued(house, "courier", ACTS), mode, play, answer="by 10 cm")
    assert done["status"] == "done"
    assert "move(10)" in done["reply"]
