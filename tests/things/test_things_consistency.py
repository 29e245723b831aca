"""HermiT finds what contradicts itself, and infers of every home the same classes as the rules at run time."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import ReasonerError
from engine.graph import reasoning_owl
from engine.graph.terms import INFERRED, RDF_TYPE, NamedNode, expand, node
from engine.resources import folder
from engine.things.ontology import consistency
from engine.things.ontology.contradictions import minimal
from engine.things.registry import Registry
from tests.homes import a_home
from tests.things.descriptions import HOME, admit, open_registry

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="no Java, which HermiT needs (make java)")
HOMES = sorted(Path(__file__).parents[1].glob("acceptance/homes/*.ttl")) + [
    folder("data") / name for name in ("house.ttl", "lab308.ttl", "home17.ttl")
]
STRUCTURE = (expand("td:"), expand("hmas:"))
"""What the documents say by their links: that something is an affordance, or a workspace."""

# Things that say what cannot be, and what is said of them.
IMPOSSIBLE = {
    "two jobs": (
        '<x> a td:Thing, hg:DeskLamp, hg:Safe ; td:title "lamp" .',
        {"“lamp” is a desk lamp", "every safe is a lock", "nothing is both a light and a lock"},
    ),
    "a device and a place": (
        '<x> a td:Thing, hg:Fan, hg:Kitchen ; td:title "cook" .',
        {"nothing is both a device and a place"},
    ),
    "a property and an action": (
        '<x> a td:Thing, hg:Fan ; td:title "fan" ; td:hasPropertyAffordance [ td:name "p" ; a hg:Power, hg:TurnOn ] .',
        {"nothing is both an action affordance and a property affordance"},
    ),
}  # fmt: skip
QUIET = """
    <Quiet> a hg:DeviceClass, owl:Class ; rdfs:subClassOf hg:Device ; skos:prefLabel "quiet device"@en ;
        owl:disjointWith [ a owl:Restriction ; owl:onProperty hg:offers ; owl:someValuesFrom hg:Volume ] .
    <Odd> a hg:DeviceClass, owl:Class ; rdfs:subClassOf hg:Light, hg:Lock ; skos:prefLabel "odd device"@en .
    <x> a td:Thing, hg:Fan, <Quiet> ; td:title "fan" ; td:hasPropertyAffordance [ td:name "loud" ; a hg:Volume ] .
    <fine> a td:Thing, hg:Light ; td:title "fine" .
"""


def rules_say(registry: Registry) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for quad in registry.store.graph(INFERRED):
        if quad.predicate == RDF_TYPE:
            found.setdefault(quad.subject.value, set()).add(quad.object.value)  # type: ignore[union-attr]
    return found


def hermit_says(registry: Registry) -> dict[str, set[str]]:
    terminology = registry.store.construct("reasoning/terminology")
    found = reasoning_owl.classify(terminology, list(consistency.asserted(registry)))
    assert found is not None, "contradictory"
    assert found.impossible == ()
    return {iri: {cls for cls in classes if not cls.startswith(STRUCTURE)} for iri, classes in found.types.items()}


@pytest.mark.java
@needs_java
@pytest.mark.parametrize("home", HOMES, ids=lambda path: path.stem)
def test_the_rules_infer_the_classes_that_hermit_infers(home: Path) -> None:
    registry = open_registry()
    with a_home(home) as opened:
        registry = opened.registry
        rules, hermit = rules_say(registry), hermit_says(registry)
        assert len(rules) >= 5
        assert {iri: found ^ hermit.get(iri, set()) for iri, found in rules.items() if found != hermit.get(iri)} == {}


@pytest.mark.java
@needs_java
def test_what_contradicts_itself_is_named_in_plain_words_and_the_rest_is_classified() -> None:
    for case, (text, said) in IMPOSSIBLE.items():
        registry = open_registry()
        admit(registry, text + '<fine> a td:Thing, hg:Light ; td:title "fine" .')
        report = consistency.check(registry)
        (contradiction,) = report.contradictions
        assert contradiction.individuals[0].startswith(f"{HOME}x"), case
        assert said <= set(contradiction.statements), contradiction
        fine = {t.object for t in report.inferred if t.subject == NamedNode(f"{HOME}fine")}
        assert node("hg:LightSource") in fine


@pytest.mark.java
@pytest.mark.slow
@needs_java
def test_a_contradiction_that_no_query_knows_is_narrowed_down_to_a_few_statements() -> None:
    registry = open_registry()
    admit(registry, "@prefix owl: <http://www.w3.org/2002/07/owl#> . " + QUIET)
    fan, odd = consistency.check(registry).contradictions
    assert set(fan.individuals) == {f"{HOME}x", f"{HOME}x#properties/loud"}
    assert "“fan” is a quiet device" in fan.statements
    assert len(fan.statements) <= 6
    assert odd.individuals == (f"{HOME}Odd",)
    assert {"every odd device is a light", "every odd device is a lock"} <= set(odd.statements)


@pytest.mark.java
@needs_java
def test_the_ontology_alone_is_without_contradiction_and_every_class_is_possible() -> None:
    report = consistency.check(open_registry())
    assert report.contradictions == ()
    assert report.unread == ()
    heater = {t.object for t in report.inferred if t.subject == node("hg:Radiator")}
    assert node("hg:HeatSource") in heater


def test_without_java_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ReasonerError, match="apt-get install default-jre-headless") as caught:
        consistency.check(open_registry())
    assert caught.value.reason == "no_reasoner"


@needs_java
def test_without_owlready2_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "owlready2", None)
    with pytest.raises(ReasonerError, match=r"hearthgraph\[reasoning\]"):
        consistency.check(open_registry())


@given(st.sets(st.integers(0, 30), min_size=1, max_size=4), st.integers(31, 40))
@settings(deadline=None)
def test_a_smallest_part_is_found_with_few_questions(culprits: set[int], count: int) -> None:
    asked = 0

    def contradict(items: list[int]) -> bool:
        nonlocal asked
        asked += 1
        return culprits <= set(items)

    assert set(minimal(list(range(count)), contradict)) == culprits
    assert asked <= 2 * len(culprits) * 7 + 2
