"""Texts of others that nest deeper than the parser's stack holds are refused before it reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import SyntaxFault
from engine.graph import knowledge
from engine.graph.nesting import DEEPEST
from engine.graph.store import read_dump
from engine.graph.terms import NamedNode
from engine.things.description.turtle import RdfFormat, parse_text

RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:"'


def quoting(depth: int) -> str:
    """A statement about a statement about a statement …"""
    return f"<urn:a> <urn:b> {'<<( <urn:a> <urn:b> ' * depth}<urn:c>{' )>>' * depth} .\n"


def elements(depth: int) -> str:
    return f"<rdf:RDF {RDF}>{'<e:A><e:b>' * depth}{'</e:b></e:A>' * depth}</rdf:RDF>"


@pytest.mark.parametrize("syntax", [RdfFormat.TURTLE, RdfFormat.TRIG, RdfFormat.N_TRIPLES])
def test_statements_within_statements_have_a_depth(syntax: RdfFormat) -> None:
    assert len(parse_text(quoting(DEEPEST).encode(), syntax=syntax)) == 1
    for depth in (DEEPEST + 1, 100_000):
        with pytest.raises(SyntaxFault, match="statements within statements"):
            parse_text(quoting(depth).encode(), syntax=syntax)


def test_comments_and_texts_hide_no_depth() -> None:
    begun = '<urn:a> <urn:b> "\\"#" . # >> >>\n<urn:a> <urn:b>#>>\n'
    hidden = begun + quoting(100_000).removeprefix("<urn:a> <urn:b>")
    with pytest.raises(SyntaxFault):
        parse_text(hidden.encode())


def test_many_lines_with_statements_within_statements_are_read(tmp_path: Path) -> None:
    lines = "".join(f"<urn:a> <urn:b> <<( <urn:a> <urn:b> <urn:{n}> )>> .\n" for n in range(3 * DEEPEST))
    assert len(parse_text(lines.encode(), syntax=RdfFormat.N_TRIPLES)) == 3 * DEEPEST
    (tmp_path / "dump.nq").write_text(lines)
    assert len(read_dump(tmp_path / "dump.nq", RdfFormat.N_QUADS)) == 3 * DEEPEST


def test_a_dump_and_knowledge_in_turtle_have_a_depth(tmp_path: Path) -> None:
    (tmp_path / "dump.nq").write_text(quoting(100_000))
    with pytest.raises(SyntaxFault):
        read_dump(tmp_path / "dump.nq", RdfFormat.N_QUADS)
    with pytest.raises(SyntaxFault):
        knowledge.turtle(quoting(100_000).encode(), "here", NamedNode("urn:g"))


@pytest.mark.parametrize("text", [elements(100_000), elements(DEEPEST) + "<", elements(1).replace("<e:b>", "<e:b>&x;")])
def test_xml_has_a_depth_and_is_xml(text: str) -> None:
    with pytest.raises(SyntaxFault):
        parse_text(text.encode(), syntax=RdfFormat.RDF_XML)
    assert parse_text(elements(DEEPEST // 2 - 1).encode(), syntax=RdfFormat.RDF_XML)
