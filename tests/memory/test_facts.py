"""Facts are kept as they were told, shaped, open to whom they concern alone, replaced and forgotten whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InputError
from engine.graph.shacl.door import Door
from engine.graph.store import GraphStore
from engine.graph.terms import MEMORY, expand
from engine.memory.kept import facts
from engine.model.fact import Daytime, Fact, Occasion, Provenance, Statement
from engine.model.fact_rdf import fact_quads, facts_of
from engine.model.intent import Amount, Intent, Measure
from engine.model.selection import Select
from engine.resources import folder

NOW = datetime(2026, 3, 2, 21, 0, tzinfo=UTC)
LAMP = Select(classes=(expand("hg:Lamp"),), places=("urn:place:study",))
DIM = Intent("urn:i", "", selection=LAMP, property=expand("hg:Brightness"), amount=Amount(Measure.NUMBER, 20.0))
words = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=12)
occasions = st.builds(
    Occasion,
    kinds=st.sampled_from([(), (expand("hg:GoingToBed"),)]),
    words=st.sampled_from([(), ("sewing",)]),
    who=st.sampled_from([(), ("children",)]),
    daytimes=st.sampled_from([(), (Daytime.MORNING,)]),
    days=st.sampled_from([(), (5, 6)]),
)
FACTS = st.builds(
    Fact,
    iri=st.just("urn:uuid:f"),
    person=st.one_of(st.just(""), words),
    statement=st.sampled_from(Statement),
    source=st.builds(
        Provenance,
        teller=st.one_of(st.none(), words),
        at=st.just(NOW),
        text=words,
        request=st.sampled_from([None, "urn:uuid:r"]),
        until=st.sampled_from([None, NOW + timedelta(days=1)]),
    ),
    occasion=occasions,
    goals=st.lists(st.just(DIM), max_size=2).map(tuple),
    number=st.one_of(st.none(), st.floats(-1e6, 1e6)),
    topics=st.lists(words, max_size=3, unique=True).map(lambda found: tuple(sorted(found))),
)


def told(text: str, person: str = "alex", teller: str | None = "alex", **more: object) -> Fact:
    iri = f"urn:f:{person}:{text}".replace(" ", "-")
    return Fact(iri, person, Statement.ROUTINE, Provenance(teller, NOW, text), goals=(DIM,), **more)  # type: ignore[arg-type]


@given(FACTS)
def test_a_fact_is_read_back_as_it_was_written(fact: Fact) -> None:
    assert facts_of(fact_quads(fact)) == {fact.iri: fact}


def test_what_is_written_has_the_shape_of_a_fact() -> None:
    quads = list(pyoxigraph.parse(path=str(folder("shapes") / "fact.ttl"), format=pyoxigraph.RdfFormat.TURTLE))
    door = Door(quads)
    fact = told("At bedtime I want it dim", occasion=Occasion(kinds=(expand("hg:GoingToBed"),)))
    assert door.check(fact_quads(fact)) == ()
    nobodys = [quad for quad in fact_quads(fact) if quad.predicate.value != expand("hg:openTo")]
    assert [one.message for one in door.check(nobodys)] == ["A fact says who may hear of it."]
    assert door.check(fact_quads(replace(fact, goals=())))


def test_it_is_open_to_whom_it_is_about_and_to_who_told_it(fresh_store: GraphStore) -> None:
    facts.keep(fresh_store, [told("Sam likes it dim", "Sam", "Alex"), told("tea is in the blue tin", "", "Alex")])

    def heard(user: str | None) -> set[str]:
        return {one.text for one in facts.heard_by(fresh_store, user)}

    assert heard("sam") == heard("alex") == {"Sam likes it dim", "tea is in the blue tin"}
    assert heard("Kim") == heard(None) == {"tea is in the blue tin"}
    assert {one.text for one in facts.about(fresh_store, "alex")} == {"tea is in the blue tin"}


def test_what_is_said_later_takes_the_place_of_what_was_said_before(fresh_store: GraphStore) -> None:
    bed = Occasion(kinds=(expand("hg:GoingToBed"),))
    brighter = replace(DIM, amount=Amount(Measure.NUMBER, 60.0))
    facts.keep(fresh_store, [told("dim at bedtime", occasion=bed), told("dim at bedtime", "sam", "sam", occasion=bed)])
    facts.keep(fresh_store, [replace(told("60 at bedtime", occasion=bed), goals=(brighter,))])
    facts.keep(fresh_store, [told("dim when reading", occasion=Occasion(words=("read",)))])
    assert [one.text for one in facts.about(fresh_store, "alex")] == ["60 at bedtime", "dim when reading"]
    assert [one.text for one in facts.about(fresh_store, "sam")] == ["dim at bedtime"]
    facts.refresh(fresh_store)
    assert {one.text for one in facts.about(fresh_store, "alex")} == {"60 at bedtime", "dim when reading"}


def test_what_has_run_out_counts_no_more(fresh_store: GraphStore) -> None:
    source = Provenance("alex", NOW, "this week I sleep late", until=NOW + timedelta(days=7))
    facts.keep(fresh_store, [replace(told("x"), source=source)])
    assert len(facts.about(fresh_store, "alex", NOW)) == 1
    assert facts.about(fresh_store, "alex", NOW + timedelta(days=8)) == ()


def test_what_is_forgotten_is_gone_whole_and_the_rest_stays(fresh_store: GraphStore) -> None:
    mine, other = told("mine"), told("other", "sam", "sam")
    facts.keep(fresh_store, [mine, other])
    with pytest.raises(InputError):
        facts.forget(fresh_store, [mine.iri, "urn:x"])
    assert len(facts.heard_by(fresh_store, "alex")) == 1
    assert facts.forget(fresh_store, [mine.iri]) == (mine,)
    assert facts_of(fresh_store.graph(MEMORY)) == {other.iri: other}
    assert len(fresh_store.graph(MEMORY)) == len(fact_quads(other))
    assert facts.heard_by(fresh_store, "alex") == ()
    assert facts.people(fresh_store) == ("sam",)
