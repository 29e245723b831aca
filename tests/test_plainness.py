"""No function is complex, no module imports half the house, and no imports go in a circle.

Complexity is counted twice: McCabe's, as ruff counts it (branches alone, held below 11 by `make check`), and every
decision (each `and`, `or`, `if … else` and filter of a comprehension, too), which reads what McCabe's does not see.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.test_floors import REPOSITORY, SOURCES, dotted_of, name_of

MOST_ON_AVERAGE = 4.0
MOST_IMPORTS = 20

DECISIONS = {
    "engine/dialogue": 5.0,
    "engine/evaluation": 5.0,
    "engine/environment": 4.2,
    "engine/language": 7.6,
    "engine/memory": 6.8,
    "engine/model": 4.9,
    "engine/origins": 4.2,
    "engine/planning": 6.0,
    "engine/rules": 5.3,
    "engine/things": 4.8,
    "server/pages": 4.2,
}
"""Packages in which a function decides more than four things on average, with how many. These only go down."""

IMPORTS = {
    "engine.dialogue.assistant": 60,
    "engine.dialogue.recalling": 27,
    "engine.dialogue.rules.ruling": 25,
    "engine.dialogue.people.telling": 29,
    "engine.hearthgraph": 40,
    "engine.language.chart.decide": 24,
    "engine.language.chart.judging.reader": 29,
    "engine.language.understanding": 25,
    "engine.memory.bygone.mistaken": 22,
    "engine.origins.artifacts": 21,
    "engine.planning.solver": 26,
    "server.agents.house": 22,
    "server.application": 45,
}
"""Modules that import more than twenty of ours, with how many. These only go down."""

NOUNS = {
    "engine/dialogue": 180,
    "engine/language": 265,
    "engine/memory": 175,
    "engine/origins": 45,
    "engine/rules": 65,
    "engine/cli": 30,
}
"""Packages in which more than a few docstrings say "what" for a noun, with how many may. These only go down."""
FEW_NOUNS = 20

MOST_FILES = 16
FILES = {"engine/cli": 20, "engine/model": 23, "server": 18, "server/protocol": 17}
"""Folders with more files than a room should hold, with how many. These only go down."""

_BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.IfExp, ast.ExceptHandler, ast.Assert, ast.match_case)


def decisions(function: ast.AST) -> int:
    """How many things a function decides, and one."""
    found = 1
    for node in ast.walk(function):
        if isinstance(node, ast.comprehension):
            found += 1 + len(node.ifs)
        elif isinstance(node, ast.BoolOp):
            found += len(node.values) - 1
        else:
            found += isinstance(node, _BRANCHES)
    return found


def package(path: str) -> str:
    """The package that a file is of: `engine/language`, deeper files too; `server` for a file beside packages."""
    return "/".join(path.split("/")[:-1][:2])


def averages(found: Mapping[str, list[int]]) -> dict[str, float]:
    return {name: round(sum(numbers) / len(numbers), 2) for name, numbers in sorted(found.items())}


def test_a_package_is_not_complex_on_average() -> None:
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "engine",
        "server",
        "--select",
        "C901",
        "--no-cache",
        "--exit-zero",
    ]
    more = ["--config", "lint.mccabe.max-complexity=0", "--output-format", "json"]
    given = subprocess.run([*command, *more], cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    found: dict[str, list[int]] = defaultdict(list)
    for one in json.loads(given):
        number = re.search(r"\((\d+) > 0\)", one["message"])
        assert number is not None
        found[package(name_of(Path(one["filename"])))].append(int(number.group(1)))
    assert sum(map(len, found.values())) > 1000
    assert {name: mean for name, mean in averages(found).items() if mean > MOST_ON_AVERAGE} == {}


def test_a_folder_holds_few_files() -> None:
    found: dict[str, int] = defaultdict(int)
    for path in SOURCES:
        found[name_of(path.parent)] += path.name != "__init__.py"
    assert {name: number for name, number in found.items() if number > FILES.get(name, MOST_FILES)} == {}
    assert set(FILES) <= set(found)


def test_decisions_become_no_more() -> None:
    found: dict[str, list[int]] = defaultdict(list)
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found[package(name_of(path))].append(decisions(node))
    means = averages(found)
    assert {name: mean for name, mean in means.items() if mean > DECISIONS.get(name, MOST_ON_AVERAGE)} == {}
    assert set(DECISIONS) <= set(means)


def test_decisions_are_counted() -> None:
    text = "def f(a, b):\n    if a and b:\n        return [x for x in a if x] or None\n    return 1 if a else 2\n"
    assert decisions(ast.parse(text).body[0]) == 7


def imported() -> dict[str, frozenset[str]]:
    """Which modules of ours each module imports, those within functions and type checking blocks included."""
    names = {dotted_of(path) for path in SOURCES}
    return {dotted_of(path): frozenset(_ours(path, names)) for path in SOURCES}


def _ours(path: Path, names: set[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found = whole if whole in names else node.module
                if found in names:
                    yield found


def test_a_module_does_not_import_half_the_house() -> None:
    found = {name: len(ours) for name, ours in imported().items()}
    assert {name: many for name, many in found.items() if many > IMPORTS.get(name, MOST_IMPORTS)} == {}
    assert set(IMPORTS) <= set(found)


def circle(graph: Mapping[str, frozenset[str]]) -> list[str]:
    """Modules that import each other in a circle, in order; none where there is no circle."""
    finished: set[str] = set()
    for first in graph:
        path: list[str] = []
        waiting = [(first, False)]
        while waiting:
            name, left = waiting.pop()
            if left:
                finished.add(path.pop())
            elif name in path:
                return [*path[path.index(name) :], name]
            elif name not in finished:
                path.append(name)
                waiting.append((name, True))
                waiting.extend((other, False) for other in sorted(graph.get(name, ())))
    return []


def test_no_imports_go_in_a_circle() -> None:
    assert circle(imported()) == []


def test_a_circle_is_found() -> None:
    graph = {"a": frozenset({"b", "d"}), "b": frozenset({"c"}), "c": frozenset({"b"}), "d": frozenset[str]()}
    assert circle(graph) == ["b", "c", "b"]
    assert circle({"a": frozenset({"b", "c"}), "b": frozenset({"c"}), "c": frozenset[str]()}) == []


_WHAT = re.compile(r"\bwhat(ever)?\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“‘`'].*?[\"”’`']")


def says_what(docstring: str) -> bool:
    """Whether a docstring says “what” outside of examples: mostly for a noun that has a name."""
    return _WHAT.search(_QUOTED.sub("", docstring)) is not None


def test_docstrings_say_nouns_for_what() -> None:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found: dict[str, int] = defaultdict(int)
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, documented):
                found[package(name_of(path))] += says_what(ast.get_docstring(node) or "")
    assert {name: many for name, many in found.items() if many > NOUNS.get(name, FEW_NOUNS)} == {}
    assert set(NOUNS) <= set(found)


def test_what_is_seen_in_docstrings_but_not_in_examples() -> None:
    assert says_what("What came of a request.")
    assert not says_what("The answer to “what is on?”, in words.")
    assert not says_what("The outcome of a request.")
