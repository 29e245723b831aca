"""Query files and what is bound in them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store

from engine.errors import QueryError
from engine.graph import queries
from engine.graph.algebra import refuse_services
from engine.graph.terms import graph, literal, node
from engine.resources import folder

FILES = sorted(folder("queries").rglob("*.rq"))
ONE = queries.read("test/one", "SELECT ?x WHERE { VALUES ?x { UNDEF } }")
TWO = queries.read("test/two", "SELECT ?a ?b WHERE { VALUES (?a ?b) { (UNDEF UNDEF) } }")


def rows(text: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in Store().query(text)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(folder("queries"))))
def test_every_query_file_starts_with_a_comment_and_is_valid_as_it_stands(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    query = queries.load(str(path.relative_to(folder("queries")).with_suffix("")))
    if re.search(r"\b(INSERT|DELETE|CLEAR|DROP)\b", query.text):
        Store().update(text)
    else:
        Store().query(text)


def test_what_is_not_bound_is_no_restriction():
    assert ONE.bind() == "SELECT ?x WHERE { VALUES ?x { UNDEF } }"
    assert rows(ONE.bind()) == [(None,)]


def test_one_term_or_several_can_be_bound_to_a_variable():
    assert rows(ONE.bind(x=node("hg:Light"))) == [(node("hg:Light"),)]
    assert rows(ONE.bind(x=(literal(n) for n in (1, 2)))) == [(literal(1),), (literal(2),)]


def test_bound_to_nothing_there_is_no_solution():
    assert rows(ONE.bind(x=[])) == []


def test_rows_are_bound_by_the_names_of_their_variables():
    assert rows(TWO.bind(a_b=[(literal("x"), None), (None, literal(True))])) == [
        (literal("x"), None),
        (None, literal(True)),
    ]


def test_a_variable_of_several_branches_gets_its_rows_in_each():
    query = queries.read("t", "SELECT ?x { { VALUES ?x { UNDEF } } UNION { VALUES ?x { UNDEF } } }")
    assert rows(query.bind(x=iter([literal(1)]))) == [(literal(1),), (literal(1),)]


def test_a_slot_in_a_comment_takes_nothing():
    query = queries.read("t", "# VALUES ?y { UNDEF }\nSELECT ?x { VALUES ?x { UNDEF } }")
    assert query.names == {"x"}


def test_an_empty_data_block_takes_quads():
    quad = Quad(node("hg:a"), node("hg:b"), literal("} ; DROP ALL #"), graph("places"))
    store = Store()
    store.update(queries.read("t", "INSERT DATA { }").bind(insert=[quad]))
    assert list(store) == [quad]


@pytest.mark.parametrize(
    "values",
    [
        {"y": literal(1)},
        {"x": "hg:Light"},
        {"x": ["> } DROP ALL"]},
        {"x": [BlankNode()]},
        {"x": 3},
    ],
)
def test_an_unknown_name_or_anything_but_a_term_is_refused(values):
    with pytest.raises(QueryError):
        ONE.bind(**values)


@pytest.mark.parametrize("bound", [[(literal(1),)], [literal(1)], ["ab"], [(literal(1), "x")]])
def test_a_row_of_the_wrong_width_or_content_is_refused(bound):
    with pytest.raises(QueryError):
        TWO.bind(a_b=bound)


@given(st.text())
def test_whatever_a_literal_says_it_stays_one_literal(text):
    assert rows(ONE.bind(x=Literal(text))) == [(Literal(text),)]


@given(st.text())
def test_whatever_an_iri_says_it_stays_one_iri_or_is_none(text):
    try:
        iri = NamedNode("http://example.org/" + text)
    except ValueError:
        return
    assert rows(ONE.bind(x=iri)) == [(iri,)]


def test_a_query_that_does_not_exist_is_refused():
    for name in ("graph/nothing", "../pyproject", "/etc/passwd"):
        with pytest.raises(QueryError):
            queries.load(name)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://x.org/> { ?s ?p ?o } }",
        "SELECT * { service?x { ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o.SERVICE SILENT <http://x.org/> { ?s ?p ?o } }",
        "PREFIX e: <e:>\nSELECT * { e:a\\# e:b 1 . SERVICE <http://x.org/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p '\\'' . SERVICE <http://x.org/> { ?s ?p ?o } # '\n}",
        "SELECT * { FILTER(?a<?b) SERVICE <http://x.org/> {} }",
    ],
)
def test_a_query_that_would_call_out_is_refused(text):
    with pytest.raises(QueryError):
        refuse_services(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { ?s ?service 'SERVICE' } # SERVICE",
        'SELECT * { ?s <http://x.org/service> """a SERVICE""" }',
        "PREFIX x: <x:> SELECT * { ?s x:service $service }",
    ],
)
def test_the_word_service_elsewhere_is_no_call(text):
    refuse_services(text)
