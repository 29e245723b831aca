"""Which graphs an update would change, by its text alone.

https://www.w3.org/TR/sparql11-update/
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Any

from rdflib.plugins.sparql.algebra import translateUpdate
from rdflib.plugins.sparql.parser import parseUpdate
from rdflib.term import URIRef

from engine.errors import QueryError

LONGEST = 1 << 20
"""Characters that an update may have; what is longer belongs into a file."""
_PLAIN = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:[^\s<>\"{}|\\^`]+")
_PARSER = threading.Lock()


def targets(text: str) -> frozenset[str]:
    """The IRIs of the graphs that an update may change, all of which it names.

    Raises QueryError for an update that does not parse, that fetches something, or that is about graphs which it does
    not name: the default graph, a variable, ALL."""
    if len(text) > LONGEST:
        raise QueryError(f"The update has more than {LONGEST} characters.", remedy="POST the data to its graph.")
    try:
        with _PARSER:
            operations = translateUpdate(parseUpdate(text)).algebra
    except RecursionError:
        raise QueryError("The update is nested too deeply.", remedy="Write it flatter.") from None
    except Exception as error:
        raise QueryError(f"The update does not parse: {_first_line(error)}", remedy="Mend it.") from error
    return frozenset(_named(graph) for operation in operations for graph in _changed(operation))


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0][:300]


def _named(graph: Any) -> str:
    if isinstance(graph, URIRef) and _PLAIN.fullmatch(graph):
        return str(graph)
    raise QueryError(
        "The update does not say by its IRI which graph it changes.", remedy="Name the graph, as in GRAPH <iri>."
    )


def _changed(operation: Any) -> Iterator[Any]:
    """The graphs of one operation, as rdflib has them: an IRI, a variable, or DEFAULT, NAMED, ALL."""
    match operation.name:
        case "InsertData" | "DeleteData" | "DeleteWhere":
            yield from _quads(operation, None)
        case "Modify":
            with_graph = dict.get(operation, "withClause")
            for clause in ("delete", "insert"):
                if (part := dict.get(operation, clause)) is not None:
                    yield from _quads(part, with_graph)
        case "Clear" | "Drop" | "Create":
            yield dict.get(operation, "graphiri")
        case "Copy" | "Move" | "Add":
            yield from dict.get(operation, "graph") or (None,)
        case _:
            raise QueryError("LOAD is not allowed in an update.", remedy="Fetch it yourself and PUT it to its graph.")


def _quads(part: Any, otherwise: Any) -> Iterator[Any]:
    if dict.get(part, "triples"):
        yield otherwise
    yield from dict.get(part, "quads") or ()
