"""`hearthgraph evaluate`: a benchmark, with the figures of its authors and of the papers beside ours."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from engine.cli.evaluate_homes import ha, homeenv
from engine.cli.opening import with_settings
from engine.evaluation import homebench as benchmark
from engine.evaluation.experience import Scenario, Verdict, planner_for, read_requests
from engine.evaluation.homebench import Score
from engine.evaluation.published import TABLE_1, TABLE_3
from engine.llm import Recorder
from engine.settings import Settings

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def evaluate() -> None:
    """Score the engine on a benchmark."""


evaluate.add_command(homeenv)
evaluate.add_command(ha)


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


@evaluate.command()
@click.option("--requests", required=True, type=FILE, help="The requests of the scenario, JSON.")
@click.option("--failures", is_flag=True, help="Print the requests that went wrong, with the reply.")
@click.option("--mode", type=click.Choice(["none", "needed", "forced"]), default="none", help="When a model plans.")
@click.option("--without", type=click.Choice(["hints", "validation", "retrieval"]), multiple=True, help="Ablations.")
@click.option("--phases", default="ABC", help="Which phases: A always, then B, C.")
@click.option("--record", type=click.Path(path_type=Path), help="Where the model's answers go, to be replayed.")
@click.option("--replay", type=FILE, help="The answers that were recorded: no model is asked.")
@with_settings
def experience(
    settings: Settings,
    requests: Path,
    failures: bool,
    mode: str,
    without: tuple[str, ...],
    phases: str,
    record: Path | None,
    replay: Path | None,
) -> None:
    """The 17 requests of AmI HMAS, cold, warm, and carried to another home (Table 2)."""
    asked, published = read_requests(requests)
    model = planner_for(settings, mode, without, recorded=replay, recording=record is not None)
    with Scenario(asked, settings, model, phases) as scenario:
        verdicts = list(scenario.play())
    if record is not None and model is not None and isinstance(model.model, Recorder):
        model.model.write(record)
    console = Console(width=140)
    console.print(_table_4(verdicts))
    console.print(_table_2(verdicts, published))
    for verdict in verdicts if failures else ():
        if not verdict.right:
            console.print(f"{verdict.phase} {verdict.asked.id} “{verdict.asked.text}”: {verdict.reply}")


def _table_4(verdicts: Sequence[Verdict]) -> Table:
    title = "AmI HMAS, Table 4: the path of each request, * where it went wrong"
    table = Table("id", "request", "A", "B", "C", title=title, title_justify="left")
    for asked in dict.fromkeys(verdict.asked for verdict in verdicts):
        own = {v.phase: v for v in verdicts if v.asked == asked}
        cells = (f"{own[p].path}{'' if own[p].right else ' *'}" if p in own else "–" for p in "ABC")
        table.add_row(asked.id, asked.text, *cells)
    return table


def _table_2(verdicts: Sequence[Verdict], published: Mapping[str, Any]) -> Table:
    paths = ("signifier", "template", "model", "imp.")
    columns = ("requests", *paths, "right", "ms p50", "ms mean", "calls", "retries", "valid", "fitting", "foreign")
    table = Table("phase", *columns, title="AmI HMAS, Table 2", title_justify="left")
    for phase in "ABC":
        found = [v for v in verdicts if v.phase == phase]
        if found:
            table.add_row(f"{phase}, here", *_ours(found))
        if found and (paper := published.get(phase)):
            table.add_row(f"{phase}, the paper", *_theirs(paper))
    return table


def _ours(found: Sequence[Verdict]) -> list[str]:
    paths = [v.path for v in found]
    spent = [v.milliseconds for v in found if v.asked.feasible]
    return [
        str(len(found)),
        *(str(paths.count(path)) for path in ("signifier", "template", "model", "impossible")),
        f"{sum(v.right for v in found)}/{len(found)}",
        f"{median(spent):.1f}",
        f"{mean(spent):.1f}",
        str(sum(v.calls for v in found)),
        str(sum(v.retries for v in found)),
        _share(sum(v.calls - v.malformed for v in found), sum(v.calls for v in found)),
        _share(sum(v.fitting for v in found), sum(v.chosen for v in found)),
        str(sum(len(v.foreign) for v in found)),
    ]


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole}" if whole else "–"


def _theirs(paper: Mapping[str, Any]) -> list[str]:
    """The paper calls the signifier path fast; it has no template path, and says nothing of the last."""
    counts = [str(paper[key]) for key in ("requests", "fast")]
    rest = [str(paper[key]) for key in ("llm", "impossible")]
    return [*counts, "", *rest, f"{paper['success']:.0%}", "", str(paper["avg_latency_ms"]), str(paper["llm_calls"])]


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
