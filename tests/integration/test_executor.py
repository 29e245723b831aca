"""The executor of the paper's scenario reaches its goal over both protocols, and whatever is put in its way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from engine import embedding
from engine.graph.terms import REQUESTS
from server.agents import house
from tests.agents import lab
from tests.agents.running import free_port, running
from tests.integration.executor import Executor, Laboratory, laboratory, succeeded

pytest.importorskip("mcp", reason="the extra agents is not installed")
pytest.importorskip("a2a", reason="a2a-sdk is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not embedding.available(), reason="the extra embedding is not installed"),
]

BOTH = pytest.mark.parametrize("kind", ["wot", "utcp"])


@pytest.fixture(scope="module")
def found() -> Iterator[Laboratory]:
    with pytest.MonkeyPatch.context() as patch, laboratory() as opened:
        patch.setattr(house, "WAIT", 300.0)  # "it is under way" is another answer than the one that is meant
        yield opened


def played(found: Laboratory, goal: str) -> Executor:
    found.morning(goal)
    agent = Executor(found.house)
    asyncio.run(asyncio.wait_for(agent.run(), 120))
    return agent


@BOTH
@pytest.mark.parametrize(
    ("goal", "position", "angle"),
    [("Move the robot by 10 centimeters", 10.0, 0.0), ("Rotate the robot by 12 degrees", 0.0, 12.0)],
)
def test_the_goal_is_reached(found: Laboratory, kind: str, goal: str, position: float, angle: float) -> None:
    found.register(kind)
    agent = played(found, goal)
    assert succeeded(found, position, angle), (found.arm, found.goals, agent.used)
    assert agent.used[0] == "goal_mcp_CurrentGoal"
    assert agent.used[3].endswith("_operation")


@BOTH
def test_units_are_converted_on_the_way(found: Laboratory, kind: str) -> None:
    found.register(kind)
    played(found, "Move the robot by 0.1 meters")
    assert succeeded(found, 10.0, 0.0)


@BOTH
def test_an_endpoint_may_move_between_runs(found: Laboratory, kind: str) -> None:
    found.register(kind)
    played(found, "Move the robot by 10 centimeters")
    port = free_port()
    moved = f"http://127.0.0.1:{port}"
    other = lab.Arm()
    with running(lab.proxy_app(other, moved), port):
        found.register(kind, moved)
        played(found, "Move the robot by 20 centimeters")
    assert (other.position, found.arm.position) == (20.0, 0.0)
    assert [achieved for achieved, _ in found.goals.feedback] == [False, True]


@BOTH
def test_another_robot_does_not_distract(found: Laboratory, kind: str) -> None:
    found.register(kind)
    other, port = lab.Arm(), free_port()
    url = f"http://127.0.0.1:{port}"
    path = "moving" if kind == "utcp" else "moving/td"
    with running(lab.proxy_app(other, url), port):
        answer = found.house.client.put("/artifacts/mower", json={"kind": kind, "endpoint": f"{url}/{path}"})
        assert answer.status_code == 201, answer.text
        played(found, "Move the robot by 10 centimeters")
        found.house.client.delete("/artifacts/mower")
    assert succeeded(found, 10.0, 0.0)
    assert other.log == []


@BOTH
def test_a_proxy_that_refuses_leaves_the_goal_where_it_is(found: Laboratory, kind: str) -> None:
    found.register(kind)
    found.morning("Move the robot by 10 centimeters")
    found.arm.refuses = True
    agent = Executor(found.house)
    with pytest.raises(BaseExceptionGroup) as raised:
        asyncio.run(asyncio.wait_for(agent.run(), 120))
    assert "failed" in str(executor_error(raised.value))
    assert found.arm.log == ["move(10)"]
    assert found.arm.position == 0
    assert found.goals.current
    assert found.goals.feedback == [(False, "I have begun.")]


def executor_error(error: BaseException) -> BaseException:
    """What went wrong within the groups that wrap it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def test_what_the_executor_did_is_in_the_journal(found: Laboratory) -> None:
    found.register("utcp")
    played(found, "Move the robot by 30 centimeters")
    journal = [str(getattr(quad.object, "value", "")) for quad in found.house.service.store.graph(REQUESTS)]
    assert any("operation" in text and "move(30)" in text for text in journal)
    assert "executor" in journal
