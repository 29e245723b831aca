"""Plans as Home Assistant's scripts and scenes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cli.main import main
from engine.errors import PlanError
from engine.hearthgraph import Hearthgraph
from engine.model.plan import Plan
from engine.origins.home_assistant import scripts
from engine.origins.home_assistant.exposure import Exposure
from engine.origins.home_assistant.homes import convert
from engine.origins.sources import settle
from tests.origins.ha_house import house, snapshot, written


@pytest.fixture(scope="module")
def home() -> Iterator[Hearthgraph]:
    with Hearthgraph.open(None, now=datetime(2026, 11, 21, 9, tzinfo=UTC)) as opened:
        settle(convert(snapshot(house()), opened.registry.vocabulary, Exposure()), opened.target)
        yield opened


def sequence(home: Hearthgraph, words: str) -> list[dict[str, Any]]:
    plan = home.ask(words).plan
    assert plan is not None
    home.assistant.decline(plan.iri)
    return scripts.script(plan, home.registry, "Mine")["mine"]["sequence"]  # type: ignore[no-any-return]


def iri(home: Hearthgraph, ending: str) -> str:
    known = (*home.registry.properties.values(), *home.registry.actions.values())
    return next(one.iri for one in known if one.forms and one.forms[0].target.endswith(ending))


def test_what_is_done_unless_it_is_so_is_an_if(home: Hearthgraph) -> None:
    (action,) = sequence(home, "turn on the desk lamp")
    assert action["if"][0]["conditions"] == [{"condition": "state", "entity_id": "light.desk", "state": "on"}]
    assert action["then"] == [{"action": "light.turn_on", "target": {"entity_id": "light.desk"}}]


def test_several_orders_are_done_in_parallel(home: Hearthgraph) -> None:
    (action,) = sequence(home, "turn on the desk lamp and open the roof blind")
    entities = [branch["sequence"][-1]["then"][0]["target"]["entity_id"] for branch in action["parallel"]]
    assert entities == ["light.desk", "cover.roof"]


def test_a_change_by_an_amount_reads_computes_and_sets(home: Hearthgraph) -> None:
    read, compute, act = sequence(home, "turn the den speaker up by 10 percent")
    (present,) = read["variables"]
    (wanted,) = compute["variables"]
    assert read["variables"][present] == '{{ (state_attr("media_player.den", "volume_level") or 0) }}'
    assert present in compute["variables"][wanted]
    assert act["then"][0]["data"] == {"volume_level": "{{ " + wanted + " }}"}


def test_a_half_is_rounded_up_as_it_is_here(home: Hearthgraph) -> None:
    compute = {"type": "compute", "into": "x", "expression": ["round", ["clamp", "y", 0, 255]]}
    (found,) = scripts.script(Plan("urn:p", compute), home.registry, "x")["x"]["sequence"]  # type: ignore[arg-type]
    clamped = "([[(y), (0)] | max, (255)] | min)"
    assert found["variables"]["x"] == "{{ ((" + clamped + ' / 1 + 0.5) | round(0, "floor")) * 1 }}'


def test_waiting_is_a_delay_or_a_template(home: Hearthgraph) -> None:
    check = {"type": "condition", "affordance": iri(home, "switch.left/state"), "operator": "=", "value": True}
    tree = {"type": "sequence", "children": [{"type": "wait", "seconds": 5}, {"type": "wait_until", "child": check}]}
    found = scripts.script(Plan("urn:p", tree), home.registry, "x")["x"]["sequence"]  # type: ignore[arg-type]
    assert found == [
        {"delay": {"seconds": 5}},
        {"wait_template": "{{ (states(\"switch.left\") == 'on') == true }}"},
    ]


def test_words_of_a_person_are_no_template(home: Hearthgraph) -> None:
    act = {"type": "action", "affordance": iri(home, "light.desk/turn_on"), "payload": {"effect": "{{ states }}"}}
    (found,) = scripts.script(Plan("urn:p", act), home.registry, "x")["x"]["sequence"]  # type: ignore[arg-type]
    assert found["data"] == {"effect": '{{ "{{ states }}" }}'}


@pytest.mark.parametrize("kind", [{"type": "retry", "attempts": 2}, {"type": "timeout", "seconds": 2}])
def test_what_scripts_cannot_do_is_refused(home: Hearthgraph, kind: dict[str, Any]) -> None:
    tree = {**kind, "child": {"type": "wait", "seconds": 1}}
    with pytest.raises(PlanError, match=kind["type"]):
        scripts.script(Plan("urn:p", tree), home.registry, "x")


def test_a_thing_of_another_origin_is_refused(home: Hearthgraph) -> None:
    tree: dict[str, Any] = {"type": "action", "affordance": "urn:x#actions/go", "payload": None}
    with pytest.raises(PlanError, match="nothing of Home Assistant's"):
        scripts.script(Plan("urn:p", tree), home.registry, "x")


def test_a_scene_holds_the_state_that_comes_about(home: Hearthgraph) -> None:
    plan = home.ask("set the desk lamp to 40 percent and close the yard gate").plan
    assert plan is not None
    home.assistant.decline(plan.iri)
    assert scripts.scene(plan, home.registry, "Evening") == {
        "name": "Evening",
        "entities": {"light.desk": {"state": "on", "brightness": 102}, "cover.gate": {"state": "closed"}},
    }


def test_the_command_line_writes_a_script_and_does_nothing(tmp_path: Path) -> None:
    store, out = tmp_path / "store", tmp_path / "script.json"
    folder = written(house(), tmp_path / "snapshot")
    runner = CliRunner()
    start = ["--store", str(store)]
    imported = runner.invoke(main, [*start, "import", "home-assistant", "--snapshot", str(folder)])
    assert imported.exit_code == 0, imported.output
    assert "8 things of 10 exposed entities" in imported.output
    done = runner.invoke(main, [*start, "export", "home-assistant", "turn on the desk lamp", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert json.loads(out.read_text())["turn_on_the_desk_lamp"]["mode"] == "single"
    refused = runner.invoke(main, [*start, "export", "home-assistant", "turn on the dishwasher"])
    assert refused.exit_code == 1
    assert "There is no plan" in refused.output
