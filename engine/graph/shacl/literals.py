"""Literals as SHACL sees them: well-formed or not, the same or not, less or not (as SPARQL's operators have it).

https://www.w3.org/TR/sparql11-query/#OperatorMapping, https://www.w3.org/TR/xmlschema11-2/
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache

from engine.graph.terms import Literal, Term, expand

_XSD = expand("xsd:")
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_FLOAT = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?INF|NaN", re.ASCII)
_DATETIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(r"\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?", re.ASCII)
_BOUNDS: dict[str, tuple[int | None, int | None]] = {
    "integer": (None, None),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-128, 127),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 255),
}

Value = int | float | Decimal | bool | str | datetime | date | time


def _number(text: str) -> float:
    return float(text.replace("INF", "inf"))


def _bounded(low: int | None, high: int | None) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = int(text)
        if (low is not None and number < low) or (high is not None and number > high):
            raise ValueError(text)
        return number

    return read


_READERS: dict[str, tuple[re.Pattern[str] | None, Callable[[str], Value]]] = {
    "string": (None, str),
    "boolean": (re.compile("true|false|1|0"), lambda text: text in ("true", "1")),
    "decimal": (_DECIMAL, Decimal),
    "double": (_FLOAT, _number),
    "float": (_FLOAT, _number),
    "dateTime": (_DATETIME, datetime.fromisoformat),
    "date": (_DATE, date.fromisoformat),
    "time": (_TIME, time.fromisoformat),
    **{name: (_INTEGER, _bounded(*bounds)) for name, bounds in _BOUNDS.items()},
}


@lru_cache(maxsize=1 << 15)
def value(literal: Literal) -> Value | None:
    """The value of a literal; None for one that is ill-formed, tagged with a language, or of an unknown datatype."""
    name = literal.datatype.value
    pattern, read = _READERS.get(name[len(_XSD) :], (None, None)) if name.startswith(_XSD) else (None, None)
    if read is None or (pattern is not None and not pattern.fullmatch(literal.value)):
        return None
    try:
        return read(literal.value)
    except ValueError:
        return None


def well_formed(literal: Literal) -> bool:
    """False for a literal whose text its datatype does not allow; unknown datatypes allow any text."""
    name = literal.datatype.value
    known = name.startswith(_XSD) and name[len(_XSD) :] in _READERS
    return not known or value(literal) is not None


def compare(left: Term, right: Term) -> int | None:
    """-1, 0 or 1 as `left` is less than, equal to or more than `right`; None where SPARQL cannot tell.

    It cannot for terms of different sorts, a NaN, ill-formed literals, and instants of which one alone has a zone.
    """
    return comparison_with(right)(left)


def comparison_with(right: Term) -> Callable[[Term], int | None]:
    """`compare` with `right` settled, which is faster where many terms are compared with one."""
    other = value(right) if isinstance(right, Literal) else None
    sort = _sort(other)

    def compared(left: Term) -> int | None:
        one = value(left) if isinstance(left, Literal) else None
        if one is None or other is None or _sort(one) is not sort:
            return None
        return _order(one, other)

    return compared


def _order(one: Value, other: Value) -> int | None:
    if isinstance(one, float) or isinstance(other, float):  # SPARQL promotes to double before it compares
        one, other = _double(one), _double(other)
    try:
        if one == other:
            return 0
        return -1 if one < other else 1 if one > other else None  # type: ignore[operator]
    except TypeError:
        return None


def _double(one: Value) -> float:
    try:
        return float(one)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf if one > 0 else -math.inf  # type: ignore[operator]


def _sort(one: Value | None) -> type:
    """The sort of a value within which values are compared."""
    kind = type(one)
    return float if kind in (int, Decimal) else kind


@lru_cache(maxsize=1 << 15)
def identity(term: Term) -> Hashable:
    """A key that is equal for two terms that SHACL takes for the same value node.

    That is RDF's own sameness, but for the lexical forms of one value in one datatype ("01" and "1", "Z" and "+00:00"),
    which stores do not tell apart, and for the case of language tags.
    """
    if not isinstance(term, Literal):
        return term
    if term.language:
        return (term.value, term.language.lower())
    found = value(term)
    if isinstance(found, (bool, int, float, Decimal)) and found == found:
        return (term.datatype.value, found)
    if isinstance(found, (datetime, date, time)):
        return (term.datatype.value, found.isoformat())
    return term


def text(term: Term) -> str | None:
    """SPARQL's STR: the text of a literal or an IRI; None for a blank node."""
    return term.value if isinstance(term, Literal) or type(term).__name__ == "NamedNode" else None


def kind(term: Term) -> str:
    """`IRI`, `BlankNode` or `Literal`."""
    name = type(term).__name__
    return "IRI" if name == "NamedNode" else name
