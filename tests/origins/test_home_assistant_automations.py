"""Rules as Home Assistant's automations: what sets them off there, under what condition, and what is done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cli.main import main
from engine.environment.clock import SimulatedClock
from engine.errors import InputError
from engine.hearthgraph import Hearthgraph
from engine.origins.home_assistant.automations_read import read_automations
from engine.origins.home_assistant.exposure import Exposure
from engine.origins.home_assistant.homes import convert
from engine.origins.sources import settle
from tests.origins.ha_house import house, snapshot

DESK = {"action": "light.turn_on", "target": {"entity_id": "light.desk"}}


@pytest.fixture(scope="module")
def _home() -> Iterator[Hearthgraph]:
    with Hearthgraph.open(None, now=datetime(2026, 11, 21, 9, tzinfo=UTC)) as opened:
        settle(convert(snapshot(house()), opened.registry.vocabulary, Exposure()), opened.target)
        yield opened


@pytest.fixture
def home(_home: Hearthgraph) -> Hearthgraph:
    _home.rules.clear()
    assert isinstance(_home.clock, SimulatedClock)
    return _home


def exported(home: Hearthgraph, words: str) -> dict[str, Any]:
    outcome = home.ask(words, consent=True)
    assert len(home.rules.rules()) == 1, outcome.reply
    [found], left = home.automations()
    assert left == []
    return found


@pytest.mark.parametrize(
    ("words", "trigger", "conditions"),
    [
        ("Every day at 7 am turn on the desk lamp", {"trigger": "time", "at": "07:00:00"}, []),
        (
            "Every weekday at 7 am turn on the desk lamp",
            {"trigger": "time", "at": "07:00:00"},
            [{"condition": "time", "weekday": ["mon", "tue", "wed", "thu", "fri"]}],
        ),
        (
            "Every day at sunset turn on the desk lamp",
            {"trigger": "sun", "event": "sunset", "offset": "00:00:00"},
            [],
        ),
        (
            "Every day half an hour before sunrise turn on the desk lamp",
            {"trigger": "sun", "event": "sunrise", "offset": "-00:30:00"},
            [],
        ),
    ],
)
def test_times_are_times_there(
    home: Hearthgraph, words: str, trigger: dict[str, Any], conditions: list[dict[str, Any]]
) -> None:
    found = exported(home, words)
    assert found["triggers"] == [trigger]
    assert found["conditions"] == conditions
    assert found["actions"][-1]["then"] == [DESK]


def test_what_turns_true_is_a_template_which_turns_true_once(home: Hearthgraph) -> None:
    [trigger] = exported(home, "When the roof blind is open for ten minutes, turn on the desk lamp")["triggers"]
    assert trigger["trigger"] == "template"
    assert "cover.roof" in trigger["value_template"]
    assert trigger["for"] == {"seconds": 600.0}


def test_every_other_week_is_counted_from_the_first(home: Hearthgraph) -> None:
    found = exported(home, "Every other Tuesday at 8 pm turn on the desk lamp")
    days, counted = found["conditions"]
    assert days["weekday"] == ["tue"]
    assert '"2026-11-24"' in counted["value_template"]
    assert "% 2 == 0" in counted["value_template"]


def test_a_reminder_notifies_there(home: Hearthgraph) -> None:
    found = exported(home, "Remind me every day at 9 pm to take out the rubbish")
    [action] = found["actions"]
    assert action == {"action": "persistent_notification.create", "data": {"message": "take out the rubbish"}}


def test_what_it_cannot_do_is_told_and_left_out(home: Hearthgraph) -> None:
    home.ask("Every 7 minutes turn on the desk lamp", consent=True)
    home.ask("Every day at 7 am turn on the desk lamp", consent=True)
    found, left = home.automations()
    assert [one["alias"] for one in found] == ["Every day at 7 am turn on the desk lamp"]
    assert "Every 7 minutes" in left[0]
    assert "minutes that divide a day" in left[0]


def test_the_command_line_writes_them_into_a_file(tmp_path: Path) -> None:
    start = ["--store", str(tmp_path / "store")]
    out = tmp_path / "automations.yaml"
    written = CliRunner().invoke(main, [*start, "rules", "export", "--out", str(out)])
    assert written.exit_code == 0, written.output
    assert json.loads(out.read_text(encoding="utf-8")) == []


WRITTEN = """
- id: '1'
  alias: Lamp at seven on weekdays
  triggers: [{trigger: time, at: '07:00:00'}]
  conditions: [{condition: time, weekday: [mon, tue]}]
  actions: [{action: light.turn_on, target: {entity_id: light.desk}}]
- alias: Blind open, lamp on
  trigger: {platform: state, entity_id: cover.roof, to: open, for: '00:10:00'}
  action: [{service: light.turn_on, entity_id: light.desk}]
- alias: Before sunset
  triggers: [{trigger: sun, event: sunset, offset: '-00:30:00'}]
  actions: [{action: light.turn_off, target: {entity_id: light.desk}}]
- alias: By a template
  triggers: [{trigger: template, value_template: '{{ true }}'}]
  actions: [{action: light.turn_on, target: {entity_id: light.desk}}]
- alias: Of another home
  triggers: [{trigger: time, at: '07:00:00'}]
  actions: [{action: light.turn_on, target: {entity_id: light.nowhere}}]
"""


def test_simple_ones_become_rules_and_of_others_it_is_told_why_not(home: Hearthgraph, tmp_path: Path) -> None:
    file = tmp_path / "automations.yaml"
    file.write_text(WRITTEN, encoding="utf-8")
    made, left = home.take_automations(read_automations(file))
    assert [one.partition("”")[0] for one in left] == ["“By a template", "“Of another home"]
    assert made == 3
    found, _ = home.automations()
    lamp, blind, sunset = (one["triggers"][0] for one in found)
    assert (lamp["at"], found[0]["conditions"][0]["weekday"]) == ("07:00:00", ["mon", "tue"])
    assert blind["for"] == {"seconds": 600.0}
    assert "cover.roof" in blind["value_template"]
    assert sunset == {"trigger": "sun", "event": "sunset", "offset": "-00:30:00"}
    assert found[0]["actions"][-1]["then"] == [DESK]


@pytest.mark.parametrize("content", ["[", "- 3", "hello", "&a [*a]", "!!python/object/apply:os.system ['true']"])
def test_what_is_no_list_of_automations_is_told_so(home: Hearthgraph, tmp_path: Path, content: str) -> None:
    file = tmp_path / "automations.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError):
        home.take_automations(read_automations(file))
    assert home.rules.rules() == ()
