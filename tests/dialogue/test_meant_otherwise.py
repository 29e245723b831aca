"""What sounds like one order and is meant as another, or as none, said to three homes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine import settings as configuration
from engine.dialogue.requests.request import Consent
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status

ROOT = Path(__file__).resolve().parents[2]
HOMES = {"house": ROOT / "data/house.ttl", **{n: ROOT / f"tests/acceptance/homes/{n}.ttl" for n in ("flat", "mill")}}


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Hearthgraph]]:
    settings = configuration.load(live=False, experience=False)
    opened = {}
    for name, path in HOMES.items():
        opened[name] = Hearthgraph.open(None, now=datetime(2026, 5, 14, 18, 20, tzinfo=UTC), settings=settings)
        opened[name].load([path])
        opened[name].assistant.refresh()
    yield opened
    for home in opened.values():
        home.close()


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("house", "the butler should turn on the kitchen light"),
        ("mill", "the caretaker should switch off the hall light"),
        ("flat", "the decorator must close the roller blinds"),
    ],
)
def test_what_somebody_else_should_do_is_no_order(homes: dict[str, Hearthgraph], home: str, text: str) -> None:
    outcome = homes[home].ask(text, consent=Consent.PLAN)
    assert outcome.status is Status.REFUSED
    assert not outcome.actions


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("house", "was the kitchen light on yesterday?"),
        ("house", "what was the floor lamp at yesterday at 10pm?"),
        ("mill", "were the kitchen spots on yesterday?"),
        ("flat", "was the desk lamp off yesterday evening?"),
    ],
)
def test_how_something_was_is_not_answered_by_how_it_is(homes: dict[str, Hearthgraph], home: str, text: str) -> None:
    outcome = homes[home].ask(text)
    assert outcome.status is Status.ANSWERED
    assert outcome.reply == "I do not remember how that was."
    assert all(one.answer is not None and one.answer.value is None for one in outcome.intents)


def test_what_was_so_and_is_asked_after_now_is_answered(homes: dict[str, Hearthgraph]) -> None:
    outcome = homes["house"].ask("is the kitchen light that was on yesterday still on?")
    assert outcome.status is Status.ANSWERED


@pytest.mark.parametrize("text", ["use the oven to heat up my lunch", "please warm the soup in the oven"])
def test_food_is_not_heated_before_it_is_said_for_how_long(homes: dict[str, Hearthgraph], text: str) -> None:
    outcome = homes["house"].ask(text, consent=Consent.ALL)
    assert outcome.status is Status.CLARIFY
    assert not outcome.changes


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("house", "I need light in the kitchen at eight"),
        ("mill", "I want the hall light at nine"),
        ("flat", "we need light in the bathroom at seven"),
    ],
)
def test_light_that_is_wanted_at_a_number_is_wanted_at_that_hour(
    homes: dict[str, Hearthgraph], home: str, text: str
) -> None:
    outcome = homes[home].ask(text, consent=Consent.ALL)
    assert outcome.status in (Status.SCHEDULED, Status.CLARIFY)
    assert not outcome.changes


@pytest.mark.parametrize("text", ["play jazz", "play jazz in the living room"])
def test_music_that_nothing_can_choose_is_refused_with_the_reason(homes: dict[str, Hearthgraph], text: str) -> None:
    outcome = homes["house"].ask(text, consent=Consent.PLAN)
    assert outcome.status is Status.REFUSED
    assert "can do that" in outcome.reply


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("house", "set the alarm volume of the front door lock to its minimum"),
        ("house", "put the volume of the front door lock to the minimum"),
    ],
)
def test_a_lock_has_no_minimum(homes: dict[str, Hearthgraph], home: str, text: str) -> None:
    assert not homes[home].ask(text, consent=Consent.PLAN).actions


def test_what_is_set_is_what_can_be_set_so(homes: dict[str, Hearthgraph]) -> None:
    outcome = homes["house"].ask("set brightness to 80 and open the blinds", consent=Consent.PLAN)
    assert "position 80" not in outcome.reply
    assert outcome.status is Status.CLARIFY


@pytest.mark.parametrize("text", ["when is the dishwasher done", "when will the dishwasher be ready?"])
def test_when_something_is_done_is_asked_of_the_time_that_is_left(homes: dict[str, Hearthgraph], text: str) -> None:
    assert "remaining time" in homes["house"].ask(text).reply
