"""`python -m tests.benchmarks [NAME…]`: measures, prints a table each, and fails where a bound of DESIGN is missed.

Every case is measured in a process of its own, so that one's memory and warmth are not the other's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from importlib import import_module
from types import ModuleType

from rich.console import Console
from rich.table import Table

from tests.benchmarks.commands import python
from tests.benchmarks.figures import Figure

NAMES = (
    "understanding",
    "batches",
    "cold",
    "retrieval",
    "contexts",
    "selecting",
    "remembering",
    "anticipating",
    "loading",
    "stores",
    "serving",
    "exploring",
    "ruling",
    "exposing",
)


def main(arguments: list[str]) -> int:
    """The exit status: 1 where a bound is missed."""
    if arguments[:1] == ["--case"]:
        name, case = arguments[1:]
        print(json.dumps([asdict(figure) for figure in _module(name).measure(case)]))
        return 0
    missed = 0
    for name in arguments or NAMES:
        missed += _report(name)
    return min(missed, 1)


def _module(name: str) -> ModuleType:
    return import_module(f"tests.benchmarks.{name}")


def _report(name: str) -> int:
    """Measures all cases of a module and prints their table; how many bounds were missed."""
    module = _module(name)
    table = Table(title=module.TITLE, title_justify="left")
    for heading in ("Home", "What"):
        table.add_column(heading)
    for heading in ("Figure", "Bound"):
        table.add_column(heading, justify="right")
    table.add_column("")
    missed = 0
    for case in module.CASES:
        figures = _measured(name, case)
        missed += sum(not figure.kept for figure in figures)
        _add(table, case, figures)
    Console(width=110).print(table)
    return missed


def _measured(name: str, case: str) -> list[Figure]:
    """The figures of one case, and the memory that it took where it does not say that itself."""
    done = python("-m", "tests.benchmarks", "--case", name, case)
    figures = [Figure(**figure) for figure in json.loads(done.output.splitlines()[-1])]
    if not any(figure.what == "memory" for figure in figures):
        figures.append(Figure("memory", done.megabytes, "MB"))
    return figures


def _add(table: Table, case: str, figures: Iterable[Figure]) -> None:
    table.add_section()
    for number, figure in enumerate(figures):
        bound = ""
        if figure.bound is not None:
            bound = f"{'≥' if figure.at_least else '≤'} {figure.bound:g} {figure.unit}"
        verdict = "" if figure.bound is None else "kept" if figure.kept else "MISSED"
        table.add_row("" if number else case, figure.what, f"{_rounded(figure.value)} {figure.unit}", bound, verdict)


def _rounded(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
