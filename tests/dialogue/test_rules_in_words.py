"""Rules as people say them: when, under what condition, and what is done then, each in the words of this house."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.dialogue.rules.result import rule_json
from engine.model.outcome import Kept, Status
from engine.rules.book import Entry
from tests.dialogue.talks import Talk

LINES = (Path(__file__).parent / "rules_said.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_a_rule_is_made_of_what_was_said_and_nothing_is_done_now(house: Talk, case: dict[str, Any]) -> None:
    outcome = house.ask(case["text"])
    if "asks" in case:
        assert (outcome.status, outcome.reason) == (Status.PROPOSED, case["asks"])
        assert outcome.plan is not None
        outcome = house.engine.assistant.consent(outcome.plan.iri)
    assert outcome.status is Status.SCHEDULED, outcome.reply
    assert house.changed() == {}
    [entry] = house.engine.rules.rules()
    [made] = rule_json(Kept(entry.rule, entry.does, ()), house.engine.store, house.engine.registry)
    found = dict(made["trigger"])
    said = [_condition(one, house) for one in found.pop("conditions", [])]
    found = {name: value[:16] if name == "at" else value for name, value in found.items() if name != "since"}
    assert (found, said) == (case["time"], case["conditions"])
    assert {_short(one["property"], house): one["value"] for one in made["actions"]} == case["sets"]
    assert entry.rule.notice == case["notice"]


def _short(prop: str, house: Talk) -> str:
    return prop.removeprefix(house.things).replace("properties/", "")


def _condition(one: dict[str, Any], house: Talk) -> list[Any]:
    lasting = [one["for_seconds"]] if one.get("for_seconds") else []
    return [_short(one["property"], house), one["op"], one["value"], *lasting]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("Switch off the kitchen light, if you'd be so kind.", {"kitchen-light#state": "off"}),
        ("Turn on the study heater, if it is not too much trouble.", {"study-heater#state": "on"}),
        ("Would you turn on the study heater, if you please?", {"study-heater#state": "on"}),
    ],
)
def test_politeness_is_no_condition(house: Talk, text: str, changed: dict[str, Any]) -> None:
    outcome = house.ask(text)
    assert outcome.status is Status.DONE, outcome.reply
    assert house.engine.rules.rules() == ()
    assert house.changed() == {key: value for key, value in changed.items() if house.initial[house.prop(key)] != value}


@pytest.mark.parametrize(
    "text",
    [
        "When was the front door unlocked?",
        "Tell me when the front door was unlocked.",
        "Which lights are on when nobody is in?",
        "If the frobnicator is purple, turn on the study heater.",
        "When the study is full of bees, open the study blinds.",
        "On Sundays we like the blinds open",
        "When somebody is in the hall and the mail has come, turn on the hallway light.",
        "When the mail has come and somebody is in the hall, turn on the hallway light.",
        "Turn on the hallway light when somebody is in the hall and the zorb is up.",
    ],
)
def test_of_a_question_and_of_what_nobody_can_tell_no_rule_is_made_and_nothing_is_done(house: Talk, text: str) -> None:
    house.ask(text)
    assert house.engine.rules.rules() == ()
    assert house.changed() == {}


def test_a_rule_that_leaves_a_number_out_is_not_made(house: Talk) -> None:
    house.ask("Every day at 8 set the desk lamp to 40 percent and the floor lamp to 70 percent.")
    for entry in house.engine.rules.rules():
        assert {40.0, 70.0} <= set(dict(entry.does).values())


def test_what_somebody_is_reminded_of_is_told_when_it_is_time(house: Talk) -> None:
    with house.engine.rules.notices.subscribe() as news:
        house.ask("Remind me when the fridge has been open for two minutes.")
        house["fridge#door"] = "open"
        house.engine.pass_time(119)
        assert news.take(0) is None
        house.engine.pass_time(2)
        told = news.take(0)
    assert told is not None
    assert "fridge" in told.text
    assert house.changed() == {}


APART = [
    (
        "Turn the hallway light on at 8 pm and off at 11 pm.",
        [("20:00", "on"), ("23:00", "off")],
        "hallway-light#state",
    ),
    (
        "Every day turn the kitchen light on at 7 in the morning and off at 8.",
        [("0 7 * * *", "on"), ("0 8 * * *", "off")],
        "kitchen-light#state",
    ),
    (
        "Tomorrow open the study blinds at 7 am and close them at 9 pm.",
        [("07:00", 100.0), ("21:00", 0.0)],
        "study-blinds#position",
    ),
    (
        "Lock the front door at 11 pm and unlock it at 6 am every day.",
        [("0 23 * * *", "locked"), ("0 6 * * *", "unlocked")],
        "front-door-lock#lock_state",
    ),
]


@pytest.mark.parametrize(("text", "wanted", "prop"), APART, ids=[text for text, *_ in APART])
def test_each_time_in_a_sentence_has_a_rule_of_its_own(house: Talk, text: str, wanted: list[Any], prop: str) -> None:
    house.ask(text)
    assert house.changed() == {}
    assert [(_time(entry, house), _value(entry, house, prop)) for entry in house.engine.rules.rules()] == wanted


def _time(entry: Entry, house: Talk) -> str:
    trigger = rule_json(Kept(entry.rule, entry.does, ()), house.engine.store, house.engine.registry)[0]["trigger"]
    return trigger["cron"] if "cron" in trigger else trigger["at"][11:16]


def _value(entry: Entry, house: Talk, prop: str) -> Any:
    return dict(entry.does).get(house.prop(prop))


@pytest.mark.parametrize(
    "text",
    [
        "Turn on the study heater now and turn it off in ten minutes.",
        "Turn on the study heater and in ten minutes turn it off.",
        "Turn on the study heater right away and at nine in the evening turn off the study heater.",
    ],
)
def test_what_is_for_now_is_done_now_and_the_rest_waits(house: Talk, text: str) -> None:
    house["study-heater#state"] = "off"
    house.ask(text)
    assert house["study-heater#state"] == "on"
    assert [_value(entry, house, "study-heater#state") for entry in house.engine.rules.rules()] == ["off"]


@pytest.mark.parametrize(
    "text",
    [
        "The minute the frobnicator is purple turn on the study heater.",
        "As soon as the weather is nice, open the study blinds.",
        "Every time the moon is blue, lock the front door.",
    ],
)
def test_what_has_to_happen_first_is_never_done_now(house: Talk, text: str) -> None:
    house.ask(text)
    assert house.changed() == {}


def test_a_state_that_is_told_beside_an_order_is_no_rule(house: Talk) -> None:
    house["desk-lamp#state"] = "on"
    house.ask("Nobody is in the study, turn off the desk lamp.")
    assert house["desk-lamp#state"] == "off"
    assert house.engine.rules.rules() == ()


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("hallway light on at 8, off at 10", [("08:00", "on"), ("10:00", "off")]),
        ("turn the hallway light on at 8 and turn it off at 10", [("08:00", "on"), ("10:00", "off")]),
        ("every day hallway light on at 8, off at 11", [("08:00", "on"), ("11:00", "off")]),
    ],
)
def test_a_number_behind_on_and_off_is_an_hour_and_no_level(
    house: Talk, text: str, rules: list[tuple[str, str]]
) -> None:
    assert house.ask(text).status is Status.SCHEDULED
    assert house.changed() == {}
    made = [(f"{one.next:%H:%M}", dict(one.does)) for one in house.engine.rules.rules() if one.next is not None]
    state = house.prop("hallway-light#state")
    assert made == [(time, {state: value}) for time, value in rules]


def test_the_unit_that_a_later_length_leaves_unsaid_is_that_of_the_first(house: Talk) -> None:
    house.ask("turn off the living room ceiling light in five minutes and the hallway light in ten")
    made = [(f"{one.next:%H:%M}", dict(one.does)) for one in house.engine.rules.rules() if one.next is not None]
    ceiling, hallway = house.prop("living-room-light#state"), house.prop("hallway-light#state")
    assert made == [("06:05", {ceiling: "off"}), ("06:10", {hallway: "off"})]


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("turn the desk lamp on at 7 percent", "desk-lamp#brightness", 7),
        ("turn the desk lamp on at 50", "desk-lamp#brightness", 50),
        ("turn on the pantry light and set the desk lamp at 7", "desk-lamp#brightness", 7),
    ],
)
def test_a_level_that_somebody_says_stays_one(house: Talk, text: str, path: str, value: float) -> None:
    assert house.ask(text).status is Status.DONE
    assert house[path] == value


@pytest.mark.parametrize(
    ("text", "value"), [("turn the pantry light on at 7", "on"), ("turn off the pantry light at 10", "off")]
)
def test_what_is_only_switched_at_a_number_is_switched_at_that_hour(house: Talk, text: str, value: str) -> None:
    assert house.ask(text).status is Status.SCHEDULED
    [entry] = house.engine.rules.rules()
    assert dict(entry.does) == {house.prop("pantry-light#state"): value}
    assert house.changed() == {}


def test_what_one_rule_starts_and_the_next_ends_is_no_fault_of_the_first(house: Talk) -> None:
    assert "ever puts" not in house.ask("every day hallway light on at 8, off at 11").reply
