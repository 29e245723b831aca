"""Rows in the order that a query asks for, put in order here: a store compares terms that it looks up again each time,
which takes most of the time of a query with thousands of rows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from typing import TypeAlias

from engine.graph import queries
from engine.graph.queries import Query
from engine.graph.terms import BlankNode, Literal, NamedNode, Term, expand

_ORDER = re.compile(r"\bORDER\s+BY((?:\s+\?\w+)+)\s*\Z")
_SELECTED = re.compile(r"\bSELECT(?:\s+DISTINCT)?((?:\s+\?\w+)+)\s+WHERE\b")
_NUMBERS = frozenset(expand(f"xsd:{name}") for name in ("integer", "decimal", "double", "float"))
_MOMENT = expand("xsd:dateTime")

Row: TypeAlias = "tuple[Term | None, ...]"
_Rank: TypeAlias = "tuple[int, float, str, str]"


@cache
def apart(name: str) -> tuple[Query, tuple[int, ...]]:
    """A query without the order that it ends with, and the columns of its rows by which they are put in order; as it
    is, and no columns, where it has none, or one of more than the columns that it gives."""
    query = queries.load(name)
    order, selected = _ORDER.search(query.text), _SELECTED.search(query.text)
    columns = selected[1].split() if selected else []
    if order is None or not set(order[1].split()) <= set(columns):
        return query, ()
    without = queries.read(name, query.text[: order.start()])
    return without, tuple(columns.index(variable) for variable in order[1].split())


def ordered(rows: Iterable[Row], columns: tuple[int, ...]) -> list[Row]:
    """Rows in the order of these columns, as SPARQL has it: what is not there, nodes without a name, IRIs, and of
    literals numbers, moments and all else."""
    return sorted(rows, key=lambda row: [_rank(row[column]) for column in columns])


def _rank(term: Term | None) -> _Rank:
    match term:
        case None:
            return 0, 0.0, "", ""
        case BlankNode():
            return 1, 0.0, term.value, ""
        case NamedNode():
            return 2, 0.0, term.value, ""
        case Literal() if term.datatype.value in _NUMBERS:
            return 3, float(term.value), "", ""
        case Literal() if term.datatype.value == _MOMENT:
            return 4, _seconds(term.value), "", ""
    return 5, 0.0, term.value, term.language or ""


def _seconds(moment: str) -> float:
    found = datetime.fromisoformat(moment)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
