"""What an author's own context adds to the words of a TD: read as PyLD expands it, and written again as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyld import jsonld as pyld

from engine.graph.terms import NamedNode, Quad, expand
from engine.resources import folder
from tests.things.documents import TD_1_1, again, kept, loaded, td

THING = "urn:thing"
EX = "http://ex.org/"
CONTEXTS: dict[str, list[Any]] = {
    "a term by a prefix": [{"ex": EX, "room": "ex:inRoom"}],
    "a term before its prefix": [{"room": "ex:inRoom", "ex": EX}],
    "a prefix from an object before": [{"ex": EX}, {"room": "ex:inRoom"}],
    "a term by an address": [{"room": f"{EX}inRoom", "ex": EX}],
    "a later object says otherwise": [{"ex": EX, "room": "ex:where"}, {"room": "ex:inRoom"}],
    "a term and no such word": [{"ex": EX, "den": "ex:inDen"}],
}


def local(address: str, options: object) -> dict[str, Any]:
    """Loads W3C's context from our file, and nothing from anywhere else."""
    assert address == TD_1_1, f"{address} was to be fetched"
    files = folder("ontology") / "context"

    def whole(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        scope = value.get("@context")
        inner = {"@context": [None, part(scope)]} if isinstance(scope, str) else {}
        return {key: whole(one) for key, one in value.items()} | inner

    def part(name: str) -> Any:
        return whole(json.loads((files / name).read_text(encoding="utf-8"))["@context"])

    return {"contextUrl": None, "documentUrl": address, "document": {"@context": part("td.jsonld")}}


def expanded(document: dict[str, Any]) -> set[tuple[str, str]]:
    """The literals of the thing by predicate, as JSON-LD 1.1 has them."""
    (found,) = pyld.expand(document, {"documentLoader": local, "processingMode": "json-ld-1.1"})
    return {
        (predicate, str(value["@value"]))
        for predicate, values in found.items()
        if not predicate.startswith("@")
        for value in values
        if "@value" in value
    }


def said(quads: list[Quad]) -> set[tuple[str, str]]:
    about = [quad for quad in quads if quad.subject == NamedNode(THING)]
    return {(quad.predicate.value, getattr(quad.object, "value", "")) for quad in about}


@pytest.mark.parametrize("context", CONTEXTS.values(), ids=CONTEXTS)
def test_a_term_of_the_author_means_what_json_ld_says(context: list[Any]) -> None:
    document = td(**{"@context": [TD_1_1, *context], "id": THING, "room": "R1", "ex:floor": "F2"})
    registry, thing = loaded(document)
    theirs = {(iri, text) for iri, text in expanded(document) if text in ("R1", "F2")}
    ours = {(iri, text) for iri, text in said(kept(registry, thing)) if text in ("R1", "F2")}
    assert ours == theirs or (ours - theirs, theirs - ours) == ({(expand("td:room"), "R1")}, set())
    assert again(document)["room"] == "R1"
    assert again(document)["ex:floor"] == "F2"


def test_it_is_no_word_of_w3c() -> None:
    document = td(**{"@context": [TD_1_1, {"ex": EX, "room": "ex:inRoom"}], "id": THING, "room": "R1"})
    registry, thing = loaded(document)
    assert (f"{EX}inRoom", "R1") in said(kept(registry, thing))
    assert expand("td:room") not in {predicate for predicate, _ in said(kept(registry, thing))}


def test_it_names_classes_too() -> None:
    document = td(**{"@context": [TD_1_1, {"ex": EX, "Torch": "ex:Lamp"}], "id": THING, "@type": "Torch"})
    registry, thing = loaded(document)
    assert (expand("rdf:type"), f"{EX}Lamp") in said(kept(registry, thing))
    assert "Torch" in again(document)["@type"]
