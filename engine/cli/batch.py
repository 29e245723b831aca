"""`hearthgraph batch`: a file of requests against one or several homes, a result line each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import click
from rich.console import Console
from rich.progress import Progress

from engine.cli.opening import with_settings
from engine.evaluation.batch import Batch, read_lines
from engine.settings import Settings


@click.command()
@click.argument("requests", type=click.Path(path_type=Path))
@click.option(
    "--home", "homes", multiple=True, required=True, type=click.Path(path_type=Path), help="A home; repeatable."
)
@click.option("--execute", is_flag=True, help="Run the plans on the simulated home: consent to everything.")
@click.option("--out", type=click.Path(path_type=Path), help="Where the result lines go; standard output by default.")
@with_settings
def batch(settings: Settings, requests: Path, homes: tuple[Path, ...], execute: bool, out: Path | None) -> None:
    """Answer the REQUESTS of a JSONL file, each on its home."""
    lines = list(read_lines(requests))
    with ExitStack() as stack:
        runner = stack.enter_context(Batch(homes, execute=execute, settings=settings))
        target: IO[str] = stack.enter_context(out.open("w", encoding="utf-8")) if out else sys.stdout
        for found in _shown(runner.run(lines), len(lines)):
            target.write(json.dumps(found, ensure_ascii=False) + "\n")


def _shown(results: Iterator[dict[str, Any]], total: int) -> Iterator[dict[str, Any]]:
    """The results, with a progress bar where standard error is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from results
        return
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("requests", total=total)
        for found in results:
            progress.advance(task)
            yield found
