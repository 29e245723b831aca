"""Validates incoming data with pyshacl, and reads its report into violations with a remedy.

https://www.w3.org/TR/shacl/#validation-report
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from engine.errors import InputError
from engine.graph.shacl.data import QuadData, label
from engine.graph.shacl.parse import REMEDY, SH, read_path
from engine.graph.shacl.report import Violation, explain
from engine.graph.terms import BlankNode, Literal, NamedNode, Quad, Term, Triple

if TYPE_CHECKING:
    import rdflib


class Door:
    """Shapes, held ready for pyshacl."""

    def __init__(self, shapes: Iterable[Quad | Triple]) -> None:
        quads = list(shapes)
        self._data = QuadData(quads)
        self._shapes = _graph(quads)

    def check(
        self, quads: Iterable[Quad | Triple], *, focus: Iterable[str] | None = None, shapes: Iterable[str] | None = None
    ) -> tuple[Violation, ...]:
        """Violations of the shapes by `quads`: with all of their targets, or with the nodes `focus` alone.

        The quads are one graph, whatever graphs they name; classes and subclasses that count must be among them.
        `shapes` confines it to those shapes. Raises InputError when the shapes themselves cannot be used.
        """
        import pyshacl  # late: it takes a third of a second, and most commands never need it

        chosen: dict[str, Any] = {}
        if focus is not None:
            chosen["focus_nodes"] = list(focus)
        if shapes is not None:
            chosen["use_shapes"] = list(shapes)
        try:
            _, report, text = pyshacl.validate(_graph(quads), shacl_graph=self._shapes, inplace=True, **chosen)
        except Exception as error:  # pyshacl raises what rdflib does, and more
            raise InputError(f"The shapes cannot be used: {error}.") from error
        if isinstance(report, Exception) or not hasattr(report, "objects"):
            raise InputError(f"The shapes cannot be used: {text}.")
        return self._read(report)

    def _read(self, report: Any) -> tuple[Violation, ...]:
        results = {result for _, _, result in report.triples((None, _uri(f"{SH}result"), None))}
        return tuple(sorted((self._violation(report, result) for result in results), key=_order))

    def _violation(self, report: Any, result: Any) -> Violation:
        def one(name: str) -> Term | None:
            found = report.value(result, _uri(SH + name))
            return None if found is None else _term(found)

        source = one("sourceShape")
        key = "" if source is None else label(source)
        component = _local(one("sourceConstraintComponent")).removesuffix("ConstraintComponent")
        path, value = self._path(one("resultPath"), key), one("value")
        message, remedy = explain(component, path, value, "what the shape says")
        own = [term.value for term in self._data.values(key, REMEDY) if isinstance(term, Literal)]
        said = [term.value for term in self._data.values(key, f"{SH}message") if isinstance(term, Literal)]
        told = one("resultMessage")
        return Violation(
            node=label(one("focusNode") or BlankNode("nothing")),
            path=path,
            shape=self._data.holder(key),
            component=component,
            message=said[0] if said else told.value if told is not None else message,
            severity=_local(one("resultSeverity")),
            remedy=own[0] if own else remedy,
            value=value,
        )

    def _path(self, found: Term | None, key: str) -> str:
        if found is None:
            return ""
        if isinstance(found, NamedNode):
            return found.value
        return str(next((read_path(self._data, term) for term in self._data.values(key, f"{SH}path")), ""))


def _order(violation: Violation) -> tuple[str, ...]:
    return (violation.node, violation.path, violation.component, str(violation.value))


def _local(term: Term | None) -> str:
    return "" if term is None else term.value.rpartition("#")[2]


def _graph(quads: Iterable[Quad | Triple]) -> rdflib.Graph:
    import rdflib

    # rdflib logs each ill-formed literal with a traceback; the report says it better.
    logging.getLogger("rdflib.term").setLevel(logging.ERROR)
    graph = rdflib.Graph()
    for quad in quads:
        if not isinstance(quad.subject, Triple) and not isinstance(quad.object, Triple):
            graph.add((_identifier(quad.subject), _identifier(quad.predicate), _identifier(quad.object)))
    return graph


def _uri(iri: str) -> Any:
    import rdflib

    return rdflib.URIRef(iri)


def _identifier(term: Term) -> Any:
    import rdflib

    if isinstance(term, NamedNode):
        return rdflib.URIRef(term.value)
    if isinstance(term, BlankNode):
        return rdflib.BNode(term.value)
    if term.language:
        return rdflib.Literal(term.value, lang=term.language)
    # Not normalised: rdflib would turn NaN and INF into texts that no datatype allows.
    return rdflib.Literal(term.value, datatype=rdflib.URIRef(term.datatype.value), normalize=False)


def _term(found: Any) -> Term:
    import rdflib

    if isinstance(found, rdflib.URIRef):
        return NamedNode(str(found))
    if isinstance(found, rdflib.BNode):
        return BlankNode(str(found))
    if found.language:
        return Literal(str(found), language=found.language)
    return Literal(str(found), datatype=NamedNode(str(found.datatype))) if found.datatype else Literal(str(found))
