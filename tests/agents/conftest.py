"""The laboratory, served with the official kits, and a home that lives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from engine.hearthgraph import Hearthgraph
from engine.settings import Settings
from server.agents import house
from tests.agents import lab
from tests.agents.running import free_port, running


@dataclass
class Lab:
    """The addresses of the laboratory's services, and what becomes of them."""

    goals: lab.Goals
    arm: lab.Arm
    goal: str
    formalizer: str
    proxy: str


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that has other things to do "it is under way" is another answer than the one that is meant."""
    monkeypatch.setattr(house, "WAIT", 300.0)


@pytest.fixture(scope="module")
def served_lab() -> Iterator[Lab]:
    pytest.importorskip("mcp", reason="the extra agents is not installed")
    pytest.importorskip("a2a", reason="a2a-sdk is not installed")
    goals, arm = lab.Goals(), lab.Arm()
    port, other = free_port(), free_port()
    formalizer = lab.formalizer_app(f"http://127.0.0.1:{port}")
    proxy = lab.proxy_app(arm, f"http://127.0.0.1:{other}")
    with running(lab.goal_app(goals)) as goal, running(formalizer, port) as agent, running(proxy, other) as robot:
        yield Lab(goals, arm, f"{goal}/mcp", agent, robot)


@pytest.fixture
def lab_services(served_lab: Lab) -> Lab:
    """The laboratory as it is in the morning."""
    served_lab.goals.__init__()  # type: ignore[misc]
    served_lab.arm.__init__()  # type: ignore[misc]
    return served_lab


@pytest.fixture
def living() -> Iterator[Hearthgraph]:
    """A home in memory whose devices are real."""
    with Hearthgraph.open(None, settings=Settings(live=True)) as home:
        yield home
