"""Rules as people say them who are short of words: hours in four digits, conditions without a word for one, what is to
be looked at; and conditions about one of several things of a name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.model.outcome import Outcome, Status
from engine.model.rule import Becomes, Rule
from tests.dialogue.talks import BEGAN, Talk
from tests.homes import a_home

HERE = Path(__file__).resolve().parents[2]
HOMES = {
    "house": HERE / "data/house.ttl",
    "flat": HERE / "tests/acceptance/homes/flat.ttl",
    "mill": HERE / "tests/acceptance/homes/mill.ttl",
    "farmhouse": HERE / "tests/acceptance/homes/farmhouse.ttl",
    "ashgrove": HERE / "tests/acceptance/parts/two/homes/ashgrove.json",
    "heron": HERE / "tests/acceptance/parts/two/homes/heron.json",
}


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Talk]]:
    talks = {name: Talk(a_home(path, now=BEGAN), "") for name, path in HOMES.items()}
    yield talks
    for talk in talks.values():
        talk.engine.close()


def said(talk: Talk, text: str) -> Outcome:
    talk.begin()
    return talk.engine.ask(text, consent=True)


def made(outcome: Outcome) -> list[Rule]:
    """The rules that an outcome made."""
    return [one.intent.rule for one in outcome.intents if isinstance(one.intent.rule, Rule)]


@pytest.mark.parametrize(
    ("home", "text", "told"),
    [
        ("house", "kitchen light off at 2300 tonight", "today at 23:00"),
        ("flat", "hall light off at 2300 tonight", "today at 23:00"),
        ("mill", "hall light on, 0645 tomorrow", "tomorrow at 06:45"),
        ("house", "desk lamp on at 1900 every evening", "every day at 19:00"),
        ("house", "2200 to 0600, motion in the hallway: hallway light on", "between 22:00 and 06:00"),
        ("house", "desk lamp off in twenty", "today at 06:20"),
        ("house", "desk lamp on from 10 pm", "today at 22:00"),
        ("flat", "every day from 10 pm desk lamp on", "every day at 22:00"),
        ("mill", "on weekdays from 7 am the writing lamp on", "every weekday at 07:00"),
        ("mill", "writing lamp off in twenty", "today at 06:20"),
        ("flat", "at the weekend, 8 a.m., desk lamp on", "every Saturday and Sunday at 08:00"),
    ],
)
def test_an_hour_is_read_however_it_is_written(homes: dict[str, Talk], home: str, text: str, told: str) -> None:
    outcome = said(homes[home], text)
    assert (outcome.status, told in outcome.reply) == (Status.SCHEDULED, True), outcome.reply
    assert not homes[home].changed()


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("house", "washing machine finished: hallway light on"),
        ("flat", "dishwasher finished: hall light on"),
        ("mill", "kitchen window opened: library heater off"),
        ("mill", "kitchen window open: library heater off"),
    ],
)
def test_what_nobody_can_order_is_waited_for(homes: dict[str, Talk], home: str, text: str) -> None:
    outcome = said(homes[home], text)
    (rule,) = made(outcome)
    assert isinstance(rule.triggers[0], Becomes), outcome.reply
    assert not homes[home].changed()


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("house", "2200 daily check: front door unlocked, lock it"),
        ("flat", "2200 daily, front door unlocked: lock it"),
        ("mill", "2200 daily check: side gate unlocked, lock it"),
    ],
)
def test_a_door_that_is_found_unlocked_is_never_unlocked(homes: dict[str, Talk], home: str, text: str) -> None:
    (rule,) = made(said(homes[home], text))
    commands = [action.command for action in rule.actions]
    assert [str(one).rpartition("#")[2] for one in commands] == ["LockUp"]
    assert rule.conditions


@pytest.mark.parametrize(("home", "lamp"), [("house", "desk lamp"), ("flat", "desk lamp"), ("mill", "writing lamp")])
def test_what_shall_be_so_between_two_hours_is_not_done_now(homes: dict[str, Talk], home: str, lamp: str) -> None:
    said(homes[home], f"turn the {lamp} on from 10 pm to 6 am")
    assert not homes[home].changed()


@pytest.mark.parametrize(("home", "door"), [("mill", "side gate"), ("house", "front door"), ("flat", "front door")])
def test_who_checks_and_locks_locks(homes: dict[str, Talk], home: str, door: str) -> None:
    talk = homes[home]
    said(talk, f"unlock the {door}")
    outcome = talk.engine.ask(f"check the {door} and lock it", consent=True)
    assert (outcome.status, "lock" in outcome.reply) == (Status.DONE, True), outcome.reply
    later = talk.engine.ask(f"lock the {door} if it isn't", consent=True)
    assert (later.status, "already" in later.reply or "so already" in later.reply) == (Status.DONE, True), later.reply


@pytest.mark.parametrize(
    ("home", "text", "thing"),
    [
        ("ashgrove", "Once the playroom's dust bot's battery is below 15 percent, it goes home to the dock", "39208"),
        ("heron", "Once PM2.5 on the open kitchen's air cleaner has sunk below 30, put it into sleep mode.", "31312"),
    ],
)
def test_a_condition_is_about_the_one_that_is_named(homes: dict[str, Talk], home: str, text: str, thing: str) -> None:
    (rule,) = made(said(homes[home], text))
    (trigger,) = rule.triggers
    assert isinstance(trigger, Becomes)
    assert [iri.rpartition(":")[2] for iri in trigger.facts[0].selection.things] == [thing]


@pytest.mark.parametrize(
    "text",
    [
        "While I think of it, pause what the speaker is playing.",
        "turn the lights down to 20, if they are turning at all",
    ],
)
def test_a_remark_is_no_condition(homes: dict[str, Talk], text: str) -> None:
    assert not made(said(homes["house"], text))


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("house", "kitchen light on, hallway light on"),
        ("flat", "hall light on, desk lamp on"),
        ("mill", "hall light on, writing lamp on"),
        ("farmhouse", "telly off, wireless on at 40"),
    ],
)
def test_what_can_be_ordered_is_no_condition(homes: dict[str, Talk], home: str, text: str) -> None:
    assert not made(said(homes[home], text))
