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
from engine.errors import InputError
from engine.evaluation.batch import Batch
from engine.evaluation.requests import BadLine, read_lines
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
        target: IO[str] = stack.enter_context(_written(out)) if out else sys.stdout
        for found in _shown(runner.run(lines), len(lines)):
            click.echo(json.dumps(found, ensure_ascii=False), file=target)
    if bad := sum(isinstance(line, BadLine) for line in lines):
        click.echo(f"hearthgraph: {bad} of {len(lines)} lines are no requests; their results say why.", err=True)


def _written(out: Path) -> IO[str]:
    try:
        return out.open("w", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.", remedy="Give another file to --out.") from error


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
