"""What no engine likes to hear gets a clear answer, soon, and changes nothing that was not asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.errors import HearthgraphError, InputError
from engine.hearthgraph import Hearthgraph
from tests.homes import a_home

HERE = Path(__file__).resolve().parent
FLAT = HERE / "homes" / "flat.ttl"
CASES = [json.loads(line) for line in (HERE / "bad_input.jsonl").read_text(encoding="utf-8").splitlines()]

TWINS = """
@prefix hg: <https://w3id.org/hearthgraph#> .
@prefix td: <https://www.w3.org/2019/wot/td#> .
@prefix js: <https://www.w3.org/2019/wot/json-schema#> .
@prefix hctl: <https://www.w3.org/2019/wot/hypermedia#> .
@prefix hmas: <https://purl.org/hmas/> .
@prefix wotsec: <https://www.w3.org/2019/wot/security#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@base <https://twins.example/> .
<den> a hg:Study, hmas:Workspace ; rdfs:label "den"@en .
"""
TWIN = """
<things/{name}> a td:Thing, hg:Light ; td:title "Globe"@en ; hmas:isContainedIn <den> ;
    td:definesSecurityScheme [ a wotsec:NoSecurityScheme ] ; td:hasSecurityConfiguration "nosec_sc" ;
    td:hasPropertyAffordance <things/{name}#properties/power> .
<things/{name}#properties/power> a td:PropertyAffordance, js:BooleanSchema, hg:Power ; td:name "power" ;
    td:hasForm [ hctl:hasTarget "things/{name}/properties/power"^^xsd:anyURI ;
        hctl:hasOperationType td:readProperty, td:writeProperty ] ;
    hg:value false .
"""


def key(iri: str) -> str:
    document, _, fragment = iri.partition("#")
    return f"{document.rpartition('/')[2]}#{fragment.removeprefix('properties/')}"


@pytest.fixture
def home() -> Iterator[Any]:
    with Hearthgraph.open(None) as home:
        yield home


@pytest.fixture
def flat() -> Iterator[Any]:
    with a_home(FLAT) as home:
        yield home


def answer(home: Any, text: str) -> tuple[str, str, dict[str, Any]]:
    """Status, words and changes, readings of sensors aside; a text that is refused unread counts as refused."""
    try:
        outcome = home.ask(text, consent=True)
    except InputError as error:
        return "refused", str(error), {}
    changes = {key(change.property): change.after for change in outcome.changes if "sensor" not in change.property}
    return outcome.status.value, outcome.reply, changes


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_it_gets_a_clear_answer_and_changes_nothing_else(flat: Any, case: dict[str, Any]) -> None:
    expect = case["expect"]
    status, reply, changes = answer(flat, case["text"] * case.get("times", 1))
    assert status in expect["status"], reply
    assert reply.strip(), "there is an answer in words"
    assert "Traceback" not in reply
    assert len(reply) < 2000, "an answer is short, whatever was asked"
    wanted = expect.get("changes", {})
    assert wanted.items() <= changes.items()
    assert changes.items() <= (wanted | expect.get("may", {})).items()
    again = flat.ask("switch the hall light on", consent=True)
    assert again.status.value == "done", "the home is as well as before"


def test_two_things_of_one_name_are_asked_about(home: Any, tmp_path: Path) -> None:
    (tmp_path / "twins.ttl").write_text(TWINS + TWIN.format(name="a") + TWIN.format(name="b"), encoding="utf-8")
    home.load([tmp_path / "twins.ttl"])
    outcome = home.ask("turn the globe on", consent=True)
    assert outcome.status.value == "clarify"
    assert outcome.question
    assert not outcome.changes


def test_a_file_that_does_not_parse_is_refused_with_its_line_and_changes_nothing(home: Any, tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttl"
    broken.write_text(TWINS + TWIN.format(name="a") + "<things/b> a td:Thing ;; oops", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        home.load([broken])
    assert "broken.ttl" in str(caught.value)
    assert home.ask("turn the globe on", consent=True).status.value in ("refused", "clarify")


def test_a_file_that_is_not_there_is_said_to_be_missing(home: Any, tmp_path: Path) -> None:
    with pytest.raises(HearthgraphError, match=r"nowhere\.ttl"):
        home.load([tmp_path / "nowhere.ttl"])


def test_a_home_without_things_says_that_it_has_none_of_them(home: Any) -> None:
    outcome = home.ask("turn on the kitchen light", consent=True)
    assert outcome.status.value == "refused"
    assert outcome.intents[0].reason in ("no_such_room", "no_such_device")
