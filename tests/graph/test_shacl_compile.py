"""Compiled shapes say what pyshacl says, on random shapes and data; where pyshacl errs, what the specification says."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode, Store, Triple
from pyshacl.constraints.core import value_range_constraints

from engine.errors import UnsupportedShape
from engine.graph import queries
from engine.graph.knowledge import turtle
from engine.graph.shacl import literals
from engine.graph.shacl.compile import compile_shape, compile_targets
from engine.graph.shacl.data import QuadData
from engine.graph.shacl.door import Door
from engine.graph.shacl.parse import SH, parse
from engine.graph.terms import ONTOLOGY, RDF_TYPE, expand, literal, node

EX = "http://example.org/"
A, B, C = (NamedNode(f"{EX}{name}") for name in "abc")
P, Q = NamedNode(f"{EX}p"), NamedNode(f"{EX}q")
CLASS, SUBCLASS = NamedNode(f"{EX}Class"), NamedNode(f"{EX}Subclass")
SHAPE = NamedNode(f"{EX}Shape")
PREFIXES = (
    f"@prefix : <{EX}> . @prefix sh: <{SH}> . @prefix xsd: <{expand('xsd:')}> . @prefix hg: <{expand('hg:')}> .\n"
)


def typed(text: str, datatype: str) -> Literal:
    return Literal(text, datatype=node(f"xsd:{datatype}"))


NUMBERS = [
    *(typed(text, "integer") for text in ("-1", "0", "1", "2", "40")),
    *(typed(text, "double") for text in ("0.5", "1.0", "40.0", "INF", "-INF")),
    *(typed(text, "decimal") for text in ("0.5", "1", "2.25")),
    typed("1", "nonNegativeInteger"),
]
INSTANTS = [
    typed("2026-07-01T12:00:00Z", "dateTime"),
    typed("2026-07-01T12:00:00+02:00", "dateTime"),
    typed("2026-07-01T11:00:00", "dateTime"),
    typed("2026-07-01", "date"),
    typed("12:30:00", "time"),
]
TEXTS = [Literal(""), Literal("on"), Literal("off"), Literal("häuser"), Literal("5")]
TAGGED = [Literal("on", language="en"), Literal("on", language="de"), Literal("off", language="en-GB")]
ODD = [typed("abc", "integer"), typed("NaN", "double"), Literal("x", datatype=NamedNode(f"{EX}type"))]
TRUTHS = [literal(True), literal(False)]
VALUES = [*NUMBERS, *INSTANTS, *TEXTS, *TAGGED, *ODD, *TRUTHS, A, B, C, BlankNode("d")]
NAN = typed("NaN", "double")
KINDS = ("IRI", "Literal", "BlankNode", "BlankNodeOrIRI", "BlankNodeOrLiteral", "IRIOrLiteral")
DATATYPES = ("integer", "double", "decimal", "boolean", "string", "dateTime", "nonNegativeInteger")

values = st.sampled_from(VALUES)
edges = st.builds(Triple, st.sampled_from([A, B, C, BlankNode("d")]), st.sampled_from([P, Q]), values)
types = st.builds(Triple, st.sampled_from([A, B, C]), st.just(RDF_TYPE), st.sampled_from([CLASS, SUBCLASS]))
datas = st.builds(
    lambda one, other: [*one, *other, Triple(SUBCLASS, node("rdfs:subClassOf"), CLASS)],
    st.lists(edges, max_size=8, unique=True),
    st.lists(types, max_size=2, unique=True),
)


class Writer:
    """Writes a shape of Python values as triples: keys are the names of sh: parameters."""

    def __init__(self) -> None:
        self.triples: list[Triple] = []

    def shape(self, described: dict, subject=None):
        subject = subject or BlankNode()
        for name, held in described.items():
            for one in held if isinstance(held, list) else [held]:
                self.triples.append(Triple(subject, NamedNode(f"{SH}{name}"), self.term(one)))
        return subject

    def term(self, held):
        if isinstance(held, dict):
            return self.shape(held)
        return self.items(held) if isinstance(held, tuple) else held

    def items(self, held: tuple):
        rest = node("rdf:nil")
        for one in reversed(held):
            here = BlankNode()
            self.triples += [Triple(here, node("rdf:first"), self.term(one)), Triple(here, node("rdf:rest"), rest)]
            rest = here
        return rest


def some_of(**parameters: st.SearchStrategy) -> st.SearchStrategy[dict]:
    """One to three of the parameters, each with a value."""
    chosen = st.lists(st.sampled_from(sorted(parameters)), min_size=1, max_size=3, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: parameters[name] for name in names}))


counts = st.integers(0, 3).map(literal)
BOUNDS = [*NUMBERS, *INSTANTS, *TEXTS]
bounds = st.sampled_from(BOUNDS)
of_values = some_of(
    **{
        "datatype": st.sampled_from([*(node(f"xsd:{name}") for name in DATATYPES), node("rdf:langString")]),
        "nodeKind": st.sampled_from([NamedNode(f"{SH}{kind}") for kind in KINDS]),
        "class": st.just(CLASS),
        "minInclusive": bounds,
        "maxInclusive": bounds,
        "minExclusive": bounds,
        "maxExclusive": bounds,
        "minLength": st.integers(1, 3).map(literal),  # pyshacl lets blank nodes pass 0; SHACL does not
        "maxLength": counts,
        "pattern": st.sampled_from([Literal("^o"), Literal("f+"), Literal("[0-9]")]),
        "in": st.lists(values, min_size=1, max_size=4).map(tuple),
    }
)
paths = st.one_of(
    st.sampled_from([P, Q]),
    st.sampled_from([{"inversePath": P}, (P, Q), ({"inversePath": Q}, P), {"alternativePath": (P, Q)}]),
)
node_shapes = st.recursive(
    of_values,
    lambda inner: st.one_of(
        of_values,
        st.fixed_dictionaries({"not": inner}),
        st.fixed_dictionaries({"node": inner}),
        *(st.fixed_dictionaries({name: st.tuples(inner, inner)}) for name in ("and", "or", "xone")),
        st.fixed_dictionaries({"property": st.builds(lambda path, rest: {"path": path, **rest}, paths, inner)}),
    ),
    max_leaves=4,
)
property_shapes = st.builds(
    lambda path, *parts: {"path": path, **{name: held for part in parts for name, held in part.items()}},
    paths,
    st.one_of(st.just({}), node_shapes),
    some_of(
        minCount=counts,
        maxCount=counts,
        hasValue=values,
        equals=st.just(Q),
        disjoint=st.just(Q),
        uniqueLang=st.just(literal(True)),
    ),
)
targeted = st.builds(
    lambda own, parts: {
        **own,
        "targetNode": [A, B],
        "targetClass": [CLASS],
        "targetSubjectsOf": [Q],
        "property": parts,
    },
    st.one_of(st.just({}), of_values, st.just({"closed": literal(True), "ignoredProperties": (RDF_TYPE,)})),
    st.lists(property_shapes, min_size=1, max_size=3),
)


def written(described: dict) -> list[Triple]:
    writer = Writer()
    writer.shape(described, SHAPE)
    return [*writer.triples, Triple(SHAPE, RDF_TYPE, NamedNode(f"{SH}NodeShape"))]


def is_a(cls: str, ancestor: str) -> bool:
    return cls == ancestor or (cls, ancestor) == (SUBCLASS.value, CLASS.value)


def compiled(shapes: list[Triple], data: list[Triple]) -> set:
    check, held = compile_targets(parse(shapes), is_a), QuadData(data)
    focus = {A.value, B.value, *held.nodes()}
    return {_key(violation) for node in focus for violation in check(node, held)}


def validated(shapes: list[Triple], data: list[Triple]) -> set:
    with patch.object(value_range_constraints, "compare_literal", by_sparql):
        return {_key(violation) for violation in Door(shapes).check(data)}


COMPARE = queries.read(
    "test/compare",
    """SELECT (?a < ?b AS ?less) (?a <= ?b && ?a >= ?b AS ?same) (?a > ?b AS ?more)
    { VALUES (?a ?b) { (UNDEF UNDEF) } }""",
)


def sparql_compare(left: Literal, right: Literal) -> int | None:
    """How SPARQL compares two literals: SHACL defines its ranges by SPARQL's operators."""
    (row,) = Store().query(COMPARE.bind(a_b=[(left, right)]))
    return next((sign for sign, held in zip((-1, 0, 1), row, strict=True) if held == literal(True)), None)


