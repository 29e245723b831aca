"""Signifiers as records, as RDF and in memory: nothing is lost, nothing piles up, nothing spoilt comes in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InputError
from engine.experience.context import Checker
from engine.graph.knowledge import turtle
from engine.graph.shacl.door import Door
from engine.graph.terms import ONTOLOGY, SIGNIFIERS, NamedNode, Quad, expand, graph, literal
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome
from engine.model.signifier import OPERATORS, Signifier, StateCondition, Wanted, from_json, to_json
from engine.model.signifier_rdf import quads, read, shape_triples
from tests.homes import a_home

LAB = "http://localhost:8080/workspaces/lab308/artifacts/"
RECORD: dict[str, Any] = {
    "signifier_id": "exec-a1b2c3",
    "intent": {
        "action": "set",
        "artifact": "light308",
        "parameter": "on_off",
        "value": True,
        "intent_text": "turn on the light",
    },
    "intent_type": "IMPLICIT",
    "affordance_uri": f"{LAB}light308/turn_on",
    "action_name": "turn_on",
    "payload_hint": {},
    "workspace_id": "http://localhost:8080/workspaces/lab308",
    "was_successful": True,
    "source": "bt_execution",
    "structured_conditions": [
        {
            "artifact": f"{LAB}light308",
            "property_affordance": "on_off",
            "value_conditions": [{"operator": "equals", "value": False}],
        },
        {
            "artifact": f"{LAB}light308",
            "property_affordance": "brightness",
            "value_conditions": [{"operator": "equals", "value": 40}],
        },
    ],
}

texts = st.text(min_size=1, max_size=12)
values = st.one_of(st.booleans(), st.integers(-1000, 1000), st.floats(-1e6, 1e6), texts)
numbers = st.one_of(st.integers(-1000, 1000), st.floats(-1e6, 1e6))
conditions = st.builds(
    StateCondition,
    texts,
    st.sampled_from(["on_off", "urn:p:1", "http://h.example/p"]),
    st.sampled_from(OPERATORS),
    values,
)
signifiers = st.builds(
    Signifier,
    iri=st.sampled_from(["exec-1", "urn:uuid:1"]),
    text=texts,
    affordance=st.just("http://h.example/a"),
    artifact=st.none() | texts,
    value=st.none() | values,
    implicit=st.booleans(),
    payload=st.none() | st.dictionaries(texts, values, max_size=2),
    conditions=st.lists(conditions, max_size=4).map(tuple),
    wanted=st.none()
    | st.builds(Wanted, variable=st.none() | st.just(expand("hg:Illuminance")), direction=st.integers(-1, 1)),
    successes=st.integers(0, 9),
)


@pytest.fixture
def lab() -> Iterator[Hearthgraph]:
    with a_home("lab308.ttl", now="2026-03-02T10:00:00+00:00") as home:
        yield home


def darken(home: Hearthgraph) -> None:
    names = {"light308#properties/on_off": "off", "light308#properties/brightness": 0}
    names |= {"blinds308#properties/closedPercentage": 100, "lightSensor308#properties/luminosity": 80}
    home.state.write({LAB + name: value for name, value in names.items()})


def path(outcome: Outcome) -> str | None:
    return outcome.plan.path if outcome.plan is not None else None


def test_the_record_of_the_paper_comes_back_as_it_was() -> None:
    assert to_json(from_json(RECORD)) == RECORD


def test_a_record_that_leaves_out_or_adds_something_comes_back_as_it_was() -> None:
    record = {**{k: v for k, v in RECORD.items() if k != "source"}, "confidence": 0.5}
    assert to_json(from_json(record)) == record


@settings(max_examples=100)
@given(signifiers)
def test_nothing_is_lost_through_json_and_rdf(signifier: Signifier) -> None:
    again = from_json(json.loads(json.dumps(to_json(signifier))))
    assert again == signifier
    assert read(quads(signifier, SIGNIFIERS)) == [signifier]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(OPERATORS), values, numbers, st.none() | values, st.none() | numbers)
def test_a_compiled_condition_holds_where_pyshacl_says_so(
    operator: str, value: Any, bound: Any, other: Any, number: Any
) -> None:
    same = operator in ("equals", "notEquals")
    wanted, present = (value, other) if same else (bound, number)
    prop, shape, where = "urn:p:1", NamedNode("urn:shape"), graph("test")
    condition = StateCondition("", prop, operator, wanted)
    shapes = [Quad(s, p, o, where) for s, p, o in shape_triples(condition, shape)]
    data = [Quad(NamedNode(prop), NamedNode(expand("rdf:type")), NamedNode(expand("td:PropertyAffordance")), where)]
    if present is not None:
        data.append(Quad(NamedNode(prop), NamedNode(expand("hg:value")), literal(present), where))
    expected = not Door(shapes).check(data)
    assert Checker({} if present is None else {prop: present}, {}).holds([condition]) == expected


def test_our_signifiers_and_those_of_agents_have_one_shape(lab: Hearthgraph) -> None:
    darken(lab)
    lab.ask("it's too dark in here", consent=True)
    shapes = list(lab.store.graph(ONTOLOGY))
    names = [f"https://w3id.org/hearthgraph/shapes/signifier#{name}" for name in SHAPES]
    assert Door(shapes).check(lab.store.graph(SIGNIFIERS), shapes=names) == ()


SHAPES = ("Signifier", "Own", "Context", "Affordance", "Form")
FOREIGN = """
@prefix hmas: <https://purl.org/hmas/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix td: <https://www.w3.org/2019/wot/td#> . @prefix hctl: <https://www.w3.org/2019/wot/hypermedia#> .
@prefix htv: <http://www.w3.org/2011/http#> . @prefix js: <https://www.w3.org/2019/wot/json-schema#> .
<urn:sig> a hmas:Signifier ; rdfs:label "crane_lift" ;
    hmas:recommendsContext [ rdfs:comment "Lift the load; the body is the height in metres." ] ;
    hmas:signifies [ td:hasForm [ htv:methodName "POST" ; hctl:forContentType "text/plain" ;
        hctl:hasTarget <http://crane.example/lift> ] ; td:hasInputSchema [ a js:StringSchema ] ] .
"""


@pytest.mark.parametrize(
    ("left_out", "conforms"),
    [("", True), ('htv:methodName "POST" ;', False), ("rdfs:comment", False), ('rdfs:label "crane_lift" ;', False)],
)
def test_the_shape_serves_signifiers_of_agents_too(lab: Hearthgraph, left_out: str, conforms: bool) -> None:
    text = FOREIGN.replace(left_out, "rdfs:seeAlso" if left_out == "rdfs:comment" else "") if left_out else FOREIGN
    names = [f"https://w3id.org/hearthgraph/shapes/signifier#{name}" for name in SHAPES]
    found = Door(lab.store.graph(ONTOLOGY)).check(turtle(text.encode(), "foreign", SIGNIFIERS), shapes=names)
    assert (found == ()) is conforms


def test_one_is_learnt_for_each_action_and_used_again_counts_up(lab: Hearthgraph) -> None:
    darken(lab)
    first = lab.ask("it's too dark in here", consent=True)
    learnt = lab.assistant.experience.all()
    assert len(learnt) == sum(a.outcome == "done" for a in first.actions) > 0
    darken(lab)
    second = lab.ask("it's too dark in here", consent=True)
    assert (path(first), path(second)) == ("template", "signifier")
    again = lab.assistant.experience.all()
    assert len(again) == len(learnt)
    assert {one.successes for one in again} == {2}


def test_a_context_that_does_not_hold_any_more_excludes_its_signifier(lab: Hearthgraph) -> None:
    darken(lab)
    lab.ask("it's too dark in here", consent=True)
    darken(lab)
    lab.set_now(datetime.fromisoformat("2026-03-02T22:00:00+00:00"))  # the blinds are of no use now
    outcome = lab.ask("it's too dark in here", consent=True)
    assert path(outcome) == "template"
    assert not any("blinds" in change.property for change in outcome.changes)


def test_on_is_never_off_and_a_light_never_a_blind(lab: Hearthgraph) -> None:
    lab.ask("turn on the light", consent=True)
    assert path(lab.ask("turn off the light", consent=True)) == "template"
    assert path(lab.ask("open the blinds", consent=True)) == "template"
    assert path(lab.ask("turn on the light", consent=True)) == "signifier"


def test_the_value_is_that_of_the_request(lab: Hearthgraph) -> None:
    lab.ask("set brightness to 80", consent=True)
    outcome = lab.ask("set brightness to 30", consent=True)
    assert path(outcome) == "signifier"
    assert lab.state[f"{LAB}light308#properties/brightness"] == 30


def test_a_deleted_device_never_comes_back_through_experience(lab: Hearthgraph) -> None:
    darken(lab)
    lab.ask("it's too dark in here", consent=True)
    darken(lab)
    light = next(iri for iri in lab.registry.things if iri.endswith("light308"))
    lab.registry.remove(light)
    lab.state.refresh()
    outcome = lab.ask("it's too dark in here", consent=True)
    assert not any("light308" in action.affordance for action in outcome.actions)
    assert lab.ask("turn on the light", consent=True).actions == ()


def test_what_is_exported_comes_in_again(lab: Hearthgraph, tmp_path: Path) -> None:
    darken(lab)
    lab.ask("it's too dark in here", consent=True)
    memory, file = lab.assistant.experience, tmp_path / "experience.json"
    before = sorted(memory.all(), key=lambda one: one.iri)
    assert memory.export(file) == len(before)
    assert memory.forget() == len(before)
    assert memory.all() == ()
    memory.take_in(file)
    assert sorted(memory.all(), key=lambda one: one.iri) == before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda records: "{" + json.dumps(records),
        lambda records: json.dumps([*records, {"intent": {}}]),
        lambda records: json.dumps([*records, {**RECORD, "intent_type": "MAYBE"}]),
        lambda records: json.dumps([*records, {**RECORD, "structured_conditions": [{"artifact": 1}]}]),
        lambda records: json.dumps([*records, 7]),
    ],
)
def test_a_corrupted_file_is_refused_whole(lab: Hearthgraph, tmp_path: Path, spoil: Any) -> None:
    file = tmp_path / "experience.json"
    file.write_text(spoil([RECORD]))
    with pytest.raises(InputError):
        lab.assistant.experience.take_in(file)
    assert lab.assistant.experience.all() == ()


def test_the_signifiers_of_peers_are_hints_and_are_not_carried_out(lab: Hearthgraph, tmp_path: Path) -> None:
    file = tmp_path / "peer.json"
    file.write_text(json.dumps([RECORD]))
    memory = lab.assistant.experience
    assert memory.take_in(file, "home17") == 1
    assert memory.all() == ()
    assert [one.iri for one in memory.of_peers()] == ["exec-a1b2c3"]
    assert path(lab.ask("turn on the light", consent=True)) == "template"
