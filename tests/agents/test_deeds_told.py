"""What the home has done is asked by what was done, and answered from the journal; nothing is done by asking."""

from __future__ import annotations

import pytest

from engine import resources
from engine.dialogue.explaining.deeds import NEVER
from engine.dialogue.explaining.why import why
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from tests.agents.conftest import Lab


@pytest.fixture
def moved(living: Hearthgraph, lab_services: Lab) -> str:
    """A home that has moved a robot; the request by which it did."""
    living.load([resources.folder("data") / "lab308.ttl"])
    living.artifacts.register("utcp", "robot", f"{lab_services.proxy}/moving")
    assert living.ask("why did you move the robot?").reply == NEVER
    return living.ask("move the robot by 10 centimetres", consent=True, user="Ada").request


def test_why_when_whether_and_by_whom_it_was_done_is_told(living: Hearthgraph, lab_services: Lab, moved: str) -> None:
    story = why(living.store, living.registry, moved)
    for question in (
        "why did you move the robot?",
        "please tell me why you moved the robot",
        "why was the robot moved?",
    ):
        told = living.ask(question, user="Ada", consent=True)
        assert (told.status, told.reply) == (Status.ANSWERED, story)
    assert living.ask("did you move the robot?", user="Ada").reply.endswith(": robot move 10 cm.")
    assert living.ask("when did you move the robot?", user="Ada").reply.startswith("At ")
    assert living.ask("who moved the robot?", user="Ada").reply.startswith("You did, at ")
    assert "robot move 10 cm at " in living.ask("what did you do?").reply
    assert "robot move 10 cm at " in living.ask("what have you done with the robot?").reply
    assert living.ask("why did you turn on the light?").reply == NEVER
    assert lab_services.arm.log == ["move(10)"]


def test_what_somebody_said_is_not_told_to_others(living: Hearthgraph, lab_services: Lab, moved: str) -> None:
    living.artifacts.register("a2a", "formalizer", lab_services.formalizer)
    living.ask("tell the formalizer: 3 cm ahead for the surprise", consent=True, user="Ada")
    for question in ("why did you move the robot?", "who moved the robot?"):
        assert living.ask(question, user="Bo").reply.startswith("Somebody else asked me for it, at ")
    for question in ("what did you do?", "what have you done with the formalizer?"):
        assert "surprise" not in living.ask(question, user="Bo").reply
    assert lab_services.arm.log == ["move(10)"]


def test_why_a_device_is_as_it_is_is_what_was_done_with_it() -> None:
    with Hearthgraph.open(None) as home:
        home.load([resources.folder("data") / "lab308.ttl"])
        home.ask("turn off the light", consent=True)
        done = home.ask("turn on the light", consent=True)
        story = why(home.store, home.registry, done.request)
        assert home.ask("why is the light on?").reply == story
        assert home.ask("why did you turn on the light?").reply == story
        assert home.ask("why did you turn off the light?").reply != story
        assert home.ask("why did you open the blinds?").reply == NEVER
