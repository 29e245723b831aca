"""Any model can work at a home by tools: what it may do is bounded, and what is wrong with it is told by class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from engine import resources
from engine.errors import ModelError
from engine.evaluation.homeenv import Task, read_tasks
from engine.evaluation.homeenv_agent import CLASSES, KINDS, Desk, Played, classed, evaluate, play, report
from engine.hearthgraph import Hearthgraph
from engine.settings import Settings


class Script:
    """A player whose answers are written down: what any model would be, without its whims."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)

    def complete(self, _messages: Sequence[Mapping[str, str]], _schema: Mapping[str, Any]) -> dict[str, Any]:
        if not self._answers:
            raise ModelError("There is nothing more.", remedy="")
        return self._answers.pop(0)  # type: ignore[no-any-return]


@pytest.fixture
def home() -> Iterator[Hearthgraph]:
    with Hearthgraph.open(None) as opened:
        opened.load(["data/lab308.ttl"])
        yield opened


LIGHT = "http://localhost:8080/workspaces/lab308/artifacts/light308"


def test_a_device_is_looked_up_and_controlled(home: Hearthgraph) -> None:
    desk = Desk(home)
    play(
        desk,
        Script(
            {"tool": "query_device", "arguments": {"what": "spec", "name": "light308"}},
            {
                "tool": "control_device",
                "arguments": {"device": LIGHT, "name": "set_brightness", "value": {"brightness": 40}},
            },
            {"tool": "answer", "arguments": {"text": "Done."}},
        ),
        "set the light to 40",
    )  # fmt: skip
    assert home.state[f"{LIGHT}#properties/brightness"] == 40
    told = desk.result("t")
    assert told["status"] == "done"
    assert told["actions"][0]["payload"] == {"brightness": 40}
    assert (desk.calls, desk.errors) == (3, {})
    assert desk.tokens > 0


def test_a_device_is_called_by_its_title_and_a_value_alone_will_do(home: Hearthgraph) -> None:
    desk = Desk(home)
    title = home.registry.things[LIGHT].title
    told = desk.use(
        {"tool": "control_device", "arguments": {"device": title, "name": "set_brightness", "value": 40}}
    )  # fmt: skip
    assert told["status"] == "done"
    assert home.state[f"{LIGHT}#properties/brightness"] == 40
    row = desk.use({"tool": "query_device", "arguments": {"what": "spec", "name": title}})["devices"][0]
    assert row["actions"]["set_brightness"] == {"brightness": "number 0 to 100"}
    assert "http" not in str(row), "nobody is shown an address"


def test_what_is_not_there_is_told_with_what_is(home: Hearthgraph) -> None:
    home.load([resources.folder("data") / "house.ttl"])
    desk = Desk(home)
    title = home.registry.things[LIGHT].title
    fly = desk.use({"tool": "control_device", "arguments": {"device": title, "name": "fly"}})
    assert "set_brightness" in fly["error"]
    none = desk.use({"tool": "control_device", "arguments": {"device": "moon", "name": "fly"}})
    assert "no moon" in none["error"]


def wanting(kind: str) -> Task:
    """A task of which this kind of outcome is expected."""
    now = datetime.fromisoformat("2026-03-02T10:00:00+00:00")
    return Task("t", "TC1", "", "lab", "simple", now, None, None, (), (), {"kind": kind})


def control(**arguments: Any) -> dict[str, Any]:
    return {"tool": "control_device", "arguments": arguments}


@pytest.mark.parametrize(
    ("answers", "kind", "error"),
    [
        ([{"say": "hello"}], "empty output", "SO"),
        ([control(device="urn:none", name="x")], "wrong name", "AV"),
        ([control(device=LIGHT, name="fly")], "wrong name", "AV"),
        ([control(device=LIGHT)], "missing argument", "AV"),
        ([control(device=LIGHT, name="set_brightness", value=None)], "value of nothing", "AV"),
        ([control(device=LIGHT, name="set_brightness", value="much")], "wrong type", "AV"),
        ([{"tool": "query_device", "arguments": {}}] * 4, "the same call again", "IE"),
        ([], "no answer", "FRF"),
    ],
)
def test_errors_are_told_by_kind_and_class(home: Hearthgraph, answers: list[Any], kind: str, error: str) -> None:
    desk = Desk(home)
    play(desk, Script(*answers), "turn on the light")
    assert desk.errors[kind]
    assert KINDS[kind] == error


@pytest.mark.parametrize(
    ("wanted", "answers", "kind"),
    [
        ("changes", [{"tool": "ask", "arguments": {"text": "Which?"}}], "execution as clarification"),
        ("changes", [{"tool": "answer", "arguments": {"text": "Done."}}], "missing labels"),
        ("clarify", [control(device=LIGHT, name="set_brightness", value=40)], "clarification as execution"),
        ("rule", [{"tool": "answer", "arguments": {"text": "Done."}}], "missing automation conditions"),
        (
            "rule",
            [{"tool": "create_automation", "arguments": {"text": "turn the light on every day at 7 am"}}],
            "conditions",
        ),
        ("answer", [{"tool": "answer", "arguments": {"text": "I do not know."}}], "missing query response"),
    ],
)
def test_what_is_wrong_with_a_task_is_told_by_kind(
    home: Hearthgraph, wanted: str, answers: list[Any], kind: str
) -> None:
    desk = Desk(home)
    play(desk, Script(*answers), "do something")
    task = wanting(wanted)
    assert classed(task, "it is wrong", desk)[kind] == 1
    assert not classed(task, None, desk)[kind]


def test_all_six_classes_are_reported(home: Hearthgraph) -> None:
    task = wanting("changes")
    lines = list(report([Played(task, "x", 3, 90, {"missing labels": 2, "no answer": 1})]))
    assert lines[0] == "0 of 1 right, 3 calls, 90 tokens told"
    assert [line.split()[0] for line in lines[1:]] == list(CLASSES)
    assert set(KINDS.values()) == set(CLASSES)
    assert "missing labels 2" in lines[1]


def test_the_budget_ends_it(home: Hearthgraph) -> None:
    desk = Desk(home, budget=2)
    play(desk, Script(*({"tool": "query_device", "arguments": {"name": str(n)}} for n in range(9))), "look around")
    assert desk.errors["too many calls"] == 1
    assert desk.calls == 3


def test_a_task_of_the_benchmark_is_judged(shared: Path) -> None:
    folder = shared / "smh" / "dev"
    if not folder.is_dir():
        pytest.skip("no tasks beside the checkout")
    tasks = read_tasks(folder / "tasks.jsonl")[:1]
    script = Script({"tool": "ask", "arguments": {"text": "What do you mean?"}})
    (played,) = evaluate(folder / "homes", tasks, script, Settings())
    assert played.calls == 1
    assert played.fault is None or sum(played.errors.values())
