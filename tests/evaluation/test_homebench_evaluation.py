"""HomeBench's evaluation: on a home made up here, and, where the benchmark is there, against its reference scorer."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
from pathlib import Path
from types import ModuleType

import pytest

from engine.evaluation import homebench
from engine.evaluation.homebench import Case, Prediction, corrected, evaluate, scores
from engine.origins.homebench.homes import read_home
from tests.origins.small_home import CASES, HOME, write

SAMPLE = 300
PAIRS = {
    "em": "em",
    "f1": "f1",
    "full": "full",
    "partial": "partial",
    "action_p": "action_p",
    "action_r": "action_r",
    "action_f1": "action_f1",
    "impossible": "impossible",
}
"""Our names for the figures, and the reference scorer's."""


def test_what_is_predicted_for_cases_of_our_own(small_homes: Path, small_cases: Path) -> None:
    predictions, _ = evaluate(small_homes, small_cases)
    got = {p.case.id: p.calls for p in predictions}
    gold = {case["id"]: tuple(case["output"].strip("'").split("),")) for case in CASES}
    gold |= {p.case.id: p.case.gold for p in predictions}
    gold["own_2"] = gold["own_12"] = ("kitchen.light.set_brightness(30)",)
    gold["own_12"] = ("kitchen.light.set_brightness(35)",)
    assert got == gold


def test_the_impossible_brightness_is_taken_for_a_fault_of_the_labels(small_homes: Path, small_cases: Path) -> None:
    predictions, homes = evaluate(small_homes, small_cases)
    raw, fixed = (scores(predictions, homes)["all", gold].figures() for gold in ("raw", "class A corrected"))
    assert fixed["em"] == fixed["full"] == fixed["impossible"] == 1
    assert raw["em"] == pytest.approx((len(CASES) - 2) / len(CASES))
    assert raw["action_r"] == 1


@pytest.mark.parametrize(
    ("text", "call", "is_fault"),
    [
        ("Set the brightness of the kitchen light to 30.", "kitchen.light.set_brightness(30)", True),
        ("Set the kitchen light to the maximum.", "kitchen.light.set_brightness(100)", True),
        ("Make the kitchen light 30 brighter.", "kitchen.light.set_brightness(85)", False),
        ("Set the brightness of the light in the dining room to 30.", "ding_room.light.set_brightness(30)", False),
        ("Turn on the kitchen light.", "kitchen.light.turn_on()", False),
    ],
)
def test_only_an_absolute_brightness_on_a_light_that_has_one_is_corrected(text: str, call: str, is_fault: bool) -> None:
    case = Case("x", text, "7", ("error_input",), "normal")
    want = (call,) if is_fault else ("error_input",)
    assert corrected(Prediction(case, (call,), 0.0), read_home(HOME)) == want


def reference(shared: Path) -> ModuleType:
    path = shared / "homebench" / "score.py"
    if not path.is_file():
        pytest.skip("no homebench/score.py in ../shared, the reference scorer")
    spec = importlib.util.spec_from_file_location("reference_scorer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the reference leaves its files open
def test_our_figures_are_those_of_the_reference_scorer(shared: Path, tmp_path: Path) -> None:
    scorer, homes = reference(shared), shared / "homebench" / "homes.jsonl"
    rows = [
        json.loads(line) for line in (shared / "homebench" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    few = sorted({row["home_id"] for row in rows})[::12]
    cases = write(tmp_path / "cases.jsonl", [row for row in rows if row["home_id"] in few][:SAMPLE])
    predictions, known = evaluate(homes, cases)
    out = write(tmp_path / "out.jsonl", [{"id": p.case.id, "predicted": list(p.calls)} for p in predictions])
    with contextlib.redirect_stdout(io.StringIO()):
        theirs = scorer.main(str(cases), str(out), str(homes))
    ours = scores(predictions, known)["all", "class A corrected"]
    assert ours.cases == theirs["n"] == SAMPLE
    assert {name: ours.figures()[name] for name in PAIRS} == pytest.approx({n: theirs[t] for n, t in PAIRS.items()})
    assert ours.figures()["full"] > 0.9, "far below what it has been"


def test_a_case_that_cannot_be_read_at_all_counts_as_refused(small_homes: Path, tmp_path: Path) -> None:
    cases = write(tmp_path / "cases.jsonl", [{**CASES[0], "input": "  "}, CASES[2]])
    predictions, _ = evaluate(small_homes, cases)
    assert [p.calls for p in predictions] == [(homebench.ERROR,), ("kitchen.curtain.close()",)]
