"""The server as the store speaks to it: SPARQL 1.1 Protocol, Update, and Graph Store Protocol, each call one request.

https://www.w3.org/TR/sparql11-protocol/ and https://www.w3.org/TR/sparql11-http-rdf-update/
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlencode

from pyoxigraph import (
    NamedNode,
    Quad,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Store,
    Triple,
    parse,
    serialize,
)

from engine.errors import StoreError, StoreUnreachableError
from engine.graph import queries
from engine.graph.nesting import check_nesting
from engine.graph.queries import Bound
from engine.graph.remote.access import Access
from engine.graph.remote.exchange import Answer, Exchange, StoreRequest
from engine.graph.remote.terms import coded, is_plain, named, plain_quads, plain_rows, results
from engine.graph.store import Result, ask_here
from engine.graph.terms import Term

RESULTS, TRIPLES = "application/sparql-results+json", "application/n-triples"
_FORM, _UPDATE = "application/x-www-form-urlencoded", "application/sparql-update"
_TRIPLES = {TRIPLES: RdfFormat.N_TRIPLES, "text/plain": RdfFormat.N_TRIPLES, "text/turtle": RdfFormat.TURTLE}
_log = logging.getLogger(__name__)
PAGE = 5_000
"""Rows that are asked for at once: what a store cuts short, it cuts at more."""


class Server:
    """One store on a server. `recoded` are the datatypes (IRIs) that it does not keep, which travel under our own.

    All methods raise as `Exchange.send` does.
    """

    def __init__(self, access: Access, recoded: frozenset[str] = frozenset()) -> None:
        self.access = access
        self.recoded = recoded
        self.name = ""
        self._exchange = Exchange(access)

    @property
    def round_trips(self) -> int:
        """How many requests were sent."""
        return self._exchange.round_trips

    def close(self) -> None:
        """Ends all connections."""
        self._exchange.close()

    # Protocol and Update

    def query(self, text: str, parameters: Sequence[tuple[str, str]] = ()) -> Result:
        """The result of a query, whatever its form. Raises QueryError for text that is none, such as an update."""
        kind = type(ask_here(Store(), text))  # by an empty store: the form, and that it is no more than a query
        if kind is QueryTriples:
            answer = self._send(self._query(text, f"{TRIPLES}, text/turtle;q=0.5", parameters))
            return _as_result(self._triples(answer))
        answer = self._results(text, parameters)
        if answer.most_rows:
            _log.warning("the store gives no more than %s rows: there may be more", answer.most_rows)
        return results(answer.body, asks=kind is QueryBoolean)

    def rows(self, name: str, **values: Bound) -> list[tuple[Term | None, ...]]:
        """The rows of a query of ours."""
        return _rows(self._results(queries.load(name).bind(**values), ()))

    def ask(self, name: str, parameters: Sequence[tuple[str, str]] = (), **values: Bound) -> bool:
        """The answer to a question of ours."""
        return bool(self.query(queries.load(name).bind(**values), parameters))

    def update(self, text: str, *, again: bool = True) -> None:
        """Sends an update; `again` where it does the same when it is done twice."""
        answer = self._send(StoreRequest("POST", self.access.update, text.encode(), _UPDATE, again=again))
        if answer.media_type == "text/html":
            raise _no_store(answer)

    def change(self, clear: Sequence[NamedNode], delete: Iterable[Quad], insert: Iterable[Quad]) -> None:
        """Empties graphs, then deletes and inserts quads, in one request."""
        bound: dict[str, Bound] = {
            "delete": coded(named(delete), self.recoded),
            "insert": coded(named(insert), self.recoded),
        }
        if clear:
            self.update(queries.load("graph/write").bind(cleared=list(clear), **bound))
        else:
            self.update(queries.load("store/change").bind(**bound))

    # Graph Store Protocol

    def put_graph(self, name: NamedNode, quads: Iterable[Quad]) -> None:
        """Replaces one graph whole."""
        triples = (quad.triple for quad in coded(named(quads), self.recoded))
        body = serialize(triples, format=RdfFormat.N_TRIPLES) or b""
        self._send(StoreRequest("PUT", self.access.graphs, body, TRIPLES, parameters=_graph(name), again=True))

    def get_graph(self, name: NamedNode) -> list[Quad]:
        """The quads of one graph, as far as the store gives them: see `fetch`."""
        answer = self._send(
            StoreRequest("GET", self.access.graphs, accept=TRIPLES, parameters=_graph(name), again=True)
        )
        found = self._triples(answer)
        return plain_quads(Quad(t.subject, t.predicate, t.object, name) for t in found)

    def delete_graph(self, name: NamedNode) -> None:
        """Takes one graph away."""
        self._send(StoreRequest("DELETE", self.access.graphs, parameters=_graph(name), again=True))

    # Much at once

    def counts(self) -> dict[NamedNode, int]:
        """The number of quads of each graph that there is."""
        found = {}
        for graph, count in self.rows("store/counts"):
            if isinstance(graph, NamedNode) and count is not None:
                found[graph] = int(getattr(count, "value", "0"))
        return {graph: count for graph, count in found.items() if count}

    def fetch(self, counts: dict[NamedNode, int]) -> list[Quad]:
        """The quads of graphs whose sizes are known. Raises StoreUnreachableError where the store gives fewer: it may
        cut long results short, and half a graph would be taken for the whole."""
        pages: list[list[NamedNode]] = [[]]
        room = PAGE
        for graph, count in sorted(counts.items(), key=lambda one: one[0].value):
            if count > PAGE:
                continue
            if count > room:
                pages.append([])
                room = PAGE
            pages[-1].append(graph)
            room -= count
        quads = self._pages([page for page in pages if page])
        for graph, count in counts.items():
            if count > PAGE:
                quads += self._large(graph, count)
        expected = sum(counts.values())
        if len(set(quads)) != expected:
            raise StoreUnreachableError(
                f"The store has {expected} quads and gives {len(set(quads))}: it changes, or cuts results short.",
                remedy="Try again; else raise the server's limit on the rows of a result.",
            )
        return quads

    def _pages(self, pages: Sequence[Sequence[NamedNode]]) -> list[Quad]:
        """The quads of graphs, a request for each page of them, side by side."""
        query = queries.load("store/graphs")
        answers = self._exchange.send_all([self._query(query.bind(graph=page), RESULTS, ()) for page in pages])
        return [quad for answer in answers for quad in _quads(_rows(self._checked(answer)))]

    def _large(self, graph: NamedNode, count: int) -> list[Quad]:
        """A large graph: in one piece where the store gives it so, else in slices."""
        try:
            whole = self.get_graph(graph)
        except StoreError:  # it may lack the Graph Store Protocol
            whole = []
        if len(whole) >= count:
            return whole
        size = max(PAGE, len(whole) // PAGE * PAGE)
        found = [self._slice(graph, f"LIMIT {size} OFFSET {start}") for start in range(0, count, size)]
        return plain_quads(Quad(t.subject, t.predicate, t.object, graph) for triples in found for t in triples)

    def _slice(self, graph: NamedNode, tail: str) -> list[Triple]:
        text = queries.load("store/slice").bind(graph=graph) + tail
        return self._triples(self._send(self._query(text, TRIPLES, ())))

    # Within

    def _query(self, text: str, accept: str, parameters: Sequence[tuple[str, str]]) -> StoreRequest:
        body = urlencode([("query", text), *parameters]).encode()
        return StoreRequest("POST", self.access.query, body, _FORM, accept, again=True)

    def _results(self, text: str, parameters: Sequence[tuple[str, str]]) -> Answer:
        return self._checked(self._send(self._query(text, RESULTS, parameters)))

    def _checked(self, answer: Answer) -> Answer:
        self._expect(answer, (RESULTS, "application/json"))
        return answer

    def _send(self, request: StoreRequest) -> Answer:
        answer = self._exchange.send(request)
        self.name = answer.server or self.name
        return answer

    def _triples(self, answer: Answer) -> list[Triple]:
        self._expect(answer, _TRIPLES)
        syntax = _TRIPLES[answer.media_type]
        check_nesting(answer.body, syntax)
        try:
            return list(parse(answer.body, syntax))
        except SyntaxError as error:
            raise _no_store(answer) from error

    def _expect(self, answer: Answer, wanted: Iterable[str]) -> None:
        if answer.media_type not in wanted:
            raise _no_store(answer)


def _graph(name: NamedNode) -> tuple[tuple[str, str], ...]:
    return (("graph", name.value),)


def _no_store(answer: Answer) -> StoreUnreachableError:
    return StoreUnreachableError(
        f"The server answers with {answer.media_type or 'nothing that has a type'} where a SPARQL store would not.",
        remedy="See whether the address is that of a SPARQL store.",
    )


def _rows(answer: Answer) -> list[tuple[Term | None, ...]]:
    found = results(answer.body, raw=True)
    if not isinstance(found, QuerySolutions):
        raise StoreUnreachableError("The store does not answer with SPARQL results.")
    return [tuple(row) for row in found] if is_plain(answer.body) else plain_rows(found)


def _quads(rows: Iterable[tuple[Any, ...]]) -> list[Quad]:
    return [Quad(s, p, o, graph) for graph, s, p, o in rows]


def _as_result(triples: list[Triple]) -> QueryTriples:
    """Triples as the result of a query, for those who serialise it."""
    scratch = Store()
    scratch.extend(plain_quads(Quad(t.subject, t.predicate, t.object) for t in triples))
    found = scratch.query(queries.load("store/all_triples").text)
    assert isinstance(found, QueryTriples)
    return found