def by_sparql(left, right) -> int:
    """What pyshacl's comparison should say. Its own orders literals of different datatypes, and NaN, as rdflib does."""
    found = sparql_compare(*(typed_or_tagged(one) for one in (left, right)))
    if found is None:
        raise TypeError
    return found


def typed_or_tagged(found) -> Literal:
    if found.language:
        return Literal(str(found), language=found.language)
    return Literal(str(found), datatype=NamedNode(str(found.datatype or expand("xsd:string"))))


def _key(violation) -> tuple:
    value = None if violation.value is None else literals.identity(violation.value)
    return (violation.node, violation.path, violation.shape, violation.component, violation.severity, value)


@settings(max_examples=150)
@given(targeted, datas)
def test_compiled_shapes_report_what_pyshacl_reports(described, data):
    shapes = written(described)
    assert compiled(shapes, data) == validated(shapes, data)


@pytest.mark.parametrize("bound", BOUNDS, ids=str)
def test_literals_compare_with_a_bound_as_in_sparql(bound):
    held = [one for one in VALUES if isinstance(one, Literal)]
    assert [literals.compare(one, bound) for one in held] == [sparql_compare(one, bound) for one in held]


numbers = st.one_of(
    st.integers(-(10**20), 10**20).map(literal),
    st.floats(allow_nan=False).map(literal),
    st.decimals(-1000, 1000, places=3).map(lambda one: typed(f"{one:f}", "decimal")),
)


