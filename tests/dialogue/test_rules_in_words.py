"""Rules as people say them: when, under what condition, and what is done then, each in the words of this house."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.dialogue.rule_result import rule_json
from engine.model.outcome import Kept, Status
from tests.dialogue.talks import Talk

LINES = (Path(__file__).parent / "rules_said.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_a_rule_is_made_of_what_was_said_and_nothing_is_done_now(house: Talk, case: dict[str, Any]) -> None:
    outcome = house.ask(case["text"])
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
