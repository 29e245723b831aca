"""A name that is a word of the language is told on loading, and loses against the word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from engine.things.reserved import is_reserved, reserved
from tests.homes import a_home, a_store

NAMES = ("not mine", "everything", "yes", "reading lamp")
HOME = """
@prefix td: <https://www.w3.org/2019/wot/td#> . @prefix hg: <https://w3id.org/hearthgraph#> .
@prefix js: <https://www.w3.org/2019/wot/json-schema#> . @prefix bot: <https://w3id.org/bot#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<urn:room:1> a hg:Room ; rdfs:label "when"@en ; bot:containsElement <urn:thing:0>, <urn:thing:3> .
<urn:room:2> a hg:Kitchen ; rdfs:label "kitchen"@en ; bot:containsElement <urn:thing:1>, <urn:thing:2> .
"""
LAMP = """
<urn:thing:{0}> a td:Thing, hg:Light ; td:title "{1}"@en ;
  td:hasPropertyAffordance [ a hg:Power, js:StringSchema ; js:enum "on", "off" ; td:name "state" ; hg:value "off" ] ;
  td:hasActionAffordance [ a hg:TurnOn ; td:name "turn_on" ], [ a hg:TurnOff ; td:name "turn_off" ] .
"""


@pytest.fixture
def odd(tmp_path: Path) -> Iterator[Hearthgraph]:
    (tmp_path / "odd.ttl").write_text(HOME + "".join(LAMP.format(n, name) for n, name in enumerate(NAMES)))
    with Hearthgraph.open(None) as home:
        home.load([tmp_path / "odd.ttl"])
        yield home


def on(home: Hearthgraph) -> set[str]:
    return {home.registry.thing_of[iri].title or "" for iri, value in home.state.items() if value == "on"}


def test_it_is_told_when_it_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "odd.ttl").write_text(HOME + "".join(LAMP.format(n, name) for n, name in enumerate(NAMES)))
    with Hearthgraph.open(None) as home:
        (report,) = home.load([tmp_path / "odd.ttl"])
    told = [warning for warning in report.warnings if "words that sentences need" in warning]
    assert {name for name in ("not mine", "everything", "yes", "when") if any(f"'{name}'" in one for one in told)} == {
        "not mine",
        "everything",
        "yes",
        "when",
    }
    assert len(told) == 4


def test_everything_is_everything(odd: Hearthgraph) -> None:
    assert odd.ask("turn on everything", consent=True).status is Status.DONE
    assert on(odd) == set(NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "turn on yes",
        "turn on not mine",
        "turn on the lights that are not mine",
        "turn on when",
        "turn on the when",
    ],
)
def test_a_word_does_nothing_for_being_a_name(odd: Hearthgraph, text: str) -> None:
    odd.ask(text, consent=True)
    assert on(odd) == set()


def test_when_begins_a_condition(odd: Hearthgraph) -> None:
    outcome = odd.ask("turn on the reading lamp when it is 10 pm", consent=True)
    assert outcome.status is Status.SCHEDULED
    assert on(odd) == set()


@pytest.mark.parametrize("name", ["everything", "it", "Not mine"])
def test_such_a_name_is_not_given(odd: Hearthgraph, name: str) -> None:
    outcome = odd.ask(f"call the reading lamp {name}", consent=True)
    assert outcome.status is not Status.DONE
    assert odd.registry.things["urn:thing:3"].aliases == ()


@pytest.mark.parametrize("name", ["reading lamp", "Gerald", "the reading lamp", "study", "Spot", "Max", "water"])
def test_other_names_are_heard(name: str) -> None:
    assert not is_reserved(name, reserved(a_store()))


def test_no_name_of_the_homes_that_are_shipped_is_lost() -> None:
    for file in ("house.ttl", "lab308.ttl"):
        with a_home(file) as home:
            taken = reserved(home.store)
            names = [n for t in home.registry.things.values() for n in (t.title, *t.aliases) if n]
            names += [n for p in home.registry.places.values() for n in (p.name, *p.aliases)]
            assert [name for name in names if is_reserved(name, taken)] == []
