"""The page on architecture speaks of what is there: its floors are those that the code keeps to, its files exist."""

from __future__ import annotations

import re
from pathlib import Path

from tests.test_floors import FLOORS, SOURCES, module_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d+) \| `?(\w+)`? \|", re.MULTILINE)
FILE = re.compile(r"`((?:engine|server|tests|queries|shapes|ontology|data)/[\w./]*)`")


def test_the_floors_of_the_page_are_those_of_the_code() -> None:
    assert {name: int(floor) for floor, name in ROW.findall(PAGE)} == FLOORS
    packages = {module_of(".".join(path.relative_to(ROOT).with_suffix("").parts)) for path in SOURCES}
    assert packages - {None, "__init__"} <= FLOORS.keys()


def test_every_file_that_is_named_exists() -> None:
    named = set(FILE.findall(PAGE))
    assert len(named) > 30
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
