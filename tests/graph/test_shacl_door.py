"""The door: what pyshacl finds is told with node, shape, path, message and remedy."""

from __future__ import annotations

import pytest

from engine.errors import InputError
from engine.graph.knowledge import turtle
from engine.graph.shacl.compile import compile_targets
from engine.graph.shacl.data import QuadData
from engine.graph.shacl.door import Door
from engine.graph.shacl.parse import parse
from engine.graph.terms import ONTOLOGY, Quad, literal, node

PREFIXES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix hg: <https://w3id.org/hearthgraph#> .
@prefix td: <https://www.w3.org/2019/wot/td#> .
@prefix js: <https://www.w3.org/2019/wot/json-schema#> .
@prefix hctl: <https://www.w3.org/2019/wot/hypermedia#> .
@prefix wotsec: <https://www.w3.org/2019/wot/security#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix : <http://example.org/> .
"""
SHAPES = """
:LampShape a sh:NodeShape ; sh:targetClass :Lamp ;
    sh:property [ sh:path :title ; sh:minCount 1 ; sh:message "A lamp has a title." ; hg:remedy "Add a title." ] ;
    sh:property [ sh:path :level ; sh:maxInclusive 100 ; sh:severity sh:Warning ] ;
    sh:property [ sh:path [ sh:inversePath :holds ] ; sh:maxCount 1 ] .
"""


def quads(text: str) -> list[Quad]:
    return turtle((PREFIXES + text).encode(), "test", ONTOLOGY)


@pytest.fixture(scope="module")
def door() -> Door:
    return Door(quads(SHAPES))


def test_good_data_comes_in(door):
    assert door.check(quads(":a a :Lamp ; :title 'a' ; :level 100 .")) == ()


def test_bad_data_is_told_with_node_shape_path_and_remedy(door):
    data = quads(":a a :Lamp ; :level 250 . :x :holds :a . :y :holds :a .")
    by_component = {violation.component: violation for violation in door.check(data)}
    assert by_component.keys() == {"MinCount", "MaxInclusive", "MaxCount"}
    missing, over = by_component["MinCount"], by_component["MaxInclusive"]
    assert (missing.node, missing.path) == ("http://example.org/a", "http://example.org/title")
    assert (missing.shape, missing.severity) == ("http://example.org/LampShape", "Violation")
    assert (missing.message, missing.remedy, missing.value) == ("A lamp has a title.", "Add a title.", None)
    assert (over.value, over.severity) == (literal(250), "Warning")
    assert over.message
    assert by_component["MaxCount"].path == "^http://example.org/holds"


def test_the_door_and_the_compiled_shapes_tell_the_same_but_for_their_words(door):
    data = quads(":a a :Lamp ; :level 250, 'x'@en . :x :holds :a . :y :holds :a .")
    told = compile_targets(parse(quads(SHAPES)))("http://example.org/a", QuadData(data))

    def facts(violations):
        return {(one.node, one.path, one.shape, one.component, one.severity, str(one.value)) for one in violations}

    assert facts(told) == facts(door.check(data))


def test_it_can_be_confined_to_some_nodes(door):
    data = quads(":a a :Lamp . :b a :Lamp .")
    assert [one.node for one in door.check(data, focus=["http://example.org/b"])] == ["http://example.org/b"]


def test_the_data_is_one_graph_whatever_graphs_it_names(door):
    data = quads(":a a :Lamp ; :title 'a' .")
    spread = [Quad(one.subject, one.predicate, one.object, node(f"hg:{i}")) for i, one in enumerate(data)]
    assert door.check(spread) == ()


def test_an_ill_formed_literal_is_told_and_not_logged(door, caplog):
    shapes = Door(
        quads(":S a sh:NodeShape ; sh:targetNode :a ; sh:property [ sh:path :p ; sh:datatype xsd:integer ] .")
    )
    (found,) = shapes.check(quads(":a :p 'abc'^^xsd:integer ."))
    assert found.value.value == "abc"
    assert not caplog.records


def test_shapes_that_cannot_be_used_are_refused():
    with pytest.raises(InputError):
        Door(quads(":S a sh:NodeShape ; sh:targetNode :a ; sh:minCount 'many' .")).check(quads(":a :p 1 ."))


THING = """
:lamp a td:Thing ; td:title "Lamp"@en ; td:definesSecurityScheme [ a wotsec:NoSecurityScheme ] ;
    td:hasSecurityConfiguration "nosec_sc" ; td:hasPropertyAffordance :level .
:level a td:PropertyAffordance, js:IntegerSchema ; td:name "level" ; js:minimum %s ; td:isObservable false ;
    td:hasForm [ a hctl:Form ; hctl:hasTarget "http://example.org/level"^^xsd:anyURI ;
        hctl:hasOperationType td:readProperty ; hctl:forContentType "application/json" ] .
"""


@pytest.mark.parametrize("minimum", ["0", "'low'", "0.5"])
def test_the_w3cs_shapes_for_things_compile_and_agree_with_pyshacl(shared, minimum):
    path = shared / "w3c" / "td-validation.ttl"
    shapes, data = turtle(path.read_bytes(), str(path), ONTOLOGY), quads(THING % minimum)
    check, held = compile_targets(parse(shapes)), QuadData(data)
    told = {(one.node, one.path, one.component) for focus in held.nodes() for one in check(focus, held)}
    assert told == {(one.node, one.path, one.component) for one in Door(shapes).check(data)}
