"""The engine is built in floors (DESIGN, Folders), its files are short, and SPARQL stays in `.rq` files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
SOURCES = sorted(path for package in ("engine", "server") for path in (REPOSITORY / package).rglob("*.py"))

ROOT = {"errors", "settings", "server_settings", "resources", "llm", "embedding", "minilm"}
FLOORS = {
    "root": 0,
    "graph": 1,
    "model": 2,
    "things": 3,
    "environment": 4,
    "origins": 5,
    "language": 5,
    "experience": 5,
    "memory": 6,
    "exposure": 6,
    "planning": 7,
    "rules": 8,
    "execution": 8,
    "dialogue": 9,
    # The top floor: `hearthgraph` wires the engine, the faces stand on it, the command line shows them all.
    "hearthgraph": 10,
    "evaluation": 11,
    "cli": 12,
    "server": 13,
}
LONGEST_FILE = 600
LONGEST_FUNCTION = 40

STATEMENT = re.compile(r"\b(SELECT|CONSTRUCT|ASK|DESCRIBE|INSERT|DELETE|WHERE|OPTIONAL|UNION|MINUS|GRAPH)\b[^{}]*\{")
CLAUSE = re.compile(
    r"\bPREFIX\s+\w*:\s*<|\bFILTER\s*\(|\bBIND\s*\(|\bVALUES\s*[(?]|\b(CLEAR|DROP)\s+(SILENT\s+)?GRAPH\b"
)
BINDS_VALUES = {"engine/graph/queries.py"}  # puts rows of terms into a VALUES block: the one place that may


@dataclass(frozen=True)
class Source:
    """What a file of ours imports, its strings and the lengths of its functions, each with the line."""

    path: Path
    lines: int
    imports: tuple[tuple[int, str], ...]
    texts: tuple[tuple[int, str], ...]
    functions: tuple[tuple[int, str, int], ...]

    @property
    def name(self) -> str:
        return name_of(self.path)


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    """All files of ours. Of their syntax trees only what is asked is kept: all of them are some hundred megabytes."""
    return [read(path) for path in SOURCES]


def read(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    lengths = tuple((node.lineno, node.name, length(node)) for node in functions)
    return Source(path, len(text.splitlines()), tuple(imports(tree)), tuple(texts(tree)), lengths)


def name_of(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()


def module_of(dotted: str) -> str | None:
    """The module of the floor table that a dotted name is part of; None for what is not ours."""
    parts = dotted.split(".")
    if parts[0] == "server":
        return "server"
    if parts[0] != "engine" or len(parts) == 1:
        return None
    return "root" if parts[1] in ROOT else parts[1]


def dotted_of(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each import as (line, dotted name), those within functions and type checking blocks included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def breach(importer: str, imported: str) -> str | None:
    """Why `importer` may not import `imported` (dotted names), or None where it may."""
    if imported.startswith("."):
        return "is a relative import"
    upper, lower = module_of(importer), module_of(imported)
    if lower is None or upper is None:
        return None
    if unknown := {upper, lower} - FLOORS.keys():
        return f"concerns {', '.join(sorted(unknown))}, which has no floor: add it to DESIGN and to this test"
    if upper == lower:
        origins = [dotted.split(".")[2:-1] for dotted in (importer, imported)]  # empty for a file that is of no origin
        crosses = upper == "origins" and all(origins) and origins[0][0] != origins[1][0]
        return "crosses from one origin to another" if crosses else None
    return None if FLOORS[lower] < FLOORS[upper] else "does not go down"


def test_a_module_imports_only_from_floors_below(sources: list[Source]) -> None:
    found = [
        f"{source.name}:{line}: import of {name} {why}"
        for source in sources
        for line, name in source.imports
        if (why := breach(dotted_of(source.path), name))
    ]
    assert not found


def test_the_floor_test_sees_each_kind_of_breach() -> None:
    assert breach("engine.graph.store", "engine.model.thing.Thing") == "does not go down"
    assert breach("engine.language.phrases.frames", "engine.experience.memory") == "does not go down"
    assert breach("engine.graph.store", ".terms") == "is a relative import"
    assert breach("engine.origins.homebench.door", "engine.origins.other.door") == "crosses from one origin to another"
    assert breach("engine.origins.sources", "engine.origins.homebench.homes.Home") is None
    assert "has no floor" in (breach("engine.attic.box", "engine.graph.store") or "")
    assert breach("engine.cli.main", "engine.hearthgraph.Hearthgraph") is None
    assert breach("engine.settings", "engine.errors.SettingError") is None
    assert breach("engine.graph.store", "pyoxigraph.Store") is None


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each string as (line, text), f-strings put together, docstrings left out."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    skipped = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented) and docstring(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped.update(id(value) for value in node.values)
            yield node.lineno, "".join(str(v.value) if isinstance(v, ast.Constant) else "…" for v in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def docstring(node: ast.AST) -> ast.Expr | None:
    """The docstring of a module, class or function as a statement, or None."""
    body = getattr(node, "body", None)
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def test_no_sparql_stands_in_python_strings(sources: list[Source]) -> None:
    found = [
        f"{source.name}:{line}"
        for source in sources
        if source.name not in BINDS_VALUES
        for line, text in source.texts
        if STATEMENT.search(text) or CLAUSE.search(text)
    ]
    assert not found, "SPARQL in strings: move it to queries/<module>/<name>.rq"


@pytest.mark.parametrize("text", ["SELECT ?s WHERE { ?s ?p ?o }", "ASK {", "PREFIX hg: <urn:x>", "INSERT DATA { }"])
def test_the_sparql_test_sees_sparql(text: str) -> None:
    assert STATEMENT.search(text) or CLAUSE.search(text)


def test_a_file_is_not_long(sources: list[Source]) -> None:
    long = {source.name: source.lines for source in sources if source.lines > LONGEST_FILE}
    assert not long, "these hold more than one thing: make two of each"


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function from its `def` on, its docstring left out."""
    text = docstring(node)
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    return lines - ((text.end_lineno or text.lineno) - text.lineno + 1 if text else 0)


def test_a_function_is_not_long(sources: list[Source]) -> None:
    long = [
        f"{source.name}:{line}: {name} has {lines} lines"
        for source in sources
        for line, name, lines in source.functions
        if lines > LONGEST_FUNCTION
    ]
    assert not long


def test_every_query_says_what_it_answers() -> None:
    queries = (REPOSITORY / "queries").rglob("*.rq")
    silent = [name_of(path) for path in queries if not path.read_text(encoding="utf-8").startswith("#")]
    assert not silent, "a query starts with a comment: what it answers, what is bound, what comes back"
