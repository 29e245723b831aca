"""Loads query files and binds values in them: as terms that serialise themselves, never as text.

A `.rq` file is valid SPARQL as it stands. Three places in it take values:

    VALUES ?room { UNDEF }                      bind(room=<one term>) or bind(room=[<terms>])
    VALUES (?part ?kind) { (UNDEF UNDEF) }      bind(part_kind=[(<term>, <term>), …])
    INSERT DATA { }   and   DELETE DATA { }     bind(insert=[<quads>], delete=[<quads>])

An unbound place stays as it is: no restriction, no data. Bound to no rows, a VALUES has no solution. A variable that
stands in several VALUES of a file (the branches of a UNION) gets its rows in each of them.

Rows are put in the order that a query ends with here: a store compares terms that it looks up again each time, which
takes most of the time of a query with thousands of rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from typing import TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from engine.errors import QueryError
from engine.graph.terms import Term, expand
from engine.resources import folder

_NAME = re.compile(r"[a-z0-9_]+(/[a-z0-9_]+)*")
_COMMENT = re.compile(r"^[ \t]*#.*\n?", re.MULTILINE)
_SLOT = re.compile(
    r"VALUES\s*\?(?P<one>\w+)\s*\{\s*UNDEF\s*\}"
    r"|VALUES\s*\((?P<many>(?:\s*\?\w+)+)\s*\)\s*\{\s*\((?:\s*UNDEF)+\s*\)\s*\}"
    r"|(?P<data>INSERT|DELETE)\s+DATA\s*\{\s*\}"
)
# What a word of the language is not found in: escaped characters, IRIs, strings, comments.
_HIDDEN = re.compile(
    r"\\.|<[^<>\"{}|^`\\\x00-\x20]*>"
    r"|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''"
    r"|\"(?:[^\"\\\n\r]|\\.)*\"|'(?:[^'\\\n\r]|\\.)*'"
    r"|#[^\n\r]*",
    re.DOTALL,
)
# A dataset clause of the query's own.
_FROM = re.compile(r"(?<![?$\w:@])FROM(?!\w|\s*:)", re.IGNORECASE)

_ORDER = re.compile(r"\bORDER\s+BY((?:\s+\?\w+)+)\s*\Z")
_SELECTED = re.compile(r"\bSELECT(?:\s+DISTINCT)?((?:\s+\?\w+)+)\s+WHERE\b")
_NUMBERS = frozenset(expand(f"xsd:{name}") for name in ("integer", "decimal", "double", "float"))
_MOMENT = expand("xsd:dateTime")

Solution: TypeAlias = "tuple[Term | None, ...]"
_Rank: TypeAlias = "tuple[int, float, str, str]"
Row = Sequence[Term | None]
Bound = Term | Iterable[Term | None] | Iterable[Row] | Iterable[Quad]


@dataclass(frozen=True, slots=True)
class _Slot:
    """A place that takes values: its name, the text that opens it, and the function that renders its values."""

    name: str
    opening: str
    render: Callable[[Bound], str]


@dataclass(frozen=True, slots=True)
class Query:
    """One query file. `text` is its SPARQL without comments, `names` are the places that can be bound."""

    name: str
    text: str
    names: frozenset[str]
    _pieces: tuple[str | tuple[_Slot, str], ...]

    def bind(self, **values: Bound) -> str:
        """The SPARQL text with `values` in their places.

        Raises QueryError for a name that the file does not have, and for anything that is not a term (a row of the
        right width, a quad): plain text never enters a query.
        """
        if not values:
            return self.text
        if unknown := values.keys() - self.names:
            known = ", ".join(sorted(self.names)) or "nothing"
            raise QueryError(f"Query {self.name} has no '{', '.join(sorted(unknown))}' to bind; it takes {known}.")
        rendered: dict[str, str] = {}
        return "".join(
            piece if isinstance(piece, str) else self._fill(*piece, values, rendered) for piece in self._pieces
        )

    def _fill(self, slot: _Slot, unbound: str, values: dict[str, Bound], rendered: dict[str, str]) -> str:
        if slot.name not in values:
            return unbound
        if slot.name not in rendered:  # once a name: the value may be an iterator
            rendered[slot.name] = slot.render(values[slot.name])
        return f"{slot.opening} {{ {rendered[slot.name]} }}"


@cache
def load(name: str) -> Query:
    """The query `planning/candidates` of the file `queries/planning/candidates.rq`, read once a process.

    Raises QueryError when there is no such file.
    """
    path = folder("queries") / f"{name}.rq"
    if not _NAME.fullmatch(name) or not path.is_file():
        raise QueryError(f"There is no query '{name}'.")
    return read(name, path.read_text(encoding="utf-8"))


def read(name: str, source: str) -> Query:
    """A query from its source text, comments and all."""
    text = _COMMENT.sub("", source)
    pieces: list[str | tuple[_Slot, str]] = []
    end = 0
    for match in _SLOT.finditer(text):
        pieces += [text[end : match.start()], (_slot(match), match.group())]
        end = match.end()
    pieces.append(text[end:])
    names = frozenset(piece[0].name for piece in pieces if isinstance(piece, tuple))
    return Query(name, text, names, tuple(pieces))


@cache
def apart(name: str) -> tuple[Query, tuple[int, ...]]:
    """A query without the order that it ends with, and the columns of its rows by which they are put in order; as it
    is, and no columns, where it has none, or one of more than the columns that it gives."""
    query = load(name)
    order, selected = _ORDER.search(query.text), _SELECTED.search(query.text)
    columns = selected[1].split() if selected else []
    if order is None or not set(order[1].split()) <= set(columns):
        return query, ()
    without = read(name, query.text[: order.start()])
    return without, tuple(columns.index(variable) for variable in order[1].split())


def ordered(rows: Iterable[Solution], columns: tuple[int, ...]) -> list[Solution]:
    """Rows in the order of these columns, as SPARQL has it: what is not there, nodes without a name, IRIs, and of
    literals numbers, moments and all else, among these what only says that it is a number or a moment."""
    return sorted(rows, key=lambda row: [_rank(row[column]) for column in columns])


def _rank(term: Term | None) -> _Rank:
    if term is None:
        return 0, 0.0, "", ""
    if not isinstance(term, Literal):
        return 1 if isinstance(term, BlankNode) else 2, 0.0, term.value, ""
    with suppress(ValueError, OverflowError):
        if term.datatype.value in _NUMBERS:
            return 3, float(term.value), "", ""
        if term.datatype.value == _MOMENT:
            return 4, _seconds(term.value), "", ""
    return 5, 0.0, term.value, term.language or ""


def _seconds(moment: str) -> float:
    found = datetime.fromisoformat(moment)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def names_dataset(text: str) -> bool:
    """Whether a query of a person's says by FROM which graphs it is about."""
    return _FROM.search(_HIDDEN.sub(" ", text)) is not None


