"""What a person likes in a scene, stated once: kept for them, used when they come to it, and never acted on at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from engine.dialogue.requests.request import Consent
from engine.graph.terms import MEMORY, expand
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status
from engine.planning.wishes import tastes
from tests.homes import a_home

STATED = [
    "At bedtime Alex wants the bedroom dim and the blinds down",
    "When I read I like the lamp at 60 %",
    "I like the lights at 30 percent when we have dinner",
    "When I go to bed I want the hallway light on",
    "Whenever I'm reading, I prefer the floor lamp bright",
    "For movie night I like the TV on and the lights off.",
    "At dinner we like the dining room pendant light at 40 %",
    "I'd like the desk lamp on when I work",
    "When I come home I like the hallway light on",
    "While I cook I want the kitchen light at 100 percent",
    "When we have guests we like the living room warm",
    "During dinner I prefer the lights dim",
    "I love the bedside lamp dim when I go to sleep",
]
NOT_YET = [
    "When I come home, turn on the hallway light",
    "turn off the lights when I go to bed",
    "In the evening I like the living room warm",
    "After dinner I like the lights off",
    "When I read I like the disco ball on",
    "When I play the piano I like the lamp at 60 %",
    "When I read I like the lamp two thirds brighter than yesterday",
    "When I read I like the desk lamp brighter",
]
ORDERS = [
    ("It's bedtime", Status.DONE),
    ("I want the pantry light on", Status.DONE),
    ("I'd like the pantry light on", Status.DONE),
    ("turn on the pantry light", Status.DONE),
]


@pytest.fixture(scope="module")
def home() -> Iterator[Hearthgraph]:
    with a_home(now="2026-03-02T21:00:00+00:00") as found:
        yield found


@pytest.fixture
def house(home: Hearthgraph) -> Hearthgraph:
    tastes.forget(home.store, [one.iri for one in tastes.stated(home.store)])
    return home


def said(home: Hearthgraph, text: str, user: str = "Alex") -> Outcome:
    before = home.state.snapshot()
    outcome = home.ask(text, user=user, consent=True)
    assert home.state.snapshot() == before, "what is liked in a scene is nothing to be done now"
    assert outcome.plan is None
    return outcome


def plan(home: Hearthgraph, text: str, user: str = "Alex", location: str | None = None) -> str:
    return home.ask(text, user=user, location=location, consent=Consent.PLAN).reply


@pytest.mark.parametrize("text", STATED)
def test_it_is_kept_and_nothing_is_done(text: str, house: Hearthgraph) -> None:
    outcome = said(house, text)
    assert outcome.status is Status.DONE
    assert text.rstrip(".") in outcome.reply
    assert {one.text for one in tastes.stated(house.store, "Alex")} == {text}


def test_a_liking_of_certain_days_is_kept_in_mind_and_nothing_is_done_nor_planned(house: Hearthgraph) -> None:
    outcome = said(house, "On Sundays we like the blinds open")
    assert outcome.status is Status.DONE
    assert "keep that in mind" in outcome.reply
    assert not outcome.changes
    assert house.rules.rules() == ()
    assert {one.text for one in tastes.stated(house.store)} == {"On Sundays we like the blinds open"}


@pytest.mark.parametrize("text", NOT_YET)
def test_what_cannot_be_kept_is_refused_and_nothing_is_done(text: str, house: Hearthgraph) -> None:
    outcome = said(house, text)
    assert outcome.status is Status.REFUSED
    assert tastes.stated(house.store) == ()
    assert outcome.reason in ("not_supported_yet", "no_such_device")


@pytest.mark.parametrize(("text", "status"), ORDERS)
def test_orders_stay_orders(text: str, status: Status, house: Hearthgraph) -> None:
    assert house.ask(text, location="pantry", consent=Consent.PLAN).status is status


def test_the_scene_is_as_this_person_likes_it_and_as_it_was_for_everybody_else(house: Hearthgraph) -> None:
    others = plan(house, "I'm going to read a book", "Kim", "study")
    assert "brightness 60" not in others
    said(house, "When I read I like the desk lamp at 60 %")
    own = plan(house, "I'm going to read a book", "Alex", "study")
    assert "desk lamp (study): brightness 60" in own
    assert "as you like it" in own
    assert plan(house, "I'm going to read a book", "Kim", "study") == others


def test_who_is_named_has_it(house: Hearthgraph) -> None:
    said(house, "At bedtime Alex wants the right bedside lamp at 10 %", user="Kim")
    assert "brightness 10" in plan(house, "I'm going to bed", "Alex", "master bedroom")
    assert "brightness 10" not in plan(house, "I'm going to bed", "Kim", "master bedroom")


def test_what_is_known_beforehand_counts_for_that_request_alone(house: Hearthgraph) -> None:
    memory = ("While reading Robin likes the desk lamp at 65 %.", "Robin plays the cello.")
    for user, counts in (("robin", True), ("kim", False)):
        outcome = house.ask("reading time", user=user, location="study", memory=memory, consent=Consent.PLAN)
        assert ("brightness 65" in outcome.reply) is counts
    assert tastes.stated(house.store) == ()


def test_the_rest_of_the_scene_is_done_as_ever(house: Hearthgraph) -> None:
    said(house, "At bedtime I want the left bedside lamp at 10 %")
    house.ask("turn on the right bedside lamp", consent=True)
    told = plan(house, "I'm going to bed", "Alex", "master bedroom")
    assert "left bedside lamp (master bedroom): brightness 10" in told
    assert "right bedside lamp (master bedroom): state off" in told
    assert "left bedside lamp (master bedroom): state off" not in told


def test_where_nobody_says_where_it_is_where_it_was_wished_for(house: Hearthgraph) -> None:
    said(house, "At bedtime I want the bedroom dim")
    outcome = house.ask("I'm going to bed", user="Alex", consent=Consent.PLAN)
    assert outcome.status is Status.DONE
    assert "brightness" in outcome.reply
    assert "living room" not in outcome.reply


def test_what_was_said_last_counts(house: Hearthgraph) -> None:
    said(house, "When I read I like the desk lamp at 60 %")
    house.set_now(datetime.fromisoformat("2026-03-02T21:05:00+00:00"))
    said(house, "When I read I like the desk lamp at 80 %")
    assert "brightness 80" in plan(house, "I'm going to read a book", "Alex", "study")


def test_it_is_told_and_forgotten_in_words(house: Hearthgraph) -> None:
    said(house, "When I read I like the desk lamp at 60 %")
    said(house, "At dinner we like the dining room pendant light at 40 %")
    assert "When I read I like the desk lamp at 60 %" in said(house, "what do I prefer?").reply
    assert "pendant" not in said(house, "what do I like when I read?").reply
    assert "desk lamp at 60" in said(house, "forget what I like when I read").reply
    assert "brightness 60" not in plan(house, "I'm going to read a book", "Alex", "study")
    assert [one.text for one in tastes.stated(house.store)] == [
        "At dinner we like the dining room pendant light at 40 %"
    ]
    said(house, "forget my preferences")
    assert not list(house.store.graph(MEMORY)), "its goals go with it"


def test_it_is_written_in_the_vocabulary_of_intents(house: Hearthgraph) -> None:
    said(house, "When I read I like the desk lamp at 60 %")
    predicates = {quad.predicate.value for quad in house.store.graph(MEMORY)}
    wanted = ("situation", "goal", "onClass", "kind", "record", "user", "text")
    assert {expand(f"hg:{name}") for name in wanted} <= predicates


def test_what_would_be_regretted_in_a_scene_is_asked_about_all_the_same(house: Hearthgraph) -> None:
    said(house, "When I read I like the front door unlocked")
    outcome = house.ask("I'm going to read a book", user="Alex", location="hallway", consent=Consent.YES)
    assert (outcome.status, outcome.reason) == (Status.PROPOSED, "needs_consent")
    assert outcome.plan is not None
    house.assistant.decline(outcome.plan.iri)
