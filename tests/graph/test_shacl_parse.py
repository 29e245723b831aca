"""Shapes read into dataclasses, and what is refused by name."""

from __future__ import annotations

import pytest

from engine.errors import UnsupportedShape
from engine.graph.knowledge import turtle
from engine.graph.shacl.parse import Constraint, parse
from engine.graph.terms import ONTOLOGY, NamedNode, literal, node

PREFIXES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix hg: <https://w3id.org/hearthgraph#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://example.org/> .
"""


def shapes(text: str, roots: list[str] | None = None):
    return parse(turtle((PREFIXES + text).encode(), "test", ONTOLOGY), roots)


def test_a_shape_is_read_with_its_targets_constraints_and_words():
    found = shapes(
        """
        :S a sh:NodeShape ; sh:targetClass hg:Light ; sh:targetNode :lamp ; sh:targetSubjectsOf :p ; sh:property :P .
        :P sh:path :p ; sh:minCount 1 ; sh:maxInclusive 3.5 ; sh:in (1 "a") ; sh:severity sh:Warning ;
           sh:message "zu viel"@de, "too much"@en ; hg:remedy "Turn it down." ; sh:name "p" ; sh:order 1 .
        """
    )
    shape, part = found["http://example.org/S"], found["http://example.org/P"]
    assert shape.target_classes == (node("hg:Light").value,)
    assert shape.target_nodes == (NamedNode("http://example.org/lamp"),)
    assert shape.target_subjects_of == ("http://example.org/p",)
    assert shape.constraints == (Constraint("Property", "http://example.org/P"),)
    assert {one.component for one in part.constraints} == {"MinCount", "MaxInclusive", "In"}
    assert Constraint("In", (literal(1), literal("a"))) in part.constraints
    assert (part.severity, part.message, part.remedy) == ("Warning", "too much", "Turn it down.")
    assert found.targeted == (shape,)


def test_paths_are_read_and_written():
    found = shapes(
        """
        :S a sh:NodeShape ; sh:property :A, :B, :C .
        :A sh:path [ sh:inversePath :p ] .
        :B sh:path ( :p [ sh:inversePath :q ] ) .
        :C sh:path [ sh:alternativePath ( :p :q ) ] .
        """
    )
    base = "http://example.org/"
    assert str(found[f"{base}A"].path) == f"^{base}p"
    assert str(found[f"{base}B"].path) == f"{base}p/^{base}q"
    assert str(found[f"{base}C"].path) == f"{base}p|{base}q"


def test_a_blank_shape_bears_the_name_of_the_one_that_holds_it():
    found = shapes(
        ":S a sh:NodeShape ; sh:or ( [ sh:property [ sh:path :p ; sh:minCount 1 ] ] [ sh:nodeKind sh:IRI ] ) ."
    )
    assert {shape.name for shape in found.by_key.values()} == {"http://example.org/S"}


def test_a_class_that_is_a_shape_is_its_own_target():
    assert shapes(":C a rdfs:Class, sh:NodeShape .").targeted[0].target_classes == ("http://example.org/C",)


def test_a_deactivated_shape_asks_nothing():
    found = shapes(":S a sh:NodeShape ; sh:targetNode :a ; sh:deactivated true ; sh:nodeKind sh:Literal .")
    assert found.targeted == ()
    assert found["http://example.org/S"].constraints == ()


def test_shapes_may_be_recursive():
    found = shapes(":S a sh:NodeShape ; sh:property [ sh:path :part ; sh:node :S ] .")
    assert len(found.by_key) == 2


@pytest.mark.parametrize(
    ("text", "component"),
    [
        ("sh:sparql [ sh:select 'x' ]", "sh:sparql"),
        ("sh:property [ sh:path :p ; sh:qualifiedValueShape [] ; sh:qualifiedMinCount 1 ]", "sh:qualified"),
        ("sh:property [ sh:path :p ; sh:lessThan :q ]", "sh:lessThan"),
        ("sh:property [ sh:path [ sh:zeroOrMorePath :p ] ]", "sh:zeroOrMorePath"),
        ("sh:property [ sh:path :p ; sh:minCount -1 ]", "-1"),
        ("sh:property [ sh:path :p ; sh:minCount 1, 2 ]", "sh:minCount given 2 times"),
        ("sh:property [ sh:path :p ; sh:minInclusive 'x'@en ]", "bound"),
        ("sh:property [ sh:path :p ; sh:minInclusive 'P1D'^^xsd:duration ]", "bound"),
        ("sh:pattern '[' ", "pattern"),
        ("sh:pattern 'a' ; sh:flags 'x' ", "sh:flags"),
        ("sh:nodeKind :Nothing", "node kind"),
        ("sh:class 'text'", "text"),
        ("sh:targetObjectsOf :p", "sh:targetObjectsOf"),
    ],
)
def test_what_the_subset_does_not_cover_is_refused_by_name(text, component):
    with pytest.raises(UnsupportedShape) as caught:
        shapes(f":S a sh:NodeShape ; {text} .")
    assert component in caught.value.component
    assert component in str(caught.value)
    assert caught.value.remedy


def test_only_the_shapes_that_are_asked_for_are_read():
    text = ":S a sh:NodeShape ; sh:nodeKind sh:IRI . :T a sh:NodeShape ; sh:sparql [] ."
    assert list(shapes(text, ["http://example.org/S"]).by_key) == ["http://example.org/S"]


def test_a_list_that_bites_its_tail_ends():
    loop = "_:l rdf:first 1 ; rdf:rest _:l ."
    assert shapes(f":S a sh:NodeShape ; sh:in _:l . {loop}")["http://example.org/S"].constraints[0].parameter == (
        literal(1),
    )