def _slot(match: re.Match[str]) -> _Slot:
    if match["data"]:
        return _Slot(match["data"].lower(), f"{match['data']} DATA", _quads)
    if match["one"]:
        return _Slot(match["one"], f"VALUES ?{match['one']}", _terms)
    variables = match["many"].split()
    width = len(variables)
    return _Slot(
        "_".join(variable[1:] for variable in variables),
        f"VALUES ({' '.join(variables)})",
        lambda bound: _rows(bound, width),
    )


def _term(term: object) -> str:
    if term is None:
        return "UNDEF"
    if isinstance(term, (NamedNode, Literal)):
        return str(term)
    raise QueryError(f"Only IRIs and literals can be bound, not {type(term).__name__}.")


def _terms(bound: Bound) -> str:
    if isinstance(bound, (NamedNode, Literal)):
        return str(bound)
    return " ".join(map(_term, _iterate(bound)))


def _rows(bound: Bound, width: int) -> str:
    return " ".join(_row(row, width) for row in _iterate(bound))


def _row(row: object, width: int) -> str:
    if not isinstance(row, (tuple, list)) or len(row) != width:
        raise QueryError(f"A row of {width} terms is needed, not {row!r}.")
    return f"({' '.join(map(_term, row))})"


def _quads(bound: Bound) -> str:
    grouped = groupby(_iterate(bound), key=_graph_of)
    return "\n".join(f"GRAPH {graph} {{ {' . '.join(map(_triple, quads))} }}" for graph, quads in grouped)


def _graph_of(quad: object) -> NamedNode:
    if not isinstance(quad, Quad) or not isinstance(quad.graph_name, NamedNode):
        raise QueryError(f"Only quads of named graphs can be written, not {quad!r}.")
    return quad.graph_name


def _triple(quad: object) -> str:
    assert isinstance(quad, Quad)
    return str(quad.triple)


def _iterate(bound: object) -> Iterable[object]:
    if isinstance(bound, str) or not isinstance(bound, Iterable):
        raise QueryError(f"Terms are needed, not {bound!r}.")
    return bound
