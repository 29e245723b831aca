"""`hearthgraph evaluate homeenv` and `ha`: sentences of people in whole homes, judged, with intervals and baselines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from engine.cli.opening import with_settings
from engine.evaluation import ha as sentences
from engine.evaluation import homeenv as benchmark
from engine.evaluation.ha import Score
from engine.evaluation.homeenv import COLUMNS, SIZES, Scores, Verdict
from engine.settings import Settings

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.option("--homes", required=True, type=FOLDER, help="The folder of the homes, a JSON file each.")
@click.option("--tasks", required=True, type=FILE, help="The tasks, a JSON object a line.")
@click.option("--said", type=FILE, help="Other words for last turns, by id; tasks without any are left out.")
@click.option("--out", type=click.Path(path_type=Path), help="Where the results go, a JSON object a line.")
@click.option("--failures", is_flag=True, help="Print the tasks that went wrong, and why.")
@with_settings
def homeenv(settings: Settings, homes: Path, tasks: Path, said: Path | None, out: Path | None, failures: bool) -> None:
    """Tasks in SMH-Bench's taxonomy, by subcategory and size of home."""
    asked = benchmark.read_tasks(tasks)
    asked = asked if said is None else benchmark.in_other_words(asked, said)
    verdicts = list(benchmark.evaluate(homes, asked, settings))
    if out is not None:
        write_lines(out, ({**one.result, "id": one.task.id} for one in verdicts))
    console = Console(width=140)
    console.print(_by_size(Scores.of(verdicts)))
    console.print(_what_came(verdicts))
    console.print(_beside(Scores.of(verdicts), benchmark.baselines(asked, benchmark.read_houses(homes))))
    console.print(f"Calls of a language model: {sum(one.result.get('llm_calls', 0) for one in verdicts)}.")
    for one in verdicts if failures else ():
        if one.fault is not None:
            console.print(_failure(one), markup=False)


def write_lines(path: Path, results: Iterable[Mapping[str, Any]]) -> None:
    """Results, a JSON object a line."""
    path.write_text("".join(f"{json.dumps(r, ensure_ascii=False)}\n" for r in results), encoding="utf-8")


def _failure(one: Verdict) -> str:
    return f"{one.task.id} {one.task.subcategory}: “{one.task.turns[-1]['text']}”: {one.fault}"


def _by_size(scores: Scores) -> Table:
    table = Table("", *SIZES, "all", title="Right, of all, with Wilson's 95 % interval", title_justify="left")
    rows = dict.fromkeys(row for row, _ in scores.cells)
    for row in (*sorted(r for r in rows if r.startswith("TC")), "core", "refusals"):
        if row in rows:
            table.add_row(row, *(scores.cells[row, column].told() for column in (*SIZES, "all")))
    return table


def _what_came(verdicts: Sequence[Verdict]) -> Table:
    counts = Counter(one.column for one in verdicts)
    table = Table(*COLUMNS, title="What came of all tasks", title_justify="left")
    table.add_row(*(f"{counts[one]} ({counts[one] / max(1, len(verdicts)):.1%})" for one in COLUMNS))
    return table


def _beside(scores: Scores, baselines: Mapping[str, Scores]) -> Table:
    rows: Sequence[str] = sorted({row for row, _ in scores.cells if " " not in row})
    table = Table("who does always the same", *rows, title="Trivial baselines", title_justify="left")
    for name, one in {**baselines, "Hearthgraph": scores}.items():
        table.add_row(name, *(f"{one.cells[row, 'all'].share:.0%}" for row in rows))
    return table


@click.command()
@click.option("--homes", required=True, type=FOLDER, help="The folder of the snapshots of Home Assistant.")
@click.option("--requests", required=True, type=FILE, help="The requests, a JSON object a line.")
@click.option("--gold", required=True, type=FILE, help="What is right for each, a JSON object a line.")
@click.option("--out", type=click.Path(path_type=Path), help="Where the results go, a JSON object a line.")
@click.option("--failures", is_flag=True, help="Print the requests that went wrong, with the reply.")
@with_settings
def ha(settings: Settings, homes: Path, requests: Path, gold: Path, out: Path | None, failures: bool) -> None:
    """Sentences in homes of Home Assistant: commands, questions, and sentences that fit nothing there."""
    cases = sentences.read_cases(homes, requests, gold)
    verdicts = list(sentences.evaluate(cases, settings))
    if out is not None:
        write_lines(out, (one.result for one in verdicts))
    console = Console(width=140)
    nothing, constants = sentences.constant(cases, sentences.NOTHING), sentences.constants(cases)
    console.print(_by_metric(sentences.scores(verdicts), nothing, constants))
    for one in verdicts if failures else ():
        if not one.right:
            console.print(f"{one.case.id} “{one.case.line.text}”: {one.result['reply']}", markup=False)


def _by_metric(
    scores: Mapping[str, Score], nothing: Mapping[str, Score], constants: Mapping[str, Mapping[str, Score]]
) -> Table:
    columns = ("right, with Wilson's 95 % interval", "mean of blocks", "does nothing", "best constant answer")
    table = Table("", *columns, title="Home Assistant", title_justify="left")
    for name, score in scores.items():
        best = max(constants, key=lambda one: constants[one][name].tally.share)
        said = f"{constants[best][name].tally.share:.0%} ({best})" if "answer" in name else ""
        table.add_row(name, score.tally.told(), f"{score.by_block:.0%}", f"{nothing[name].tally.share:.0%}", said)
    return table
