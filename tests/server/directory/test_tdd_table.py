"""W3C's 80 assertions about directories, the table in the docs and the tests that are marked with them agree."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
LEVELS = {
    "MUST": ("MUST",),
    "SHOULD": ("SHOULD",),
    "MAY": ("MAY", "OPTIONAL", "RECOMMENDED"),
}


@dataclass(frozen=True)
class Row:
    """A row of the table."""

    iri: str
    level: str
    holds: str
    how: str
    tests: tuple[str, ...]


@pytest.fixture(scope="module")
def table(repository: Path) -> list[Row]:
    text = (repository / "docs" / "directory.md").read_text(encoding="utf-8")
    found = []
    for line in text.splitlines():
        if line.startswith("| `tdd-"):
            iri, level, holds, how, tests = (cell.strip() for cell in line.strip("|").split("|"))
            found.append(Row(iri.strip("`"), level, holds, how, tuple(re.findall(r"`(\w+)`", tests))))
    return found


def marks() -> Iterator[tuple[str, str]]:
    """Each assertion that a test is marked with, and the test."""
    for path in HERE.glob("test_tdd_*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                for mark in function.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.tdd":
                        yield from ((ast.literal_eval(one), function.name) for one in mark.args)


def test_every_assertion_is_in_the_table_once_and_tested_or_explained(table: list[Row]) -> None:
    assert len(table) == len({row.iri for row in table}) == 80
    tested = set(marks())
    assert {iri for iri, _ in tested} <= {row.iri for row in table}
    for row in table:
        assert row.level in LEVELS
        if row.holds == "yes":
            assert row.tests, row.iri
        else:
            assert row.how
            assert row.level == "MAY", f"{row.iri} must hold, or be explained"
        for name in row.tests:
            assert (row.iri, f"test_{name}") in tested, f"{name} is not marked with {row.iri}"


def test_the_table_has_the_assertions_of_w3c(table: list[Row], shared: Path) -> None:
    with (shared / "w3c" / "discovery-assertions.csv").open(encoding="utf-8", newline="") as file:
        said = {row["ID"]: row["Assertion"] for row in csv.DictReader(file) if row["ID"].startswith("tdd-")}
    assert said.keys() == {row.iri for row in table}
    for row in table:
        assert any(word in said[row.iri] for word in LEVELS[row.level]), row.iri
        if "MUST" in said[row.iri]:
            assert row.level == "MUST", row.iri
        elif "SHOULD" in said[row.iri]:
            assert row.level == "SHOULD", row.iri
        assert said[row.iri] not in row.how
