"""`hearthgraph ontology check`: what it prints, what it writes, and its exit statuses."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import rdflib
from click.testing import CliRunner, Result

from engine.cli.main import main
from engine.graph.terms import expand

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="no Java, which HermiT needs (make java)")
HEAD = "@prefix hg: <https://w3id.org/hearthgraph#> . @prefix td: <https://www.w3.org/2019/wot/td#> . "
LAMP = HEAD + '<http://x.example/lamp> a td:Thing, hg:Light, hg:Safe ; td:title "lamp" .'


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(a) for a in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "should not" not in result.output
    return result


@pytest.mark.java
@needs_java
def test_the_things_of_the_store_are_checked_and_what_follows_is_written(
    stores: dict[str, Path], tmp_path: Path
) -> None:
    store, out = tmp_path / "store", tmp_path / "inferred.ttl"
    shutil.copytree(stores["lab308"], store)
    result = run("--store", store, "ontology", "check", "--out", out)
    assert result.exit_code == 0, result.output
    assert "Nothing contradicts itself." in result.output
    found = rdflib.Graph().parse(out)
    assert (None, rdflib.RDF.type, rdflib.URIRef(expand("hg:LightSource"))) in found
    assert (rdflib.URIRef(expand("hg:Kettle")), rdflib.RDFS.subClassOf, rdflib.URIRef(expand("hg:HeatSource"))) in found


@pytest.mark.java
@needs_java
def test_a_contradiction_is_named_and_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "lamp.ttl").write_text(LAMP, encoding="utf-8")
    result = run("ontology", "check", tmp_path / "lamp.ttl")
    assert result.exit_code == 1
    assert "Contradiction: “lamp” (http://x.example/lamp)" in result.output
    assert "nothing is both a light and a lock" in result.output


def test_without_java_the_status_is_3_and_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    result = run("--store", tmp_path / "store", "ontology", "check")
    assert result.exit_code == 3
    assert "needs Java" in result.output
    assert "apt-get install" in result.output


def test_a_file_that_is_refused_ends_with_1_and_its_reason(tmp_path: Path) -> None:
    (tmp_path / "broken.ttl").write_text("<a> <b>", encoding="utf-8")
    result = run("ontology", "check", tmp_path / "broken.ttl")
    assert result.exit_code == 1
    assert "broken.ttl" in result.output


@pytest.mark.java
@needs_java
def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    result = run("--store", tmp_path / "store", "ontology", "check", "--out", tmp_path / "no" / "file.ttl")
    assert result.exit_code == 1
    assert "cannot be written" in result.output
