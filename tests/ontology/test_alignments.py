"""Those who know SAREF, SOSA or BOT, and nothing of ours, find the things of a home by SPARQL in their terms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import QuerySolutions, QueryTriples

from engine.graph.terms import NAMESPACES, NamedNode, node
from engine.hearthgraph import Hearthgraph
from engine.resources import folder
from tests.homes import a_home

PREFIXES = "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in NAMESPACES.items() if prefix != "hg")


@pytest.fixture(scope="module")
def house() -> Iterator[Hearthgraph]:
    with a_home() as home:
        yield home


def titles(home: Hearthgraph, where: str) -> set[str]:
    """The titles of the ?x of a pattern, asked as `hearthgraph query` asks."""
    found = home.store.query_text(f"{PREFIXES} SELECT DISTINCT ?title WHERE {{ {where} ?x td:title ?title }}")
    assert isinstance(found, QuerySolutions)
    return {row["title"].value for row in found}


# What they ask, and some of what they must and must not find.
QUESTIONS = (
    ("?x a saref:Device .", {"oven", "hallway light"}, set()),
    ("?x a saref:Sensor .", {"living room climate sensor"}, {"hallway light", "oven"}),
    ("?x a saref:Actuator .", {"hallway light", "front door lock"}, {"living room climate sensor"}),
    ("?x a saref:HVAC .", {"study heater"}, {"oven"}),
    ("?x a saref:Appliance .", {"oven", "dishwasher"}, {"hallway light"}),
    ("?x saref:measuresProperty ?p . ?p a saref:Temperature .", {"living room climate sensor"}, {"hallway light"}),
    ("?x saref:controlsProperty ?p . ?p a saref:Temperature .", {"study heater"}, {"hallway light"}),
    ("?x saref:controlsProperty ?p . ?p a saref:Light .", {"hallway light"}, {"study heater"}),
    ("?x td:hasActionAffordance ?c . ?c a saref:OpenCommand .", {"garage door"}, {"hallway light"}),
    ("?x saref:consistsOf ?part . ?part a saref:Actuator .", {"bedroom fan light"}, {"hallway light"}),
    ("?x ssn:hasSubSystem ?part .", {"bedroom fan light"}, {"oven"}),
    ("?x a sosa:Sensor ; sosa:observes ?p .", {"living room climate sensor"}, {"garage light"}),
    ("?x sosa:observes ?p . ?p a sosa:ObservableProperty, saref:Humidity .", {"living room climate sensor"}, {"oven"}),
    ("?x a sosa:Actuator .", {"hallway light"}, {"living room climate sensor"}),
    ("?s a bot:Space ; bot:containsElement ?x ; rdfs:label 'kitchen'@en .", {"oven"}, {"hallway light"}),
    ("?storey a bot:Storey ; bot:containsZone ?z . ?z bot:containsElement ?x .", {"oven", "ceiling light"}, set()),
    ("?home a bot:Building ; bot:containsZone ?z . ?z a bot:Space ; bot:containsElement ?x .", {"oven"}, set()),
    ("?x a bot:Element .", {"oven"}, set()),
)  # fmt: skip


@pytest.mark.parametrize(("where", "found", "missed"), QUESTIONS, ids=[where for where, _, _ in QUESTIONS])
def test_things_are_found_in_the_terms_of_others(
    house: Hearthgraph, where: str, found: set[str], missed: set[str]
) -> None:
    answered = titles(house, where)
    assert found <= answered
    assert not missed & answered


def test_a_value_is_read_beside_the_property_that_is_observed(house: Hearthgraph) -> None:
    text = "SELECT ?v WHERE { ?s sosa:observes ?p . ?p a saref:Temperature ; <https://w3id.org/hearthgraph#value> ?v }"
    found = house.store.query_text(PREFIXES + text)
    assert isinstance(found, QuerySolutions)
    assert {row["v"].value for row in found}


def test_the_state_can_be_had_as_observations(house: Hearthgraph) -> None:
    found = house.store.query_text(Path(folder("queries") / "alignments" / "observations.rq").read_text("utf-8"))
    assert isinstance(found, QueryTriples)
    triples = list(found)
    results = [t for t in triples if t.predicate == node("sosa:hasSimpleResult")]
    assert len(results) == len(house.state)
    assert {t.predicate for t in triples} >= {node("sosa:madeBySensor"), node("saref:hasTimestamp")}


def test_nothing_of_it_stays_when_a_thing_goes(house: Hearthgraph) -> None:
    with a_home() as home:
        oven = next(iri for iri, thing in home.registry.things.items() if thing.title == "oven")
        home.registry.remove(oven)
        left = [
            q for name in home.store.graphs() for q in home.store.graph(name) if oven in (str(q.object), str(q.subject))
        ]
        assert [q for q in left if q.object == NamedNode(oven)] == []
        assert "oven" not in titles(home, "?x a bot:Element .")
