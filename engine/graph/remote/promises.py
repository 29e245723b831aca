"""Probes the capabilities of a store on a server, in scratch graphs when it is opened, and describes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from uuid import uuid4

from pyoxigraph import Literal, NamedNode, Quad

from engine.errors import HearthgraphError, StoreError, StoreUnreachableError
from engine.graph.queries import load
from engine.graph.remote.server import Server
from engine.graph.terms import expand, literal, node

BOOKS = NamedNode("https://w3id.org/hearthgraph/store")
"""The graph in which the engines that write to a store keep books. It is no part of the home."""
VOCABULARY = "https://w3id.org/hearthgraph/store#"
PROBE = NamedNode(f"{VOCABULARY}probe")
_SCRATCH = "https://w3id.org/hearthgraph/store/scratch/"
_ODD = "/häuser%20(1)?x=1&y='~"
UNION_PARAMETER = ("union-default-graph", "true")
"""How Oxigraph's server is asked to take all graphs for the default graph."""


@dataclass(frozen=True, slots=True)
class Promises:
    """The probed capabilities of a store.

    `server`: its name for itself. `all_or_nothing`: an update of several operations is done whole or not at all.
    `union`: a query that names no graph sees all of them, by itself or by Oxigraph's parameter; else the graphs are
    listed for it. `graph_store`: the Graph Store Protocol works. `evaluates`: queries with paths and computed truths
    give results as SPARQL defines them; else the engine's own queries are answered by the mirror alone. `recoded`: the
    datatypes (IRIs) that it does not keep, so that their literals are stored under a datatype of the engine's own.
    """

    server: str
    all_or_nothing: bool
    union: bool
    union_parameter: bool
    graph_store: bool
    evaluates: bool
    recoded: frozenset[str]

    def told(self) -> Iterator[tuple[str, bool, str]]:
        """Each capability in words, whether the store has it, and its consequence."""
        if self.all_or_nothing:
            yield "an update is done whole or not at all", True, "a home is never half changed"
        else:
            consequence = "after a failed write the store is read anew; large writes go in several requests"
            yield "an update is done whole or not at all", False, consequence
        seen = self.union or self.union_parameter
        yield (
            "a query sees all graphs at once",
            seen,
            "" if seen else "the graphs are listed in each query of a person's",
        )
        told = "" if self.graph_store else "the ontology is replaced by an update"
        yield "the Graph Store Protocol", self.graph_store, told
        told = "" if self.evaluates else "the engine's queries are answered by its mirror, which cannot be left out"
        yield "paths and truths are evaluated as SPARQL says", self.evaluates, told
        names = ", ".join(sorted(iri.rpartition("#")[2] for iri in self.recoded))
        coded = f"{names}: stored under a datatype of the engine's own" if names else ""
        yield "literals come back as they went", not self.recoded, coded


def probe(server: Server) -> Promises:
    """Probes the capabilities of a store. Leaves nothing behind.

    Raises StoreError where it lacks an indispensable one: updates, named graphs with any name, and results in which
    text and numbers are unchanged.
    """
    scratch = NamedNode(f"{_SCRATCH}{uuid4()}")
    odd = NamedNode(scratch.value + _ODD)
    try:
        server.update(load("store/change").bind(insert=[_quad(scratch, literal(True)), _quad(odd, literal("odd"))]))
        seen = {(graph, term) for graph, _, term in server.rows("store/probe_read", graph=[scratch, odd])}
        for graph, term in ((scratch, literal(True)), (odd, literal("odd"))):
            if (graph, term) not in seen:
                raise _lacking(f"it does not find again what was written into the graph {graph}")
        recoded = _not_kept(server, scratch)
        union = server.ask("store/probe_union", graph=scratch)
        parameter = not union and _takes_parameter(server, scratch)
        whole = _all_or_nothing(server, scratch)
        evaluates = _evaluates(server, scratch)
        graph_store = _graph_store(server, odd)
        _clear(server, (scratch, odd))
        if list(server.rows("store/probe_read", graph=[scratch, odd])):
            raise _lacking("it does not empty graphs")
        return Promises(server.name, whole, union, parameter, graph_store, evaluates, recoded)
    except StoreUnreachableError:
        raise
    except StoreError:
        with suppress(HearthgraphError):
            _clear(server, (scratch, odd))
        raise


def _lacking(what: str) -> StoreError:
    return StoreError(f"This store cannot hold a home: {what}.", remedy="docs/stores.md says what a store must do.")


def _quad(graph: NamedNode, term: Literal, subject: NamedNode | None = None) -> Quad:
    return Quad(subject or graph, PROBE, term, graph)


def _clear(server: Server, graphs: tuple[NamedNode, ...]) -> None:
    server.update(load("graph/write").bind(cleared=list(graphs)))


