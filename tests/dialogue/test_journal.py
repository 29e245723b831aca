"""What was asked, understood, planned, done and changed stands in the graph, and can be asked for by one query."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import settings
from engine.dialogue.assistant import Consent
from engine.dialogue.requests import journal
from engine.environment.retrieval import candidates
from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from engine.graph.terms import REQUESTS, NamedNode, Term, node, python
from engine.hearthgraph import Hearthgraph
from engine.model.intent import Intent
from engine.model.outcome import IntentOutcome, Outcome, Status
from engine.model.plan import Plan
from engine.resources import folder
from tests.dialogue.talks import BEGAN, Talk, nodes
from tests.homes import a_home

DAY = BEGAN.replace(hour=0)


def objects(store: GraphStore, subject: str, predicate: str) -> list[Any]:
    """What the journal says of a subject."""
    quads = store.graph(REQUESTS)
    return [python(q.object) for q in quads if q.subject == NamedNode(subject) and q.predicate == node(predicate)]  # type: ignore[arg-type]


def subjects(store: GraphStore, predicate: str, value: str) -> list[str]:
    quads = store.graph(REQUESTS)
    return [q.subject.value for q in quads if q.predicate == node(predicate) and q.object == NamedNode(value)]  # type: ignore[union-attr]


def test_one_query_tells_what_was_asked_today_and_what_changed_because_of_it(new_house: Talk) -> None:
    engine = new_house.engine
    engine.set_now(BEGAN - timedelta(days=1))
    new_house.ask("turn on the garage light")
    engine.set_now(BEGAN)
    new_house.ask("set the floor lamp to 30 percent")
    new_house.ask("turn on the pantry fan")
    new_house.ask("is the front door locked?")
    new_house.ask("turn on the pantry light", consent=Consent.ASK)
    found = journal.latest(engine.store, since=DAY, before=DAY + timedelta(days=1))[::-1]
    assert [(e.text, e.status) for e in found] == [
        ("set the floor lamp to 30 percent", "done"),
        ("turn on the pantry fan", "refused"),
        ("is the front door locked?", "answered"),
        ("turn on the pantry light", "proposed"),
    ]
    lamp = (new_house.prop("floor-lamp#brightness"), 40, 30), (new_house.prop("floor-lamp#state"), "off", "on")
    assert [e.changes for e in found] == [lamp, (), (), ()]
    assert found[0].at == BEGAN


def test_the_query_is_plain_sparql_that_people_can_run(new_house: Talk) -> None:
    new_house.ask("turn on the pantry light")
    text = (folder("queries") / "dialogue" / "latest.rq").read_text(encoding="utf-8")
    rows = [[None if term is None else term.value for term in row] for row in new_house.engine.store.query_text(text)]  # type: ignore[union-attr]
    assert [row[2:] for row in rows] == [
        ["turn on the pantry light", "done", None, None, None, new_house.prop("pantry-light#state"), "off", "on"]
    ]


def test_a_request_and_all_that_came_of_it_is_provenance(new_house: Talk) -> None:
    outcome = new_house.ask("set the floor lamp to 30 percent", user="Ada")
    store, request = new_house.engine.store, outcome.request
    assert outcome.plan is not None
    assert "http://www.w3.org/ns/prov#Entity" in objects(store, request, "rdf:type")
    assert objects(store, request, "hg:user") == ["Ada"]
    assert [datetime.fromisoformat(t) for t in objects(store, request, "prov:generatedAtTime")] == [BEGAN]
    (intent,) = objects(store, request, "hg:intent")
    assert objects(store, intent, "prov:wasDerivedFrom") == [request]
    assert objects(store, intent, "hg:text") == ["set the floor lamp to 30 percent"]
    assert objects(store, outcome.plan.iri, "prov:wasDerivedFrom") == [request]
    assert objects(store, outcome.plan.iri, "hg:tree") == [outcome.plan.tree]
    (run,) = subjects(store, "prov:used", outcome.plan.iri)
    assert "http://www.w3.org/ns/prov#Activity" in objects(store, run, "rdf:type")
    assert [datetime.fromisoformat(t) for t in objects(store, run, "prov:startedAtTime")] == [BEGAN]
    (action,) = subjects(store, "prov:wasInformedBy", run)
    assert objects(store, action, "hg:ofAffordance") == [new_house.action("floor-lamp#set_brightness")]
    assert objects(store, action, "hg:payload") == [{"brightness": 30}]
    assert objects(store, action, "hg:forIntent") == [intent]
    changed = subjects(store, "prov:wasGeneratedBy", run)
    assert {p for c in changed for p in objects(store, c, "hg:ofProperty")} == {c.property for c in outcome.changes}


def test_each_word_of_the_journal_is_declared_in_the_ontology(new_house: Talk) -> None:
    new_house.ask("turn the study heater on for ten minutes and turn on the pantry fan", user="Ada")
    new_house.ask("what is the volume of the television?")
    store, ours = new_house.engine.store, node("hg:x").value[:-1]
    used = {q.predicate for q in store.graph(REQUESTS)}
    used |= {q.object for q in store.graph(REQUESTS) if q.predicate == node("rdf:type")}
    declared = {q.subject for q in store.graph(node("hg:graph/ontology"))}
    assert {term.value for term in used - declared if term.value.startswith(ours)} == set()  # type: ignore[union-attr]


def test_a_proposal_that_was_carried_out_has_one_status(new_house: Talk) -> None:
    outcome = new_house.ask("turn on the pantry light", consent=Consent.ASK)
    store = new_house.engine.store
    assert objects(store, outcome.request, "hg:status") == ["proposed"]
    assert outcome.plan is not None
    new_house.engine.assistant.consent(outcome.plan.iri)
    assert objects(store, outcome.request, "hg:status") == ["done"]
    assert objects(store, outcome.intents[0].intent.iri, "hg:status") == ["done"]
    assert len(objects(store, outcome.plan.iri, "hg:tree")) == 1
    assert len(subjects(store, "prov:used", outcome.plan.iri)) == 1


def test_a_declined_proposal_says_so_in_the_journal(new_house: Talk) -> None:
    outcome = new_house.ask("unlock the front door", consent=Consent.YES)
    assert outcome.plan is not None
    new_house.engine.assistant.decline(outcome.plan.iri)
    store = new_house.engine.store
    assert objects(store, outcome.request, "hg:status") == ["refused"]
    assert objects(store, outcome.intents[0].intent.iri, "hg:reason") == ["not_consented"]


@pytest.mark.parametrize(
    "text",
    [
        "turn on the pantry light",
        "set the floor lamp to 30 percent",
        "turn off all the lights",
        "dim the lights in the living room by 10",
        "what is the volume of the television?",
        "turn the heater in the study on",
    ],
)
def test_retrieval_from_the_stored_intent_gives_the_same_candidates_again(new_house: Talk, text: str) -> None:
    outcome = new_house.ask(text, consent=Consent.PLAN)
    store = new_house.engine.store
    for intent in objects(store, outcome.request, "hg:intent"):
        again = candidates(store, NamedNode(intent))
        assert again
        assert {one.affordance for one in again} == set(objects(store, intent, "hg:candidate"))


def test_the_queries_themselves_give_the_same_candidates(new_house: Talk) -> None:
    outcome = new_house.ask("turn on the light in the pantry", consent=Consent.PLAN)
    store, (intent,) = new_house.engine.store, [NamedNode(one.intent.iri) for one in outcome.intents]
    parts = [row[0] for row in store.select("environment/scope_by_place", intent=intent)]
    commands = {row[3] for row in store.select("environment/intent", intent=intent)}
    pairs: list[tuple[Term | None, ...]] = list(product(parts, commands))
    found = {row[2].value for row in store.select("environment/by_command", part_command=pairs) if row[2]}
    assert found == set(objects(store, intent.value, "hg:candidate"))


def test_every_affordance_of_a_plan_is_a_link_of_it(new_house: Talk) -> None:
    for text in (
        "turn off all the lights",
        "turn the TV up by 10",
    ):
        outcome = new_house.ask(text, consent=Consent.PLAN)
        assert outcome.plan is not None
        named = {
            n["affordance"] for kind in ("action", "condition", "property") for n in nodes(outcome.plan.tree, kind)
        }
        assert set(objects(new_house.engine.store, outcome.plan.iri, "hg:names")) == named


AFFORDANCES = st.integers(0, 8).map(lambda number: f"urn:thing#actions/{number}")
LEAVES = st.one_of(
    AFFORDANCES.map(lambda iri: {"type": "action", "affordance": iri, "payload": {"urn:not#actions/1": iri}}),
    AFFORDANCES.map(lambda iri: {"type": "property", "affordance": iri, "into": "x"}),
    AFFORDANCES.map(lambda iri: {"type": "condition", "affordance": iri, "operator": "=", "value": iri}),
    st.just({"type": "wait", "seconds": 1}),
)
TREES = st.recursive(
    LEAVES,
    lambda below: st.one_of(
        st.lists(below, min_size=1, max_size=4).map(lambda several: {"type": "sequence", "children": several}),
        st.lists(below, min_size=1, max_size=4).map(
            lambda several: {"type": "parallel", "policy": "complete_all", "children": several}
        ),
        below.map(lambda one: {"type": "retry", "attempts": 2, "child": one}),
    ),
    max_leaves=20,
)


def named_in(tree: Any) -> Iterator[str]:
    """The affordances anywhere in the JSON of a tree, found without knowing what a node is."""
    if isinstance(tree, dict):
        if isinstance(tree.get("affordance"), str):
            yield tree["affordance"]
        yield from (iri for member in tree.values() for iri in named_in(member))
    elif isinstance(tree, list):
        yield from (iri for element in tree for iri in named_in(element))


@given(TREES)
def test_every_affordance_in_the_json_of_any_tree_is_a_link(tree: dict[str, Any]) -> None:
    store = EmbeddedStore.open(None)
    intent = Intent("urn:r/intent-1", "words")
    journal.open_request(store, "urn:r", "words", None, BEGAN, [intent])
    outcome = Outcome(
        "urn:r", "words", Status.DONE, (IntentOutcome(intent, Status.DONE),), plan=Plan("urn:r/plan", tree)
    )
    journal.close_request(store, outcome, BEGAN, BEGAN, ran=False)
    assert set(objects(store, "urn:r/plan", "hg:names")) == set(named_in(tree))


def test_requests_older_than_the_setting_are_forgotten_with_all_that_came_of_them() -> None:
    with a_home(now=BEGAN, settings=settings.load(request_retention_days=30)) as home:
        old = home.ask("turn the study heater on, turn on the pantry light and the pantry fan", consent=True)
        asked = home.ask("what is the volume of the television?")
        home.set_now(BEGAN + timedelta(days=29))
        kept = home.ask("turn off the pantry light", consent=True)
        assert objects(home.store, old.request, "hg:status"), "a month has not passed"
        home.set_now(BEGAN + timedelta(days=31))
        home.ask("turn on the garage light", consent=True)
        left = {q.subject.value for q in home.store.graph(REQUESTS)}  # type: ignore[union-attr]
        assert not [s for s in left if s.startswith((old.request, asked.request))]
        assert objects(home.store, kept.request, "hg:status") == ["done"]


def test_no_retention_keeps_requests_for_ever() -> None:
    with a_home("lab308.ttl", now=BEGAN, settings=settings.load(request_retention_days=0)) as home:
        old = home.ask("turn on the light", consent=True)
        home.set_now(BEGAN + timedelta(days=3650))
        home.ask("turn off the light", consent=True)
        assert objects(home.store, old.request, "hg:status") == ["done"]


def test_a_dump_of_the_store_keeps_what_was_asked(new_house: Talk, tmp_path: Path) -> None:
    new_house.ask("set the floor lamp to 30 percent")
    new_house.engine.store.dump(tmp_path / "all.nq")
    before = journal.latest(new_house.engine.store)
    assert before[0].changes
    with Hearthgraph.open(None, now=BEGAN) as other:
        other.restore(tmp_path / "all.nq")
        assert journal.latest(other.store) == before
        assert other.state[new_house.prop("floor-lamp#brightness")] == 30
        assert other.ask("turn the floor lamp off", consent=True).status is Status.DONE


def test_a_reading_that_was_not_taken_is_no_intent_of_the_request(new_house: Talk) -> None:
    for text in ("turn on the pantry light", "close the dining room blind", "make the living room warmer"):
        outcome = new_house.ask(text, consent=Consent.PLAN)
        linked = objects(new_house.engine.store, outcome.request, "hg:intent")
        assert sorted(linked) == sorted(one.intent.iri for one in outcome.intents)
