"""Fifty sentences of the kinds that papers on smart homes ask after (at a time, on a state, both; waits that persist),
in our words and in three homes, each with the rule that it should make; two that are not understood are marked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dialogue.rules.result import rule_json
from engine.model.outcome import Kept
from engine.resources import folder
from engine.rules.book import Entry
from tests.dialogue.talks import BEGAN, Talk
from tests.homes import a_home

HERE = Path(__file__).parent
LINES = (HERE / "scheduled.jsonl").read_text(encoding="utf-8").splitlines()
HOMES = {
    "house": folder("data") / "house.ttl",
    "mill": HERE / "homes" / "mill.ttl",
    "flat": HERE / "homes" / "flat.ttl",
}
CASES = [json.loads(line) for line in LINES]


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Talk]]:
    opened = {name: a_home(path, now=BEGAN) for name, path in HOMES.items()}
    yield {name: Talk(engine, f"https://{name}.example/things/") for name, engine in opened.items()}
    for engine in opened.values():
        engine.close()


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_a_sentence_makes_the_rule_that_it_says_and_nothing_is_done_now(
    homes: dict[str, Talk], case: dict[str, Any]
) -> None:
    if case.get("missed"):
        pytest.xfail("known not to be understood whole")
    home = homes[case["home"]]
    home.begin()
    outcome = home.ask(case["text"])
    if outcome.reason == "not_so_now" and outcome.plan is not None:  # "if the door is unlocked": asked first
        outcome = home.engine.assistant.consent(outcome.plan.iri)
    made = [rule_of(entry, home) for entry in home.engine.rules.rules()]
    assert home.changed() == {}
    assert len(made) == len(case["rules"]), outcome.reply
    for found, wanted in zip(made, case["rules"], strict=True):
        assert found["time"] == wanted["time"]
        assert found["conditions"] == sorted(wanted["conditions"], key=repr)
        assert wanted["sets"].items() <= found["sets"].items()
        assert len(found["devices"]) == len({name.partition("#")[0] for name in wanted["sets"]})
        assert found["notice"] is wanted["notice"]


def rule_of(entry: Entry, home: Talk) -> dict[str, Any]:
    """What a rule comes to, in short."""
    [made] = rule_json(Kept(entry.rule, entry.does, ()), home.engine.store, home.engine.registry)
    trigger = dict(made["trigger"])
    conditions = [condition(one) for one in trigger.pop("conditions", [])]
    time = {k: v[:16] if k == "at" else v for k, v in trigger.items() if k in ("at", "cron", "sun", "every_seconds")}
    sets = {short(one["property"]): one["value"] for one in made["actions"]}
    notice = entry.rule.notice is not None
    devices = {name.partition("#")[0] for name in sets}
    return {
        "time": time,
        "conditions": sorted(conditions, key=repr),
        "sets": sets,
        "notice": notice,
        "devices": devices,
    }


def short(name: str) -> str:
    return name.rpartition("/things/")[2].replace("properties/", "")


def condition(one: dict[str, Any]) -> list[Any]:
    lasting = [one["for_seconds"]] if one.get("for_seconds") else []
    return [short(one["property"]), one["op"], one["value"], *lasting]