_INDISPENSABLE = (
    Literal("h\u00e4user \U0001f3e0\n\t\"quoted\" 'and' \\ { } <a> ; # ?x $y"),
    Literal(""),
    Literal("  spaced  "),
    Literal("x" * 100_000),
    Literal("light", language="en"),
    literal(5),
    literal(-(2**40)),
    literal(0.1),
    literal(23.0),
)
_SAMPLES = (
    literal(True),
    literal(False),
    literal([1, {"a": 'b"\\'}]),
    Literal("1.50", datatype=node("xsd:decimal")),
    Literal("2026-03-01T06:00:00.123456+01:00", datatype=node("xsd:dateTime")),
    Literal("2026-03-01", datatype=node("xsd:date")),
    Literal("07:00:00", datatype=node("xsd:time")),
    Literal("PT5M", datatype=node("xsd:duration")),
    Literal("P1D", datatype=node("xsd:dayTimeDuration")),
    Literal("P1Y", datatype=node("xsd:yearMonthDuration")),
    Literal("http://example.org/ä", datatype=node("xsd:anyURI")),
    Literal("7", datatype=node("xsd:nonNegativeInteger")),
    Literal("1", datatype=NamedNode("http://example.org/datatype")),
    Literal("f00d", datatype=node("xsd:hexBinary")),
    Literal("8A==", datatype=node("xsd:base64Binary")),
    Literal("2026", datatype=node("xsd:gYear")),
    Literal("<p>x</p>", datatype=node("rdf:HTML")),
)


def _not_kept(server: Server, scratch: NamedNode) -> frozenset[str]:
    """The datatypes of which the store gives other literals back than it was given. All at once; where that fails, each
    by itself: one literal that a store refuses takes the others with it."""
    try:
        missing = _missing(server, scratch, _INDISPENSABLE + _SAMPLES)
    except StoreUnreachableError:
        raise
    except StoreError:
        missing = _missing(server, scratch, _INDISPENSABLE)
        missing += [one for one in _SAMPLES if _lost(server, scratch, one)]
    for one in missing:
        if one in _INDISPENSABLE:
            raise _lacking(f"it does not give {_short(one)} back as it was")
    return frozenset(one.datatype.value for one in missing)


def _lost(server: Server, scratch: NamedNode, one: Literal) -> bool:
    try:
        return bool(_missing(server, scratch, (one,)))
    except StoreUnreachableError:
        raise
    except StoreError:
        return True


def _missing(server: Server, scratch: NamedNode, literals: tuple[Literal, ...]) -> list[Literal]:
    subjects = {number: NamedNode(f"{VOCABULARY}{uuid4()}") for number in range(len(literals))}
    quads = [_quad(scratch, one, subjects[number]) for number, one in enumerate(literals)]
    server.update(load("store/change").bind(insert=quads))
    seen = {subject: term for _, subject, term in server.rows("store/probe_read", graph=scratch)}
    return [one for number, one in enumerate(literals) if not _same(seen.get(subjects[number]), one)]


def _same(one: object, other: Literal) -> bool:
    """Whether literals are the same, or two ways to write one value that this engine reads alike."""
    if one == other:
        return True
    if not isinstance(one, Literal) or (other.datatype.value, one.datatype.value) not in _ALIKE:
        return False
    return float(one.value) == float(other.value)


_ALIKE = frozenset(
    (expand(f"xsd:{written}"), expand(f"xsd:{read}"))
    for written, read in (("double", "double"), ("decimal", "decimal"), ("nonNegativeInteger", "integer"))
)


def _short(one: Literal) -> str:
    text = str(one)
    return text if len(text) < 60 else f"a literal of {len(one.value)} characters"


def _takes_parameter(server: Server, scratch: NamedNode) -> bool:
    try:
        return server.ask("store/probe_union", (UNION_PARAMETER,), graph=scratch)
    except StoreError:
        return False


def _all_or_nothing(server: Server, scratch: NamedNode) -> bool:
    """Whether an update that fails in its second operation undoes the first. One that does not fail says nothing."""
    half = literal("half")
    try:
        server.update(load("store/probe_whole").bind(insert=[_quad(scratch, half)]).replace(" SILENT", ""))
    except StoreError:
        return not server.ask("store/probe_there", graph_object=[(scratch, half)])
    return False


def _evaluates(server: Server, scratch: NamedNode) -> bool:
    """Whether a query with a path from two nodes, one step and two steps long, and a computed truth gives both."""
    starts = [NamedNode(f"{scratch.value}/{name}") for name in ("near", "far")]
    middle, between = (NamedNode(f"{scratch.value}/{name}") for name in ("middle", "between"))
    end = literal("end")
    links = [(scratch, "start", one) for one in starts]
    links += [(starts[0], "first", middle), (starts[1], "first", between), (between, "next", middle)]
    quads = [Quad(s, NamedNode(VOCABULARY + name), o, scratch) for s, name, o in links]
    server.update(load("store/change").bind(insert=[*quads, _quad(scratch, end, middle)]))
    found = server.rows("store/probe_sparql", graph_object=[(scratch, end)])
    return set(found) == {(literal(True), one) for one in starts}


def _graph_store(server: Server, graph: NamedNode) -> bool:
    """Whether a graph can be replaced, read and taken away by its name."""
    quad = _quad(graph, literal("put"))
    try:
        server.put_graph(graph, [quad])
        found = server.get_graph(graph)
        server.delete_graph(graph)
    except StoreError:
        return False
    return found == [quad]
