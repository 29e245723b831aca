"""The constraint components that look at values alone, each compiled to a test of the value nodes of a shape.

https://www.w3.org/TR/shacl/#core-components
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeAlias, cast

from engine.graph.shacl import literals
from engine.graph.shacl.data import Data, label
from engine.graph.shacl.parse import TYPE
from engine.graph.shacl.paths import Values, forwards, graph_of
from engine.graph.shacl.report import Violation
from engine.graph.terms import Literal, Term

IsA: TypeAlias = Callable[[str, str], bool]
Report: TypeAlias = Callable[..., Violation]  # of (focus, value, path), the last two where they are to be told
Test: TypeAlias = Callable[[Term, Values, Data], list[Violation]]

# Constraints of each value by itself


def each(holds: Callable[[Term], bool], report: Report) -> Test:
    """The test that `holds` of each value node."""

    def test(focus: Term, values: Values, _: Data) -> list[Violation]:
        return [report(focus, value) for value in values if not holds(value)]

    return test


def _datatype(iri: object) -> Callable[[Term], bool]:
    return lambda value: isinstance(value, Literal) and value.datatype.value == iri and literals.well_formed(value)


def _node_kind(name: object) -> Callable[[Term], bool]:
    kinds = str(name).split("Or")
    return lambda value: literals.kind(value) in kinds


def _bound(*allowed: int) -> Callable[[object], Callable[[Term], bool]]:
    def make(limit: object) -> Callable[[Term], bool]:
        compared = literals.comparison_with(cast(Literal, limit))
        return lambda value: compared(value) in allowed

    return make


def _length(fits: Callable[[int, int], bool]) -> Callable[[object], Callable[[Term], bool]]:
    def make(limit: object) -> Callable[[Term], bool]:
        def holds(value: Term) -> bool:
            text = literals.text(value)
            return text is not None and fits(len(text), cast(int, limit))

        return holds

    return make


def _pattern(parameter: object) -> Callable[[Term], bool]:
    text, flags = cast("tuple[str, str]", parameter)
    search = re.compile(text, sum(getattr(re, flag.upper()) for flag in flags)).search

    def holds(value: Term) -> bool:
        found = literals.text(value)
        return found is not None and search(found) is not None

    return holds


def _in(terms: object) -> Callable[[Term], bool]:
    allowed = {literals.identity(term) for term in cast(Values, terms)}
    return lambda value: literals.identity(value) in allowed


OF_A_VALUE: dict[str, Callable[[object], Callable[[Term], bool]]] = {
    "Datatype": _datatype,
    "NodeKind": _node_kind,
    "MinInclusive": _bound(0, 1),
    "MaxInclusive": _bound(0, -1),
    "MinExclusive": _bound(1),
    "MaxExclusive": _bound(-1),
    "MinLength": _length(int.__ge__),
    "MaxLength": _length(int.__le__),
    "Pattern": _pattern,
    "In": _in,
}


# Constraints of all values together, or of values and the data around them


def _min_count(limit: object, report: Report) -> Test:
    return lambda focus, values, _: [] if len(values) >= cast(int, limit) else [report(focus)]


def _max_count(limit: object, report: Report) -> Test:
    return lambda focus, values, _: [] if len(values) <= cast(int, limit) else [report(focus)]


def _has_value(term: object, report: Report) -> Test:
    wanted = literals.identity(cast(Term, term))
    return lambda focus, values, _: [] if wanted in map(literals.identity, values) else [report(focus)]


def _equals(iri: object, report: Report) -> Test:
    return _pair(iri, report, lambda one, other: one.keys() ^ other.keys())


def _disjoint(iri: object, report: Report) -> Test:
    return _pair(iri, report, lambda one, other: one.keys() & other.keys())


def _pair(iri: object, report: Report, wrong: Callable[..., Iterable[object]]) -> Test:
    walk = forwards(cast(str, iri))

    def test(focus: Term, values: Values, data: Data) -> list[Violation]:
        one = {literals.identity(value): value for value in values}
        other = {literals.identity(value): value for value in walk(focus, data)}
        return [report(focus, (one | other)[identity]) for identity in wrong(one, other)]

    return test


def _unique_lang(_: object, report: Report) -> Test:
    def test(focus: Term, values: Values, _: Data) -> list[Violation]:
        tags = [value.language.lower() for value in values if isinstance(value, Literal) and value.language]
        return [report(focus) for tag in sorted({*tags}) if tags.count(tag) > 1]

    return test


def _closed(allowed: object, report: Report) -> Test:
    def test(focus: Term, values: Values, data: Data) -> list[Violation]:
        graph = graph_of(data, "sh:closed")
        return [
            report(focus, held, predicate)
            for value in values
            if not isinstance(value, Literal)
            for predicate in graph.predicates(label(value))
            if predicate not in cast("frozenset[str]", allowed)
            for held in graph.values(label(value), predicate)
        ]

    return test


def of_class(iri: str, is_a: IsA, report: Report) -> Test:
    """The test of sh:class: each value node has a type that `is_a` the class `iri`."""

    def test(focus: Term, values: Values, data: Data) -> list[Violation]:
        return [
            report(focus, value)
            for value in values
            if isinstance(value, Literal) or not any(is_a(label(cls), iri) for cls in data.values(label(value), TYPE))
        ]

    return test


OF_ALL_VALUES: dict[str, Callable[[object, Report], Test]] = {
    "MinCount": _min_count,
    "MaxCount": _max_count,
    "HasValue": _has_value,
    "Equals": _equals,
    "Disjoint": _disjoint,
    "UniqueLang": _unique_lang,
    "Closed": _closed,
}