@given(numbers, numbers)
def test_numbers_compare_as_in_sparql_whatever_their_datatypes(left, right):
    known = sparql_compare(left, right)
    assert known is None or literals.compare(left, right) == known


# What the specification says, said once for each rule that a faster check is tempted to drop.

RULES = [
    ("a range holds of a missing value", "sh:minInclusive 1 ; sh:maxInclusive 2", "", []),
    ("a missing value fails minCount", "sh:minCount 1 ; sh:maxInclusive 2", "", ["MinCount"]),
    ("a range is of each value", "sh:maxInclusive 2", ":p 1, 3", ["MaxInclusive"]),
    ("NaN is in no range", "sh:minInclusive 1", ":p 'NaN'^^xsd:double", ["MinInclusive"]),
    ("nor in the other", "sh:maxInclusive 1", ":p 'NaN'^^xsd:double", ["MaxInclusive"]),
    ("a text is in no range of numbers", "sh:maxInclusive 1", ":p '0'", ["MaxInclusive"]),
    ("a decimal is compared with a double", "sh:maxInclusive 0.5", ":p 0.5e0", []),
    ("a number beyond all doubles is compared", "sh:maxExclusive 1e300", f":p 1{'0' * 400}", ["MaxExclusive"]),
    ("false is less than true", "sh:minExclusive false", ":p true", []),
    ("a value is of its own datatype alone", "sh:hasValue 0.5", ":p 0.5e0", ["HasValue"]),
    ("but in any of its lexical forms", "sh:hasValue '0.5'^^xsd:double ; sh:in (5e-1)", ":p 0.50e0", []),
    ("not equal is a negation", "sh:not [ sh:hasValue 1 ]", ":p 2", []),
    ("an integer is no double", "sh:datatype xsd:double", ":p 1", ["Datatype"]),
    ("an ill-formed number is none", "sh:datatype xsd:integer", ":p 'abc'^^xsd:integer", ["Datatype"]),
    ("nor is one beyond its type", "sh:datatype xsd:byte", ":p '300'^^xsd:byte", ["Datatype"]),
    ("nor a truth by another word", "sh:datatype xsd:boolean", ":p 'yes'^^xsd:boolean", ["Datatype"]),
    ("a tagged text is no string", "sh:datatype xsd:string", ":p 'on'@en", ["Datatype"]),
    ("tags have no case", "sh:uniqueLang true ; sh:in ('a'@EN 'b'@en)", ":p 'a'@en, 'b'@EN", ["UniqueLang"]),
    ("a blank node has no length", "sh:minLength 0", ":p []", ["MinLength"]),
    ("a pattern matches anywhere", "sh:pattern 'B' ; sh:flags 'i'", ":p 'abc'", []),
    ("one value twice is one", "sh:maxCount 1", ":p 1, 01", []),
]


