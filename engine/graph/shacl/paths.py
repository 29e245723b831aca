"""Property paths compiled to walks: from a node to its value nodes (https://www.w3.org/TR/shacl/#property-paths)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from engine.errors import UnsupportedShape
from engine.graph.shacl import literals
from engine.graph.shacl.data import Data, GraphData, label
from engine.graph.shacl.parse import Path
from engine.graph.terms import Literal, Term

Values: TypeAlias = tuple[Term, ...]
Walk: TypeAlias = Callable[[Term, Data], Values]


def walk_of(path: Path | None) -> Walk:
    """The walk along `path`; without one the focus node is its own value node."""
    if path is None:
        return lambda focus, _: (focus,)
    if path.form == "predicate":
        return forwards(path.iri)
    if path.form == "inverse":
        return _backwards(path.iri)
    walks = [walk_of(part) for part in path.parts]
    return _in_turn(walks) if path.form == "sequence" else _side_by_side(walks)


def forwards(iri: str) -> Walk:
    """The walk to the values of the property `iri`."""

    def walk(focus: Term, data: Data) -> Values:
        found = () if isinstance(focus, Literal) else data.values(label(focus), iri)
        return found if len(found) < 2 else distinct(found)

    return walk


def _backwards(iri: str) -> Walk:
    return lambda focus, data: distinct(graph_of(data, "sh:inversePath").sources(focus, iri))


def _in_turn(walks: list[Walk]) -> Walk:
    def walk(focus: Term, data: Data) -> Values:
        found: Values = (focus,)
        for step in walks:
            found = distinct(value for node in found for value in step(node, data))
        return found

    return walk


def _side_by_side(walks: list[Walk]) -> Walk:
    return lambda focus, data: distinct(value for walk in walks for value in walk(focus, data))


def distinct(values: Iterable[Term]) -> Values:
    """Each value once: value nodes are a set."""
    return tuple({literals.identity(value): value for value in values}.values())


def graph_of(data: Data, component: str) -> GraphData:
    """`data` as a graph. Raises UnsupportedShape, naming `component`, where it is none."""
    if isinstance(data, GraphData):
        return data
    raise UnsupportedShape(f"{component} needs a graph, and {type(data).__name__} is none.", component=component)
