"""Agents see what matters to them, and can see the rest: measured on profiles that nothing was learned from."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine import embedding
from engine.evaluation.exposure import measure, read
from engine.exposure.acts import Acts
from engine.exposure.relevance import Field
from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from engine.model.exposure import Exposed
from tests.agents import lab

HERE = Path(__file__).parent
needs_vectors = pytest.mark.skipif(not embedding.available(), reason="the extra embedding is not installed")


@pytest.fixture(scope="module")
def store():  # type: ignore[no-untyped-def]
    with EmbeddedStore.open(None) as opened:
        yield opened


def lab_signifiers() -> tuple[Exposed, ...]:
    """What the laboratory offers, in our words."""
    texts = {
        "goal_mcp_CurrentGoal": "Tells the goal that the user has set.",
        "goal_mcp_provide_feedback": "Gives the user feedback on the goal. If achieved is true, it is cleared.",
        "formalizer_Formalize goal": "Puts a goal in plain words into a formal command, move(d) or rotate(a).",
        "cherrybot_utcp_initialize": lab.START,
        "cherrybot_utcp_operation": lab.WHAT,
    }
    return tuple(Exposed(label, text, "http://localhost/") for label, text in texts.items())


@needs_vectors
def test_sixty_contexts_among_near_twins(store: GraphStore) -> None:
    lessons = read(json.loads((HERE / "exposure_reported.json").read_text(encoding="utf-8")))
    assert len(lessons.profiles) == 60
    precision, recall, wrong = measure(lessons, Field(lessons.signifiers, Acts(store)))
    assert recall == 1.0, wrong
    assert precision >= 0.95, wrong


@needs_vectors
def test_the_five_tasks_of_the_paper(store: GraphStore, shared: Path) -> None:
    path = shared / "papers" / "agentic-web-hmas.txt"
    if not path.is_file():
        pytest.skip("the text of the paper is not there")
    text = path.read_text(encoding="utf-8").replace("\\_", "_")
    tasks = re.findall(r'\*([^*]+):\*\s+The context is:?\s+"([^"]+)"(.*?)(?=\n\n|\Z)', text, re.DOTALL)
    assert len(tasks) == 5
    field = Field(paper_signifiers(text), Acts(store))
    for name, context, rest in tasks:
        meant = set(re.findall(r"[“\"]([^”\"]+)[”\"]", rest))
        shown = {one.exposed.label for one in field.judge(context) if one.relevant}
        assert shown == {label for label in meant if label in {s.label for s in field.signifiers}}, name


def paper_signifiers(text: str) -> list[Exposed]:
    """The five signifiers of the tasks, as the listings describe them; of the one that is not listed, in our words."""
    found = {}
    for label, comment in re.findall(r'rdfs:label "([^"]+)".*?rdfs:comment "([^"]+)"', text, re.DOTALL):
        found[label] = " ".join(comment.replace("↪", " ").split())
    found["cherrybot_utcp_initialize"] = lab.START
    names = [
        "goal_mcp_CurrentGoal",
        "goal_mcp_provide_feedback",
        "formalizer_Formalize goal",
        "cherrybot_utcp_initialize",
        "cherrybot_utcp_operation",
    ]
    return [Exposed(name, found[name], "http://localhost/") for name in names]
