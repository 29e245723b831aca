"""Finds by its algebra which services a person's SPARQL calls and which graphs it changes.

Escapes of code points (https://www.w3.org/TR/sparql11-query/#codepointEscape) are put in place before anything reads
the text, so that no two parsers can take it for two different things.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.errors import QueryError

LONGEST = 1 << 20
"""Characters that an update may have; what is longer belongs into a file."""
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_PLAIN = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:[^\s<>\"{}|\\^`]+")
_PARSER = threading.Lock()
"""The parser of rdflib is for one thread at a time."""


def unescaped(text: str) -> str:
    """The text with the characters that its escapes stand for. Raises QueryError where an escape makes another escape,
    or stands for no character."""
    plain = _ESCAPE.sub(_character, text)
    if _ESCAPE.search(plain) and plain != text:
        raise QueryError("An escape in the text makes another one.", remedy="Write the characters themselves.")
    return plain


def _character(match: re.Match[str]) -> str:
    number = int(match[1] or match[2], 16)
    if number > 0x10FFFF or 0xD800 <= number < 0xE000:
        raise QueryError(f"{match.group()} stands for no character.", remedy="Write the character itself.")
    return chr(number)


def refuse_services(text: str, allowed: Iterable[str] = ()) -> tuple[str, ...]:
    """The services that a query or an update calls, each of which is an `allowed` IRI; a text in which the word does
    not stand calls none, and need not be parsed. Raises QueryError for any other service, and where that cannot be
    told."""
    plain = unescaped(text)
    words = plain.casefold().count("service")
    if not words:
        return ()
    found = tuple(_services(_query(plain)))
    if not found:
        return ()
    named = tuple(str(one) for one in found if _is_iri(one) and str(one) in set(allowed))
    if len(named) < len(found) or len(found) != words:
        raise QueryError(
            "SERVICE is not allowed in a query.",
            remedy="Ask the other endpoint by itself.",
        )
    return named


def _query(text: str) -> Any:
    """The algebra of a query or an update. Raises QueryError where it cannot be told."""
    from rdflib.plugins.sparql.algebra import translateQuery, translateUpdate
    from rdflib.plugins.sparql.parser import parseQuery, parseUpdate

    readings: tuple[tuple[Callable[[str], Any], Callable[[Any], Any]], ...] = (
        (parseQuery, translateQuery),
        (parseUpdate, translateUpdate),
    )
    for parse, translate in readings:
        try:
            with _PARSER:
                return translate(parse(text)).algebra
        except RecursionError:
            break
        except Exception:  # noqa: BLE001 - the parser raises anything
            continue
    raise QueryError(
        "The text has the word SERVICE in it, and it cannot be told what it calls.",
        remedy="Write it in SPARQL 1.1, without that word.",
    )


def _services(part: Any) -> Iterator[Any]:
    """The address term of each SERVICE, wherever in the algebra."""
    if getattr(part, "name", "") == "ServiceGraphPattern":
        yield part.term
    if isinstance(part, dict):
        for one in part.values():
            yield from _services(one)
    elif isinstance(part, (list, tuple, set)):
        for one in part:
            yield from _services(one)


def targets(text: str) -> frozenset[str]:
    """The IRIs of the graphs that an update may change, all of which it names; its escapes are in place.

    Raises QueryError for an update that does not parse, that fetches something, or that is about graphs which it does
    not name: the default graph, a variable, ALL."""
    from rdflib.plugins.sparql.algebra import translateUpdate
    from rdflib.plugins.sparql.parser import parseUpdate

    if len(text) > LONGEST:
        raise QueryError(f"The update has more than {LONGEST} characters.", remedy="POST the data to its graph.")
    try:
        with _PARSER:
            operations = translateUpdate(parseUpdate(text)).algebra
    except RecursionError:
        raise QueryError("The update is nested too deeply.", remedy="Write it flatter.") from None
    except Exception as error:
        raise QueryError(f"The update does not parse: {_first_line(error)}", remedy="Mend it.") from error
    if any(True for _ in _services(operations)):
        raise QueryError("SERVICE is not allowed in an update.", remedy="Ask the other endpoint by itself.")
    return frozenset(_graph_iri(graph) for operation in operations for graph in _changed(operation))


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0][:300]


def _is_iri(term: Any) -> bool:
    return type(term).__name__ == "URIRef"


def _graph_iri(graph: Any) -> str:
    if _is_iri(graph) and _PLAIN.fullmatch(graph):
        return str(graph)
    raise QueryError(
        "The update does not say by its IRI which graph it changes.", remedy="Name the graph, as in GRAPH <iri>."
    )


def _changed(operation: Any) -> Iterator[Any]:
    """The graphs of one operation, as rdflib has them: an IRI, a variable, or DEFAULT, NAMED, ALL."""
    get: Callable[..., Any] = dict.get
    match operation.name:
        case "InsertData" | "DeleteData" | "DeleteWhere":
            yield from _quads(operation, None)
        case "Modify":
            with_graph = get(operation, "withClause")
            for clause in ("delete", "insert"):
                if (part := get(operation, clause)) is not None:
                    yield from _quads(part, with_graph)
        case "Clear" | "Drop" | "Create":
            yield get(operation, "graphiri")
        case "Copy" | "Move" | "Add":
            yield from get(operation, "graph") or (None,)
        case _:
            raise QueryError("LOAD is not allowed in an update.", remedy="Fetch it yourself and PUT it to its graph.")


def _quads(part: Any, otherwise: Any) -> Iterator[Any]:
    if dict.get(part, "triples"):
        yield otherwise
    yield from dict.get(part, "quads") or ()