@pytest.mark.parametrize(
    ("constraints", "data", "broken"), [rule[1:] for rule in RULES], ids=[rule[0] for rule in RULES]
)
def test_rule(constraints, data, broken):
    shapes = shapes_of(f":S a sh:NodeShape ; sh:property [ sh:path :p ; {constraints} ] .")
    held = turtle(f"{PREFIXES} :a a :Thing ; {data} .".encode(), "", ONTOLOGY)
    check = compile_shape(shapes, f"{EX}S")
    assert [violation.component for violation in check(A.value, QuadData(held))] == broken


def shapes_of(text: str):
    return parse(turtle((PREFIXES + text).encode(), "", ONTOLOGY))


class Mapped:
    """Data that is no graph: a mapping, as a mirror of the state is."""

    def __init__(self, held: dict[tuple[str, str], Literal]) -> None:
        self.held = held

    def values(self, node: str, path: str) -> tuple[Literal, ...]:
        found = self.held.get((node, path))
        return () if found is None else (found,)


def test_a_mapping_is_data_enough_and_the_violation_says_what_is_wrong_and_what_to_do():
    shapes = shapes_of(":S a sh:NodeShape ; sh:property [ sh:path :p ; sh:minCount 1 ; sh:maxInclusive 100 ] .")
    check = compile_shape(shapes, f"{EX}S")
    assert check(A.value, Mapped({(A.value, P.value): literal(40.0)})) == ()
    assert [violation.component for violation in check(A.value, Mapped({}))] == ["MinCount"]
    (found,) = check(A.value, Mapped({(A.value, P.value): literal(250)}))
    assert (found.node, found.path, found.shape, found.value) == (A.value, P.value, f"{EX}S", literal(250))
    assert (found.message, found.remedy) == ("'250' is more than '100'.", "Use '100' or less.")


def test_a_shapes_own_message_remedy_and_severity_go_before_ours():
    shapes = shapes_of(
        ":S a sh:NodeShape ; sh:property [ sh:path :p ; sh:minCount 1 ; sh:message 'No p.' ; hg:remedy 'Add one.' ; "
        "sh:severity sh:Warning ] ."
    )
    (found,) = compile_shape(shapes, f"{EX}S")(A.value, Mapped({}))
    assert (found.message, found.remedy, found.severity) == ("No p.", "Add one.", "Warning")


@pytest.mark.parametrize("text", ["sh:closed true", "sh:property [ sh:path [ sh:inversePath :p ] ; sh:minCount 1 ]"])
def test_what_needs_a_graph_says_so_where_there_is_none(text):
    check = compile_shape(shapes_of(f":S a sh:NodeShape ; {text} ."), f"{EX}S")
    with pytest.raises(UnsupportedShape):
        check(A.value, Mapped({}))


def test_circles_in_recursive_shapes_and_data_come_to_an_end():
    shapes = shapes_of(":S a sh:NodeShape ; sh:nodeKind sh:IRI ; sh:property [ sh:path :p ; sh:node :S ] .")
    check = compile_shape(shapes, f"{EX}S")
    assert check(A.value, QuadData([Triple(A, P, B), Triple(B, P, A)])) == ()
    assert [one.component for one in check(A.value, QuadData([Triple(A, P, B), Triple(B, P, literal(1))]))] == ["Node"]


def test_a_thousand_contexts_are_checked_in_ten_milliseconds(benchmark):
    text = ":S a sh:NodeShape ; " + " ; ".join(
        f"sh:property [ sh:path :p{i} ; sh:minCount 1 ; sh:minInclusive 0.0 ; sh:maxInclusive 100.0 ]" for i in range(3)
    )
    check = compile_shape(shapes_of(f"{text} ."), f"{EX}S")
    data = Mapped({(A.value, f"{EX}p{i}"): literal(float(i)) for i in range(3)})
    benchmark(lambda: [check(A.value, data) for _ in range(1000)])
