"""`hearthgraph evaluate`: a benchmark, with the figures of its authors and of the papers beside ours."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from engine.cli.opening import with_settings
from engine.evaluation import homebench as benchmark
from engine.evaluation.homebench import Score
from engine.evaluation.published import TABLE_1, TABLE_3
from engine.settings import Settings

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def evaluate() -> None:
    """Score the engine on a benchmark."""


@evaluate.command()
@click.option("--homes", required=True, type=FILE, help="The homes, a JSON object a line.")
@click.option("--cases", required=True, type=FILE, help="The cases, a JSON object a line.")
@click.option("--out", type=click.Path(path_type=Path), help="Where the predictions go, a JSON object a line.")
@with_settings
def homebench(_: Settings, homes: Path, cases: Path, out: Path | None) -> None:
    """HomeBench, and AmI HMAS's Tables 1 and 3, raw and with class A's gold corrected."""
    predictions, known = benchmark.evaluate(homes, cases)
    if out is not None:
        lines = (json.dumps({"id": p.case.id, "predicted": list(p.calls)}) for p in predictions)
        out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    scores = benchmark.scores(predictions, known)
    calls = sum(p.llm_calls for p in predictions)
    console = Console(width=140)
    console.print(_own(scores))
    console.print(_table_1(scores))
    console.print(_table_3(scores))
    console.print(f"Calls of a language model: {calls}.")


def _own(scores: dict[tuple[str, str], Score]) -> Table:
    table = Table("HomeBench's scores", "cases", "EM", "P", "R", "F1", title="HomeBench", title_justify="left")
    for (group, gold), score in sorted(scores.items(), key=lambda item: (item[0][1], item[0][0])):
        figures = score.figures()
        shown = (figures[name] for name in ("em", "precision", "recall", "f1"))
        table.add_row(f"{group}, {gold}", str(score.cases), *(f"{figure:.3f}" for figure in shown))
    return table


_COLUMNS = ("full", "partial", "impossible", "action_p", "action_r", "action_f1", "duration")


def _table_1(scores: dict[tuple[str, str], Score]) -> Table:
    title = "AmI HMAS, Table 1 (the paper: 400 cases; here: all)"
    table = Table(
        "system", "full", "partial", "impossible", "P", "R", "F1", "s/case", title=title, title_justify="left"
    )
    for gold in ("class A corrected", "raw"):
        table.add_row(f"Hearthgraph, no model ({gold})", *_cells(scores["all", gold].figures()))
    for system, row in TABLE_1.items():
        table.add_row(system, *_cells(row))
    return table


def _cells(figures: dict[str, float]) -> list[str]:
    return [f"{figures[name]:.4f}" if name == "duration" else f"{figures[name]:.3f}" for name in _COLUMNS]


def _table_3(scores: dict[tuple[str, str], Score]) -> Table:
    title = "AmI HMAS, Table 3: by category"
    table = Table(
        "category", "system", "cases", "full", "impossible", "P", "R", "F1", "s/case", title=title, title_justify="left"
    )
    for group in ("single feasible", "single infeasible", "multi feasible", "multi mixed", "multi infeasible"):
        for gold in ("class A corrected", "raw"):
            score = scores.get((group, gold))
            if score is not None:
                figures = score.figures()
                shown = (figures[n] for n in ("full", "impossible", "action_p", "action_r", "action_f1", "duration"))
                table.add_row(group, f"Hearthgraph ({gold})", str(score.cases), *(f"{f:.3f}" for f in shown))
        for system, row in TABLE_3.get(group, {}).items():
            table.add_row(group, system, "100", "", "", *(f"{figure:.3f}" for figure in row))
    return table
