"""The data graphs that shapes are checked against: anything that gives the values of a property of a node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from engine.graph.terms import BlankNode, NamedNode, Quad, Term, Triple


class Data(Protocol):
    """All that most shapes need. A mirror of the state or an overlay on it is such data without being a graph."""

    def values(self, node: str, path: str) -> tuple[Term, ...]:
        """The values of the property `path` (an IRI) of `node` (an IRI, or `_:` and a label); () where it has none."""
        ...


@runtime_checkable
class GraphData(Data, Protocol):
    """Data that inverse paths (`sources`) and closed shapes (`predicates`) can be checked against, too."""

    def sources(self, value: Term, path: str) -> tuple[Term, ...]:
        """The nodes that have `value` as a value of `path`."""
        ...

    def predicates(self, node: str) -> Iterable[str]:
        """The properties of which `node` has values."""
        ...


class QuadData:
    """Quads or triples, whatever their graph, indexed both ways."""

    def __init__(self, quads: Iterable[Quad | Triple]) -> None:
        self._values: dict[str, dict[str, list[Term]]] = defaultdict(dict)
        self._sources: dict[Term, dict[str, list[Term]]] = defaultdict(dict)
        for quad in quads:
            subject, path, value = quad.subject, quad.predicate.value, quad.object
            if isinstance(subject, Triple) or isinstance(value, Triple):
                continue  # statements about statements are not validated
            values = self._values[label(subject)].setdefault(path, [])
            if value not in values:
                values.append(value)
                self._sources[value].setdefault(path, []).append(subject)

    def values(self, node: str, path: str) -> tuple[Term, ...]:
        held = self._values.get(node)
        return tuple(held.get(path, ())) if held else ()

    def sources(self, value: Term, path: str) -> tuple[Term, ...]:
        held = self._sources.get(value)
        return tuple(held.get(path, ())) if held else ()

    def predicates(self, node: str) -> Iterable[str]:
        return self._values.get(node, {}).keys()

    def nodes(self) -> Iterable[str]:
        """Every node that has a property."""
        return self._values.keys()

    def holder(self, node: str) -> str:
        """The nearest IRI that the blank node `node` hangs on; `node` itself if it is an IRI or hangs on none."""
        found, seen = node, set()
        while found.startswith("_:") and found not in seen:
            seen.add(found)
            above = self._sources.get(BlankNode(found[2:]), {})
            found = next((label(source) for sources in above.values() for source in sources), found)
        return node if found.startswith("_:") else found


def label(term: Term) -> str:
    """A node as data and violations name it: an IRI, or `_:` and the label of a blank node."""
    return term.value if isinstance(term, NamedNode) else str(term)
