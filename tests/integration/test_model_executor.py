"""A small language model that sees the mechanism's tools alone reaches the goal: as it answered once, and live."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import embedding, llm
from engine import settings as configuration
from engine.errors import ModelError
from engine.llm import Replay
from server.agents import house
from tests.integration.executor import Laboratory, laboratory, succeeded
from tests.integration.model_executor import GOALS, PARTS, calls, played

pytest.importorskip("mcp", reason="the extra agents is not installed")
pytest.importorskip("a2a", reason="a2a-sdk is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not embedding.available(), reason="the extra embedding is not installed"),
]
HERE = Path(__file__).parent
"""What Qwen2.5-Coder-1.5B-Instruct answered, written by `python -m tests.integration.model_executor --record`."""
RECORDED = [(kind, *goal) for kind in ("wot", "utcp") for goal in GOALS[:2]]


@pytest.fixture(scope="module")
def found() -> Iterator[Laboratory]:
    with pytest.MonkeyPatch.context() as patch, laboratory() as opened:
        patch.setattr(house, "WAIT", 60.0)  # "it is under way" is another answer than the one that was recorded
        yield opened


@pytest.mark.parametrize(("kind", "goal", "position", "angle"), RECORDED)
def test_the_answers_of_a_small_model_reach_the_goal(
    found: Laboratory, kind: str, goal: str, position: float, angle: float
) -> None:
    found.register(kind)
    replay = Replay.read(HERE / f"model_executor_{kind}.json")
    agent = played(found, replay, goal, f"executor-{kind}-{position:g}")
    assert not agent.fault, agent.notes
    assert succeeded(found, position, angle), agent.notes
    assert agent.done == set(range(1, len(PARTS) + 1))
    assert replay.usage.calls == agent.asked == 2 * len(PARTS)


def test_a_model_that_answers_otherwise_does_not_get_there(found: Laboratory) -> None:
    """The tools are real: one who gives the user feedback at once, and says what is no formula, moves nothing."""
    found.register("utcp")

    class Hasty:
        asked = 0

        def complete(self, _messages: object, schema: dict[str, object]) -> dict[str, object]:
            self.asked += 1
            if self.asked > 2:
                raise ModelError("It has nothing more to say.", remedy="")
            if "anyOf" not in schema:
                return {"part": 4, "context": "The agent wants to control the robot with a formal command."}
            return {"tool": "cherrybot_utcp_operation", "arguments": {"value": "go somewhere"}}

    agent = played(found, Hasty(), GOALS[0][0], "hasty")
    assert not succeeded(found, *GOALS[0][1:])
    assert found.arm.position == 0
    assert "no operation" in agent.notes[0] or "failed" in agent.notes[0], agent.notes


def test_what_may_be_called_is_what_was_shown() -> None:
    class Shown:
        name, input_schema = "move", {"type": "object", "properties": {"d": {"type": "number"}}, "required": ["d"]}

    (one,) = calls({"move": Shown()})["anyOf"]
    assert one["properties"]["tool"] == {"const": "move"}
    assert one["properties"]["arguments"]["additionalProperties"] is False


@pytest.mark.skipif("HEARTHGRAPH_LLM_URL" not in os.environ, reason="no language model in HEARTHGRAPH_LLM_URL")
def test_a_live_model_uses_what_it_was_shown_and_nothing_else(found: Laboratory) -> None:
    found.register("utcp")
    model = llm.from_settings(configuration.load())
    assert model is not None
    agent = played(found, model, GOALS[0][0])
    assert agent.used, agent.fault
    known = {one.replace(" ", ".20.") for one in labels(found)}
    assert set(agent.used) <= known


def labels(found: Laboratory) -> set[str]:
    """All signifiers that there are."""
    return {one.label for one in found.house.service.home.artifacts.signifiers()}
