"""The evaluation on homes of Home Assistant: on a house of our own, and, where the set is, against its own scorer."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from engine import settings as configuration
from engine.cli.main import main
from engine.errors import InputError
from engine.evaluation import ha
from engine.evaluation.ha_operations import Done, all_same, comes_to
from tests.origins.ha_house import house, snapshot, written

HOME = "snapshots/mill"


def command(number: int, text: str, *ops: list[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    entities = sorted({op[0] for op in ops})
    return asked(number, text, {"kind": "command", "ops": list(ops), "entities": entities})


def asked(number: int, text: str, gold: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own = {"id": f"r{number}", "home": HOME}
    return {**own, "text": text}, {"block": number // 2, "answer": None, **own, **gold}


SPOKEN = [
    command(0, "Turn on the desk lamp.", ["light.desk", "on", None]),
    command(1, "Switch the desk lamp on.", ["light.desk", "on", None]),
    command(2, "Set the roof blind to 40 percent.", ["cover.roof", "position", 40]),
    command(3, "Turn off the gate.", ["light.desk", "off", None]),
    asked(4, "Turn on the sauna.", {"kind": "infeasible"}),
    asked(6, "Is the pantry bulb on?", {"kind": "query", "answer": {"kind": "boolean", "value": True}}),
    asked(8, "Turn off the pantry bulb.", {"kind": "command", "want": {"light.plain": {"state": "off"}}}),
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """The folder of homes, requests and gold."""
    homes, requests, gold = tmp_path / "snapshots", tmp_path / "requests.jsonl", tmp_path / "gold.jsonl"
    homes.mkdir()
    written(house(), homes / "mill")
    for path, lines in ((requests, [r for r, _ in SPOKEN]), (gold, [g for _, g in SPOKEN])):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return homes, requests, gold


def test_each_sentence_is_judged_by_what_it_did_or_answered(files: tuple[Path, Path, Path]) -> None:
    verdicts = list(ha.evaluate(ha.read_cases(*files), configuration.load()))
    assert {one.case.id: one.right for one in verdicts} == {
        "r0": True,
        "r1": True,
        "r2": True,
        "r3": False,
        "r4": True,
        "r6": True,
        "r8": True,
    }
    scores = ha.scores(verdicts)
    assert (scores["command: entities, operation, value"].tally.right, scores["answer"].tally.of) == (3, 1)
    assert scores["command: entities, operation, value"].by_block == pytest.approx((1.0 + 0.5) / 2)


def test_who_does_nothing_is_right_where_nothing_fits_and_nowhere_else(files: tuple[Path, Path, Path]) -> None:
    cases = ha.read_cases(*files)
    found = {name: score.tally.share for name, score in ha.constant(cases, ha.NOTHING).items()}
    assert found.pop("infeasible: nothing done") == 1
    assert set(found.values()) == {0}
    assert ha.constants(cases)["yes"]["answer"].tally.share == 1


def test_the_command_prints_the_figures_and_writes_the_results(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    out, names = tmp_path / "out.jsonl", ("--homes", "--requests", "--gold")
    paths = [str(part) for pair in zip(names, files, strict=True) for part in pair]
    shown = CliRunner().invoke(main, ["evaluate", "ha", *paths, "--out", str(out), "--failures"])
    assert shown.exit_code == 0, shown.output
    assert "3/4 75% (30–95)" in shown.output
    assert "Turn off the gate." in shown.output
    assert len(out.read_text(encoding="utf-8").splitlines()) == len(SPOKEN)


def test_a_request_without_gold_or_home_is_refused_beforehand(files: tuple[Path, Path, Path]) -> None:
    homes, requests, gold = files
    gold.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="r0"):
        ha.read_cases(homes, requests, gold)
    gold.write_text("{}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1|:1"):
        ha.read_cases(homes, requests, gold)


@pytest.mark.parametrize(
    ("got", "wanted", "right"),
    [
        ([Done("cover.a", "open")], [Done("cover.a", "position", 100)], True),
        ([Done("cover.a", "close")], [Done("cover.a", "position", 100)], False),
        ([Done("light.a", "brightness", 50.4)], [Done("light.a", "brightness", 50)], True),
        ([Done("light.a", "brightness", 52)], [Done("light.a", "brightness", 50)], False),
        ([Done("light.a", "on"), Done("light.a", "on")], [Done("light.a", "on")], True),
        ([Done("light.a", "on"), Done("light.b", "on")], [Done("light.a", "on")], False),
        ([], [Done("light.a", "on")], False),
    ],
)
def test_operations_are_compared_by_what_they_come_to(got: list[Done], wanted: list[Done], right: bool) -> None:
    assert all_same(got, wanted) is right


def test_states_that_nobody_wanted_changed_count_against_it() -> None:
    home, wanted = snapshot(house()), {"light.plain": {"state": "off"}}
    off = Done("light.plain", "off")
    assert comes_to([off], home, wanted)
    assert not comes_to([off, Done("switch.left", "on")], home, wanted)
    assert not comes_to([], home, wanted)
    assert not comes_to([off, Done("x", "?")], home, wanted)
    assert comes_to([Done("media_player.den", "volume", 70)], home, {"media_player.den": {"volume": 70}})


def reference(folder: Path) -> ModuleType:
    """The reference scorer, with what it imports from beside it."""
    path = folder / "score_ha.py"
    if not path.is_file():
        pytest.skip("no ha/score_ha.py in ../shared, the reference scorer")
    spec = importlib.util.spec_from_file_location("ha_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = list(sys.path)
    try:
        sys.path.insert(0, str(folder))
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = before
    return module


OURS = {
    "command: entities, operation, value": "intent (entities + operation + value)",
    "command: entities": "entity set only",
    "command: operation": "operation only",
    "infeasible: nothing done": "infeasible: nothing done",
    "answer": "answer",
    "final state": "final state, all",
}
"""Our metrics, and what the reference scorer calls them."""


@pytest.mark.parametrize("name", ["ha-intents", "assist-mini"])
def test_we_judge_as_the_reference_scorer_does(shared: Path, name: str) -> None:
    scorer, part = reference(shared / "ha"), shared / "ha" / "dev"
    cases = ha.read_cases(part / "snapshots", part / f"{name}.requests.jsonl", part / f"{name}.gold.jsonl")
    verdicts = list(ha.evaluate(cases[:: 5 if name == "ha-intents" else 2], configuration.load()))
    assert sum(one.right for one in verdicts) > len(verdicts) / 2, "far below what it has been"
    results = [(one.case, dict(one.result)) for one in verdicts]
    results += [
        (one, {"status": "answered", "answer": answer}) for one in cases[::7] for answer in ha.CONSTANTS.values()
    ]
    for case, result in results:
        theirs = scorer.judge(case.gold, result, "dev")
        ours = ha.metrics(case, result)
        both = [(ours[m], bool(theirs[t])) for m, t in OURS.items() if m in ours and t in theirs]
        assert both, case.id
        assert all(one == other for one, other in both), (case.id, ours, theirs)
