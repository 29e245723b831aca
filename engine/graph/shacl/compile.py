"""Compiles shapes to closures that check a node against any data that gives the values of its properties.

The closures keep SHACL's rules on all values and on missing ones: a range holds of a property without values, and of
one with several it must hold for each (https://www.w3.org/TR/shacl/#validation-definition).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias, cast

from engine.graph.shacl.constraints import OF_A_VALUE, OF_ALL_VALUES, IsA, Report, Test, each, of_class
from engine.graph.shacl.data import Data, label
from engine.graph.shacl.parse import TYPE, Constraint, Shape, Shapes
from engine.graph.shacl.paths import Values, walk_of
from engine.graph.shacl.report import Violation, explain, shown
from engine.graph.terms import BlankNode, NamedNode, Term

Check: TypeAlias = Callable[[str, Data], tuple[Violation, ...]]

_Trail: TypeAlias = frozenset[tuple[str, Term]]  # the shapes and nodes under way, where shapes are recursive
_Checker: TypeAlias = Callable[[Term, Data, _Trail], list[Violation]]
_Nested: TypeAlias = Callable[[Term, Values, Data, _Trail], list[Violation]]
_START: _Trail = frozenset()


def same(cls: str, ancestor: str) -> bool:
    """A class is itself alone: the `is_a` of data that already names all classes of a node."""
    return cls == ancestor


def compile_shape(shapes: Shapes, key: str, is_a: IsA = same) -> Check:
    """The closure that checks a node against the one shape `key`, whatever its targets.

    It takes the focus node (an IRI, or `_:` and a label) and the data. `is_a(class, ancestor)` knows the subclasses.
    The closure raises UnsupportedShape when the shape has an inverse path or is closed and the data is no GraphData.
    """
    checker = _Compiler(shapes, is_a).checker(key)
    return lambda focus, data: tuple(checker(_node(focus), data, _START))


def compile_targets(shapes: Shapes, is_a: IsA = same, only: Collection[str] | None = None) -> Check:
    """The closure that checks a node against each of the shapes whose target it is: none, one or several; of those with
    the keys `only`, where they are given."""
    compiler = _Compiler(shapes, is_a)
    wanted = [shape for shape in shapes.targeted if only is None or shape.key in only]
    checkers = [(shape, compiler.checker(shape.key)) for shape in wanted]

    def check(focus: str, data: Data) -> tuple[Violation, ...]:
        node = _node(focus)
        types = [label(term) for term in data.values(focus, TYPE)]
        return tuple(
            violation
            for shape, checker in checkers
            if _is_target(shape, node, types, data, is_a)
            for violation in checker(node, data, _START)
        )

    return check


def _is_target(shape: Shape, node: Term, types: Iterable[str], data: Data, is_a: IsA) -> bool:
    return (
        node in shape.target_nodes
        or any(is_a(cls, target) for cls in types for target in shape.target_classes)
        or any(data.values(label(node), path) for path in shape.target_subjects_of)
    )


def _node(focus: str) -> Term:
    return BlankNode(focus[2:]) if focus.startswith("_:") else NamedNode(focus)


class _Compiler:
    """Compiles shapes, each once, with those that they refer to."""

    def __init__(self, shapes: Shapes, is_a: IsA) -> None:
        self.shapes = shapes
        self.is_a = is_a
        self._done: dict[str, _Checker] = {}
        self._open: set[str] = set()
        self._recursive: set[str] = set()

    def checker(self, key: str) -> _Checker:
        if key in self._done:
            return self._done[key]
        if key in self._open:
            self._recursive.add(key)
            return lambda focus, data, trail: self._done[key](focus, data, trail)
        self._open.add(key)
        made = self._shape(self.shapes[key])
        self._done[key] = _guarded(key, made) if key in self._recursive else made
        return self._done[key]

    def _shape(self, shape: Shape) -> _Checker:
        walk = walk_of(shape.path)
        tests = [self._test(shape, one) for one in shape.constraints if one.component not in _NESTED]
        nested = [self._nested(shape, one) for one in shape.constraints if one.component in _NESTED]

        def check(focus: Term, data: Data, trail: _Trail) -> list[Violation]:
            values = walk(focus, data)
            found: list[Violation] = []
            for test in tests:
                found += test(focus, values, data)
            for inner in nested:
                found += inner(focus, values, data, trail)
            return found

        return check

    def _test(self, shape: Shape, constraint: Constraint) -> Test:
        name, parameter, report = constraint.component, constraint.parameter, _reporter(shape, constraint)
        if name == "Class":
            return of_class(cast(str, parameter), self.is_a, report)
        if name in OF_A_VALUE:
            return each(OF_A_VALUE[name](parameter), report)
        return OF_ALL_VALUES[name](parameter, report)

    def _nested(self, shape: Shape, constraint: Constraint) -> _Nested:
        parameter = constraint.parameter
        keys = cast("tuple[str, ...]", parameter if isinstance(parameter, tuple) else (parameter,))
        checkers = [self.checker(key) for key in keys]
        if constraint.component == "Property":
            return _property(checkers[0])
        report, holds = _reporter(shape, constraint), _NESTED[constraint.component]

        def test(focus: Term, values: Values, data: Data, trail: _Trail) -> list[Violation]:
            return [
                report(focus, value)
                for value in values
                if not holds(sum(not checker(value, data, trail) for checker in checkers), len(checkers))
            ]

        return test


# How many of a logical constraint a value must conform to, given that many do of that many.
_NESTED: dict[str, Callable[[int, int], bool]] = {
    "Property": lambda _, __: True,  # it reports for itself
    "Not": lambda count, _: count == 0,
    "Node": lambda count, _: count == 1,
    "And": lambda count, of: count == of,
    "Or": lambda count, _: count > 0,
    "Xone": lambda count, _: count == 1,
}


def _guarded(key: str, check: _Checker) -> _Checker:
    """A recursive shape takes a node that it is already looking at for conforming, so that circles in data end."""

    def guarded(focus: Term, data: Data, trail: _Trail) -> list[Violation]:
        here = (key, focus)
        return [] if here in trail else check(focus, data, trail | {here})

    return guarded


def _reporter(shape: Shape, constraint: Constraint) -> Report:
    path = "" if shape.path is None else str(shape.path)
    pattern = constraint.parameter[0] if constraint.component == "Pattern" else None  # type: ignore[index]
    parameter = pattern or shown(constraint.parameter)

    def report(focus: Term, value: Term | None = None, at: str | None = None) -> Violation:
        where = path if at is None else at
        message, remedy = explain(constraint.component, where, value, parameter)
        return Violation(
            label(focus),
            where,
            shape.name,
            constraint.component,
            shape.message or message,
            shape.severity,
            shape.remedy or remedy,
            value,
        )

    return report


def _property(checker: _Checker) -> _Nested:
    """A property shape reports for itself, for each value node of the shape that holds it."""

    def test(_: Term, values: Values, data: Data, trail: _Trail) -> list[Violation]:
        return [violation for value in values for violation in checker(value, data, trail)]

    return test
