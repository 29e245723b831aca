"""The evaluation on HomeEnv homes: on a house made up here, and, where the benchmark is, against its own scorer."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from engine import settings as configuration
from engine.cli.main import main
from engine.errors import InputError
from engine.evaluation import homeenv
from engine.evaluation.homeenv import Task, Verdict
from engine.evaluation.homeenv_judge import House, judge
from engine.evaluation.intervals import wilson

POWER = {"name": "state", "type": "str", "value": "off", "options": ["on", "off"]}
LEVEL = {"name": "brightness", "type": "int", "value": 20, "range": [1, 100], "unit": "percentage"}
SWITCHES = [
    {"name": f"turn_{to}", "arguments": [], "effects": [{"attribute": "state", "value": to}]} for to in ("on", "off")
]
SETTER = {
    "name": "set_brightness",
    "arguments": [{"name": "brightness", "type": "int", "range": [1, 100], "unit": "percentage"}],
    "effects": [{"attribute": "brightness", "argument": "brightness"}, {"attribute": "state", "value": "on"}],
}


def lamp(did: str, name: str, room: str) -> dict[str, Any]:
    about = {"did": did, "category": "light", "subcategory": "light", "tags": ["light"], "room": room}
    own = {"attributes": [POWER, LEVEL], "services": [*SWITCHES, SETTER], "components": []}
    return {"name": name, "description": "A lamp.", **own, "userdata": about}


HUT = {
    "id": "hut",
    "name": "Hut",
    "now": "2026-03-01T20:00:00",
    "rooms": [
        {"id": "studio", "type": "study", "name": "studio", "floor": 1},
        {"id": "porch", "type": "balcony", "name": "porch", "floor": 1},
    ],
    "devices": [
        lamp("11", "drawing lamp", "studio"),
        lamp("12", "wall lamp", "studio"),
        lamp("13", "lantern", "porch"),
    ],
}


def task(number: int, text: str, expect: dict[str, Any], before: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    turns = [*before, {"text": text}]
    home = {"home": "hut", "complexity": "simple", "now": HUT["now"], "user": "kim", "location": None, "memory": []}
    return {"id": f"t{number}", "category": "TC1", "subcategory": "Own", **home, "turns": turns, "expect": expect}


def final(did: str, path: str, value: object) -> dict[str, Any]:
    return {"did": did, "path": path, "op": "==", "value": value}


LANTERN_ON = {"kind": "state", "final": [final("13", "state", "on")], "also_ok": []}
SOFT = [final("11", "brightness", 35), final("11", "state", "on")]
TASKS = [
    task(1, "Turn on the lantern.", LANTERN_ON),
    task(
        2,
        "Set it to 35 percent.",
        {"kind": "state", "final": SOFT[:1], "also_ok": SOFT[1:]},
        ({"text": "Turn on the drawing lamp.", "effects": [{"did": "11", "path": "state", "value": "on"}]},),
    ),
    task(
        3, "How many lamps are on?", {"kind": "answer", "value": 0, "unit": None, "must_contain": [["0", "no", "none"]]}
    ),
    task(4, "Turn on the lantern in the cellar.", {"kind": "refuse", "reason": "no_such_room", "also_reasons": []}),
]


@pytest.fixture
def hut(tmp_path: Path) -> Path:
    folder = tmp_path / "homes"
    folder.mkdir()
    (folder / "hut.json").write_text(json.dumps(HUT), encoding="utf-8")
    return folder


def written(path: Path, tasks: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in tasks), encoding="utf-8")
    return path


def verdicts(folder: Path, tasks: Path) -> list[Verdict]:
    return list(homeenv.evaluate(folder, homeenv.read_tasks(tasks), configuration.load()))


def test_tasks_are_played_after_their_context_and_from_a_fresh_home(hut: Path, tmp_path: Path) -> None:
    found = verdicts(hut, written(tmp_path / "tasks.jsonl", TASKS))
    assert {one.task.id: one.fault for one in found} == dict.fromkeys(("t1", "t2", "t3", "t4"))


def test_what_is_not_asked_for_must_not_change(hut: Path, tmp_path: Path) -> None:
    everything = task(1, "Turn on all the lamps.", LANTERN_ON)
    wrong = task(2, "Turn on the wall lamp.", LANTERN_ON)
    found = verdicts(hut, written(tmp_path / "tasks.jsonl", [everything, wrong]))
    assert [one.fault is None for one in found] == [False, False]


def test_a_reply_is_given_to_the_question_and_judged_with_it(hut: Path, tmp_path: Path) -> None:
    wall = {"kind": "state", "final": [final("12", "state", "on")], "also_ok": []}
    which = {"kind": "clarify", "about": "device", "then": {"text": "The wall lamp.", "expect": wall}}
    wrong = {**which, "then": {"text": "The drawing lamp.", "expect": wall}}
    asked = [task(n, "Turn on the lamp in the studio.", expect) for n, expect in enumerate((which, wrong))]
    found = verdicts(hut, written(tmp_path / "tasks.jsonl", asked))
    assert found[0].fault is None
    assert found[1].fault is not None
    assert found[1].fault.startswith("after the reply")


@pytest.mark.parametrize(
    ("expected", "result", "right"),
    [
        ({"value": 3, "unit": None, "must_contain": []}, {"value": 3, "text": "3 lamps."}, True),
        ({"value": 3, "unit": None, "must_contain": []}, {"value": 4, "text": "3 or 4 lamps."}, False),
        ({"value": 3, "unit": "celsius", "must_contain": []}, {"value": 3, "unit": "percent", "text": "3 %"}, False),
        ({"value": True, "must_contain": [["yes"]]}, {"value": True, "text": "Yes."}, True),
        ({"value": True, "must_contain": [["yes"]]}, {"value": False, "text": "Yes."}, False),
        ({"value": ["a lamp"], "must_contain": [["a lamp"]]}, {"value": ["a lamp", "b"], "text": "a lamp, b"}, False),
        ({"value": "heat", "must_contain": [["heat"]], "must_not_contain": ["cool"]}, {"text": "cool or heat"}, False),
    ],
)
def test_answers_are_judged_by_their_value_and_then_by_their_words(
    expected: dict[str, Any], result: dict[str, Any], right: bool
) -> None:
    said = {"status": "answered", "changes": [], "answer": result}
    assert (judge({"kind": "answer", **expected}, said, House.of(HUT)) is None) is right


BRIGHT = {"did": "12", "path": "state", "op": "==", "value": "on"}


def scenario(fires: bool, until: int, *changes: tuple[int, str]) -> dict[str, Any]:
    events = [{"after": after, "set": [{"did": "12", "path": "state", "value": value}]} for after, value in changes]
    return {"note": f"{changes} until {until}", "events": events, "until": until, "fires": fires}


def condition(value: str, **more: object) -> dict[str, Any]:
    wall = "urn:homeenv:hut:device:12"
    return {"artifact": wall, "property": f"{wall}#properties/state", "op": "==", "value": value, **more}


def action(did: str, path: str, value: object) -> dict[str, Any]:
    artifact = f"urn:homeenv:hut:device:{did}"
    return {"artifact": artifact, "property": f"{artifact}#properties/{path}", "value": value}


AT_TEN = {
    "kind": "rule",
    "trigger": {"at": "2026-03-01T22:00:00", "conditions": [BRIGHT]},
    "final": [final("13", "state", "on")],
    "also_ok": [],
    "fires": [scenario(True, 7290, (60, "on")), scenario(False, 7290, (60, "off")), scenario(False, 7140, (60, "on"))],
}
LASTING = {
    "kind": "rule",
    "trigger": {"conditions": [{**BRIGHT, "for_seconds": 600}]},
    "final": [final("13", "state", "on")],
    "also_ok": [],
    "fires": [scenario(True, 900, (60, "on")), scenario(False, 900, (60, "on"), (360, "off"))],
}
WITHIN = {"artifact": "", "property": "time", "op": "between", "value": ["20:00", "22:00"]}
ON, LONG = [action("13", "state", "on")], condition("on", for_seconds=600)


@pytest.mark.parametrize(
    ("expected", "trigger", "actions", "fault"),
    [
        (AT_TEN, {"at": "2026-03-01T22:00:00+00:00", "conditions": [condition("on")]}, ON, None),
        (AT_TEN, {"cron": "0 22 * * *", "conditions": [condition("on")]}, ON, "other times"),
        (AT_TEN, {"at": "2026-03-01T21:00:00", "conditions": [condition("on")]}, ON, "other times"),
        (AT_TEN, {"at": "2026-03-01T22:00:00", "conditions": []}, ON, "it fires True"),
        (AT_TEN, {"conditions": [condition("on")]}, ON, "other times"),
        (AT_TEN, {"at": "2026-03-01T22:00:00", "conditions": [condition("on")]}, ON[:0], "does not set"),
        (LASTING, {"conditions": [LONG]}, ON, None),
        (LASTING, {"conditions": [condition("on")]}, ON, "it fires True"),
        (LASTING, {"conditions": [condition("off")]}, ON, "it fires False"),
        (LASTING, {"conditions": [LONG, WITHIN]}, ON, None),
        (LASTING, {"conditions": [LONG, {**WITHIN, "value": ["22:00", "06:00"]}]}, ON, "it fires False"),
        (LASTING, {"conditions": [LONG]}, [*ON, action("11", "state", "on")], "changed besides"),
        (LASTING, {"conditions": [LONG]}, [action("13", "brightness", 50)], "changed besides"),
        (LASTING, {"conditions": [LONG]}, [action("13", "brightness", 500)], "cannot be 500"),
        (LASTING, {"conditions": [LONG]}, [action("99", "state", "on")], "none of this home's"),
    ],
)
def test_a_rule_is_right_that_fires_when_it_shall_and_sets_what_it_shall(
    expected: dict[str, Any], trigger: dict[str, Any], actions: list[dict[str, Any]], fault: str | None
) -> None:
    result = {"status": "scheduled", "changes": [], "rule": {"trigger": trigger, "actions": actions}}
    found = judge(expected, result, House.of(HUT))
    assert found is None if fault is None else fault in (found or "")


def test_a_rule_that_acts_at_once_is_wrong(hut: Path, tmp_path: Path) -> None:
    found = verdicts(
        hut,
        written(
            tmp_path / "tasks.jsonl", [task(1, "At ten tonight, if the wall lamp is on, turn on the lantern.", AT_TEN)]
        ),
    )
    assert found[0].fault is None
    at_once = {**found[0].result, "changes": [{**action("13", "state", "on"), "before": "off", "after": "on"}]}
    assert judge(AT_TEN, at_once, House.of(HUT)) is not None


def test_a_task_on_a_home_that_is_not_there_is_refused_beforehand(hut: Path, tmp_path: Path) -> None:
    lost = {**TASKS[0], "home": "palace"}
    with pytest.raises(InputError, match="palace"):
        verdicts(hut, written(tmp_path / "tasks.jsonl", [lost]))


def test_a_line_that_is_no_task_is_told_with_its_number(hut: Path, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text(f'{json.dumps(TASKS[0])}\n{{"id": "x"}}\n', encoding="utf-8")
    shown = CliRunner().invoke(main, ["evaluate", "homeenv", "--homes", str(hut), "--tasks", str(tasks)])
    assert shown.exit_code != 0
    assert "line 2" in f"{shown.output}{shown.exception}".lower() or ":2" in f"{shown.output}{shown.exception}"


def test_the_command_prints_intervals_and_baselines_and_writes_results(hut: Path, tmp_path: Path) -> None:
    tasks, out = written(tmp_path / "tasks.jsonl", TASKS), tmp_path / "out.jsonl"
    paths = ["--homes", str(hut), "--tasks", str(tasks), "--out", str(out)]
    shown = CliRunner().invoke(main, ["evaluate", "homeenv", *paths])
    assert shown.exit_code == 0, shown.output
    assert "4/4 100% (51–100)" in shown.output
    assert "do nothing" in shown.output
    assert {json.loads(line)["id"] for line in out.read_text(encoding="utf-8").splitlines()} == {"t1", "t2", "t3", "t4"}


def test_wilsons_intervals_are_those_of_the_tables() -> None:
    assert wilson(8, 10) == pytest.approx((0.490, 0.943), abs=1e-3)
    assert wilson(0, 20) == pytest.approx((0.0, 0.161), abs=1e-3)
    assert wilson(20, 20) == pytest.approx((0.839, 1.0), abs=1e-3)


def reference(folder: Path) -> ModuleType:
    path = folder / "score.py"
    if not path.is_file():
        pytest.skip("no smh/score.py in ../shared, the reference scorer")
    spec = importlib.util.spec_from_file_location("smh_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = list(sys.path)
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = before
    return module


def otherwise(rule: Any) -> Iterator[dict[str, Any]]:
    """A rule with one thing left out or put differently."""
    if not isinstance(rule, dict):
        return
    trigger, actions = rule["trigger"], rule["actions"]
    yield {**rule, "actions": actions[1:]}
    yield {**rule, "trigger": {**trigger, "match": "any"}}
    yield {**rule, "trigger": {**trigger, "cron": "0 4 * * *"}}
    for place, one in enumerate(trigger.get("conditions") or ()):
        rest = [other for n, other in enumerate(trigger["conditions"]) if n != place]
        yield {**rule, "trigger": {**trigger, "conditions": rest}}
        yield {**rule, "trigger": {**trigger, "conditions": [*rest, {**one, "for_seconds": 3000}]}}
        if not isinstance(one["value"], list):
            yield {**rule, "trigger": {**trigger, "conditions": [*rest, {**one, "op": "<"}]}}


WRONG: list[dict[str, Any]] = [*(dict(one) for one in homeenv.BASELINES.values())]


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # the reference leaves its files open
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_we_judge_as_the_reference_scorer_does(shared: Path) -> None:
    part = shared / "smh" / "dev"
    scorer, houses = reference(shared / "smh"), homeenv.read_houses(part / "homes")
    theirs, raw = scorer.load(str(part))
    known = {one["id"]: one for one in raw}
    ours = homeenv.read_tasks(part / "tasks.jsonl")
    some = [t for t in ours if t.size != "complex"][::4]
    rules = [t for t in ours if t.expected["kind"] == "rule" and t not in some]
    played = list(homeenv.evaluate(part / "homes", [*some, *rules], configuration.load()))

    def agree(one: Task, result: dict[str, Any]) -> None:
        fault = homeenv.verdict(one, result, houses[one.home]).fault
        other = scorer.judge(known[one.id], result, theirs)
        assert (fault is None) == (other is None), (one.id, fault, other, result.get("reply"))

    for verdict in played:
        agree(verdict.task, dict(verdict.result))
        for wrong in otherwise(verdict.result.get("rule")):
            agree(verdict.task, {**verdict.result, "rule": wrong})
    for one in ours:
        for result in WRONG:
            agree(one, result)
    assert sum(one.fault is None for one in played) > len(played) / 2, "far below what it has been"


def test_tasks_are_said_in_other_words(tmp_path: Path) -> None:
    homes = tmp_path / "homes"
    homes.mkdir()
    (homes / "hut.json").write_text(json.dumps(HUT))
    tasks, said = tmp_path / "tasks.jsonl", tmp_path / "said.jsonl"
    tasks.write_text("".join(f"{json.dumps(one)}\n" for one in TASKS))
    rows = [{"id": "t1", "text": "Lantern on, please."}, {"id": "t3", "text": "Turn the lantern on."}]
    said.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    told = CliRunner().invoke(
        main, ["evaluate", "homeenv", "--homes", str(homes), "--tasks", str(tasks), "--said", str(said)]
    )
    assert told.exit_code == 0
    assert "1 (50.0%)" in told.output, "one is right, and one acts in the place of an answer"
    said.write_text("not JSON\n")
    refused = CliRunner().invoke(
        main, ["evaluate", "homeenv", "--homes", str(homes), "--tasks", str(tasks), "--said", str(said)]
    )
    assert refused.exit_code != 0
    assert "Traceback" not in refused.output
