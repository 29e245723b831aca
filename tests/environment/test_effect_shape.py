"""`shapes/effect.ttl`: an effect is about something and takes exactly one of the five forms."""

from __future__ import annotations

from pathlib import Path

import pyshacl
import pytest
import rdflib

PREFIXES = """
@prefix hg: <https://w3id.org/hearthgraph#> .
@prefix js: <https://www.w3.org/2019/wot/json-schema#> .
@prefix : <https://home.example/> .
"""
RIGHT = [
    ":a hg:effect [ hg:kind hg:Power ; hg:to true ] .",
    ":a hg:effect [ hg:kind hg:AcMode ; hg:to hg:CoolMode ] .",
    ":a hg:effect [ hg:kind hg:Brightness ; hg:toInput hg:Brightness ] .",
    ":a hg:effect [ hg:kind hg:Position ; hg:toBound js:maximum ] .",
    ":a hg:effect [ hg:kind hg:Volume ; hg:by 10 ] , [ hg:kind hg:Volume ; hg:by -0.5 ] .",
    ":a hg:effect [ hg:kind hg:FanSpeed ; hg:toNext -1 ] .",
    ":a hg:effect [ hg:property :p ; hg:to 5 ] .",
]
WRONG = [
    ":a hg:effect [ hg:kind hg:Power ] .",
    ":a hg:effect [ hg:to true ] .",
    ":a hg:effect [ hg:kind hg:Power ; hg:to true, false ] .",
    ":a hg:effect [ hg:kind hg:Power ; hg:to true ; hg:by 10 ] .",
    ":a hg:effect [ hg:kind hg:Position ; hg:toBound hg:Maximum ] .",
    ':a hg:effect [ hg:kind hg:Volume ; hg:by "ten" ] .',
    ":a hg:effect [ hg:kind hg:FanSpeed ; hg:toNext 2 ] .",
    ":a hg:effect [ hg:kind hg:FanSpeed ; hg:too 1 ] .",
    ":a hg:effect [ hg:kind hg:FanSpeed ; hg:toNext 1 ; hg:extra 1 ] .",
]


def conforms(repository: Path, data: rdflib.Graph) -> bool:
    shapes = rdflib.Graph().parse(repository / "shapes" / "effect.ttl")
    return bool(pyshacl.validate(data, shacl_graph=shapes)[0])


@pytest.mark.parametrize("turtle", RIGHT)
def test_each_of_the_five_forms_is_right_by_itself(repository: Path, turtle: str) -> None:
    assert conforms(repository, rdflib.Graph().parse(data=PREFIXES + turtle, format="turtle"))


@pytest.mark.parametrize("turtle", WRONG)
def test_anything_else_is_wrong(repository: Path, turtle: str) -> None:
    assert not conforms(repository, rdflib.Graph().parse(data=PREFIXES + turtle, format="turtle"))


def test_all_effects_of_the_ontology_are_right(repository: Path) -> None:
    data = rdflib.Graph()
    for file in sorted((repository / "ontology").glob("*.ttl")):
        data.parse(file)
    assert conforms(repository, data)
